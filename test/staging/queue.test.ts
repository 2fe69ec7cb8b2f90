/** Each queued delivery is processed once on either queue, which survives lost servers and schemas. */
import { spawn, spawnSync } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import test, { type ExecutionContext } from "ava";
import { Redis } from "ioredis";
import type { Database } from "../../src/database/database.ts";
import { type Cluster, startCluster } from "../../src/database/embedded/cluster.ts";
import { isSqlState } from "../../src/database/sql-states.ts";
import { assertRedisAnswers, type IngestQueue, migrateQueue, openQueue } from "../../src/staging/queue.ts";
import { freePort } from "../ports.ts";
import { createTestDatabase } from "../world.ts";

/** AVA lists these as skipped on a machine without redis-server; CI installs one. */
const testOnRedis = spawnSync("redis-server", ["--version"]).status === 0 ? test : test.skip;

test("on Postgres, each queued delivery is processed once", async (t) => {
  const { urls } = await createTestDatabase(t);
  await eachOnce(t, openQueue({ databaseUrl: urls.jobs, ownerUrl: urls.migrator, redisUrl: undefined }));
});

test("on Postgres, a failed job is repeated", async (t) => {
  const { urls } = await createTestDatabase(t);
  await repeated(t, openQueue({ databaseUrl: urls.jobs, ownerUrl: urls.migrator, redisUrl: undefined }));
});

test("on Postgres, a cleared queue holds nothing and takes new jobs", async (t) => {
  const { urls } = await createTestDatabase(t);
  const queue = openQueue({ databaseUrl: urls.jobs, ownerUrl: urls.migrator, redisUrl: undefined });
  t.teardown(() => queue.close());
  await queue.add(["first", "second"]);
  await queue.clear();
  await queue.add(["second", "third"]);
  const processed: string[] = [];
  const both = Promise.withResolvers<void>();
  const stop = await queue.consume(
    async (id) => {
      processed.push(id);
      if (processed.length === 2) both.resolve();
      await Promise.resolve();
    },
    1,
    (error) => t.log(error.message),
  );
  await both.promise;
  await stop();
  t.deepEqual(processed, ["second", "third"]);
});

test("on Postgres, a queue whose schema was dropped is made anew, and its running worker goes on", async (t) => {
  const { urls, database } = await createTestDatabase(t);
  const queue = openQueue({ databaseUrl: urls.jobs, ownerUrl: urls.migrator, redisUrl: undefined });
  const taken = new Map(["before", "after"].map((id) => [id, Promise.withResolvers<void>()]));
  const stop = await queue.consume(
    async (id) => taken.get(id)?.resolve(),
    1,
    () => undefined,
  );
  await queue.add(["before"]);
  await taken.get("before")?.promise;
  await dropSchema(database);
  await queue.add(["after"]);
  await t.notThrowsAsync(taken.get("after")?.promise ?? Promise.reject(new Error("unknown")));
  await stop();
  await queue.close();
});

/** The running worker and the drop may each hold what the other wants next; whom the database then refuses asks again. */
async function dropSchema(database: Database): Promise<void> {
  for (;;) {
    try {
      await database.query("drop schema bullmq cascade");
      return;
    } catch (error) {
      if (!isSqlState(error, "deadlockDetected")) throw error;
    }
  }
}

test("on Postgres, a stop does not wait for a database that was lost in the middle of a job", async (t) => {
  const cluster = await startCluster(await temporaryFolder(t));
  await migrateQueue(cluster.url);
  const queue = openQueue({ databaseUrl: cluster.url, redisUrl: undefined });
  await queue.add(["interrupted"]);
  const lost = Promise.withResolvers<void>();
  const stop = await queue.consume(
    async () => await loseDatabase(cluster, lost.resolve),
    1,
    () => undefined,
  );
  await lost.promise;
  // By the time that so many calls have failed, so has the worker's first try to tell how its job ended.
  for (let call = 0; call < 50; call++) await t.throwsAsync(queue.add(["another"]));
  // BullMQ's own pause before it repeats is 15 s.
  const outcome = await Promise.race([stop().then(() => "stopped"), wait(12_000, "waited", { ref: false })]);
  t.is(outcome, "stopped");
  await queue.close();
});

