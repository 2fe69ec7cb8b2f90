/**
 * XML's bytes as text, or as those of UTF-8, in the encoding that the file names: UTF-8 or UTF-16 by their marks, else by the declaration.
 */
import { groupBytesMax } from "../../config/limits.ts";
import { lend } from "../bytes/lend.ts";
import { NoStatement } from "./elements.ts";

/** The declaration stands in front and is ASCII, or UTF-16 with a mark. */
const declarationBytesMax = 256;

/** Pieces of at most groupBytesMax bytes. @throws NoStatement for bytes that are none of the encoding's. */
export async function* xmlText(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let head = Buffer.alloc(0);
  let decoder: TextDecoder | null = null;
  for await (const piece of lend(pieces)) {
    for (let at = 0; at < piece.length; at += groupBytesMax) {
      let part: Uint8Array = piece.subarray(at, at + groupBytesMax);
      if (decoder === null) {
        head = Buffer.concat([head, part]);
        if (head.length < declarationBytesMax) continue;
        decoder = decoderOf(head);
        part = head;
      }
      yield decode(decoder, part, true);
    }
  }
  if (decoder === null) yield decode(decoderOf(head), head, false);
  else yield decode(decoder, new Uint8Array(), false);
}

/** The same as bytes of UTF-8; they may be wrong where the file said that it is UTF-8 itself. */
export async function* xmlBytes(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head = Buffer.alloc(0);
  let decoder: TextDecoder | null = null;
  let isUtf8 = false;
  const bytesOf = (part: Buffer) => (isUtf8 || decoder === null ? part : Buffer.from(decode(decoder, part, true)));
  for await (const piece of lend(pieces)) {
    for (let at = 0; at < piece.length; at += groupBytesMax) {
      let part = piece.subarray(at, at + groupBytesMax);
      if (decoder === null) {
        head = Buffer.concat([head, part]);
        if (head.length < declarationBytesMax) continue;
        decoder = decoderOf(head);
        isUtf8 = decoder.encoding === "utf-8";
        part = head;
      }
      yield bytesOf(part);
    }
  }
  if (decoder === null) {
    decoder = decoderOf(head);
    yield decoder.encoding === "utf-8" ? head : Buffer.from(decode(decoder, head, false));
  } else if (!isUtf8) yield Buffer.from(decode(decoder, new Uint8Array(), false));
}

function decoderOf(head: Buffer): TextDecoder {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder("utf-16le", { fatal: true });
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder("utf-16be", { fatal: true });
  const text = head.toString("latin1", 0, declarationBytesMax);
  const named = /^(?:\u00ef\u00bb\u00bf)?\s*<\?xml\s[^>]*\bencoding\s*=\s*["']([^"']+)["']/.exec(text)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(named, { fatal: true });
  } catch (cause) {
    throw Object.assign(new NoStatement("The encoding that the file names is not known.", true), { cause });
  }
}

export function decode(decoder: TextDecoder, bytes: Uint8Array, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch (cause) {
    throw Object.assign(new NoStatement(`The file holds bytes that are not ${decoder.encoding.toUpperCase()}.`, true), {
      cause,
    });
  }
}
