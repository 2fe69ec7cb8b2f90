/** Rows are copied in through pieces of memory that are used again, and all of them arrive or none. */
import { Writable } from "node:stream";
import test from "ava";
import { inTransaction, type Transaction } from "../../src/database/database.ts";
import { CopyPieces, copyRows, OpenCopy, type Piece } from "../../src/ledger/copy.ts";
import { shareLedger } from "./world.ts";

const ledger = shareLedger();
const kibi = 1024;

/** Rows of these sizes, each filled with its number. @returns the pieces' bytes as [number of the row, bytes] */
function gather(pieces: CopyPieces, sizes: readonly number[]): [row: number, bytes: number][][] {
  const write = (n: number, { bytes }: Piece, at: number) => bytes.fill(n, at, at + (sizes[n] ?? 0));
  return [...pieces.gather(sizes.length, (n) => sizes[n] ?? Number.NaN, write)].map((piece) => {
    const runs: [number, number][] = [];
    for (const byte of piece) {
      const last = runs.at(-1);
      if (last?.[0] === byte) last[1] += 1;
      else runs.push([byte, 1]);
    }
    return runs;
  });
}

test("rows are gathered one behind the other", (t) => {
  t.deepEqual(gather(new CopyPieces(), [3, 1, 2]), [
    [
      [0, 3],
      [1, 1],
      [2, 2],
    ],
  ]);
  t.deepEqual(gather(new CopyPieces(), []), []);
});

test("a piece of 256 KiB is filled to its last byte, and a row that does not fit begins the next one", (t) => {
  t.deepEqual(gather(new CopyPieces(), [128 * kibi, 128 * kibi, 5]), [
    [
      [0, 128 * kibi],
      [1, 128 * kibi],
    ],
    [[2, 5]],
  ]);
  t.deepEqual(gather(new CopyPieces(), [128 * kibi, 128 * kibi + 1, 5]), [
    [[0, 128 * kibi]],
    [
      [1, 128 * kibi + 1],
      [2, 5],
    ],
  ]);
  t.deepEqual(gather(new CopyPieces(), [256 * kibi, 256 * kibi]), [[[0, 256 * kibi]], [[1, 256 * kibi]]]);
});

test("a piece is made when the one before was taken", (t) => {
  const written: number[] = [];
  const pieces = new CopyPieces().gather(
    3,
    () => 200 * kibi,
    (n) => written.push(n),
  );
  t.deepEqual(written, []);
  pieces.next();
  t.deepEqual(written, [0]);
  pieces.next();
  t.deepEqual(written, [0, 1]);
});

test("the next COPY uses the same memory again, and a piece's view lies over its bytes", (t) => {
  const pieces = new CopyPieces();
  const memory = () => {
    const seen: ArrayBufferLike[] = [];
    const write = (n: number, { bytes, view }: Piece, at: number) => {
      view.setUint8(at, n + 1);
      if (bytes[at] !== n + 1) t.fail("the view lies elsewhere");
      seen.push(bytes.buffer);
    };
    for (const piece of pieces.gather(2, () => 200 * kibi, write)) t.is(piece.length, 200 * kibi);
    return seen;
  };
  const [first, second] = memory();
  t.not(first, second);
  t.deepEqual(
    memory().map((buffer, n) => buffer === [first, second][n]),
    [true, true],
  );
});

test("what is sent begins with the format's signature and ends with the mark of its end", async (t) => {
  const sent: Buffer[] = [];
  let statement = "";
  const transaction = {
    query(copy: { text: string }) {
      statement = copy.text;
      return new Writable({
        write(chunk: Buffer, _encoding, done) {
          sent.push(chunk);
          done();
        },
      });
    },
  };
  await copyRows(transaction as unknown as Transaction, "things (a, b)", [Buffer.from("row 1"), Buffer.from("row 2")]);
  t.is(statement, "copy things (a, b) from stdin with (format binary)");
  t.is(Buffer.concat(sent).toString("latin1"), "PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0row 1row 2\xff\xff");
});

