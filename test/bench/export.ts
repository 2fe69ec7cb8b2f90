/**
 * How fast are transactions taken away, and in how much memory? npm run bench -- export [--rows 1000000] [--pairs 3]
 * [--long] [--format parquet]…
 *
 * The floor is psql's \copy of the same table to a file as CSV, in the same run. Each format is measured beside a floor
 * of its own, pair after pair; what is told is the median of their ratios. --long takes ten million rows.
 */
import { execFile } from "node:child_process";
import { rm, stat } from "node:fs/promises";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import { columnsOf } from "../../src/exports/datasets.ts";
import { encoderOf, type ExportFormat, exportFormats } from "../../src/exports/formats.ts";
import { exportRows, type Plan } from "../../src/exports/export.ts";
import { openFile } from "../../src/exports/target.ts";
import { countBuffersWithHeap } from "../../src/machine/garbage-collection.ts";
import { copyFromMemory } from "./ingest/floor.ts";
import { openWorld, type World } from "./ingest/world.ts";
import { databaseCpuMs, ownCpuMs } from "./processor.ts";

const rowsAtOnce = 100_000;
const longRows = 10_000_000;
const sampleEveryMs = 20;

export async function bench(clusterUrl: string, folder: string, args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: { type: "string", default: "1000000" },
      pairs: { type: "string", default: "3" },
      long: { type: "boolean", default: false },
      format: { type: "string", multiple: true },
    },
  });
  // As the command does.
  countBuffersWithHeap();
  const count = values.long ? longRows : Number(values.rows);
  const world = await openWorld(clusterUrl, folder, count);
  try {
    await fill(world, count);
    for (const format of exportFormats.filter((one) => values.format?.includes(one) ?? true)) {
      const pairs: Pair[] = [];
      for (let pair = 0; pair < Number(values.pairs); pair += 1)
        pairs.push({ floor: await copyByPsql(world, folder), own: await exportOnce(world, folder, format, count) });
      report(format, count, pairs);
    }
  } finally {
    await world.close();
  }
}

async function fill(world: World, count: number): Promise<void> {
  for (let from = 0; from < count; from += rowsAtOnce)
    await copyFromMemory(world, { from, count: Math.min(rowsAtOnce, count - from) });
  await world.database.query(
    `insert into accounts (user_id, id, name, iban)
     select id, replace(bank_user_id, 'user-', 'account-'), 'Lønkonto', 'DK5000400440116243' from users`,
  );
  // As a server is that has run for a while.
  await world.database.query("vacuum analyze");
}

type Measured = { seconds: number; cpuMs: number };
type Pair = { floor: Measured; own: Measured & { serverCpuMs: number; growthBytes: number; bytes: number } };

/** Seconds as psql says, connecting left out; processor time is psql's and its server process's. */
async function copyByPsql({ url }: World, folder: string): Promise<Measured> {
  const file = path.join(folder, "floor.csv");
  // What its server process has used is asked of the kernel before it ends.
  const statements = ["-c", "\\timing on", "-c", `\\copy transactions to '${file}' csv`, "-c", "\\timing off"];
  const { stdout } = await promisify(execFile)(
    "psql",
    [url, "--no-psqlrc", "--set", "ON_ERROR_STOP=1", ...statements, ...cpuOfServer],
    {
      env: { ...process.env, LC_ALL: "C" },
    },
  );
  await rm(file);
  const millis = Number(/Time: ([\d.]+) ms/.exec(stdout)?.[1]);
  const ticks = /stat: .*\) \S+ (?:\S+ ){10}(\d+) (\d+)/.exec(stdout);
  return { seconds: millis / 1000, cpuMs: (Number(ticks?.[1]) + Number(ticks?.[2])) * 10 };
}

/** proc(5), read by the server's own superuser. */
const cpuOfServer = [
  "-c",
  "select 'stat: ' || pg_read_file('/proc/' || pg_backend_pid() || '/stat', 0, 1000) as stat where current_setting('is_superuser') = 'on'",
];

async function exportOnce(world: World, folder: string, format: ExportFormat, count: number): Promise<Pair["own"]> {
  const { database, partnerId } = world;
  const plan: Plan = {
    dataset: "transactions",
    partnerId,
    bankUserIds: null,
    from: null,
    until: null,
    unmasked: false,
  };
  const file = path.join(folder, `export.${format}`);
  const encoder = encoderOf(format, columnsOf(plan));
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let peak = before;
  const sampler = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), sampleEveryMs);
  let serverCpuMs = 0;
  const [own, startedAt] = [ownCpuMs(), performance.now()];
  const server = await databaseCpuMs(database);
  const { rows } = await exportRows(database, plan, { file, open: () => openFile(file, format, encoder) }, encoder, {
    // The connection ends with the export: what it used is looked at before.
    advance: () => void databaseCpuMs(database).then((now) => (serverCpuMs = Math.max(serverCpuMs, now - server))),
    signal: new AbortController().signal,
  });
  const seconds = (performance.now() - startedAt) / 1000;
  clearInterval(sampler);
  if (rows !== count) throw new Error(`${rows} of ${count} rows were exported`);
  const { size } = await stat(file);
  await rm(file);
  return { seconds, cpuMs: ownCpuMs() - own, serverCpuMs, growthBytes: peak - before, bytes: size };
}

function report(format: ExportFormat, count: number, pairs: readonly Pair[]): void {
  const median = (of: (pair: Pair) => number) =>
    pairs.map(of).toSorted((a, b) => a - b)[Math.floor(pairs.length / 2)] ?? 0;
  const rate = (seconds: number) => `${Math.round(count / seconds / 1000)} k rows/s`;
  const micros = (ms: number) => ((ms * 1000) / count).toFixed(2);
  console.log(
    [
      `${format}: ${rate(median(({ own }) => own.seconds))} beside psql's ${rate(median(({ floor }) => floor.seconds))}`,
      `ratio ${median(({ own, floor }) => floor.seconds / own.seconds).toFixed(2)}`,
      `processor ${micros(median(({ own }) => own.cpuMs))} µs a row here and ${micros(median(({ own }) => own.serverCpuMs))} in the server, psql's server ${micros(median(({ floor }) => floor.cpuMs))}`,
      `memory grew by ${Math.round(Math.max(...pairs.map(({ own }) => own.growthBytes)) / 2 ** 20)} MiB at most`,
      `${Math.round(median(({ own }) => own.bytes) / 2 ** 20)} MiB`,
    ].join("; "),
  );
}
