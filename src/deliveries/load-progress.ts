/** How far a load is, from its delivery's row: told in status, receipts and metrics. Pure. */
import type { Delivery } from "./deliveries.ts";

export type LoadProgress = {
  /** Of the landed bytes, one decimal. Null: not known, as for a request, which is loaded in one go. */
  percent: number | null;
  /** Of the present run. Null: nothing is committed of it yet. */
  recordsPerSecond: number | null;
  /** At that rate. */
  secondsLeft: number | null;
};

/** Null unless it is being loaded, or read again. */
export function progressOf(delivery: Delivery, now: Date): LoadProgress | null {
  return isReadAgain(delivery) ? revisitProgressOf(delivery, now) : loadProgressOf(delivery, now);
}

/** A revisit that was asked for and has begun. */
export function isReadAgain({ state, revisitRequestedAt, revisitStartedAt }: Delivery): boolean {
  return (
    state === "loaded" &&
    revisitRequestedAt !== null &&
    revisitStartedAt !== null &&
    revisitStartedAt >= revisitRequestedAt
  );
}

/** Of the landed bytes, because nothing else tells how many of its records are still to come. */
function revisitProgressOf(delivery: Delivery, now: Date): LoadProgress {
  const { vaultReference, sizeBytes, revisitBytes, revisitRecords, revisitStartedAt } = delivery;
  const part = vaultReference === null || sizeBytes === 0 ? null : Math.min(1, revisitBytes / sizeBytes);
  const seconds = (now.getTime() - (revisitStartedAt?.getTime() ?? 0)) / 1000;
  const isGoing = revisitRecords > 0 && seconds > 0;
  return {
    percent: part === null ? null : Math.round(part * 1000) / 10,
    recordsPerSecond: isGoing ? Math.round(revisitRecords / seconds) : null,
    secondsLeft: isGoing && part !== null && part > 0 ? Math.round((seconds * (1 - part)) / part) : null,
  };
}

function loadProgressOf(delivery: Delivery, now: Date): LoadProgress | null {
  if (delivery.state !== "loading" || delivery.runStartedAt === null) return null;
  const part =
    delivery.vaultReference === null || delivery.sizeBytes === 0
      ? null
      : Math.min(1, delivery.bytesLoaded / delivery.sizeBytes);
  const seconds = (now.getTime() - delivery.runStartedAt.getTime()) / 1000;
  const records = delivery.records - delivery.runStartedRecords;
  const rate = records > 0 && seconds > 0 ? records / seconds : null;
  const recordsLeft = part === null || part === 0 ? null : delivery.records / part - delivery.records;
  return {
    percent: part === null ? null : Math.round(part * 1000) / 10,
    recordsPerSecond: rate === null ? null : Math.round(rate),
    secondsLeft: rate === null || recordsLeft === null ? null : Math.round(recordsLeft / rate),
  };
}
