/** Banks' own statements load entry by entry, once however often and in however many messages they are told. */
import test from "ava";
import { chunkRecordsMax } from "../../../config/limits.ts";
import { inTransaction } from "../../../src/database/database.ts";
import { withdraw } from "../../../src/ledger/withdraw.ts";
import { sealToken } from "../sealing.ts";
import type { LoadingWorld } from "../world.ts";
import { countsOf, csv, ledgerSize, openLoading, problemsOf } from "../world.ts";
import { detail, details, element, ibanOf, notifications, statements } from "../statements.ts";
import { buildReceipt } from "../../../src/landing/receipt.ts";

const account = "DK5000400440116243";

/** An account of u1, named as accounts tables name what statements call by its IBAN. */
async function name(world: LoadingWorld, rows: readonly (readonly [bank: string, number: string, user: string])[]) {
  const header = ["bank_id", "account_number", "user_id"];
  return world.loadCsv("accounts", csv(header, rows));
}

async function openNamed(t: Parameters<typeof openLoading>[0], settings: object = {}): Promise<LoadingWorld> {
  const world = await openLoading(t, settings);
  await name(world, [["IBAN", account, "u1"]]);
  return world;
}

async function amounts(world: LoadingWorld): Promise<string[]> {
  const { rows } = await world.database.query<{ amount: string; text: string }>(
    "select amount::text, description as text from transactions order by txid",
  );
  return rows.map(({ amount, text }) => `${amount} ${text}`).toSorted();
}

const groceries = { amount: "125.50", reference: "R1", more: details(detail("125.50", "Netto")) };
const salary = { amount: "30000", side: "CRDT", reference: "R2", more: element("AddtlNtryInf", "Løn") } as const;

test("a statement's booked entries become transactions of the account's user, with signs, days and texts", async (t) => {
  const world = await openNamed(t);
  const file = statements({ entries: [groceries, salary, { amount: "9", status: "<Cd>PDNG</Cd>", reference: "R3" }] });
  const delivery = await world.loadXml(file);
  t.deepEqual(countsOf(delivery), { batches: 1, records: 2, new: 2 });
  t.deepEqual(await amounts(world), ["-125.5 Netto", "30000 Løn"]);
  const { rows } = await world.database.query(
    "select user_id, booked_on, currency, account_id, raw_type from transactions order by amount",
  );
  t.deepEqual(rows[0], {
    user_id: world.userIds[0],
    booked_on: "2026-01-31",
    currency: "DKK",
    account_id: account,
    raw_type: "UNKNOWN",
  });
  t.deepEqual((await world.database.query("select iban from accounts")).rows, [{ iban: account }]);
});

test("overlapping statements, and the same one sent again, load each entry once", async (t) => {
  const world = await openNamed(t);
  await world.loadXml(statements({ entries: [groceries] }));
  const overlapping = await world.loadXml(statements({ entries: [groceries, salary] }, { entries: [salary] }));
  t.deepEqual(countsOf(overlapping), { batches: 1, records: 3, new: 1, known: 2 });
  t.is(await ledgerSize(world.database), 2);
});

test("equal entries without a reference are as many as one statement tells, however many statements tell them", async (t) => {
  const world = await openNamed(t);
  const coffee = { amount: "28", more: element("AddtlNtryInf", "Kaffe") };
  await world.loadXml(statements({ entries: [coffee, coffee] }));
  const again = await world.loadXml(statements({ entries: [coffee, coffee, { ...coffee, booked: "2026-02-01" }] }));
  t.deepEqual(countsOf(again), { batches: 1, records: 3, new: 1, known: 2 });
});

test("a payment and its fee under one reference are two transactions", async (t) => {
  const world = await openNamed(t);
  const fee = { amount: "5", reference: "R1", more: element("AddtlNtryInf", "Gebyr") };
  t.deepEqual(countsOf(await world.loadXml(statements({ entries: [groceries, fee] }))), {
    batches: 1,
    records: 2,
    new: 2,
  });
  t.deepEqual(await amounts(world), ["-125.5 Netto", "-5 Gebyr"]);
});

const bundle = { amount: "300", reference: "B1" };
const bundled = {
  ...bundle,
  more: details(detail("100", "El", "D1"), detail("200", "Gas", "D2")),
};

