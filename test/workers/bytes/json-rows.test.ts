import test from "ava";
import { RowBlock } from "../../../src/ledger/row-block.ts";
import { ArraySplitter, NotAnArray } from "../../../workers/bytes/array-splitter.ts";
import { createJsonRows } from "../../../workers/bytes/json-rows.ts";
import type { ReadRows } from "../../../workers/bytes/read-rows.ts";
import { partsOf } from "../../../workers/records/elements.ts";
import { checkRecord, type InterfaceRecord } from "../../../workers/records/record.ts";
import fc, { runs } from "../../property.ts";

const deliveryPosition = 2 ** 40 + 7;

test("a record as banks send it is read as a row", (t) => {
  const record = {
    uid: "user-1",
    type: "TX",
    account: { id: "a1", name: "Lønkonto", iban: "DK50" },
    card: { id: "c1", pan4: "1234", cardType: null, paymentNetwork: "DK" },
    tx: {
      txid: "t1",
      description: 'Tab\there "quoted" Ærø',
      txTime: "2024-02-29T10:00:00Z",
      type: "CARD_PURCHASE",
      amount: -12.5,
      currency: "DKK",
      originalAmount: null,
      merchant: { name: "Netflix", mcc: 5968 },
      later: "unknown",
    },
  };
  const { rows, values } = readTaking(JSON.stringify([record]));
  t.is(values.length, 0);
  t.deepEqual(
    rows.map((one) => [one.owners, one.accounts, one.cards]),
    [[["user-1"], [{ owner: 0, thing: record.account }], [{ owner: 0, thing: record.card }]]],
  );
  t.deepEqual(bytesOf(rows), expectedBytes(record));
});

test("neighbours of one user share owner and account, and a change of either is noticed", (t) => {
  const record = (uid: string, account: string, name = "N") => ({
    uid,
    type: "TX",
    account: { id: account, name, iban: "" },
    tx: { txid: "t", description: "", txTime: "2026-01-31", type: "X", amount: 1, currency: "DKK" },
  });
  const { rows } = readTaking(
    JSON.stringify([
      record("u1", "a"),
      record("u1", "a"),
      record("u1", "b"),
      record("u2", "b"),
      record("u2", "b", "M"),
      record("u1", "b", "M"),
    ]),
  );
  const [read] = rows;
  t.deepEqual(
    [...(read?.ownerOf.subarray(0, 6) ?? [])].map((owner) => read?.owners[owner]),
    ["u1", "u1", "u1", "u2", "u2", "u1"],
  );
  t.deepEqual(
    read?.accounts.map(({ owner, thing }) => [read.owners[owner], thing.id, thing.name]),
    [
      ["u1", "a", "N"],
      ["u1", "b", "N"],
      ["u2", "b", "N"],
      ["u2", "b", "M"],
      ["u1", "b", "M"],
    ],
  );
});

/** Texts of JSON values: right ones in many spellings, and others. */
const text = fc.oneof(
  { weight: 60, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 6 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "",
      "\u0000",
      "\n",
      "\\",
      '"',
      "x".repeat(2001),
      "ø".repeat(101),
      "\u2028",
      "\ud83d",
      "DKK",
      "TX",
    ),
  },
);
const spelled = fc
  .tuple(
    text,
    fc.oneof({ weight: 9, arbitrary: fc.constant("plain") }, { weight: 1, arbitrary: fc.constantFrom("ascii", "all") }),
  )
  .map(([value, how]) => spell(value, how));
const number = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: -1e8, max: 1e8 }).map((cents) => String(cents / 100)) },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => String(value)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "0",
      "-0",
      "-0.00",
      "12.50",
      "1.000000",
      "0.0000001",
      "0.000001",
      "1e3",
      "1E+2",
      "-1.5e-3",
      "01",
      "1.",
      ".5",
      "-",
      "+1",
      "99999999999.99",
      "999999999999",
      "123456789012.123",
      "1e999",
      "10000",
      "100000000",
      "1.00010001",
      "123456789.1234567",
      "5411",
      "9999",
      "10000.0",
      "00",
    ),
  },
);
const other = fc.oneof(
  fc.constantFrom("null", "true", "false", "{}", "[]", "nul", '{"a":[1]}', "tRue", "-"),
  number,
  spelled,
);
const rarely = (usual: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 80, arbitrary: usual }, { weight: 1, arbitrary: other });
const time = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.constantFrom('"2026-01-31T10:00:00Z"', '"2024-02-29"', '"1900-01-01 "', '"2199-12-31T"'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '"2026-02-29"',
      '"1899-12-31"',
      '"2200-01-01"',
      '"2026-01-311"',
      '"2026-13-01"',
      '"2026-1-31"',
      '"٢٠٢٦-01-31"',
      '"2026\\u002d01-31"',
    ),
  },
);

const blanks = fc.oneof(
  { weight: 20, arbitrary: fc.constant("") },
  { weight: 1, arbitrary: fc.constantFrom(" ", "\n\t", "\r ", "\u00a0") },
);

