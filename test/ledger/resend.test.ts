/**
 * Whatever mixture of known, changed and new rows comes, and by whichever way it goes in: the ledger and the counts are
 * those of taking one row after the other.
 */
import test from "ava";
import type { PostedRows } from "../../src/ledger/post.ts";
import { PostingHabit } from "../../src/ledger/post.ts";
import fc, { runs } from "../property.ts";
import { type Rule, send, storedOf } from "./sending.ts";
import { owned, shareLedger } from "./world.ts";

const ledger = shareLedger();

/** A row by which of two users it is of, its txid and what it says. */
type Told = { user: 0 | 1; txid: string; amount: string };

const told: fc.Arbitrary<Told> = fc.record({
  user: fc.constantFrom(0 as const, 1 as const),
  txid: fc.constantFrom("a", "B", "b", "ab", "å"),
  amount: fc.constantFrom("1", "2", "3"),
});
/** Chunks of one connection: some of a few rows, some of most that there can be, some that repeat the one before. */
const chunks = fc
  .array(fc.tuple(fc.array(told, { minLength: 1, maxLength: 12 }), fc.boolean()), { minLength: 1, maxLength: 5 })
  .map((all) => all.map(([rows, repeats], n) => (repeats && n > 0 ? [...(all[n - 1]?.[0] ?? []), ...rows] : rows)));

const keyOf = ({ user, txid }: Told) => `${user} ${txid}`;

/** What is stored of each key: what it says, and the position of the delivery that said so. */
type Model = Map<string, { amount: string; position: number }>;

/** Of a partner that keeps what it has. */
function takeKeeping(model: Model, rows: readonly Told[], position: number): Counts {
  const counts = { recordsNew: 0, recordsKnown: 0, conflicting: [] as number[], recordsCorrected: 0 };
  for (const [at, row] of rows.entries()) {
    const stored = model.get(keyOf(row));
    if (stored === undefined) {
      model.set(keyOf(row), { amount: row.amount, position });
      counts.recordsNew += 1;
    } else if (stored.amount === row.amount) counts.recordsKnown += 1;
    else counts.conflicting.push(at);
  }
  return counts;
}

/** Of a partner that corrects: of a chunk's rows with one txid the last counts, each other one is a version or the same. */
function takeCorrecting(model: Model, rows: readonly Told[], position: number): Counts {
  const counts = { recordsNew: 0, recordsKnown: 0, conflicting: [], recordsCorrected: 0 };
  const last = new Map(rows.map((row) => [keyOf(row), row]));
  for (const row of rows) {
    const final = last.get(keyOf(row)) as Told;
    if (row !== final) {
      if (row.amount === final.amount) counts.recordsKnown += 1;
      else counts.recordsCorrected += 1;
      continue;
    }
    const stored = model.get(keyOf(row));
    if (stored === undefined) counts.recordsNew += 1;
    else if (stored.amount === row.amount) counts.recordsKnown += 1;
    else counts.recordsCorrected += 1;
    if (stored?.amount !== row.amount) model.set(keyOf(row), { amount: row.amount, position });
  }
  return counts;
}

type Counts = Omit<PostedRows, "arrivals">;

for (const [rule, take] of [
  ["keep", takeKeeping],
  ["correct", takeCorrecting],
] as const satisfies [Rule, unknown][])
  test(`chunks of known, changed and new rows come to what row after row comes to: ${rule}`, async (t) => {
    await fc.assert(
      fc.asyncProperty(chunks, fc.boolean(), async (all, expectsNew) => {
        const { userIds } = await ledger.party();
        const [u1, u2] = userIds;
        const model: Model = new Map();
        const habit = new PostingHabit();
        habit.expectsNew = expectsNew;
        for (const [n, rows] of all.entries()) {
          const position = n + 1;
          const given = rows.map(({ user, txid, amount }) => owned([u1, u2][user] as number, txid, { amount }));
          const before = new Map(model);
          const { arrivals, ...counts } = await send(ledger.database, position, given, rule, habit);
          t.deepEqual(
            { ...counts, conflicting: counts.conflicting.toSorted((a, b) => a - b) },
            take(model, rows, position),
          );
          const newOf = (user: 0 | 1) =>
            [...model.keys()].filter((key) => !before.has(key) && key.startsWith(`${user} `)).length;
          const tellable = arrivals.filter(({ txids }) => txids !== null);
          for (const { userId, txids } of tellable) t.is(txids?.length, newOf(userId === u1 ? 0 : 1));
        }
        const stored = (await storedOf(ledger.database, "transactions", u1, u2)).map((row) => JSON.stringify(row));
        const modelled = Array.from(model, ([key, { amount, position }]) =>
          JSON.stringify([key.startsWith("0") ? u1 : u2, key.slice(2), amount, position]),
        );
        t.deepEqual(stored.toSorted(), modelled.toSorted());
      }),
      runs(40),
    );
  });
