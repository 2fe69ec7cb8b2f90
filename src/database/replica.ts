/**
 * Reads that a standby answers, and that yet see whatever was committed before they began, by whomever: the primary is
 * asked up to where its log is on its disk (everything that anybody was told lies before that), and the standby is read
 * once it shows as much. One such question serves all reads that came before it was put. What takes the standby longer
 * than a read may wait, or fails there, is read from the primary.
 */
import { setTimeout as wait } from "node:timers/promises";
import { codeOf, type Database, isDatabaseAway } from "./database.ts";
import { isClaimRefused } from "./tenant-claims.ts";
import { TenantPool } from "./tenant-pool.ts";

/** A place in a server's log; equal numbers are the same place only on one timeline. */
export type LogPlace = { position: bigint; timeline: string };

export type StandbyPlace = LogPlace & {
  /** False: it was promoted, or never followed anybody. */
  isStandby: boolean;
};

export type ReplicaLooks = {
  primary(): Promise<LogPlace>;
  standby(): Promise<StandbyPlace>;
};

export type ReplicaTimes = {
  now(): number;
  wait(ms: number): Promise<unknown>;
  /** How long a read waits for the standby. */
  lagMsMax: number;
};

/** While a standby is behind or away, one look so often costs one group of reads their wait. */
const restMs = 1000;
const firstPauseMs = 1;
const pauseMsMax = 16;

/** Null: the standby lacks something, or did not say in time. Else which connections it spoke for; see `renew`. */
export class Following {
  readonly #looks: ReplicaLooks;
  readonly #times: ReplicaTimes;
  #underWay: Promise<unknown> = Promise.resolve();
  #next: Promise<number | null> | null = null;
  #known: LogPlace | null = null;
  #generation = 0;
  #restsUntil = Number.NEGATIVE_INFINITY;
  /** Since the last look that it answered in time. */
  isBehind = false;

  constructor(looks: ReplicaLooks, times: ReplicaTimes) {
    this.#looks = looks;
    this.#times = times;
  }

  get generation(): number {
    return this.#generation;
  }

  /** A new connection may lead to a standby that was restarted, or to another one: what was known is of no use. */
  renew(): void {
    this.#generation += 1;
    this.#known = null;
  }

  /** Nothing is asked of it for a moment. */
  rest(): void {
    this.isBehind = true;
    this.#known = null;
    this.#restsUntil = this.#times.now() + restMs;
  }

  /** Never rejects. */
  async caughtUp(): Promise<number | null> {
    if (this.#times.now() < this.#restsUntil) return null;
    // A look that is under way may have been answered by the primary before this call: it says nothing to it.
    this.#next ??= this.#after(this.#underWay);
    return await this.#next;
  }

  async #after(before: Promise<unknown>): Promise<number | null> {
    await before;
    this.#next = null;
    const look = this.#look();
    this.#underWay = look;
    return await look;
  }

  async #look(): Promise<number | null> {
    const target = await this.#looks.primary().catch(() => null);
    // That the primary does not answer, whoever reads there will be told.
    if (target === null) return null;
    const deadline = this.#times.now() + this.#times.lagMsMax;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, pauseMsMax)) {
      const generation = this.#generation;
      if (this.#known !== null && isAtLeast(this.#known, target)) return this.#shown(generation);
      const found = await Promise.race([this.#looks.standby().catch(() => null), this.#elapsed(deadline)]);
      if (found === null || !found.isStandby || found.timeline !== target.timeline) break;
      if (generation === this.#generation) this.#known = found;
      if (isAtLeast(found, target)) return this.#shown(generation);
      if (this.#times.now() + pauseMs > deadline) break;
      await this.#times.wait(pauseMs);
    }
    this.rest();
    return null;
  }

  #shown(generation: number): number {
    this.isBehind = false;
    return generation;
  }

  async #elapsed(deadline: number): Promise<null> {
    await this.#times.wait(Math.max(0, deadline - this.#times.now()));
    return null;
  }
}

function isAtLeast(found: LogPlace, target: LogPlace): boolean {
  return found.timeline === target.timeline && found.position >= target.position;
}

/** Who answers reads. */
export type Reads = {
  /** @param work one or more reads, which may be done again on the other server */
  read<Result>(work: (database: Database) => Promise<Result>): Promise<Result>;
  /** For readiness: what is to be said of the replica; null: there is none. */
  describe(): string | null;
  counts(): { replica: number; primary: number };
};

/** Every read to one server. */
export function readsFrom(database: Database): Reads {
  let primary = 0;
  return {
    read: (work) => {
      primary += 1;
      return work(database);
    },
    describe: () => null,
    counts: () => ({ replica: 0, primary }),
  };
}

/**
 * @param primary and replica: pools of callers' connections, both of which say for whom they ask
 * @param lagMsMax how long a read waits for the replica
 */
export function readsWithReplica(primary: Database, replica: Database, lagMsMax: number): Reads {
  const looks = { primary: () => positionOfPrimary(primary), standby: () => positionOfStandby(replica) };
  const following = new Following(looks, { now: () => performance.now(), wait: (ms) => wait(ms), lagMsMax });
  replica.on("connect", () => following.renew());
  const counts = { replica: 0, primary: 0 };
  return {
    async read(work) {
      const generation = await following.caughtUp();
      if (generation !== null) {
        try {
          const found = await work(replica);
          if (generation === following.generation) {
            counts.replica += 1;
            return found;
          }
        } catch (error) {
          if (!isOfReplica(error)) throw error;
          following.rest();
        }
      }
      counts.primary += 1;
      return await work(primary);
    },
    describe: () => (following.isBehind ? "is behind or away; the primary answers reads" : "ok"),
    counts: () => ({ ...counts }),
  };
}

/** 40001: the standby had to go on and ended the statement. A claim's key may not have come through yet. */
function isOfReplica(error: unknown): boolean {
  return isDatabaseAway(error) || isClaimRefused(error) || (error instanceof Error && codeOf(error) === "40001");
}

const asNumber = (position: string) => `(${position} - '0/0'::pg_lsn)::text as position`;

async function positionOfPrimary(database: Database): Promise<LogPlace> {
  const [row] = await ask<{ position: string; timeline: string }>(
    database,
    `select ${asNumber("pg_current_wal_flush_lsn()")},
            left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) as timeline`,
  );
  if (row === undefined) throw new Error("a row without a row");
  return { position: BigInt(row.position), timeline: row.timeline };
}

/** Its timeline is that of its last checkpoint: one behind for some minutes after another server was promoted. */
async function positionOfStandby(database: Database): Promise<StandbyPlace> {
  const [row] = await ask<{ position: string | null; timeline: string; isStandby: boolean }>(
    database,
    `select ${asNumber("pg_last_wal_replay_lsn()")},
            upper(lpad(to_hex(timeline_id), 8, '0')) as timeline,
            pg_is_in_recovery() as "isStandby"
       from pg_control_checkpoint()`,
  );
  if (row === undefined) throw new Error("a row without a row");
  return { position: BigInt(row.position ?? 0), timeline: row.timeline, isStandby: row.isStandby };
}

/** For nobody: it says nothing of any tenant. */
async function ask<Row>(database: Database, text: string): Promise<Row[]> {
  const { rows } =
    database instanceof TenantPool ? await database.queryForNobody({ text }) : await database.query(text);
  return rows as Row[];
}
