/** Places in the staging area are bounded for each partner and for all together, and loading frees them. */
import test from "ava";
import type { Queryable } from "../../src/database/database.ts";
import { Backlog, reserveRoom } from "../../src/landing/backlog.ts";
import { addDelivery, addPartner } from "../parties.ts";
import { createTestDatabase } from "../world.ts";

test("room is taken one by one, up to the partner's limit", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  const limits = { ofPartner: 3, ofAll: 100 };
  for (const state of ["accepted", "loading", "accepted"] as const) {
    t.true(await reserveRoom(database, partnerId, limits));
    await addDelivery(database, partnerId, state);
  }
  t.false(await reserveRoom(database, partnerId, limits));
  t.true(await reserveRoom(database, partnerId, { ofPartner: 4, ofAll: 100 }));
});

test("what was loaded makes room as soon as it is needed", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  await addDelivery(database, partnerId, "accepted");
  const limits = { ofPartner: 1, ofAll: 100 };
  t.false(await reserveRoom(database, partnerId, limits));
  await database.query("update deliveries set state = 'loaded'");
  t.true(await reserveRoom(database, partnerId, limits));
});

test("all partners together have a limit, which counts what the others took a moment ago", async (t) => {
  const { database } = await createTestDatabase(t);
  const [north, south] = [await addPartner(database, "north"), await addPartner(database, "south")];
  const limits = { ofPartner: 10, ofAll: 2 };
  t.true(await reserveRoom(database, north, limits));
  await addDelivery(database, north, "accepted");
  t.true(await reserveRoom(database, south, limits));
  await addDelivery(database, south, "loading");
  t.false(await reserveRoom(database, north, limits));
  t.false(await reserveRoom(database, south, limits));
  t.true(await reserveRoom(database, south, { ofPartner: 10, ofAll: 3 }));
});

/** A database that says how many there are when it is told to. */
function counted(): { database: Queryable; asked(): number; answer(ofPartner: number): void; fail(): void } {
  const answers: ((row: object | null) => void)[] = [];
  const take = (row: object | null) => answers.shift()?.(row);
  let asked = 0;
  return {
    database: {
      query: () =>
        new Promise<never>((resolve, reject) => {
          asked += 1;
          answers.push((row) => (row === null ? reject(new Error("away")) : resolve({ rows: [row] } as never)));
        }),
    },
    asked: () => asked,
    answer: (ofPartner) => take({ ofPartner, ofAll: ofPartner }),
    fail: () => take(null),
  };
}

test("who comes while it is counted waits for that count, and each takes one place of it", async (t) => {
  const { database, asked, answer } = counted();
  const backlog = new Backlog(database, () => 0);
  const three = [1, 2, 3].map(() => backlog.reserve("north", { ofPartner: 7, ofAll: 100 }));
  t.is(asked(), 1);
  answer(5);
  t.deepEqual(await Promise.all(three), [true, true, false]);
});

test("a count is made anew after a second, for which nobody waits who has room in the one before", async (t) => {
  const { database, asked, answer } = counted();
  let nowMs = 0;
  const backlog = new Backlog(database, () => nowMs);
  const limits = { ofPartner: 5, ofAll: 100 };
  const first = backlog.reserve("north", limits);
  answer(1);
  t.true(await first);
  nowMs = 1500;
  t.true(await backlog.reserve("north", limits));
  t.true(await backlog.reserve("north", limits));
  t.is(asked(), 2);
  // Of the two places that were taken meanwhile the count may know nothing yet.
  answer(2);
  await new Promise(setImmediate);
  const more = [1, 2].map(() => backlog.reserve("north", limits));
  t.is(asked(), 3, "the second has no room, and asks");
  answer(5);
  t.deepEqual(await Promise.all(more), [true, false]);
});

test("a count of long ago gives nobody room, and one that fails is made again", async (t) => {
  const { database, asked, answer, fail } = counted();
  let nowMs = 0;
  const backlog = new Backlog(database, () => nowMs);
  const limits = { ofPartner: 5, ofAll: 100 };
  const first = backlog.reserve("north", limits);
  answer(1);
  t.true(await first);
  nowMs = 1500;
  t.true(await backlog.reserve("north", limits));
  fail();
  await new Promise(setImmediate);
  t.true(await backlog.reserve("north", limits));
  t.is(asked(), 3);
  fail();
  await new Promise(setImmediate);
  nowMs = 2000;
  const late = backlog.reserve("north", limits);
  t.is(asked(), 4);
  answer(5);
  t.false(await late);
});
