/** The table of formats: names, what follows from it, and the database's own list. */
import test from "ava";
import { errorCatalogue } from "../../../src/errors.ts";
import { findFormat, formatOf, formats, namesRead } from "../../../workers/formats/formats.ts";
import { createTestDatabase } from "../../world.ts";

test("a file's name says its format, whatever its case and folders", (t) => {
  const named = Object.entries({
    "a/b/DAY.JWE": "jwe",
    "day.jsonl": "jsonl",
    "day.jsonl.gz": "jsonl.gz",
    "accounts_1.csv": "accounts.csv",
    "Transactions_2026.CSV.GZ.PGP": "transactions.csv.gz.pgp",
    "in/transactions_.csv.pgp": "transactions.csv.pgp",
    "accounts_1.csv.gpg": "accounts.csv.pgp",
    "transactions_1.csv.gz.asc": "transactions.csv.gz.pgp",
    "transactions_line\nbreak.csv": "transactions.csv",
    "camt.053_20260131.xml": "camt.xml",
    "Kontoutskrift 7.XML.GZ.ASC": "camt.xml.gz.pgp",
    "accounts_1.asc": null,
    "transactions.csv": null,
    "my_accounts_1.csv": null,
    "accounts_1.csv.pgp.gz": null,
    "accounts_/x.csv": null,
    jsonl: null,
  });
  for (const [name, format] of named) t.is<string | null, string | null>(formatOf(name), format, name);
});

test("no name is taken by two formats", (t) => {
  const names = ["x.jwe", "x.jsonl", "x.jsonl.gz"];
  for (const text of ["accounts_x.csv", "transactions_x.csv", "accounts_x.xml"])
    for (const gzip of ["", ".gz"]) for (const pgp of ["", ".pgp", ".gpg", ".asc"]) names.push(`${text}${gzip}${pgp}`);
  for (const name of names) t.is(Object.values(formats).filter((format) => format.name.test(name)).length, 1, name);
});

test("people are told every name, and the catalogue of errors tells the same", (t) => {
  t.is(
    namesRead,
    "*.jwe, *.jsonl[.gz], accounts_*.csv[.gz][.pgp|.gpg|.asc], transactions_*.csv[.gz][.pgp|.gpg|.asc], *.xml[.gz][.pgp|.gpg|.asc]",
  );
  const { remedy } = errorCatalogue.FILE_FORMAT_UNKNOWN;
  for (const name of namesRead.split(", ")) t.true(remedy.includes(name.replace(/\[\.(?:pgp|gpg|asc).*$/, "")), name);
  for (const ending of [".pgp", ".gpg", ".asc"]) t.true(remedy.includes(ending), ending);
});

test("what comes in the clear is tables and statements without OpenPGP, and nothing else", (t) => {
  const clear = Object.entries(formats).filter(([, { findPlainText }]) => findPlainText === null);
  t.deepEqual(
    clear.map(([name]) => name),
    ["accounts.csv", "accounts.csv.gz", "transactions.csv", "transactions.csv.gz", "camt.xml", "camt.xml.gz"],
  );
});

test("the database takes these formats, pushed requests and what has no format, and no others", async (t) => {
  const { database } = await createTestDatabase(t);
  const { rows } = await database.query<{ text: string }>(
    "select pg_get_constraintdef(oid) as text from pg_constraint where conname = 'deliveries_format'",
  );
  const taken = [...(rows[0]?.text ?? "").matchAll(/'([^']+)'/g)].map(([, name = ""]) => name);
  t.deepEqual(taken.toSorted(), [...Object.keys(formats), "request", "unknown"].toSorted());
});

test("a format that is none has no reader", (t) => {
  t.is(findFormat("jsonl"), formats.jsonl);
  t.throws(() => findFormat("unknown"), { instanceOf: TypeError, message: "no reader for the format unknown" });
});
