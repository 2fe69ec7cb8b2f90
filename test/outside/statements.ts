/**
 * A bank's night of statements: node test/outside/statements.ts [ENTRIES] A camt.053 of ENTRIES entries (200,000 without
 * it), encrypted by GnuPG and put by OpenSSH, loads while the worker's process is killed hard, and later every process.
 * Then each payment must be in the ledger once, each account's sum and closing balance be right, and the receipt say so.
 */
import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { startCluster } from "../../src/database/embedded/cluster.ts";
import type { Receipt } from "../../src/landing/receipt.ts";
import { brandIn } from "./labelled-set.ts";
import { openSshSftp } from "./clients/open-ssh.ts";
import { onboardPartner, type Partner } from "./partner.ts";
import { prepareService, repository } from "./service.ts";
import { accountOf, writeStatements, type Written } from "./statements/written.ts";

const entries = Number(process.argv[2] ?? 200_000);
/** Of the records: when the worker dies, and when everything does. */
const [workerDiesAt, allDieAt] = [0.15, 0.5];
const withinMs = 300_000;
const users = 5;
const file = "camt053_20261014.xml.gz.gpg";

const run = promisify(execFile);
const folder = await mkdtemp(path.join(tmpdir(), "tideline-statements-"));
await chmod(folder, 0o711);
const cluster = await startCluster(path.join(folder, "database"));
Object.assign(process.env, {
  DATABASE_URL: cluster.urls.migrator,
  DATABASE_URL_JOBS: cluster.urls.jobs,
  DATABASE_URL_LOADER: cluster.urls.loader,
  DATABASE_URL_API: cluster.urls.api,
  TIDELINE_KEY_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  TIDELINE_VAULT_DIR: path.join(folder, "vault"),
  TIDELINE_LANDING_DIR: path.join(folder, "landing"),
  GNUPGHOME: path.join(folder, "gnupg"),
});
const service = await prepareService("statements", ["--no-demo", "--roles", "api,sftp,scheduler"]);
const database = new pg.Client({ connectionString: cluster.url });
let worker: ChildProcess | null = null;
try {
  await database.connect();
  await service.start();
  worker = await startWorker();
  const partner = await onboardPartner(service, "outside-bank", { ...brandIn("DK"), currency: "DKK" });
  const written = await send(partner);
  const startedAt = performance.now();

  const beforeFirst = await untilRecords(workerDiesAt);
  worker.kill("SIGKILL");
  await once(worker, "close");
  const killedAt = performance.now();
  worker = await startWorker();
  const goesOn = await untilRecords((beforeFirst + 1) / entries);
  console.log(
    `the worker killed at ${beforeFirst} records; a new one had ${goesOn} ${((performance.now() - killedAt) / 1000).toFixed(0)} s later`,
  );

  const beforeSecond = await untilRecords(allDieAt);
  worker.kill("SIGKILL");
  await Promise.all([once(worker, "close"), service.kill("tideline")]);
  console.log(`everything killed at ${beforeSecond} records`);
  await service.start();
  worker = await startWorker();

  const receipt = await untilLoaded(partner);
  console.log(`loaded ${((performance.now() - startedAt) / 1000).toFixed(0)} s after it was delivered`);
  await compare(receipt, written);
  await service.stop();
} finally {
  worker?.kill("SIGKILL");
  await database.end();
  await service.remove();
  await promisify(execFile)("gpgconf", ["--kill", "all"]).catch(() => undefined);
  await cluster.stop();
  if (!cluster.location.startsWith(folder)) await rm(cluster.location, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}

async function startWorker(): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [
      path.join(repository, "src/cli/tideline.mjs"),
      "up",
      "--roles",
      "worker",
      "--data-dir",
      path.join(folder, "worker"),
    ],
    {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, TIDELINE_LOG_FILE: path.join(folder, "worker.log") },
    },
  );
  let said = "";
  child.stdout?.on("data", (chunk: Buffer) => (said += chunk));
  await until("the worker is ready", () => {
    assert.equal(child.exitCode, null, `the worker ended: ${said}`);
    return Promise.resolve(said.includes("Ready."));
  });
  return child;
}

