/** What was said about records that are read again is forgotten, and nothing else. */
import test from "ava";
import { inTransaction } from "../../src/database/database.ts";
import type { HeldRange } from "../../src/deliveries/held.ts";
import { forgetProblems, keepProblems } from "../../src/deliveries/problems.ts";
import { heldRange, shareLedger } from "../ledger/world.ts";

const ledger = shareLedger();

async function problems(deliveryId: string): Promise<string[]> {
  const { rows } = await ledger.database.query<{ place: string }>(
    "select line || ':' || index || ' ' || field as place from delivery_problems where delivery_id = $1 order by line, index, field",
    [deliveryId],
  );
  return rows.map((row) => row.place);
}

/** Two deliveries with the same problems, of which those of the first are forgotten. @returns what is left of each. */
async function forget(
  places: readonly [line: number, index: number][],
  ranges: readonly HeldRange[],
  byLine: boolean,
): Promise<[string[], string[]]> {
  const { delivery } = await ledger.party();
  const [one, other] = [(await delivery("loaded")).id, (await delivery("loaded")).id];
  await inTransaction(ledger.database, async (transaction) => {
    const said = places.map(([line, index]) => ({ line, index, field: "txid", reason: "missing" }));
    for (const id of [one, other]) await keepProblems(transaction, id, said);
    await forgetProblems(transaction, one, ranges, byLine);
  });
  return [await problems(one), await problems(other)];
}

test("the problems of ranges are forgotten by line and index where each batch has its line", async (t) => {
  const [left, others] = await forget(
    [
      [1, 2],
      [1, 3],
      [1, 4],
      [1, 5],
      [2, 3],
    ],
    [heldRange({ line: 1, firstIndex: 3, lastIndex: 4, records: 2 })],
    true,
  );
  t.deepEqual(left, ["1:2 txid", "1:5 txid", "2:3 txid"]);
  t.deepEqual(others, ["1:2 txid", "1:3 txid", "1:4 txid", "1:5 txid", "2:3 txid"]);
});

test("they are forgotten by index alone where each record has its line", async (t) => {
  const [left] = await forget(
    [
      [4, 2],
      [5, 3],
      [6, 4],
      [7, 5],
    ],
    [heldRange({ line: 5, firstIndex: 3, lastIndex: 4, records: 2 })],
    false,
  );
  t.deepEqual(left, ["4:2 txid", "7:5 txid"]);
});

test("with a whole batch everything that was said about its line is forgotten", async (t) => {
  const [left, others] = await forget(
    [
      [1, -1],
      [1, 0],
      [2, -1],
      [3, 0],
      [3, 1],
    ],
    [
      heldRange({ line: 1, firstIndex: -1, lastIndex: -1, records: 3 }),
      heldRange({ batch: 2, line: 3, firstIndex: 0, lastIndex: 0 }),
    ],
    true,
  );
  t.deepEqual(left, ["2:-1 txid", "3:1 txid"]);
  t.is(others.length, 5);
});

test("of many ranges each finds its own problems, whichever stands first", async (t) => {
  const ranges = [1, 4, 9, 12].map((firstIndex) =>
    heldRange({ line: firstIndex, firstIndex, lastIndex: firstIndex + 1, records: 2 }),
  );
  const places = Array.from({ length: 16 }, (_, index): [number, number] => [index, index]);
  const [left] = await forget(places, ranges, false);
  t.deepEqual(
    left.map((one) => Number.parseInt(one, 10)),
    [0, 3, 6, 7, 8, 11, 14, 15],
  );
});
