/** How far a load is, from its delivery's row: told in status, receipts and metrics. Pure. */
import { chunkRecordsMax } from "../../config/limits.ts";
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

/**
 * Of the landed bytes, because nothing else tells where in its file it is. How many records are still to come follows from
 * that and from what is held, of which no more can come: a run that goes on where another was killed has passed over most
 * bytes in a moment, which says nothing of its pace.
 */
function revisitProgressOf(delivery: Delivery, now: Date): LoadProgress {
  const { vaultReference, sizeBytes, revisitBytes, revisitRecords, revisitStartedAt } = delivery;
  const part = vaultReference === null || sizeBytes === 0 ? null : Math.min(1, revisitBytes / sizeBytes);
  const seconds = (now.getTime() - (revisitStartedAt?.getTime() ?? 0)) / 1000;
  const rate = revisitRecords > 0 && seconds > 0 ? revisitRecords / seconds : null;
  const held = delivery.recordsWaiting + delivery.recordsRefused + delivery.recordsConflicting;
  const left = part === null ? null : Math.min(held, delivery.records * (1 - part) + recordsReadAhead);
  return {
    percent: part === null ? null : Math.round(part * 1000) / 10,
    recordsPerSecond: rate === null ? null : Math.round(rate),
    secondsLeft: rate === null || left === null ? null : Math.round(left / rate),
  };
}

/** One chunk is read while another is on its way into the database. */
const recordsReadAhead = 2 * chunkRecordsMax;

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
