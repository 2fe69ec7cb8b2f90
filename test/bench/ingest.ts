/**
 * How fast does a landed file become committed rows? npm run bench -- ingest [--short | --long] [--sizes 100000,200000]
 * [--formats jwe,jsonl] [--rounds 3] [--grown 0,1000000]
 *
 * The floor is measured beside it in each round: psql's \copy of the same rows as ready plain text over one connection
 * into the same table with the same index; and the same COPY out of memory, which is somewhat faster. Beside the
 * medians stands the processor time a row of this process and of its server connection, which other work on the machine
 * hardly moves. --long goes to 10^7 records and also loads into a table that holds them; the options take parts of it,
 * an empty list none. A plot of rows a second against the table's size is written to the output folder.
 */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Format, removeFile, writeFile as writeBatchFile } from "./ingest/files.ts";
import { copyByPsql, copyFromMemory, removePlainText, writePlainText } from "./ingest/floor.ts";
import { empty, load, type Loaded } from "./ingest/measure.ts";
import { type Plan, readPlan } from "./ingest/plan.ts";
import { openWorld, type World } from "./ingest/world.ts";
import { drawPlot } from "./plot.ts";

/** Rows of the file that is loaded into a growing table. */
const fileRecords = 200_000;
/** Beyond, the rows out of memory would be gigabytes in the process whose growth is measured; psql reads a file. */
const memoryRowsMax = 1_000_000;
/** Rows that fill a table at once. */
const fillRecords = 400_000;

export async function bench(clusterUrl: string, folder: string, args: readonly string[]): Promise<void> {
  const plan = readPlan(args);
  const grown =
    plan.grownTo.length === 0
      ? 0
      : Math.max(...plan.grownTo) + fileRecords * 2 * plan.rounds * (plan.grownTo.length + 1);
  const world = await openWorld(clusterUrl, folder, Math.max(...plan.sizes, grown));
  try {
    for (const size of plan.sizes) await compare(world, plan, size);
    if (plan.grownTo.length > 0) await drawGrowth(await grow(world, plan));
  } finally {
    await world.close();
  }
}

/** two: of half the rows on each of two connections at once. */
type Floors = { psql: number[]; two: number[]; memory: number[] };

/** All formats against the floor, in turns. */
async function compare(world: World, plan: Plan, size: number): Promise<void> {
  const range = { from: 0, count: size };
  const files = new Map<Format, string>();
  for (const format of plan.formats) files.set(format, await writeBatchFile(world, format, range));
  const plainText = await writePlainText(world, range);
  const half = Math.floor(size / 2);
  const halves = [
    await writePlainText(world, { from: 0, count: half }),
    await writePlainText(world, { from: half, count: size - half }),
  ];
  const floors: Floors = { psql: [], two: [], memory: [] };
  const loads = new Map<Format, Loaded[]>();
  const known = new Map<Format, Loaded[]>();
  for (let round = 0; round < plan.rounds; round += 1) {
    await empty(world);
    floors.psql.push((await copyByPsql(world, plainText)) ?? NaN);
    await empty(world);
    floors.two.push(Math.max(...(await Promise.all(halves.map((one) => copyByPsql(world, one)))).map((s) => s ?? NaN)));
    if (size <= memoryRowsMax) {
      await empty(world);
      floors.memory.push(await copyFromMemory(world, range));
    }
    for (const [format, file] of files) {
      await empty(world);
      loads.set(format, [...(loads.get(format) ?? []), await load(world, format, file, "records_new", size)]);
      known.set(format, [...(known.get(format) ?? []), await load(world, format, file, "records_known", size)]);
    }
  }
  report(floors, loads, known, size);
  for (const file of [plainText, ...halves]) await removePlainText(file);
  for (const file of files.values()) await removeFile(world, file);
}

