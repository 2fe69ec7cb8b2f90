/** Answers that are files. */
import type { FastifyReply } from "fastify";

export type AnsweredFile = { name: string; mediaType: string; bytes: Uint8Array };

/** To be saved under its name, not shown among our pages. */
export function sendFile(reply: FastifyReply, { name, mediaType, bytes }: AnsweredFile): FastifyReply {
  return reply
    .code(200)
    .type(mediaType)
    .header("content-disposition", attachment(name))
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

/** RFC 6266: a name of plain letters for old clients, and the whole one, encoded, for the others. */
export function attachment(name: string): string {
  // What would lead into a folder, or out of a header.
  const safe = name
    .toWellFormed()
    .normalize("NFC")
    .replace(/[/\\\p{Cc}\p{Cf}]/gu, "_");
  const plain = safe.replace(/[^A-Za-z0-9._-]/gu, "_");
  // RFC 8187, 3.2.1: encodeURIComponent leaves four characters that are not allowed there.
  const encoded = encodeURIComponent(safe).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
