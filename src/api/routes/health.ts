/** For those who run the service: is it alive, can it serve, what are its figures. */
import { type TObjectOptions, Type } from "@fastify/type-provider-typebox";
import type { ApiContext, App } from "../context.ts";
import { Refusal } from "../problem.ts";

/** A server that is not ready is waiting for its database or for a start to end. */
const notReadyRetrySeconds = 2;

const AliveSchema = Type.Object(
  { status: Type.Literal("alive"), version: Type.String() },
  { title: "Alive", description: "The process lives." },
);
const readinessOf = (status: "ready" | "not-ready", options: TObjectOptions) =>
  Type.Object(
    {
      status: Type.Literal(status),
      checks: Type.Record(Type.String(), Type.String(), { description: "What was looked at, and what was found." }),
    },
    options,
  );
const NotReadySchema = readinessOf("not-ready", {
  description: "Not now; Retry-After says when to ask again.",
  headers: { "Retry-After": { type: "integer", description: "Seconds." } },
});

/** As on the port on which any process is looked at; see observation/server.ts. */
const readinessPaths = [
  {
    path: "/health/ready",
    of: "status",
    operationId: "isReady",
    summary: "Whether calls can be served",
    description: "Reads and writes both: each thing that calls depend on, with what was found.",
  },
  {
    path: "/health/ready/reads",
    of: "reads",
    operationId: "isReadyForReads",
    summary: "Whether reads can be served",
    description: "A full disk, a vault that is away and a database that takes reads only leave reads as they are.",
  },
  {
    path: "/health/ready/writes",
    of: "writes",
    operationId: "isReadyForWrites",
    summary: "Whether writes can be served",
    description: "Pushes, users and whatever changes something.",
  },
] as const;

export async function healthRoutes(scope: App, context: ApiContext): Promise<void> {
  scope.get(
    "/health/live",
    {
      schema: {
        operationId: "isAlive",
        summary: "Whether the process lives",
        description: "Says nothing of what the process depends on: an orchestrator restarts it when this fails.",
        tags: ["Operation"],
        response: { 200: AliveSchema },
      },
      config: { produces: "application/json" },
    },
    async (_request, reply) => reply.code(200).send({ status: "alive", version: context.version }),
  );
  for (const { path, of, operationId, summary, description } of readinessPaths) {
    scope.get(
      path,
      {
        schema: {
          operationId,
          summary,
          description,
          tags: ["Operation"],
          response: { 200: readinessOf("ready", { description: `${summary}: yes.` }), 503: NotReadySchema },
        },
        config: { produces: "application/json" },
      },
      async (_request, reply) => {
        const found = await context.isReady();
        const { checks } = found;
        if (found[of] === "ready") return reply.code(200).send({ status: "ready", checks });
        return reply
          .code(503)
          .header("retry-after", String(notReadyRetrySeconds))
          .send({ status: "not-ready", checks });
      },
    );
  }
  scope.get(
    "/metrics",
    {
      schema: {
        operationId: "readMetrics",
        summary: "Figures in Prometheus text format",
        description: "Only for addresses that the operator named.",
        tags: ["Operation"],
        response: { 200: { description: "Metrics.", content: { "text/plain": { schema: Type.String() } } } },
      },
      config: { produces: "text/plain", refusals: ["METRICS_NOT_ALLOWED"] },
      onRequest: async (request) => {
        if (!context.mayReadMetrics(request.ip)) throw new Refusal("METRICS_NOT_ALLOWED");
      },
    },
    async (_request, reply) =>
      reply.type(context.events.registry.contentType).send(await context.events.registry.metrics()),
  );
}
