import test from "ava";
import fc from "fast-check";
import { inTransaction } from "../../src/database.ts";
import type { OwnedRow } from "../../src/ledger/copy.ts";
import { post, type PostedRows, preparePosting } from "../../src/ledger/post.ts";
import { digestOf } from "../../src/ledger/row.ts";
import { createTestDatabase } from "../world.ts";

test("what goes in comes out, whatever texts hold", async (t) => {
  const { database } = await createTestDatabase(t);
  const text = fc.string({ unit: "binary", maxLength: 20 }).filter((value) => !value.includes("\0") && value.isWellFormed());
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(text, text, fc.option(text)), { minLength: 1, maxLength: 20 }), async (texts) => {
      await database.query("truncate transactions");
      const rows = texts.map(([description, rawType, merchantName], index) => owned(1, `t${index}`, { description, rawType, merchantName }));
      await inTransaction(database, (transaction) => post(transaction, preparePosting(rows, 1), { expectsNew: true }));
      const stored = await database.query("select description, raw_type, merchant_name from transactions order by substr(txid, 2)::int");
      t.deepEqual(stored.rows, texts.map(([description, raw_type, merchant_name]) => ({ description, raw_type, merchant_name })));
    }),
    { numRuns: 60 },
  );
});

test("any sequence of postings, with any repeats, stores each txid once with its first content, and counts add up", async (t) => {
  const { database } = await createTestDatabase(t);
  const row = fc.record({ userId: fc.integer({ min: 1, max: 3 }), txid: fc.constantFrom("a", "b", "c", "B"), amount: fc.constantFrom("1", "2") });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(row, { maxLength: 12 }), { maxLength: 5 }), async (chunks) => {
      await database.query("truncate transactions");
      const first = new Map<string, string>();
      const habit = { expectsNew: true };
      for (const chunk of chunks) {
        const expected = { recordsNew: 0, recordsKnown: 0, conflicting: 0 };
        for (const { userId, txid, amount } of chunk) {
          const stored = first.get(`${userId} ${txid}`);
          if (stored === undefined) first.set(`${userId} ${txid}`, amount);
          expected[stored === undefined ? "recordsNew" : stored === amount ? "recordsKnown" : "conflicting"] += 1;
        }
        const rows = chunk.map(({ userId, txid, amount }) => owned(userId, txid, { amount }));
        const posted: PostedRows<OwnedRow> = await inTransaction(database, (transaction) => post(transaction, preparePosting(rows, 1), habit));
        t.deepEqual({ recordsNew: posted.recordsNew, recordsKnown: posted.recordsKnown, conflicting: posted.conflicting.length }, expected);
      }
      const { rows } = await database.query<{ user_id: number; txid: string; amount: string }>("select user_id, txid, amount from transactions");
      const stored = rows.map((one) => [`${one.user_id} ${one.txid}`, one.amount] as const);
      t.deepEqual(Object.fromEntries(stored), Object.fromEntries(first));
    }),
    { numRuns: 60 },
  );
});

function owned(userId: number, txid: string, more: Partial<OwnedRow["row"]>): OwnedRow {
  const row = {
    txid, bookedOn: "2026-01-31", txTime: "2026-01-31", rawType: "X", description: "", amount: "1", currency: "DKK", originalAmount: null, originalCurrency: null,
    merchantName: null, merchantCid: null, merchantAddress: null, merchantCity: null, merchantPostCode: null, merchantCountry: null, merchantMcc: null,
    accountId: null, cardId: null, ...more,
  };
  return { userId, row, digest: digestOf(row) };
}
