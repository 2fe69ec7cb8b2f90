/** Transactions in: endpoint 4 of the interface. Its refusals are TransactionsErrorResponses, not problem documents. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { largeRequestsAtOnceMax, requestBodyBytesMax, requestBodyBytesUsual } from "../../../config/limits.ts";
import { errorCatalogue } from "../../errors.ts";
import { type TransactionsError, TransactionsErrorSchema, TransactionsRequestSchema } from "../../interface/push.ts";
import { receive } from "../../landing/https/receive.ts";
import type { Partner } from "../../partners/partners.ts";
import { parseJson } from "../app.ts";
import type { ApiContext, App } from "../context.ts";
import { partnerOf } from "../identify.ts";
import { type Refusal, statusOf } from "../problem.ts";
import { busy, refusalOf } from "../refusals.ts";
import { noBody } from "../reply.ts";

/** About as long as a large batch is in hand. */
const largeRetrySeconds = 5;
const refusal = (description: string) => ({ ...TransactionsErrorSchema, "x-response-description": description });
/** The statuses on which a sender gives a batch up: those that a retry cannot heal. */
const refusedStatuses: ReadonlySet<number> = new Set([400, 413, 415]);

export async function pushRoutes(scope: App, context: ApiContext): Promise<void> {
  keepBodies(scope);
  holdFewLarge(scope);
  scope.setErrorHandler((error, request, reply) => answerRefusal(context, refusalOf(error), error, request, reply));
  scope.post(
    "/transactions",
    {
      bodyLimit: requestBodyBytesMax,
      schema: {
        operationId: "pushTransactions",
        summary: "Push a batch of transactions",
        description:
          "201 means durable: the batch is stored, and is loaded once. The same reqId with the same content is answered 201 again.",
        tags: ["Transactions"],
        body: TransactionsRequestSchema,
        response: {
          201: noBody("All transactions received."),
          400: refusal("All transactions count as unreceived; retrying the identical request does not help."),
          413: refusal("The request is larger than 24 MiB; send fewer transactions in each."),
          415: refusal("The request is not application/json."),
        },
      },
      config: { rateClass: "pushes" },
    },
    async (request, reply) => {
      const partner = partnerOf(request);
      const { reqId, txs } = request.body;
      const body = request.getDecorator<Buffer>("rawBody");
      const reception = await receive(context, {
        partnerId: partner.id,
        requestId: reqId,
        txs,
        body,
        correlationId: request.id,
      });
      switch (reception.outcome) {
        case "received":
          return reply.code(201).send();
        case "refused":
          context.events.emit("batch.refused", {
            correlationId: request.id,
            partnerId: partner.id,
            errorCode: reception.error.errorCode,
          });
          return reply.code(400).send(reception.error);
        case "busy":
          throw busy(reception.retryAfterSeconds);
      }
    },
  );
}

/** A body is in memory until its call is answered, and any caller may send one: only so many large ones are taken. */
function holdFewLarge(scope: App): void {
  let held = 0;
  scope.addHook("preParsing", async (request, reply) => {
    // Without a length it may become as large as it likes.
    if (Number(request.headers["content-length"] ?? Infinity) <= requestBodyBytesUsual) return;
    if (held >= largeRequestsAtOnceMax) throw busy(largeRetrySeconds);
    held += 1;
    reply.raw.once("close", () => (held -= 1));
  });
}

/** The bytes as they came are what is kept, so they stay beside what was read from them. */
function keepBodies(scope: App): void {
  scope.decorateRequest("rawBody", null);
  scope.removeContentTypeParser("application/json");
  scope.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async (request: FastifyRequest, body: Buffer) => {
      request.setDecorator("rawBody", body);
      return parseJson(body);
    },
  );
}

/** What is wrong with the envelope is UNKNOWN_ERROR; everything else is told as on every other route. */
function answerRefusal(
  context: ApiContext,
  told: Refusal | null,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (told === null || !refusedStatuses.has(statusOf(told.code))) throw error;
  const { sentence } = told.code === "REQUEST_INVALID" ? errorCatalogue.UNKNOWN_ERROR : errorCatalogue[told.code];
  const details = told.errors.map(({ pointer, message }) => ({ field: pointer.slice(1), reason: message }));
  const answer: TransactionsError = { errorCode: "UNKNOWN_ERROR", message: sentence, details };
  const partner = request.getDecorator<Partner | null>("partner");
  // Null: refused before it was looked who calls.
  if (partner !== null)
    context.events.emit("batch.refused", {
      correlationId: request.id,
      partnerId: partner.id,
      errorCode: answer.errorCode,
    });
  reply.code(statusOf(told.code)).send(answer);
}
