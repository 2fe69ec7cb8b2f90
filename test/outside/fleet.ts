/**
 * A fleet on one machine: doors and scheduler in one process, workers in two others, one PostgreSQL with a login for each
 * of its roles, one Redis by REDIS_URL, shared folders. A worker is killed hard and Redis is emptied while files load;
 * nothing may be lost.
 */
import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { Redis } from "ioredis";
import pg from "pg";
import { startCluster } from "../../src/database/embedded/cluster.ts";
import { freePort } from "../ports.ts";

const root = path.resolve(import.meta.dirname, "../..");
const folder = await mkdtemp(path.join(tmpdir(), "tideline-fleet-"));
await chmod(folder, 0o711);
const [httpsPort, sftpPort, redisPort] = [await freePort(), await freePort(), await freePort()];
const children: ChildProcess[] = [];
const cluster = await startCluster(path.join(folder, "database"));
const redisUrl = `redis://127.0.0.1:${redisPort}`;
const environment = {
  ...process.env,
  DATABASE_URL: cluster.urls.migrator,
  DATABASE_URL_JOBS: cluster.urls.jobs,
  DATABASE_URL_LOADER: cluster.urls.loader,
  DATABASE_URL_API: cluster.urls.api,
  REDIS_URL: redisUrl,
  TIDELINE_KEY_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  TIDELINE_VAULT_DIR: path.join(folder, "vault"),
  TIDELINE_LANDING_DIR: path.join(folder, "landing"),
  TIDELINE_LOG_LEVEL: "warn",
};
/** What the processes say in warnings and errors. */
let said = "";
const users = 60;
const months = 24;

try {
  spawnChild(
    "redis-server",
    ["--port", String(redisPort), "--bind", "127.0.0.1", "--dir", folder, "--save", ""],
    "ignore",
  );
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  redis.on("error", () => undefined);
  await redis.ping();

  await up(
    "doors",
    "--roles",
    "api,sftp,scheduler",
    "--https-port",
    String(httpsPort),
    "--sftp-port",
    String(sftpPort),
  );
  const first = await up("worker-1", "--roles", "worker");
  await up("worker-2", "--roles", "worker");
  await onboard();

  const population = path.join(folder, "population");
  const generated = await tideline(
    "fixtures",
    "generate",
    "--users",
    String(users),
    "--months",
    String(months),
    "--seed",
    "9",
    "--until",
    "2026-10-31",
    "--out",
    population,
    "--json",
  );
  const transactions = (JSON.parse(generated) as { counts: { transactions: number } }).counts.transactions;
  const sending = tideline(
    "backfill",
    population,
    "--via",
    "https",
    "--partner",
    "fleet",
    "--brand",
    "fleet-dk",
    "--credentials",
    path.join(folder, "credentials"),
    "--complete",
    "--json",
  );

  // While batches load: one worker dies without a word, and the queue loses everything.
  await until("some batches are loaded", async () => (await count("deliveries where state = 'loaded'")) >= 10);
  first.kill("SIGKILL");
  await redis.flushall();
  const summary = JSON.parse(await sending) as { recordsSent: number };
  assert.equal(summary.recordsSent, transactions);

  const startedAt = performance.now();
  await until(
    "every delivery is finished",
    async () => (await count("deliveries where state in ('accepted', 'loading')")) === 0,
  );
  console.log(`healed ${((performance.now() - startedAt) / 1000).toFixed(0)} s after the last batch was acknowledged`);
  assert.equal(await count("transactions"), transactions, "nothing lost, nothing twice");
  assert.equal(await count("deliveries where state <> 'loaded'"), 0);
  await until("every user is recognised", async () => (await count("read_models where import_complete")) === users);
  redis.disconnect();
  // A right that a role lacks need not stop anything: what cannot be done is tried again, or done otherwise.
  assert.doesNotMatch(said, /permission denied|42501/);
  console.log(
    `fleet: ${transactions} transactions of ${users} users through Redis with a killed worker and a flushed queue: all there once`,
  );
} finally {
  for (const child of children) child.kill("SIGKILL");
  await cluster.stop();
  if (!cluster.location.startsWith(folder)) await rm(cluster.location, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}

async function up(name: string, ...parameters: string[]): Promise<ChildProcess> {
  const child = spawnChild(
    process.execPath,
    [path.join(root, "src/cli/tideline.mjs"), "up", "--data-dir", path.join(folder, name), ...parameters],
    "pipe",
  );
  let saidHere = "";
  const collect = (chunk: Buffer) => {
    saidHere += chunk;
    said += chunk;
  };
  child.stdout?.on("data", collect);
  child.stderr?.on("data", collect);
  await until(`${name} is ready`, () => {
    assert.equal(child.exitCode, null, `${name} ended: ${saidHere}`);
    return Promise.resolve(saidHere.includes("Ready."));
  });
  return child;
}

/** As an operator does it for a new bank. */
async function onboard(): Promise<void> {
  const credentials = path.join(folder, "credentials");
  await mkdir(credentials, { recursive: true });
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  await writeFile(path.join(credentials, "login-public.pem"), publicKey.export({ format: "pem", type: "spki" }));
  await writeFile(path.join(credentials, "login-private.pem"), privateKey.export({ format: "pem", type: "pkcs8" }), {
    mode: 0o600,
  });
  await tideline("partner", "add", "fleet", "--name", "Fleet bank");
  await tideline(
    "partner",
    "brand",
    "add",
    "fleet",
    "fleet-dk",
    "--country",
    "DK",
    "--currency",
    "DKK",
    "--time-zone",
    "Europe/Copenhagen",
    "--locale",
    "da-DK",
  );
  await tideline("partner", "login-key", "add", "fleet", path.join(credentials, "login-public.pem"));
  const authority = path.join(folder, "doors", "tls", "ca.pem");
  await promisify(execFile)("cp", [authority, path.join(credentials, "ca.pem")]);
  await writeFile(
    path.join(credentials, "partner.json"),
    JSON.stringify({ partnerId: "fleet", brand: "fleet-dk", baseUrl: `https://localhost:${httpsPort}` }),
  );
}

async function tideline(...parameters: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path.join(root, "src/cli/tideline.mjs"), ...parameters],
    {
      env: { ...environment, TIDELINE_DATA_DIR: path.join(folder, "operator") },
      maxBuffer: 2 ** 26,
    },
  );
  return stdout;
}

async function count(from: string): Promise<number> {
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ n: string }>(`select count(*) as n from ${from}`);
    return Number(rows[0]?.n);
  } finally {
    await client.end();
  }
}

/** Gives up after five minutes: by then every lock has expired several times. */
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 300_000;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, `not within five minutes: ${what}; last words: ${said.slice(-4000)}`);
    await wait(100);
  }
}

function spawnChild(program: string, parameters: string[], output: "ignore" | "pipe"): ChildProcess {
  const child = spawn(program, parameters, { stdio: ["ignore", output, output], env: environment });
  children.push(child);
  return child;
}
