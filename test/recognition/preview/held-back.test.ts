/**
 * A version that is not put in force: whom it sees no differently goes on with it, whom it sees differently stays as it
 * is until it holds, and nobody is told of it.
 */
import test from "ava";
import { inTransaction } from "../../../src/database/database.ts";
import { eraseDeleted } from "../../../src/data-subjects/erase.ts";
import type { RawTransaction } from "../../../src/interface/record.ts";
import { createEvents } from "../../../src/events.ts";
import { countHeld, markChanged } from "../../../src/partners/changed-users.ts";
import { putRecognitionInForce } from "../../../src/partners/provisioning.ts";
import { compareRuns } from "../../../src/recognition/preview/compare.ts";
import {
  beginRun,
  countWaiting,
  findRun,
  forgetOldRuns,
  notePutInForce,
} from "../../../src/recognition/preview/runs.ts";
import { markOutdated, recogniseChanged, refreshUser, renewUser } from "../../../src/recognition/run.ts";
import { algorithmVersion } from "../../../src/recognition/version.ts";
import { recogniserOf } from "../../api/recognised.ts";
import type { LoadingWorld } from "../../workers/world.ts";
import {
  earlier,
  heldUsers,
  leftByEarlier,
  openRecognisedUsers,
  openUpgraded,
  recognise,
  recordsOf,
  set,
  settle,
  today,
} from "./upgraded.ts";

const runName = `version-${algorithmVersion}-bank`;
/** No version is in force: the program's, and thresholds as the brand sets them. */
const asItIs = { algorithmVersion, askedPercent: null, visiblePercent: null };

test("whom a version sees differently that is not put in force stays as it is; everybody else goes on with it", async (t) => {
  const { world, differing, same } = await openUpgraded(t);
  const before = await stateOf(world, differing);
  const sameBefore = await stateOf(world, same);
  const logged: Record<string, unknown>[] = [];
  await recognise(world, logged);
  t.deepEqual(await heldUsers(world), [differing]);
  t.deepEqual(await stateOf(world, differing), before);
  t.deepEqual(await versionsOf(world), [earlier, algorithmVersion]);
  t.deepEqual((await stateOf(world, same)).services, sameBefore.services, "what it sees is what was there");
  t.deepEqual(await told(world), []);
  t.deepEqual(
    logged.filter(({ event }) => event === "recognition.held").map(({ users }) => users),
    [1],
  );

  const run = await findRun(world.database, runName);
  t.like(run, { users: 1, listsUsers: true, kind: "preview", partnerId: "bank", algorithmVersion });
  t.truthy(run.finishedAt);
  const compared = await compareRuns(world.database, "in force", run);
  t.like(compared, { users: 1, usersDiffering: 1, counts: { new: 1, gone: 0, frequency: 1 } });
  t.true(compared.same > 3);
  t.is(await countWaiting(world.database, run), 1);
});

test("what comes for a user who is held waits, over restarts and side by side, and others' payments are recognised", async (t) => {
  const { world, differing, same, unseen } = await openUpgraded(t);
  await recognise(world);
  const before = await stateOf(world, differing);
  const sameBefore = await stateOf(world, same);
  await world.load(nextPaymentsOf(3, "u1"));
  await world.load(nextPaymentsOf(4, "u2"));
  await settle(world);
  const recognising = recogniserOf(world.database, "2026-07-31");
  await Promise.all([recogniseChanged(recognising, () => false, 2), recogniseChanged(recognising, () => false, 2)]);
  await recognise(world, [], "2026-07-31");
  t.deepEqual(await heldUsers(world), [differing]);
  t.deepEqual(await stateOf(world, differing), before, "nothing of what came, and no later day");
  t.notDeepEqual((await stateOf(world, same)).services, sameBefore.services);

  const ids = await idsOf(world, differing);
  t.deepEqual(await inTransaction(world.database, (one) => putRecognitionInForce(one, "bank", asItIs)), {
    brands: 1,
    held: 1,
  });
  await recognise(world, [], "2026-07-31");
  t.deepEqual(await heldUsers(world), []);
  t.deepEqual(await versionsOf(world), [algorithmVersion, algorithmVersion]);
  const after = await idsOf(world, differing);
  t.deepEqual(
    ids.filter((id) => !after.includes(id)),
    [],
    "services keep their ids",
  );
  const fresh = await world.database.query<{ id: string }>(
    "select id from services where user_id = $1 and txids @> $2 and document is not null",
    [differing, unseen],
  );
  t.true(unseen.length > 0);
  t.is(fresh.rows.length, 1, "and the one that it alone sees is there");
  const [{ id: freshId } = { id: "" }] = fresh.rows;
  t.false(ids.includes(freshId));
  const others = after.filter((id) => id !== freshId && !ids.includes(id));
  const withoutNews = await world.database.query(
    "select from services where id = any($1) and not exists (select from unnest(txids) as txid where txid like '%-next')",
    [others],
  );
  t.is(withoutNews.rowCount, 0, "any other begins with what had waited");
  t.true((await paidSince(world, differing)) > 0, "with what had waited");
  t.deepEqual(await badgesSeenAnew(world, differing), 0, "what it alone sees wears no badge of something new");
});

