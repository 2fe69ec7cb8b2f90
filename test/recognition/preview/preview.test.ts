/** What recognition would find is found beside what is in force, goes on where it stopped, and is held against it. */
import test from "ava";
import { generateHousehold } from "../../../fixtures/population.ts";
import type { RawTransaction } from "../../../src/interface/record.ts";
import { compareRuns, findDiffering } from "../../../src/recognition/preview/compare.ts";
import { preview } from "../../../src/recognition/preview/preview.ts";
import { renderComparison } from "../../../src/recognition/preview/report.ts";
import {
  beginRun,
  findRun,
  forgetRun,
  keepInForce,
  listRuns,
  type Run,
  type RunSettings,
} from "../../../src/recognition/preview/runs.ts";
import { openConversion } from "../../../src/rates/conversion.ts";
import { recogniseChanged } from "../../../src/recognition/run.ts";
import { algorithmVersion } from "../../../src/recognition/version.ts";
import { recogniserOf } from "../../api/recognised.ts";
import { type LoadingWorld, openLoading } from "../../workers/world.ts";

const today = "2026-06-30";
const usual: RunSettings = { partnerId: null, asOf: null, askedPercent: null, visiblePercent: null };

test("a preview of what is in force finds the same, and leaves everything as it is", async (t) => {
  const world = await openRecognised(t);
  const before = await inForceOf(world);
  const run = await previewed(world, "same", usual);
  t.deepEqual({ ...run, id: 0, startedAt: null, finishedAt: null, lastUserId: 0 }, {
    ...usual,
    id: 0,
    name: "same",
    kind: "preview",
    algorithmVersion,
    startedAt: null,
    finishedAt: null,
    lastUserId: 0,
    users: world.userIds.length,
    listsUsers: false,
    putInForceAt: null,
  } as never);
  const compared = await compareRuns(world.database, "in force", run);
  t.true(compared.same > 10);
  t.is(compared.same, compared.before.services);
  t.deepEqual(compared.counts, { new: 0, gone: 0, frequency: 0, amount: 0, date: 0, status: 0, visibility: 0 });
  t.deepEqual(await inForceOf(world), before);
  t.deepEqual(await findDiffering(world.database, "in force", run, 10), []);
});

test("what differs is told service by service: new, gone, frequency, amount, date, status and visibility", async (t) => {
  const world = await openRecognised(t);
  const kept = await keepInForce(
    world.database,
    await beginRun(world.database, "kept", usual, { kind: "stored", algorithmVersion }),
  );
  const { rows } = await world.database.query<{ id: string }>(
    "select service_id as id from recognition_run_services order by service_id limit 6",
  );
  const [gone, frequency, amount, date, status, visibility] = rows.map(({ id }) => id);
  const change = (set: string, id: string | undefined) =>
    world.database.query(`update recognition_run_services set ${set} where service_id = $1`, [id]);
  await world.database.query("delete from recognition_run_services where service_id = $1", [gone]);
  await change("payment_frequency = 'DAILY'", frequency);
  await change("amount = amount + 0.01", amount);
  await change("next_on = next_on + 1", date);
  await change("status = 'CANCELLED'", status);
  await change("visibility = 'HIDDEN', amount = 1, currency = 'XAU'", visibility);
  await world.database.query(
    `insert into recognition_run_services
     select run_id, user_id, gen_random_uuid(), 'Foreign', payment_frequency, status, visibility, amount, currency, next_on, confidence
       from recognition_run_services where service_id = $1`,
    [frequency],
  );
  const compared = await compareRuns(world.database, kept, "in force");
  t.deepEqual(compared.counts, { new: 1, gone: 1, frequency: 1, amount: 2, date: 1, status: 1, visibility: 1 });
  const differing = await findDiffering(world.database, kept, "in force", 100);
  const told = new Map(differing.map((one) => [one.serviceId, one]));
  t.is(differing.length, 7);
  t.deepEqual(told.get(gone!)?.differences, ["new"], "what the earlier run lacks is new");
  t.is(told.get(gone!)?.before, null);
  t.deepEqual(told.get(visibility!)?.differences, ["amount", "visibility"]);
  t.is(told.get(frequency!)?.before?.paymentFrequency, "DAILY");
  t.deepEqual(
    differing.filter(({ after }) => after === null).map(({ before }) => before?.title),
    ["Foreign"],
  );
  const reversed = await compareRuns(world.database, "in force", kept);
  t.deepEqual(reversed.counts, compared.counts, "seen from the other side");
  const side = { name: "<b>", algorithmVersion: "1", asOf: today, thresholds: "as set" };
  const html = renderComparison(today, [side, side], compared, differing);
  t.true(html.includes("&#60;b&#62;") && !html.includes("<b>"));
  t.regex(html, /another frequency<\/text><rect [^>]+><text[^>]+>1</);
});

