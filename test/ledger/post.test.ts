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

test("a partner that corrects has the content that was accepted last, whatever order it was loaded in, and every other as a version", async (t) => {
  const { database } = await createTestDatabase(t);
  const place = fc.record({ userId: fc.integer({ min: 1, max: 2 }), txid: fc.constantFrom("a", "b") });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(place, { maxLength: 6 }), { minLength: 1, maxLength: 5 }), fc.infiniteStream(fc.nat()), async (deliveries, chance) => {
      await database.query("truncate transactions, transaction_versions");
      const all = deliveries.flatMap((rows, position) => rows.map((row, index) => ({ ...row, position: position + 1, amount: `${position + 1}${index}` })));
      const inAnyOrder = deliveries.map((_, position) => ({ position: position + 1, rank: chance.next().value ?? 0 })).toSorted((a, b) => a.rank - b.rank);
      let counted = 0;
      const habit = { expectsNew: true };
      for (const { position } of inAnyOrder) {
        const rows = all.filter((row) => row.position === position).map(({ userId, txid, amount }) => owned(userId, txid, { amount }));
        const posted: PostedRows<OwnedRow> = await inTransaction(database, (transaction) => post(transaction, preparePosting(rows, position, "correct"), habit, "correct"));
        counted += posted.recordsNew + posted.recordsKnown + posted.recordsCorrected + posted.conflicting.length;
      }
      const last = new Map(all.map(({ userId, txid, amount }) => [`${userId} ${txid}`, amount]));
      const present = await database.query<{ key: string; amount: string }>("select user_id || ' ' || txid as key, amount::text from transactions");
      t.deepEqual(Object.fromEntries(present.rows.map((row) => [row.key, row.amount])), Object.fromEntries(last));
      const versions = await database.query<{ amount: string }>("select user_id || ' ' || txid || ' ' || amount as amount from transaction_versions");
      const others = all.filter(({ userId, txid, amount }) => last.get(`${userId} ${txid}`) !== amount).map(({ userId, txid, amount }) => `${userId} ${txid} ${amount}`);
      t.deepEqual(versions.rows.map((row) => row.amount).toSorted(), others.toSorted());
      t.is(counted, all.length);
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
