/**
 * Calls: telling workers on whatever machine that something became open, without making a door wait for the queue. A
 * call is a job with a delivery's id; one wakes a worker, which takes whatever is open, so of many at once a few are
 * enough.
 */
import type { IngestQueue } from "./queue.ts";

export type Calls = {
  /** Returns at once. */
  add(deliveryId: string): void;
  /** Sends what is left. */
  close(): Promise<void>;
};

/** Long enough to gather what a busy door takes at once, short enough that nobody notices. */
const gatherMs = 20;
/**
 * Under a steady stream: a job costs the queue's database about what accepting a request costs it, and a worker that was
 * just woken takes what came meanwhile too.
 */
const apartMs = 250;
/** As many workers as are worth waking at once; the others look by themselves. */
const callsMax = 4;

/** @param onLost the queue did not take it; whatever is open is found all the same. */
export function createCalls(
  queue: Pick<IngestQueue, "add">,
  onLost: (deliveryIds: readonly string[], error: unknown) => void,
): Calls {
  let gathered: string[] = [];
  let timer: NodeJS.Timeout | null = null;
  let sentAtMs = -Infinity;
  let sending: Promise<void> = Promise.resolve();
  const send = () => {
    timer = null;
    sentAtMs = performance.now();
    const ids = gathered;
    gathered = [];
    sending = sending.then(() => queue.add(ids.slice(0, callsMax))).catch((error: unknown) => onLost(ids, error));
  };
  return {
    add(deliveryId) {
      gathered.push(deliveryId);
      timer ??= setTimeout(send, Math.max(gatherMs, sentAtMs + apartMs - performance.now()));
    },
    async close() {
      if (timer !== null) clearTimeout(timer);
      if (gathered.length > 0) send();
      await sending;
    },
  };
}
