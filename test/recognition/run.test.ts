/**
 * A run makes the same services of any history, recognises all users anew under a new version, and tells what changed.
 */
import { createHash } from "node:crypto";
import { PassThrough } from "node:stream";
import test from "ava";
import { generateHousehold } from "../../fixtures/population.ts";
import type { RawTransaction } from "../../src/interface/record.ts";
import { inTransaction } from "../../src/database/database.ts";
import { createEvents } from "../../src/events.ts";
import { comparingServices } from "../../src/recognition/comparison.ts";
import { algorithmVersion } from "../../src/recognition/version.ts";
import { markOutdated, recogniseChanged } from "../../src/recognition/run.ts";
import { unpack } from "../../src/interface/packed.ts";
import type { Service } from "../../src/interface/services.ts";
import { changeBrandSettings } from "../../src/partners/provisioning.ts";
import { recogniserOf } from "../api/recognised.ts";
import { danishBrand } from "../parties.ts";
import fc from "../property.ts";
import { type LoadingWorld, openLoading } from "../workers/world.ts";
import { visibleListOf } from "./visible-list.ts";

const today = "2026-06-30";

test("history that comes in any order, in batches and twice makes the services that it makes at once", async (t) => {
  const world = await openLoading(t);
  const [once, often] = world.userIds as [number, number];
  const records = recordsOf(11);
  await world.load(records.map((record) => ({ ...record, uid: "u1" })));
  await recogniseAll(world, today);
  const expected = await documents(world, once);
  t.true(expected.length > 5);
  const arrivals = fc.sample(
    fc.tuple(
      fc.shuffledSubarray(records, { minLength: records.length }),
      fc.subarray(records),
      fc.nat({ max: records.length }),
    ),
    { numRuns: 4, seed: 5 },
  );
  for (const [shuffled, again, cut] of arrivals) {
    await world.database.query("delete from transactions where user_id = $1", [often]);
    await world.database.query("delete from services where user_id = $1", [often]);
    for (const batch of [shuffled.slice(0, cut), again, shuffled.slice(cut), again]) {
      await world.load(batch.map((record) => ({ ...record, uid: "u2" })));
      await recogniseAll(world, today);
    }
    t.deepEqual(await documents(world, often), expected);
  }
});

test("a new version of the algorithm is run in the background: users with new data first, reads undisturbed, changes told", async (t) => {
  const world = await openLoading(t);
  const [u1, u2] = world.userIds as [number, number];
  for (const uid of ["u1", "u2"]) await world.load(recordsOf(3).map((record) => ({ ...record, uid })));
  await recogniseAll(world, today);
  const before = await documents(world, u1);
  // As the earlier version left it: a service it did not see, one it saw that is none, another frequency, another
  // status.
  const [unseen, foreign, frequency, status] = before.map((service) => JSON.parse(service) as Service);
  const rename = (set: string, title: string) =>
    world.database.query(`update services set ${set} where user_id = $1 and document -> 'product' ->> 'title' = $2`, [
      u1,
      title,
    ]);
  await world.database.query("delete from services where user_id = $1 and document -> 'product' ->> 'title' = $2", [
    u1,
    unseen!.product.title,
  ]);
  await rename("key = 'none', txids = '{none}'", foreign!.product.title);
  await rename("payment_frequency = 'DAILY'", frequency!.product.title);
  await rename("status = 'CANCELLED'", status!.product.title);
  await world.database.query("update read_models set algorithm_version = 0");

  const clock = recogniserOf(world.database, today).clock;
  t.is(await markOutdated(world.database, clock, 100), 2);
  t.deepEqual(await documents(world, u1), before, "reads tell the earlier result until the new one is there");
  await world.load([
    { ...recordsOf(3)[0]!, uid: "u2" },
    { ...recordsOf(4)[0]!, uid: "u2" },
  ]);
  const logged: Record<string, unknown>[] = [];
  const destination = new PassThrough().on("data", (line: Buffer) =>
    logged.push(JSON.parse(line.toString()) as Record<string, unknown>),
  );
  const recognising = { ...recogniserOf(world.database, today), events: createEvents({ level: "info", destination }) };
  await world.database.query(
    "update changed_users set touched_at = now() - interval '1 minute' where touched_at > now() - interval '1 hour'",
  );
  t.deepEqual((await world.database.query("select user_id from changed_users order by touched_at desc")).rows, [
    { user_id: u2 },
    { user_id: u1 },
  ]);
  const order: number[] = [];
  t.is(
    await recogniseChanged({
      ...recognising,
      async recognise(task) {
        const waiting = await world.database.query<{ user_id: number }>("select user_id from changed_users");
        order.push(...waiting.rows.map(({ user_id }) => user_id), 0);
        return await recognising.recognise(task);
      },
    }),
    2,
  );
  t.deepEqual(order.slice(order.indexOf(0) + 1), [u1, 0], "the one with new data was taken first, alone");

  const [upgradedData, upgraded] = logged.filter(({ event }) => event === "recognition.upgraded");
  t.like(upgradedData, { users: 1, servicesGone: 0 });
  t.like(upgraded, {
    algorithmVersion,
    users: 1,
    servicesNew: 2,
    servicesGone: 1,
    frequenciesChanged: 1,
    statusesChanged: 1,
  });
  t.regex(await recognising.events.registry.metrics(), /tideline_recognition_upgrade_total\{change="users"\} 2/);
  t.deepEqual(await documents(world, u1), before);
  t.is(await markOutdated(world.database, clock, 100), 0);
  await world.database.query("update read_models set algorithm_version = 99");
  t.is(await markOutdated(world.database, clock, 100), 0, "an older process leaves what a newer one made");
});

