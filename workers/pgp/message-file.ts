/**
 * One OpenPGP message (RFC 9580, and RFC 4880 before it) of any length in a file, encrypted to a key of the partner's;
 * binary or armoured, compressed or not. Like a sealed file it is read twice: verify() runs all of it through its
 * integrity check (MDC, or the chunks' tags of AEAD) and keeps nothing, plaintext() deciphers again. A signature inside
 * is not looked at.
 *
 * OpenPGP.js finds the session key. What is then deciphered is read here when it is what GnuPG and most others write,
 * data with an MDC; everything else (AEAD, BZip2) is left to OpenPGP.js. Of GnuPG's files with 150 and 500 MB of
 * CSV files its streams (6.3) open 110 MB in a second of processor time, this 380 to 420; the process peaks at 110 to
 * 150 MB there and at 100 here. An MDC tells of a change only at the end: both have given out 500 MB by then, and
 * OpenPGP.js peaks at 1.3 GB when asked to hold all of it back. Armour is taken off before,
 * and bounds on what comes out are ours.
 */
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { PartialConfig, PrivateKey } from "openpgp";
import { filePlaintextBytesMax } from "../../config/limits.ts";
import { InflationGuard } from "../bytes/inflate.ts";
import { NotOpened } from "../not-opened.ts";
import { readFilePieces } from "../bytes/reading.ts";
import { withoutArmour } from "./armour.ts";
import { NotUnderstood, readContent } from "./content.ts";
import { findWhyNotOpened, type WhyNotOpened } from "./why-not-opened.ts";
import { deciphered, findSessionKey } from "./envelope.ts";

const readBytes = 256 * 1024;

/**
 * A stream is handed on as it is deciphered, because pass one throws it away and pass two knows that it is whole.
 * Messages without any integrity check stay refused.
 */
const config: PartialConfig = {
  allowUnauthenticatedStream: true,
  allowUnauthenticatedMessages: false,
  maxDecompressedMessageSize: filePlaintextBytesMax,
};

export class PgpFile {
  readonly #path: string;
  readonly #keys: PrivateKey[];
  /** Null: OpenPGP.js reads the file. */
  #sessionKey: Uint8Array | null = null;

  private constructor(path: string, keys: PrivateKey[]) {
    this.#path = path;
    this.#keys = keys;
  }

  /** @param armouredKeys private keys that were valid when the file was accepted. */
  static async open(path: string, armouredKeys: readonly string[]): Promise<PgpFile> {
    const { readPrivateKey } = await import("openpgp");
    return new PgpFile(path, await Promise.all(armouredKeys.map((armoredKey) => readPrivateKey({ armoredKey }))));
  }

  /**
   * Pass one. @throws NotOpened for everything that is wrong, whatever it is; until this has returned nothing may be
   * read.
   */
  async verify(): Promise<void> {
    try {
      this.#sessionKey = await this.#findSessionKey();
      await this.#passOver();
    } catch (error) {
      if (!(error instanceof NotUnderstood)) throw error;
      this.#sessionKey = null;
      await this.#passOver();
    }
  }

  /** Of a message that was not opened. */
  findWhy(): Promise<WhyNotOpened> {
    const ids = this.#keys.flatMap((key) => key.getKeyIDs().map((id) => id.toHex()));
    return findWhyNotOpened(this.#path, new Set(ids));
  }

  async #passOver(): Promise<void> {
    for await (const piece of this.plaintext()) piece.fill(0);
  }

  /** Pass two: the content in pieces. @throws NotOpened; in pass one also NotUnderstood */
  async *plaintext(): AsyncGenerator<Buffer> {
    if (this.#keys.length === 0) throw new NotOpened();
    try {
      yield* this.#sessionKey === null
        ? this.#decipherByLibrary()
        : readContent(deciphered(this.#path, this.#sessionKey));
    } catch (error) {
      throw asRefusal(error);
    }
  }

  /** Null for messages that are left to OpenPGP.js. @throws NotOpened */
  async #findSessionKey(): Promise<Uint8Array | null> {
    if (this.#keys.length === 0) throw new NotOpened();
    try {
      return await findSessionKey(this.#path, this.#keys);
    } catch (error) {
      throw asRefusal(error);
    }
  }

  async *#decipherByLibrary(): AsyncGenerator<Buffer> {
    const { decrypt, readMessage } = await import("openpgp");
    const file = readFilePieces(this.#path, { highWaterMark: readBytes });
    try {
      const binaryMessage = Readable.toWeb(
        Readable.from(withoutArmour(file), { objectMode: false }),
      ) as ReadableStream<Uint8Array>;
      const message = await readMessage({ binaryMessage, config });
      const { data } = await decrypt({ message, decryptionKeys: this.#keys, format: "binary", config });
      const guard = new InflationGuard();
      for await (const piece of data as ReadableStream<Uint8Array>) {
        guard.note(piece.length, file.bytesRead);
        yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
      }
    } finally {
      file.destroy();
    }
  }
}

/** The world's faults are no property of the file, and are tried again. */
function asRefusal(error: unknown): unknown {
  if (error instanceof NotUnderstood || error instanceof NotOpened || (error instanceof Error && "syscall" in error))
    return error;
  return new NotOpened(undefined, { cause: error });
}
