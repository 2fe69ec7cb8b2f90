/**
 * What does a ledger cost that holds very many rows? npm run bench -- resident [--sizes 100000,50000000]
 * [--rows-of-a-user 400] [--folder DIR]
 *
 * Rows come night after night, a few of everybody, so that a user's lie scattered; the index is made afterwards. Then, at
 * each size alike: a file of 100,000 records of other users is loaded; of 300 users spread over all the histories are
 * recognised from nothing; everybody gets three rows in one night, and the same 300 are recognised by what was kept; their
 * services, upcoming payments and transactions are read, one call at a time, by a server that remembers no documents; and a
 * partner of 50 users leaves. With --folder the database stays there, and a run that was stopped goes on filling where it
 * was. 5 · 10⁷ rows take some 17 GB of disk.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir } from "node:fs/promises";
import { availableParallelism, loadavg } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { readConfig } from "../../src/config.ts";
import { startCluster } from "../../src/database/embedded/cluster.ts";
import { type Database, inTransaction, openDatabase } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import { createEvents } from "../../src/events.ts";
import { openTideline } from "../../src/main.ts";
import { removePartner } from "../../src/operations/partner-removal.ts";
import { createTokens } from "../../src/partners/tokens.ts";
import { suspendPartner } from "../../src/partners/provisioning.ts";
import { recogniseChanged } from "../../src/recognition/run.ts";
import { openPools } from "../../src/staging/pools.ts";
import { addDays, type Day } from "../../src/time/calendar.ts";
import { createClock } from "../../src/time/clock.ts";
import { fileVault } from "../../src/vault/file-vault.ts";
import { addPartner } from "../parties.ts";
import { removeFile, writeFile as writeBatchFile } from "./ingest/files.ts";
import { load, type Loaded } from "./ingest/measure.ts";
import { openWorldOn } from "./ingest/world.ts";
import type { HasRead, Reading } from "./read/client.ts";
import { addAccounts, asOf, bringDay, bringNight, markWhole, prepareArrivals, tell } from "./recognition/arrivals.ts";
import { lies, spent } from "./recognition/measure.ts";

const resident = "resident";
const leaving = "leaving";
const leavingUsers = 50;
const sampleUsers = 300;
/** A user's first recognition compiles what a thread needs. */
const warmUsers = 40;
const fileRecords = 100_000;
const loadRounds = 3;
const callsOfEach = 600;
const keyEncryptionKey = Buffer.alloc(32, 1);

export async function bench(_clusterUrl: string, folder: string, args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: "string", default: "100000,50000000" },
      "rows-of-a-user": { type: "string", default: "400" },
      folder: { type: "string", default: folder },
    },
  });
  for (const size of values.sizes.split(",").map(Number))
    await benchAt(path.resolve(values.folder, String(size)), size, Number(values["rows-of-a-user"]));
}

async function benchAt(folder: string, size: number, rowsPerUser: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o711);
  const cluster = await startCluster(folder, {});
  try {
    const url = `${cluster.url.replace(/\/[^/]*$/, "")}/postgres`;
    await migrate(url);
    const database = openDatabase(url, { sizeMax: availableParallelism() + 2, applicationName: "bench" });
    try {
      await fill(database, Math.max(2 * leavingUsers, Math.round(size / rowsPerUser)), rowsPerUser);
      await measure({ database, url, folder: path.join(folder, `run-${Date.now()}`) });
    } finally {
      await database.end();
    }
  } finally {
    await cluster.stop();
  }
}

