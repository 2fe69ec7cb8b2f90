/** The checker of the fault suite notices each row that is lost, doubled, changed, foreign or wrongly receipted. */
import test from "ava";
import { Book } from "./book.ts";
import { type FoundReceipt, type FoundRequest, type FoundRow, judge } from "./checker.ts";
import type { SentRecord } from "./generated.ts";

const first: SentRecord = { uid: "anna", txid: "t1", content: "first", json: "" };
const second: SentRecord = { uid: "anna", txid: "t2", content: "second", json: "" };
const none = {
  batches: 0,
  batchesRefused: 0,
  records: 0,
  new: 0,
  known: 0,
  conflicting: 0,
  corrected: 0,
  refused: 0,
  waiting: 0,
  markers: 0,
};

/**
 * A request and a file of the same two records, both acknowledged, and a ledger, accounts and receipts that keep them.
 */
function kept(): { book: Book; rows: FoundRow[]; requests: FoundRequest[]; receipts: FoundReceipt[] } {
  const book = new Book();
  book.owe([first, second], { door: "https", reference: "request", expected: { records: 2, markers: 0, refused: 0 } });
  book.owe([first, second], { door: "sftp", reference: "file.jwe", expected: { records: 3, markers: 0, refused: 1 } });
  return {
    book,
    rows: [first, second].map(({ uid, txid, content }) => ({ uid, txid, content })),
    requests: [{ requestId: "request", state: "loaded", refusalCode: null, counts: { ...none, records: 2, new: 2 } }],
    receipts: [
      { file: "file.jwe", state: "loaded", refusalCode: null, counts: { ...none, records: 3, known: 2, refused: 1 } },
    ],
  };
}

function verdictOf({ book, rows, requests, receipts }: ReturnType<typeof kept>) {
  const { examples, ...figures } = judge(book, rows, requests, receipts);
  return { ...figures, examples: examples.length };
}

test("what was acknowledged and is there once, as its receipts say, is in order", (t) => {
  t.deepEqual(verdictOf(kept()), { lost: 0, doubled: 0, foreign: 0, receiptsWrong: 0, examples: 0 });
});

test("a row that was removed is lost", (t) => {
  const world = kept();
  world.rows.pop();
  t.deepEqual(verdictOf(world), { lost: 1, doubled: 0, foreign: 0, receiptsWrong: 0, examples: 1 });
});

test("a row with other content is lost", (t) => {
  const world = kept();
  world.rows[0] = { uid: "anna", txid: "t1", content: "other" };
  t.is(verdictOf(world).lost, 1);
});

test("a row that is there twice is doubled", (t) => {
  const world = kept();
  world.rows.push({ uid: "anna", txid: "t1", content: "first" });
  t.deepEqual(verdictOf(world), { lost: 0, doubled: 1, foreign: 0, receiptsWrong: 0, examples: 1 });
});

test("a row that nobody sent is foreign", (t) => {
  const world = kept();
  world.rows.push({ uid: "anna", txid: "t3", content: "third" });
  t.deepEqual(verdictOf(world), { lost: 0, doubled: 0, foreign: 1, receiptsWrong: 0, examples: 1 });
});

test("a row that was sent and not acknowledged may be there, or not", (t) => {
  const world = kept();
  world.book.offer([{ uid: "anna", txid: "t4", content: "fourth", json: "" }]);
  t.is(verdictOf(world).lost, 0);
  world.rows.push({ uid: "anna", txid: "t4", content: "fourth" });
  t.is(verdictOf(world).foreign, 0);
});

test("a request whose delivery is gone, open or short of a record is wrong", (t) => {
  t.is(verdictOf({ ...kept(), requests: [] }).receiptsWrong, 1);
  const [request] = kept().requests;
  t.is(verdictOf({ ...kept(), requests: [{ ...request!, state: "accepted" }] }).receiptsWrong, 1);
  t.is(verdictOf({ ...kept(), requests: [{ ...request!, counts: { ...none, records: 1, new: 1 } }] }).receiptsWrong, 1);
});

test("a receipt whose counts do not add up, or say something else than was sent, is wrong", (t) => {
  const [receipt] = kept().receipts;
  for (const counts of [
    { ...none, records: 3, known: 2 },
    { ...none, records: 3, known: 3 },
    { ...none, records: 3, known: 1, conflicting: 1, refused: 1 },
  ]) {
    t.is(verdictOf({ ...kept(), receipts: [{ ...receipt!, counts }] }).receiptsWrong, 1);
  }
});

test("a repeat of the same bytes is in order beside the delivery that counts, and two that count are not", (t) => {
  const world = kept();
  const [receipt] = world.receipts;
  world.receipts.push({ file: "file.jwe", state: "refused", refusalCode: "FILE_DUPLICATE", counts: none });
  t.is(verdictOf(world).receiptsWrong, 0);
  world.receipts.push(receipt!);
  t.is(verdictOf(world).receiptsWrong, 1);
});

test("a file that must be refused and was loaded, or refused for another reason, is wrong", (t) => {
  const told = (state: string, refusalCode: string | null): number => {
    const world = kept();
    world.book.owe([], { door: "sftp", reference: "bad.jwe", expected: { refusedAs: ["DECRYPTION_ERROR"] } });
    world.receipts.push({ file: "bad.jwe", state, refusalCode, counts: none });
    return verdictOf(world).receiptsWrong;
  };
  t.is(told("refused", "DECRYPTION_ERROR"), 0);
  t.is(told("refused", "LOAD_ABANDONED"), 1);
  t.is(told("loaded", null), 1);
});
