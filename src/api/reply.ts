/** Answers that no serializer makes: those without a body, and those whose text is at hand already. */
import { Type } from "@fastify/type-provider-typebox";
import type { FastifyReply } from "fastify";

/** Schema of an answer without a body. @param headers JSON schemas by header name. */
export function noBody(description: string, headers?: Readonly<Record<string, object>>) {
  return Type.Unsafe<void>({ type: "null", description, ...(headers ? { headers } : {}) });
}

/** Sends JSON text, or its bytes, as it stands: a stored document is not parsed only to be written again. */
export function sendJson(reply: FastifyReply, text: string | Buffer): FastifyReply {
  return reply.code(200).type("application/json; charset=utf-8").send(text);
}
