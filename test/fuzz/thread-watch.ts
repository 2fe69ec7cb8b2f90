/**
 * Loaded into every process and thread of the service under test (NODE_OPTIONS=--import): writes a line when one
 * starts. A thread that opens requests and is started anew took the place of one that broke.
 */
import { appendFileSync } from "node:fs";
import { isMainThread, workerData } from "node:worker_threads";

const file = process.env.FUZZ_THREADS;
/** Only the threads of the HTTPS door have a time in which they must answer. */
const isOfDoor = JSON.stringify(workerData ?? null).includes('"answersWithinMs"');
if (file !== undefined)
  appendFileSync(file, `${process.pid} ${isMainThread ? "process" : isOfDoor ? "door" : "thread"}\n`);
