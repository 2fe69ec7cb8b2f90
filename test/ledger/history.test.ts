/** A user's history has every row with exact minor units, whatever its days, texts and decimals. */
import test from "ava";
import { inTransaction } from "../../src/database/database.ts";
import { readHistory } from "../../src/ledger/history.ts";
import { addTransaction, insert, shareLedger, toldIds, unasked } from "./world.ts";

const ledger = shareLedger();

/** A user's rows in the order of their txids. */
async function historyOf(userId: number) {
  return ((await readHistory(ledger.database, [userId])).get(userId) ?? []).toSorted((a, b) =>
    a.txid < b.txid ? -1 : 1,
  );
}

test("a history has every field of a row, in minor units", async (t) => {
  const {
    userIds: [u1],
  } = await ledger.party();
  await insert(ledger.database, "accounts", { user_id: u1, id: "a1", name: "A", iban: "DK50" });
  const stored = await addTransaction(ledger.database, {
    user_id: u1,
    txid: "t1",
    booked_on: "2026-01-31",
    raw_type: "CARD_PURCHASE",
    description: "Payment",
    amount: "-12.50",
    currency: "DKK",
    original_amount: "-500",
    original_currency: "JPY",
    merchant_name: "Shop",
    merchant_cid: "m",
    merchant_country: "JP",
    merchant_mcc: 5411,
    account_id: "a1",
    card_id: "c1",
  });
  const [id] = await toldIds(ledger.database, [stored]);
  t.deepEqual(await historyOf(u1), [
    {
      id,
      txid: "t1",
      day: "2026-01-31",
      rawType: "CARD_PURCHASE",
      description: "Payment",
      amountMinor: -1250,
      currency: "DKK",
      originalAmountMinor: -500,
      originalCurrency: "JPY",
      merchantName: "Shop",
      merchantCid: "m",
      merchantCountry: "JP",
      mcc: 5411,
      accountId: "a1",
      cardId: "c1",
      iban: "DK50",
    },
  ]);
});

test("what a row does not have is null, and an original amount without a currency is in the row's own", async (t) => {
  const {
    userIds: [u1],
  } = await ledger.party();
  await addTransaction(ledger.database, { user_id: u1, txid: "t1" });
  await addTransaction(ledger.database, { user_id: u1, txid: "t2", currency: "JPY", original_amount: "-7" });
  const [bare, original] = await historyOf(u1);
  t.like(bare, {
    originalAmountMinor: null,
    originalCurrency: null,
    merchantName: null,
    merchantCid: null,
    merchantCountry: null,
    mcc: null,
    accountId: null,
    cardId: null,
    iban: null,
  });
  t.like(original, { originalAmountMinor: -7, originalCurrency: null });
});

test("each user has its own rows, however they lie among each other, and users without rows are absent", async (t) => {
  const {
    userIds: [u1, u2, u3],
  } = await ledger.party();
  for (const [userId, txid] of [
    [u1, "a"],
    [u2, "b"],
    [u1, "c"],
    [u3, "d"],
    [u2, "e"],
  ] as const)
    await addTransaction(ledger.database, { user_id: userId, txid });
  const histories = await readHistory(ledger.database, [u1, u2, 0]);
  t.deepEqual(
    [...histories.keys()].toSorted((a, b) => a - b),
    [u1, u2],
  );
  t.deepEqual((histories.get(u1) ?? []).map(({ txid }) => txid).toSorted(), ["a", "c"]);
  t.deepEqual((histories.get(u2) ?? []).map(({ txid }) => txid).toSorted(), ["b", "e"]);
});

test("rows of a removed account are absent; one's IBAN is of the user's own account, and none when the bank gave none", async (t) => {
  const {
    userIds: [u1, u2],
  } = await ledger.party();
  await insert(ledger.database, "accounts", { user_id: u1, id: "removed", name: "", iban: "DK1", removed_after: 1 });
  await insert(ledger.database, "accounts", { user_id: u1, id: "kept", name: "", iban: "DK2" });
  await insert(ledger.database, "accounts", { user_id: u1, id: "bare", name: "", iban: "" });
  await insert(ledger.database, "accounts", { user_id: u2, id: "theirs", name: "", iban: "DK3" });
  await insert(ledger.database, "accounts", { user_id: u2, id: "kept", name: "", iban: "DK4", removed_after: 1 });
  for (const id of ["removed", "kept", "bare", "theirs", "unknown"])
    await addTransaction(ledger.database, { user_id: u1, txid: id, account_id: id });
  await addTransaction(ledger.database, { user_id: u2, txid: "theirs", account_id: "theirs" });
  const both = await readHistory(ledger.database, [u1, u2]);
  const ibans = (userId: number) => Object.fromEntries((both.get(userId) ?? []).map(({ txid, iban }) => [txid, iban]));
  t.deepEqual(ibans(u1), { kept: "DK2", bare: null, theirs: null, unknown: null });
  t.deepEqual(ibans(u2), { theirs: "DK3" });
});

test("within a transaction its own rows are read", async (t) => {
  const {
    userIds: [u1],
  } = await ledger.party();
  const histories = await inTransaction(ledger.database, async (transaction) => {
    await addTransaction(transaction, { user_id: u1, txid: "uncommitted" });
    return await readHistory(transaction, [u1]);
  });
  t.is(histories.get(u1)?.[0]?.txid, "uncommitted");
});

