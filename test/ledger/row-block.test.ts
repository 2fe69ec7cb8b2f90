/** A transaction becomes the very bytes that PostgreSQL's binary COPY takes. */
import test from "ava";
import type { LedgerRow } from "../../src/ledger/row.ts";
import {
  blockBytes,
  blockRowsMax,
  columnCount,
  copyColumns,
  dayNumberOfEpoch,
  deliveryPositionAt,
  RowBlock,
  rowOverheadBytes,
  rowTextBytes,
  setBigInt,
  txidAt,
  txidLengthAt,
  userIdAt,
} from "../../src/ledger/row-block.ts";
import { hex, owned } from "./world.ts";

const full: LedgerRow = {
  txid: "t1",
  bookedOn: "2000-01-02",
  txTime: "2000",
  rawType: "CARD",
  description: "Køb",
  amount: "-12.5",
  currency: "DKK",
  originalAmount: "3",
  originalCurrency: "EUR",
  merchantName: "N",
  merchantCid: "C",
  merchantAddress: "A",
  merchantCity: "B",
  merchantPostCode: "P",
  merchantCountry: "DK",
  merchantMcc: 5411,
  accountId: "a1",
  cardId: "c1",
};

/** The columns of a row as they were written: null, or their bytes as hexadecimal digits. */
function columnsOf(block: RowBlock, row: number): (string | null)[] {
  const columns: (string | null)[] = [];
  let at = (block.starts[row] ?? 0) + 2;
  while (at < (block.starts[row + 1] ?? 0)) {
    const length = block.view.getInt32(at);
    columns.push(length < 0 ? null : block.bytes.toString("hex", at + 4, at + 4 + length));
    at += 4 + Math.max(length, 0);
  }
  return columns;
}

const written = (row: LedgerRow, deliveryPosition = 1): (string | null)[] => {
  const block = new RowBlock();
  block.add(row, deliveryPosition);
  return columnsOf(block, 0);
};

test("the columns are named in the order in which they are written", (t) => {
  t.is(
    copyColumns,
    "user_id, delivery_position, txid, booked_on, tx_time, raw_type, description, amount, currency, original_amount, original_currency, " +
      "merchant_name, merchant_cid, merchant_address, merchant_city, merchant_post_code, merchant_country, merchant_mcc, account_id, card_id",
  );
  t.is(columnCount, 20);
});

test("a row is the number of its columns and each with its length before it", (t) => {
  const block = new RowBlock();
  block.add(full, 0x1_0000_0007);
  t.is(block.bytes.toString("hex", 0, 6), hex("0014 00000008"));
  // Between them stands the owner, who is not known yet.
  t.is(
    block.bytes.toString("hex", 14, block.end),
    hex(
      "00000008 0000000100000007 00000002 7431 00000004 00000001 00000004 32303030 00000004 43415244 00000004 4bc3b862 " +
        "0000000c 0002 0000 4000 0001 000c 1388 00000003 444b4b 0000000a 0001 0000 0000 0000 0003 00000003 455552 " +
        "00000001 4e 00000001 43 00000001 41 00000001 42 00000001 50 00000002 444b 00000004 00001523 00000002 6131 00000002 6331",
    ),
  );
});

test("owner, delivery and txid have fixed places", (t) => {
  t.deepEqual([userIdAt, deliveryPositionAt, txidLengthAt, txidAt], [6, 18, 26, 30]);
  const block = new RowBlock();
  t.is(block.begin(5), 26);
  block.finish(100);
  t.is(block.begin(5), 126);
  t.is(block.bytes.toString("hex", 100, 106), hex("0014 00000008"));
  t.is(block.bytes.toString("hex", 114, 126), hex("00000008 0000000000000005"));
});

test("what is absent is null, and an empty text is a text", (t) => {
  const columns = written(owned(1, "t", { merchantName: "", cardId: null }).row);
  t.is(columns.length, 20);
  t.deepEqual(columns.slice(9), [null, null, "", null, null, null, null, null, null, null, null]);
});

test("rows stand one behind the other", (t) => {
  const block = new RowBlock();
  block.add(full, 1);
  const first = block.end;
  block.add({ ...full, txid: "t2" }, 2);
  t.deepEqual([block.rows, block.starts[0], block.starts[1], block.starts[2]], [2, 0, first, 2 * first]);
  t.deepEqual(columnsOf(block, 0).slice(1, 3), ["0000000000000001", "7431"]);
  t.deepEqual(columnsOf(block, 1).slice(1, 3), ["0000000000000002", "7432"]);
});

test("days are counted from the first of January 2000", (t) => {
  const day = (bookedOn: string) => written({ ...full, bookedOn })[3];
  t.is(day("2000-01-01"), "00000000");
  t.is(day("1999-12-31"), "ffffffff");
  t.is(day("2026-01-31"), "00002537");
  t.is(dayNumberOfEpoch, 10_957);
});

test("an amount of any length is groups of four decimal digits behind their number, weight, sign and scale", (t) => {
  const amount = (text: string) => written({ ...full, amount: text })[7];
  t.is(amount("0"), hex("0000 ffff 0000 0000"));
  t.is(amount("1"), hex("0001 0000 0000 0000 0001"));
  t.is(amount("-9999"), hex("0001 0000 4000 0000 270f"));
  t.is(amount("10000"), hex("0002 0001 0000 0000 0001 0000"));
  t.is(amount("123456789012.34"), hex("0004 0002 0000 0002 04d2 162e 2334 0d48"));
  t.is(amount("-0.5"), hex("0001 ffff 4000 0001 1388"));
  t.is(amount("0.12345"), hex("0002 ffff 0000 0005 04d2 1388"));
  t.is(amount("5.0001"), hex("0002 0000 0000 0004 0005 0001"));
});

