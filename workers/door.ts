/**
 * The door pool's only task. Apart from main.ts: its threads are there in a tenth of the time, without what recognition
 * and reports need.
 */
import { task } from "./context.ts";
import { inspectBatch } from "./ingest/inspect.ts";

export const inspect = task(inspectBatch);
