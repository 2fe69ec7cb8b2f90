/** What the HTTPS door keeps: one TransactionsRequest as JSON text. Its door has opened, checked and recorded it before. */
import { type BatchOpener, type OpenedBatch, reopenBatch } from "../batch.ts";
import { readAcceptedToken } from "../envelope.ts";
import { checkRecord, interfaceFields } from "../record.ts";
import { type DeliveryReader, DeliveryRefused } from "./reader.ts";

export function readRequest(body: Buffer, opener: BatchOpener): DeliveryReader {
  let batch: (OpenedBatch & { ok: true }) | null = null;
  return {
    async verify() {
      batch = await open(body, opener);
    },
    async survey() {
      // Opened whole by verify(): nothing else can come to light.
    },
    async *groups(from) {
      if (batch === null) throw new Error("a request was read before it was verified");
      // A request is always loaded in one transaction.
      if (from.batches > 0) return;
      yield { batch: 0, line: 0, lines: null, firstIndex: 0, records: batch.records, sizeBytes: batch.sizeBytes, startsBatch: true, request: null, refusal: null };
    },
    check: checkRecord,
    fields: interfaceFields,
  };
}

async function open(body: Buffer, opener: BatchOpener): Promise<OpenedBatch & { ok: true }> {
  const batch = await reopenBatch(readAcceptedToken(body), opener.findKey);
  if (!batch.ok) throw new DeliveryRefused(batch.errorCode, `The batch ${batch.reason}.`);
  return batch;
}
