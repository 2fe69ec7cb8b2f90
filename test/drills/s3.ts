/**
 * A vault in a bucket of Swift, a fleet that uses it and clients at work: the store hangs, then nobody listens where it
 * was, then it is back. Whatever was acknowledged is loaded, once, and nobody has to do anything. Then the
 * key-encryption key is changed, and by the next one alone what the database has forgotten is taken up from the bucket.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openOrigin } from "../../src/landing/origin.ts";
import { type ObjectStore, openObjectStore } from "../../src/vault/object-store.ts";
import type { S3Settings } from "../../src/vault/settings.ts";
import { besideEndings, confirmedEnding, originEnding } from "../../src/vault/vault.ts";
import { assertKept, Fleet, settle, startTraffic } from "./fleet.ts";
import { Postgres, urlsAt } from "./postgres.ts";
import { startRedis } from "./redis.ts";
import { startSwift, type Swift } from "./swift.ts";
import { onStage, secondsSince, until } from "./tools.ts";
import { ordinaryTraffic } from "../faults/traffic.ts";

export const summary = "a vault in S3 (Swift) that is away for some minutes under load; --minutes 5";

const workMs = 10_000;
/** More than one part of a bucket's smallest. */
const largeFileRecords = 130_000;
const bucket = "tideline-drill";

