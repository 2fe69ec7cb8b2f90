/** A correction replaces what was accepted before it, keeps the public id, and leaves each content as a version. */
import test from "ava";
import type { LedgerRow } from "../../src/ledger/row.ts";
import { amounts, idsOf, nothing, send, sendKnown, storedOf } from "./sending.ts";
import { owned, shareLedger } from "./world.ts";

const ledger = shareLedger();

test("a correction replaces the content that was accepted before, keeps its public id, and leaves it as a version", async (t) => {
  for (const sent of [send, sendKnown]) {
    const {
      userIds: [u1, u2],
    } = await ledger.party();
    await sent(ledger.database, 1, [...amounts(u1, ["a", "1"], ["b", "1"]), ...amounts(u2, ["a", "1"])], "correct");
    const { "a 1": id } = await idsOf(ledger.database, "transactions", u1);
    const posted = await sent(
      ledger.database,
      2,
      [...amounts(u1, ["a", "2"], ["b", "1"]), ...amounts(u2, ["c", "1"])],
      "correct",
    );
    t.deepEqual(posted, {
      recordsNew: 1,
      recordsKnown: 1,
      conflicting: [],
      recordsCorrected: 1,
      arrivals: [
        { userId: u1, txids: null },
        { userId: u2, txids: ["c"] },
      ],
    });
    t.deepEqual(await storedOf(ledger.database, "transactions", u1, u2), [
      [u1, "a", "2", 2],
      [u1, "b", "1", 1],
      [u2, "a", "1", 1],
      [u2, "c", "1", 2],
    ]);
    t.deepEqual(await storedOf(ledger.database, "transaction_versions", u1, u2), [[u1, "a", "1", 1]]);
    t.is((await idsOf(ledger.database, "transactions", u1))["a 2"], id);
    t.is((await idsOf(ledger.database, "transaction_versions", u1))["a 1"], id);
  }
});

test("a correction replaces every column", async (t) => {
  const {
    userIds: [u1],
  } = await ledger.party();
  const other: Partial<LedgerRow> = {
    bookedOn: "2026-02-01",
    txTime: "2026-02-01",
    rawType: "Y",
    description: "D",
    amount: "2",
    currency: "SEK",
    originalAmount: "3",
    originalCurrency: "EUR",
    merchantName: "N",
    merchantCid: "C",
    merchantAddress: "A",
    merchantCity: "B",
    merchantPostCode: "P",
    merchantCountry: "DK",
    merchantMcc: 5411,
    accountId: "a1",
    cardId: "c1",
  };
  await send(ledger.database, 1, [owned(u1, "a")], "correct");
  await send(ledger.database, 2, [owned(u1, "a", other)], "correct");
  await send(ledger.database, 3, [owned(u1, "b", other)], "correct");
  const columns = `booked_on, tx_time, raw_type, description, amount, currency, original_amount, original_currency, merchant_name, merchant_cid,
    merchant_address, merchant_city, merchant_post_code, merchant_country, merchant_mcc, account_id, card_id`;
  const { rows } = await ledger.database.query(`select distinct ${columns} from transactions where user_id = $1`, [u1]);
  t.deepEqual(rows, [
    {
      booked_on: "2026-02-01",
      tx_time: "2026-02-01",
      raw_type: "Y",
      description: "D",
      amount: "2",
      currency: "SEK",
      original_amount: "3",
      original_currency: "EUR",
      merchant_name: "N",
      merchant_cid: "C",
      merchant_address: "A",
      merchant_city: "B",
      merchant_post_code: "P",
      merchant_country: "DK",
      merchant_mcc: 5411,
      account_id: "a1",
      card_id: "c1",
    },
  ]);
});

test("a correction that was accepted before what is stored conflicts, and becomes a version of it", async (t) => {
  const {
    userIds: [u1, u2],
  } = await ledger.party();
  await send(
    ledger.database,
    5,
    [...amounts(u1, ["a", "5"], ["b", "5"], ["c", "5"]), ...amounts(u2, ["a", "5"])],
    "correct",
  );
  const posted = await send(ledger.database, 4, amounts(u1, ["x", "4"], ["b", "4"], ["c", "5"], ["a", "4"]), "correct");
  t.deepEqual(
    { ...posted, conflicting: posted.conflicting.toSorted() },
    {
      recordsNew: 1,
      recordsKnown: 1,
      conflicting: [1, 3],
      recordsCorrected: 0,
      arrivals: [{ userId: u1, txids: ["x"] }],
    },
  );
  t.deepEqual(await storedOf(ledger.database, "transactions", u1), [
    [u1, "a", "5", 5],
    [u1, "b", "5", 5],
    [u1, "c", "5", 5],
    [u1, "x", "4", 4],
  ]);
  t.deepEqual(await storedOf(ledger.database, "transaction_versions", u1, u2), [
    [u1, "a", "4", 4],
    [u1, "b", "4", 4],
  ]);
  const [stored, versions] = [
    await idsOf(ledger.database, "transactions", u1),
    await idsOf(ledger.database, "transaction_versions", u1),
  ];
  t.is(versions["a 4"], stored["a 5"]);
});

