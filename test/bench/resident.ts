/**
 * What does a ledger cost that holds very many rows? npm run bench -- resident [--rows 50000000] [--beside 100000]
 * [--rows-of-a-user 400] [--memory MB] [--folder DIR]
 *
 * Two ledgers with the same users, in the one of whom few have rows. Rows come night after night, a few of everybody, so
 * that a user's lie scattered; indexes are made afterwards. Then, in each alike: a file of 100,000 records is loaded that
 * names users spread over all of them; of 200 users spread over all who have rows the histories are recognised from
 * nothing; everybody gets three rows in one night, and the same 200 are recognised by what was kept; their budgets are
 * made; a database that was just started, and so remembers nothing, is read for them one call at a time, and then again;
 * and a partner of 50 users leaves while others read and load. The last lines set both side by side.
 *
 * --memory is what the database server has for itself (shared_buffers), by default as much as the embedded one; what it
 * does not hold lies in the system's cache of files as far as the machine has memory. With --folder the databases stay
 * there, and a run that was stopped goes on filling where it was (--fill ends when it is full); of what it measures a night and the leaving partner are
 * used up, so that a filled folder serves for three runs. 5 · 10⁷ rows take 17 GB of disk, and for a while 7 more.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, rm } from "node:fs/promises";
import { availableParallelism, loadavg, totalmem } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { startCluster } from "../../src/database/embedded/cluster.ts";
import { type Database, openDatabase } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import { assertRoom, fill, fillSettings, type Filling } from "./resident/fill.ts";
import { measureLoads } from "./resident/loads.ts";
import { measureNights } from "./resident/nights.ts";
import { measureReads, measureRemoval, withReads } from "./resident/reads.ts";
import type { Figure, Measuring } from "./resident/figures.ts";
import { sampleOf, tellLedger } from "./resident/ledger.ts";

/** As the embedded server has. */
const memoryDefault = "256";

export async function bench(_clusterUrl: string, temporary: string, args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: { type: "string", default: "50000000" },
      beside: { type: "string", default: "100000" },
      "rows-of-a-user": { type: "string", default: "400" },
      memory: { type: "string", default: memoryDefault },
      folder: { type: "string", default: temporary },
      fill: { type: "boolean", default: false },
    },
  });
  const [rows, beside, rowsPerUser] = [Number(values.rows), Number(values.beside), Number(values["rows-of-a-user"])];
  const folder = path.resolve(values.folder);
  await mkdir(folder, { recursive: true });
  await assertRoom(folder, values.folder === temporary ? rows + beside : 0);
  console.log(
    `the database has ${values.memory} MB of memory for itself, the machine ${(totalmem() / 2 ** 30).toFixed(0)} GiB and ${availableParallelism()} processors`,
  );
  const measured: Figure[][] = [];
  for (const size of [beside, rows]) {
    const filling = { users: Math.round(Math.max(rows, beside) / rowsPerUser), rows: size, rowsPerUser };
    const place = path.join(folder, String(size));
    await fillAt(place, filling);
    if (!values.fill) measured.push(await measureAt(place, values.memory));
  }
  tellBeside([beside, rows], measured);
}

async function fillAt(folder: string, filling: Filling): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o711);
  await onCluster(folder, fillSettings, async (url, database) => {
    await migrate(url);
    await fill(database, folder, filling);
  });
}

async function measureAt(folder: string, memory: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  const work = path.join(folder, `run-${Date.now()}`);
  await mkdir(work);
  // Pages are to be those of what is measured.
  const serving = [`shared_buffers=${memory}MB`, "autovacuum=off"];
  await onCluster(folder, serving, async (url, database) => {
    const measuring = { database, url, folder: work, figures, userIds: await sampleOf(database) };
    await tellLedger(measuring);
    await measureLoads(measuring);
    await measureNights(measuring);
  });
  // Nothing of what is read now is in the server's memory.
  await onCluster(folder, serving, async (url, database) => {
    const measuring: Measuring = { database, url, folder: work, figures, userIds: await sampleOf(database) };
    const client = fork(new URL("read/client.ts", import.meta.url));
    try {
      await withReads(measuring, client, async (reads) => {
        await measureReads(measuring, reads);
        await measureRemoval(measuring, reads);
      });
    } finally {
      client.disconnect();
      await once(client, "exit");
    }
  });
  await rm(work, { recursive: true });
  return figures;
}

async function onCluster(
  folder: string,
  settings: readonly string[],
  work: (url: string, database: Database) => Promise<void>,
): Promise<void> {
  const cluster = await startCluster(folder, { settings });
  try {
    const url = `${cluster.url.replace(/\/[^/]*$/, "")}/postgres`;
    const database = openDatabase(url, { sizeMax: availableParallelism() + 2, applicationName: "bench" });
    try {
      await work(url, database);
    } finally {
      await database.end();
    }
  } finally {
    await cluster.stop();
  }
}

function tellBeside(sizes: readonly number[], measured: readonly Figure[][]): void {
  console.log(`| what | ${sizes.join(" rows | ")} rows | ratio |\n| --- | --- | --- | --- |`);
  for (const { what, value, unit } of measured[0] ?? []) {
    const other = measured[1]?.find((one) => one.what === what);
    if (other === undefined) continue;
    console.log(
      `| ${what} | ${rounded(value)} ${unit} | ${rounded(other.value)} ${unit} | ${value > 0 ? (other.value / value).toFixed(2) : "-"} |`,
    );
  }
  console.log(`load ${loadavg()[0]?.toFixed(1)}`);
}

function rounded(value: number): string {
  return value >= 100 || value === 0 ? Math.round(value).toString() : value.toPrecision(3);
}
