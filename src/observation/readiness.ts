/**
 * Whether a process can serve: reads and writes apart, since a standby's database, a full disk or a vault that is away
 * ends writes alone, and whoever only reads must not be sent away for it.
 */
import type { Queryable } from "../database/database.ts";

/** What was looked at. needs: what cannot be without it; none: told and no more. */
export type Check = { name: string; found: string; needs: "everything" | "writes" | "nothing" };

export type Readiness = {
  status: Answer;
  reads: Answer;
  writes: Answer;
  checks: Readonly<Record<string, string>>;
};

export type Answer = "ready" | "not-ready";

/** Pure. A check is passed when what was found is "ok". */
export function judgeReadiness(checks: readonly Check[]): Readiness {
  const passes = (needs: Check["needs"]) => checks.every((one) => one.needs !== needs || one.found === "ok");
  const reads = passes("everything");
  const writes = reads && passes("writes");
  return {
    // All of it: what a check without a path of its own is asked for.
    status: answerOf(writes),
    reads: answerOf(reads),
    writes: answerOf(writes),
    checks: Object.fromEntries(checks.map(({ name, found }) => [name, found])),
  };
}

function answerOf(ready: boolean): Answer {
  return ready ? "ready" : "not-ready";
}

/** Whether the database takes writes: "ok", or why not; null: it does not answer. */
export async function readWritable(database: Queryable): Promise<string | null> {
  return await database
    .query<{ writable: boolean }>(
      "select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as writable",
    )
    .then(
      ({ rows }) => (rows[0]?.writable === true ? "ok" : "takes reads only"),
      () => null,
    );
}

/** Anybody may ask, and each look is some statements: who asks within so long of another is told the same. */
const rememberedMs = 250;

/** Looks once for all who ask meanwhile, and for a moment after. A look that failed is not remembered. */
export function lookNowAndThen<Found>(
  look: () => Promise<Found>,
  now: () => number = () => performance.now(),
): () => Promise<Found> {
  let known: Promise<Found> | null = null;
  let untilMs = Infinity;
  return () => {
    if (known !== null && now() < untilMs) return known;
    const looking = look();
    untilMs = Infinity;
    known = looking;
    looking.then(
      () => void (untilMs = now() + rememberedMs),
      () => void (known = null),
    );
    return looking;
  };
}
