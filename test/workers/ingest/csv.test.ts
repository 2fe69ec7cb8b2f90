/** Tables of accounts and transactions load by their columns' names, and bad rows are refused one by one. */
import test from "ava";
import { gzipSync } from "node:zlib";
import { chunkRecordsMax } from "../../../config/limits.ts";
import fc, { runs } from "../../property.ts";
import { sealToken } from "../sealing.ts";
import {
  accountsCsv,
  countsOf,
  ledgerSize,
  openLoading,
  problemsOf,
  csv,
  type TransactionFields,
  transaction,
  transactionsCsv,
} from "../world.ts";

test("accounts name their users, and transactions follow their accounts", async (t) => {
  const world = await openLoading(t);
  const accounts = await world.loadCsv("accounts", accountsCsv({ a1: "u1", a2: "u2", a3: "nobody" }, ["u2"]));
  t.deepEqual(countsOf(accounts), { batches: 1, records: 3, new: 2, refused: 1 });
  t.deepEqual(await problemsOf(world.database, accounts.id), [
    { line: 4, index: 2, field: "user_id", reason: "is not a user of the partner" },
  ]);
  t.deepEqual((await world.database.query("select user_id from import_markers")).rows, [{ user_id: world.userIds[1] }]);
  const loaded = await world.loadCsv(
    "transactions",
    transactionsCsv([
      {
        transaction_id: "t1",
        amount: "-1234.50",
        original_amount: "-165.5",
        original_currency: "EUR",
        description: 'He said "hi"; twice\nover',
        merchant_name: "Netflix",
        merchant_id: "m1",
        merchant_address: "Street 1",
        merchant_city: "Amsterdam",
        merchant_post_code: "1011",
        merchant_country: "NL",
        mcc: "5968",
        card_id: "c1",
        card_pan4: "1234",
        card_type: "DEBIT",
        iban: "DK50",
        account_name: "Lønkonto",
      },
      { transaction_id: "t1", account_number: "a2" },
    ]),
  );
  t.deepEqual(countsOf(loaded), { batches: 1, records: 2, new: 2 });
  const { rows } = await world.database.query("select t.*, amount::text from transactions t order by user_id");
  t.like(rows[0], {
    user_id: world.userIds[0],
    txid: "t1",
    booked_on: "2026-01-31",
    tx_time: "2026-01-31",
    raw_type: "CARD_PURCHASE",
    description: 'He said "hi"; twice\nover',
    amount: "-1234.5",
    currency: "DKK",
    original_amount: "-165.5",
    original_currency: "EUR",
    merchant_name: "Netflix",
    merchant_cid: "m1",
    merchant_address: "Street 1",
    merchant_city: "Amsterdam",
    merchant_post_code: "1011",
    merchant_country: "NL",
    merchant_mcc: 5968,
    account_id: "a1",
    card_id: "c1",
  });
  t.like(rows[1], {
    user_id: world.userIds[1],
    account_id: "a2",
    merchant_name: null,
    original_amount: null,
    card_id: null,
  });
  t.deepEqual((await world.database.query("select id, name, iban from accounts order by 1")).rows, [
    { id: "a1", name: "Lønkonto", iban: "DK50" },
    { id: "a2", name: "", iban: "" },
  ]);
  t.deepEqual((await world.database.query("select id, pan4, card_type from cards")).rows, [
    { id: "c1", pan4: "1234", card_type: "DEBIT" },
  ]);
});

test("columns are found by name, in any order and case, and unknown ones are ignored", async (t) => {
  const world = await openLoading(t);
  await world.loadCsv(
    "accounts",
    `\uFEFF${csv(["ACCOUNT_NUMBER", "Colour", "user_id", "bank_id"], [["a1", "red", "u1", "b1"]])}`,
  );
  const text = csv(
    [
      "description",
      "amount",
      "currency",
      "type",
      "weather",
      "transaction_date",
      "transaction_id",
      "account_number",
      "bank_id",
    ],
    [["D", "1", "DKK", "X", "rain", "2026-01-31", "t1", "a1", "b1"]],
  );
  t.deepEqual(countsOf(await world.loadCsv("transactions", text)), { batches: 1, records: 1, new: 1 });
});