function report(
  floors: Floors,
  loads: ReadonlyMap<Format, Loaded[]>,
  known: ReadonlyMap<Format, Loaded[]>,
  size: number,
): void {
  const psql = median(floors.psql);
  const memory = floors.memory.length === 0 ? null : median(floors.memory);
  const two = median(floors.two);
  console.log(
    `${size} rows: psql's \\copy ${rate(size, psql)}, two at once ${rate(size, two)}${memory === null ? "" : `, COPY out of memory ${rate(size, memory)}`}`,
  );
  for (const [format, all] of loads) {
    const seconds = median(all.map((one) => one.seconds));
    console.log(
      `  .${format} ${tell(all, size)}, ratio to psql ${(psql / seconds).toFixed(2)}, to two ${(two / seconds).toFixed(2)}${memory === null ? "" : `, to memory ${(memory / seconds).toFixed(2)}`}`,
    );
  }
  for (const [format, all] of known) {
    const seconds = median(all.map((one) => one.seconds));
    console.log(
      `  .${format} of which every record is known ${tell(all, size)}, ratio to psql ${(psql / seconds).toFixed(2)}`,
    );
  }
}

function tell(all: readonly Loaded[], size: number): string {
  const cpu = median(all.map((one) => one.processCpuMicros)) / size;
  const server = median(all.map((one) => one.serverCpuMicros)) / size;
  const growth = Math.max(...all.map((one) => one.growthBytes)) / 1024 / 1024;
  return `${rate(size, median(all.map((one) => one.seconds)))}, ${cpu.toFixed(1)} µs a row here and ${server.toFixed(1)} in the server, ${(cpu + server).toFixed(1)} in all, memory grew by at most ${growth.toFixed(0)} MiB`;
}

/** At each size of the table, in turns: the floor's rows, and a file of as many others, both of users that are new. */
async function grow(world: World, { grownTo, rounds }: Plan): Promise<Rate[]> {
  const count = Math.min(fileRecords, Math.max(...grownTo) / 2);
  const rates: Rate[] = [];
  await empty(world);
  let rows = 0;
  for (const target of grownTo) {
    for (; rows < target; rows += Math.min(fillRecords, target - rows))
      await copyFromMemory(world, { from: rows, count: Math.min(fillRecords, target - rows) });
    const loaded: number[] = [];
    const floors: number[] = [];
    const before = rows;
    for (let round = 0; round < rounds; round += 1, rows += 2 * count) {
      const file = await writeBatchFile(world, "jwe", { from: rows + count, count });
      floors.push(await copyFromMemory(world, { from: rows, count }));
      loaded.push((await load(world, "jwe", file, "records_new", count)).seconds);
      await removeFile(world, file);
    }
    rates.push({
      rowsBefore: before,
      loadedPerSecond: count / median(loaded),
      floorPerSecond: count / median(floors),
    });
    console.log(
      `into a table of ${before} rows: .jwe ${rate(count, median(loaded))}, COPY of plain text ${rate(count, median(floors))}`,
    );
  }
  return rates;
}

type Rate = { rowsBefore: number; loadedPerSecond: number; floorPerSecond: number };

const outputFolder = process.env.TIDELINE_BENCH_OUTPUT ?? path.join(import.meta.dirname, "output");

async function drawGrowth(rates: readonly Rate[]): Promise<void> {
  await mkdir(outputFolder, { recursive: true });
  const file = path.join(outputFolder, "ingest.svg");
  const thousands = (pick: (rate: Rate) => number) =>
    rates.map((one) => ({ size: one.rowsBefore, value: pick(one) / 1000 }));
  const plot = drawPlot({
    title: "Rows a second into a table that holds so many rows already",
    unit: "k",
    series: [
      { name: "encrypted file, .jwe", points: thousands((one) => one.loadedPerSecond) },
      { name: "COPY of plain text", points: thousands((one) => one.floorPerSecond) },
    ],
  });
  await writeFile(file, plot);
  console.log(`plot: ${file}`);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function rate(rows: number, seconds: number): string {
  return `${Math.round(rows / seconds / 1000)} k rows/s`;
}
