/** Any sequence of postings stores each txid once, with the content and the amounts that were sent. */
import test from "ava";
import { inTransaction } from "../../src/database/database.ts";
import { post, PostingHabit } from "../../src/ledger/post.ts";
import { preparePosting } from "../../src/ledger/posting.ts";
import type { LedgerRow } from "../../src/ledger/row.ts";
import fc, { runs } from "../property.ts";
import { createTestDatabase } from "../world.ts";
import { owned, ownedRows } from "./world.ts";

test("what goes in comes out, whatever texts hold", async (t) => {
  const { database } = await createTestDatabase(t);
  const text = fc
    .string({ unit: "binary", maxLength: 20 })
    .filter((value) => !value.includes("\0") && value.isWellFormed());
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(text, text, fc.option(text)), { minLength: 1, maxLength: 20 }),
      async (texts) => {
        await database.query("truncate transactions");
        const rows = texts.map(([description, rawType, merchantName], index) =>
          owned(1, `t${index}`, { description, rawType, merchantName }),
        );
        await inTransaction(database, (transaction) =>
          post(transaction, preparePosting(ownedRows(rows, 1), 1), new PostingHabit()),
        );
        const stored = await database.query(
          "select description, raw_type, merchant_name from transactions order by substr(txid, 2)::int",
        );
        t.deepEqual(
          stored.rows,
          texts.map(([description, raw_type, merchant_name]) => ({ description, raw_type, merchant_name })),
        );
      },
    ),
    runs(60),
  );
});

test("any sequence of postings, with any repeats, stores each txid once with its first content, and counts add up", async (t) => {
  const { database } = await createTestDatabase(t);
  const row = fc.record({
    userId: fc.integer({ min: 1, max: 3 }),
    txid: fc.constantFrom("a", "b", "c", "B"),
    amount: fc.constantFrom("1", "2"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(row, { maxLength: 12 }), { maxLength: 5 }), async (chunks) => {
      await database.query("truncate transactions");
      const first = new Map<string, string>();
      const habit = new PostingHabit();
      for (const chunk of chunks) {
        const expected = { recordsNew: 0, recordsKnown: 0, conflicting: 0 };
        for (const { userId, txid, amount } of chunk) {
          const stored = first.get(`${userId} ${txid}`);
          if (stored === undefined) first.set(`${userId} ${txid}`, amount);
          expected[stored === undefined ? "recordsNew" : stored === amount ? "recordsKnown" : "conflicting"] += 1;
        }
        const rows = chunk.map(({ userId, txid, amount }) => owned(userId, txid, { amount }));
        const posted = await inTransaction(database, (transaction) =>
          post(transaction, preparePosting(ownedRows(rows, 1), 1), habit),
        );
        t.deepEqual(
          { recordsNew: posted.recordsNew, recordsKnown: posted.recordsKnown, conflicting: posted.conflicting.length },
          expected,
        );
      }
      const { rows } = await database.query<{ user_id: number; txid: string; amount: string }>(
        "select user_id, txid, amount from transactions",
      );
      const stored = rows.map((one) => [`${one.user_id} ${one.txid}`, one.amount] as const);
      t.deepEqual(Object.fromEntries(stored), Object.fromEntries(first));
    }),
    runs(60),
  );
});

test("a partner that corrects has the content that was accepted last, whatever order it was loaded in, and every other as a version", async (t) => {
  const { database } = await createTestDatabase(t);
  const place = fc.record({ userId: fc.integer({ min: 1, max: 2 }), txid: fc.constantFrom("a", "b") });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(place, { maxLength: 6 }), { minLength: 1, maxLength: 5 }),
      fc.infiniteStream(fc.nat()),
      async (deliveries, chance) => {
        await database.query("truncate transactions, transaction_versions");
        const all = deliveries.flatMap((rows, position) =>
          rows.map((row, index) => ({ ...row, position: position + 1, amount: `${position + 1}${index}` })),
        );
        const inAnyOrder = deliveries
          .map((_, position) => ({ position: position + 1, rank: chance.next().value ?? 0 }))
          .toSorted((a, b) => a.rank - b.rank);
        let counted = 0;
        const habit = new PostingHabit();
        for (const { position } of inAnyOrder) {
          const rows = all
            .filter((row) => row.position === position)
            .map(({ userId, txid, amount }) => owned(userId, txid, { amount }));
          const posted = await inTransaction(database, (transaction) =>
            post(transaction, preparePosting(ownedRows(rows, position), position, "correct"), habit, "correct"),
          );
          counted += posted.recordsNew + posted.recordsKnown + posted.recordsCorrected + posted.conflicting.length;
        }
        const last = new Map(all.map(({ userId, txid, amount }) => [`${userId} ${txid}`, amount]));
        const present = await database.query<{ key: string; amount: string }>(
          "select user_id || ' ' || txid as key, amount::text from transactions",
        );
        t.deepEqual(Object.fromEntries(present.rows.map((row) => [row.key, row.amount])), Object.fromEntries(last));
        const versions = await database.query<{ amount: string }>(
          "select user_id || ' ' || txid || ' ' || amount as amount from transaction_versions",
        );
        const others = all
          .filter(({ userId, txid, amount }) => last.get(`${userId} ${txid}`) !== amount)
          .map(({ userId, txid, amount }) => `${userId} ${txid} ${amount}`);
        t.deepEqual(versions.rows.map((row) => row.amount).toSorted(), others.toSorted());
        t.is(counted, all.length);
      },
    ),
    runs(60),
  );
});