/** Each night is a transaction with the note that it came. */
async function fill(database: Database, users: number, rowsPerUser: number): Promise<void> {
  await database.query("create table if not exists filled (step text constraint filled_pk primary key)");
  const { rows } = await database.query<{ step: string }>("select step from filled");
  const filled = new Set(rows.map(({ step }) => step));
  if (!filled.has("prepared")) {
    if (filled.size === 0) await startOver(database);
    await prepareArrivals(database, users, rowsPerUser, resident);
    await partLeaving(database);
    await database.query("alter table transactions drop constraint transactions_once");
    await database.query("insert into filled values ('prepared')");
  }
  if (filled.has("whole")) return;
  const { rows: days } = await database.query<{ day: Day }>(
    "select distinct booked_on as day from generated where night is null order by day",
  );
  const startedAt = performance.now();
  for (const [at, { day }] of days.entries()) {
    if (filled.has(day)) continue;
    await inTransaction(database, async (transaction) => {
      await bringDay(transaction, day);
      await transaction.query("insert into filled values ($1)", [day]);
    });
    tell("nights", at + 1, days.length, 1, startedAt);
  }
  await addAccounts(database);
  console.error("making the index");
  await database.query("alter table transactions add constraint transactions_once primary key (user_id, txid)");
  await database.query("vacuum analyze");
  await database.query("insert into filled values ('whole')");
}

/** What a run left that was stopped before anything came. */
async function startOver(database: Database): Promise<void> {
  await database.query("drop table if exists copies, generated");
  await database.query("truncate transactions, users cascade");
  await database.query("delete from brands");
  await database.query("delete from partners");
}

async function partLeaving(database: Database): Promise<void> {
  await addPartner(database, leaving);
  await database.query(
    `update users set partner_id = $1
      where id in (select id from (select id, row_number() over (order by id) % greatest(1, (select count(*) from users) / $2) as place from users) placed
                    where place = 0 order by id limit $2)`,
    [leaving, leavingUsers],
  );
}

type Measuring = { database: Database; url: string; folder: string };

async function measure(measuring: Measuring): Promise<void> {
  const { database } = measuring;
  const userIds = await sampleOf(database);
  const { rows } = await database.query<{ rows: number; users: number }>(
    "select (select count(*) from transactions) as rows, (select count(*) from users where partner_id = $1) as users",
    [resident],
  );
  const { bytes, pagesOfUser, rowsOfUser } = await lies(database, userIds);
  console.log(
    `${rows[0]?.rows} rows of ${rows[0]?.users} users, ${(bytes / 2 ** 30).toFixed(2)} GiB with their index; ` +
      `${rowsOfUser.toFixed(0)} rows of a user on ${pagesOfUser.toFixed(0)} pages`,
  );
  await measureLoad(measuring);
  await measureNights(measuring, userIds);
  await measureReads(measuring, userIds);
  await measureRemoval(measuring);
}

/** Spread over all. */
async function sampleOf(database: Database): Promise<number[]> {
  const { rows } = await database.query<{ id: number }>(
    `select id
       from (select id, row_number() over (order by id) as place, count(*) over () as users
               from users
              where partner_id = $1) placed
      where place % greatest(1, users / $2) = 0
      order by id
      limit $2`,
    [resident, sampleUsers],
  );
  return rows.map(({ id }) => id);
}

async function measureLoad({ url, folder }: Measuring): Promise<void> {
  await mkdir(folder, { recursive: true });
  const world = await openWorldOn(url, folder, fileRecords * (loadRounds + 1), `loading-${Date.now()}`);
  try {
    const loaded: Loaded[] = [];
    // The first round compiles and counts for nothing.
    for (let round = 0; round <= loadRounds; round += 1) {
      const file = await writeBatchFile(world, "jwe", { from: round * fileRecords, count: fileRecords });
      const one = await load(world, "jwe", file, "records_new", fileRecords);
      if (round > 0) loaded.push(one);
      await removeFile(world, file);
    }
    const of = (figure: (one: Loaded) => number) => median(loaded.map(figure));
    console.log(
      `  a file of ${fileRecords} new rows: ${Math.round(fileRecords / of(({ seconds }) => seconds))} rows/s, a row ` +
        `${(of(({ processCpuMicros }) => processCpuMicros) / fileRecords).toFixed(1)} µs of the worker's processor and ` +
        `${(of(({ serverCpuMicros }) => serverCpuMicros) / fileRecords).toFixed(1)} of the database's; load ${loadNow()}`,
    );
  } finally {
    await world.close();
  }
}

