/** A line of a table that is read straight into a row gives the row that its fields and the check would make. */
import { plainDialect } from "../../../src/partners/settings/csv-rules.ts";
import test from "ava";
import { RowBlock } from "../../../src/ledger/row-block.ts";
import type { ReadRows } from "../../../workers/bytes/read-rows.ts";
import { type CsvRow, CsvRows } from "../../../workers/formats/csv-rows.ts";
import { transactionsCsv } from "../../../workers/formats/transactions.ts";
import { type CheckedRecord, type Problem, UnreadableRecord } from "../../../workers/records/record.ts";
import fc, { runs } from "../../property.ts";

const deliveryPosition = 7;
const columns = [
  "bank_id",
  "later",
  "account_number",
  "transaction_id",
  "transaction_date",
  "type",
  "currency",
  "amount",
  "original_currency",
  "original_amount",
  "description",
  "merchant_name",
  "merchant_id",
  "merchant_city",
  "mcc",
  "card_id",
  "card_pan4",
  "card_type",
  "iban",
  "amount",
];
const at = new Map(columns.map((name, place) => [name, place] as const).toReversed());

const text = fc.oneof(
  {
    weight: 40,
    arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }).filter((value) => !/["\n]/.test(value)),
  },
  { weight: 3, arbitrary: fc.constant("") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '"',
      'a"b',
      "\n",
      "\r",
      "\\",
      "\t",
      "\u0000",
      "x".repeat(2001),
      "ø".repeat(60),
      ";",
      '";"',
    ),
  },
);
const number = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -1e7, max: 1e7 }).map((cents) => String(cents / 100)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "",
      "007.50",
      "+1",
      "-0.00",
      "1e3",
      ".5",
      "5.",
      "--1",
      "-",
      "1.2.3",
      "0.0000001",
      "123456789012.5",
      "1 000",
      "1,5",
      "0541",
      "10000",
    ),
  },
);
const usual = (value: string) =>
  fc.oneof({ weight: 20, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: text });
const row = fc.tuple(
  usual("bank"),
  text,
  text,
  text,
  fc.oneof(
    { weight: 12, arbitrary: usual("2026-01-31") },
    { weight: 1, arbitrary: fc.constantFrom("2026-02-30", "2024-02-29T10:00") },
  ),
  text,
  usual("DKK"),
  number,
  usual("SEK"),
  number,
  text,
  text,
  text,
  text,
  fc.oneof(fc.integer({ min: 0, max: 10_100 }).map(String), number),
  text,
  usual("1234"),
  text,
  text,
  number,
);
const line = fc.tuple(row, fc.constantFrom("\n", "\n", "\r\n"), fc.nat(400)).map(([fields, end, damage]) => {
  const written = fields.map((field) => `"${field.replaceAll('"', '""')}"`);
  if (damage < 4)
    return (
      [`${written.slice(damage).join(";")}${end}`, `${written.join(",")}${end}`, end, `${fields.join(";")}${end}`][
        damage
      ] ?? ""
    );
  return written.join(";") + end;
});

test("whatever is read from a CSV file's line is what its fields and the check make of it", (t) => {
  let rowsRead = 0;
  let valid = 0;
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 20, max: 2000 }),
      (lines, pieceBytes) => {
        const source = Buffer.from(`"header"\n${lines.join("")}`);
        const plain = read(source, pieceBytes, false).flatMap((item) => ("rows" in item ? [] : [item]));
        let next = 0;
        for (const item of read(source, pieceBytes, true)) {
          if (!("rows" in item)) {
            t.deepEqual(item, plain[next]);
            next += 1;
            continue;
          }
          const own = plain.slice(next, next + item.rows.count);
          const checked = own.map((one) => expectTransaction(check(one)));
          t.deepEqual(
            Array.from(item.rows.lines.subarray(0, item.rows.count)),
            own.map((one) => one.line),
          );
          t.is(bytesOf(item.rows), Buffer.concat(checked.map(encode)).toString("latin1"));
          t.deepEqual(
            Array.from(item.rows.ownerOf.subarray(0, item.rows.count), (owner) => item.rows.owners[owner]),
            checked.map((one) => one.owner),
          );
          t.deepEqual(latest(item.rows.accounts, item.rows), latestOf(checked, "account"));
          t.deepEqual(latest(item.rows.cards, item.rows), latestOf(checked, "card"));
          next += item.rows.count;
          rowsRead += item.rows.count;
        }
        t.is(next, plain.length);
        valid += plain.filter((one) => !Array.isArray(check(one))).length;
      },
    ),
    runs(1500),
  );
  t.true(rowsRead > 200 && rowsRead > valid * 0.3, `${rowsRead} rows of ${valid} valid lines`);
});

type Transaction = CheckedRecord & { kind: "account-transaction" };
type Item = CsvRow | { rows: ReadRows };

function read(source: Buffer, pieceBytes: number, withReader: boolean): Item[] {
  const rows = new CsvRows();
  if (withReader) rows.reader = transactionsCsv.createReader(at, columns.length, deliveryPosition);
  const items: Item[] = [];
  for (let from = 0; from < source.length; from += pieceBytes)
    items.push(...rows.push(source.subarray(from, from + pieceBytes)));
  return [...items, ...rows.end()].filter((item) => "rows" in item || item.line > 1);
}

function check({ fields }: CsvRow): CheckedRecord | Problem[] {
  if (fields === null || fields.length !== columns.length)
    return [{ field: "", reason: new UnreadableRecord("no row").reason }];
  return transactionsCsv.check(transactionsCsv.toRecord((column) => fields[at.get(column) ?? -1] ?? "", plainDialect));
}

function expectTransaction(checked: CheckedRecord | Problem[]): Transaction {
  if (Array.isArray(checked) || checked.kind !== "account-transaction")
    throw new Error(`read as a row: ${JSON.stringify(checked)}`);
  return checked;
}

function encode({ row: ledgerRow }: Transaction): Buffer {
  const block = new RowBlock();
  block.add(ledgerRow, deliveryPosition);
  return Buffer.from(block.bytes.subarray(0, block.end)).fill(0, 6, 14);
}

function bytesOf({ block, count }: ReadRows): string {
  return Buffer.concat(
    Array.from({ length: count }, (_, n) =>
      Buffer.from(block.bytes.subarray(block.starts[n], block.starts[n + 1])).fill(0, 6, 14),
    ),
  ).toString("latin1");
}

const keyOf = (owner: unknown, id: string) => JSON.stringify([owner, id]);

function latest(all: readonly { owner: number; thing: { id: string } }[], rows: ReadRows): unknown {
  return Object.fromEntries(all.map(({ owner, thing }) => [keyOf(rows.owners[owner], thing.id), thing]));
}

function latestOf(checked: readonly Transaction[], kind: "account" | "card"): unknown {
  return Object.fromEntries(
    checked.flatMap((one) => (one[kind] === null ? [] : [[keyOf(one.owner, one[kind].id), one[kind]]])),
  );
}