test("details that come to the entry are transactions of their own, others leave it whole", async (t) => {
  const world = await openNamed(t);
  await world.loadXml(statements({ entries: [bundled] }));
  t.deepEqual(await amounts(world), ["-100 El", "-200 Gas"]);
  const unequal = { ...bundle, reference: "B2", more: details(detail("100", "El"), detail("150", "Gas")) };
  await world.loadXml(statements({ entries: [{ ...unequal, booked: "2026-02-01" }] }));
  t.deepEqual(await amounts(world), ["-100 El", "-200 Gas", "-300 "]);
});

test("details without references of their own have the entry's, and are the same when they come again", async (t) => {
  const world = await openNamed(t);
  const file = { ...bundle, more: details(detail("100", "El"), detail("200", "Gas")) };
  await world.loadXml(statements({ entries: [file] }));
  const again = await world.loadXml(notifications({ entries: [file] }));
  t.deepEqual(countsOf(again), { batches: 1, records: 2, known: 2 });
});

test("a bundle that a statement tells whole and a notification by its details is loaded once, whichever comes first", async (t) => {
  const statementFirst = await openNamed(t);
  await statementFirst.loadXml(statements({ entries: [bundle] }));
  const later = await statementFirst.loadXml(notifications({ entries: [bundled] }));
  t.deepEqual(countsOf(later), { batches: 1, records: 2, known: 2 });
  t.deepEqual(await amounts(statementFirst), ["-300 "]);

  const notificationFirst = await openNamed(t);
  await notificationFirst.loadXml(notifications({ entries: [bundled] }));
  const statement = await notificationFirst.loadXml(statements({ entries: [bundle] }));
  t.deepEqual(countsOf(statement), { batches: 1, records: 1, known: 1 });
  t.deepEqual(await amounts(notificationFirst), ["-100 El", "-200 Gas"]);

  const both = await openNamed(t);
  const file = await both.loadXml(statements({ entries: [bundle, groceries] }, { entries: [bundled] }));
  t.deepEqual(countsOf(file), { batches: 1, records: 4, new: 2, known: 2 });
  t.deepEqual(await amounts(both), ["-125.5 Netto", "-300 "]);
});

test("entries that are read where they stand are known too when their payments are there, or come in the same file", async (t) => {
  const world = await openNamed(t);
  await world.loadXml(notifications({ entries: [bundled] }));
  const coffee = { amount: "28", reference: "R8" };
  const wide = { entries: [groceries, bundle, coffee, salary] };
  t.deepEqual(countsOf(await world.loadXml(statements(wide))), { batches: 1, records: 4, new: 3, known: 1 });
  t.deepEqual(await amounts(world), ["-100 El", "-125.5 Netto", "-200 Gas", "-28 ", "30000 Løn"]);

  const both = await openNamed(t);
  const file = await both.loadXml(statements(wide, { entries: [bundled] }));
  t.deepEqual(countsOf(file), { batches: 1, records: 6, new: 4, known: 2 });
  t.deepEqual(await amounts(both), ["-125.5 Netto", "-28 ", "-300 ", "30000 Løn"]);
});

test("an entry that a notification words otherwise is known, one of another amount conflicts", async (t) => {
  const world = await openNamed(t);
  await world.loadXml(statements({ entries: [groceries] }));
  const worded = { ...groceries, more: element("AddtlNtryInf", "Dankort-køb NETTO 4711") };
  t.deepEqual(countsOf(await world.loadXml(notifications({ entries: [worded] }))), {
    batches: 1,
    records: 1,
    known: 1,
  });
  const other = await world.loadXml(notifications({ entries: [{ ...groceries, amount: "99", more: "" }] }));
  t.deepEqual(countsOf(other), { batches: 1, records: 1, conflicting: 1 });
});

test("a reversal keeps the side that the bank tells", async (t) => {
  const world = await openNamed(t);
  const returned = { ...groceries, side: "CRDT", reference: "R9", more: element("RvslInd", "true") } as const;
  await world.loadXml(statements({ entries: [groceries, returned] }));
  t.deepEqual(await amounts(world), ["-125.5 Netto", "125.5 "]);
});