test("rows arrive in the table, and with what fails nothing does", async (t) => {
  const row = (value: number) => Buffer.from([0, 1, 0, 0, 0, 4, 0, 0, 0, value]);
  const copied = await inTransaction(ledger.database, async (transaction) => {
    await transaction.query("create temporary table numbers (n integer) on commit drop");
    await copyRows(transaction, "numbers (n)", [row(3), Buffer.concat([row(1), row(2)])]);
    return (await transaction.query<{ n: number }>("select n from numbers order by n")).rows;
  });
  t.deepEqual(copied, [{ n: 1 }, { n: 2 }, { n: 3 }]);
  await t.throwsAsync(
    inTransaction(ledger.database, (transaction) => copyRows(transaction, "no_such_table (n)", [row(1)])),
    { message: /no_such_table/ },
  );
});

/** Rows of one integer and as many bytes of text, each filled with the integer's last byte. */
function numbered(from: number, bytes: number): [(n: number) => number, (n: number, piece: Piece, at: number) => void] {
  return [
    () => 14 + bytes,
    (n, { bytes: target, view }, at) => {
      view.setInt16(at, 2);
      view.setInt32(at + 2, 4);
      view.setInt32(at + 6, from + n);
      view.setInt32(at + 10, bytes);
      target.fill(97 + ((from + n) % 26), at + 14, at + 14 + bytes);
    },
  ];
}

test("a COPY that stays open takes rows as they come, in two pieces whatever they have, and all as they were added", async (t) => {
  const pieces = new CopyPieces();
  const { rows } = await inTransaction(ledger.database, async (transaction) => {
    await transaction.query("create temporary table texts (n integer, said text) on commit drop");
    for (const [from, counts] of [
      [0, [3, 0, 900, 1]],
      [904, [1]],
      [905, []],
    ] as const) {
      const copy = new OpenCopy(transaction, "texts (n, said)", pieces);
      let at: number = from;
      for (const count of counts) {
        await copy.add(count, ...numbered(at, 4000));
        at += count;
      }
      await copy.end();
    }
    return await transaction.query(
      "select count(*) as n, sum(n) as sum, bool_and(said = repeat(chr(97 + n % 26), 4000)) as whole from texts",
    );
  });
  t.deepEqual(rows, [{ n: 905, sum: (904 * 905) / 2, whole: true }]);
});

test("what the server says of a row ends an open COPY, whether more is added or not, and the connection goes on", async (t) => {
  for (const [more, givesUp] of [
    [0, false],
    [5000, false],
    [5000, true],
  ] as const)
    await inTransaction(ledger.database, async (transaction) => {
      await transaction.query("create temporary table texts (n integer primary key, said text) on commit drop");
      await transaction.query("savepoint before");
      const copy = new OpenCopy(transaction, "texts (n, said)", new CopyPieces());
      const adding = async () => {
        await copy.add(1, ...numbered(7, 10));
        await copy.add(1, ...numbered(7, 10));
        for (let n = 0; n < more; n += 1) await copy.add(1, ...numbered(100 + n, 4000));
        await copy.end();
      };
      await t.throwsAsync(adding, { code: "23505" });
      if (givesUp) await copy.giveUp();
      await transaction.query("rollback to savepoint before");
      t.is((await transaction.query("select n from texts")).rowCount, 0);
    });
});

test("of an open COPY that is given up no row stays", async (t) => {
  await t.throwsAsync(
    inTransaction(ledger.database, async (transaction) => {
      const copy = new OpenCopy(transaction, "transactions (user_id)", new CopyPieces());
      await copy.add(1, ...numbered(7, 300_000 - 50_000));
      await copy.giveUp();
      await transaction.query("select 1");
    }),
    { code: "25P02" },
  );
});