test("what was found differently can still be told once it is in force", async (t) => {
  const { world, differing } = await openUpgraded(t);
  await recognise(world);
  const run = await findRun(world.database, runName);
  const before = await findRun(world.database, `${runName}-before`);
  const compared = await compareRuns(world.database, before, run);
  await inTransaction(world.database, async (one) => {
    await putRecognitionInForce(one, null, asItIs);
    await notePutInForce(one, run);
  });
  await recognise(world);
  t.deepEqual(await compareRuns(world.database, before, run), compared);
  const later = await compareRuns(world.database, "in force", await findRun(world.database, runName));
  t.is(later.usersDiffering, 0, "what holds is what was looked at");

  await forgetOldRuns(world.database, algorithmVersion);
  t.truthy(await findRun(world.database, runName));
  await world.database.query(
    "update recognition_runs set put_in_force_at = put_in_force_at - interval '91 days', started_at = started_at - interval '91 days'",
  );
  await forgetOldRuns(world.database, algorithmVersion);
  await t.throwsAsync(findRun(world.database, runName), { message: /no run/ });
  await t.throwsAsync(findRun(world.database, `${runName}-before`), { message: /no run/ });
  t.is((await world.database.query("select from recognition_run_users where user_id = $1", [differing])).rowCount, 0);
});

test("nobody is held of whom more changed than that payments came", async (t) => {
  const { world, differing } = await openUpgraded(t);
  const isHeld = async (): Promise<boolean> => {
    await recognise(world);
    return (await heldUsers(world)).includes(differing);
  };
  const anew = async (): Promise<void> => {
    await leftByEarlier(world, differing);
    t.true(await isHeld());
  };
  await anew();
  await inTransaction(world.database, (one) => markChanged(one, [differing]));
  t.false(await isHeld(), "rows changed, were withdrawn, or an account was taken away");

  await anew();
  const recognising = recogniserOf(world.database, today);
  await renewUser(recognising, differing);
  t.deepEqual(await heldUsers(world), [differing], "nobody decided anything");
  await refreshUser(recognising, differing);
  t.deepEqual(await heldUsers(world), [], "the user decided something and sees it at once");

  await anew();
  await world.database.query("update changed_users set touched_at = now() where user_id = $1", [differing]);
  await markOutdated(world.database, recognising.clock, 100);
  t.false(await isHeld(), "an older process touched the user and did not say why");

  await anew();
  await world.database.query("update changed_users set held_for = $1", [earlier]);
  await world.database.query("update services set document = null, status = null, payment_frequency = null");
  await markOutdated(world.database, recognising.clock, 100);
  t.is(await countHeld(world.database, "bank"), 0, "a newer version than the one that held the user looks itself");
  t.true(await isHeld());
  const run = await findRun(world.database, runName);
  t.is((await compareRuns(world.database, "in force", run)).before.services, 0, "and what it finds is kept");
});

test("a user without figures is made by the version there is", async (t) => {
  const { world } = await openUpgraded(t);
  await world.load(recordsOf(5).map((record) => ({ ...record, uid: "u3" })));
  await recognise(world);
  const { rows } = await world.database.query<{ services: number }>(
    "select count(*) as services from services where user_id = $1",
    [world.userIds[2]],
  );
  t.true((rows[0]?.services ?? 0) > 3);
});

test("back to at once, everybody who was held is made anew", async (t) => {
  const { world, differing } = await openUpgraded(t);
  await recognise(world);
  t.deepEqual(await heldUsers(world), [differing]);
  await set(world, { recognitionRollout: "immediate" });
  await recognise(world);
  t.deepEqual(await heldUsers(world), []);
  t.deepEqual(await versionsOf(world), [algorithmVersion, algorithmVersion]);
  t.deepEqual(await told(world), []);
  const { rows } = await world.database.query("select features from brands");
  t.deepEqual(rows, [{ features: { recognitionRollout: "immediate" } }]);
});