test("on Postgres, a database that stops after its worker is no error", async (t) => {
  const cluster = await startCluster(await temporaryFolder(t));
  await migrateQueue(cluster.url);
  const queue = openQueue({ databaseUrl: cluster.url, redisUrl: undefined });
  await queue.add(["first"]);
  const processed = Promise.withResolvers<string>();
  const errors: string[] = [];
  const stop = await queue.consume(
    async (id) => processed.resolve(id),
    1,
    (error) => errors.push(error.message),
  );
  t.is(await processed.promise, "first");
  await stop();
  await cluster.stop();
  await queue.close();
  t.deepEqual(errors, []);
});

testOnRedis("on Redis, each queued delivery is processed once", async (t) => {
  await eachOnce(t, openQueue({ databaseUrl: "", redisUrl: await startRedis(t) }));
});

testOnRedis("on Redis, a failed job is repeated", async (t) => {
  await repeated(t, openQueue({ databaseUrl: "", redisUrl: await startRedis(t) }));
});

test("a Redis that does not answer is told at once, by name", async (t) => {
  await t.throwsAsync(assertRedisAnswers("redis://127.0.0.1:1"), {
    code: "QUEUE_UNREACHABLE",
    message: /ECONNREFUSED/,
  });
});

testOnRedis("a Redis that answers lets the start go on", async (t) => {
  await t.notThrowsAsync(assertRedisAnswers(await startRedis(t)));
});

async function eachOnce(t: ExecutionContext, queue: IngestQueue): Promise<void> {
  t.teardown(() => queue.close());
  await queue.add(["a-1", "a-1", "b-2"]);
  await queue.add(["b-2", "c-3"]);
  const processed: string[] = [];
  const allDone = Promise.withResolvers<void>();
  const stop = await queue.consume(
    async (id) => {
      processed.push(id);
      if (processed.length === 3) allDone.resolve();
      await Promise.resolve();
    },
    2,
    (error) => t.log(error.message),
  );
  await allDone.promise;
  await stop();
  t.deepEqual(processed.toSorted(), ["a-1", "b-2", "c-3"]);
}

async function repeated(t: ExecutionContext, queue: IngestQueue): Promise<void> {
  t.teardown(() => queue.close());
  await queue.add(["stumbles"]);
  let attempts = 0;
  const succeeded = Promise.withResolvers<void>();
  const stop = await queue.consume(
    async () => {
      attempts++;
      if (attempts === 1) throw new Error("the first attempt fails");
      succeeded.resolve();
      await Promise.resolve();
    },
    1,
    (error) => t.log(error.message),
  );
  await succeeded.promise;
  await stop();
  t.is(attempts, 2);
}

/** The database dies under a running job, which then fails. */
async function loseDatabase(cluster: Cluster, tell: () => void): Promise<never> {
  process.kill(cluster.pid, "SIGKILL");
  await cluster.lost;
  setImmediate(tell);
  throw new Error("the database is away");
}

async function temporaryFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-queue-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  // As root, PostgreSQL's account must pass through.
  await chmod(folder, 0o711);
  return folder;
}

/** A real redis-server on a free port. */
async function startRedis(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-redis-"));
  const port = await freePort();
  const server = spawn(
    "redis-server",
    ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "no"],
    { stdio: "ignore" },
  );
  t.teardown(async () => {
    server.kill();
    await rm(folder, { recursive: true, force: true });
  });
  const probe = new Redis(port, "127.0.0.1", { maxRetriesPerRequest: null });
  probe.on("error", () => undefined);
  await probe.ping();
  probe.disconnect();
  return `redis://127.0.0.1:${port}`;
}
