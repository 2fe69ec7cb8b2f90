/**
 * What follows a file once it is recorded and its sender was told: its job, and its first receipt unless it is loaded
 * before and has its last one. Files that come close together are followed up in groups. Nothing hangs on it: the sweep
 * writes receipts that a crash left out, and workers look for what is open by themselves.
 */
import { keptWithRowBytesMax } from "../../config/landing.ts";
import { callGatherMs } from "../../config/staging.ts";
import type { Events } from "../events.ts";
import type { NewDelivery } from "../deliveries/deliveries.ts";
import type { Receipts } from "./receipt.ts";

export type Following = {
  receipts: Pick<Receipts, "writeFirst">;
  events: Events;
  /** Calls workers. May fail: they look by themselves every few seconds. */
  enqueue(deliveryIds: readonly string[]): Promise<void>;
};

export type Followed = Pick<NewDelivery, "id" | "partnerId" | "correlationId" | "refusal" | "sizeBytes">;

export type FollowUps = {
  /** Takes a recorded delivery; what follows happens by itself. */
  add(delivery: Followed): void;
  /** Resolves when the receipts of all that was taken so far of a partner are written. Never rejects. */
  receiptsWritten(partnerId: string): Promise<void>;
  /** Resolves when nothing is left to follow up. */
  close(): Promise<void>;
};

/**
 * For a group to gather, at most; jobs also go when nothing came for `quiet`, or for longer than their stream's gaps let
 * expect.
 */
export type GatherMs = { jobs: number; quiet: number; receipts: number };

/** Some groups of the loader's. */
const jobsMax = 1000;
/** What comes while a receipt gathers: written before their loading, most would be written twice. */
const receiptsMax = 4096;
/** Of those, described and written at once. */
const receiptsAtOnce = 256;
/**
 * A stream whose files come more slowly, since its client or this machine is busy, is over only after so many of its gaps;
 * what comes further apart than `streamGapMsMax` is none.
 */
const quietGaps = 8;
const streamGapMsMax = 400;
/**
 * While small files keep coming, their loading gives way to them: both want the same processors, and a group of two
 * hundred costs little more than one of twenty. None waits longer than these two seconds, and what comes alone, or is
 * large, is loaded at once. It has then one receipt instead of two. Nobody notices that: receipts that somebody asks for
 * are written at once.
 */
const gatherMsDefault: GatherMs = { jobs: callGatherMs, quiet: 50, receipts: 4000 };

export function openFollowUps(following: Following, gatherMs: GatherMs = gatherMsDefault): FollowUps {
  const { jobs, quiet, receipts } = gatherMs;
  // By partner: one that sends file after file makes nobody else's wait.
  const callings = new Map<string, Gathering>();
  const callingOf = (partnerId: string): Gathering => {
    const known = callings.get(partnerId);
    if (known !== undefined) return known;
    const calling = gather({ groupMax: jobsMax, gatherMs: jobs, quietMs: quiet }, (deliveries) =>
      enqueueAccepted(following, deliveries),
    );
    callings.set(partnerId, calling);
    return calling;
  };
  const writing = gather({ groupMax: receiptsMax, gatherMs: receipts, quietMs: receipts }, (deliveries) =>
    writeReceipts(following, deliveries),
  );
  return {
    add(delivery) {
      callingOf(delivery.partnerId).add(delivery, delivery.sizeBytes > keptWithRowBytesMax);
      writing.add(delivery);
    },
    receiptsWritten: (partnerId) => writing.done((delivery) => delivery.partnerId === partnerId),
    async close() {
      await Promise.all([...callings.values(), writing].map((gathering) => gathering.done(() => true)));
    },
  };
}

type Gathering = {
  /** @param isUrgent it waits for no others, and those that gathered go with it */
  add(delivery: Followed, isUrgent?: boolean): void;
  /** Resolves when those of them that were added so far are done. In a hurry: nobody waits for a group to gather. */
  done(whose: (delivery: Followed) => boolean): Promise<void>;
};