const plain: LedgerRow = {
  txid: "t1",
  bookedOn: "2026-01-31",
  txTime: "2026-01-31T10:00:00Z",
  rawType: "CARD_PURCHASE",
  description: "NETFLIX",
  amount: "-79",
  currency: "DKK",
  originalAmount: null,
  originalCurrency: null,
  merchantName: "Netflix",
  merchantCid: null,
  merchantAddress: null,
  merchantCity: null,
  merchantPostCode: null,
  merchantCountry: null,
  merchantMcc: 5968,
  accountId: "a1",
  cardId: null,
};

const sameContents: Record<string, Partial<LedgerRow>> = {
  "another time of the same day": { txTime: "2026-01-31" },
  "an empty text for an absent one, which tables cannot tell apart": {
    merchantCid: "",
    merchantAddress: "",
    merchantCity: "",
    merchantPostCode: "",
    merchantCountry: "",
    cardId: "",
  },
};

const otherContents: Partial<LedgerRow>[] = [
  { bookedOn: "2026-02-01" },
  { rawType: "OTHER" },
  { description: "NETFLIX " },
  { amount: "-79.01" },
  { currency: "SEK" },
  { originalAmount: "-79" },
  { originalCurrency: "DKK" },
  { merchantName: null },
  { merchantCid: "x" },
  { merchantAddress: "x" },
  { merchantCity: "x" },
  { merchantPostCode: "x" },
  { merchantCountry: "x" },
  { merchantMcc: null },
  { accountId: null },
  { cardId: "x" },
  { rawType: "CARD_PURCHASEN", description: "ETFLIX" },
];

test("the time of day and empty texts make no other content, and every other field does", async (t) => {
  const { database } = await createTestDatabase(t);
  const again = async (change: Partial<LedgerRow>) => {
    await database.query("truncate transactions");
    const rows = [
      { userId: 1, row: plain },
      { userId: 1, row: { ...plain, ...change } },
    ];
    const together = await inTransaction(database, (transaction) =>
      post(transaction, preparePosting(ownedRows(rows, 1), 1), new PostingHabit()),
    );
    const later = await inTransaction(database, (transaction) =>
      post(transaction, preparePosting(ownedRows(rows.slice(1), 2), 2), new PostingHabit()),
    );
    return [together.conflicting, later.conflicting];
  };
  for (const [name, change] of Object.entries(sameContents)) t.deepEqual(await again(change), [[], []], name);
  for (const change of otherContents) t.deepEqual(await again(change), [[1], [0]], JSON.stringify(change));
});

test("amounts are stored as they are written, however small or large", async (t) => {
  const { database } = await createTestDatabase(t);
  const numbers = fc.oneof(
    fc.double({ noNaN: true, min: -1e14, max: 1e14 }),
    fc.integer({ min: -1e9, max: 1e9 }).map((cents) => cents / 100),
    fc.constantFrom(0, 1e-7, -5e-324, 999_999_999_999_999, 1e4, 1e8, 1e12, 10_000.0001),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(numbers, { minLength: 1, maxLength: 20 }), async (amounts) => {
      await database.query("truncate transactions");
      const rows = amounts.map((amount, index) =>
        owned(1, `t${index}`, { amount: String(amount), originalAmount: String(amount) }),
      );
      await inTransaction(database, (transaction) =>
        post(transaction, preparePosting(ownedRows(rows, 1), 1), new PostingHabit()),
      );
      const texts = await database.query<{ amount: string; sent: string }>(
        "select t.amount::text, sent.text::numeric::text as sent from transactions t join unnest($1::text[]) with ordinality as sent (text, place) on t.txid = 't' || place - 1",
        [amounts.map(String)],
      );
      t.deepEqual(
        texts.rows.map((row) => row.amount),
        texts.rows.map((row) => row.sent),
      );
      t.is(texts.rows.length, amounts.length);
    }),
    runs(60),
  );
});

test("rows go in by user and by the txid's bytes, whatever identifiers have in common", (t) => {
  const txid = fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 12 }),
    fc.nat(3000).map((n) => `tx-2026-${n}`),
    fc.constantFrom("a", "ab", "abcd", "abcde", "abcdf", "ÿ", "😀", "\uffff"),
  );
  const key = fc.record({
    userId: fc.integer({ min: 1, max: 4 }),
    txid: txid.filter((text) => !text.includes("\0") && text.isWellFormed()),
  });
  fc.assert(
    fc.property(fc.array(key, { maxLength: 60 }), (all) => {
      const { firsts, repeats } = preparePosting(
        ownedRows(
          all.map((one) => owned(one.userId, one.txid, {})),
          1,
        ),
        1,
      );
      const ordered = all
        .map((one, index) => ({ ...one, index }))
        .toSorted(
          (a, b) =>
            a.userId - b.userId || Buffer.compare(Buffer.from(a.txid), Buffer.from(b.txid)) || a.index - b.index,
        );
      const isFirst = (place: number) =>
        ordered[place]?.userId !== ordered[place - 1]?.userId || ordered[place]?.txid !== ordered[place - 1]?.txid;
      t.deepEqual(
        [...firsts],
        ordered.filter((_, place) => isFirst(place)).map((one) => one.index),
      );
      t.deepEqual(
        [...repeats],
        ordered.filter((_, place) => !isFirst(place)).map((one) => one.index),
      );
    }),
    runs(300),
  );
});
