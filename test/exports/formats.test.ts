/** What is exported is read back by others, DuckDB and Python's csv, as it lies in the ledger. */
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import test from "ava";
import { columnsOf, datasetNames } from "../../src/exports/datasets.ts";
import { toScaled } from "../../src/exports/parquet.ts";
import { addPayment, addPayments, addUser, askDuckDb, everything, exportTo, openWorld } from "./world.ts";

/** All that a separator, a quotation mark, an escape or an end of line could be mistaken for. */
const awkward = 'Café "Ærø", 50%;\ta\\b\\N \\t\nline two\r\n😀 \u000b\u007f end ';

test.serial("awkward texts, exact amounts and nothing come back the same from all three formats", async (t) => {
  const world = await openWorld(t);
  const userId = await addUser(world.database, world.partnerId, 'user "1"');
  await addPayment(world, userId, { txid: "a", description: awkward, amount: "-0.05" });
  await addPayment(world, userId, {
    txid: "b",
    description: "\\N",
    amount: "123456789012.3456",
    bookedOn: "2024-02-29",
  });
  await addPayment(world, userId, { txid: "c", description: "", amount: "500" });
  const expected = [
    ["a", 'user "1"', awkward, "-0.0500", "2026-01-31", null],
    ["b", 'user "1"', "\\N", "123456789012.3456", "2024-02-29", null],
    ["c", 'user "1"', "", "500.0000", "2026-01-31", null],
  ];
  for (const [format, reads] of [
    ["csv", "read_csv('FILE', nullstr = '', allow_quoted_nulls = false, all_varchar = true, strict_mode = false)"],
    [
      "jsonl",
      "read_json('FILE', columns = {transaction_id: 'VARCHAR', bank_user_id: 'VARCHAR', description: 'VARCHAR', amount: 'DECIMAL(18,4)', booked_on: 'DATE', merchant_name: 'VARCHAR'})",
    ],
    ["parquet", "read_parquet('FILE')"],
  ] as const) {
    const file = path.join(world.folder, `payments.${format}`);
    const exported = await exportTo(world, file, format, everything("transactions", world.partnerId));
    t.like(exported, { rows: 3, users: 1, files: [file], isBrokenOff: false });
    const rows = await askDuckDb(
      `select transaction_id, bank_user_id, description, amount::decimal(18,4) as amount, booked_on, merchant_name
         from ${reads.replace("FILE", file)} order by transaction_id`,
    );
    t.deepEqual(
      rows.map((row) => Object.values(row)),
      expected,
      format,
    );
  }
});

test.serial("Python's csv reads the same rows", async (t) => {
  const world = await openWorld(t);
  const userId = await addUser(world.database, world.partnerId, "u1");
  await addPayment(world, userId, { txid: "a", description: awkward });
  const file = path.join(world.folder, "payments.csv");
  await exportTo(world, file, "csv", everything("transactions", world.partnerId));
  const script =
    "import csv, json, sys\nprint(json.dumps(list(csv.DictReader(open(sys.argv[1], newline='', encoding='utf-8')))))";
  const read = JSON.parse(execFileSync("python3", ["-c", script, file], { encoding: "utf8" })) as Record<
    string,
    string
  >[];
  t.is(read.length, 1);
  t.like(read[0], {
    transaction_id: "a",
    description: awkward,
    amount: "-12.5",
    booked_on: "2026-01-31",
    merchant_name: "",
  });
});

test.serial("Parquet has the types that its columns are of, in groups of rows", async (t) => {
  const world = await openWorld(t);
  await addPayments(world, 60, 1000);
  const file = path.join(world.folder, "payments.parquet");
  await exportTo(world, file, "parquet", everything("transactions", world.partnerId));
  const schema = await askDuckDb(`select name, coalesce(logical_type, type) as type from parquet_schema('${file}')`);
  const typeOf = Object.fromEntries(schema.map(({ name, type }) => [name, type]));
  t.like(typeOf, { description: "StringType()", booked_on: "DateType()", user_id: "INT64" });
  t.regex(typeOf.amount ?? "", /DecimalType\(scale=4, precision=18\)/);
  const [sums] = await askDuckDb(
    `select count(*) as rows, count(distinct transaction_id) as ids, sum(amount)::varchar as amount, min(booked_on)::varchar as first from '${file}'`,
  );
  t.deepEqual(sums, { rows: "60000", ids: "60000", amount: "-30045000.0000", first: "2025-01-01" });
  const [groups] = await askDuckDb(`select num_row_groups as groups from parquet_file_metadata('${file}')`);
  t.true(Number(groups?.groups) >= 3);
});