test("bad rows are refused one by one, by line, place and column, and the good ones load", async (t) => {
  const world = await openLoading(t);
  await world.loadCsv("accounts", accountsCsv({ a1: "u1" }));
  const bad: TransactionFields[] = [
    { transaction_id: "" },
    { transaction_id: "t1", amount: "1,5" },
    { transaction_id: "t1", currency: "kr" },
    { transaction_id: "t1", transaction_date: "31.01.2026" },
    { transaction_id: "t1", mcc: "5411x", original_amount: "NaN" },
    { transaction_id: "t1", bank_id: "", card_id: "c", card_pan4: "123456789" },
  ];
  const text = transactionsCsv([{ transaction_id: "good" }, ...bad]) + 'b1;a1\n"b1";"a1"\n';
  const delivery = await world.loadCsv("transactions", text);
  t.deepEqual(countsOf(delivery), { batches: 1, records: 9, new: 1, refused: 8 });
  t.deepEqual(await problemsOf(world.database, delivery.id), [
    { line: 3, index: 1, field: "transaction_id", reason: "is empty" },
    { line: 4, index: 2, field: "amount", reason: "is not a number" },
    { line: 5, index: 3, field: "currency", reason: "is not three capital letters (ISO 4217)" },
    { line: 6, index: 4, field: "transaction_date", reason: "does not start with a calendar day (YYYY-MM-DD)" },
    { line: 7, index: 5, field: "mcc", reason: "is not a whole number from 0 to 9999" },
    { line: 7, index: 5, field: "original_amount", reason: "is not a number" },
    { line: 8, index: 6, field: "bank_id", reason: "is empty" },
    { line: 8, index: 6, field: "card_pan4", reason: "is longer than 8 characters" },
    { line: 9, index: 7, field: "bank_id", reason: "is not made of double-quoted fields with ; between them" },
    {
      line: 10,
      index: 8,
      field: "",
      reason: "has another number of fields than the header row (2 instead of 22)",
    },
  ]);
});

test("an account keeps its first user; another one is a conflict, and a user who is gone gives it free", async (t) => {
  const world = await openLoading(t);
  await world.loadCsv("accounts", accountsCsv({ a1: "u1", a2: "u2" }));
  const again = await world.loadCsv("accounts", accountsCsv({ a1: "u3", a2: "u2" }, ["u2"]));
  t.deepEqual(countsOf(again), { batches: 1, records: 2, conflicting: 1, markers: 1 });
  t.deepEqual(await problemsOf(world.database, again.id), [
    { line: 2, index: 0, field: "account_number", reason: "belongs to another user already" },
  ]);
  await world.database.query("update users set deleted_at = now() where bank_user_id = 'u1'");
  t.deepEqual(countsOf(await world.loadCsv("accounts", accountsCsv({ a1: "u3" }))), {
    batches: 1,
    records: 1,
    new: 1,
  });
});

test("a header row that lacks columns, or is none, refuses the file", async (t) => {
  const world = await openLoading(t);
  const refused = async (text: string) => (await world.loadCsv("transactions", text)).refusalReason;
  t.is(
    await refused(accountsCsv({ a1: "u1" })),
    "The header row (line 1) does not name transaction_id, transaction_date, type, currency, amount, description; it has 4 fields with ; between them.",
  );
  t.is(
    await refused('"bank_id,account_number\n'),
    "The header row (line 1) is not made of double-quoted fields with ; between them.",
  );
  t.is(
    await refused("secret,account\n"),
    "The header row (line 1) does not name bank_id, account_number, transaction_id, transaction_date, type, currency, amount, description; it has 1 field with ; between them.",
  );
  t.is(await refused(""), "The file holds no header row.");
});

test("gzip inside, whole or refused; a bomb is refused", async (t) => {
  const world = await openLoading(t);
  await world.loadCsv("accounts", accountsCsv({ a1: "u1" }));
  const zipped = gzipSync(
    transactionsCsv(Array.from({ length: chunkRecordsMax + 1000 }, (_, n) => ({ transaction_id: `t${n}` }))),
  );
  const load = async (content: Buffer) =>
    world.ingest(await world.deliverFile("transactions.csv.gz", sealToken(world.key, content, { compress: false })));
  t.like(await load(zipped.subarray(0, -9)), { state: "refused", refusalCode: "FILE_DAMAGED", records: 0 });
  t.like(await load(gzipSync(`${transactionsCsv([{ transaction_id: "t" }])}${" ".repeat(400_000_000)}`)), {
    state: "refused",
    refusalCode: "FILE_DAMAGED",
  });
  t.is(await ledgerSize(world.database), 0);
  t.deepEqual(countsOf(await load(zipped)), {
    batches: 1,
    records: chunkRecordsMax + 1000,
    new: chunkRecordsMax + 1000,
  });
});

