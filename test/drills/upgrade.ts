/**
 * From a former release to this one without a stop: the former one's own tests on the newer schema, then a fleet of it,
 * migrated by the newer release while clients are at work, and restarted process by process as the newer one.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { repository } from "../outside/service.ts";
import { assertKept, callWithoutPause, Fleet, settle, startTraffic } from "./fleet.ts";
import { type FormerRelease, unpackFormer } from "./former.ts";
import { Postgres, urlsAt } from "./postgres.ts";
import { startRedis } from "./redis.ts";
import { onStage, secondsSince, type Stage } from "./tools.ts";

export const summary =
  "a former release on the newer schema, and a fleet restarted into the newer one under load; --only tests|restart";

/**
 * Those that tell most of what a program does with the schema: load, refuse, recognise, notify, erase, serve. Not
 * those that hold a list of all tables against the schema: they are about its own, and rightly miss newer ones.
 */
const telling = [
  "test/landing/accept-file.test.ts",
  "test/landing/accept-request.test.ts",
  "test/ledger/post.test.ts",
  "test/ledger/withdraw.test.ts",
  "test/ledger/account-access.test.ts",
  "test/staging/dispatch.test.ts",
  "test/staging/loading.test.ts",
  "test/staging/imports.test.ts",
  "test/workers/ingest/*.test.ts",
  "test/recognition/run.test.ts",
  "test/notifications/deliver.test.ts",
  "test/data-subjects/erase.test.ts",
  "test/api/routes/services.test.ts",
  "test/api/routes/users.test.ts",
  "test/api/routes/transactions.test.ts",
];

/** Where a test of the former release looks into a table for what the newer schema keeps in another. */
const keptElsewhere = [
  {
    file: "test/workers/ingest/cancel.test.ts",
    there: "select 1 from released_accounts",
    here: "select 1 from held_records where due",
  },
];

const workMs = 8000;
/** A little more than the balancer takes to notice. */
const drainSeconds = "8";

export async function run(parameters: string[]): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: { only: { type: "string" } },
  });
  await onStage("upgrade", async (stage) => {
    const former = await unpackFormer(stage);
    console.log(`former release: ${former.commit.slice(0, 8)}, schema ${former.schema}`);
    if (values.only !== "restart") await runItsTests(former, telling);
    if (values.only !== "tests") await restartInto(stage, former);
  });
}

/** Its template database is made by this release: its schema, its rights. */
async function runItsTests(former: FormerRelease, files: readonly string[]): Promise<void> {
  const world = path.join(former.folder, "test/world.ts");
  const text = await readFile(world, "utf8");
  const own = 'from "../src/database/migrate.ts"';
  assert.ok(text.includes(own), "its tests make their template otherwise");
  await writeFile(world, text.replace(own, `from "${path.join(repository, "src/database/migrate.ts")}"`));
  for (const { file, there, here } of keptElsewhere) {
    const test = path.join(former.folder, file);
    await writeFile(test, (await readFile(test, "utf8")).replace(there, here));
  }
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["test/run.ts", ...files], {
    cwd: former.folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_ENV: "test" },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes: Buffer) => (said += bytes.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  const [, passed, failed] = /(\d+) passed, (\d+) failed/.exec(said) ?? [];
  console.log(
    `its own tests on this release's schema: ${passed} passed, ${failed} failed, in ${secondsSince(startedAt).toFixed(0)} s`,
  );
  assert.equal(code, 0, said.slice(-6000));
}

async function restartInto(stage: Stage, { folder: release, schema }: FormerRelease): Promise<void> {
  const postgres = await Postgres.primary(stage, "postgres");
  const redis = await startRedis(stage);
  const members = {
    "api-1": "api",
    "api-2": "api",
    "sftp-1": "sftp",
    "sftp-2": "sftp",
    "worker-1": "worker",
    "worker-2": "worker",
    scheduler: "scheduler",
  };
  const environment = { TIDELINE_DRAIN_SECONDS: drainSeconds };
  const settings = {
    urls: urlsAt(postgres),
    redisUrl: redis.url,
    members,
    environment,
    release,
    unknownSettings: ["TIDELINE_SFTP_INCOMPLETE_MINUTES"],
    balanced: true,
  };
  const fleet = await Fleet.open(stage, settings);
  const newest = async () =>
    (await postgres.askService<{ name: string }>("select max(name) as name from schema_migrations"))[0]?.name;
  assert.equal(await newest(), schema);
  const bank = await fleet.onboard("north", 5, release);
  const token = await bank.partner.login(bank.users[0] ?? "");
  const traffic = startTraffic(bank, 8);
  const reading = callWithoutPause(async () => (await bank.partner.call("GET", "/transactions", { token })).status);
  let made = 0;
  const writing = callWithoutPause(async () => {
    const body = { bankUserId: `made-${(made += 1)}`, brand: bank.partner.brand.id, locale: bank.partner.brand.locale };
    return (await bank.partner.call("POST", "/users", { body })).status;
  });
  await wait(workMs);
  const migratedAt = performance.now();
  // The newer release's own command; programs of the former go on working on what it leaves.
  await fleet.tideline("migrate");
  console.log(`migrated under load in ${secondsSince(migratedAt).toFixed(1)} s: ${schema} → ${await newest()}`);
  assert.notEqual(await newest(), schema);
  await wait(workMs);
  for (const name of Object.keys(members)) {
    const startedAt = performance.now();
    await fleet.restart(name);
    console.log(`${name} restarted in ${secondsSince(startedAt).toFixed(1)} s`);
  }
  await wait(workMs);
  await traffic.finish();
  const calls = [...(await reading.stop()), ...(await writing.stop())];
  const failed = calls.filter(({ status }) => status !== 200 && status !== 201);
  console.log(`calls meanwhile: ${calls.length}, failed ${failed.length}`);
  assert.deepEqual(failed, []);
  console.log(assertKept(await settle(bank, postgres.lookUrl), bank));
}
