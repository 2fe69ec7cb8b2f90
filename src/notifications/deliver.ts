/** Delivering: what is due of every partner is claimed, sent and settled; each user's messages in their order. */
import type { Database } from "../database/database.ts";
import type { Events } from "../events.ts";
import { type AccessTokens, createAccessTokens } from "./access-token.ts";
import { bodyOf } from "./body.ts";
import { type Breaker, createBreaker } from "./breaker.ts";
import { call, RequestFailure } from "../machine/guarded-request.ts";
import { judge, type Outcome } from "./judgement.ts";
import { findPartnersDue, markDead, markDelivered, type OutgoingNotification, postpone, claimDue } from "./outbox.ts";
import { readReceiver, type Receiver } from "./receiver.ts";
import { signatureHeaders } from "./signature.ts";
import { beginSpan, failureOf, type SpanEnd } from "../traces.ts";

export type Delivering = {
  database: Database;
  keyEncryptionKey: Buffer;
  events: Events;
  now(): Date;
  random(): number;
  /** Calls to one receiver. Default: what serves a hundred a second, and is no flood to a small one. */
  atOnceMax?: number;
  /** From the first attempt; default: see judgement.ts. */
  givenUpAfterHours?: number;
};

const atOnceDefault = 8;
/** Longer than the longest attempt: a token and two posts of 15 s each. */
const leaseMs = 90_000;

export type Deliverer = {
  /** Sends what is due until nothing is. @returns how many attempts were made. */
  deliverDue(shouldStop?: () => boolean): Promise<number>;
  /**
   * Begins to send what is due of every partner that is not being sent to. @returns at once: one partner's backlog or
   * slow receiver must not put off the next look at the others.
   */
  beginDue(shouldStop: () => boolean): Promise<void>;
  /** Everything that was begun has ended. */
  settled(): Promise<void>;
};

export function createDeliverer(delivering: Delivering): Deliverer {
  const tokens = createAccessTokens(() => delivering.now().getTime());
  const breakers = new Map<string, Breaker>();
  const breakerOf = (partnerId: string): Breaker => {
    const known = breakers.get(partnerId) ?? createBreaker(() => delivering.now().getTime());
    breakers.set(partnerId, known);
    return known;
  };
  const running = new Map<string, Promise<number>>();
  const begin = async (shouldStop: () => boolean): Promise<Promise<number>[]> => {
    const partners = (await findPartnersDue(delivering.database)).filter((partnerId) => !running.has(partnerId));
    return partners.map((partnerId) => {
      const sending = deliverTo({ ...delivering, tokens }, partnerId, breakerOf(partnerId), shouldStop).finally(() =>
        running.delete(partnerId),
      );
      running.set(partnerId, sending);
      return sending;
    });
  };
  return {
    async deliverDue(shouldStop = () => false) {
      const attempts = await Promise.all(await begin(shouldStop));
      return attempts.reduce((sum, made) => sum + made, 0);
    },
    async beginDue(shouldStop) {
      const startedAt = performance.now();
      const failed = (error: unknown) =>
        delivering.events.emit("job.failed", {
          job: "notifications",
          durationMs: performance.now() - startedAt,
          error,
        });
      for (const sending of await begin(shouldStop)) sending.catch(failed);
    },
    async settled() {
      await Promise.allSettled(running.values());
    },
  };
}

type Prepared = Delivering & { tokens: AccessTokens };

async function deliverTo(
  prepared: Prepared,
  partnerId: string,
  breaker: Breaker,
  shouldStop: () => boolean,
): Promise<number> {
  const receiver = await readReceiver(prepared.database, prepared.keyEncryptionKey, partnerId);
  if (receiver === null) return 0;
  let attempts = 0;
  while (!shouldStop()) {
    const allowed = breaker.allowance(prepared.atOnceMax ?? atOnceDefault);
    const due = allowed === 0 ? [] : await claimDue(prepared.database, partnerId, allowed, leaseMs);
    if (due.length === 0) break;
    await Promise.all(due.map((outgoing) => deliver(prepared, receiver, outgoing, breaker)));
    attempts += due.length;
  }
  return attempts;
}

