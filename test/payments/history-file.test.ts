/** Histories read from files of records. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import test from "ava";
import { Fault } from "../../src/errors.ts";
import { historyTransaction, homeOf, readHistories } from "../../src/payments/history-file.ts";
import type { RawTransaction, RawTx } from "../../src/interface/record.ts";
import { row } from "../recognition/payments.ts";

function record(uid: string, txid: string, more: Partial<RawTx> = {}): RawTransaction {
  const tx = {
    txid,
    description: "Roret",
    txTime: "2026-03-09T10:00:00Z",
    type: "PAYMENT",
    amount: -12.5,
    currency: "DKK",
    ...more,
  };
  return { uid, type: "TX", tx };
}

const history = [
  record("anna", "a1"),
  record("bo", "b1", { description: "Isbåden" }),
  { uid: "anna", type: "IMPORT_COMPLETED" },
  record("anna", "a2", { amount: 20 }),
  record("bo", "b2", { txTime: "2026-02-30T10:00:00Z" }),
  { uid: "bo", type: "TX" },
] satisfies RawTransaction[];

const reads = test.macro({
  async exec(t, name: string, content: string | Buffer) {
    const folder = await mkdtemp(path.join(tmpdir(), "tideline-history-"));
    t.teardown(() => rm(folder, { recursive: true }));
    const file = path.join(folder, name);
    await writeFile(file, content);
    const { histories, leftOut } = await readHistories(file);
    t.deepEqual(
      [...histories].map(([uid, rows]) => [
        uid,
        rows.map(({ txid, description, amountMinor }) => [txid, description, amountMinor]),
      ]),
      [
        [
          "anna",
          [
            ["a1", "Roret", -12_50],
            ["a2", "Roret", 20_00],
          ],
        ],
        ["bo", [["b1", "Isbåden", -12_50]]],
      ],
    );
    t.deepEqual(leftOut, { count: 2, first: "record 5 has a tx.txTime that is no day" });
  },
  title: (what) => `histories are read from ${what}, users apart; markers are passed over, unreadable records counted`,
});

const lines = history.map((one) => JSON.stringify(one)).join("\n");
const array = JSON.stringify(history);
test("lines", reads, "day.jsonl", lines);
test(
  "lines of a file made on Windows, with blank ones between",
  reads,
  "day.jsonl",
  `\r\n${lines.replaceAll("\n", "\r\n \r\n")}\r\n`,
);
test("packed lines", reads, "day.jsonl.gz", gzipSync(lines));
test("an array", reads, "day.json", array);
test("an array behind white space", reads, "day.json", ` \n${array}`);
test("a packed array", reads, "day.json.gz", gzipSync(array));

const isNone = test.macro({
  async exec(t, name: string, content: string | Buffer, place: string) {
    const folder = await mkdtemp(path.join(tmpdir(), "tideline-history-"));
    t.teardown(() => rm(folder, { recursive: true }));
    const file = path.join(folder, name);
    await writeFile(file, content);
    const { message } = await t.throwsAsync(readHistories(file), { instanceOf: Fault, code: "SOURCE_INVALID" });
    t.true(message.startsWith(`${file}${place}`), message);
  },
  title: (what) => `what is no file of records is told with its place: ${what}`,
});

const packed = gzipSync(lines);
test("nothing", isNone, "day.jsonl", "", ", line 1 holds no record: the file is empty.");
test("blank lines", isNone, "day.jsonl", "\n \n", ", line 1 holds no record: the file is empty.");
test("an array of nothing", isNone, "day.json", "[]", ", line 1 holds no record: the file is empty.");
test("a table", isNone, "day.csv", '"Dato";"Beløb"\n"2026-03-09";"-12,50"\n', ", line 1 is of a CSV file: ");
test(
  "bytes",
  isNone,
  "day.bin",
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff]),
  ", line 1 is not JSON.",
);
test("a line that breaks off", isNone, "day.jsonl", `${lines}\n{"uid":"a`, ", line 7 is not JSON.");
test("a number", isNone, "day.jsonl", "\n5\n", ", line 2 is not a RawTransaction: it has no uid.");
test("null in an array", isNone, "day.json", '[{"uid":"a","type":"TX"},null]', ", element 1 is not a RawTransaction");
test(
  "an array that breaks off",
  isNone,
  "day.json",
  '[{"uid":"a","type":"TX"},\n{"uid"',
  ", line 2 breaks the JSON array",
);
test("an array with a fault in it", isNone, "day.json", '[\n\n{"uid" "a"}\n]', ", line 3 breaks the JSON array");
test(
  "a packed file that breaks off",
  isNone,
  "day.jsonl.gz",
  packed.subarray(0, packed.length - 9),
  " cannot be read (",
);
test("what is called packed and is not", isNone, "day.jsonl.gz", lines, " cannot be read (");

test("a file that is not there, or a folder, is no file of records", async (t) => {
  for (const file of ["/nowhere/day.jsonl", "/nowhere/day.jsonl.gz", tmpdir()])
    await t.throwsAsync(readHistories(file), { instanceOf: Fault, code: "SOURCE_INVALID", message: /cannot be read/ });
});

test("a record without a field that a row cannot be without is no row", (t) => {
  const { tx, ...rest } = record("anna", "a1");
  for (const name of ["txid", "description", "txTime", "type", "amount", "currency"])
    t.is(historyTransaction(rest, { ...tx!, [name]: undefined }), null, name);
});

test("a record becomes a row in minor units, everything it says kept", (t) => {
  const tx: RawTx = {
    txid: "t1",
    description: "RORET",
    txTime: "2026-03-09T23:59:59+02:00",
    type: "CARD_PURCHASE",
    amount: -74.55,
    currency: "DKK",
    originalAmount: -1200,
    originalCurrency: "ISK",
    merchant: { name: "Roret", cid: "cid-1", country: "IS", mcc: 5812 },
  };
  const account = { id: "account-7", name: "Everyday", iban: "DK5000400440116243" };
  t.deepEqual(historyTransaction({ uid: "anna", type: "TX", account, card: { id: "card-3", pan4: "1234" }, tx }, tx), {
    txid: "t1",
    day: "2026-03-09",
    rawType: "CARD_PURCHASE",
    description: "RORET",
    amountMinor: -74_55,
    currency: "DKK",
    originalAmountMinor: -1200,
    originalCurrency: "ISK",
    merchantName: "Roret",
    merchantCid: "cid-1",
    merchantCountry: "IS",
    mcc: 5812,
    accountId: "account-7",
    cardId: "card-3",
    iban: "DK5000400440116243",
  });
});

test("what a record does not say is null in the row", (t) => {
  const { tx, ...rest } = record("anna", "a1");
  t.deepEqual(historyTransaction(rest, tx!), {
    txid: "a1",
    day: "2026-03-09",
    rawType: "PAYMENT",
    description: "Roret",
    amountMinor: -12_50,
    currency: "DKK",
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
});

test("an original amount without its currency is none, a currency without an amount stays", (t) => {
  const without = record("anna", "a1", { originalAmount: -3 });
  t.like(historyTransaction(without, without.tx!), { originalAmountMinor: null, originalCurrency: null });
  const only = record("anna", "a1", { originalCurrency: "EUR" });
  t.like(historyTransaction(only, only.tx!), { originalAmountMinor: null, originalCurrency: "EUR" });
  const unreadable = record("anna", "a1", { originalAmount: Number.NaN, originalCurrency: "EUR" });
  t.like(historyTransaction(unreadable, unreadable.tx!), { originalAmountMinor: null, originalCurrency: "EUR" });
});

test("an amount of nothing abroad is kept as it was sent", (t) => {
  const free = record("anna", "a1", { originalAmount: 0, originalCurrency: "EUR" });
  t.is(historyTransaction(free, free.tx!)?.originalAmountMinor, 0);
});

test("a record whose day or amount cannot be read is no row", (t) => {
  for (const more of [{ txTime: "2026-02-30" }, { txTime: "" }, { amount: Number.NaN }, { amount: 1e20 }]) {
    const one = record("anna", "a1", more);
    t.is(historyTransaction(one, one.tx!), null, JSON.stringify(more));
  }
});

const home = test.macro({
  exec(t, currency: string, country: string) {
    t.deepEqual(homeOf([row("2026-03-09", "Roret", -1, { currency })]), { currency, country });
  },
  title: (_, currency, country) =>
    `who pays in ${currency} is at home in ${country === "" ? "no country we know" : country}`,
});

test(home, "DKK", "DK");
test(home, "NOK", "NO");
test(home, "SEK", "SE");
test(home, "ISK", "IS");
test(home, "GBP", "GB");
test(home, "PLN", "PL");
test(home, "CZK", "CZ");
test(home, "EUR", "DE");
test(home, "HUF", "");

test("the currency of a user is that of most payments, of equally many the first", (t) => {
  const paidIn = (...currencies: string[]) =>
    homeOf(currencies.map((currency) => row("2026-03-09", "Roret", -1, { currency })));
  t.is(paidIn("EUR", "SEK", "EUR", "SEK", "SEK").currency, "SEK");
  t.is(paidIn("SEK", "EUR", "SEK", "EUR", "SEK").currency, "SEK");
  t.is(paidIn("NOK", "DKK", "DKK", "NOK").currency, "NOK");
});

test("a home that is named counts before what the payments say", (t) => {
  const paid = [row("2026-03-09", "Roret", -1, { currency: "SEK" })];
  t.deepEqual(homeOf(paid, { currency: "NOK" }), { currency: "NOK", country: "NO" });
  t.deepEqual(homeOf(paid, { country: "FI" }), { currency: "SEK", country: "FI" });
  t.deepEqual(homeOf(paid, { country: "FI", currency: "EUR" }), { currency: "EUR", country: "FI" });
});

test("who has paid nothing is at home nowhere", (t) => {
  t.deepEqual(homeOf([]), { currency: "", country: "" });
});

test("of records that are none the first is told with what it lacks", async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-history-"));
  t.teardown(() => rm(folder, { recursive: true }));
  const file = path.join(folder, "day.jsonl");
  const toldOf = async (one: object): Promise<string | null> => {
    await writeFile(file, JSON.stringify(one));
    return (await readHistories(file)).leftOut.first;
  };
  const whole = record("anna", "a1");
  t.is(await toldOf(whole), null);
  t.is(await toldOf({ ...whole, tx: null }), "record 1 has no tx");
  t.is(await toldOf({ ...whole, tx: { ...whole.tx, type: undefined } }), "record 1 has no text tx.type");
  t.is(await toldOf({ ...whole, tx: { ...whole.tx, amount: "12" } }), "record 1 has no number tx.amount");
  t.is(await toldOf({ ...whole, tx: { ...whole.tx, amount: 1e300 } }), "record 1 has a tx.amount that is none");
});
