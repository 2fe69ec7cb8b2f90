/** Markers are kept once with their delivery, and users of a running import are heard of once a minute. */
import test from "ava";
import { inTransaction } from "../../src/database/database.ts";
import { ascending } from "../../src/ledger/owners.ts";
import { markChanged } from "../../src/partners/changed-users.ts";
import { postMarkers } from "../../src/deliveries/import-markers.ts";
import { touchUsers } from "../../src/partners/users.ts";
import { insert, readAsStored, shareLedger, unasked, waitsFor } from "../ledger/world.ts";

const ledger = shareLedger();

test("ids are put in ascending order, each once", (t) => {
  t.deepEqual(ascending([30, 4, 200, 4, 30]), [4, 30, 200]);
  t.deepEqual(ascending(new Set<number>()), []);
});

test("for nobody nothing is asked of the database", async (t) => {
  await t.notThrowsAsync(postMarkers(unasked, { id: "00000000-0000-0000-0000-000000000000", position: 1 }, []));
  await t.notThrowsAsync(touchUsers(unasked, []));
  await t.notThrowsAsync(markChanged(unasked, []));
});

test("markers are kept once with the delivery that brought them, and take no effect yet", async (t) => {
  const { database } = ledger;
  const {
    userIds: [u1, u2],
    delivery,
  } = await ledger.party();
  const one = await delivery("loading");
  const other = await delivery("loading");
  await inTransaction(database, async (transaction) => {
    await postMarkers(transaction, one, [u1, u2]);
    await postMarkers(transaction, one, [u2]);
    await postMarkers(transaction, other, [u2]);
  });
  const { rows } = await database.query(
    `select user_id, delivery_id, delivery_position, applied_at from import_markers where user_id = any($1) order by delivery_position, user_id`,
    [[u1, u2]],
  );
  t.deepEqual(rows, [
    { user_id: u1, delivery_id: one.id, delivery_position: one.position, applied_at: null },
    { user_id: u2, delivery_id: one.id, delivery_position: one.position, applied_at: null },
    { user_id: u2, delivery_id: other.id, delivery_position: other.position, applied_at: null },
  ]);
});

/** Which of these users were heard of in the last ten seconds. */
async function heardOf(userIds: readonly number[]): Promise<number[]> {
  const { rows } = await ledger.database.query<{ id: number }>(
    "select id from users where id = any($1) and last_loaded_at > now() - interval '10 seconds' order by id",
    [userIds],
  );
  return rows.map((row) => row.id);
}

test("users whose import is open are heard of, and others are left as they are", async (t) => {
  const { userIds } = await ledger.party();
  const [u1, u2, u3] = userIds;
  await ledger.database.query("update users set import_completed_at = now() where id = $1", [u2]);
  await inTransaction(ledger.database, (transaction) => touchUsers(transaction, [u1, u2]));
  t.deepEqual(await heardOf(userIds), [u1]);
  await inTransaction(ledger.database, (transaction) => touchUsers(transaction, [u3]));
  t.deepEqual(await heardOf(userIds), [u1, u3]);
});

test("who was heard of within the last minute is not written again", async (t) => {
  const { userIds } = await ledger.party();
  const [u1, u2] = userIds;
  await ledger.database.query("update users set last_loaded_at = now() - interval '50 seconds' where id = $1", [u1]);
  await ledger.database.query("update users set last_loaded_at = now() - interval '61 seconds' where id = $1", [u2]);
  await inTransaction(ledger.database, (transaction) => touchUsers(transaction, [u1, u2]));
  t.deepEqual(await heardOf(userIds), [u2]);
});

test("users are locked in ascending order, whatever order they are named and stored in", async (t) => {
  const { database } = ledger;
  const {
    userIds: [u1, u2],
  } = await ledger.party();
  // Stored behind the other one from now on.
  await database.query("update users set details = '{}' where id = $1", [u1]);
  const holder = await database.connect();
  t.teardown(() => holder.release());
  await holder.query("begin");
  await holder.query("select 1 from users where id = $1 for update", [u1]);
  const touching = inTransaction(database, async (transaction) => {
    await readAsStored(transaction);
    await touchUsers(transaction, [u2, u1]);
  });
  t.true(await waitsFor(database, holder, touching));
  t.is((await database.query("select 1 from users where id = $1 for update skip locked", [u2])).rowCount, 1);
  await holder.query("rollback");
  await touching;
  t.deepEqual(await heardOf([u1, u2]), [u1, u2]);
});

test("a changed user is on the list once, since when it first changed and when it last did", async (t) => {
  const { database } = ledger;
  const {
    userIds: [u1, u2],
  } = await ledger.party();
  await insert(database, "changed_users", {
    user_id: u1,
    since: "2026-01-01T00:00:00Z",
    touched_at: "2026-01-01T00:00:00Z",
  });
  await inTransaction(database, (transaction) => markChanged(transaction, [u1, u2]));
  const { rows } = await database.query(
    `select user_id, since < now() - interval '1 minute' as old, touched_at > now() - interval '1 minute' as touched
       from changed_users where user_id = any($1) order by user_id`,
    [[u1, u2]],
  );
  t.deepEqual(rows, [
    { user_id: u1, old: true, touched: true },
    { user_id: u2, old: false, touched: true },
  ]);
});
