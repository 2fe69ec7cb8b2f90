/** The OpenAPI document and its readable page. */
import { Type } from "@fastify/type-provider-typebox";
import type { App } from "../context.ts";
import { documentOf } from "../openapi/document.ts";
import { referencePolicy, renderReference } from "../openapi/reference.ts";
import { sendJson } from "../reply.ts";

/** Made once: it takes longer than any read, anyone may ask, and it stays the same while the service runs. */
function once(make: () => string): () => Buffer {
  let made: Buffer | null = null;
  return () => (made ??= Buffer.from(make()));
}

export async function documentationRoutes(scope: App): Promise<void> {
  const text = once(() => JSON.stringify(documentOf(scope)));
  const page = once(() => renderReference(documentOf(scope)));
  scope.get(
    "/openapi.json",
    {
      schema: {
        operationId: "readOpenApi",
        summary: "This document",
        description: "Generated from the schemas that validate the calls.",
        tags: ["Documentation"],
        response: { 200: Type.Object({}, { description: "OpenAPI 3.1." }) },
      },
      config: { produces: "application/json" },
    },
    async (_request, reply) => sendJson(reply, text()),
  );
  scope.get(
    "/reference",
    {
      schema: {
        operationId: "readReference",
        summary: "This document as a page",
        description: "Plain HTML, readable offline and without scripts; with them, each operation can be tried.",
        tags: ["Documentation"],
        response: {
          200: {
            description: "A page that works without scripts.",
            content: { "text/html": { schema: Type.Unsafe<Buffer>({ type: "string" }) } },
          },
        },
      },
      config: { produces: "text/html" },
    },
    async (_request, reply) =>
      reply.header("content-security-policy", referencePolicy).type("text/html; charset=utf-8").send(page()),
  );
}