test("accounts that nobody has named wait, and are loaded with their balance once they are", async (t) => {
  const world = await openLoading(t);
  const delivery = await world.loadXml(statements({ entries: [groceries], balances: ["200.00", "74.50"] }));
  t.deepEqual(countsOf(delivery), { batches: 1, records: 1, waiting: 1 });
  await name(world, [["IBAN", account, "u2"]]);
  const revisited = await world.ingest(delivery.id);
  t.deepEqual(countsOf(revisited), { batches: 1, records: 1, new: 1 });
  const { rows } = await world.database.query("select user_id, balance::text from account_balances");
  t.deepEqual(rows, [{ user_id: world.userIds[1], balance: "74.50" }]);
});

test("closing balances are kept once, as of the end of their day, and the latest is the present one", async (t) => {
  const world = await openNamed(t);
  const file = { entries: [groceries], balances: ["200.00", "74.50"] } as const;
  await world.loadXml(statements(file));
  await world.loadXml(notifications({ ...file, entries: [groceries, salary] }));
  await world.loadXml(statements({ entries: [], balances: ["74.50", "74.50"], closedOn: "2026-02-01" }));
  const { rows } = await world.database.query(
    `select balance::text, (observed_at at time zone b.time_zone)::text as at
       from account_balances join users u on u.id = user_id join brands b on b.partner_id = u.partner_id and b.id = u.brand_id
      order by observed_at`,
  );
  t.deepEqual(rows, [
    { balance: "74.50", at: "2026-01-31 23:59:59" },
    { balance: "74.50", at: "2026-02-01 23:59:59" },
  ]);
  t.deepEqual((await world.database.query("select balance::text from accounts")).rows, [{ balance: "74.50" }]);
});

test("the receipt tells of balances that do not add up and of statements that are missing, and the entries load", async (t) => {
  const world = await openNamed(t);
  await world.loadXml(statements({ entries: [groceries], balances: ["200.00", "74.50"], sequence: 7 }));
  const later = { ...groceries, reference: "R7" };
  const delivery = await world.loadXml(statements({ entries: [later], balances: ["74.50", "0.00"], sequence: 10 }));
  t.deepEqual(countsOf(delivery), { batches: 1, records: 1, new: 1 });
  const receipt = await buildReceipt(world.database, delivery);
  t.deepEqual(receipt.statements, [
    {
      line: 3,
      kind: "camt.053",
      sequence: 10,
      entries: 1,
      notBooked: 0,
      balances: "differ",
      missing: { from: 8, to: 9 },
    },
  ]);
  t.is(receipt.statementsTotal, 1);
  t.deepEqual(await problemsOf(world.database, delivery.id), [
    {
      line: 3,
      index: -1,
      field: "Bal",
      reason:
        "opening balance and booked entries do not come to the closing balance: entries are missing, or there twice",
    },
  ]);
});

test("balances that agree are told as that, and what has none as not told", async (t) => {
  const world = await openNamed(t);
  const delivery = await world.loadXml(
    statements({ entries: [groceries, salary], balances: ["-10.00", "29864.50"], sequence: 1 }, { entries: [] }),
  );
  const { statements: told } = await buildReceipt(world.database, delivery);
  t.deepEqual(
    told?.map(({ balances, missing }) => ({ balances, missing })),
    [
      { balances: "agree", missing: null },
      { balances: "not told", missing: null },
    ],
  );
  t.deepEqual(await problemsOf(world.database, delivery.id), []);
});

test("rules cut an IBAN into the numbers of the accounts table, and accounts without one have the bank's own", async (t) => {
  const world = await openLoading(t, { ibanRules: { NO: { bankId: [1, 4], accountNumber: [1, 11] } } });
  await name(world, [
    ["8601", "86011117947", "u1"],
    ["DABADKKK", "4711", "u2"],
  ]);
  const own =
    element("Id", element("Othr", element("Id", "4711"))) +
    element("Svcr", element("FinInstnId", element("BICFI", "DABADKKK")));
  await world.loadXml(
    statements({ account: ibanOf("NO93 8601 1117 947"), entries: [groceries] }, { account: own, entries: [groceries] }),
  );
  const { rows } = await world.database.query("select user_id, account_id from transactions order by user_id");
  t.deepEqual(rows, [
    { user_id: world.userIds[0], account_id: "86011117947" },
    { user_id: world.userIds[1], account_id: "4711" },
  ]);
});