test("for nobody nothing is asked of the database, and an id that is no whole number is a mistake", async (t) => {
  t.is((await readHistory(unasked, [])).size, 0);
  for (const id of [1.5, 2 ** 53, Number.NaN]) {
    await t.throwsAsync(readHistory(ledger.database, [id]), {
      instanceOf: TypeError,
      message: "a user's id is a whole number",
    });
  }
});

/** What amounts are in minor units, the row's own and the original one. */
async function minorUnits(
  userId: number,
  amounts: readonly (readonly [amount: string, currency: string, ...unknown[]])[],
): Promise<[number, number | null][]> {
  await ledger.database.query(
    `insert into transactions (user_id, txid, booked_on, tx_time, raw_type, description, amount, currency, original_amount, original_currency, delivery_position)
     select $1, lpad(place, 3, '0'), date '2026-02-28', '', 'CARD', '', amount, currency, amount, currency, 1
       from unnest($2::text[], $3::numeric[], $4::text[]) as given (place, amount, currency)`,
    [
      userId,
      amounts.map((_, at) => String(at)),
      amounts.map(([amount]) => amount),
      amounts.map(([, currency]) => currency),
    ],
  );
  return (await historyOf(userId)).map((row) => [row.amountMinor, row.originalAmountMinor]);
}

test("amounts are counted to the minor unit however large or fine the ledger has them, rounded half away from zero", async (t) => {
  const {
    userIds: [u1],
  } = await ledger.party();
  const amounts: [amount: string, currency: string, minor: number][] = [
    ["0", "DKK", 0],
    ["-0.01", "DKK", -1],
    ["0.5", "DKK", 50],
    ["-12.345", "DKK", -1235],
    ["12.3449", "DKK", 1234],
    ["0.00001", "DKK", 0],
    ["-0.005", "DKK", -1],
    ["-0.0049", "DKK", 0],
    ["10000", "DKK", 1_000_000],
    ["-99999999.99", "DKK", -9_999_999_999],
    ["123456789012.34", "DKK", 12_345_678_901_234],
    ["-123456789012.34", "DKK", -12_345_678_901_234],
    ["1000", "JPY", 1000],
    ["-1000000000000", "JPY", -1_000_000_000_000],
    ["999.5", "JPY", 1000],
    ["1.2345", "KWD", 1235],
    ["-1.2345", "CLF", -12_345],
    ["9007199254740.991", "KWD", 9_007_199_254_740_991],
    ["1.00000000", "DKK", 100],
    ["12.34500001", "DKK", 1235],
    ["-12.34499999", "DKK", -1234],
    ["100000000", "DKK", 10_000_000_000],
    ["-100000000.5", "DKK", -10_000_000_050],
    ["999999999999", "DKK", 99_999_999_999_900],
    ["1000000000000.01", "DKK", 100_000_000_000_001],
    ["-20000000000000", "DKK", -2_000_000_000_000_000],
    ["0.00010000", "CLF", 1],
    ["90000000000000.07", "DKK", 9_000_000_000_000_007],
    ["-0.000050001", "CLF", -1],
    ["900719925474", "KWD", 900_719_925_474_000],
    ["100000001", "DKK", 10_000_000_100],
    ["10000000000000", "JPY", 10_000_000_000_000],
    ["0.0000005", "DKK", 0],
    ["500719925474", "CLF", 5_007_199_254_740_000],
    ["-99999999.9999", "CLF", -999_999_999_999],
    ["900719925474.0991", "CLF", 9_007_199_254_740_991],
    ["500719925474.0992", "CLF", 5_007_199_254_740_992],
  ];
  t.deepEqual(
    await minorUnits(u1, amounts),
    amounts.map(([, , minor]) => [minor, minor]),
  );
});

test("an amount that no number of minor units can hold, or that is no number, is a mistake", async (t) => {
  const { userIds } = await ledger.party();
  await minorUnits(
    userIds[0],
    [["1e20", "DKK"]].map(([amount, currency]) => [amount ?? "", currency ?? ""] as const),
  ).then(
    () => t.fail("1e20 was counted"),
    (error: Error) => t.is(error.message, "a ledger amount is beyond what minor units can count"),
  );
  for (const [userId, amount] of [
    [userIds[1], "NaN"],
    [userIds[2], "-Infinity"],
  ] as const) {
    await t.throwsAsync(minorUnits(userId, [[amount, "DKK"]]), {
      instanceOf: RangeError,
      message: "a ledger amount is no number",
    });
  }
});

test("days of any century are read, and texts of any length and alphabet", async (t) => {
  const {
    userIds: [u1],
  } = await ledger.party();
  const given: [day: string, text: string][] = [
    ["1899-12-31", "ж".repeat(300)],
    ["1999-12-31", ""],
    ["2000-01-01", "日本 🧾"],
    ["2099-12-31", "KØB"],
    ["2100-01-01", "KØB"],
    ["2104-02-29", "ж".repeat(64)],
    ["2000-01-01", "日本 🧾"],
    ["2000-01-02", "æ"],
  ];
  for (const [at, [day, text]] of given.entries()) {
    await addTransaction(ledger.database, {
      user_id: u1,
      txid: String(at),
      booked_on: day,
      raw_type: text,
      description: text,
    });
  }
  const history = await historyOf(u1);
  t.deepEqual(
    history.map(({ day, description }) => [day, description]),
    given,
  );
  t.deepEqual(
    history.map(({ rawType }) => rawType),
    given.map(([, text]) => text),
  );
});