test("another chunk of the same delivery corrects what the one before stored", async (t) => {
  const {
    userIds: [u1],
  } = await ledger.party();
  await send(ledger.database, 5, amounts(u1, ["a", "1"]), "correct");
  t.deepEqual(await send(ledger.database, 5, amounts(u1, ["a", "2"]), "correct"), {
    ...nothing,
    recordsCorrected: 1,
    arrivals: [{ userId: u1, txids: null }],
  });
  t.deepEqual(await storedOf(ledger.database, "transactions", u1), [[u1, "a", "2", 5]]);
});

test("within a chunk the last content counts, and each other one before it is kept as a version that never was the ledger's row", async (t) => {
  for (const sent of [send, sendKnown]) {
    const {
      userIds: [u1],
    } = await ledger.party();
    const posted = await sent(
      ledger.database,
      1,
      amounts(u1, ["a", "1"], ["a", "2"], ["a", "3"], ["a", "3"], ["b", "1"], ["b", "1"]),
      "correct",
    );
    t.deepEqual(posted, {
      recordsNew: 2,
      recordsKnown: 2,
      conflicting: [],
      recordsCorrected: 2,
      arrivals: [{ userId: u1, txids: ["a", "b"] }],
    });
    t.deepEqual(await storedOf(ledger.database, "transactions", u1), [
      [u1, "a", "3", 1],
      [u1, "b", "1", 1],
    ]);
    t.deepEqual(await storedOf(ledger.database, "transaction_versions", u1), [
      [u1, "a", "1", 1],
      [u1, "a", "2", 1],
    ]);
    t.deepEqual(await idsOf(ledger.database, "transaction_versions", u1), { "a 1": null, "a 2": null });
  }
});

test("several contents of one txid correct what is stored, or were all of them accepted before it", async (t) => {
  const {
    userIds: [u1, u2],
  } = await ledger.party();
  await send(ledger.database, 5, [...amounts(u1, ["a", "5"]), ...amounts(u2, ["a", "5"])], "correct");
  const later = await send(ledger.database, 6, amounts(u1, ["a", "6"], ["a", "7"]), "correct");
  t.deepEqual(later, { ...nothing, recordsCorrected: 2, arrivals: [{ userId: u1, txids: null }] });
  t.deepEqual(await storedOf(ledger.database, "transaction_versions", u1), [
    [u1, "a", "5", 5],
    [u1, "a", "6", 6],
  ]);
  const earlier = await send(ledger.database, 4, amounts(u2, ["a", "3"], ["a", "4"]), "correct");
  t.deepEqual({ ...earlier, conflicting: earlier.conflicting.toSorted() }, { ...nothing, conflicting: [0, 1] });
  t.deepEqual(await storedOf(ledger.database, "transactions", u1, u2), [
    [u1, "a", "7", 6],
    [u2, "a", "5", 5],
  ]);
  t.deepEqual(await storedOf(ledger.database, "transaction_versions", u2), [
    [u2, "a", "3", 4],
    [u2, "a", "4", 4],
  ]);
});

test("the users of corrected and new rows are told ascending, each once", async (t) => {
  const {
    userIds: [u1, u2, u3],
  } = await ledger.party();
  await send(ledger.database, 1, [owned(u1, "a"), owned(u2, "a"), owned(u3, "a")], "correct");
  const posted = await send(
    ledger.database,
    2,
    [...amounts(u3, ["b", "1"], ["a", "2"]), ...amounts(u1, ["a", "2"]), ...amounts(u2, ["a", "1"])],
    "correct",
  );
  t.deepEqual(posted, {
    recordsNew: 1,
    recordsKnown: 1,
    conflicting: [],
    recordsCorrected: 2,
    arrivals: [
      { userId: u1, txids: null },
      { userId: u3, txids: null },
    ],
  });
});
