/**
 * The layers around a CSV file: gzip, and outside it OpenPGP, or what the vault put around a file that came in the clear.
 */
import { inTurn } from "../turn.ts";
import { SealedFile } from "../jwe/sealed-file.ts";
import { NotOpened } from "../not-opened.ts";
import { PgpFile } from "../pgp/message-file.ts";
import { gunzip } from "./gzip.ts";
import { DeliveryRefused, type FileInput, openedBytesMaxOf } from "./reader.ts";

/** Endings of the names, without their first dot, and what stands around the CSV text. */
export const csvEncodings = {
  csv: { openpgp: false, gzip: false },
  "csv.gz": { openpgp: false, gzip: true },
  "csv.pgp": { openpgp: true, gzip: false },
  "csv.gz.pgp": { openpgp: true, gzip: true },
} as const;

export type CsvEncoding = (typeof csvEncodings)[keyof typeof csvEncodings];

export type CsvText = {
  /** Must return before text() is read. @throws DeliveryRefused */
  verify(): Promise<void>;
  /** Looks for what shows only when all of the text is read. @throws DeliveryRefused */
  survey(): Promise<void>;
  /** From the beginning, each time. @throws DeliveryRefused */
  text(): AsyncIterable<Buffer>;
};

/** Both kinds of file: verified in a first pass, deciphered again in a second. */
type Encrypted = { verify(): Promise<void>; plaintext(): AsyncIterable<Buffer> };

export function openCsv(input: FileInput, encoding: CsvEncoding): CsvText {
  let opened: Encrypted | null = null;
  const csv: CsvText = {
    async verify() {
      opened = await refusing(async () => {
        const file = encoding.openpgp
          ? await PgpFile.open(input.path, await input.findPgpKeys())
          : await SealedFile.open(input.path, input.opener.findKey);
        await file.verify();
        return file;
      });
    },
    text() {
      if (opened === null) throw new Error("a CSV file was read before it was verified");
      const content = plaintextOf(opened);
      return bounded(inTurn(encoding.gzip ? gunzip(content) : content, input.turn), openedBytesMaxOf(input));
    },
    async survey() {
      // A gzip stream shows at its end whether it is whole, and to how much it opens; everything else was verified.
      if (encoding.gzip) for await (const piece of csv.text()) piece.fill(0);
    },
  };
  return csv;
}

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