/** An object's text: some of the keys, in any order, sometimes twice, with or without blanks. */
function object(
  needed: Record<string, fc.Arbitrary<string>>,
  optional: Record<string, fc.Arbitrary<string>>,
): fc.Arbitrary<string> {
  const members = (all: Record<string, fc.Arbitrary<string>>) =>
    Object.entries(all).map(([key, value]) => rarely(value).map((one) => [key, one] as const));
  const extra = fc.oneof(
    { weight: 12, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.array(fc.tuple(fc.constantFrom("later", "uid", "name", "id", "txid", "__proto__", "tx"), other), {
        maxLength: 2,
      }),
    },
  );
  return fc
    .tuple(
      fc.tuple(...members(needed)),
      fc.tuple(...members(optional)).chain((all) => fc.shuffledSubarray(all)),
      extra,
      fc.boolean(),
      fc.nat(),
      blanks,
      blanks,
    )
    .map(([first, second, third, isShuffled, seed, before, after]) => {
      const all = [...first, ...second, ...third];
      const ordered = isShuffled
        ? all
            .map((one, place) => ({ one, rank: (place * 7 + seed) % 11 }))
            .toSorted((a, b) => a.rank - b.rank)
            .map(({ one }) => one)
        : all;
      return `{${before}${ordered.map(([key, value]) => `"${key}"${after}:${before}${value}${after}`).join(`,${before}`)}}`;
    });
}

const account = object({ id: spelled, name: spelled, iban: spelled }, {});
const card = object(
  { id: spelled, pan4: fc.constantFrom('"1234"', '""', '"123456789"') },
  { cardType: spelled, paymentNetwork: spelled },
);
const merchant = object(
  { name: spelled },
  {
    cid: spelled,
    address: spelled,
    city: spelled,
    postCode: spelled,
    country: spelled,
    mcc: fc.oneof(fc.integer({ min: 0, max: 10_050 }).map(String), number),
  },
);
const tx = object(
  {
    txid: spelled,
    description: spelled,
    txTime: time,
    type: spelled,
    amount: number,
    currency: fc.constantFrom('"DKK"', '"JPY"', '"EUR"', '"SEK"', '"KWD"', '"dkk"'),
  },
  { originalAmount: number, originalCurrency: fc.constantFrom('"SEK"', '"KWD"', "null"), merchant },
);
const record = object(
  {
    uid: spelled,
    type: fc.oneof(
      { weight: 20, arbitrary: fc.constant('"TX"') },
      { weight: 1, arbitrary: fc.constantFrom('"IMPORT_COMPLETED"', '"T\\u0058"') },
    ),
    tx,
  },
  { account, card },
);

test("whatever is read as a row is the row that JSON.parse and the check make of it", (t) => {
  let rowsRead = 0;
  let valid = 0;
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 6 }), blanks, (records, blank) => {
      const source = Buffer.from(`[${records.map((one) => `${blank}${one}${blank}`).join(",")}]`);
      const found = assertSame(t, source);
      rowsRead += found.rows;
      valid += found.valid;
    }),
    runs(1500),
  );
  // The property would hold of a reader that reads nothing.
  t.true(rowsRead > 200 && rowsRead > valid * 0.2, `${rowsRead} rows of ${valid} valid records`);
});

test("nor does a damaged byte make a row of what is no record", (t) => {
  fc.assert(
    fc.property(record, record, fc.nat(), fc.integer({ min: 0, max: 255 }), (first, second, place, byte) => {
      const source = Buffer.from(`[${first},${second}]`);
      source[place % source.length] = byte;
      assertSame(t, source);
    }),
    runs(1500),
  );
});

test("wherever the pieces are cut, the same records come out", (t) => {
  const all = Array.from({ length: 40 }, (_, n) => ({
    uid: `u${n % 3}`,
    type: "TX",
    tx: { txid: `t${n}`, description: "Ærø", txTime: "2026-01-31", type: "X", amount: n, currency: "DKK" },
  }));
  const source = Buffer.from(JSON.stringify(all, null, 1));
  const expected = Buffer.concat(all.map(expectedBytes));
  for (const pieceBytes of [1, 7, 64, 1000, source.length]) {
    const splitter = new ArraySplitter();
    splitter.reader = createJsonRows(deliveryPosition);
    const found: Buffer[] = [];
    for (let at = 0; at < source.length; at += pieceBytes) {
      for (const part of partsOf(splitter.push(source.subarray(at, at + pieceBytes)))) {
        found.push(part.kind === "rows" ? bytesOf([part.rows]) : Buffer.concat(part.values.map(expectedBytes)));
      }
    }
    splitter.end();
    t.is(Buffer.concat(found).toString("hex"), expected.toString("hex"), `pieces of ${pieceBytes}`);
  }
});

