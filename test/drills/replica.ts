/**
 * Two APIs behind HAProxy that have callers' reads answered by an asynchronous standby, under load: each read sees what
 * the same user was told to be written just before, by whichever API. Then the standby stands still, is killed and comes
 * back, and nobody is answered wrongly or not at all.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Bank, push } from "../faults/sending.ts";
import { decide, openBudgets, type OpenTold } from "../faults/told.ts";
import { assertKept, callWithoutPause, Fleet, settle, startTraffic } from "./fleet.ts";
import { Postgres, urlsAt } from "./postgres.ts";
import { startRedis } from "./redis.ts";
import { onStage, secondsSince, until } from "./tools.ts";

export const summary =
  "reads by an asynchronous standby that see what was written just before; it stands still, is killed, comes back; --seconds 10";

const members = { "api-1": "api", "api-2": "api", sftp: "sftp", worker: "worker", scheduler: "scheduler" };
const apis = ["api-1", "api-2"];
const writersCount = 6;
const readersCount = 8;

type Part = { pairs: number; stale: number; failed: number; slowestMs: number; replica: number; primary: number };

export async function run(parameters: string[]): Promise<void> {
  const { values } = parseArgs({ args: parameters, options: { seconds: { type: "string", default: "10" } } });
  const partMs = Number(values.seconds) * 1000;
  await onStage("replica", async (stage) => {
    const primary = await Postgres.primary(stage, "primary");
    const standby = await Postgres.standbyOf(stage, primary, "standby");
    const redis = await startRedis(stage);
    const environment = { DATABASE_URL_API_REPLICA: standby.url("api") };
    const settings = { urls: urlsAt(primary), redisUrl: redis.url, members, environment, balanced: true };
    const fleet = await Fleet.open(stage, settings);
    const bank = await fleet.onboard("north", 5);
    const writers = Array.from({ length: writersCount }, (_, number) => `writer-${number}`);
    const budgets = await openBudgets(bank.partner, writers);
    await push(bank, [], writers);
    for (const budget of budgets)
      await until("the budget is made", async () => (await readStatus(bank, budget)) !== null, 240_000);
    const play = (what: string) => playPart(fleet, bank, budgets, partMs, what);
    const traffic = startTraffic(bank, 9);

    const following = await play("the standby follows");
    assert.ok(following.replica > following.primary, "most reads are the standby's");

    await standby.ask("select pg_wal_replay_pause()");
    const still = await play("it stands still");
    assert.ok(still.primary > still.replica, "a standby that stands still is not read");
    await standby.ask("select pg_wal_replay_resume()");
    await until("it is read again", () => isReadAgain(fleet, bank, budgets), 120_000, 500);

    const killing = wait(partMs / 4).then(() => standby.killHard());
    await play("it is killed");
    await killing;
    await standby.start();
    const backAt = performance.now();
    await until("it is read again", () => isReadAgain(fleet, bank, budgets), 240_000, 500);
    console.log(`started again: read again after ${secondsSince(backAt).toFixed(1)} s`);
    await traffic.finish();
    console.log(assertKept(await settle(bank, primary.lookUrl), bank));

    await measureCost(primary, standby, budgets, bank, partMs);
  });
}

/** Writes and reads of the same user in turn, through either API. */
async function playPart(
  fleet: Fleet,
  bank: Bank,
  budgets: readonly OpenTold[],
  forMs: number,
  what: string,
): Promise<Part> {
  const before = await countReads(fleet);
  const part = { pairs: 0, stale: 0, failed: 0, slowestMs: 0 };
  const over = performance.now() + forMs;
  await Promise.all(
    budgets.map(async (budget) => {
      while (performance.now() < over) {
        await decide(bank.partner, budget, 1);
        const at = performance.now();
        const status = await readStatus(bank, budget);
        part.slowestMs = Math.max(part.slowestMs, performance.now() - at);
        part.pairs += 1;
        if (status === null) part.failed += 1;
        else if (status !== budget.statuses.at(-1)) part.stale += 1;
      }
    }),
  );
  const after = await countReads(fleet);
  const found = { ...part, replica: after.replica - before.replica, primary: after.primary - before.primary };
  console.log(
    `${what}: ${found.pairs} reads right after a write, stale ${found.stale}, failed ${found.failed}, slowest ${found.slowestMs.toFixed(0)} ms; ` +
      `of all groups of reads ${found.replica} by the standby, ${found.primary} by the primary`,
  );
  assert.deepEqual({ stale: found.stale, failed: found.failed }, { stale: 0, failed: 0 });
  return found;
}

/** Null: the read was not served. */
async function readStatus(bank: Bank, { budgetId, token }: OpenTold): Promise<string | null> {
  const { status, text } = await bank.partner
    .call("GET", `/budgets/${budgetId}`, { token })
    .catch(() => ({ status: 0, text: "" }));
  if (status !== 200) return null;
  return (JSON.parse(text) as { status: string }).status;
}

async function isReadAgain(fleet: Fleet, bank: Bank, budgets: readonly OpenTold[]): Promise<boolean> {
  const before = await countReads(fleet);
  for (const budget of budgets) await readStatus(bank, budget);
  const after = await countReads(fleet);
  return after.replica - before.replica > after.primary - before.primary;
}

/** By both APIs. */
async function countReads(fleet: Fleet): Promise<{ replica: number; primary: number }> {
  const counts = { replica: 0, primary: 0 };
  for (const name of apis) {
    const port = fleet.members.get(name)?.observePort;
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(20_000) });
    const text = await answer.text();
    for (const by of ["replica", "primary"] as const)
      counts[by] += Number(new RegExp(`^tideline_reads_since_start\\{by="${by}"\\} (\\d+)`, "m").exec(text)?.[1] ?? 0);
  }
  return counts;
}

/** What a read costs the primary's processor, with the standby and without. */
async function measureCost(
  primary: Postgres,
  standby: Postgres,
  budgets: readonly OpenTold[],
  bank: Bank,
  forMs: number,
): Promise<void> {
  const costs: number[] = [];
  for (const what of ["by the standby", "by the primary"]) {
    if (what === "by the primary") await standby.killHard();
    for (const budget of budgets) await readStatus(bank, budget);
    const before = await callersSeconds(primary);
    const readers = Array.from({ length: readersCount }, (_, reader) => {
      const { token } = budgets[reader % budgets.length] ?? { token: "" };
      return callWithoutPause(async () => (await bank.partner.call("GET", "/transactions", { token })).status, 0);
    });
    await wait(forMs);
    const calls = (await Promise.all(readers.map((reader) => reader.stop()))).flat();
    const seconds = (await callersSeconds(primary)) - before;
    const failed = calls.filter(({ status }) => status !== 200).length;
    const cost = (seconds / calls.length) * 1000;
    costs.push(cost);
    console.log(
      `${calls.length} reads of transactions ${what}, failed ${failed}: ${cost.toFixed(3)} ms of the primary's processor each`,
    );
    assert.equal(failed, 0);
  }
  const [withIt = 0, without = 1] = costs;
  console.log(`with the standby a read costs the primary ${(withIt / without).toFixed(2)} of what it costs without`);
}

const ticksPerSecond = 100;

/** Of the connections that callers' statements run on. */
async function callersSeconds(primary: Postgres): Promise<number> {
  const rows = await primary.ask<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'tideline api'",
  );
  const seconds = await Promise.all(
    rows.map(async ({ pid }) => {
      const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).replace(/^.*\) /s, "").split(" ");
      return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
    }),
  );
  return seconds.reduce((sum, one) => sum + one, 0);
}