/** Users, whose accounts they are, and the file, as a bank's night job does it. */
async function send(partner: Partner): Promise<Written> {
  const at = (name: string) => path.join(partner.folder, name);
  await service.tideline("partner", "rotate-pgp-key", partner.id);
  await mkdir(process.env.GNUPGHOME ?? "", { mode: 0o700 });
  await writeFile(at("openpgp.asc"), await service.tideline("partner", "pgp-key", "show", partner.id));
  for (let user = 0; user < users; user += 1)
    await partner.call("POST", "/users", {
      body: { bankUserId: `customer-${user}`, brand: partner.brand.id, locale: partner.brand.locale },
    });
  const written = await writeStatements(at("night.xml"), entries);
  const owners = written.accounts.map((_, place) => `"OUTSDKKK";"customer-${place % users}";"${accountOf(place)}"\n`);
  await writeFile(at("accounts.csv"), `"bank_id";"user_id";"account_number"\n${owners.join("")}`);
  await run("gzip", [at("night.xml")]);
  await encrypt(at("openpgp.asc"), at("accounts.csv"), at("accounts_1.csv.gpg"));
  await encrypt(at("openpgp.asc"), at("night.xml.gz"), at(file));
  await openSshSftp(partner, ["put accounts_1.csv.gpg inbox/accounts_1.csv.gpg", `put ${file} inbox/${file}`]);
  const { size } = await stat(at(file));
  console.log(
    `${written.entries} entries, ${written.payments} payments of ${written.accounts.length} accounts in ${(size / 1e6).toFixed(1)} MB delivered`,
  );
  return written;
}

async function encrypt(key: string, from: string, to: string): Promise<void> {
  await run("gpg", ["--batch", "--quiet", "--trust-model", "always", "-f", key, "-o", to, "-e", from]);
}

/** @returns how many the ledger has when it is that share */
async function untilRecords(share: number): Promise<number> {
  let records = 0;
  await until(`${share} of the file is loaded`, async () => {
    const { rows } = await database.query<{ records: string; state: string }>(
      "select records, state from deliveries where name = $1",
      [file],
    );
    assert.notEqual(rows[0]?.state, "loaded", "the file was loaded before anything could be killed");
    records = Number(rows[0]?.records ?? 0);
    return records >= entries * share;
  });
  return records;
}

async function untilLoaded(partner: Partner): Promise<Receipt> {
  let receipt: Receipt | null = null;
  await until("the receipt says that the file is loaded", async () => {
    const at = `${file}.receipt.json`;
    if ((await openSshSftp(partner, [`get receipts/${at} ${at}`]).catch(() => null)) === null) return false;
    receipt = JSON.parse(await readFile(path.join(partner.folder, at), "utf8")) as Receipt;
    return receipt.state === "loaded";
  });
  if (receipt === null) throw new Error("there is no receipt");
  return receipt;
}

async function compare(receipt: Receipt, { payments, sum, accounts }: Written): Promise<void> {
  const { rows: ledger } = await database.query<{ rows: string; ids: string; sum: string }>(
    `select count(*) as rows, count(distinct (user_id, txid)) as ids, (sum(amount) * 100)::bigint as sum from transactions`,
  );
  assert.deepEqual(ledger[0], { rows: String(payments), ids: String(payments), sum: String(sum) });
  const { rows: balances } = await database.query<{ id: string; balance: string }>(
    "select account_id as id, (balance * 100)::bigint as balance from account_balances order by account_id",
  );
  assert.deepEqual(
    balances,
    accounts.map(({ number, closing }) => ({ id: number, balance: String(closing) })),
  );
  assert.deepEqual(
    { records: receipt.counts.records, new: receipt.counts.new, statements: receipt.statementsTotal },
    { records: payments, new: payments, statements: accounts.length },
  );
  const { rows: told } = await database.query<{ balances: string; statements: string; entries: string }>(
    `select s.balances, count(*) as statements, sum(s.entries) as entries
       from delivery_statements s join deliveries d on d.id = s.delivery_id where d.name = $1 group by s.balances`,
    [file],
  );
  assert.deepEqual(told, [{ balances: "agree", statements: String(accounts.length), entries: String(entries) }]);
  console.log(
    `all ${payments} payments there once, the sum ${(sum / 100).toFixed(2)} and ${accounts.length} closing balances right, receipt: ${receipt.counts.new} new, every statement's balances agree`,
  );
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline, `waited too long: ${what}`);
    await wait(20);
  }
}
