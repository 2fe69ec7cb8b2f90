/** Answers that are files. */
import type { FastifyReply } from "fastify";

export type AnsweredFile = { name: string; mediaType: string; bytes: Uint8Array };

/** To be saved under its name, not shown among our pages. */
export function sendFile(reply: FastifyReply, { name, mediaType, bytes }: AnsweredFile): FastifyReply {
  return reply.code(200).type(mediaType).header("content-disposition", attachment(name)).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

/** RFC 6266: a name of plain letters for old clients, and the whole one, encoded, for the others. */
export function attachment(name: string): string {
  const plain = name.normalize("NFC").replace(/[^A-Za-z0-9._-]/g, "_");
  // RFC 8187, 3.2.1: encodeURIComponent leaves four characters that are not allowed there.
  const encoded = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