/** One attempt, settled. What cannot be settled because the database is away comes back when its lease ends. */
async function deliver(
  { database, events, now, random, givenUpAfterHours, ...prepared }: Prepared,
  receiver: Receiver,
  outgoing: OutgoingNotification,
  breaker: Breaker,
): Promise<void> {
  const { id, partnerId, type, attempts } = outgoing;
  const told = { correlationId: originOf(outgoing), partnerId, notificationId: id, type, attempt: attempts };
  const span = beginSpan("notify", {
    kind: "client",
    parent: outgoing.traceparent,
    attributes: {
      "tideline.partner.id": partnerId,
      "tideline.notification.id": id,
      "tideline.notification.type": type,
      "tideline.notification.attempt": attempts,
    },
  });
  const traceparent = span?.traceparent ?? outgoing.traceparent;
  const outcome = await attempt({ ...prepared, database, events, now, random }, receiver, {
    ...outgoing,
    traceparent,
  }).catch((error: unknown) => {
    span?.end({ failure: failureOf(error) });
    throw error;
  });
  const judgement = judge(outcome, outgoing, now(), random(), givenUpAfterHours);
  span?.end(endOf(outcome, judgement.verdict === "delivered"));
  if (judgement.verdict === "delivered") {
    breaker.succeed();
    await markDelivered(database, id);
    events.emit("notification.delivered", {
      ...told,
      waitedMs: Math.max(0, now().getTime() - outgoing.createdAt.getTime()),
    });
    return;
  }
  if (judgement.verdict === "dead") {
    await markDead(database, id, judgement.failure);
    events.emit("notification.given-up", { ...told, failure: judgement.failure });
    return;
  }
  breaker.fail();
  await postpone(database, id, judgement.failure, judgement.delayMs);
  events.emit("notification.postponed", {
    ...told,
    failure: judgement.failure,
    delayMs: Math.round(judgement.delayMs),
  });
}

function endOf(outcome: Outcome, isDelivered: boolean): SpanEnd {
  if (outcome.kind === "failed") return { failure: outcome.code };
  const attributes = { "http.response.status_code": outcome.status };
  return isDelivered ? { attributes } : { attributes, failure: String(outcome.status) };
}

/** With one immediate repeat under a new token when the receiver does not take the present one. */
async function attempt(prepared: Prepared, receiver: Receiver, outgoing: OutgoingNotification): Promise<Outcome> {
  try {
    const token = await prepared.tokens.get(receiver);
    const first = await send(prepared, receiver, outgoing, token);
    if (first.kind !== "answered" || first.status !== 401) return first;
    prepared.tokens.drop(receiver, token);
    if (receiver.authentication.kind === "static") return first;
    return await send(prepared, receiver, outgoing, await prepared.tokens.get(receiver));
  } catch (error) {
    if (error instanceof RequestFailure) return { kind: "failed", code: error.code };
    throw error;
  }
}

async function send(
  { now }: Prepared,
  receiver: Receiver,
  outgoing: OutgoingNotification,
  token: string,
): Promise<Outcome> {
  const body = bodyOf(outgoing, receiver.shape);
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json",
    "user-agent": "tideline",
    ...originHeaders(outgoing),
    ...signatureHeaders(receiver, outgoing.id, now(), body),
  };
  const url = new URL(`${receiver.url.replace(/\/+$/, "")}/notifications`);
  const answer = await call({ method: "POST", url, headers, body, needsStatusOnly: true }, receiver.guard);
  return { kind: "answered", status: answer.status, retryAfter: answer.headers["retry-after"] };
}

/** The id of what gave the message; one that nobody gave begins with itself. */
function originOf({ id, correlationId }: OutgoingNotification): string {
  return correlationId ?? id;
}

/** Node writes each character of a header as one byte, and callers' ids may be any text. */
function originHeaders(outgoing: OutgoingNotification): Record<string, string> {
  const { traceparent } = outgoing;
  return {
    "x-correlation-id": Buffer.from(originOf(outgoing), "utf8").toString("latin1"),
    ...(traceparent === null ? {} : { traceparent }),
  };
}
