/** Spans of loads: each delivery's in its own trace, whatever else was loaded with it, and in it its time in a thread. */
import type { ThreadTime } from "../../workers/messages.ts";
import type { Queryable } from "../database/database.ts";
import { findTraces } from "../deliveries/traces.ts";
import { failureOf, isTracing, noteSpan, nowMs } from "../traces.ts";

export type Loaded = {
  /** loaded, paused, refused, … */
  outcome: string;
  /** Null: it did not come to that, or it broke. */
  ran: ThreadTime | null;
  error?: unknown;
};

export type LoadSpans = {
  /** A delivery's load is over; those of which nothing is said had none. */
  end(deliveryId: string, loaded: Loaded): void;
};

/** @returns null when nobody has asked for traces */
export async function beginLoads(
  database: Queryable,
  partnerId: string,
  deliveryIds: readonly string[],
): Promise<LoadSpans | null> {
  if (!isTracing()) return null;
  const startedAtMs = nowMs();
  const traces = await findTraces(database, deliveryIds);
  const together = deliveryIds.length;
  return {
    end(deliveryId, { outcome, ran, error }) {
      const load = noteSpan(
        "load",
        {
          kind: "consumer",
          parent: traces.get(deliveryId) ?? null,
          startedAtMs,
          attributes: {
            "tideline.partner.id": partnerId,
            "tideline.delivery.id": deliveryId,
            "tideline.load.deliveries": together,
          },
        },
        {
          attributes: { "tideline.load.outcome": outcome },
          ...(error === undefined ? {} : { failure: failureOf(error) }),
        },
      );
      if (load === null || ran === null) return;
      noteSpan(
        "load in thread",
        {
          kind: "internal",
          parent: load.traceparent,
          startedAtMs: ran.startedAtMs,
          attributes: { "thread.id": ran.threadId },
        },
        { endedAtMs: ran.endedAtMs },
      );
    },
  };
}
