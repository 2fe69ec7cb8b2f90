/**
 * The thread pools. Opening requests for the door and loading deliveries are apart, so that a file of hours never delays
 * a request; recognition has a thread of its own.
 */
import { Piscina } from "piscina";
import type { IngestOutcome, IngestTask, InspectOutcome, InspectTask, RecogniseOutcome, RecogniseTask, WorkerSettings } from "../../workers/messages.ts";

export type Pools = {
  inspect(task: InspectTask): Promise<InspectOutcome>;
  ingest(task: IngestTask): Promise<IngestOutcome>;
  recognise(task: RecogniseTask): Promise<RecogniseOutcome>;
  /** Lets running tasks end, then stops the threads. */
  close(): Promise<void>;
};

export type PoolSizes = { doorThreads: number; loadThreads: number };

const filename = new URL("../../workers/main.ts", import.meta.url).href;

/** A closing pool waits this long for a chunk to commit; what is cut then is repeated at the next start. */
const closeWithinMs = 20_000;

/** A door batch needs some tens of megabytes; a runaway one ends its own thread, not the process. */
const resourceLimits = { maxOldGenerationSizeMb: 1024 };

export function openPools(settings: WorkerSettings, sizes: PoolSizes): Pools {
  const create = (maxThreads: number) =>
    new Piscina({
      filename, minThreads: 1, maxThreads, workerData: settings, resourceLimits, closeTimeout: closeWithinMs,
      // A warm thread has its key cache, its compiled checks and its connection.
      idleTimeout: 60_000,
    });
  const door = create(sizes.doorThreads);
  const load = create(sizes.loadThreads);
  const recognition = create(1);
  return {
    inspect: (task) => door.run(task, { name: "inspect" }) as Promise<InspectOutcome>,
    ingest: (task) => load.run(task, { name: "ingest" }) as Promise<IngestOutcome>,
    recognise: (task) => recognition.run(task, { name: "recognise" }) as Promise<RecogniseOutcome>,
    async close() {
      await Promise.all([door, load, recognition].map((pool) => pool.close()));
    },
  };
}
