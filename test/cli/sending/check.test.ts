/** A bank reads what would be refused before it sends, by line and column, and never a value. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import test, { type ExecutionContext } from "ava";
import { statements } from "../../workers/statements.ts";
import { openCommandLine } from "../command.ts";

const header = "bank_id;account_number;transaction_id;transaction_date;type;currency;amount;description\n";
const good = '"b1";"a1";"t1";"2026-01-31";"CARD";"DKK";"-1.5";"x"\n';
const bad = '"b1";"a1";"t2";"2026-02-30";"CARD";"DKK";"1,5";"secret"\n';

async function open(t: ExecutionContext) {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-check-"));
  t.teardown(() => rm(folder, { recursive: true }));
  const { tideline } = await openCommandLine(t);
  const write = async (name: string, bytes: string | Buffer) => {
    const file = path.join(folder, name);
    await writeFile(file, bytes);
    return file;
  };
  return { tideline, write };
}

test("a table without faults is said to be one, and one with faults shows line and column of each", async (t) => {
  const { tideline, write } = await open(t);
  const [fine, faulty] = [
    await write("transactions_1.csv.gz", gzipSync(header + good)),
    await write("transactions_2.csv", header + good + bad + "b1;a1\n"),
  ];
  t.deepEqual(await tideline("check", fine), { code: 0, stdout: `${fine}: 1 record, nothing to refuse\n`, stderr: "" });
  t.deepEqual(await tideline("check", faulty), {
    code: 3,
    stdout: [
      `${faulty}: 2 of 3 records would be refused`,
      "  line 3  transaction_date  does not start with a calendar day (YYYY-MM-DD)",
      "  line 3  amount            is not a number",
      "  line 4  bank_id           is not made of double-quoted fields with ; between them",
      "",
    ].join("\n"),
    stderr: "",
  });
});

test("as JSON it tells the same of each file, accounts too", async (t) => {
  const { tideline, write } = await open(t);
  const accounts = await write("accounts_1.csv", 'bank_id;user_id;account_number\n"b1";"";"a1"\n');
  const none = await write("transactions_1.csv", "name,secret\n");
  const { code, stdout } = await tideline("check", accounts, none, "--json");
  t.is(code, 3);
  t.deepEqual(JSON.parse(stdout), [
    {
      file: accounts,
      records: 1,
      refused: 1,
      refusal: null,
      problems: [{ line: 2, field: "user_id", reason: "is empty" }],
      problemsTotal: 1,
    },
    {
      file: none,
      records: 0,
      refused: 0,
      refusal: {
        code: "CSV_HEADER_INVALID",
        reason:
          "The header row (line 1) does not name bank_id, account_number, transaction_id, transaction_date, type, currency, amount, description; it has 1 field with ; between them.",
      },
      problems: [],
      problemsTotal: 0,
    },
  ]);
  t.notRegex(stdout, /secret/);
});

test("the bank's dialect is tried before the operator sets it", async (t) => {
  const { tideline, write } = await open(t);
  const own = "Bank;Konto;Id;Dato;Type;Valuta;Beløb;Tekst\nb1;a1;t1;31.01.2026;CARD;DKK;-1,50;Rødgrød\n";
  const file = await write("export.csv", Buffer.from(own, "latin1"));
  const flags = "--unquoted --decimal comma --dates DD.MM.YYYY --encoding iso-8859-1".split(" ");
  const names =
    "Bank:bank_id,Konto:account_number,Id:transaction_id,Dato:transaction_date,Valuta:currency,Beløb:amount,Tekst:description";
  const ran = await tideline("check", file, "--as", "transactions", "--columns", names, ...flags);
  t.deepEqual([ran.code, ran.stdout], [0, `${file}: 1 record, nothing to refuse\n`]);
});

test("what cannot be checked is not understood, and says why", async (t) => {
  const { tideline, write } = await open(t);
  const expected: [string[], RegExp][] = [
    [[], /Name a FILE/],
    [[await write("transactions_1.csv.gpg", "x")], /is encrypted; check it before that/],
    [[await write("export.csv", "x")], /is called neither accounts_\*\.csv nor transactions_\*\.csv/],
    [["transactions_9.csv", "--dates", "D.M.Y"], /--dates must be one of YYYY-MM-DD/],
    [["transactions_9.csv", "--columns", "Konto"], /--columns must be a list of OWN NAME:COLUMN/],
  ];
  for (const [parameters, message] of expected) {
    const { code, stderr } = await tideline("check", ...parameters);
    t.is(code, 2, stderr);
    t.regex(stderr, message);
  }
  const missing = await tideline("check", "transactions_missing.csv");
  t.is(missing.code, 2);
  t.regex(missing.stderr, /transactions_missing\.csv/);
});

test("of statements it tells what would be refused by line and element, and balances that differ", async (t) => {
  const { tideline, write } = await open(t);
  const good = { amount: "5.00", reference: "R1" };
  const pending = { amount: "9.00", status: "<Cd>PDNG</Cd>" };
  const fine = await write(
    "camt053_1.xml.gz",
    gzipSync(statements({ entries: [good, pending], balances: ["5.00", "0.00"] }, { entries: [good] })),
  );
  const faulty = await write(
    "camt053_2.xml",
    statements({ entries: [{ ...good, booked: "2026-02-30" }, good], balances: ["10.00", "1.00"] }),
  );
  const cut = await write("camt053_3.xml", statements({ entries: [good] }).slice(0, -20));
  t.deepEqual(await tideline("check", fine), {
    code: 0,
    stdout: `${fine}: 2 records of 2 statements, nothing to refuse; 1 entry not booked\n`,
    stderr: "",
  });
  t.deepEqual(await tideline("check", faulty), {
    code: 3,
    stdout: [
      `${faulty}: 1 of 2 records of 1 statement would be refused`,
      "  line 7  Ntry/BookgDt  does not start with a calendar day (YYYY-MM-DD)",
      "  line 3  Bal           opening balance and booked entries do not come to the closing balance; the service loads the entries all the same",
      "",
    ].join("\n"),
    stderr: "",
  });
  const { code, stdout } = await tideline("check", cut, fine, "--json");
  t.is(code, 3);
  t.like(JSON.parse(stdout), [
    { refusal: { code: "FILE_DAMAGED", reason: "The file is no whole XML document: line 13." } },
    { records: 2, refused: 0, statements: { statements: 2, entries: 2, notBooked: 1, balancesDiffer: 0 } },
  ]);
});
