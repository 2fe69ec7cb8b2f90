/** Transactions in: endpoint 4 of the interface. Its refusals are TransactionsErrorResponses, not problem documents. */
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { requestBodyBytesMax } from "../../../config/limits.ts";
import { batchesOfThreadMax } from "../../../config/staging.ts";
import { errorCatalogue } from "../../errors.ts";
import { type TransactionsError, TransactionsErrorSchema, TransactionsRequestSchema } from "../../interface/push.ts";
import { BytesInFlight, type Held } from "../../landing/https/bytes-in-flight.ts";
import type { Sender } from "../../landing/https/door-turns.ts";
import { openDoorway, receive } from "../../landing/https/receive.ts";
import { free } from "../../machine/free.ts";
import { neighbourhoodOf } from "../../partners/network.ts";
import type { Partner } from "../../partners/partners.ts";
import { parseJson } from "../app.ts";
import { readBody } from "../body.ts";
import type { ApiContext, App } from "../context.ts";
import { traceparentOf } from "../correlation.ts";
import { partnerOf } from "../identify.ts";
import { Refusal, statusOf } from "../problem.ts";
import { busy, refusalOf } from "../refusals.ts";
import { noBody } from "../reply.ts";

/** Who is told to come again while its body still comes may finish or go within this. */
const farewellMs = 2000;
const refusal = (description: string) => ({ ...TransactionsErrorSchema, "x-response-description": description });
/** The statuses on which a sender gives a batch up: those that a retry cannot heal. */
const refusedStatuses: ReadonlySet<number> = new Set([400, 413, 415]);

export async function pushRoutes(scope: App, context: ApiContext): Promise<void> {
  const doorway = openDoorway(context, { threads: context.doorThreads, batchesOfThread: batchesOfThreadMax });
  readBodies(scope, new BytesInFlight(context.bytesInFlight));
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
      const traceparent = traceparentOf(request);
      const reception = await receive(doorway, {
        partnerId: partner.id,
        requestId: reqId,
        txs,
        body,
        correlationId: request.id,
        sender: senderOf(request),
        ...(traceparent === null ? {} : { traceparent }),
      }).finally(() => free(body));
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

function senderOf(request: FastifyRequest): Sender {
  const { id, namesItsCallers } = partnerOf(request);
  return { partnerId: id, source: neighbourhoodOf(request.ip), isListed: namesItsCallers };
}

/**
 * The bytes as they came are what is kept, so they stay beside what was read from them. They are in memory until their
 * call is answered, and any caller may send some: so they are counted from the first one on.
 */
function readBodies(scope: App, inFlight: BytesInFlight): void {
  scope.decorateRequest("rawBody", null);
  scope.decorateRequest("heldBody", null);
  scope.addHook("preParsing", (request, reply, payload, done) => {
    const body: HeldBody = {
      held: inFlight.hold(senderOf(request), declaredBytesOf(request), () => body.giveUp()),
      giveUp: () => undefined,
    };
    // When it is answered, or its caller is gone.
    reply.raw.once("close", body.held.release);
    request.setDecorator("heldBody", body);
    done(null, payload);
  });
  scope.removeContentTypeParser("application/json");
  scope.addContentTypeParser("application/json", async (request: FastifyRequest, payload: IncomingMessage) => {
    const declaredBytes = declaredBytesOf(request);
    if (declaredBytes > requestBodyBytesMax) throw new Refusal("BODY_TOO_LARGE");
    const body = request.getDecorator<HeldBody>("heldBody");
    const reading = readBody(payload, { sizeBytesMax: requestBodyBytesMax, declaredBytes }, body.held.take);
    body.giveUp = reading.giveUp;
    const bytes = await reading.bytes.catch((error: unknown) => {
      // Its answer may take a while to leave; nothing of it is kept so long.
      body.held.release();
      throw error;
    });
    body.held.arrived();
    request.setDecorator("rawBody", bytes);
    return parseJson(bytes);
  });
  scope.addHook("onSend", (request, reply, payload, done) => {
    if (request.raw.complete || !Buffer.isBuffer(payload)) return done(null, payload);
    reply.headers({ connection: "close", "content-length": payload.length });
    done(null, Readable.from(lingering(payload, request.raw)));
  });
}

/** 0: it comes in chunks, and nobody knows. */
function declaredBytesOf({ headers }: FastifyRequest): number {
  return Number(headers["content-length"] ?? 0);
}

type HeldBody = { held: Held; giveUp(): void };

/**
 * Whoever is answered before it has said all would be heard to its end otherwise. The answer goes out as a whole, and
 * ends a moment later: with its end Node closes the connection, and what is sent to a closed one takes away an answer
 * that was not read yet (RFC 9112, section 9.6).
 */
async function* lingering(answer: Buffer, request: IncomingMessage): AsyncGenerator<Buffer> {
  yield answer;
  const over = new AbortController();
  const isSaid = ["end", "close"].map((event) => once(request, event, { signal: over.signal }));
  await Promise.race([...isSaid, wait(farewellMs, null, { signal: over.signal })]).catch(() => undefined);
  over.abort();
  await Promise.allSettled(isSaid);
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