export async function run(parameters: string[]): Promise<void> {
  const { values } = parseArgs({ args: parameters, options: { minutes: { type: "string", default: "5" } } });
  const awayMs = Number(values.minutes) * 60_000;
  await onStage("s3", async (stage) => {
    const swift = await startSwift(stage);
    const settings = settingsOf(swift);
    await makeBucket(settings);
    const postgres = await Postgres.primary(stage, "postgres");
    const redis = await startRedis(stage);
    const members = { api: "api", sftp: "sftp", "worker-1": "worker", "worker-2": "worker", scheduler: "scheduler" };
    const environment = {
      TIDELINE_VAULT_S3_URL: `s3://${bucket}/vault`,
      TIDELINE_VAULT_S3_ENDPOINT: swift.endpoint,
      TIDELINE_VAULT_S3_ACCESS_KEY_ID: swift.accessKeyId,
      TIDELINE_VAULT_S3_SECRET_ACCESS_KEY: swift.secretAccessKey,
      TIDELINE_VAULT_S3_PART_BYTES: String(settings.partBytes),
      TIDELINE_VAULT_S3_ANSWERS_SECONDS: "5",
    };
    const fleet = await Fleet.open(stage, { urls: urlsAt(postgres), redisUrl: redis.url, members, environment });
    console.log((await fleet.tideline("check-config")).split("\n").at(-2));
    const bank = await fleet.onboard("north", 5);
    const traffic = startTraffic(bank, 6, { ...ordinaryTraffic, largeFile: largeFileRecords });
    await wait(workMs);
    const acknowledged = () => bank.book.acknowledged.length;
    const before = acknowledged();

    const awayAt = performance.now();
    swift.hang();
    await until("the workers say that it is away", () => allSay("away"), 240_000);
    console.log(`the store hangs: told after ${secondsSince(awayAt).toFixed(1)} s`);
    assert.equal(await fleet.isReady("worker-1", "/writes"), false);
    assert.equal(await fleet.isReady("worker-1", "/reads"), true);
    assert.equal(await fleet.isReady("sftp", "/writes"), false);
    await wait(Math.max(0, awayMs / 2 - (performance.now() - awayAt)));
    await swift.kill();
    await wait(awayMs / 2);
    const meanwhile = acknowledged() - before;
    const waiting = await countWaiting();
    await swift.start();
    const backAt = performance.now();
    await until("the workers say that it is back", () => allSay("returned"), 240_000);
    console.log(`back after ${(awayMs / 60_000).toFixed(1)} min: told after ${secondsSince(backAt).toFixed(1)} s`);
    await until("what waited is loaded", async () => (await countLoadedOf(waiting)) === waiting.length, 300_000);
    console.log(
      `${meanwhile} deliveries acknowledged while it was away; ${waiting.length} files waited and were loaded ${secondsSince(backAt).toFixed(1)} s after it was back`,
    );
    assert.equal(await fleet.isReady("worker-1", "/writes"), true);
    await wait(workMs);
    await traffic.finish();
    console.log(assertKept(await settle(bank, postgres.lookUrl), bank));
    const [failed] = await postgres.askService<{ n: string }>(
      "select count(*) as n from deliveries where refusal_code in ('LOAD_ABANDONED', 'VAULT_GONE')",
    );
    assert.equal(failed?.n, "0", "no delivery is given up for it");
    const store = openObjectStore(settings);
    await changeKey({ fleet, postgres, store });
    console.log(`taken up again: ${assertKept(await settle(bank, postgres.lookUrl), bank)}`);
    await judgeStored();
    store.close();

    async function allSay(what: "away" | "returned"): Promise<boolean> {
      const told = await Promise.all(
        ["worker-1", "worker-2", "sftp", "scheduler"].map((name) => fleet.events(name, `vault.${what}`)),
      );
      return told.every((events) => events.length > 0);
    }
    async function countWaiting(): Promise<string[]> {
      const rows = await postgres.askService<{ id: string }>(
        "select id from deliveries where state in ('accepted', 'loading') and vault_reference is not null",
      );
      return rows.map(({ id }) => id);
    }
    async function countLoadedOf(ids: readonly string[]): Promise<number> {
      if (ids.length === 0) return 0;
      const [row] = await postgres.askService<{ n: string }>(
        `select count(*) as n from deliveries where state = 'loaded' and id in (${ids.map((id) => `'${id}'`).join(",")})`,
      );
      return Number(row?.n);
    }

    /** Each large file once, the small ones beside their rows; removed again by retention. */
    async function judgeStored(): Promise<void> {
      const keys: string[] = [];
      let largest = 0;
      for await (const { key, sizeBytes } of store.list("vault/2")) {
        keys.push(key);
        largest = Math.max(largest, sizeBytes);
      }
      const rows = await postgres.askService<{ reference: string }>(
        `select vault_reference as reference from deliveries
          where vault_reference is not null
            and not exists (select 1 from delivery_bodies where delivery_id = deliveries.id)`,
      );
      const kept = new Set(keys.map((key) => key.slice("vault/".length)));
      const lacking = rows.filter(({ reference }) => !kept.has(reference)).length;
      const onDisk = await swift.filesOnDisk();
      const beginnings = await beginningsOf(store, keys);
      const readable = onDisk.filter((bytes) => beginnings.some((begin) => bytes.includes(begin))).length;
      console.log(
        `${keys.length} objects, the largest with ${(largest / 2 ** 20).toFixed(1)} MiB (parts of ${settings.partBytes / 2 ** 20} MiB); ` +
          `${rows.length} deliveries lie there, lacking ${lacking}; of ${onDisk.length} files on Swift's disk ${readable} hold the beginning of one that was delivered`,
      );
      assert.ok(beginnings.length > 0, "no file's beginning could be looked for");
      assert.deepEqual({ lacking, readable }, { lacking: 0, readable: 0 });
      assert.ok(largest > settings.partBytes, "a file came in parts");
      await postgres.askService("update deliveries set finished_at = now() - interval '400 days'");
      await fleet.tideline("retention", "run");
      const left: string[] = [];
      for await (const { key } of store.list("vault/2")) left.push(key);
      console.log(`after retention: ${left.length} objects`);
      assert.deepEqual(left, []);
    }
  });
}

/**
 * As docs/operations.md has it for keys of the environment; then what the database has forgotten is taken up from the
 * bucket by the next key alone.
 */
