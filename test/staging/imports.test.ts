/** A user's import is complete once everything accepted before its marker is loaded, or after the configured hours. */
import test from "ava";
import { createClock } from "../../src/time/clock.ts";
import type { Database } from "../../src/database/database.ts";
import { createEvents } from "../../src/events.ts";
import { assumeImports, completeImports, resumeImports } from "../../src/staging/imports.ts";
import { addDelivery, addPartner, addUser } from "../parties.ts";
import { createTestDatabase } from "../world.ts";

const clock = createClock("2024-03-31", new Date("2026-01-01T00:00:00Z"), () => new Date("2026-01-01T12:00:00Z"));
const events = createEvents({ level: "silent" });

test("a marker completes the import on the business day and marks the user changed", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const user = await addUser(database, partner, "u1");
  await addMarker(database, user, await addDelivery(database, partner, "loaded"));
  await completeImports({ database, events, clock }, partner);
  t.is(await completedOn(database, user), "2024-03-31");
  t.deepEqual(await changedUsers(database), [user]);
});

test("a marker waits for every delivery that its partner had accepted before it", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const user = await addUser(database, partner, "u1");
  const earlier = await addDelivery(database, partner, "accepted");
  await addMarker(database, user, await addDelivery(database, partner, "loaded"));
  await completeImports({ database, events, clock }, partner);
  t.is(await completedOn(database, user), null);
  await database.query("update deliveries set state = 'loaded' where id = $1", [earlier.id]);
  await completeImports({ database, events, clock }, partner);
  t.is(await completedOn(database, user), "2024-03-31");
});

test("a marker waits for records of earlier deliveries that are about to be read again", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const user = await addUser(database, partner, "u1");
  await addDelivery(database, partner, "loaded");
  await database.query("update deliveries set revisit_requested_at = now()");
  await addMarker(database, user, await addDelivery(database, partner, "loaded"));
  await completeImports({ database, events, clock }, partner);
  t.is(await completedOn(database, user), null);
  await database.query("update deliveries set revisit_requested_at = null");
  await completeImports({ database, events, clock }, partner);
  t.is(await completedOn(database, user), "2024-03-31");
});

test("a marker does not wait for later deliveries nor for other partners", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const other = await addPartner(database, "other");
  const user = await addUser(database, partner, "u1");
  await addDelivery(database, other, "accepted");
  await addMarker(database, user, await addDelivery(database, partner, "loaded"));
  await addDelivery(database, partner, "loading");
  await completeImports({ database, events, clock }, partner);
  t.is(await completedOn(database, user), "2024-03-31");
});

test("a marker waits for the rest of its own delivery", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const user = await addUser(database, partner, "u1");
  await addMarker(database, user, await addDelivery(database, partner, "loading"));
  await completeImports({ database, events, clock }, partner);
  t.is(await completedOn(database, user), null);
});

test("markers that a dying process left are applied for every partner, without another delivery", async (t) => {
  const { database } = await createTestDatabase(t);
  const users: number[] = [];
  for (const id of ["first", "second"]) {
    const partner = await addPartner(database, id);
    const user = await addUser(database, partner, "u1");
    await addMarker(database, user, await addDelivery(database, partner, "loaded"));
    users.push(user);
  }
  await resumeImports({ database, events, clock });
  t.deepEqual(await Promise.all(users.map((user) => completedOn(database, user))), ["2024-03-31", "2024-03-31"]);
});

test("a user whose sender never sends the marker counts as complete after the configured hours", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const silent = await addUser(database, partner, "silent");
  const recent = await addUser(database, partner, "recent");
  const empty = await addUser(database, partner, "empty");
  await database.query("update users set last_loaded_at = now() - interval '25 hours' where id = $1", [silent]);
  await database.query("update users set last_loaded_at = now() - interval '23 hours' where id = $1", [recent]);
  await assumeImports({ database, events, clock }, 24);
  t.is(await completedOn(database, silent), "2024-03-31");
  t.is(await completedOn(database, recent), null);
  t.is(await completedOn(database, empty), null);
});

async function addMarker(
  database: Database,
  userId: number,
  delivery: { id: string; position: number },
): Promise<void> {
  await database.query("insert into import_markers (user_id, delivery_id, delivery_position) values ($1, $2, $3)", [
    userId,
    delivery.id,
    delivery.position,
  ]);
}

async function completedOn(database: Database, userId: number): Promise<string | null> {
  const { rows } = await database.query<{ day: string | null }>(
    "select import_completed_on as day from users where id = $1",
    [userId],
  );
  return rows[0]?.day ?? null;
}

async function changedUsers(database: Database): Promise<number[]> {
  const { rows } = await database.query<{ user_id: number }>("select user_id from changed_users order by 1");
  return rows.map((row) => row.user_id);
}
