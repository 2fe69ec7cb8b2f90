/**
 * The drill: a service takes batches over HTTPS and files over SFTP, is backed up meanwhile, a backup is killed on its
 * way, then everything is lost, twice: once with the log that was kept, once without. Each time the restored service is
 * held against the sender's own book: nothing acknowledged before the moment that was restored is missing, and when the
 * sender sends everything again nothing is there twice.
 */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { CompactEncrypt, importJWK } from "jose";
import pg from "pg";
import { onboardPartner, type Partner } from "./partner.ts";
import { prepareService, repository } from "./service.ts";

type Sent = { txids: string[]; send(): Promise<boolean>; acknowledgedAt: number | null };

const users = ["u-1", "u-2", "u-3", "u-4"];
const recordsOfBatch = 40;
const service = await prepareService("backup", ["--no-demo"]);
const kept = path.join(service.folder, "backups");
const manual = path.join(service.folder, "by-hand");
const keys = path.join(service.folder, "keys");
process.env.TIDELINE_BACKUP_DIR = kept;
process.env.TIDELINE_BACKUP_KEYS_DIR = keys;
const book: Sent[] = [];
let number = 0;

try {
  await service.start();
  const partner = await onboardPartner(service, "bank", {
    id: "bank-dk",
    country: "DK",
    currency: "DKK",
    timeZone: "Europe/Copenhagen",
    locale: "da-DK",
  });
  for (const bankUserId of users) {
    const answer = await partner.call("POST", "/users", { body: { bankUserId, brand: "bank-dk", locale: "da-DK" } });
    assert.equal(answer.status, 201, answer.text);
  }

  const sending = new AbortController();
  const sender = sendOn(partner, sending.signal);
  await until("something is loaded", async () => (await count()) > 0);
  // The scheduler has made the first backup by then.
  await keptAfter(0);
  const beganAt = Date.now();
  const made = JSON.parse(await service.tideline("backup", "--to", manual, "--keys-to", keys, "--json")) as {
    location: string;
  };
  const acknowledgedMeanwhile = book.filter((one) => (one.acknowledgedAt ?? 0) > beganAt).length;
  assert.ok(acknowledgedMeanwhile > 0, "nothing was acknowledged while it was backed up");
  await killBackup();
  assert.deepEqual(await namesIn(manual), [path.basename(made.location)], "a backup that was killed counts as one");
  await service.tideline("backup", "--to", manual, "--keep", "2", "--json");
  assert.ok(
    (await readdir(manual)).every((name) => !/unfinished|going/.test(name)),
    "what was killed is still there",
  );
  await service.tideline("backup", "verify", made.location, "--scratch", service.folder);
  const middle = await keptAfter(Date.now());
  const deliveriesAtMiddle = acknowledgedBefore(middle.getTime()).size / recordsOfBatch;
  await wait(1000);
  sending.abort();
  await sender;
  const all = txidsOf(book);

  // Everything is lost; what was kept beside the backups brings it back.
  await keptAfter(Date.now());
  await lose();
  const restored = JSON.parse(await restore(kept)) as { until: string; lackingBytes: number };
  assert.equal(restored.lackingBytes, 0);
  await service.start();
  const before = acknowledgedBefore(Date.parse(restored.until));
  assert.equal(before.size, all.size, "all was acknowledged before the last moment that was kept");
  await assertThere(before, "restored with the log that was kept");
  await sendAgain();
  await assertExactly(all, "sent again after the first loss");
  // What was restored is backed up in its turn, in a chain of its own.
  await keptAfter(Date.now());

  // To a moment: what came after it is not there. The service beside it goes on.
  const elsewhere = path.join(service.folder, "earlier");
  const earlier = JSON.parse(await restore(kept, elsewhere, "--to-time", middle.toISOString())) as {
    rows: { deliveries: number };
  };
  const [low, high] = [deliveriesAtMiddle, book.length];
  assert.ok(
    low <= earlier.rows.deliveries && earlier.rows.deliveries < high,
    `${earlier.rows.deliveries} deliveries are there, not ${low} to ${high}`,
  );
  await rm(elsewhere, { recursive: true, force: true });

  // Without the log: what was acknowledged before the backup began.
  await lose();
  await restore(made.location);
  await service.start();
  await assertThere(acknowledgedBefore(beganAt), "restored without the log");
  await sendAgain();
  await assertExactly(all, "sent again after the second loss");
  console.log(
    `backup: ${all.size} transactions in ${book.length} deliveries, ${acknowledgedMeanwhile} acknowledged while it was backed up; lost twice, missing 0, twice 0`,
  );
} finally {
  await service.stop();
  await service.remove();
}

/** Batches and files in turn, until told to stop. */
async function sendOn(partner: Partner, stop: AbortSignal): Promise<void> {
  for (let turn = 0; !stop.aborted; turn++) {
    const one = turn % 4 === 3 ? await fileOf(partner) : await batchOf(partner);
    book.push(one);
    if (await one.send()) one.acknowledgedAt = Date.now();
    // A bank's own pace; some hundred deliveries are enough to be held against.
    await wait(150);
  }
}

async function batchOf(partner: Partner): Promise<Sent> {
  const { txids, request } = await sealed(partner);
  return {
    txids,
    acknowledgedAt: null,
    async send() {
      const answer = await partner.call("POST", "/transactions", { body: request }).catch(() => null);
      return answer?.status === 201;
    },
  };
}

