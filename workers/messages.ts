/** What goes in and out of the threads: plain data only. */
import type { Day } from "../src/time/calendar.ts";
import type { Changes } from "../src/recognition/services/changes.ts";

/** What every thread is started with. */
export type WorkerSettings = {
  databaseUrl: string;
  /** 32 bytes; opens the sealed private keys. */
  keyEncryptionKey: Uint8Array;
  /** Folder below which vault references are relative paths. */
  vaultDirectory: string;
  /** For threads for which a caller waits: how long the database may take. */
  answersWithinMs?: number;
  /** For threads that must not keep the others from the processor: 1 to 19, as for nice(1). */
  niceness?: number;
};

export type RecordProblem = { index: number; field: string; reason: string };

/** Open and check one pushed batch; writes nothing. */
export type InspectTask = {
  partnerId: string;
  requestId: string;
  txs: string;
  /** Users that the partner was found not to have: then the records that name them are problems, and nobody is looked up. */
  strangers?: readonly string[];
};

export type InspectOutcome =
  | {
      ok: true;
      /** Hex, over the decrypted plaintext. */
      contentSha256: string;
      records: number;
      markers: number;
      /** Whom the records name, each once. Whether the partner has them, accepting tells. */
      uids: string[];
    }
  | {
      ok: false;
      errorCode: "TX_DATA_ERROR" | "SIGNATURE_ERROR" | "DECRYPTION_ERROR" | "UNKNOWN_ERROR";
      message: string;
      /** The first hundred. */
      details: RecordProblem[];
      problems: number;
    };

/** Load one delivery to its end. */
export type IngestTask = {
  deliveryId: string;
  /** Not faster than that. */
  recordsPerSecondMax?: number;
};

/** "loading": another loader has the delivery in hand, and nothing was done. "paused": it is ahead of its rate by so much. */
export type IngestOutcome = { state: "loaded" | "loading" | "withdrawn" } | { state: "refused"; refusalCode: string } | { state: "paused"; restMs: number };

/** Load requests of one partner together, as far as nothing stands out about them. */
export type IngestGroupTask = { deliveryIds: string[] };

/** What is not among the loaded is left as it was, to be loaded alone. */
export type IngestGroupOutcome = { loaded: string[]; elsewhere: string[] };

/** Make budgets anew whose ledger or services have changed, longest waiting first. */
export type BudgetTask = {
  /** How many at most, in one database transaction. */
  budgetsMax: number;
  /** Only this user's. */
  userId?: number;
  /** The business day in each time zone of a brand. */
  today: Record<string, Day>;
  /** The API's base address, for image addresses. */
  baseUrl: string;
};

export type BudgetOutcome = { users: number; budgets: number; statusChanges: number };
/** Make the report for the next of kin; writes nothing. */
export type ReportTask = { type: "NEXT_OF_KIN"; userId: number; documentId: string; effectiveDate: Day | null; /** The business day of the figures. */ asOf: Day };

/** sha256 in hex. */
export type ReportOutcome = { bytes: Uint8Array; sha256: string; pages: number };

/** Make a budget's report; writes nothing. */
export type BudgetReportTask = {
  owner: { userId: number; partnerId: string };
  budgetId: string;
  /** As the caller calls the report; null: by its budget. */
  reportId: string | null;
  /** The API's base address, of which the budget is folded. */
  baseUrl: string;
};

export type BudgetReportOutcome = ({ state: "MADE" } & ReportOutcome) | { state: "UNKNOWN" | "NOT_INITIALISED" };

/** Recognise users whose data changed, oldest change first. */
export type RecogniseTask = {
  /** How many users at most, in one database transaction. */
  usersMax: number;
  /** Only users untouched for this long, so that a running import is not recognised after each batch. */
  settledMs: number;
  /** Only this user, whether changed or not. */
  userId?: number;
  /** The business day in each time zone of a brand. */
  today: Record<string, Day>;
  /** The API's base address, for image addresses. */
  baseUrl: string;
};

export type RecogniseOutcome = {
  users: number;
  services: number;
  /** The users whose figures an earlier version of the algorithm had made, and what changed for them. */
  upgrade: { users: number } & Changes;
};
