/**
 * A primary with a synchronous standby behind HAProxy: the primary is killed under load, the standby promoted. Whatever
 * was acknowledged is there, once.
 */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createUsers } from "../faults/sending.ts";
import { freePort } from "../ports.ts";
import { assertKept, callWithoutPause, Fleet, secondsUntilServed, settle, startTraffic } from "./fleet.ts";
import { Postgres, urlsAt } from "./postgres.ts";
import { startRedis } from "./redis.ts";
import { findProgram, onStage, run as runProgram, secondsSince, type Stage, until } from "./tools.ts";

export const summary = "kills a PostgreSQL primary under load and promotes its synchronous standby";

const standbyName = "standby";
const workMs = 8000;
/** Of whatever watches the primary: three looks a second apart. */
const noticedAfterMs = 3000;

export async function run(): Promise<void> {
  const haproxy = await findProgram("haproxy");
  await onStage("promotion", async (stage) => {
    const primary = await Postgres.primary(stage, "primary");
    const standby = await Postgres.standbyOf(stage, primary, standbyName);
    await primary.ask(`alter system set synchronous_standby_names = '${standbyName}'`);
    await primary.ask("select pg_reload_conf()");
    await until("the standby is synchronous", async () => {
      const [one] = await primary.ask<{ sync_state: string }>("select sync_state from pg_stat_replication");
      return one?.sync_state === "sync";
    });
    const port = await startDatabaseProxy(stage, haproxy, primary.port, standby.port);
    const redis = await startRedis(stage);
    const members = { api: "api", sftp: "sftp", "worker-1": "worker", "worker-2": "worker", scheduler: "scheduler" };
    const fleet = await Fleet.open(stage, { urls: urlsAt(primary, port), redisUrl: redis.url, members });
    const bank = await fleet.onboard("north", 5);
    const token = await bank.partner.login(bank.users[0] ?? "");
    const traffic = startTraffic(bank, 3);
    const reading = callWithoutPause(async () => (await bank.partner.call("GET", "/transactions", { token })).status);
    let created = 0;
    const acknowledged: string[] = [];
    const writing = callWithoutPause(async () => {
      const bankUserId = `written-${(created += 1)}`;
      const body = { bankUserId, brand: bank.partner.brand.id, locale: bank.partner.brand.locale };
      const { status } = await bank.partner.call("POST", "/users", { body });
      if (status === 201) acknowledged.push(bankUserId);
      return status;
    });
    await wait(workMs);
    const killedAt = performance.now();
    await primary.killHard();
    await wait(noticedAfterMs);
    const promotedAt = performance.now();
    await standby.ask("select pg_promote(true, 60)");
    // Nobody confirms to it yet.
    await standby.ask("alter system set synchronous_standby_names = ''");
    await standby.ask("select pg_reload_conf()");
    console.log(
      `killed; noticed after ${noticedAfterMs / 1000} s (a rule of the drill); promoted in ${secondsSince(promotedAt).toFixed(1)} s`,
    );
    await until("writes are served", () => secondsUntilServed(writing.calls, promotedAt) !== null, 180_000);
    await until("reads are served", () => secondsUntilServed(reading.calls, promotedAt) !== null, 180_000);
    await wait(workMs);
    await traffic.finish();
    const [reads, writes] = [await reading.stop(), await writing.stop()];
    const told = (name: string, calls: typeof reads) =>
      `${name} ${secondsUntilServed(calls, killedAt)?.toFixed(1)} s after the kill, ${secondsUntilServed(calls, promotedAt)?.toFixed(1)} s after the promotion began`;
    console.log(`first ${told("read", reads)}; first ${told("write", writes)}`);
    console.log(assertKept(await settle(bank, standby.lookUrl), bank));
    const found = await standby.askService<{ id: string; n: string }>(
      "select bank_user_id as id, count(*) as n from users where bank_user_id like 'written-%' group by 1",
    );
    const counts = new Map(found.map(({ id, n }) => [id, Number(n)]));
    const lost = acknowledged.filter((id) => !counts.has(id)).length;
    const doubled = [...counts.values()].filter((n) => n > 1).length;
    console.log(`users created by calls: ${acknowledged.length} acknowledged, lost ${lost}, doubled ${doubled}`);
    assert.deepEqual({ lost, doubled }, { lost: 0, doubled: 0 });
    for (const name of fleet.members.keys()) assert.ok(fleet.member(name).isRunning, `${name} ended`);
    // Users can be made as before.
    await createUsers({ partner: bank.partner, users: ["after"] });
  });
}

/** The second is used while the first does not answer; sessions of a server that went end at once. */
export async function startDatabaseProxy(
  stage: Stage,
  haproxy: string,
  first: number,
  second: number,
): Promise<number> {
  const port = await freePort();
  const file = path.join(stage.folder, "haproxy.cfg");
  await writeFile(
    file,
    [
      "global",
      "  maxconn 2000",
      "defaults",
      "  mode tcp",
      "  timeout connect 3s",
      "  timeout client 1h",
      "  timeout server 1h",
      "listen postgres",
      `  bind 127.0.0.1:${port}`,
      "  option pgsql-check user postgres",
      "  default-server inter 1s fall 2 rise 2 on-marked-down shutdown-sessions",
      `  server first 127.0.0.1:${first} check`,
      `  server second 127.0.0.1:${second} check backup`,
      "",
    ].join("\n"),
  );
  await runProgram(haproxy, ["-c", "-f", file]);
  stage.spawn(haproxy, ["-db", "-f", file]);
  return port;
}
