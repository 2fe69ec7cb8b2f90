/** Answers whose text is at hand already. */
import type { FastifyReply } from "fastify";

/** Sends JSON text as it stands: a stored document is not parsed only to be written again. */
export function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return reply.code(200).type("application/json; charset=utf-8").send(text);
}
