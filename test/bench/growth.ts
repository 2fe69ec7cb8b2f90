/**
 * Does what one costs stay the same where there are more? npm run bench -- growth [--long]
 *
 * A user's night (three new rows, pasts kept, a hundred rows before) among more and more users, and a small file among
 * more and more partners who send as many together. --long goes on to 100,000 users.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { knobs } from "../../config/knobs.ts";
import { type Database, openDatabase } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import { rotateBatchKey } from "../../src/partners/keys/batch-keys.ts";
import { createSealer } from "../../src/sealing/sealer.ts";
import { openPools } from "../../src/staging/pools.ts";
import { addDays } from "../../src/time/calendar.ts";
import { addPartner } from "../parties.ts";
import { arrayText, deliver, loadAs } from "./partners/loading.ts";
import { databaseCpuMs, ownCpuMs } from "./processor.ts";
import { asOf, bringNight, loadInOrderOfArrival, markWhole } from "./recognition/arrivals.ts";
import { spent } from "./recognition/measure.ts";
import { recogniseAll, warm, withRecogniser } from "./recognition/recogniser.ts";

const users = [1_000, 3_000, 10_000];
const usersLong = [...users, 30_000, 100_000];
const rowsPerUser = 100;
const warmUsers = 300;

const partners = [1, 20, 200];
const files = 2_000;
const recordsPerFile = 10;
const lookEveryMs = 20;

export async function bench(clusterUrl: string, folder: string, args: readonly string[]): Promise<void> {
  for (const count of args.includes("--long") ? usersLong : users)
    await nightOf(await newDatabase(clusterUrl, `users_${count}`), folder, count);
  for (const count of partners) await filesOf(await newDatabase(clusterUrl, `partners_${count}`), folder, count);
}

async function newDatabase(clusterUrl: string, name: string): Promise<string> {
  const database = openDatabase(clusterUrl, { sizeMax: 1, applicationName: "bench" });
  try {
    await database.query(`create database ${name}`);
  } finally {
    await database.end();
  }
  return clusterUrl.replace(/\/[^/]*$/, `/${name}`);
}

async function nightOf(url: string, folder: string, count: number): Promise<void> {
  await withRecogniser(url, folder, async (recogniser) => {
    const { database } = recogniser;
    const { userIds } = await loadInOrderOfArrival(database, count, rowsPerUser);
    await warm(recogniser, userIds.slice(0, warmUsers));
    await markWhole(database, userIds);
    await recogniseAll(recogniser, count, asOf);
    await bringNight(database, userIds, 1);
    await database.query("vacuum analyze");
    const { processorMs } = await spent(database, count, `a night of ${count} users`, () =>
      recogniseAll(recogniser, count, addDays(asOf, 1)),
    );
    console.log(`a user of ${count}: ${processorMs.toFixed(2)} ms of processors (load ${loadavg()[0]?.toFixed(1)})`);
  });
}

async function filesOf(url: string, folder: string, count: number): Promise<void> {
  await migrate(url);
  const vaultDirectory = path.join(folder, `vault-${count}`);
  await mkdir(vaultDirectory);
  const keyEncryptionKey = Buffer.alloc(32, 1);
  const database = openDatabase(url, { sizeMax: 10, applicationName: "bench" });
  const pools = openPools(
    { databaseUrl: url, keyEncryptionKey, vaultDirectory },
    { doorThreads: 1, loadThreads: slots },
  );
  try {
    for (let n = 0; n < count; n += 1)
      await prepare(database, { keyEncryptionKey, vaultDirectory, partnerId: `partner-${n}`, many: files / count });
    const before = ownCpuMs() + (await databaseCpuMs(database));
    const startedAt = performance.now();
    const loading = loadAs({ database, pools, slots });
    while ((await countLoaded(database)) < files) await wait(lookEveryMs);
    const ms = (performance.now() - startedAt) / files;
    const cpuMs = (ownCpuMs() + (await databaseCpuMs(database)) - before) / files;
    await loading.stop();
    console.log(
      `a file of ${recordsPerFile} records, of ${count} partners with ${files} files together: ${ms.toFixed(2)} ms, ` +
        `of processors ${cpuMs.toFixed(2)} ms (load ${loadavg()[0]?.toFixed(1)})`,
    );
  } finally {
    await pools.close();
    await database.end();
  }
}

const slots = knobs.loadThreads.byDefault;

type Preparing = { keyEncryptionKey: Buffer; vaultDirectory: string; partnerId: string; many: number };

/** A partner with one user, and so many files that wait to be loaded. */
async function prepare(
  database: Database,
  { keyEncryptionKey, vaultDirectory, partnerId, many }: Preparing,
): Promise<void> {
  await addPartner(database, partnerId);
  await database.query(
    "insert into users (partner_id, brand_id, bank_user_id, locale) select $1, 'bank-dk', 'user-' || n, 'da-DK' from generate_series(0, 500) as n",
    [partnerId],
  );
  const sealer = await createSealer(await rotateBatchKey(database, keyEncryptionKey, partnerId, new Date()));
  for (let file = 0; file < many; file += 1) {
    const name = `${partnerId}-${file}`;
    const text = [...arrayText(file * recordsPerFile, recordsPerFile)].join("");
    await writeFile(path.join(vaultDirectory, name), await sealer.seal(text));
    await deliver({ database, vaultDirectory }, partnerId, name, "jwe");
  }
}

/** @throws when one failed: its time is no figure */
async function countLoaded(database: Database): Promise<number> {
  const { rows } = await database.query<{ loaded: number; failed: number }>(
    `select count(*) filter (where state = 'loaded') as loaded,
            count(*) filter (where state = 'refused' or attempts > 0 or records_new <> ${recordsPerFile} and state = 'loaded') as failed
       from deliveries`,
  );
  if (rows[0]!.failed > 0) throw new Error("a file failed");
  return rows[0]!.loaded;
}