test("more rows than a block holds go on in the next", (t) => {
  const all = Array.from({ length: 3000 }, (_, n) => ({
    uid: "u",
    type: "TX",
    tx: {
      txid: `t${n}`,
      description: "x".repeat(n % 2000),
      txTime: "2026-01-31",
      type: "X",
      amount: 1,
      currency: "DKK",
    },
  }));
  const { rows, values } = readTaking(JSON.stringify(all));
  t.true(rows.length > 10);
  t.is(rows.reduce((sum, one) => sum + one.count, 0) + values.length, 3000);
});

type Found = { rows: number; valid: number };

/** Reads the array both ways and compares element by element. */
function assertSame(
  t: { deepEqual(actual: unknown, expected: unknown): void; is(actual: unknown, expected: unknown): void },
  source: Buffer,
): Found {
  const plain = split(source, false);
  const fast = split(source, true);
  if (plain === null || fast === null) {
    t.is(fast, plain);
    return { rows: 0, valid: 0 };
  }
  const values = plain.flatMap((part) => (part.kind === "values" ? part.values : []));
  let at = 0;
  for (const part of fast) {
    if (part.kind === "values") {
      t.deepEqual(part.values, values.slice(at, at + part.values.length));
      at += part.values.length;
      continue;
    }
    const checked = values.slice(at, at + part.rows.count).map(expectTransaction);
    t.is(bytesOf([part.rows]).toString("latin1"), Buffer.concat(checked.map(encode)).toString("latin1"));
    t.deepEqual(
      Array.from(part.rows.ownerOf.subarray(0, part.rows.count), (owner) => part.rows.owners[owner]),
      checked.map((one) => one.uid),
    );
    t.deepEqual(latest(part.rows.accounts, part.rows), latestOf(checked, "account"));
    t.deepEqual(latest(part.rows.cards, part.rows), latestOf(checked, "card"));
    at += part.rows.count;
  }
  t.is(at, values.length);
  const rows = fast.reduce((sum, part) => sum + (part.kind === "rows" ? part.rows.count : 0), 0);
  return { rows, valid: values.filter((value) => isTransaction(checkRecord(value))).length };
}

function latest(all: readonly { owner: number; thing: { id: string } }[], rows: ReadRows): unknown {
  return Object.fromEntries(all.map(({ owner, thing }) => [`${String(rows.owners[owner])} ${thing.id}`, thing]));
}

function latestOf(checked: readonly Transaction[], kind: "account" | "card"): unknown {
  return Object.fromEntries(
    checked.flatMap((one) => (one[kind] === null ? [] : [[`${one.uid} ${one[kind].id}`, one[kind]]])),
  );
}

/** Null: no array. */
function split(source: Buffer, withReader: boolean) {
  const splitter = new ArraySplitter();
  if (withReader) splitter.reader = createJsonRows(deliveryPosition);
  try {
    const parts = partsOf(splitter.push(source));
    splitter.end();
    return parts;
  } catch (error) {
    if (error instanceof NotAnArray) return null;
    throw error;
  }
}

function readTaking(json: string): { rows: ReadRows[]; values: unknown[] } {
  const parts = split(Buffer.from(json), true) ?? [];
  return {
    rows: parts.flatMap((part) => (part.kind === "rows" ? [part.rows] : [])),
    values: parts.flatMap((part) => (part.kind === "values" ? part.values : [])),
  };
}

type Transaction = InterfaceRecord & { kind: "transaction" };

function isTransaction(checked: ReturnType<typeof checkRecord>): checked is Transaction {
  return !Array.isArray(checked) && checked.kind === "transaction";
}

function expectTransaction(value: unknown): Transaction {
  const checked = checkRecord(value);
  if (!isTransaction(checked))
    throw new Error(`read as a row: ${JSON.stringify(value)}, which is ${JSON.stringify(checked)}`);
  return checked;
}

function encode({ row }: Transaction): Buffer {
  const block = new RowBlock();
  block.add(row, deliveryPosition);
  return withoutOwner(block, 0);
}

function expectedBytes(value: unknown): Buffer {
  return encode(expectTransaction(value));
}

function bytesOf(rows: readonly ReadRows[]): Buffer {
  return Buffer.concat(
    rows.flatMap((one) => Array.from({ length: one.count }, (_, row) => withoutOwner(one.block, row))),
  );
}

/** The owner's eight bytes are filled in later. */
function withoutOwner(block: RowBlock, row: number): Buffer {
  const bytes = Buffer.from(block.bytes.subarray(block.starts[row], block.starts[row + 1]));
  return bytes.fill(0, 6, 14);
}

/** A JSON string in one of its spellings. */
function spell(value: string, how: string): string {
  const json = JSON.stringify(value);
  if (how === "plain") return json;
  const inner = how === "ascii" ? json.slice(1, -1) : value;
  const escaped = Array.from({ length: inner.length }, (_, at) => inner.charCodeAt(at)).map((unit) =>
    how === "ascii" && unit < 0x80 ? String.fromCharCode(unit) : `\\u${unit.toString(16).padStart(4, "0")}`,
  );
  return `"${escaped.join("")}"`;
}
