/**
 * What follows a file once it is recorded and its sender was told: its job, and its first receipt unless it is loaded
 * before and has its last one. Files that come close together are followed up in groups. Nothing hangs on it: the sweep
 * writes receipts that a crash left out, and workers look for what is open by themselves.
 */
import type { Events } from "../events.ts";
import type { NewDelivery } from "../deliveries/deliveries.ts";
import type { Receipts } from "./receipt.ts";

export type Following = {
  receipts: Pick<Receipts, "writeFirst">;
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

export type GatherMs = { jobs: number; receipts: number };

/** A group costs hardly more than one file does: 3 ms of the queue for one job, 4 ms for 64. */
const jobsMax = 64;
const receiptsMax = 256;
/**
 * For a group to gather. A small file is loaded within the second, and has then one receipt instead of two. Nobody
 * notices it: receipts that somebody asks for are written at once.
 */
const gatherMsDefault: GatherMs = { jobs: 50, receipts: 1000 };

export function openFollowUps(following: Following, gatherMs: GatherMs = gatherMsDefault): FollowUps {
  const calling = gather(jobsMax, gatherMs.jobs, (deliveries) => enqueueAccepted(following, deliveries));
  const writing = gather(receiptsMax, gatherMs.receipts, (deliveries) => writeReceipts(following, deliveries));
  return {
    add(delivery) {
      calling.add(delivery);
      writing.add(delivery);
    },
    receiptsWritten: (partnerId) => writing.done((delivery) => delivery.partnerId === partnerId),
    async close() {
      await Promise.all([calling.done(() => true), writing.done(() => true)]);
    },
  };
}

type Gathering = {
  add(delivery: Followed): void;
  /** Resolves when those of them that were added so far are done. In a hurry: nobody waits for a group to gather. */
  done(whose: (delivery: Followed) => boolean): Promise<void>;
};

type Waiting = { delivery: Followed; promise: Promise<void>; resolve: () => void };

/** @param work never rejects. One group at a time. */
function gather(groupMax: number, gatherMs: number, work: (group: Followed[]) => Promise<void>): Gathering {
  const undone = new Set<Waiting>();
  const waiting: Waiting[] = [];
  let hurry = Promise.withResolvers<void>();
  let hurrying = 0;
  let running: Promise<void> | undefined;
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      if (waiting.length < groupMax && hurrying === 0) await elapsed(gatherMs, hurry.promise);
      hurry = Promise.withResolvers<void>();
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
    add(delivery) {
      const one = { delivery, ...Promise.withResolvers<void>() };
      undone.add(one);
      waiting.push(one);
      if (waiting.length >= groupMax) hurry.resolve();
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
export async function followUp(following: Following, delivery: Followed): Promise<void> {
  await writeReceipts(following, [delivery]);
  await enqueueAccepted(following, [delivery]);
}

async function writeReceipts({ receipts, events }: Following, deliveries: readonly Followed[]): Promise<void> {
  const failures = await receipts.writeFirst(deliveries.map(({ id }) => id));
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
