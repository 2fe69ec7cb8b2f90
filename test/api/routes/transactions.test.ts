/** A user's transactions are listed newest first in the brand's currency, narrowed on request, and to nobody else. */
import test from "ava";
import { typeOf } from "../../../src/payments/transaction-type.ts";
import type { Database } from "../../../src/database/database.ts";
import { paymentNumbersOf } from "../../../src/ledger/payment-numbers.ts";
import { renderTransactionId } from "../../../src/ledger/transaction-id.ts";
import { openWorld, partnerPath } from "../world.ts";

const path = `${partnerPath}/transactions`;
const serviceId = "3f6a7c1e-58f1-5b0f-9a53-0d8c6f1f2a44";

type Row = {
  txid: string;
  booked_on: string;
  raw_type?: string;
  description?: string;
  amount: string;
  currency?: string;
  original_amount?: string | null;
  original_currency?: string | null;
  merchant_name?: string | null;
  account_id?: string | null;
  card_id?: string | null;
};

async function store(database: Database, userId: number, ...rows: Row[]): Promise<void> {
  for (const [index, row] of rows.entries()) {
    await database.query(
      `insert into transactions (user_id, txid, id, booked_on, tx_time, raw_type, description, amount, currency, original_amount, original_currency,
                                 merchant_name, account_id, card_id, delivery_position)
       values ($1, $2, $3, $4::date, $4::text, $5, $6, $7, $8, $9, $10, $11, $12, $13, 1)`,
      [
        userId,
        row.txid,
        userId * 1000 + index,
        row.booked_on,
        row.raw_type ?? "CARD_PURCHASE",
        row.description ?? "Shop",
        row.amount,
        row.currency ?? "DKK",
        row.original_amount ?? null,
        row.original_currency ?? null,
        row.merchant_name ?? null,
        row.account_id ?? null,
        row.card_id ?? null,
      ],
    );
  }
}

test.serial("a user's debited transactions are listed newest first, in the interface's form", async (t) => {
  const { call, newUser, database } = await openWorld(t);
  const { token, userId } = await newUser("anna");
  await store(
    database,
    userId,
    {
      txid: "t-1",
      booked_on: "2026-06-01",
      amount: "-99.00",
      merchant_name: "Music",
      account_id: "acc-1",
      card_id: "card-1",
    },
    { txid: "t-2", booked_on: "2026-06-03", amount: "-12.50", raw_type: "fee", description: "  Monthly fee  " },
    { txid: "t-3", booked_on: "2026-06-02", amount: "25000", raw_type: "SALARY" },
  );
  await database.query(
    "insert into services (id, user_id, key, txids, first_detected_on, document) values ($1, $2, 'music', '{t-1}', '2026-06-01', '{}')",
    [serviceId, userId],
  );
  const [first = 0, second = 0] = (await paymentNumbersOf(database)).told([userId * 1000, userId * 1000 + 1]);
  const answer = await call("GET", path, { token });
  t.is(answer.status, 200);
  t.deepEqual(answer.json, [
    {
      id: renderTransactionId(second),
      transactionDate: "2026-06-03",
      type: "OTHER",
      amount: -12.5,
      currency: "DKK",
      originalAmount: -12.5,
      originalCurrency: "DKK",
      merchantName: "Monthly Fee",
    },
    {
      id: renderTransactionId(first),
      transactionDate: "2026-06-01",
      type: "CARD_PURCHASE",
      amount: -99,
      currency: "DKK",
      originalAmount: -99,
      originalCurrency: "DKK",
      merchantName: "Music",
      serviceId,
      accountId: "acc-1",
      cardId: "card-1",
    },
  ]);
});

test.serial("the declared request body is ignored", async (t) => {
  const { call, newUser } = await openWorld(t);
  const { token } = await newUser("anna");
  for (const raw of ["[]", "{", "x".repeat(100_000)]) t.deepEqual((await call("GET", path, { token, raw })).json, []);
});

