/**
 * Records that are read straight into rows give the rows that JSON.parse and the check would make of them, whatever
 * their spelling, damage or cut.
 */
import test from "ava";
import { RowBlock } from "../../../src/ledger/row-block.ts";
import { ArraySplitter, NotAnArray } from "../../../workers/bytes/array-splitter.ts";
import { createJsonRows, type ElementReader, recordCounter } from "../../../workers/bytes/json-rows.ts";
import type { ReadRows } from "../../../workers/bytes/read-rows.ts";
import { partsOf } from "../../../workers/records/elements.ts";
import { checkRecord, type InterfaceRecord } from "../../../workers/records/record.ts";
import fc, { runs } from "../../property.ts";
import { blanks, record } from "./record-texts.ts";

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

test("what a record's neighbours begin with changes nothing about it", (t) => {
  const account = (name: string) => `"account":{"id":"a1","name":"${name}","iban":""}`;
  const tx = '"tx":{"txid":"t","description":"d","txTime":"2026-01-31","type":"X","amount":1,"currency":"DKK"}';
  const head = `{"uid":"u1","type":"TX",${account("Løn\\u00f8")}`;
  const alike = [
    `${head},${tx}}`,
    `${head},"card":{"id":"c1","pan4":"1234"},${tx}}`,
    `${head},${tx}}`,
    `${head},"card":{"id":"c1","pan4":"1234"},${tx}}`,
    `${head},"card":{"id":"c2","pan4":"1234"},${tx}}`,
    `${head},"later":1,${tx}}`,
    `${head},"later":12,${tx}}`,
    // Shorter than what is known, and other things at its end.
    `{"uid":"u1","type":"TX",${tx}}`,
    `{"uid":"u1","type":"TX",${account("Løn\\u00f9")},${tx}}`,
    `{"uid":"u1","type":"TX"}`,
    `${head}}`,
    // Of a key that comes twice the last counts.
    `${head},"uid":"u2",${tx}}`,
    `${head},${account("N")},${tx}}`,
    `{${tx},"uid":"u1","type":"TX",${account("N")}}`,
    `${head},${tx}}`,
  ];
  const { rows } = assertSame(t, Buffer.from(`[${alike.join(",")}]`));
  t.is(rows, 11);
  fc.assert(
    fc.property(
      fc.array(record, { minLength: 1, maxLength: 3 }),
      fc.array(fc.nat(), { minLength: 2, maxLength: 8 }),
      fc.nat(),
      fc.option(fc.integer({ min: 0, max: 255 })),
      (some, order, place, damage) => {
        const source = Buffer.from(`[${order.map((one) => some[one % some.length]).join(",")}]`);
        if (damage !== null) source[place % source.length] = damage;
        assertSame(t, source);
      },
    ),
    runs(1500),
  );
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

test("a record that two pieces share is a row like its neighbours", (t) => {
  const all = Array.from({ length: 40 }, (_, n) => ({
    uid: "u",
    type: "TX",
    tx: { txid: `t${n}`, description: "Ærø", txTime: "2026-01-31", type: "X", amount: n, currency: "DKK" },
  }));
  const source = Buffer.from(JSON.stringify(all));
  for (const pieceBytes of [300, 1000, 1001]) {
    const splitter = new ArraySplitter();
    splitter.reader = createJsonRows(deliveryPosition);
    const kinds = new Set<string>();
    for (let at = 0; at < source.length; at += pieceBytes)
      for (const { kind } of splitter.push(source.subarray(at, at + pieceBytes))) kinds.add(kind);
    splitter.end();
    t.deepEqual([...kinds], ["rows"], `pieces of ${pieceBytes}`);
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

test("rows that are only counted are those that would be written, and whose they are", (t) => {
  const record = (uid: string, tx: object) => ({
    uid,
    type: "TX",
    tx: { txid: "t", description: "", txTime: "2026-01-31", type: "X", amount: 1, currency: "DKK", ...tx },
  });
  const right = [
    record("u1", {}),
    record("u1", { amount: -12345678901.2, originalAmount: 0.000001, originalCurrency: "EUR" }),
    record("u2", { merchant: { name: "N", mcc: 9999 } }),
  ];
  const others = [
    { txTime: "2026-02-29" },
    { currency: "dkk" },
    { originalCurrency: "E" },
    { amount: 123456789012 },
    { originalAmount: 1.1234567 },
    { amount: 12345678901.12345 },
    { merchant: { name: "N", mcc: 10_000 } },
    { merchant: { name: "N", mcc: 1.5 } },
  ].map((tx) => record("u1", tx));
  const source = Buffer.from(JSON.stringify([...right, ...others, record("u1", {})]));
  const expected = ["u1", "u1", "u2", ...others.map((value) => ({ value })), "u1"];
  t.deepEqual(ownersOf(split(source, createJsonRows(deliveryPosition))), expected);
  t.deepEqual(ownersOf(split(source, createJsonRows(null))), expected);
});

test("an array that lies in memory that others use too is read, and theirs is left alone", (t) => {
  const record = {
    uid: "u",
    type: "TX",
    tx: { txid: "t", description: "", txTime: "2026-01-31", type: "X", amount: 1, currency: "DKK" },
  };
  const source = Buffer.from(JSON.stringify([record, record]));
  const neighbour = Buffer.from("x".repeat(100));
  t.is(neighbour.buffer, source.buffer, "they do not share memory");
  t.deepEqual(ownersOf(split(source, createJsonRows(null))), ["u", "u"]);
  t.is(neighbour.toString(), "x".repeat(100));
});

type Found = { rows: number; valid: number };

/** Reads the array both ways and compares element by element. */
function assertSame(
  t: { deepEqual(actual: unknown, expected: unknown): void; is(actual: unknown, expected: unknown): void },
  source: Buffer,
): Found {
  const plain = split(source, null);
  const fast = split(source, createJsonRows(deliveryPosition));
  // One counter for all texts, broken ones among them: what it learned of one changes nothing in the next.
  t.deepEqual(ownersOf(split(source, recordCounter())), ownersOf(fast));
  t.deepEqual(ownersOf(splitWhere(source, createJsonRows(deliveryPosition))), ownersOf(fast));
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

/** Of each record whose it is, when it was taken as a row; else its value. Null: no array. */
function ownersOf(parts: ReturnType<typeof split>): unknown[] | null {
  return (
    parts?.flatMap<unknown>((part) =>
      part.kind === "values"
        ? part.values.map((value) => ({ value }))
        : Array.from(part.rows.ownerOf.subarray(0, part.rows.count), (owner) => part.rows.owners[owner]),
    ) ?? null
  );
}

function latest(all: readonly { owner: number; thing: { id: string } }[], rows: ReadRows): unknown {
  return Object.fromEntries(all.map(({ owner, thing }) => [`${String(rows.owners[owner])} ${thing.id}`, thing]));
}

function latestOf(checked: readonly Transaction[], kind: "account" | "card"): unknown {
  return Object.fromEntries(
    checked.flatMap((one) => (one[kind] === null ? [] : [[`${one.uid} ${one[kind].id}`, one[kind]]])),
  );
}

/** Null: no array. @param reader null: none */
/** The same where it lies, in memory that says something else behind it. */
function splitWhere(source: Buffer, reader: ElementReader) {
  const memory = Buffer.allocUnsafeSlow(Math.max(4096, source.length + 64)).fill('"}]');
  source.copy(memory);
  return split(memory.subarray(0, source.length), reader);
}

function split(source: Buffer, reader: ElementReader | null) {
  const splitter = new ArraySplitter();
  splitter.reader = reader;
  try {
    const parts = partsOf(splitter.pushWhole(source));
    splitter.end();
    return parts;
  } catch (error) {
    if (error instanceof NotAnArray) return null;
    throw error;
  }
}

function readTaking(json: string): { rows: ReadRows[]; values: unknown[] } {
  const parts = split(Buffer.from(json), createJsonRows(deliveryPosition)) ?? [];
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
