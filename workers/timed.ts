/** Tells when a task ran in its thread, for whoever asks: how long it had waited for one then shows. */
import { threadId } from "node:worker_threads";
import { nowMs } from "../src/traces.ts";
import type { WorkerContext } from "./context.ts";
import type { ThreadTime } from "./messages.ts";

export function timed<Task extends { timed?: boolean }, Outcome extends object>(
  run: (context: WorkerContext, task: Task) => Promise<Outcome>,
): (context: WorkerContext, task: Task) => Promise<Outcome & { ran?: ThreadTime }> {
  return async (context, task) => {
    if (task.timed !== true) return await run(context, task);
    const startedAtMs = nowMs();
    const outcome = await run(context, task);
    return { ...outcome, ran: { threadId, startedAtMs, endedAtMs: nowMs() } };
  };
}
