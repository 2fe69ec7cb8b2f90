/** Rows from many blocks are put in the order of user and txid in which they are posted. */
import test from "ava";
import { OwnedRows, preparePosting } from "../../src/ledger/posting.ts";
import { RowBlock } from "../../src/ledger/row-block.ts";
import { hex, owned, ownedRows } from "./world.ts";

/** Rows of [user, txid], in one block. */
const rowsOf = (...all: [userId: number, txid: string][]): OwnedRows =>
  ownedRows(
    all.map(([userId, txid]) => owned(userId, txid)),
    1,
  );

function placed(rows: OwnedRows, rule?: "keep" | "correct"): { firsts: number[]; repeats: number[] } {
  const { firsts, repeats } = preparePosting(rows, 1, rule);
  return { firsts: [...firsts], repeats: [...repeats] };
}

const pieceOf = (bytes: number) => {
  const buffer = Buffer.alloc(bytes);
  return { bytes: buffer, view: new DataView(buffer.buffer, buffer.byteOffset, bytes) };
};

test("rows are numbered as they were added, from whichever block", (t) => {
  const one = new RowBlock();
  const other = new RowBlock();
  one.add(owned(0, "a", { description: "long" }).row, 1);
  one.add(owned(0, "bcd").row, 1);
  other.add(owned(0, "ef").row, 1);
  const rows = new OwnedRows(4);
  rows.add(one, 1, 11);
  rows.add(other, 0, 12);
  rows.add(one, 0, 13);
  t.is(rows.count, 3);
  t.deepEqual(
    [0, 1, 2].map((row) => rows.userIdOf(row)),
    [11, 12, 13],
  );
  t.deepEqual(
    [0, 1, 2].map((row) => rows.txidLengthOf(row)),
    [3, 2, 1],
  );
  t.deepEqual(
    [0, 1, 2].map((row) => rows.bytesOf(row)),
    [one.end - (one.starts[1] ?? 0), other.end, one.starts[1]],
  );
  t.deepEqual(
    [0, 1, 2].map((row) => rows.txidWord(row, 0)),
    [0x62636400, 0x65660000, 0x61000000],
  );
});

test("a row is written with its owner, whole or without its first bytes", (t) => {
  const block = new RowBlock();
  block.add(owned(0, "first").row, 1);
  block.add(owned(0, "t1").row, 7);
  const rows = new OwnedRows(1);
  rows.add(block, 1, 0x1_0000_0002);
  const bytes = rows.bytesOf(0);
  const whole = pieceOf(bytes + 3);
  rows.write(0, whole, 3);
  t.is(
    whole.bytes.toString("hex", 0, 3 + 32),
    hex("000000 0014 00000008 0000000100000002 00000008 0000000000000007 00000002 7431"),
  );
  t.deepEqual(whole.bytes.subarray(3 + 14), block.bytes.subarray((block.starts[1] ?? 0) + 14, block.end));
  const without = pieceOf(bytes + 1);
  rows.write(0, without, 3, 2);
  t.deepEqual(without.bytes.subarray(3), whole.bytes.subarray(5));
});

test("four bytes of a txid are a number that orders like them, with zeros beyond the end", (t) => {
  const rows = rowsOf([1, "abcdef"], [1, "ÿ"]);
  t.is(rows.txidWord(0, 0), 0x61626364);
  t.is(rows.txidWord(0, 1), 0x62636465);
  t.is(rows.txidWord(0, 4), 0x65660000);
  t.is(rows.txidWord(0, 6), 0);
  t.is(rows.txidWord(1, 0), 0xc3bf0000);
});

test("what two txids have in common at their front ends with the shorter one, or where one asked to stop", (t) => {
  const rows = rowsOf([1, "abcx"], [1, "abcy"], [1, "ab"], [1, "b"]);
  t.is(rows.commonTxidBytes(0, 1, 9), 3);
  t.is(rows.commonTxidBytes(0, 1, 2), 2);
  t.is(rows.commonTxidBytes(0, 2, 9), 2);
  t.is(rows.commonTxidBytes(2, 0, 9), 2);
  t.is(rows.commonTxidBytes(0, 3, 9), 0);
  t.is(rows.commonTxidBytes(0, 0, 9), 4);
});

test("rows compare by user, then by the txid's bytes, and the shorter one comes first", (t) => {
  const rows = rowsOf([1, "b"], [2, "a"], [2, "ab"], [2, "ac"], [2, "a"], [2, "ÿ"]);
  const sign = (row: number, other: number) => Math.sign(rows.compare(row, other));
  t.is(sign(0, 1), -1);
  t.is(sign(1, 0), 1);
  t.is(sign(1, 2), -1);
  t.is(sign(2, 1), 1);
  t.is(sign(2, 3), -1);
  t.is(sign(3, 2), 1);
  t.is(sign(1, 4), 0);
  t.is(sign(3, 5), -1);
});

