/**
 * What the HTTPS door keeps: one TransactionsRequest as JSON text. Its door has opened, checked and recorded it before.
 */
import { type BatchOpener, type OpenedBatch, reopenBatch } from "../records/batch.ts";
import { readAcceptedToken } from "../records/envelope.ts";
import { checkRecord, interfaceFields } from "../records/record.ts";
import { type DeliveryReader, DeliveryRefused } from "./reader.ts";

export function readRequest(body: Buffer, opener: BatchOpener, deliveryPosition: number): DeliveryReader {
  let verified: AcceptedBatch | null = null;
  return {
    async verify() {
      verified = await open(body, opener, deliveryPosition);
    },
    async survey() {
      // Opened whole by verify(): nothing else can come to light.
    },
    async *groups(from, asValues) {
      // A request is always loaded in one transaction.
      if (from.batches > 0) return;
      const batch =
        verified === null || asValues === true
          ? await open(body, opener, asValues === true ? null : deliveryPosition)
          : verified;
      // Rows are read once.
      verified = null;
      const { parts, records, sizeBytes } = batch;
      yield {
        batch: 0,
        line: 0,
        firstIndex: 0,
        parts,
        records,
        sizeBytes,
        startsBatch: true,
        request: null,
        refusal: null,
      };
    },
    check: checkRecord,
    fields: interfaceFields,
  };
}

type AcceptedBatch = OpenedBatch & { ok: true };

async function open(body: Buffer, opener: BatchOpener, deliveryPosition: number | null): Promise<AcceptedBatch> {
  const batch = await reopenBatch(readAcceptedToken(body), opener.findKey, deliveryPosition);
  if (!batch.ok) throw new DeliveryRefused(batch.errorCode, `The batch ${batch.reason}.`);
  return batch;
}