test("other thresholds do not hold before they are put in force, and runs go on with those that do", async (t) => {
  const world = await openRecognisedUsers(t);
  await set(world, { recognitionRollout: "preview" });
  await recognise(world);
  const visible = async (): Promise<number> => {
    const { rows } = await world.database.query<{ visible: number }>(
      "select count(*) as visible from services where document ->> 'visibility' = 'VISIBLE'",
    );
    return rows[0]?.visible ?? 0;
  };
  const usual = await visible();
  await set(world, { recognitionVisiblePercent: 99 });
  await world.load(nextPaymentsOf(3, "u1"));
  await recognise(world, [], "2026-07-31");
  t.true((await visible()) >= usual - 1, "payments that came are recognised");
  t.true((await visible()) > usual / 2);
  t.deepEqual(await heldUsers(world), []);
  const shown = await visible();
  await recognise(world, [], "2026-07-31");
  t.is(await visible(), shown);
  await inTransaction(world.database, (one) => putRecognitionInForce(one, "bank", asItIs));
  await recognise(world, [], "2026-07-31");
  t.true((await visible()) < shown);

  await inTransaction(world.database, (one) =>
    putRecognitionInForce(one, "bank", { ...asItIs, visiblePercent: 90, askedPercent: 60 }),
  );
  const { rows } = await world.database.query<{ features: object }>("select features from brands");
  t.deepEqual(rows[0]?.features, {
    recognitionRollout: "preview",
    recognitionVisiblePercent: 90,
    recognitionAskedPercent: 60,
    recognitionInForce: { algorithmVersion, askedPercent: 60, visiblePercent: 90 },
  });
});

test("names that the service gives its own runs are its alone, and an erased user is in none of them", async (t) => {
  const { world, differing } = await openUpgraded(t);
  const settings = { partnerId: "bank", asOf: null, askedPercent: null, visiblePercent: null };
  await t.throwsAsync(beginRun(world.database, "version-8-bank", settings, { kind: "preview", algorithmVersion }), {
    code: "COMMAND_USAGE",
  });
  await recognise(world);
  await world.database.query("update users set deleted_at = now() - interval '400 days' where id = $1", [differing]);
  const events = createEvents({ level: "silent" });
  await eraseDeleted({ database: world.database, events, now: new Date() }, "test");
  for (const table of ["recognition_run_users", "recognition_run_services", "changed_users"]) {
    const { rowCount } = await world.database.query(`select from ${table} where user_id = $1`, [differing]);
    t.is(rowCount, 0, table);
  }
});

/** Each of the last month's payments once more, a month later. */
function nextPaymentsOf(seed: number, uid: string): RawTransaction[] {
  return recordsOf(seed)
    .flatMap((record) => (record.tx === undefined ? [] : [{ ...record, uid, tx: record.tx }]))
    .filter(({ tx }) => tx.txTime.startsWith("2026-06"))
    .slice(0, 60)
    .map(({ tx, ...record }) => ({
      ...record,
      tx: {
        ...tx,
        txid: `${tx.txid}-next`,
        txTime: tx.txTime.replace("2026-06-30", "2026-06-29").replace("-06-", "-07-"),
      },
    }));
}

/** Of the first two users: the third has no payments. */
async function versionsOf({ database }: LoadingWorld): Promise<number[]> {
  const { rows } = await database.query<{ version: number }>(
    "select algorithm_version as version from read_models order by user_id limit 2",
  );
  return rows.map(({ version }) => version);
}

/** What the user and the partner can see, and what is told. */
async function stateOf({ database }: LoadingWorld, userId: number): Promise<Record<string, unknown[]>> {
  const tables = ["services", "read_models", "membership_alerts", "income_models"];
  const states = await Promise.all(
    tables.map(async (table) => [
      table,
      (await database.query(`select ${table}::text from ${table} where user_id = $1 order by 1`, [userId])).rows,
    ]),
  );
  return Object.fromEntries(states) as Record<string, unknown[]>;
}

async function told({ database }: LoadingWorld): Promise<unknown[]> {
  return (await database.query("select type from notifications")).rows;
}

async function idsOf({ database }: LoadingWorld, userId: number): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    "select id from services where user_id = $1 and document is not null order by id",
    [userId],
  );
  return rows.map(({ id }) => id);
}

/** Payments in July that stand in the user's services. */
async function paidSince({ database }: LoadingWorld, userId: number): Promise<number> {
  const { rows } = await database.query<{ payments: number }>(
    "select count(*) as payments from services, unnest(txids) as txid where user_id = $1 and txid like '%-next'",
    [userId],
  );
  return rows[0]?.payments ?? 0;
}

/** Services first paid before July that wear the badge of a new subscription. */
async function badgesSeenAnew({ database }: LoadingWorld, userId: number): Promise<number> {
  const { rows } = await database.query<{ badges: number }>(
    `select count(*) as badges from services
      where user_id = $1 and document::jsonb -> 'notifications' ? 'NEW_SUBSCRIPTION'
        and (document ->> 'firstPaymentDate')::date < '2026-05-01'`,
    [userId],
  );
  return rows[0]?.badges ?? 0;
}
