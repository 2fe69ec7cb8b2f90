/** The list of changed users tells what came of each since it was last taken off, or that nobody knows. */
import test from "ava";
import { inTransaction } from "../../src/database/database.ts";
import {
  type Arrival,
  claimEntry,
  gatherArrivals,
  leaveList,
  markArrived,
  markChanged,
} from "../../src/partners/changed-users.ts";
import { createTestDatabase } from "../world.ts";

async function openList(t: Parameters<typeof createTestDatabase>[0]) {
  const { database } = await createTestDatabase(t);
  return {
    database,
    arrive: (...arrivals: Arrival[]) => inTransaction(database, (client) => markArrived(client, arrivals, null)),
    change: (...userIds: number[]) => inTransaction(database, (client) => markChanged(client, userIds)),
    arrived: (userId: number) => inTransaction(database, async (client) => (await claimEntry(client, userId)).arrived),
  };
}

test("what several loads bring of a user stands on the list together", async (t) => {
  const list = await openList(t);
  await list.arrive({ userId: 1, txids: ["a", "b\nc"] }, { userId: 2, txids: [] });
  await list.arrive({ userId: 1, txids: ['"d"'] });
  t.deepEqual(await list.arrived(1), ["a", "b\nc", '"d"']);
  t.deepEqual(await list.arrived(2), []);
  t.is(await list.arrived(3), null, "of who is not on the list nothing is known");
});

test("once somebody does not say what came, nobody knows", async (t) => {
  const list = await openList(t);
  await list.arrive({ userId: 1, txids: ["a"] }, { userId: 2, txids: null }, { userId: 3, txids: ["a"] });
  await list.change(1);
  await list.arrive({ userId: 1, txids: ["b"] }, { userId: 2, txids: ["b"] }, { userId: 3, txids: null });
  t.deepEqual([await list.arrived(1), await list.arrived(2), await list.arrived(3)], [null, null, null]);
});

test("very many are not told, at once or one after the other", async (t) => {
  const list = await openList(t);
  const many = Array.from({ length: 101 }, (_, n) => `t${n}`);
  await list.arrive({ userId: 1, txids: many }, { userId: 2, txids: many.slice(1) });
  t.is(await list.arrived(1), null);
  t.is((await list.arrived(2))?.length, 100);
  await list.arrive({ userId: 2, txids: ["x".repeat(8_000)] });
  t.is(await list.arrived(2), null);
});

test("who leaves the list is told, and who was touched meanwhile stays on it", async (t) => {
  const list = await openList(t);
  await list.arrive({ userId: 1, txids: ["a"] }, { userId: 2, txids: ["a"] });
  const entries = await inTransaction(list.database, async (client) => [
    await claimEntry(client, 1),
    await claimEntry(client, 2),
    await claimEntry(client, 3),
  ]);
  await list.arrive({ userId: 2, txids: ["b"] });
  t.deepEqual(await inTransaction(list.database, (client) => leaveList(client, { entries })), new Set([1]));
  t.deepEqual(await list.arrived(2), ["a", "b"]);
});

test("what several tell of one user is gathered, users ascending", (t) => {
  t.deepEqual(
    gatherArrivals([
      { userId: 9, txids: ["a"] },
      { userId: 2, txids: [] },
      { userId: 9, txids: ["b"] },
      { userId: 2, txids: null },
      { userId: 2, txids: ["c"] },
    ]),
    [
      { userId: 2, txids: null },
      { userId: 9, txids: ["a", "b"] },
    ],
  );
});