/** One request a line, put by OpenSSH's own client. */
async function fileOf(partner: Partner): Promise<Sent> {
  const { txids, request } = await sealed(partner);
  const name = `file-${++number}.jsonl`;
  const file = path.join(partner.folder, name);
  await writeFile(file, `${JSON.stringify(request)}\n`);
  return { txids, acknowledgedAt: null, send: () => put(partner, file, name) };
}

async function put(partner: Partner, file: string, name: string): Promise<boolean> {
  const at = (one: string) => path.join(partner.folder, one);
  const options = [`UserKnownHostsFile=${at("known_hosts")}`, "StrictHostKeyChecking=yes", "LogLevel=ERROR"];
  const child = spawn(
    "sftp",
    [
      "-q",
      "-b",
      "-",
      "-i",
      at("sftp_key"),
      ...options.flatMap((one) => ["-o", one]),
      "-P",
      String(partner.sftpPort),
      `${partner.id}@127.0.0.1`,
    ],
    { stdio: ["pipe", "ignore", "ignore"] },
  );
  child.stdin.end(`put ${file} inbox/${name}\n`);
  const [code] = (await once(child, "close")) as [number | null];
  return code === 0;
}

async function sealed(partner: Partner): Promise<{ txids: string[]; request: { reqId: string; txs: string } }> {
  const key = await partner.batchKey();
  const records = Array.from({ length: recordsOfBatch }, () => {
    const txid = `tx-${++number}`;
    const tx = {
      txid,
      txTime: "2026-10-05",
      type: "CARD_PURCHASE",
      description: `Shop ${number}`,
      amount: -12.5,
      currency: "DKK",
    };
    return { uid: users[number % users.length], type: "TX", tx };
  });
  const txs = await new CompactEncrypt(Buffer.from(JSON.stringify(records)))
    .setProtectedHeader({ alg: "RSA-OAEP", enc: "A256GCM", kid: key.kid })
    .encrypt(await importJWK(key, "RSA-OAEP"));
  return { txids: records.map(({ tx }) => tx.txid), request: { reqId: crypto.randomUUID(), txs } };
}

/** The sender knows nothing of losses: it sends all of it once more. What is known already is acknowledged as well. */
async function sendAgain(): Promise<void> {
  for (const one of book) assert.ok(await one.send(), "sending again was refused");
  await until("everything is loaded", async () => (await open()) === 0);
}

async function killBackup(): Promise<void> {
  const command = [
    path.join(repository, "src/cli/tideline.mjs"),
    "backup",
    "--to",
    manual,
    "--data-dir",
    service.dataDir,
  ];
  const child = spawn(process.execPath, command, { stdio: "ignore" });
  await until("a backup is under way", async () => {
    assert.equal(child.exitCode, null, "the backup ended before it was killed");
    return (await readdir(manual)).some((name) => name.endsWith(".unfinished"));
  });
  child.kill("SIGKILL");
  await once(child, "close");
}

async function namesIn(store: string): Promise<string[]> {
  const listed = JSON.parse(await service.tideline("backup", "list", store, "--json")) as { location: string }[];
  return listed.map(({ location }) => path.basename(location));
}

/** Waits until changes are kept up to a moment. @returns what is said of it */
async function keptAfter(moment: number): Promise<Date> {
  let keptUntil = new Date(0);
  await until("changes are kept", async () => {
    const [row] = await ask<{ at: Date | null }>("select max(kept_until) as at from backups");
    keptUntil = row?.at ?? keptUntil;
    return keptUntil.getTime() > moment;
  });
  return keptUntil;
}

async function lose(): Promise<void> {
  await service.kill("everything");
  await rm(service.dataDir, { recursive: true });
}

/** As an operator does, with whom nothing is left but the backups and the keys. */
async function restore(from: string, to = service.dataDir, ...more: string[]): Promise<string> {
  const command = ["restore", "--from", from, "--data-dir", to, "--keys-from", keys, "--json", ...more];
  return (await promisify(execFile)(process.execPath, [path.join(repository, "src/cli/tideline.mjs"), ...command]))
    .stdout;
}

function acknowledgedBefore(moment: number): Set<string> {
  return txidsOf(book.filter(({ acknowledgedAt }) => acknowledgedAt !== null && acknowledgedAt < moment));
}

function txidsOf(sent: readonly Sent[]): Set<string> {
  return new Set(sent.flatMap(({ txids }) => txids));
}

async function assertThere(wanted: ReadonlySet<string>, when: string): Promise<void> {
  await until("everything is loaded", async () => (await open()) === 0);
  const there = new Set(await txidsThere());
  assert.deepEqual(
    [...wanted].filter((txid) => !there.has(txid)),
    [],
    `missing, ${when}`,
  );
  assert.ok(wanted.size > 0);
}

async function assertExactly(wanted: ReadonlySet<string>, when: string): Promise<void> {
  const there = await txidsThere();
  assert.equal(there.length, new Set(there).size, `twice, ${when}`);
  assert.deepEqual(new Set(there), wanted, when);
}

async function txidsThere(): Promise<string[]> {
  return (await ask<{ txid: string }>("select txid from transactions")).map(({ txid }) => txid);
}

async function open(): Promise<number> {
  const [row] = await ask<{ n: string }>("select count(*) as n from deliveries where state in ('accepted', 'loading')");
  return Number(row?.n);
}

async function count(): Promise<number> {
  const [row] = await ask<{ n: string }>("select count(*) as n from transactions");
  return Number(row?.n);
}

async function ask<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: await service.databaseUrl() });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, `not within two minutes: ${what}`);
    await wait(100);
  }
}
