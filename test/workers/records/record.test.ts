/** A record becomes a row with every field kept exactly, or is refused with each of its problems named. */
import test from "ava";
import { checkRecord, UnreadableRecord } from "../../../workers/records/record.ts";
import fc from "../../property.ts";

const smallest = {
  uid: "u1",
  type: "TX",
  tx: { txid: "t1", description: "", txTime: "2026-01-31", type: "X", amount: -12.5, currency: "DKK" },
};
const fullest = {
  uid: "u1",
  type: "TX",
  card: { id: "c1", pan4: "1234", cardType: "DEBIT", paymentNetwork: "DK" },
  account: { id: "a1", name: "Lønkonto", iban: "DK5000400440116243" },
  tx: {
    txid: "t1",
    description: "NETFLIX.COM",
    txTime: "2026-01-31T23:59:59.999+01:00",
    type: "CARD_PURCHASE",
    amount: -79,
    currency: "DKK",
    originalAmount: -10.595,
    originalCurrency: "EUR",
    merchant: {
      name: "Netflix",
      cid: "123",
      address: "Street 1",
      city: "Amsterdam",
      postCode: "1011",
      country: "NL",
      mcc: 5968,
    },
  },
};

test("the smallest record becomes a row", (t) => {
  t.deepEqual(checkRecord(smallest), {
    kind: "transaction",
    uid: "u1",
    account: null,
    card: null,
    row: {
      txid: "t1",
      bookedOn: "2026-01-31",
      txTime: "2026-01-31",
      rawType: "X",
      description: "",
      amount: "-12.5",
      currency: "DKK",
      originalAmount: null,
      originalCurrency: null,
      merchantName: null,
      merchantCid: null,
      merchantAddress: null,
      merchantCity: null,
      merchantPostCode: null,
      merchantCountry: null,
      merchantMcc: null,
      accountId: null,
      cardId: null,
    },
  });
});

test("every field of the fullest record is kept", (t) => {
  t.deepEqual(checkRecord(fullest), {
    kind: "transaction",
    uid: "u1",
    account: { id: "a1", name: "Lønkonto", iban: "DK5000400440116243" },
    card: { id: "c1", pan4: "1234", cardType: "DEBIT", paymentNetwork: "DK" },
    row: {
      txid: "t1",
      bookedOn: "2026-01-31",
      txTime: "2026-01-31T23:59:59.999+01:00",
      rawType: "CARD_PURCHASE",
      description: "NETFLIX.COM",
      amount: "-79",
      currency: "DKK",
      originalAmount: "-10.595",
      originalCurrency: "EUR",
      merchantName: "Netflix",
      merchantCid: "123",
      merchantAddress: "Street 1",
      merchantCity: "Amsterdam",
      merchantPostCode: "1011",
      merchantCountry: "NL",
      merchantMcc: 5968,
      accountId: "a1",
      cardId: "c1",
    },
  });
});

test("a marker needs a user and nothing else", (t) => {
  t.deepEqual(checkRecord({ uid: "u1", type: "IMPORT_COMPLETED" }), { kind: "marker", uid: "u1" });
  t.deepEqual(checkRecord({ uid: "u1", type: "IMPORT_COMPLETED", tx: null }), { kind: "marker", uid: "u1" });
});

test("null counts as absent, and unknown keys are ignored", (t) => {
  const record = {
    ...smallest,
    card: null,
    account: null,
    later: { added: [1] },
    tx: { ...smallest.tx, originalAmount: null, originalCurrency: null, merchant: null, mood: "fine" },
  };
  t.deepEqual(checkRecord(record), checkRecord(smallest));
});

test("amounts keep the decimal that the sender wrote", (t) => {
  for (const [amount, text] of [
    [0.1, "0.1"],
    [-0, "0"],
    [1e3, "1000"],
    [1234567.89, "1234567.89"],
    [1e-7, "1e-7"],
    [70.0, "70"],
  ] as const) {
    const checked = checkRecord(withTx({ amount }));
    t.is(!Array.isArray(checked) && checked.kind === "transaction" ? checked.row.amount : null, text);
  }
});

function withTx(change: object): unknown {
  return { ...smallest, tx: { ...smallest.tx, ...change } };
}

