/**
 * What goes in and out of the threads that open and load: plain data only. Recognition, budgets and reports say
 * themselves what they ask of theirs.
 */

import type { S3Settings } from "../src/vault/settings.ts";

/** What every thread is started with. */
export type WorkerSettings = {
  databaseUrl: string;
  /** 32 bytes; opens the sealed private keys. */
  keyEncryptionKey: Uint8Array;
  /** Folder below which vault references are relative paths. */
  vaultDirectory: string;
  /** Where the vault is, when that folder only holds what was brought from there. */
  vaultS3?: S3Settings;
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
  /**
   * Users that the partner was found not to have: then the records that name them are problems, and nobody is looked
   * up.
   */
  unknownUsers?: readonly string[];
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

/** How long a load may go on; see workers/turn.ts. */
export type TurnTask = {
  /** Three words, of which the main thread writes the first and the load the others. Default: until its end. */
  control?: SharedArrayBuffer;
  /** Of all layers together; past it the delivery is none for this lane. */
  openedBytesMax?: number;
};

/** Whether its outcome tells when it ran. */
export type Timed = { timed?: boolean };
export type WhenRan = { ran?: ThreadTime };
/** Milliseconds since 1970. */
export type ThreadTime = { threadId: number; startedAtMs: number; endedAtMs: number };

/** Load one delivery to its end. */
export type IngestTask = TurnTask &
  Timed & {
    deliveryId: string;
    /** Not faster than that. */
    recordsPerSecondMax?: number;
  };

/**
 * "loading": another loader has the delivery in hand, and nothing was done. "paused": it is ahead of its rate by so
 * much. "yielded": its turn was over before it was. "outgrown": it opens to more than its lane takes.
 */
export type IngestOutcome = WhenRan &
  (
    | { state: "loaded" | "loading" | "withdrawn" | "yielded" | "outgrown" }
    | { state: "refused"; refusalCode: string }
    | { state: "paused"; restMs: number }
  );

/** Load requests of one partner together, as far as nothing stands out about them. */
export type IngestGroupTask = Timed & { deliveryIds: string[] };

/** What is not among the loaded is left as it was, to be loaded alone. */
export type IngestGroupOutcome = WhenRan & {
  loaded: string[];
  elsewhere: string[];
  /** Left out because something about them broke; loading them alone tells what. */
  broken: BrokenMember[];
};

/** reason: an error's code, or its kind. */
export type BrokenMember = { deliveryId: string; reason: string };
