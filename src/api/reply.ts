/** Answers that no serializer makes: those without a body, and those whose text is at hand already. */
import { Type } from "@fastify/type-provider-typebox";
import type { FastifyReply } from "fastify";

/** Schema of an answer without a body. @param headers JSON schemas by header name. */
export function noBody(description: string, headers?: Readonly<Record<string, object>>) {
  return Type.Unsafe<void>({ type: "null", description, ...(headers ? { headers } : {}) });
}

/**
 * Nothing to tell yet: when to ask again, and where. Without a body, whose kind is told all the same: a client made of
 * the document, and whoever validates by it, look for one where another answer of the same call has one.
 */
export function sendNotReady(reply: FastifyReply, retryAfterSeconds: number, location: string): FastifyReply {
  return reply
    .code(202)
    .headers({ "retry-after": String(retryAfterSeconds), location })
    .type("text/plain; charset=utf-8")
    .send("");
}

/** Sends JSON text, or its bytes, as it stands: a stored document is not parsed only to be written again. */
export function sendJson(reply: FastifyReply, text: string | Buffer): FastifyReply {
  return reply.code(200).type("application/json; charset=utf-8").send(text);
}