test("a partner that must sign its batches cannot send CSV files", async (t) => {
  const world = await openLoading(t, { signedBatches: "required" });
  t.like(await world.loadCsv("accounts", accountsCsv({ a1: "u1" })), {
    state: "refused",
    refusalCode: "SIGNATURE_ERROR",
  });
});

test("a load of a CSV file that breaks off is continued, with exact counts", async (t) => {
  const world = await openLoading(t);
  await world.loadCsv("accounts", accountsCsv({ a1: "u1" }));
  const rows = Array.from({ length: 2 * chunkRecordsMax }, (_, n) => ({
    transaction_id: `t${n}`,
    ...(n % 5000 === 7 ? { amount: "x" } : {}),
  }));
  const id = await world.deliverFile(
    "transactions.csv",
    sealToken(world.key, transactionsCsv([...rows, { transaction_id: "poison" }])),
  );
  await world.database.query(`
    create function refuse_poison() returns trigger language plpgsql as $$ begin raise exception 'poison'; end $$;
    create trigger poison before insert on transactions for each row when (new.txid = 'poison') execute function refuse_poison();`);
  await t.throwsAsync(world.ingest(id), { message: "poison" });
  t.true((await ledgerSize(world.database)) > 0);
  await world.database.query("drop trigger poison on transactions");
  t.deepEqual(countsOf(await world.ingest(id)), {
    batches: 1,
    records: 2 * chunkRecordsMax + 1,
    new: 2 * chunkRecordsMax - 7,
    refused: 8,
  });
});

test("the same transactions through any format are one, however they are split over files", async (t) => {
  const world = await openLoading(t);
  await world.loadCsv("accounts", accountsCsv({ a1: "u1" }));
  const text = fc.string({ unit: fc.constantFrom("a", "Æ", '"', ";", " ", "\n"), maxLength: 8 });
  const details = fc.record({
    amount: fc
      .tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.integer({ min: 0, max: 99 }))
      .map(([whole, cents]) => `${whole}.${String(cents).padStart(2, "0")}`),
    description: text,
    merchant: fc.option(
      fc.record({ name: text, city: fc.option(text), mcc: fc.option(fc.integer({ min: 0, max: 9999 })) }),
    ),
    card: fc.boolean(),
  });
  const formats = ["json", "csv"] as const;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(details, fc.array(fc.constantFrom(...formats), { minLength: 1, maxLength: 3 })), {
        minLength: 1,
        maxLength: 15,
      }),
      async (all) => {
        await world.database.query("truncate transactions");
        let brought = { new: 0, known: 0 };
        for (const turn of [0, 1, 2]) {
          for (const format of formats) {
            const chosen = all.flatMap(([one, turns], n) => (turns[turn] === format ? [{ ...one, id: `t${n}` }] : []));
            if (chosen.length === 0) continue;
            const delivery =
              format === "json"
                ? await world.load(chosen.map(asRecord))
                : await world.loadCsv("transactions", transactionsCsv(chosen.map(asFields)));
            const counts = countsOf(delivery);
            t.is((counts.new ?? 0) + (counts.known ?? 0), chosen.length);
            brought = { new: brought.new + (counts.new ?? 0), known: brought.known + (counts.known ?? 0) };
          }
        }
        t.is(brought.new, all.length);
        t.is(await ledgerSize(world.database), all.length);
      },
    ),
    runs(25),
  );
});

type Details = {
  id: string;
  amount: string;
  description: string;
  merchant: { name: string; city: string | null; mcc: number | null } | null;
  card: boolean;
};

function asRecord({ id, amount, description, merchant, card }: Details) {
  return {
    ...transaction("u1", id, { amount: Number(amount), description, merchant, txTime: "2026-01-31T23:59:59Z" }),
    account: { id: "a1", name: "Current", iban: "DK50" },
    ...(card ? { card: { id: "c1", pan4: "1234", paymentNetwork: "VISA" } } : {}),
  };
}

function asFields({ id, amount, description, merchant, card }: Details): TransactionFields {
  return {
    transaction_id: id,
    amount,
    description,
    ...(card ? { card_id: "c1", card_pan4: "1234" } : {}),
    ...(merchant
      ? {
          merchant_name: merchant.name,
          merchant_city: merchant.city ?? "",
          mcc: merchant.mcc === null ? "" : String(merchant.mcc),
        }
      : {}),
  };
}