type Waiting = { delivery: Followed; promise: Promise<void>; resolve: () => void };

type Gather = { groupMax: number; gatherMs: number; quietMs: number };

/** @param work never rejects. One group at a time. */
function gather({ groupMax, gatherMs, quietMs }: Gather, work: (group: Followed[]) => Promise<void>): Gathering {
  const undone = new Set<Waiting>();
  const waiting: Waiting[] = [];
  let hurry = Promise.withResolvers<void>();
  let hurrying = 0;
  let isUrgent = false;
  let addedAtMs = Number.NEGATIVE_INFINITY;
  /** Between files of the stream that is coming, on average of late; 0: none is. */
  let gapMs = 0;
  let running: Promise<void> | undefined;
  /** Until nothing came for a while, or so many came, or somebody is in a hurry, or the first has waited long enough. */
  const gathered = async (): Promise<void> => {
    const untilMs = performance.now() + gatherMs;
    for (;;) {
      if (waiting.length >= groupMax || hurrying > 0 || isUrgent) return;
      const nowMs = performance.now();
      const leftMs = Math.min(untilMs, addedAtMs + Math.max(quietMs, quietGaps * gapMs)) - nowMs;
      if (leftMs <= 0) return;
      hurry = Promise.withResolvers<void>();
      await elapsed(leftMs, hurry.promise);
    }
  };
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      await gathered();
      isUrgent = false;
      const group = waiting.splice(0, groupMax);
      await work(group.map(({ delivery }) => delivery));
      for (const one of group) {
        one.resolve();
        undone.delete(one);
      }
    }
    running = undefined;
  };
  return {
    add(delivery, urgent = false) {
      const one = { delivery, ...Promise.withResolvers<void>() };
      undone.add(one);
      waiting.push(one);
      const nowMs = performance.now();
      const sinceMs = nowMs - addedAtMs;
      gapMs = sinceMs > streamGapMsMax ? 0 : gapMs + (sinceMs - gapMs) / quietGaps;
      addedAtMs = nowMs;
      isUrgent ||= urgent;
      if (waiting.length >= groupMax || urgent) hurry.resolve();
      running ??= drain();
    },
    async done(whose) {
      const due = [...undone].filter(({ delivery }) => whose(delivery));
      if (due.length === 0) return;
      hurrying += 1;
      hurry.resolve();
      await Promise.all(due.map(({ promise }) => promise));
      hurrying -= 1;
    },
  };
}

/** Resolves after a while, or when there is no time to lose. */
async function elapsed(ms: number, hurry: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([hurry, promise]);
  clearTimeout(timer);
}

/** Never rejects. */
export async function followUp(following: Following, delivery: Recorded): Promise<void> {
  await writeReceipts(following, [delivery]);
  await enqueueAccepted(following, [delivery]);
}

type Recorded = Omit<Followed, "sizeBytes">;

async function writeReceipts({ receipts, events }: Following, deliveries: readonly Recorded[]): Promise<void> {
  for (let from = 0; from < deliveries.length; from += receiptsAtOnce) {
    const group = deliveries.slice(from, from + receiptsAtOnce);
    const failures = await receipts.writeFirst(group.map(({ id }) => id));
    for (const { id, partnerId, correlationId } of group) {
      const error = failures.get(id);
      if (error !== undefined) events.emit("receipt.failed", { deliveryId: id, partnerId, correlationId, error });
    }
  }
}

async function enqueueAccepted({ enqueue, events }: Following, deliveries: readonly Recorded[]): Promise<void> {
  const accepted = deliveries.filter(({ refusal }) => refusal === null);
  if (accepted.length === 0) return;
  await enqueue(accepted.map(({ id }) => id)).catch((error: unknown) =>
    events.emit("delivery.uncalled", { count: accepted.length, error }),
  );
}
