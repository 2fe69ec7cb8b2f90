/** A file of transactions is categorised without a service: all of a user's lines together, one line out for each. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import test from "ava";
import { categoriseFile } from "../../../src/cli/recognition/categorise-file.ts";
import { Fault } from "../../../src/errors.ts";

type Options = { asOf?: string; country?: string; name?: string };

/** The lines written and told for a file of these records. */
async function categorised(records: readonly object[], { name = "history.jsonl", ...options }: Options = {}) {
  const folder = await mkdtemp(join(tmpdir(), "categorise-file-"));
  try {
    const file = join(folder, name);
    await writeFile(file, records.map((record) => JSON.stringify(record)).join("\n"));
    let written = "";
    const told: string[] = [];
    const out = new Writable({ write: (chunk, _, done) => ((written += String(chunk)), done()) });
    await categoriseFile({ file, ...options, out, progress: (line) => told.push(line) });
    const lines = written.split("\n").filter(Boolean);
    return { lines: lines.map((line) => JSON.parse(line)), told };
  } finally {
    await rm(folder, { recursive: true });
  }
}

type Paid = { uid?: string; day?: string; amount: number; text: string; type?: string; currency?: string };

function record(
  txid: string,
  { uid = "u", day = "2026-05-04", amount, text, type = "CARD_PURCHASE", ...more }: Paid,
  keys: object = {},
) {
  const tx = { txid, description: text, txTime: `${day}T00:00:00`, type, amount, currency: "DKK", ...more };
  return { uid, type: "TX", account: { id: `${uid}-1`, name: "Løn", iban: "DK5000400440116243" }, tx, ...keys };
}

test("each transaction is one line: its category, why it is left out, what decided and how surely", async (t) => {
  const { lines, told } = await categorised([
    record("bought", { amount: -80, text: "ZARA 8812" }),
    record("moved", { amount: -1000, text: "Til opsparing", type: "ACCOUNT_TRANSFER" }),
    record(
      "came",
      { amount: 1000, text: "Fra lønkonto", type: "ACCOUNT_TRANSFER" },
      { account: { id: "u-2", name: "Opsparing", iban: "DK3200400440116244" } },
    ),
    record("unknown", { amount: -80, text: "XQZVW" }),
    { uid: "u", type: "IMPORT_COMPLETED" },
    { uid: "u", type: "TX", tx: { txid: "broken" } },
  ]);
  t.deepEqual(lines, [
    { uid: "u", id: "bought", category: "PERSONAL_CLOTHING", exclusion: null, rule: "MERCHANT", confidence: 0.92 },
    { uid: "u", id: "moved", category: null, exclusion: "OWN_TRANSFER", rule: "EXCLUSION", confidence: 1 },
    { uid: "u", id: "came", category: null, exclusion: "OWN_TRANSFER", rule: "EXCLUSION", confidence: 1 },
    { uid: "u", id: "unknown", category: null, exclusion: null, rule: "NONE", confidence: 0 },
  ]);
  t.deepEqual(told, ["1 user, 4 transactions, 1 record left out (record 6 has no text tx.description)"]);
});

test("a user lives where the record says, else where the command says, else where the currency is at home", async (t) => {
  const bill = (uid: string): Paid => ({ uid, amount: -900, text: "Sähkö", type: "DIRECT_DEBIT", currency: "EUR" });
  const finnish = record("1", bill("a"), { country: "FI" });
  const unsaid = record("2", bill("b"));
  const categoriesOf = async (records: object[], options?: Options) =>
    (await categorised(records, options)).lines.map(({ category }) => category);
  t.deepEqual(await categoriesOf([finnish, unsaid]), ["UTILITIES_ELECTRICITY", null]);
  t.deepEqual(await categoriesOf([finnish, unsaid], { country: "DE" }), ["UTILITIES_ELECTRICITY", null]);
  t.deepEqual(await categoriesOf([finnish, unsaid], { country: "FI" }), [
    "UTILITIES_ELECTRICITY",
    "UTILITIES_ELECTRICITY",
  ]);
});

test("what comes after the day is left out and counted", async (t) => {
  const { lines, told } = await categorised(
    [
      record("before", { day: "2026-05-31", amount: -80, text: "ZARA" }),
      record("after", { day: "2026-06-01", amount: -80, text: "ZARA" }),
    ],
    { asOf: "2026-05-31" },
  );
  t.deepEqual(
    lines.map(({ id }) => id),
    ["before"],
  );
  t.deepEqual(told, ["1 user, 1 transaction, 1 transaction after the day"]);
});

test("a CSV file is named as what it is", async (t) => {
  const fault = await t.throwsAsync(categorised([], { name: "transactions.csv" }), { instanceOf: Fault });
  t.is((fault as Fault).code, "SOURCE_INVALID");
  t.regex(
    fault?.message ?? "",
    /transactions\.csv, line 1 is of a CSV file: what is read are RawTransaction objects, as JSON Lines/,
  );
});