test.serial(
  "amounts are told in the brand's currency: as the purchase itself cost in it, else by the day's rate, else as they are",
  async (t) => {
    const convert = (money: { minor: number; currency: string }, currency: string, day: string) =>
      money.currency === "EUR" && day === "2026-06-01" ? { minor: Math.round(money.minor * 7.46), currency } : null;
    const { call, newUser, database } = await openWorld(t, { convert });
    const { token, userId } = await newUser("anna");
    await store(
      database,
      userId,
      { txid: "t-1", booked_on: "2026-06-01", amount: "-10.00", currency: "EUR" },
      {
        txid: "t-2",
        booked_on: "2026-05-02",
        amount: "-10.00",
        currency: "EUR",
        original_amount: "74.655",
        original_currency: "DKK",
      },
      {
        txid: "t-3",
        booked_on: "2026-05-01",
        amount: "-10.00",
        currency: "EUR",
        original_amount: "-11.2",
        original_currency: "USD",
      },
      { txid: "t-4", booked_on: "2026-04-01", amount: "-80", original_amount: "-11.2", original_currency: "USD" },
    );
    const listed = (await call("GET", path, { token })).json as Record<string, unknown>[];
    t.deepEqual(
      listed.map(({ amount, currency, originalAmount, originalCurrency }) => [
        amount,
        currency,
        originalAmount,
        originalCurrency,
      ]),
      [
        [-74.6, "DKK", -10, "EUR"],
        [-74.66, "DKK", 74.655, "DKK"],
        [-10, "EUR", -11.2, "USD"],
        [-80, "DKK", -11.2, "USD"],
      ],
    );
  },
);

test.serial("from, to and limit narrow the list; rows after the business day are not seen", async (t) => {
  const { call, newUser, database } = await openWorld(t);
  const { token, userId } = await newUser("anna");
  const days = ["2024-01-01", "2026-06-13", "2026-06-14", "2026-06-15", "2026-06-16"];
  await store(database, userId, ...days.map((day) => ({ txid: day, booked_on: day, amount: "-1" })));
  const listed = async (query: string) =>
    ((await call("GET", `${path}${query}`, { token })).json as { transactionDate: string }[]).map(
      (each) => each.transactionDate,
    );
  t.deepEqual(await listed(""), ["2026-06-15", "2026-06-14", "2026-06-13", "2024-01-01"]);
  t.deepEqual(await listed("?from=2026-06-14"), ["2026-06-15", "2026-06-14"]);
  t.deepEqual(await listed("?to=2026-06-13"), ["2026-06-13", "2024-01-01"]);
  t.deepEqual(await listed("?to=2030-01-01&limit=1"), ["2026-06-15"]);
  t.deepEqual(await listed("?from=2026-06-16"), []);
  for (const query of [
    "?from=2026-02-30",
    "?limit=0",
    "?limit=x",
    "?limit=10001",
    "?from=2026-06-02&to=2026-06-01",
    "?from=a&from=b",
  ]) {
    const answer = await call("GET", `${path}${query}`, { token });
    t.is(answer.status, 400, query);
    t.like(answer.json, { code: "REQUEST_INVALID" });
  }
});

test.serial("nobody sees another user's transactions", async (t) => {
  const { call, newUser, database } = await openWorld(t);
  const anna = await newUser("anna");
  const bo = await newUser("bo");
  await store(database, anna.userId, { txid: "t-1", booked_on: "2026-06-01", amount: "-1" });
  t.is(((await call("GET", path, { token: anna.token })).json as unknown[]).length, 1);
  t.deepEqual((await call("GET", path, { token: bo.token })).json, []);
});

test.serial("raw types map by name, known others to OTHER, the rest to UNKNOWN", (t) => {
  for (const [rawType, type] of [
    ["CARD_PURCHASE", "CARD_PURCHASE"],
    ["card purchase", "CARD_PURCHASE"],
    ["Direct-Debit", "DIRECT_DEBIT"],
    ["INVOICE", "INVOICE"],
    ["OTHER", "OTHER"],
    ["FEE", "OTHER"],
    ["INTEREST", "OTHER"],
    ["TRANSFER_OUT", "OTHER"],
    ["UNKNOWN", "UNKNOWN"],
    ["KARTENZAHLUNG", "UNKNOWN"],
    ["", "UNKNOWN"],
  ] as const)
    t.is(typeOf(rawType), type, rawType);
});
