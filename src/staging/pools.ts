/**
 * The thread pools. Opening requests for the door and loading deliveries are apart, so that a file of hours never
 * delays a request; recognition, and budgets after it, have a thread of their own, and so have reports.
 */
import { Piscina } from "piscina";
import { knobs } from "../../config/knobs.ts";
import { makingWithinMs, reportsWaitingMax, reportThreads, waitingWithinMs } from "../../config/reports.ts";
import { batchesOfThreadMax, loadThreadsBeside, parkedLoadsMax, recognitionThreads } from "../../config/staging.ts";
import type {
  IngestGroupOutcome,
  IngestGroupTask,
  IngestOutcome,
  IngestTask,
  InspectOutcome,
  InspectTask,
  WorkerSettings,
} from "../../workers/messages.ts";
import type { WriteGroup } from "../deliveries/receipt-files/writing.ts";
import type { RecogniseOutcome, RecogniseTask } from "../recognition/task.ts";
import type { BudgetReportOutcome, BudgetReportTask, ReportOutcome, ReportTask } from "../reports/task.ts";
import type { BudgetOutcome, BudgetTask } from "../budgets/task.ts";

export type Pools = {
  inspect(task: InspectTask): Promise<InspectOutcome>;
  /** Receipts of files that came or were loaded together, on a door's thread: one of those is always there. */
  writeReceipts: WriteGroup;
  ingest(task: IngestTask): Promise<IngestOutcome>;
  ingestGroup(task: IngestGroupTask): Promise<IngestGroupOutcome>;
  recognise(task: RecogniseTask): Promise<RecogniseOutcome>;
  refreshBudgets(task: BudgetTask): Promise<BudgetOutcome>;
  /** Fails when it takes longer than a report may. */
  report(task: ReportTask): Promise<ReportOutcome>;
  /** Somebody waits for it. "BUSY": too many wait already, or its time was over before it was made. */
  budgetReport(task: BudgetReportTask): Promise<BudgetReportOutcome | "BUSY">;
  /** Lets running tasks end for a while, then stops the threads; what is cut fails with Stopping. Idempotent. */
  close(): Promise<void>;
};

/** loaderUrl: where threads that check and load log in; default: as all others. */
export type PoolSettings = WorkerSettings & { loaderUrl?: string };

/** recognitionThreads: default one; a command that only recognises has all processors for it. */
export type PoolSizes = {
  doorThreads: number;
  loadThreads: number;
  recognitionThreads?: number;
  reportThreads?: number;
  threadMemoryBytes?: number;
  /** For a caller of the HTTPS door. */
  answersSeconds?: number;
  closeWithinMs?: number;
  waitingWithinMs?: number;
};

/** The service stops: nothing is wrong with what was cut, and it goes on elsewhere or at the next start. */
export class Stopping extends Error {
  override readonly name = "Stopping";
}

const filename = new URL("../../workers/main.ts", import.meta.url).href;
const doorFilename = new URL("../../workers/door.ts", import.meta.url).href;

/** A closing pool waits this long for a chunk to commit; what is cut then is repeated at the next start. */
const closeWithinMs = 20_000;

/**
 * Where processors are scarce, doors and callers go first: loading then has about a third of a caller's share of one.
 */
const backgroundNiceness = 5;

const mebibyte = 1024 * 1024;
/**
 * Three semi-spaces of 8 MiB a thread, where V8 would let each grow to 32: eight threads held 200 MB more at the demo's
 * peak, and used no less of the processors.
 */
const youngGenerationMebibytes = 24;

export function openPools({ loaderUrl, ...computing }: PoolSettings, sizes: PoolSizes): Pools {
  const { threadMemoryBytes = knobs.threadMemoryBytes.byDefault, answersSeconds = knobs.answersSeconds.byDefault } =
    sizes;
  const loading: WorkerSettings = { ...computing, databaseUrl: loaderUrl ?? computing.databaseUrl };
  const create = (
    maxThreads: number,
    workerData: WorkerSettings,
    more: ConstructorParameters<typeof Piscina>[0] = {},
  ): Piscina => {
    const pool = new Piscina({
      filename,
      minThreads: 0,
      maxThreads,
      workerData,
      // A door batch needs some tens of megabytes; a runaway one ends its own thread, not the process.
      resourceLimits: {
        maxOldGenerationSizeMb: Math.floor(threadMemoryBytes / mebibyte),
        maxYoungGenerationSizeMb: youngGenerationMebibytes,
      },
      closeTimeout: sizes.closeWithinMs ?? closeWithinMs,
      // A warm thread has its key cache, its compiled checks and its connection, and some hundred megabytes: after a
      // minute without work it gives all of it back.
      idleTimeout: 60_000,
      ...more,
    });
    // A thread that breaks between two tasks is replaced; a close that ran out of time shows in the tasks that it cut.
    pool.on("error", () => undefined);
    return pool;
  };
  // One of its threads stays, and opens several batches at once: a caller would wait for one that starts.
  const door = create(
    sizes.doorThreads,
    { ...loading, answersWithinMs: answersSeconds * 1000 },
    { filename: doorFilename, minThreads: 1, concurrentTasksPerWorker: batchesOfThreadMax },
  );
  const load = create(sizes.loadThreads + loadThreadsBeside + parkedLoadsMax, {
    ...loading,
    niceness: backgroundNiceness,
  });
  const recognition = create(sizes.recognitionThreads ?? recognitionThreads, {
    ...computing,
    niceness: backgroundNiceness,
  });
  const reports = create(sizes.reportThreads ?? reportThreads, { ...computing, niceness: backgroundNiceness });
  let closing: Promise<unknown> | null = null;
  const run = async (pool: Piscina, task: object, name: string, signal?: AbortSignal): Promise<unknown> => {
    try {
      return await pool.run(task, { name, ...(signal === undefined ? {} : { signal }) });
    } catch (error) {
      throw closing ? new Stopping("The service stops.", { cause: error }) : error;
    }
  };
  return {
    inspect: (task) => run(door, task, "inspect") as Promise<InspectOutcome>,
    writeReceipts: (group) => run(door, group, "receipts") as ReturnType<WriteGroup>,
    ingest: (task) => run(load, task, "ingest") as Promise<IngestOutcome>,
    ingestGroup: (task) => run(load, task, "group") as Promise<IngestGroupOutcome>,
    recognise: (task) => run(recognition, task, "recognise") as Promise<RecogniseOutcome>,
    refreshBudgets: (task) => run(recognition, task, "budgets") as Promise<BudgetOutcome>,
    // What outlasts its time ends with its thread.
    report: (task) => run(reports, task, "report", AbortSignal.timeout(makingWithinMs)) as Promise<ReportOutcome>,
    async budgetReport(task) {
      if (reports.queueSize >= reportsWaitingMax) return "BUSY";
      const time = AbortSignal.timeout(sizes.waitingWithinMs ?? waitingWithinMs);
      const made = run(reports, task, "budgetReport", time) as Promise<BudgetReportOutcome>;
      return await made.catch((error: unknown) => {
        if (time.aborted && !(error instanceof Stopping)) return "BUSY";
        throw error;
      });
    },
    async close() {
      closing ??= Promise.all([door, load, recognition, reports].map((pool) => pool.close()));
      await closing;
    },
  };
}
