/** XML's bytes as text, in the encoding that the file names: UTF-8 or UTF-16 by their marks, else by the declaration. */
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

function decode(decoder: TextDecoder, bytes: Uint8Array, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch (cause) {
    throw Object.assign(new NoStatement(`The file holds bytes that are not ${decoder.encoding.toUpperCase()}.`, true), {
      cause,
    });
  }
}
