/** Processor time, which noise of the machine touches less than time. */
import { readFile } from "node:fs/promises";
import type { Queryable } from "../../src/database/database.ts";

/** Linux counts in hundredths of a second. */
const tickMs = 10;

/** Milliseconds that this process has used. */
export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds that the database server's processes have used; NaN where the system does not tell. */
export async function databaseCpuMs(database: Queryable): Promise<number> {
  return (await databaseCpuByProcess(database)).values().reduce((sum, ms) => sum + ms, 0);
}

/** The same by process, for work during which connections end. */
export async function databaseCpuByProcess(database: Queryable): Promise<Map<number, number>> {
  const { rows } = await database.query<{ pid: number }>("select pid from pg_stat_activity");
  return new Map(await Promise.all(rows.map(async ({ pid }) => [pid, await cpuMsOf(pid)] as const)));
}

/**
 * proc(5): behind the name in brackets the 12th and 13th fields are user and system time. A process that has ended
 * counts nothing.
 */
async function cpuMsOf(pid: number): Promise<number> {
  if (process.platform !== "linux") return Number.NaN;
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * tickMs;
}
