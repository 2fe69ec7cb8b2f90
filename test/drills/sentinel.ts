/**
 * Redis with a replica and three Sentinels: the master is killed under load, and later the one that took over is too,
 * when the first is back as its replica.
 */
import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { assertKept, callWithoutPause, Fleet, settle, startTraffic } from "./fleet.ts";
import { Postgres, urlsAt } from "./postgres.ts";
import { askRedis, startRedis, startSentinels } from "./redis.ts";
import { onStage, secondsSince, until } from "./tools.ts";

export const summary = "the Redis of the queue fails over by Sentinel under load";

const masterName = "queue";
const workMs = 6000;

export async function run(): Promise<void> {
  await onStage("sentinel", async (stage) => {
    const postgres = await Postgres.primary(stage, "postgres");
    const first = await startRedis(stage);
    const second = await startRedis(stage, ["--replicaof", "127.0.0.1", String(first.port)]);
    await until("the replica has caught up", async () =>
      /master_link_status:up/.test(String(await askRedis(second.port, "info", "replication"))),
    );
    const sentinels = await startSentinels(stage, masterName, first);
    await until("the Sentinels know each other and the replica", async () => {
      const master = (await askRedis(sentinels[0] ?? 0, "sentinel", "master", masterName)) as string[];
      const field = (name: string) => master[master.indexOf(name) + 1];
      return field("num-other-sentinels") === "2" && field("num-slaves") === "1";
    });
    const redisUrl = `redis+sentinel://${sentinels.map((port) => `127.0.0.1:${port}`).join(",")}/${masterName}`;
    const members = { api: "api", sftp: "sftp", "worker-1": "worker", "worker-2": "worker", scheduler: "scheduler" };
    const fleet = await Fleet.open(stage, { urls: urlsAt(postgres), redisUrl, members });
    const bank = await fleet.onboard("north", 5);
    const traffic = startTraffic(bank, 4);
    let oldestSeconds = 0;
    // What is accepted goes on being loaded: how long the oldest has waited, as its bank would notice.
    const loading = callWithoutPause(async () => {
      const [{ late = 0 } = {}] = await postgres.askService<{ late: number }>(
        `select coalesce(max(extract(epoch from now() - accepted_at)), 0)::float8 as late
           from deliveries where state in ('accepted', 'loading')`,
      );
      oldestSeconds = Math.max(oldestSeconds, late);
      return 200;
    }, 250);
    await wait(workMs);
    const before = oldestSeconds;

    let [master, replica] = [first, second];
    for (const what of ["the master", "the one that took over"]) {
      oldestSeconds = 0;
      const killedAt = performance.now();
      await master.server.kill();
      await until(
        "another is the master",
        async () => /role:master/.test(String(await askRedis(replica.port, "info", "replication"))),
        60_000,
      );
      const promoted = secondsSince(killedAt);
      await until("the queue has a job of its", async () => Number(await askRedis(replica.port, "dbsize")) > 0, 60_000);
      const used = secondsSince(killedAt);
      await wait(workMs);
      console.log(
        `${what} killed: another promoted after ${promoted.toFixed(1)} s, used by the fleet after ${used.toFixed(1)} s; ` +
          `the oldest delivery waited ${oldestSeconds.toFixed(1)} s meanwhile (${before.toFixed(1)} s before)`,
      );
      [master, replica] = [replica, master];
      if (what === "the master") replica = await backAsReplica(replica.port, master.port);
    }
    await traffic.finish();
    await loading.stop();
    console.log(assertKept(await settle(bank, postgres.lookUrl), bank));
    for (const name of fleet.members.keys()) assert.ok(fleet.member(name).isRunning, `${name} ended`);

    async function backAsReplica(port: number, of: number) {
      const back = await startRedis(stage, ["--replicaof", "127.0.0.1", String(of)], port);
      await until("it has caught up", async () =>
        /master_link_status:up/.test(String(await askRedis(back.port, "info", "replication"))),
      );
      // Sentinels look for replicas every ten seconds.
      await until("the Sentinels know it as a replica that can take over", async () => {
        const replicas = (await askRedis(sentinels[0] ?? 0, "sentinel", "replicas", masterName)) as string[][];
        return replicas.some(
          (one) => one[one.indexOf("port") + 1] === String(port) && one[one.indexOf("flags") + 1] === "slave",
        );
      });
      return back;
    }
  });
}