test("other thresholds ask about more and show less, and are another run", async (t) => {
  const world = await openRecognised(t);
  const strict = await previewed(world, "strict", { ...usual, visiblePercent: 99 });
  const compared = await compareRuns(world.database, "in force", strict);
  t.true(compared.after.visible < compared.before.visible);
  t.is(compared.after.services, compared.before.services);
  t.is(compared.counts.visibility, compared.before.visible - compared.after.visible);
  await t.throwsAsync(beginRun(world.database, "strict", usual, { kind: "preview", algorithmVersion }), {
    message: /There is a run "strict" already/,
  });
  t.deepEqual(
    (await listRuns(world.database)).map(({ name, users }) => [name, users]),
    [["strict", world.userIds.length]],
  );
  t.true(await forgetRun(world.database, "strict"));
  t.false(await forgetRun(world.database, "strict"));
  t.deepEqual((await world.database.query("select 1 from recognition_run_services")).rows, []);
  await t.throwsAsync(findRun(world.database, "strict"), { message: /There is no run "strict"/ });
});

test("a preview that was stopped goes on with the users that it had not reached", async (t) => {
  const world = await openRecognised(t);
  const whole = await previewed(world, "whole", usual);
  const stopped = await beginRun(world.database, "stopped", usual, { kind: "preview", algorithmVersion });
  const first = world.userIds[0]!;
  await world.database.query(
    `insert into recognition_run_services
     select $1, user_id, service_id, title, payment_frequency, status, visibility, amount, currency, next_on, confidence
       from recognition_run_services where run_id = $2 and user_id = $3`,
    [stopped.id, whole.id, first],
  );
  await world.database.query("update recognition_runs set last_user_id = $2, users = 1 where id = $1", [
    stopped.id,
    first,
  ]);
  t.is((await compareRuns(world.database, whole, await findRun(world.database, "stopped"))).users, 1, "what both have");
  const again = await previewed(world, "stopped", usual);
  t.deepEqual([again.id, again.users], [stopped.id, world.userIds.length]);
  const { counts, same } = await compareRuns(world.database, whole, again);
  t.deepEqual([Object.values(counts).reduce((sum, one) => sum + one, 0), same > 10], [0, true]);
});

async function openRecognised(t: Parameters<typeof openLoading>[0]): Promise<LoadingWorld> {
  const world = await openLoading(t);
  for (const [at, uid] of ["u1", "u2"].entries())
    await world.load(recordsOf(at + 3).map((record) => ({ ...record, uid })));
  await world.database.query("update changed_users set touched_at = now() - interval '1 minute'");
  await recogniseChanged(recogniserOf(world.database, today));
  return world;
}

async function previewed(world: LoadingWorld, name: string, settings: RunSettings): Promise<Run> {
  const { database } = world;
  const run = await beginRun(database, name, settings, { kind: "preview", algorithmVersion });
  const { clock, baseUrl } = recogniserOf(database, today);
  const { convert } = await (await openConversion(database)).current();
  await preview(
    { database, clock, baseUrl, convert },
    run,
    () => false,
    () => undefined,
  );
  return await findRun(database, name);
}

function recordsOf(seed: number): RawTransaction[] {
  return generateHousehold(seed, 0, { months: 14, until: today, brand: "demo-dk" }).transactions;
}

/** Whatever a run in force writes, as text. */
async function inForceOf({ database }: LoadingWorld): Promise<unknown[]> {
  const tables = ["services", "read_models", "packed_pasts", "notifications", "changed_users", "membership_alerts"];
  return await Promise.all(
    tables.map(async (table) => (await database.query(`select ${table}::text from ${table} order by 1`)).rows),
  );
}
