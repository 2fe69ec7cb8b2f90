/**
 * What follows a file once it is recorded and its sender was told: its first receipt, then its job. Files that come
 * close together are followed up in groups. Nothing hangs on it: the sweep writes receipts that a crash left out, and
 * workers look for what is open by themselves.
 */
import type { Events } from "../events.ts";
import type { NewDelivery } from "../deliveries/deliveries.ts";
import type { Receipts } from "./receipt.ts";

export type Following = {
  receipts: Pick<Receipts, "writeAll">;
  events: Events;
  /** Calls workers. May fail: they look by themselves every few seconds. */
  enqueue(deliveryIds: readonly string[]): Promise<void>;
};

export type Followed = Pick<NewDelivery, "id" | "partnerId" | "correlationId" | "refusal">;

export type FollowUps = {
  /** Takes a recorded delivery; what follows happens by itself. */
  add(delivery: Followed): void;
  /** Resolves when the receipts of all that was taken so far of a partner are written. Never rejects. */
  receiptsWritten(partnerId: string): Promise<void>;
  /** Resolves when nothing is left to follow up. */
  close(): Promise<void>;
};

/** A group costs hardly more than one file does: 3 ms of the queue for one job, 4 ms for 64. */
const groupMax = 64;
/** For a group to gather. Nobody notices it: receipts that somebody asks for are written at once. */
const gatherMsDefault = 50;

type Waiting = { delivery: Followed; written: Promise<void>; settle: () => void };

export function openFollowUps(following: Following, gatherMs = gatherMsDefault): FollowUps {
  const unwritten = new Set<Waiting>();
  const waiting: Waiting[] = [];
  let gathering = Promise.withResolvers<void>();
  let running: Promise<void> | undefined;
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      if (waiting.length < groupMax) await gather(gathering.promise, gatherMs);
      gathering = Promise.withResolvers<void>();
      const group = waiting.splice(0, groupMax);
      const deliveries = group.map((one) => one.delivery);
      await writeReceipts(following, deliveries);
      for (const one of group) {
        one.settle();
        unwritten.delete(one);
      }
      await enqueueAccepted(following, deliveries);
    }
    running = undefined;
  };
  return {
    add(delivery) {
      const { promise: written, resolve: settle } = Promise.withResolvers<void>();
      const one = { delivery, written, settle };
      unwritten.add(one);
      waiting.push(one);
      if (waiting.length >= groupMax) gathering.resolve();
      running ??= drain();
    },
    async receiptsWritten(partnerId) {
      const due = [...unwritten].filter(({ delivery }) => delivery.partnerId === partnerId);
      if (due.length > 0) gathering.resolve();
      await Promise.all(due.map(({ written }) => written));
    },
    async close() {
      gathering.resolve();
      await running;
    },
  };
}

/** Resolves after a while, or when there is no time to lose. */
async function gather(hurry: Promise<void>, gatherMs: number): Promise<void> {
  const { promise: elapsed, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, gatherMs);
  await Promise.race([hurry, elapsed]);
  clearTimeout(timer);
}

/** Before the jobs, so that a load's receipt is never overtaken by the first one. Never rejects. */
export async function followUp(following: Following, delivery: Followed): Promise<void> {
  await writeReceipts(following, [delivery]);
  await enqueueAccepted(following, [delivery]);
}

async function writeReceipts({ receipts, events }: Following, deliveries: readonly Followed[]): Promise<void> {
  const failures = await receipts.writeAll(deliveries.map(({ id }) => id));
  for (const { id, partnerId, correlationId } of deliveries) {
    const error = failures.get(id);
    if (error !== undefined) events.emit("receipt.failed", { deliveryId: id, partnerId, correlationId, error });
  }
}

async function enqueueAccepted({ enqueue, events }: Following, deliveries: readonly Followed[]): Promise<void> {
  const accepted = deliveries.filter(({ refusal }) => refusal === null);
  if (accepted.length === 0) return;
  await enqueue(accepted.map(({ id }) => id)).catch((error: unknown) =>
    events.emit("delivery.uncalled", { count: accepted.length, error }),
  );
}
