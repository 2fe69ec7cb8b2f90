/**
 * A primary with an asynchronous standby behind HAProxy. The standby is cut off, the service goes on and acknowledges,
 * the primary is killed, and the standby that knows nothing of the last seconds is promoted. What it forgot is told;
 * files are taken up again from the vault by themselves; requests lie with their sender alone, who sends them again.
 */
import assert from "node:assert/strict";
import { connect, createServer, type Socket } from "node:net";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { keyOf } from "../faults/book.ts";
import { countUnfinished, findRows } from "../faults/found.ts";
import { makeRecords, type Request, sealRequest, type SentRecord } from "../faults/generated.ts";
import { createRandom } from "../faults/random.ts";
import { type Bank, pushSealed } from "../faults/sending.ts";
import { assertKept, callWithoutPause, Fleet, settle, startTraffic } from "./fleet.ts";
import { Postgres, urlsAt } from "./postgres.ts";
import { startDatabaseProxy } from "./promotion.ts";
import { startRedis } from "./redis.ts";
import { findProgram, onStage, type Stage, until } from "./tools.ts";

export const summary = "promotes a PostgreSQL standby that lagged, and counts what it forgot and what came back";

const workMs = 8000;
const lagMs = 6000;

export async function run(): Promise<void> {
  const haproxy = await findProgram("haproxy");
  await onStage("lagging", async (stage) => {
    const primary = await Postgres.primary(stage, "primary");
    const relay = await openRelay(stage, primary.port);
    const standby = await Postgres.standbyOf(stage, primary, "standby", [], relay.port);
    await until("the standby follows", async () => {
      const [one] = await primary.ask<{ state: string }>("select state from pg_stat_replication");
      return one?.state === "streaming";
    });
    const port = await startDatabaseProxy(stage, haproxy, primary.port, standby.port);
    const redis = await startRedis(stage);
    const members = { api: "api", sftp: "sftp", "worker-1": "worker", "worker-2": "worker", scheduler: "scheduler" };
    const fleet = await Fleet.open(stage, { urls: urlsAt(primary, port), redisUrl: redis.url, members });
    const bank = await fleet.onboard("north", 5);
    const files = startTraffic(bank, 4, { pushing: 0, uploading: 2, recordsMax: 120, pauseMs: 40, largeFile: 0 });
    const sent: SentRequest[] = [];
    const pushing = callWithoutPause(() => pushOne(bank, sent));
    await wait(workMs);
    relay.cut();
    const cutAt = Date.now();
    await wait(lagMs);
    await primary.killHard();
    const filesAcknowledged = bank.book.acknowledged.filter(({ door }) => door === "sftp").map((one) => one.reference);
    const requestsAcknowledged = [...sent];
    const known = await standby.askService<{ name: string | null; request: string | null }>(
      "select name, request_id as request from deliveries",
    );
    const [names, requests] = [new Set(known.map(({ name }) => name)), new Set(known.map(({ request }) => request))];
    const forgottenFiles = filesAcknowledged.filter((name) => !names.has(name));
    const forgottenRequests = requestsAcknowledged.filter(({ request }) => !requests.has(request.requestId));
    console.log(
      `acknowledged until the primary was killed: ${filesAcknowledged.length} files, ${requestsAcknowledged.length} requests; ` +
        `the standby, cut off ${((Date.now() - cutAt) / 1000).toFixed(1)} s before, knows nothing of ${forgottenFiles.length} files and ${forgottenRequests.length} requests`,
    );
    assert.ok(forgottenFiles.length > 0 && forgottenRequests.length > 0, "the standby forgot nothing");
    await standby.ask("select pg_promote(true, 60)");
    await wait(workMs);
    await pushing.stop();
    await files.finish();
    const takenUp = await toldTakenUp(fleet, forgottenFiles.length);
    await until("everything is loaded", async () => (await countUnfinished(standby.lookUrl)) === 0, 300_000, 100);
    await assertLostAreRequestsAlone(bank, standby.lookUrl, forgottenRequests);
    const answer = JSON.parse(await fleet.tideline("backup", "reconcile", "--dry-run", "--json")) as {
      takenUp: number;
      left: number;
    };
    assert.deepEqual({ takenUp: answer.takenUp, left: answer.left }, { takenUp: 0, left: 0 });
    console.log(
      `told and taken up again: ${takenUp.files} files; had come again: ${takenUp.cameAgain}; left: ${answer.left}`,
    );
    for (const { request } of forgottenRequests) await pushSealed(bank, request);
    console.log(
      `${forgottenRequests.length} requests sent again by their sender; then ${assertKept(await settle(bank, standby.lookUrl), bank)}`,
    );
    for (const name of fleet.members.keys()) assert.ok(fleet.member(name).isRunning, `${name} ended`);
  });
}

type SentRequest = { request: Request; records: readonly SentRecord[] };

const random = createRandom(5);

/** @returns 201 once it is acknowledged */
async function pushOne(bank: Bank, sent: SentRequest[]): Promise<number> {
  const records = makeRecords(random, bank.users, random.between(1, 120));
  const request = sealRequest(
    bank.key,
    records.map((one) => one.json),
  );
  bank.book.offer(records);
  await pushSealed(bank, request);
  const expected = { records: records.length, markers: 0, refused: 0 };
  bank.book.owe(records, { door: "https", reference: request.requestId, expected });
  sent.push({ request, records });
  return 201;
}

/** By the scheduler's own word. Files that were under way when the server went may be among them. */
async function toldTakenUp(fleet: Fleet, atLeast: number): Promise<{ files: number; cameAgain: number }> {
  let told = { files: 0, cameAgain: 0 };
  await until("the scheduler tells what it took up", async () => {
    const events = (await fleet.events("scheduler", "vault.taken-up")) as { files: number; cameAgain: number }[];
    told = {
      files: events.reduce((sum, one) => sum + one.files, 0),
      cameAgain: events.reduce((sum, one) => sum + one.cameAgain, 0),
    };
    return told.files + told.cameAgain >= atLeast;
  });
  return told;
}

async function assertLostAreRequestsAlone(bank: Bank, url: string, forgotten: readonly SentRequest[]): Promise<void> {
  const rows = await findRows(url, bank.partner.id, bank.book);
  const there = new Set(rows.map(keyOf));
  const lost = [...bank.book.owed].filter((key) => !there.has(key));
  const ofRequests = new Set(forgotten.flatMap(({ records }) => records.map(keyOf)));
  const others = lost.filter((key) => !ofRequests.has(key));
  console.log(`lost with the old primary: ${lost.length} records, all of requests: ${others.length === 0}`);
  assert.equal(others.length, 0, `lost beyond forgotten requests: ${others.slice(0, 5).join(", ")}`);
}

/** Between primary and standby, as a network that can be cut. */
async function openRelay(stage: Stage, target: number): Promise<{ port: number; cut(): void }> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(target, "127.0.0.1");
    for (const one of [near, far]) {
      sockets.add(one);
      one.on("error", () => undefined).on("close", () => void sockets.delete(one));
    }
    near.pipe(far).pipe(near);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    isCut = true;
    for (const one of sockets) one.destroy();
  };
  stage.atEnd(async () => {
    cut();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the relay has no port");
  return { port: address.port, cut };
}
