import test from "ava";
import { readHistory } from "../../src/ledger/history.ts";
import { openLoading, transaction } from "../workers/world.ts";

test("a history has every row of each user, in minor units", async (t) => {
  const world = await openLoading(t);
  const [u1 = 0, u2 = 0, u3 = 0] = world.userIds;
  await world.load([
    {
      ...transaction("u1", "t1", {
        originalAmount: -500,
        originalCurrency: "JPY",
        merchant: { name: "Shop", cid: "m", country: "JP", mcc: 5411 },
      }),
      account: { id: "a1", name: "A", iban: "DK50" },
      card: { id: "c1", pan4: "1234" },
    },
    { ...transaction("u1", "t2", { amount: 1e3 }), account: { id: "a2", name: "A", iban: "" } },
    transaction("u2", "t1"),
  ]);
  const histories = await readHistory(world.database, [u1, u2, u3]);
  t.deepEqual(
    [...histories.keys()].toSorted((a, b) => a - b),
    [u1, u2],
  );
  const [first, second] = (histories.get(u1) ?? []).toSorted((a, b) => (a.txid < b.txid ? -1 : 1));
  t.deepEqual(
    { ...first, id: 0 },
    {
      id: 0,
      txid: "t1",
      day: "2026-01-31",
      rawType: "CARD_PURCHASE",
      description: "Payment t1",
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
  );
  t.like(second, {
    amountMinor: 100_000,
    originalAmountMinor: null,
    originalCurrency: null,
    merchantName: null,
    mcc: null,
    accountId: "a2",
    cardId: null,
    iban: null,
  });
  t.true(Number.isSafeInteger(first?.id));
});

test("amounts are counted to the minor unit however large or fine the ledger has them, rounded half away from zero", async (t) => {
  const world = await openLoading(t);
  const [userId = 0] = world.userIds;
  const amounts: [amount: string, currency: string, minor: number][] = [
    ["0", "DKK", 0],
    ["-0.01", "DKK", -1],
    ["0.5", "DKK", 50],
    ["-12.345", "DKK", -1235],
    ["12.3449", "DKK", 1234],
    ["0.00001", "DKK", 0],
    ["-0.005", "DKK", -1],
    ["10000", "DKK", 1_000_000],
    ["-99999999.99", "DKK", -9_999_999_999],
    ["123456789012.34", "DKK", 12_345_678_901_234],
    ["1000", "JPY", 1000],
    ["-1000000000000", "JPY", -1_000_000_000_000],
    ["999.5", "JPY", 1000],
    ["1.2345", "KWD", 1235],
    ["-1.2345", "CLF", -12_345],
    ["9007199254740.991", "KWD", 9_007_199_254_740_991],
    ["1.00000000", "DKK", 100],
  ];
  await world.database.query(
    `insert into transactions (user_id, txid, booked_on, tx_time, raw_type, description, amount, currency, original_amount, original_currency, delivery_position)
     select $1, place, date '2026-02-28', '', 'CARD', 'Køb æøå', amount, currency, amount, currency, 1
       from unnest($2::text[], $3::numeric[], $4::text[]) as given (place, amount, currency)`,
    [
      userId,
      amounts.map((_, at) => String(at)),
      amounts.map(([amount]) => amount),
      amounts.map(([, currency]) => currency),
    ],
  );
  const history = ((await readHistory(world.database, [userId])).get(userId) ?? []).toSorted(
    (a, b) => Number(a.txid) - Number(b.txid),
  );
  t.deepEqual(
    history.map(({ amountMinor }) => amountMinor),
    amounts.map(([, , minor]) => minor),
  );
  t.deepEqual(
    history.map(({ originalAmountMinor }) => originalAmountMinor),
    amounts.map(([, , minor]) => minor),
  );
  t.like(history[0], { description: "Køb æøå", day: "2026-02-28" });
  await world.database.query("update transactions set amount = 1e20 where txid = '0'");
  await t.throwsAsync(readHistory(world.database, [userId]), { instanceOf: RangeError });
});

test("days of any century are read, and texts of any length and alphabet", async (t) => {
  const world = await openLoading(t);
  const [userId = 0] = world.userIds;
  const given: [day: string, text: string][] = [
    ["1899-12-31", "ж".repeat(300)],
    ["1999-12-31", ""],
    ["2000-01-01", "日本 🧾"],
    ["2104-02-29", "ж".repeat(64)],
    ["2000-01-01", "日本 🧾"],
  ];
  await world.database.query(
    `insert into transactions (user_id, txid, booked_on, tx_time, raw_type, description, amount, currency, delivery_position)
     select $1, place, day::date, '', description, description, -1, 'DKK', 1 from unnest($2::text[], $3::text[], $4::text[]) as given (place, day, description)`,
    [userId, given.map((_, at) => String(at)), given.map(([day]) => day), given.map(([, text]) => text)],
  );
  const history = ((await readHistory(world.database, [userId])).get(userId) ?? []).toSorted((a, b) =>
    a.txid < b.txid ? -1 : 1,
  );
  t.deepEqual(
    history.map(({ day, description }) => [day, description]),
    given,
  );
  t.deepEqual(
    history.map(({ rawType }) => rawType),
    given.map(([, text]) => text),
  );
});
