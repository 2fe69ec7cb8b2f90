/** What a piece of work costs: time, processors here and in the server, pages that the server asked for. */
import { setTimeout as wait } from "node:timers/promises";
import type { Database } from "../../../src/database/database.ts";
import { databaseCpuByProcess, ownCpuMs } from "../processor.ts";

/**
 * Of one user, in milliseconds; pages: looked at, and fetched from outside of the server's memory. serverMs is part of
 * processorMs.
 */
export type Spent = {
  seconds: number;
  processorMs: number;
  serverMs: number;
  wallMs: number;
  pagesLooked: number;
  pagesFetched: number;
};

export async function spent(
  database: Database,
  users: number,
  what: string,
  work: () => Promise<unknown>,
): Promise<Spent> {
  const pagesBefore = await pagesOf(database);
  const serverBefore = await databaseCpuByProcess(database);
  const ownBefore = ownCpuMs();
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const own = ownCpuMs() - ownBefore;
  const server = (await databaseCpuByProcess(database))
    .entries()
    .reduce((sum, [pid, ms]) => sum + ms - (serverBefore.get(pid) ?? 0), 0);
  await flushed();
  const pages = await pagesOf(database);
  const one = {
    seconds,
    processorMs: (own + server) / users,
    serverMs: server / users,
    wallMs: (seconds * 1000) / users,
    pagesLooked: (pages.looked - pagesBefore.looked) / users,
    pagesFetched: (pages.fetched - pagesBefore.fetched) / users,
  };
  console.log(
    `${what}: ${seconds.toFixed(1)} s; a user ${one.wallMs.toFixed(3)} ms, of processors ${(own / users).toFixed(3)} ms here and ${(server / users).toFixed(3)} in the server, ` +
      `${one.pagesLooked.toFixed(0)} pages looked at, ${one.pagesFetched.toFixed(1)} of them fetched`,
  );
  return one;
}

/** A connection tells what it did within ten seconds, once it rests. */
async function flushed(): Promise<void> {
  await wait(11_000);
}

type Pages = { looked: number; fetched: number };

async function pagesOf(database: Database): Promise<Pages> {
  await database.query("select pg_stat_force_next_flush()");
  const { rows } = await database.query<Pages>(
    `select (blks_hit + blks_read)::bigint as looked, blks_read::bigint as fetched
       from pg_stat_database
      where datname = current_database()`,
  );
  return rows[0]!;
}

export type Lies = { bytes: number; pagesOfUser: number; rowsOfUser: number };

/** How the ledger lies: its size with its index, and the rows and pages of a user. */
export async function lies(database: Database, userIds: readonly number[]): Promise<Lies> {
  const { rows } = await database.query<Lies>(
    `select pg_total_relation_size('transactions') as bytes, avg(pages)::float8 as "pagesOfUser", avg(rows)::float8 as "rowsOfUser"
       from (select count(distinct (ctid::text::point)[0]) as pages, count(*) as rows
               from transactions
              where user_id = any($1::bigint[])
              group by user_id) one`,
    [userIds],
  );
  return rows[0]!;
}