test("what a new version alone sees is announced to nobody and wears no badge of a new subscription", async (t) => {
  const world = await openLoading(t);
  const [u1] = world.userIds as [number, number];
  await world.load(recordsOf(3).map((record) => ({ ...record, uid: "u1" })));
  await recogniseAll(world, today);
  await world.database.query(
    "update users set import_completed_at = now(), import_completed_on = '2020-01-01' where id = $1",
    [u1],
  );
  const forgetting = async (version: number): Promise<{ told: number; badges: number }> => {
    await world.database.query("delete from services where user_id = $1", [u1]);
    await world.database.query("delete from notifications");
    await world.database.query("update read_models set algorithm_version = $1", [version]);
    await markOutdated(world.database, recogniserOf(world.database, today).clock, 100);
    await world.database.query(
      `insert into changed_users (user_id, arrived, arrived_until) values ($1, '[]', now()) on conflict do nothing`,
      [u1],
    );
    await recogniseAll(world, today);
    const { rows } = await world.database.query<{ told: number; badges: number }>(
      `select (select count(*)::int from notifications) as told,
              (select count(*)::int from services
                where user_id = $1 and document::jsonb -> 'notifications' ? 'NEW_SUBSCRIPTION'
                  and first_detected_on > (document::jsonb ->> 'firstPaymentDate')::date + 30) as badges`,
      [u1],
    );
    return rows[0]!;
  };
  t.deepEqual(await forgetting(algorithmVersion - 1), { told: 0, badges: 0 });
  const same = await forgetting(algorithmVersion);
  t.true(same.told + same.badges > 0, "found by the same version they are news");
});

test("other thresholds of a brand make its users anew, and announce nothing", async (t) => {
  const world = await openLoading(t);
  const [u1] = world.userIds as [number, number];
  await world.load(recordsOf(3).map((record) => ({ ...record, uid: "u1" })));
  await recogniseAll(world, today);
  await world.database.query(
    "update users set import_completed_at = now(), import_completed_on = '2020-01-01' where id = $1",
    [u1],
  );
  const visible = async (features: object): Promise<number> => {
    const changed = await inTransaction(world.database, (transaction) =>
      changeBrandSettings(transaction, "bank", danishBrand.id, { ...features }, algorithmVersion),
    );
    t.not(changed, null);
    await recogniseAll(world, today);
    const { rows } = await world.database.query<{ visible: number }>(
      "select count(*) as visible from services where user_id = $1 and document ->> 'visibility' = 'VISIBLE'",
      [u1],
    );
    return rows[0]!.visible;
  };
  const usual = await visible({});
  const strict = await visible({ recognitionVisiblePercent: 99 });
  const back = await visible({ recognitionVisiblePercent: null });
  t.true(strict < usual);
  t.is(back, usual);
  t.deepEqual((await world.database.query("select type from notifications")).rows, []);
});

test("the list that is kept compressed stands under the digest of what is served, at first and when it changed", async (t) => {
  const world = await openLoading(t);
  const records = recordsOf(11).map((record) => ({ ...record, uid: "u1" }));
  const digests = new Set<string>();
  for (const some of [records.slice(0, 150), records.slice(150)]) {
    await world.load(some);
    await recogniseAll(world, today);
    const { rows } = await world.database.query<{ packed: Buffer; others: string; of: string; digest: string }>(
      'select services_visible_packed as packed, services_hidden::text || upcoming::text as others, packed_of as "of", digest from read_models where user_id = $1',
      [world.userIds[0]],
    );
    const [model] = rows;
    const text = unpack(model!.packed).toString() + model!.others;
    t.is(createHash("md5").update(text).digest("hex"), model!.digest);
    t.is(model!.of, model!.digest, "or it is never served");
    digests.add(model!.digest);
  }
  t.is(digests.size, 2);
});

test("a run over all users tells what it changed", async (t) => {
  const world = await openLoading(t);
  await world.load(recordsOf(3).map((record) => ({ ...record, uid: "u1" })));
  const first = await comparingServices(world.database, () => recogniseAll(world, today));
  t.is(first.result, 1);
  t.is(first.changes.servicesNew, (await documents(world, world.userIds[0]!)).length);
  await world.database.query("insert into changed_users (user_id, touched_at) values ($1, now() - interval '1 day')", [
    world.userIds[0],
  ]);
  const later = await comparingServices(world.database, () => recogniseAll(world, "2027-12-31"));
  t.like(later.changes, { servicesNew: 0, frequenciesChanged: 0 });
  t.true(later.changes.statusesChanged > 5, "time alone ends what is not paid any more");
});

function recordsOf(seed: number): RawTransaction[] {
  return generateHousehold(seed, 0, { months: 14, until: today, brand: "demo-dk" }).transactions;
}

async function recogniseAll(world: LoadingWorld, day: string): Promise<number> {
  await world.database.query("update changed_users set touched_at = now() - interval '1 minute'");
  return await recogniseChanged(recogniserOf(world.database, day));
}

/** Services without what is numbered by arrival. */
async function documents(world: LoadingWorld, userId: number): Promise<string[]> {
  const { services } = await visibleListOf(world.database, userId);
  // Ids are the user's own; what was taken over is told by its title.
  const titles = new Map<string | null | undefined, string>(services.map(({ id, product }) => [id, product.title]));
  return services
    .map((service) =>
      JSON.stringify({
        ...service,
        id: null,
        predecessorId: titles.get(service.predecessorId) ?? null,
        payments: service.payments.map((payment) => ({ ...payment, id: null })),
        refunds: service.refunds?.map((refund) => ({ ...refund, id: null })),
      }),
    )
    .toSorted();
}
