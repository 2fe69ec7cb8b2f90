/**
 * Do files of several partners share the machine? npm run bench -- partners [--short] [--records 1000000] [--rounds 3]
 *
 * In each round one partner's file is loaded with nobody else waiting; then the same file of three partners at once, of
 * whom the first has two, as after a weekend. Told is the rate of all together against that of the one alone, and how
 * much each got while all had something to load, against an equal share; where each file is committed whole, how soon
 * each had its first one. Slots, turns and threads are those of
 * production, receipts are left out. Shares come in turns of a second: files of some seconds say little of them.
 */
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { loadavg } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { knobs } from "../../config/knobs.ts";
import { type Database, openDatabase } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import { rotateBatchKey } from "../../src/partners/keys/batch-keys.ts";
import { createSealer } from "../../src/sealing/sealer.ts";
import { openPools, type Pools } from "../../src/staging/pools.ts";
import { addPartner } from "../parties.ts";
import { databaseCpuMs, ownCpuMs } from "./processor.ts";
import { arrayText, deliver, loadAs } from "./partners/loading.ts";
import { recordsPerUser } from "./records.ts";

const partners = ["first", "second", "third"];
/** Files of each of them. */
const filesOf: Readonly<Record<string, number>> = { first: 2, second: 1, third: 1 };
const lookEveryMs = 50;

export async function bench(clusterUrl: string, folder: string, args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { short: { type: "boolean" }, records: { type: "string" }, rounds: { type: "string" } },
  });
  const records = Number(values.records ?? (values.short ? 100_000 : 1_000_000));
  const rounds = Number(values.rounds ?? (values.short ? 1 : 3));
  const keyEncryptionKey = Buffer.alloc(32, 1);
  const vaultDirectory = path.join(folder, "vault");
  await mkdir(vaultDirectory);
  await migrate(clusterUrl);
  const database = openDatabase(clusterUrl, { sizeMax: 10, applicationName: "bench" });
  const slots = knobs.loadThreads.byDefault;
  const pools = openPools(
    { databaseUrl: clusterUrl, keyEncryptionKey, vaultDirectory },
    { doorThreads: 1, loadThreads: slots },
  );
  try {
    for (const partnerId of partners) await prepare(database, { keyEncryptionKey, vaultDirectory, partnerId, records });
    const world = { database, pools, vaultDirectory, records, slots };
    // Threads start, keys are read, code is compiled.
    await load(world, filesOf);
    const alone: Loaded[] = [];
    const together: Loaded[] = [];
    for (let round = 0; round < rounds; round += 1) {
      alone.push(await load(world, { first: 1 }));
      together.push(await load(world, filesOf));
    }
    report(alone, together, records);
  } finally {
    await pools.close();
    await database.end();
  }
}

type Sealing = { keyEncryptionKey: Buffer; vaultDirectory: string; partnerId: string; records: number };

async function prepare(database: Database, { keyEncryptionKey, vaultDirectory, partnerId, records }: Sealing) {
  await addPartner(database, partnerId);
  await database.query(
    "insert into users (partner_id, brand_id, bank_user_id, locale) select $1, 'bank-dk', 'user-' || n, 'da-DK' from generate_series(0, $2) as n",
    [partnerId, Math.ceil((records * 2) / recordsPerUser)],
  );
  const sealer = await createSealer(await rotateBatchKey(database, keyEncryptionKey, partnerId, new Date()));
  for (let file = 0; file < (filesOf[partnerId] ?? 0); file += 1)
    await pipeline(
      sealer.sealStream(Readable.from(arrayText(file * records, records))),
      createWriteStream(path.join(vaultDirectory, `${partnerId}-${file}`)),
    );
}

type World = { database: Database; pools: Pools; vaultDirectory: string; records: number; slots: number };
/** shares: what each partner got while all had something to load, against an equal share. */
type Loaded = { seconds: number; cpuMs: number; records: number; shares: number[] };

