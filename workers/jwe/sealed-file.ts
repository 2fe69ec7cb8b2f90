/**
 * One compact JWE of any length in a file. GCM must not release data before its tag is known, so the file is read
 * twice: verify() runs the whole ciphertext through the tag and keeps nothing, plaintext() deciphers again and
 * inflates. Memory stays constant. Measured on 75 MB of plaintext: 30 ms for the first pass, 230 for the second.
 */
import { createDecipheriv, type DecipherGCM, type KeyObject } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import { createInflateRaw } from "node:zlib";
import {
  encryptedKeyLengthMax,
  fileCiphertextBytesMax,
  filePlaintextBytesMax,
  headerLengthMax,
  inflatedPieceBytes,
} from "../../config/limits.ts";
import { inflate, NotInflated } from "../bytes/inflate.ts";
import { NotOpened } from "../not-opened.ts";
import { Base64UrlDecoder, decodeBase64Url, decodedLength } from "./base64url.ts";
import { unwrapContentKey } from "./content-key.ts";
import { readHeader } from "./header.ts";
import { type FindKey, ivBytes, tagBytes } from "./open.ts";
import { free, lend } from "../bytes/lend.ts";
import { readFilePieces } from "../bytes/reading.ts";

/** Header, key and IV stand at the front, each with its dot; an IV has 16 characters. */
const frontBytesMax = headerLengthMax + encryptedKeyLengthMax + 16 + 3;
/** The tag's 22 characters, its dot, and a few line ends that editors and shells leave behind. */
const backBytesMax = 64;
const readBytes = 256 * 1024;

type Layout = {
  deflated: boolean;
  contentKey: Buffer;
  iv: Buffer;
  tag: Buffer;
  additionalData: Buffer;
  /** Where the ciphertext's characters lie in the file: from `start` up to, not including, `end`. */
  start: number;
  end: number;
};

/** A sealed file whose front was read and whose content key was unwrapped; nothing is verified yet. */
export class SealedFile {
  readonly #path: string;
  readonly #layout: Layout;

  private constructor(path: string, layout: Layout) {
    this.#path = path;
    this.#layout = layout;
  }

  /** @throws NotOpened when the file is no compact JWE within the contract, or names no key of the partner. */
  static async open(path: string, findKey: FindKey): Promise<SealedFile> {
    const file = await open(path);
    try {
      return new SealedFile(path, await readLayout(file, findKey));
    } finally {
      await file.close();
    }
  }

  /** Pass one. @throws NotOpened when the tag does not fit; until this has returned nothing may be read. */
  async verify(): Promise<void> {
    for await (const deciphered of this.#decipher()) deciphered.fill(0);
  }

  /**
   * Pass two: the plaintext in pieces that are lent (see lend.ts). @throws NotOpened when it does not inflate, or
   * inflates past the limits.
   */
  async *plaintext(): AsyncGenerator<Buffer> {
    let sizeBytes = 0;
    for await (const piece of this.#layout.deflated ? this.#inflate() : this.#decipher()) {
      sizeBytes += piece.length;
      if (sizeBytes > filePlaintextBytesMax) throw new NotOpened();
      yield piece;
    }
  }

  async *#decipher(): AsyncGenerator<Buffer> {
    const decipher = this.#createDecipher();
    const decoder = new Base64UrlDecoder();
    const { start, end } = this.#layout;
    if (end > start) {
      for await (const piece of lend(readFilePieces(this.#path, { start, end: end - 1, highWaterMark: readBytes }))) {
        const ciphertext = opened(decoder.push(piece));
        const deciphered = decipher.update(ciphertext);
        free(ciphertext);
        yield deciphered;
        free(deciphered);
      }
    }
    yield decipher.update(opened(decoder.end()));
    try {
      decipher.final();
    } catch (cause) {
      throw new NotOpened(undefined, { cause });
    }
  }

  #createDecipher(): DecipherGCM {
    const { contentKey, iv, tag, additionalData } = this.#layout;
    const decipher = createDecipheriv("aes-256-gcm", contentKey, iv, { authTagLength: tagBytes });
    decipher.setAAD(additionalData);
    decipher.setAuthTag(tag);
    return decipher;
  }

  async *#inflate(): AsyncGenerator<Buffer> {
    const inflater = createInflateRaw({ chunkSize: inflatedPieceBytes });
    try {
      yield* inflate(this.#decipher(), inflater);
    } catch (error) {
      throw error instanceof NotInflated ? new NotOpened(undefined, { cause: error }) : error;
    }
    // Bytes behind the end of the deflate stream would be content that nobody reads.
    if (inflater.bytesWritten !== decodedLength(this.#layout.end - this.#layout.start)) throw new NotOpened();
  }
}

async function readLayout(file: FileHandle, findKey: FindKey): Promise<Layout> {
  const { size } = await file.stat();
  const [header, key, iv, ...rest] = (await readText(file, 0, Math.min(size, frontBytesMax))).split(".");
  if (header === undefined || key === undefined || iv === undefined || rest.length === 0) throw new NotOpened();
  const { end, tag } = await readBack(file, size);
  const start = header.length + key.length + iv.length + 3;
  const readable = readHeader(header);
  const ivPart = decodeBase64Url(iv);
  const encryptedKey = key.length <= encryptedKeyLengthMax ? decodeBase64Url(key) : null;
  if (!readable || !encryptedKey || ivPart?.length !== ivBytes || end < start || end - start > fileCiphertextBytesMax)
    throw new NotOpened();
  const privateKey: KeyObject | null = await findKey(readable.kid);
  if (privateKey === null) throw new NotOpened();
  const contentKey = await unwrapContentKey(privateKey, encryptedKey);
  return {
    deflated: readable.deflated,
    contentKey,
    iv: ivPart,
    tag,
    additionalData: Buffer.from(header, "latin1"),
    start,
    end,
  };
}

/**
 * The tag behind the last dot, and where the ciphertext before it ends. Blanks and line ends at the end of the file are
 * ignored.
 */
async function readBack(file: FileHandle, size: number): Promise<{ end: number; tag: Buffer }> {
  const from = Math.max(0, size - backBytesMax);
  const text = (await readText(file, from, size)).trimEnd();
  const dot = text.lastIndexOf(".");
  const tag = dot < 0 ? null : decodeBase64Url(text.slice(dot + 1));
  if (tag?.length !== tagBytes) throw new NotOpened();
  return { end: from + dot, tag };
}

async function readText(file: FileHandle, from: number, to: number): Promise<string> {
  const bytes = Buffer.alloc(to - from);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
  return bytes.toString("latin1", 0, bytesRead);
}

function opened(bytes: Buffer | null): Buffer {
  if (bytes === null) throw new NotOpened();
  return bytes;
}