async function measureNights({ database, url, folder }: Measuring, userIds: readonly number[]): Promise<void> {
  const threads = availableParallelism();
  const pools = openPools(
    { databaseUrl: url, keyEncryptionKey, vaultDirectory: path.join(folder, "vault") },
    { doorThreads: 1, loadThreads: 1, recognitionThreads: threads },
  );
  const recognise = async (day: Day) =>
    void (await recogniseChanged(
      {
        database,
        clock: createClock(day),
        events: createEvents({ level: "silent" }),
        baseUrl: "https://bench.example",
        recognise: (task) => pools.recognise(task),
      },
      () => false,
      threads,
    ));
  try {
    await database.query("truncate changed_users, services, read_models, packed_pasts, income_models");
    await markWhole(database, userIds.slice(0, warmUsers));
    await recognise(asOf);
    await markWhole(database, userIds);
    await spent(database, userIds.length, `  recognising ${userIds.length} from nothing`, () => recognise(asOf));
    const startedAt = performance.now();
    await bringNight(database, userIds, 1);
    console.log(
      `  a night of three rows for everybody into the ledger: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
    );
    await spent(database, userIds.length, `  the same ${userIds.length} by what was kept`, () =>
      recognise(addDays(asOf, 1)),
    );
    console.log(`  load ${loadNow()}`);
  } finally {
    await pools.close();
  }
}

async function measureReads({ database, url, folder }: Measuring, userIds: readonly number[]): Promise<void> {
  const server = await openTideline(
    readConfig(
      { dataDir: path.join(folder, "server"), httpsPort: "0", sftpPort: "0", roles: "api", asOf },
      {
        DATABASE_URL: url,
        TIDELINE_KEY_ENCRYPTION_KEY: keyEncryptionKey.toString("base64"),
        TIDELINE_REMEMBERED_DOCUMENT_BYTES_MAX: "0",
        TIDELINE_CONSOLE_PORT: "0",
      },
    ),
    createEvents({ level: "silent" }),
  );
  const client = fork(new URL("read/client.ts", import.meta.url));
  try {
    const { rows: owners } = await database.query<{ partnerId: string; brandId: string; subject: string }>(
      `select partner_id as "partnerId", brand_id as "brandId", subject from users where id = any($1::bigint[])`,
      [userIds],
    );
    const tokens = createTokens(server.database, keyEncryptionKey, server.clock);
    const issued = await Promise.all(owners.map((owner) => tokens.issue({ ...owner, actor: null, revokedAt: null })));
    for (const asked of ["services", "upcoming-payments", "transactions?limit=100"]) {
      const calls = issued.map((token) => ({ path: `/partner/${resident}/2.0.0/${asked}`, token }));
      const reading: Reading = {
        port: server.httpsPort ?? 0,
        ca: server.certificate.authority,
        calls,
        requests: callsOfEach,
        concurrency: 1,
      };
      client.send(reading);
      const [done] = (await once(client, "message")) as [HasRead];
      if (done.failed > 0)
        throw new Error(`${done.failed} of ${callsOfEach} calls of ${asked} were not answered with 200`);
      console.log(
        `  GET ${asked}: p50 ${quantile(done.latenciesMs, 0.5).toFixed(1)}, p99 ${quantile(done.latenciesMs, 0.99).toFixed(1)} ms; load ${loadNow()}`,
      );
    }
  } finally {
    client.disconnect();
    await server.close();
  }
}

async function measureRemoval({ database, folder }: Measuring): Promise<void> {
  const there = await database.query("select 1 from partners where id = $1", [leaving]);
  if (there.rowCount === 0) return console.log("  the partner had left before");
  await suspendPartner(database, leaving);
  const startedAt = performance.now();
  const { users, rows } = await removePartner(
    {
      database,
      vault: fileVault(path.join(folder, "vault")),
      landingDirectory: path.join(folder, "landing"),
      actor: "bench",
    },
    leaving,
  );
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(
    `  a partner of ${users} users with ${rows} rows leaves in ${seconds.toFixed(2)} s, ${((seconds * 1e6) / rows).toFixed(0)} µs a row; load ${loadNow()}`,
  );
}

function loadNow(): string {
  return loadavg()[0]?.toFixed(1) ?? "unknown";
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;
}