async function load(world: World, files: Readonly<Record<string, number>>): Promise<Loaded> {
  const { database, pools, records, slots } = world;
  await database.query("truncate transactions, accounts, cards, changed_users, requests, deliveries cascade");
  await database.query("checkpoint");
  for (const [partnerId, count] of Object.entries(files))
    for (let file = 0; file < count; file += 1) await deliver(world, partnerId, `${partnerId}-${file}`, "jwe");
  const cpuBefore = ownCpuMs() + (await databaseCpuMs(database));
  const startedAt = performance.now();
  const loading = loadAs({ database, pools, slots });
  const total = records * Object.values(files).reduce((sum, count) => sum + count, 0);
  let shares: number[] | null = null;
  const wholeAfterMs = new Map<string, number>();
  for (let last = new Map<string, number>(); ; await wait(lookEveryMs)) {
    const loaded = await loadedOf(database);
    const isDone = (partnerId: string) => loaded.get(partnerId) === records * (files[partnerId] ?? 0);
    for (const [partnerId, count] of loaded)
      if (count >= records && !wholeAfterMs.has(partnerId)) wholeAfterMs.set(partnerId, performance.now() - startedAt);
    if (shares === null && Object.keys(files).some(isDone)) shares = sharesOf(Object.keys(files), last);
    last = loaded;
    if (loaded.values().reduce((sum, one) => sum + one, 0) === total) break;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuMs = ownCpuMs() + (await databaseCpuMs(database)) - cpuBefore;
  await loading.stop();
  const areToldByRecords = shares?.every((share) => Number.isFinite(share) && share > 0) ?? false;
  return { seconds, cpuMs, records: total, shares: areToldByRecords ? (shares ?? []) : sharesInTime(wholeAfterMs) };
}

/** Of files that are each committed at their end: how fast each partner's first was there, against all of them. */
function sharesInTime(wholeAfterMs: ReadonlyMap<string, number>): number[] {
  const rates = [...wholeAfterMs.values()].map((ms) => 1 / ms);
  const equal = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  return rates.map((rate) => rate / equal);
}

async function loadedOf(database: Database): Promise<Map<string, number>> {
  const { rows } = await database.query<{ partnerId: string; records: number; failed: boolean }>(
    `select partner_id as "partnerId", sum(records_new)::bigint as records, bool_or(state = 'refused' or attempts > 0) as failed
       from deliveries
      group by partner_id`,
  );
  if (rows.some(({ failed }) => failed)) throw new Error("a file failed");
  return new Map(rows.map((row) => [row.partnerId, row.records]));
}

function sharesOf(ids: readonly string[], loaded: ReadonlyMap<string, number>): number[] {
  const counts = ids.map((id) => loaded.get(id) ?? 0);
  const equal = counts.reduce((sum, count) => sum + count, 0) / ids.length;
  return counts.map((count) => count / equal);
}

function report(alone: readonly Loaded[], together: readonly Loaded[], records: number): void {
  const rate = (all: readonly Loaded[]) => median(all.map((one) => one.records / one.seconds));
  const micros = (all: readonly Loaded[]) => median(all.map((one) => (one.cpuMs * 1000) / one.records));
  const ratio = median(
    together.map((one, n) => {
      const single = alone[n] ?? one;
      return one.records / one.seconds / (single.records / single.seconds);
    }),
  );
  const shares = together.map((one) => one.shares.map((share) => share.toFixed(2)).join(" / "));
  console.log(
    `files of ${records} records, one alone ${Math.round(rate(alone) / 1000)} k rows/s (${micros(alone).toFixed(1)} µs a row), ` +
      `of ${partners.length} partners ${Math.round(rate(together) / 1000)} k rows/s (${micros(together).toFixed(1)} µs a row), ratio ${ratio.toFixed(2)}; ` +
      `least share ${median(together.map((one) => Math.min(...one.shares))).toFixed(2)} of an equal one (load ${loadavg()[0]?.toFixed(1)})`,
  );
  console.log(`  shares while all had something to load: ${shares.join(", ")}`);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