const bad: [name: string, value: unknown, field: string, reason: string][] = [
  ["a number", 7, "", "is not an object"],
  ["null", null, "", "is not an object"],
  ["an array", [smallest], "", "is not an object"],
  ["what was no JSON", new UnreadableRecord("is not JSON"), "", "is not JSON"],
  ["no uid", { ...smallest, uid: undefined }, "uid", "is missing"],
  ["an empty uid", { ...smallest, uid: "" }, "uid", "is empty"],
  ["a uid that is a number", { ...smallest, uid: 7 }, "uid", "is not a string"],
  ["a long uid", { ...smallest, uid: "u".repeat(201) }, "uid", "is longer than 200 characters"],
  ["no type", { ...smallest, type: undefined }, "type", "is missing"],
  ["another type", { ...smallest, type: "tx" }, "type", "is neither TX nor IMPORT_COMPLETED"],
  ["TX without tx", { ...smallest, tx: undefined }, "tx", "is missing"],
  ["TX with a tx that is a list", { ...smallest, tx: [] }, "tx", "is not an object"],
  [
    "IMPORT_COMPLETED with tx",
    { ...smallest, type: "IMPORT_COMPLETED" },
    "tx",
    "must be absent when type is IMPORT_COMPLETED",
  ],
  ["no txid", withTx({ txid: null }), "tx.txid", "is missing"],
  ["an empty txid", withTx({ txid: "" }), "tx.txid", "is empty"],
  ["a long txid", withTx({ txid: "x".repeat(256) }), "tx.txid", "is longer than 255 characters"],
  ["no description", withTx({ description: undefined }), "tx.description", "is missing"],
  ["a long description", withTx({ description: "x".repeat(2001) }), "tx.description", "is longer than 2000 characters"],
  ["NUL in a text", withTx({ description: "a\0b" }), "tx.description", "contains a character that cannot be stored"],
  [
    "half a surrogate pair",
    withTx({ description: "a\ud83d" }),
    "tx.description",
    "contains a character that cannot be stored",
  ],
  ["no txTime", withTx({ txTime: undefined }), "tx.txTime", "is missing"],
  [
    "a day that does not exist",
    withTx({ txTime: "2026-02-30T00:00:00Z" }),
    "tx.txTime",
    "does not start with a calendar day (YYYY-MM-DD)",
  ],
  [
    "a day in another order",
    withTx({ txTime: "31-01-2026" }),
    "tx.txTime",
    "does not start with a calendar day (YYYY-MM-DD)",
  ],
  [
    "a day with too many digits",
    withTx({ txTime: "2026-01-311" }),
    "tx.txTime",
    "does not start with a calendar day (YYYY-MM-DD)",
  ],
  ["a time stamp in milliseconds", withTx({ txTime: 1767225600000 }), "tx.txTime", "is not a string"],
  ["a year before accounts", withTx({ txTime: "0000-01-01" }), "tx.txTime", "is not between the years 1900 and 2199"],
  ["a year far ahead", withTx({ txTime: "9999-12-31" }), "tx.txTime", "is not between the years 1900 and 2199"],
  ["no raw type", withTx({ type: undefined }), "tx.type", "is missing"],
  ["no amount", withTx({ amount: undefined }), "tx.amount", "is missing"],
  ["an amount that is a text", withTx({ amount: "12.50" }), "tx.amount", "is not a number"],
  ["an infinite amount", withTx({ amount: JSON.parse("1e999") }), "tx.amount", "is too large"],
  ["an amount beyond all households", withTx({ amount: 1e15 }), "tx.amount", "is too large"],
  ["an amount beyond exact minor units", withTx({ amount: -123456789012345 }), "tx.amount", "is too large"],
  ["no currency", withTx({ currency: undefined }), "tx.currency", "is missing"],
  [
    "a currency in small letters",
    withTx({ currency: "dkk" }),
    "tx.currency",
    "is not three capital letters (ISO 4217)",
  ],
  [
    "a currency with a line end",
    withTx({ currency: "DKK\n" }),
    "tx.currency",
    "is not three capital letters (ISO 4217)",
  ],
  ["an original amount that is a text", withTx({ originalAmount: "1" }), "tx.originalAmount", "is not a number"],
  [
    "an original currency of four letters",
    withTx({ originalCurrency: "EURO" }),
    "tx.originalCurrency",
    "is not three capital letters (ISO 4217)",
  ],
  ["a merchant that is a text", withTx({ merchant: "Netflix" }), "tx.merchant", "is not an object"],
  ["a merchant without a name", withTx({ merchant: { mcc: 1 } }), "tx.merchant.name", "is missing"],
  [
    "an MCC that is a text",
    withTx({ merchant: { name: "x", mcc: "5411" } }),
    "tx.merchant.mcc",
    "is not a whole number from 0 to 9999",
  ],
  [
    "an MCC of five digits",
    withTx({ merchant: { name: "x", mcc: 10_000 } }),
    "tx.merchant.mcc",
    "is not a whole number from 0 to 9999",
  ],
  [
    "half an MCC",
    withTx({ merchant: { name: "x", mcc: 5411.5 } }),
    "tx.merchant.mcc",
    "is not a whole number from 0 to 9999",
  ],
  ["a city that is a number", withTx({ merchant: { name: "x", city: 7 } }), "tx.merchant.city", "is not a string"],
  ["an account without an id", { ...smallest, account: { name: "", iban: "" } }, "account.id", "is missing"],
  ["an account without an iban", { ...smallest, account: { id: "a", name: "" } }, "account.iban", "is missing"],
  ["a card without its digits", { ...smallest, card: { id: "c" } }, "card.pan4", "is missing"],
  [
    "a whole card number",
    { ...smallest, card: { id: "c", pan4: "4571000000001234" } },
    "card.pan4",
    "is longer than 8 characters",
  ],
  ["a card that is a text", { ...smallest, card: "c1" }, "card", "is not an object"],
];

for (const [name, value, field, reason] of bad) {
  test(`refused: ${name}`, (t) => {
    t.deepEqual(checkRecord(value), [{ field, reason }]);
  });
}

test("all problems of a record are named", (t) => {
  t.deepEqual(checkRecord({ type: "TX", card: {}, tx: { txid: "t", merchant: 1 } }), [
    { field: "uid", reason: "is missing" },
    { field: "card.id", reason: "is missing" },
    { field: "card.pan4", reason: "is missing" },
    { field: "tx.txTime", reason: "is missing" },
    { field: "tx.currency", reason: "is missing" },
    { field: "tx.merchant", reason: "is not an object" },
    { field: "tx.type", reason: "is missing" },
    { field: "tx.description", reason: "is missing" },
    { field: "tx.amount", reason: "is missing" },
  ]);
});

test("no value makes it throw, and no reason repeats a value", (t) => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const checked = checkRecord(value);
      if (!Array.isArray(checked)) return;
      t.true(checked.length > 0);
    }),
  );
  t.notRegex(
    JSON.stringify(checkRecord(withTx({ txid: 4711, amount: "4711", currency: "4711", txTime: "4711" }))),
    /4711/,
  );
});