test("no rows are no posting", (t) => {
  t.deepEqual(placed(new OwnedRows(0)), { firsts: [], repeats: [] });
  t.is(preparePosting(new OwnedRows(0), 42).deliveryPosition, 42);
});

test("rows go in by user and txid, each once, and the first one added stands for its txid", (t) => {
  t.deepEqual(placed(rowsOf([2, "b"], [1, "z"], [2, "a"], [2, "b"], [1, "z"], [2, "b"])), {
    firsts: [1, 2, 0],
    repeats: [4, 3, 5],
  });
});

test("for a partner that corrects, the last one added stands for its txid", (t) => {
  t.deepEqual(placed(rowsOf([2, "b"], [1, "z"], [2, "a"], [2, "b"], [1, "z"], [2, "b"]), "correct"), {
    firsts: [4, 2, 5],
    repeats: [1, 0, 3],
  });
});

test("one txid of two users is two transactions", (t) => {
  t.deepEqual(placed(rowsOf([2, "t"], [1, "t"])), { firsts: [1, 0], repeats: [] });
});

test("long txids that begin alike are told apart by their ends", (t) => {
  const rows = rowsOf(
    [1, "tx-2026-000000009"],
    [1, "tx-2026-000000010"],
    [1, "tx-2026-00000001"],
    [1, "tx-2026-000000009"],
    [1, "tx-2026-000000008"],
  );
  t.deepEqual(placed(rows), { firsts: [4, 0, 2, 1], repeats: [3] });
  t.deepEqual(placed(rowsOf([1, "aXXXX2"], [1, "bXXXX1"], [1, "aXXXX1"], [2, "aXXXX0"], [1, "aXXXX1"])), {
    firsts: [2, 0, 1, 3],
    repeats: [4],
  });
});

test("txids are told apart wherever among the rows they are alike in their first bytes", (t) => {
  t.deepEqual(placed(rowsOf([1, "bXXXX2"], [1, "bXXXX1"], [1, "a"])).firsts, [2, 1, 0]);
  t.deepEqual(placed(rowsOf([1, "a"], [1, "aXXXX2"], [1, "aXXXX1"], [2, "aXXXX0"], [1, "b"])).firsts, [0, 2, 1, 4, 3]);
  t.deepEqual(placed(rowsOf([1, "abc1"], [1, "abc0"], [1, "aaa9"])).firsts, [2, 1, 0]);
  t.deepEqual(placed(rowsOf([1, "abc1"], [1, "aaa9"], [1, "abc0"])).firsts, [1, 2, 0]);
});

test("bytes beyond ASCII order behind it", (t) => {
  t.deepEqual(placed(rowsOf([1, "ø"], [1, "z"], [1, "😀"], [1, "\uffff"])).firsts, [1, 0, 3, 2]);
});

test("more rows than a sort key can number are ordered all the same", (t) => {
  const block = new RowBlock();
  block.add(owned(0, "b").row, 1);
  block.add(owned(0, "a").row, 1);
  const count = 2 ** 17 + 1;
  const rows = new OwnedRows(count);
  for (let row = 0; row < count - 1; row++) rows.add(block, 0, 1);
  rows.add(block, 1, 1);
  const { firsts, repeats } = preparePosting(rows, 1);
  t.deepEqual([...firsts], [131_072, 0]);
  t.deepEqual([repeats.length, repeats[0], repeats.at(-1)], [131_071, 1, 131_071]);
});

test("more users than a sort key can rank are ordered all the same", (t) => {
  const block = new RowBlock();
  block.add(owned(0, "a").row, 1);
  const count = 2 ** 15 + 1;
  const rows = new OwnedRows(count);
  for (let row = 0; row < count; row++) rows.add(block, 0, count - row);
  const { firsts, repeats } = preparePosting(rows, 1);
  t.is(repeats.length, 0);
  t.deepEqual([firsts.length, firsts[0], firsts[1], firsts.at(-1)], [32_769, 32_768, 32_767, 0]);
  t.true(firsts.every((row, place) => row === count - 1 - place));
});

test("as many rows and users as a sort key holds are ordered by it", (t) => {
  const block = new RowBlock();
  for (const txid of ["b", "a"]) block.add(owned(0, txid).row, 1);
  const rows = new OwnedRows(2 ** 17);
  for (let row = 0; row < 2 ** 17; row++) rows.add(block, row & 1, 2 ** 15 - (row >> 2));
  const { firsts, repeats } = preparePosting(rows, 1);
  t.deepEqual([...firsts.subarray(0, 3)], [131_069, 131_068, 131_065]);
  t.deepEqual([...repeats.subarray(0, 3)], [131_071, 131_070, 131_067]);
  t.deepEqual([firsts.length, repeats.length], [65_536, 65_536]);
});
