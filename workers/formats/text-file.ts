/**
 * The layers around a file of text, a table or XML: gzip, and outside it OpenPGP, or what the vault put around a file
 * that came in the clear.
 */
import { inTurn } from "../turn.ts";
import { SealedFile } from "../jwe/sealed-file.ts";
import { NotOpened } from "../not-opened.ts";
import { PgpFile } from "../pgp/message-file.ts";
import type { WhyNotOpened } from "../pgp/why-not-opened.ts";
import type { ErrorCode } from "../../src/errors.ts";
import { gunzip } from "./gzip.ts";
import { isCutGzip, isCutPgp } from "./cut-off.ts";
import type { FileFormat } from "./format.ts";
import { isPlainForPgp } from "./plain-text.ts";
import { type DeliveryReader, DeliveryRefused, type FileInput, openedBytesMaxOf } from "./reader.ts";

/** Behind a name's own ending, and what stands around the text. */
const wrappings = {
  "": { openpgp: false, gzip: false },
  ".gz": { openpgp: false, gzip: true },
  ".pgp": { openpgp: true, gzip: false },
  ".gz.pgp": { openpgp: true, gzip: true },
} as const;

type Wrapping = (typeof wrappings)[keyof typeof wrappings];

/** OpenPGP has one format: by itself GnuPG calls it .gpg, and .asc where it is armoured. */
const pgpEnding = "\\.(?:pgp|gpg|asc)";

/** Files of one kind of text, by the name that a delivery's row has, without its wrapping. */
export type TextKind = {
  /** Of a file's name in lower case, before the wrapping's ending; a regular expression. */
  name: string;
  /** What such names look like, for people, before the wrapping's endings. */
  names: string;
  meaning: string;
  /** @param text what is read once it is verified */
  read(input: FileInput, text: TextFile): Omit<DeliveryReader, "verify">;
};

/** A kind's formats, such as "accounts.csv.gz.pgp": one for each wrapping. */
export function textFormatsOf<Name extends string>(
  name: Name,
  kind: TextKind,
): Record<`${Name}${keyof typeof wrappings}`, FileFormat> {
  const formats = Object.entries(wrappings).map(([ending, wrapping]) => [
    `${name}${ending}`,
    {
      name: new RegExp(`^${kind.name}${wrapping.gzip ? "\\.gz" : ""}${wrapping.openpgp ? pgpEnding : ""}$`, "s"),
      names: `${kind.names}[.gz][.pgp|.gpg|.asc]`,
      meaning: kind.meaning,
      findPlainText: wrapping.openpgp ? isPlainForPgp : null,
      findCut: wrapping.openpgp ? isCutPgp : wrapping.gzip ? isCutGzip : null,
      open: (input) => openUnsigned(input, wrapping, kind),
    } satisfies FileFormat,
  ]);
  return Object.fromEntries(formats) as Record<`${Name}${keyof typeof wrappings}`, FileFormat>;
}

function openUnsigned(input: FileInput, wrapping: Wrapping, kind: TextKind): DeliveryReader {
  const file = openText(input, wrapping);
  return {
    async verify() {
      if (input.opener.signers !== null)
        throw new DeliveryRefused(
          "SIGNATURE_ERROR",
          "The partner must sign its batches, and such files carry no such signature.",
        );
      await file.verify();
    },
    ...kind.read(input, file),
  };
}

export type TextFile = {
  /** Must return before text() is read. @throws DeliveryRefused */
  verify(): Promise<void>;
  /** Looks for what shows only when all of the text is read. @throws DeliveryRefused */
  survey(): Promise<void>;
  /** From the beginning, each time. @throws DeliveryRefused */
  text(): AsyncIterable<Buffer>;
};

/** Both kinds of file: verified in a first pass, deciphered again in a second. */
type Encrypted = { verify(): Promise<void>; plaintext(): AsyncIterable<Buffer> };

function openText(input: FileInput, wrapping: Wrapping): TextFile {
  let opened: Encrypted | null = null;
  const text: TextFile = {
    async verify() {
      opened = await refusing(() => (wrapping.openpgp ? openPgp(input) : openSealed(input)));
    },
    text() {
      if (opened === null) throw new Error("a file was read before it was verified");
      const content = plaintextOf(opened);
      return bounded(inTurn(wrapping.gzip ? gunzip(content) : content, input.turn), openedBytesMaxOf(input));
    },
    async survey() {
      // A gzip stream shows at its end whether it is whole, and to how much it opens; everything else was verified.
      if (wrapping.gzip) for await (const piece of text.text()) piece.fill(0);
    },
  };
  return text;
}

async function openSealed(input: FileInput): Promise<Encrypted> {
  const file = await SealedFile.open(input.path, input.opener.findKey);
  await file.verify();
  return file;
}

/** @throws DeliveryRefused with the reason that the file's outside tells, NotOpened when that tells none */
async function openPgp(input: FileInput): Promise<Encrypted> {
  const file = await PgpFile.open(input.path, await input.findPgpKeys());
  try {
    await file.verify();
  } catch (error) {
    const why = error instanceof NotOpened ? await file.findWhy() : null;
    if (why === null) throw error;
    throw new DeliveryRefused(refusals[why].code, refusals[why].reason, { cause: error });
  }
  return file;
}

const refusals = {
  truncated: { code: "FILE_TRUNCATED", reason: "The OpenPGP message ends before its end." },
  password: { code: "PGP_PASSWORD", reason: "The OpenPGP message is encrypted with a pass phrase, and to no key." },
  foreign: { code: "PGP_KEY_UNKNOWN", reason: "The OpenPGP message is encrypted to other keys than the partner's." },
} as const satisfies Record<NonNullable<WhyNotOpened>, { code: ErrorCode; reason: string }>;

/** Each layer has its bound; here is that of all together. */
async function* bounded(pieces: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > bytesMax) throw new DeliveryRefused("FILE_DAMAGED", "The file opens to more than is allowed.");
    yield piece;
  }
}

async function* plaintextOf(file: Encrypted): AsyncGenerator<Buffer> {
  try {
    yield* file.plaintext();
  } catch (error) {
    throw asRefusal(error);
  }
}

async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw asRefusal(error);
  }
}

function asRefusal(error: unknown): unknown {
  return error instanceof NotOpened
    ? new DeliveryRefused("DECRYPTION_ERROR", "The file cannot be decrypted.", { cause: error })
    : error;
}