test("an amount below a millionth, which JavaScript writes with an exponent, keeps every decimal", (t) => {
  const amount = (text: string) => written({ ...full, amount: text })[7];
  t.is(amount("1e-7"), hex("0002 ffff 0000 0007 0000 000a"));
  t.is(amount("-1.5e-7"), hex("0002 ffff 4000 0008 0000 000f"));
  t.is(amount("2e-10"), hex("0003 ffff 0000 000a 0000 0000 00c8"));
});

test("an amount that comes as whole and fraction is written the same way", (t) => {
  const block = new RowBlock();
  const numeric = (isNegative: boolean, whole: number, fraction: number, decimals: number): string => {
    const to = block.numeric(10, isNegative, whole, fraction, decimals);
    t.is(block.view.getInt32(10), to - 14);
    return block.bytes.toString("hex", 14, to);
  };
  t.is(numeric(false, 0, 0, 0), hex("0000 ffff 0000 0000"));
  t.is(numeric(false, 0, 1, 4), hex("0001 ffff 0000 0004 0001"));
  t.is(numeric(true, 12, 5, 1), hex("0002 0000 4000 0001 000c 1388"));
  t.is(numeric(false, 1, 0, 0), hex("0001 0000 0000 0000 0001"));
  t.is(numeric(false, 9999, 0, 0), hex("0001 0000 0000 0000 270f"));
  t.is(numeric(false, 10_000, 0, 0), hex("0002 0001 0000 0000 0001 0000"));
  t.is(numeric(false, 99_999_999, 0, 0), hex("0002 0001 0000 0000 270f 270f"));
  t.is(numeric(false, 1e8, 0, 0), hex("0003 0002 0000 0000 0001 0000 0000"));
  t.is(numeric(false, 123_456_789_012, 0, 0), hex("0003 0002 0000 0000 04d2 162e 2334"));
  t.is(numeric(false, 7, 12_345, 5), hex("0003 0000 0000 0005 0007 04d2 1388"));
  t.is(numeric(false, 0, 1, 8), hex("0002 ffff 0000 0008 0000 0001"));
  t.is(numeric(false, 0, 1234, 6), hex("0002 ffff 0000 0006 000c 0d48"));
  t.is(numeric(false, 0, 123, 3), hex("0001 ffff 0000 0003 04ce"));
  t.is(numeric(false, 0, 12, 2), hex("0001 ffff 0000 0002 04b0"));
  t.is(numeric(false, 0, 1_234_567, 7), hex("0002 ffff 0000 0007 04d2 1626"));
});

test("nothing, a day and an integer say where the next column goes", (t) => {
  const block = new RowBlock();
  t.is(block.nothing(10), 14);
  t.is(block.bytes.toString("hex", 10, 14), "ffffffff");
  t.is(block.day(20, 10_958), 28);
  t.is(block.bytes.toString("hex", 20, 28), hex("00000004 00000001"));
  t.is(block.integer(30, -2), 38);
  t.is(block.bytes.toString("hex", 30, 38), hex("00000004 fffffffe"));
});

test("a block has room for the bytes of a row's texts beside 256 of its own", (t) => {
  t.deepEqual([blockBytes, rowOverheadBytes], [131_072, 256]);
  const block = new RowBlock();
  t.is(block.bytes.length, 131_072);
  t.true(block.hasRoom(130_816));
  t.false(block.hasRoom(130_817));
  block.finish(1000);
  t.true(block.hasRoom(129_816));
  t.false(block.hasRoom(129_817));
});

test("a block has room for 1,024 rows, and when it is cleared for as many again", (t) => {
  t.is(blockRowsMax, 1024);
  const block = new RowBlock();
  for (let row = 1; row <= 1023; row++) block.finish(row * 10);
  t.true(block.hasRoom(0));
  block.finish(10_240);
  t.false(block.hasRoom(0));
  t.deepEqual([block.rows, block.end], [1024, 10_240]);
  block.clear();
  t.true(block.hasRoom(0));
  t.deepEqual([block.rows, block.end], [0, 0]);
});

test("the largest row fits into what its texts and the overhead allow", (t) => {
  const block = new RowBlock();
  const amount = "-123456789012345.12345678";
  block.add({ ...full, amount, originalAmount: amount, merchantMcc: 9999 }, Number.MAX_SAFE_INTEGER);
  t.true(block.end <= rowTextBytes(full) + rowOverheadBytes);
});

test("texts are counted at three bytes a unit, and nothing else is", (t) => {
  t.is(rowTextBytes(full), 138);
  t.is(
    rowTextBytes(
      owned(1, "abc", { bookedOn: "", txTime: "", rawType: "", amount: "", currency: "", merchantMcc: 5411 }).row,
    ),
    9,
  );
});

test("large numbers are eight bytes, the high ones first", (t) => {
  const view = new DataView(new ArrayBuffer(10));
  const bytes = (value: number): string => {
    setBigInt(view, 1, value);
    return Buffer.from(view.buffer).toString("hex", 1, 9);
  };
  t.is(bytes(1), "0000000000000001");
  t.is(bytes(0xffff_ffff), "00000000ffffffff");
  t.is(bytes(0x1_0000_0000), "0000000100000000");
  t.is(bytes(Number.MAX_SAFE_INTEGER), "001fffffffffffff");
});
