/**
 * The door pool's tasks. Apart from main.ts: its threads are there in a tenth of the time, without what recognition and
 * reports need.
 */
import type { ReceiptGroup } from "../src/deliveries/receipt-files/writing.ts";
import { task } from "./context.ts";
import { inspectBatch } from "./ingest/inspect.ts";

export const inspect = task(inspectBatch);
export const receipts = task(async (_context, group: ReceiptGroup) =>
  (await import("../src/deliveries/receipt-files/writing.ts")).writeGroupNow(group),
);
