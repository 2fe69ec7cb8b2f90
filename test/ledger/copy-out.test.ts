/** Rows that PostgreSQL copies out are read exactly, however the stream is cut. */
import test from "ava";
import { inTransaction, openDatabase } from "../../src/database/database.ts";
import { CopiedRows, copyOut } from "../../src/ledger/copy-out.ts";
import { hex, shareLedger } from "./world.ts";

const ledger = shareLedger();

const head = hex("5047434f50590aff0d0a00 00000000 00000000");
const end = "ffff";

/** What a COPY sends, from a place within other memory, as pieces of a network's buffer are. */
function copied(...rows: string[]): CopiedRows {
  const bytes = Buffer.from(head + rows.join("") + end, "hex");
  return new CopiedRows(Buffer.concat([Buffer.from("before"), bytes]).subarray(6));
}

test("rows come one after the other until the mark of the end", (t) => {
  const rows = copied(hex("0001 00000004 00000007"), hex("0001 00000004 fffffff8"));
  t.true(rows.next());
  t.is(rows.integer(), 7);
  t.true(rows.next());
  t.is(rows.integer(), -8);
  t.false(rows.next());
  t.false(copied().next());
  t.true(copied("0000").next());
});

test("a bigint is read to the last unit, and one that a number cannot hold is an error", (t) => {
  const bigint = (digits: string): number => {
    const rows = copied(hex("0002 00000008") + digits + hex("00000004 00000001"));
    rows.next();
    const value = rows.bigint();
    t.is(rows.integer(), 1);
    return value;
  };
  t.is(bigint("0000000000000001"), 1);
  t.is(bigint("00000001ffffffff"), 8_589_934_591);
  t.is(bigint("ffffffffffffffff"), -1);
  t.is(bigint("001fffffffffffff"), Number.MAX_SAFE_INTEGER);
  t.throws(() => bigint("0020000000000000"), {
    instanceOf: RangeError,
    message: "bigint 9007199254740992 is beyond 2^53",
  });
});

test("each column is read once and leads to the next, whether it is null or not", (t) => {
  const rows = copied(
    hex("0007 ffffffff 00000004 00000005 ffffffff 00000002 6869 ffffffff 0000000a 00010000400000020009 00000000"),
  );
  rows.next();
  t.is(rows.integer(), null);
  t.is(rows.integer(), 5);
  t.is(
    rows.text(() => t.fail("null is no text") as never),
    null,
  );
  t.is(
    rows.text((bytes, from, to) => bytes.toString("utf8", from, to)),
    "hi",
  );
  t.is(rows.numericAt(), null);
  const at = rows.numericAt() ?? 0;
  t.deepEqual(
    [0, 2, 4, 6, 8].map((more) => rows.short(at + more)),
    [1, 0, 0x4000, 2, 9],
  );
  t.is(
    rows.text((bytes, from, to) => bytes.toString("utf8", from, to)),
    "",
  );
  t.false(rows.next());
});

test("two bytes of a numeric are never negative", (t) => {
  const rows = copied(hex("0001 00000008 0000ffff00000000"));
  rows.next();
  t.is(rows.short((rows.numericAt() ?? 0) + 2), 0xffff);
});

test("a query comes back whole, however many pieces it was sent in", async (t) => {
  const rows = new CopiedRows(
    await copyOut(ledger.database, "select n::bigint, repeat('x', 1000) from generate_series(1, 300) n order by n"),
  );
  const seen: number[] = [];
  while (rows.next()) {
    seen.push(rows.bigint());
    t.is(
      rows.text((_, from, to) => String(to - from)),
      "1000",
    );
  }
  t.deepEqual([seen.length, seen[0], seen.at(-1)], [300, 1, 300]);
});

test("within a transaction its own rows are seen", async (t) => {
  const rows = await inTransaction(ledger.database, async (transaction) => {
    await transaction.query("create temporary table numbers (n integer) on commit drop");
    await transaction.query("insert into numbers values (12)");
    return new CopiedRows(await copyOut(transaction, "select n from numbers"));
  });
  t.true(rows.next());
  t.is(rows.integer(), 12);
});

test("a connection goes back to its pool, but not one on which something failed", async (t) => {
  const database = openDatabase(ledger.url, { sizeMax: 1, applicationName: "test" });
  t.teardown(() => database.end());
  await copyOut(database, "select 1");
  t.deepEqual([database.totalCount, database.idleCount], [1, 1]);
  await t.throwsAsync(copyOut(database, "select 1 / 0"), { message: "division by zero" });
  t.deepEqual([database.totalCount, database.idleCount], [0, 0]);
  t.true(new CopiedRows(await copyOut(database, "select 1")).next());
});
