/**
 * Uploads that a crash breaks off, proved from outside: node test/outside/broken-uploads.ts Tideline and PostgreSQL are
 * killed (kill -9) while OpenSSH's sftp uploads a large file under its final name, then one under a temporary name,
 * then many small ones. Afterwards nothing is half-delivered, both large files are resumed and load whole, and of the
 * small ones every one that was acknowledged is loaded, exactly once. Exit code 1 when something is not so.
 */
import { randomBytes } from "node:crypto";
import { mkdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { type ForeignSealer, openSealers } from "./sealing/foreign-jose.ts";
import { brandIn, requestIdFor } from "./labelled-set.ts";
import { openSshSftp } from "./clients/open-ssh.ts";
import { onboardPartner, type Partner } from "./partner.ts";
import { Report } from "./report.ts";
import { prepareService } from "./service.ts";

const batches = 60;
/** One for each batch, and one for the small files: nobody's history is large enough to hold others up. */
const users = Array.from({ length: batches + 1 }, (_, index) => `customer-${index}`);
const batchSize = 750;
/** Kilobits a second: the large files take some ten seconds, so that there is a middle to be killed in. */
const slowly = ["-l", "8000"];
/** By then an upload has certainly begun, and not ended. */
const brokenAtSizeBytes = 1_000_000;
const smallFiles = 400;
const killedAfterFiles = 60;
const withinMs = 120_000;

const report = new Report();
const service = await prepareService("broken-uploads", ["--no-demo"]);
try {
  await service.start();
  const partner = await onboardPartner(service, "outside-bank", { ...brandIn("DK"), currency: "DKK" });
  for (const bankUserId of users)
    await partner.call("POST", "/users", {
      body: { bankUserId, brand: partner.brand.id, locale: partner.brand.locale },
    });
  const sealers = await openSealers(await partner.batchKey());
  const [sealer] = sealers;
  if (!sealer) throw new Error("there is no sealer");
  await breakLarge(partner, sealer, "final", "day.jsonl", "day.jsonl");
  await breakLarge(partner, sealer, "temporary", "night.jsonl.part", "night.jsonl");
  await breakSmall(partner, sealer);
  for (const one of sealers) one.close();
  await service.stop();
} finally {
  await service.remove();
}
process.exitCode = report.print();

/** @param uploaded the name while it is uploaded, and at last */
async function breakLarge(
  partner: Partner,
  sealer: ForeignSealer,
  what: string,
  uploaded: string,
  last: string,
): Promise<void> {
  const local = path.join(partner.folder, last);
  const lines = Array.from({ length: batches }, (_, batch) =>
    seal(
      sealer,
      users[batch],
      Array.from({ length: batchSize }, (__, index) => `${last}-${batch}-${index}`),
    ),
  );
  await writeFile(local, (await Promise.all(lines)).join(""));
  const landed = path.join(service.dataDir, "landing", partner.id, "inbox", uploaded);
  const upload = openSshSftp(partner, [`put ${local} inbox/${uploaded}`], slowly).then(
    () => "acknowledged",
    () => "failed",
  );
  await until(async () => (await sizeOf(landed)) > brokenAtSizeBytes, "the upload has begun");
  await service.kill("everything");
  report.check(`${what} name: the client is told`, await upload, "failed");
  await service.start();
  report.check(
    `${what} name: deliveries of it after the crash`,
    await count("select count(*)::int as n from deliveries where name = any($1)", [[uploaded, last]]),
    0,
  );
  const before = await sizeOf(landed);
  const { size: whole } = await stat(local);
  report.check(
    `${what} name: part of it is there to be resumed`,
    before >= brokenAtSizeBytes && before < whole ? "yes" : "no",
    "yes",
  );
  await openSshSftp(partner, [
    `reput ${local} inbox/${uploaded}`,
    ...(uploaded === last ? [] : [`rename inbox/${uploaded} inbox/${last}`]),
  ]);
  await untilLoaded([last]);
  report.check(
    `${what} name: records loaded`,
    await count("select records_new::int as n from deliveries where name = $1", [last]),
    batches * batchSize,
  );
}

async function breakSmall(partner: Partner, sealer: ForeignSealer): Promise<void> {
  const folder = path.join(partner.folder, "small");
  await mkdir(folder);
  const names = Array.from({ length: smallFiles }, (_, index) => `small-${index}.jsonl`);
  for (const name of names) await writeFile(path.join(folder, name), await seal(sealer, users.at(-1), [name]));
  const commands = names.map((name) => `put ${path.join(folder, name)} inbox/${name}`);
  const upload = openSshSftp(partner, commands).then(
    (stdout) => stdout,
    (error: Error & { stdout?: string }) => error.stdout ?? "",
  );
  await until(
    async () =>
      (await count("select count(*)::int as n from deliveries where starts_with(name, 'small-')", [])) >=
      killedAfterFiles,
    "some small files have come",
  );
  await service.kill("everything");
  // It says each command before it does it: the last one that was said may have failed.
  const acknowledged = names.slice(0, Math.max(0, ((await upload).match(/^sftp> put /gm)?.length ?? 0) - 1));
  report.check(
    "small files: the client was cut in the middle",
    acknowledged.length >= killedAfterFiles / 2 && acknowledged.length < smallFiles ? "yes" : "no",
    "yes",
  );
  await service.start();
  await untilLoaded(acknowledged);
  report.check(
    "small files: acknowledged and loaded",
    await count("select count(distinct name)::int as n from deliveries where name = any($1) and state = 'loaded'", [
      acknowledged,
    ]),
    acknowledged.length,
  );
  await openSshSftp(partner, commands);
  await untilLoaded(names);
  report.check(
    "small files: transactions after all were sent again",
    await count("select count(*)::int as n from transactions where txid = any($1)", [names]),
    smallFiles,
  );
}

async function seal(
  sealer: ForeignSealer,
  bankUserId: string | undefined,
  transactionIds: readonly string[],
): Promise<string> {
  const plaintext = JSON.stringify(
    transactionIds.map((txid) => ({
      uid: bankUserId,
      type: "TX",
      tx: { txid, description: noise(), txTime: "2026-01-15", type: "CARD_PURCHASE", amount: -32.5, currency: "DKK" },
    })),
  );
  return `${JSON.stringify({ reqId: requestIdFor(plaintext), txs: await sealer.seal(plaintext) })}\n`;
}

/** So that a file of many records stays large when it is deflated. */
function noise(): string {
  return randomBytes(120).toString("base64");
}

async function untilLoaded(names: readonly string[]): Promise<void> {
  await until(async () => (await findOpen(names)).length === 0, "what was acknowledged is loaded").catch(
    async (cause: unknown) => {
      throw new Error(`${(await findOpen(names)).join(", ")}`, { cause });
    },
  );
}

/** @returns those that are not loaded, and what is recorded of them instead */
async function findOpen(names: readonly string[]): Promise<string[]> {
  const rows = await query<{ name: string; states: string }>(
    `select wanted.name, coalesce(string_agg(concat_ws(' ', state, attempts, refusal_code), ' then ' order by position), 'never recorded') as states
       from unnest($1::text[]) as wanted (name)
       left join deliveries using (name)
      group by wanted.name
     having count(*) filter (where state = 'loaded') = 0`,
    [names],
  );
  return rows.map(({ name, states }) => `${name}: ${states}`);
}

async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not in time: ${what}`);
    await wait(50);
  }
}

async function sizeOf(file: string): Promise<number> {
  return await stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

async function count(statement: string, values: readonly unknown[]): Promise<number> {
  return (await query<{ n: number }>(statement, values))[0]?.n ?? 0;
}

async function query<Row extends pg.QueryResultRow>(statement: string, values: readonly unknown[]): Promise<Row[]> {
  const database = new pg.Client({ connectionString: await service.databaseUrl() });
  await database.connect();
  try {
    return (await database.query<Row>(statement, [...values])).rows;
  } finally {
    await database.end();
  }
}
