/**
 * How fast does a landed file become committed rows? npm run bench -- ingest [--short | --long]
 *
 * The floor is measured beside it in each round: what psql's \copy does, COPY of the same rows as ready plain text over one
 * connection into the same table with the same index. Beside the medians stands the processor time a row of this process and of
 * its server connection, which other work on the machine hardly moves. --long goes to 10^7 records and also loads into a table
 * that holds them; a plot of rows a second against the table's size is written to the output folder.
 */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { empty, floorOf, load, type Loaded } from "./ingest/measure.ts";
import { formats, type Format, writeFile as writeBatchFile } from "./ingest/files.ts";
import { drawRates, type Rate } from "./ingest/plot.ts";
import { openWorld, type World } from "./ingest/world.ts";

type Plan = { sizes: readonly number[]; rounds: number; formats: readonly Format[]; grownTo: readonly number[] };

/** The short form takes a minute, the long one an hour and some 15 GB of disk. */
const plans: Record<string, Plan> = {
  "--short": { sizes: [20_000], rounds: 1, formats, grownTo: [40_000] },
  "--usual": { sizes: [100_000, 200_000], rounds: 3, formats, grownTo: [200_000, 1_000_000] },
  "--long": { sizes: [100_000, 1_000_000, 10_000_000], rounds: 3, formats: ["jwe", "transactions.csv"], grownTo: [200_000, 1_000_000, 3_000_000, 10_000_000] },
};
/** Rows of the file that is loaded into a growing table. */
const fileRecords = 200_000;
/** Rows that fill a table at once. */
const fillRecords = 400_000;

export async function bench(clusterUrl: string, folder: string, form = "--usual"): Promise<void> {
  const plan = plans[form];
  if (!plan) throw new Error(`${form} is none of ${Object.keys(plans).join(", ")}`);
  const most = Math.max(...plan.sizes, Math.max(...plan.grownTo) + fileRecords * 2 * plan.rounds * (plan.grownTo.length + 1));
  const world = await openWorld(clusterUrl, folder, most);
  try {
    for (const size of plan.sizes) await compare(world, plan, size);
    await drawGrowth(await grow(world, plan, Math.min(fileRecords, Math.min(...plan.grownTo) / 2)));
  } finally {
    await world.close();
  }
}

/** All formats against the floor, in turns. */
async function compare(world: World, plan: Plan, size: number): Promise<void> {
  const files = new Map<Format, string>();
  for (const format of plan.formats) files.set(format, await writeBatchFile(world, format, { from: 0, count: size }));
  const floors: number[] = [];
  const loads = new Map<Format, Loaded[]>();
  const known: Loaded[] = [];
  for (let round = 0; round < plan.rounds; round += 1) {
    await empty(world);
    floors.push(await floorOf(world, { from: 0, count: size }));
    for (const [format, file] of files) {
      await empty(world);
      loads.set(format, [...(loads.get(format) ?? []), await load(world, format, file, "records_new", size)]);
    }
    const last = [...files].at(-1);
    if (last) known.push(await load(world, last[0], last[1], "records_known", size));
  }
  const floor = median(floors);
  console.log(`${size} rows: COPY of plain text ${rate(size, floor)}`);
  for (const [format, all] of loads) console.log(`  .${format} ${tell(all, size)}, ratio ${(floor / median(all.map((one) => one.seconds))).toFixed(2)}`);
  console.log(`  of which every record is known ${tell(known, size)}`);
}

function tell(all: readonly Loaded[], size: number): string {
  const cpu = median(all.map((one) => one.processCpuMicros)) / size;
  const server = median(all.map((one) => one.serverCpuMicros)) / size;
  const growth = Math.max(...all.map((one) => one.growthBytes)) / 1024 / 1024;
  return `${rate(size, median(all.map((one) => one.seconds)))}, ${cpu.toFixed(1)} µs a row here and ${server.toFixed(1)} in the server, memory grew by at most ${growth.toFixed(0)} MiB`;
}

/** At each size of the table, in turns: the floor's rows, and a file of as many others, both of users that are new. */
async function grow(world: World, plan: Plan, count: number): Promise<Rate[]> {
  const rates: Rate[] = [];
  await empty(world);
  let rows = 0;
  for (const target of [0, ...plan.grownTo]) {
    for (; rows < target; rows += Math.min(fillRecords, target - rows)) await floorOf(world, { from: rows, count: Math.min(fillRecords, target - rows) });
    const loaded: number[] = [];
    const floors: number[] = [];
    const before = rows;
    for (let round = 0; round < plan.rounds; round += 1, rows += 2 * count) {
      const file = await writeBatchFile(world, "jwe", { from: rows + count, count });
      floors.push(await floorOf(world, { from: rows, count }));
      loaded.push((await load(world, "jwe", file, "records_new", count)).seconds);
    }
    rates.push({ tableRows: before, loadedPerSecond: count / median(loaded), floorPerSecond: count / median(floors) });
    console.log(`into a table of ${before} rows: .jwe ${rate(count, median(loaded))}, COPY of plain text ${rate(count, median(floors))}`);
  }
  return rates;
}

const outputFolder = process.env.TIDELINE_BENCH_OUTPUT ?? path.join(import.meta.dirname, "output");

async function drawGrowth(rates: readonly Rate[]): Promise<void> {
  await mkdir(outputFolder, { recursive: true });
  const file = path.join(outputFolder, "ingest.svg");
  await writeFile(file, drawRates(rates));
  console.log(`plot: ${file}`);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function rate(rows: number, seconds: number): string {
  return `${Math.round(rows / seconds / 1000)} k rows/s`;
}