test.serial("a day, a user and a masked account are chosen as asked, and another partner's users never", async (t) => {
  const world = await openWorld(t);
  await addPayments(world, 3, 10);
  const file = path.join(world.folder, "some.jsonl");
  await exportTo(world, file, "jsonl", {
    ...everything("transactions", world.partnerId),
    bankUserIds: ["u2"],
    from: "2025-01-04",
    until: "2025-01-05",
  });
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
  const rows = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  t.deepEqual(
    rows.map(({ transaction_id: id, account_iban: iban, amount }) => [id, iban, amount]),
    [
      ["u2-3", "DK•• •••• 6243", -3.25],
      ["u2-4", "DK•• •••• 6243", -4.25],
    ],
  );
  t.regex(String(rows[0]?.account_ref), /^[0-9a-f]{16}$/);
  t.false(lines.join("").includes("a-u2"), "an account's id may be its number");
  const none = path.join(world.folder, "none.jsonl");
  t.is((await exportTo(world, none, "jsonl", everything("transactions", "other"))).rows, 0);
});

test.serial("whole account numbers are there where they are asked for", async (t) => {
  const world = await openWorld(t);
  await addPayments(world, 1, 1);
  const file = path.join(world.folder, "whole.jsonl");
  await exportTo(world, file, "jsonl", { ...everything("transactions", world.partnerId), unmasked: true });
  t.like(JSON.parse(await readFile(file, "utf8")), { account_iban: "DK5000400440116243", account_id: "a-u1" });
});

test.serial("what lies on an account that is not seen any more is not taken away", async (t) => {
  const world = await openWorld(t);
  await addPayments(world, 2, 5);
  await world.database.query("update accounts set removed_after = 1 where id = 'a-u1'");
  const file = path.join(world.folder, "seen.jsonl");
  t.is((await exportTo(world, file, "jsonl", everything("transactions", world.partnerId))).rows, 5);
});

test.serial("users, services and budgets are rows as well", async (t) => {
  const world = await openWorld(t);
  const userId = await addUser(world.database, world.partnerId, "u1");
  const service = {
    amount: 129,
    currency: "DKK",
    paymentFrequency: "MONTHLY",
    accountId: null,
    product: { title: "Netflix", type: "SUBSCRIPTION" },
    status: "ACTIVE",
    visibility: "VISIBLE",
    payments: [{ date: "2026-01-15" }, { date: "2025-12-15" }],
    yearlyCost: 1548,
    totalAmountLastTwelveMonths: 1548,
    nextExpectedTransactionDate: "2026-02-15",
  };
  await world.database.query(
    `insert into services (id, user_id, key, txids, first_detected_on, document)
     values (gen_random_uuid(), $1, 'k', '{}', '2026-01-15', $2), (gen_random_uuid(), $1, 'gone', '{}', '2026-01-15', null)`,
    [userId, JSON.stringify(service)],
  );
  await world.database.query(
    "insert into budgets (id, partner_id, user_id, created_time) values (gen_random_uuid(), $1, $2, '2026-01-20T10:00:00')",
    [world.partnerId, userId],
  );
  const rows: Record<string, Record<string, string | null>> = {};
  for (const dataset of ["users", "services", "budgets"] as const) {
    const file = path.join(world.folder, `${dataset}.parquet`);
    t.is((await exportTo(world, file, "parquet", everything(dataset, world.partnerId))).rows, 1, dataset);
    rows[dataset] = (await askDuckDb(`select * from '${file}'`))[0] ?? {};
  }
  t.like(rows.users, { bank_user_id: "u1", country: "DK", currency: "DKK", last_loaded_at: null });
  t.like(rows.services, {
    title: "Netflix",
    amount: "129.0000",
    payments: "2",
    last_paid_on: "2026-01-15",
    account_ref: null,
  });
  t.like(rows.budgets, { status: "DRAFT", revision: "0", monthly_expenses: null, is_out_of_date: "true" });
});

test.serial(
  "amounts are exact in Parquet up to four decimals, rounded behind them and refused beyond its digits",
  (t) => {
    t.is(toScaled("-12.5"), -125_000n);
    t.is(toScaled("-0.00005"), -1n);
    t.is(toScaled("0.00004"), 0n);
    t.is(toScaled("99999999999999.9999"), 999_999_999_999_999_999n);
    t.throws(() => toScaled("100000000000000"), { message: /take CSV or JSON Lines/ });
  },
);

test("the document names every column in its order, and no other", async (t) => {
  const document = await readFile(new URL("../../docs/data.md", import.meta.url), "utf8");
  const ofUser = ["partner", "brand", "user_id", "bank_user_id"];
  for (const dataset of datasetNames) {
    const row = document.split("\n").find((line) => line.startsWith(`| \`${dataset}\` |`)) ?? "";
    const told = [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name).slice(1);
    t.deepEqual(
      [...ofUser, ...told],
      columnsOf({ dataset, unmasked: false }).map(({ name }) => name),
      dataset,
    );
  }
});