test("entries that break the interface are refused one by one, by line and element", async (t) => {
  const world = await openNamed(t);
  const delivery = await world.loadXml(
    statements({
      entries: [{ amount: "1", booked: "2026-02-30", reference: "X1" }, { amount: "x", reference: "X2" }, groceries],
    }),
  );
  t.deepEqual(countsOf(delivery), { batches: 1, records: 3, new: 1, refused: 2 });
  t.deepEqual(await problemsOf(world.database, delivery.id), [
    { line: 7, index: 0, field: "Ntry/BookgDt", reason: "does not start with a calendar day (YYYY-MM-DD)" },
    { line: 14, index: 1, field: "Ntry/Amt", reason: "is not a number" },
  ]);
});

test("a file that is cut off, has a document type or is another document is refused whole", async (t) => {
  const world = await openNamed(t);
  const whole = statements({ entries: [groceries] });
  const refusals: Record<string, string | null> = {};
  const files = {
    cut: whole.slice(0, -20),
    entity: whole.replace("<Document", '<!DOCTYPE Document [<!ENTITY a "b">]>\n<Document'),
    other: '<?xml version="1.0"?><Document><BkToCstmrAcctRpt/></Document>',
    latin: Buffer.from(whole.replace("Netto", "Køb"), "latin1"),
  };
  for (const [name, file] of Object.entries(files)) {
    const { state, refusalCode, refusalReason } = await world.loadXml(file);
    refusals[name] = `${state} ${refusalCode}: ${refusalReason}`;
  }
  t.deepEqual(refusals, {
    cut: "refused FILE_DAMAGED: The file is no whole XML document: line 13.",
    entity: "refused TX_DATA_ERROR: The file has a document type (DOCTYPE), which is not taken.",
    other:
      "refused TX_DATA_ERROR: The file holds neither a bank-to-customer statement (camt.053) nor a notification (camt.054).",
    latin: "refused FILE_DAMAGED: The file holds bytes that are not UTF-8.",
  });
  t.is(await ledgerSize(world.database), 0);
});

test("the encoding that a file names is the one it is read in", async (t) => {
  const world = await openNamed(t);
  const text = statements({ entries: [{ ...groceries, more: element("AddtlNtryInf", "Køb") }] });
  await world.loadXml(Buffer.from(text.replace("UTF-8", "ISO-8859-1"), "latin1"));
  t.deepEqual(await amounts(world), ["-125.5 Køb"]);
});

test("a withdrawn notification leaves room for the statement's whole entry", async (t) => {
  const world = await openNamed(t);
  const notification = await world.loadXml(notifications({ entries: [bundled] }));
  await inTransaction(world.database, (transaction) => withdraw(transaction, notification.id, "test"));
  t.deepEqual(countsOf(await world.loadXml(statements({ entries: [bundle] }))), { batches: 1, records: 1, new: 1 });
});

test("a load of statements that breaks off is continued, with every entry once", async (t) => {
  const world = await openNamed(t);
  const entries = Array.from({ length: chunkRecordsMax + 500 }, (_, n) => ({
    amount: n === chunkRecordsMax + 100 ? "77777" : "10",
    reference: `R${n}`,
  }));
  const file = statements(
    { entries: entries.slice(0, 500) },
    { entries: entries.slice(500), balances: ["5000.00", "-272767.00"] },
  );
  const id = await world.deliverFile("camt.xml", sealToken(world.key, file));
  await world.database.query("alter table transactions add constraint poison check (amount <> -77777)");
  await t.throwsAsync(world.ingest(id), { message: /poison/ });
  const loaded = await ledgerSize(world.database);
  t.true(loaded > 0 && loaded < entries.length);
  await world.database.query("alter table transactions drop constraint poison");
  const delivery = await world.ingest(id);
  t.deepEqual(countsOf(delivery), { batches: 1, records: entries.length, new: entries.length });
  t.is(await ledgerSize(world.database), entries.length);
  const { statements: told } = await buildReceipt(world.database, delivery);
  t.deepEqual(
    told?.map(({ entries: count, balances }) => [count, balances]),
    [
      [500, "not told"],
      [chunkRecordsMax, "agree"],
    ],
  );
});
