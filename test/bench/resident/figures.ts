/** What is measured in a ledger, and how it is told. */
import { loadavg } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import type { Database } from "../../../src/database/database.ts";

export type Figure = { what: string; value: number; unit: string };

export type Measuring = {
  database: Database;
  url: string;
  /** For what a measurement keeps meanwhile. */
  folder: string;
  /** Whatever was measured so far. */
  figures: Figure[];
  /** Spread over all who have rows. */
  userIds: readonly number[];
};

export const keyEncryptionKey = Buffer.alloc(32, 1);

export function note({ figures }: Pick<Measuring, "figures">, what: string, value: number, unit: string): void {
  figures.push({ what, value, unit });
  console.log(`  ${what}: ${value.toFixed(2)} ${unit} (load ${loadavg()[0]?.toFixed(1)})`);
}

/** Pages that the server asked its system for, while something was done. Connections must rest for a while first. */
export async function pagesFetched(database: Database, work: () => Promise<unknown>): Promise<number> {
  const before = await fetched(database);
  await work();
  // A connection tells what it did within ten seconds, once it rests.
  await wait(11_000);
  return (await fetched(database)) - before;
}

async function fetched(database: Database): Promise<number> {
  await database.query("select pg_stat_force_next_flush()");
  const { rows } = await database.query<{ n: number }>(
    "select blks_read::bigint as n from pg_stat_database where datname = current_database()",
  );
  return rows[0]!.n;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;
}