async function changeKey({
  fleet,
  postgres,
  store,
}: {
  fleet: Fleet;
  postgres: Postgres;
  store: ObjectStore;
}): Promise<void> {
  const origins = await keysEndingIn(store, originEnding);
  const marks = await keysEndingIn(store, confirmedEnding);
  assert.ok(origins.length > 0, "no file of the bucket says whose it is");
  const next = randomBytes(32);
  fleet.environment.TIDELINE_KEY_ENCRYPTION_KEYS_ALSO = fleet.environment.TIDELINE_KEY_ENCRYPTION_KEY ?? "";
  fleet.environment.TIDELINE_KEY_ENCRYPTION_KEY = next.toString("base64");
  for (const name of fleet.members.keys()) await fleet.restart(name);
  const startedAt = performance.now();
  const rotated = JSON.parse(await fleet.tideline("keys", "rotate", "--json")) as { origins: number };
  console.log(
    `${origins.length} origins and ${marks.length} marks of ${await countKept(postgres)} files in the bucket; ` +
      `the next key sealed ${rotated.origins} origins anew in ${secondsSince(startedAt).toFixed(1)} s`,
  );
  assert.equal(rotated.origins, origins.length);
  for (const key of origins) {
    const sealed = (await store.readBytes(key)) ?? Buffer.alloc(0);
    openOrigin(next, path.basename(key, originEnding), sealed);
  }
  assert.deepEqual(await keysEndingIn(store, confirmedEnding), marks);
  delete fleet.environment.TIDELINE_KEY_ENCRYPTION_KEYS_ALSO;
  for (const name of fleet.members.keys()) await fleet.restart(name);

  const forgotten = await postgres.askService<{ id: string }>(
    `with forgotten as (
       select id
         from deliveries
        where vault_reference is not null
          and door = 'sftp'
          and not exists (select 1 from delivery_bodies where delivery_id = deliveries.id)
     ),
     batches as (delete from requests where delivery_id in (select id from forgotten))
     delete from deliveries where id in (select id from forgotten) returning id`,
  );
  const answer = JSON.parse(await fleet.tideline("backup", "reconcile", "--json")) as {
    takenUp: number;
    cameAgain: number;
    left: number;
  };
  console.log(
    `${forgotten.length} files forgotten by the database: taken up ${answer.takenUp}, came again ${answer.cameAgain}, left ${answer.left}`,
  );
  assert.ok(forgotten.length > 0);
  assert.deepEqual(
    { taken: answer.takenUp + answer.cameAgain, left: answer.left },
    { taken: forgotten.length, left: 0 },
  );
}

async function countKept(postgres: Postgres): Promise<number> {
  const [row] = await postgres.askService<{ n: string }>(
    `select count(*) as n from deliveries
      where vault_reference is not null
        and not exists (select 1 from delivery_bodies where delivery_id = deliveries.id)`,
  );
  return Number(row?.n);
}

/** Of what was delivered: shorter ones would be found in ten megabytes of anything. */
const beginningBytes = 24;

async function beginningsOf(store: ObjectStore, keys: readonly string[]): Promise<Buffer[]> {
  const files = keys.filter((key) => !besideEndings.some((ending) => key.endsWith(ending)));
  const read = await Promise.all(files.map((key) => store.readBytes(key)));
  return read.filter((bytes) => bytes !== null).map((bytes) => bytes.subarray(0, beginningBytes));
}

async function keysEndingIn(store: ObjectStore, ending: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of store.list("vault/2")) if (key.endsWith(ending)) found.push(key);
  return found.sort();
}

function settingsOf({ endpoint, accessKeyId, secretAccessKey }: Swift): S3Settings {
  return {
    bucket,
    prefix: "vault/",
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId, secretAccessKey },
    encryption: "none",
    partBytes: 5 * 1024 * 1024,
    answersWithinMs: 20_000,
  };
}

/** As an operator would, beforehand. */
async function makeBucket({ endpoint, region, credentials }: S3Settings): Promise<void> {
  const { S3Client, CreateBucketCommand } = await import("@aws-sdk/client-s3");
  const client = new S3Client({
    region,
    forcePathStyle: true,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
  });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
}
