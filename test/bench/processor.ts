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
  return new Map(await Promise.all(rows.map(async ({ pid }) => [pid, await threadCpuMsOf(pid)] as const)));
}

/**
 * Of a process of one thread, as the database server's are: exact, where proc(5)'s hundredths of a second are a tenth of
 * what four hundred short statements take.
 */
async function threadCpuMsOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/schedstat`, "utf8").catch(() => null);
  return text === null ? await cpuMsOf(pid) : Number(text.split(" ")[0]) / 1e6;
}

/** Milliseconds that processes have used, and children of theirs that have ended; NaN where the system does not tell. */
export async function cpuMsOfAll(pids: readonly number[]): Promise<number> {
  const each = await Promise.all(pids.map((pid) => cpuMsOf(pid, 4)));
  return each.reduce((sum, ms) => sum + ms, 0);
}

/**
 * proc(5): behind the name in brackets the 12th and 13th fields are user and system time, the 14th and 15th those of
 * children that have ended. A process that has ended itself counts nothing.
 */
async function cpuMsOf(pid: number, fieldsCounted: 2 | 4 = 2): Promise<number> {
  if (process.platform !== "linux") return Number.NaN;
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 11 + fieldsCounted).reduce((sum, ticks) => sum + Number(ticks), 0) * tickMs;
}
