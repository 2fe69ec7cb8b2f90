/** Pieces and their digests hang on the elements alone, not on how the stream comes in or what stands around them. */
import test from "ava";
import { ArrayCheck } from "../../../workers/bytes/array-check.ts";
import { ArraySplitter } from "../../../workers/bytes/array-splitter.ts";
import { createJsonRows } from "../../../workers/bytes/json-rows.ts";
import { type Piece, PieceCutter } from "../../../workers/bytes/piece-cutter.ts";
import fc from "../../property.ts";
import { transaction } from "../world.ts";

const rules = { recordsMin: 3, recordsMax: 20, bytesMax: 4096, oneIn: 8, piecesMax: 1000 };
/** With room to end where the elements say, as pieces nearly always have. */
const roomy = { ...rules, recordsMax: 200, bytesMax: 40_000 };

const ownKey = Buffer.alloc(32, 1);

function cut(text: string, sizes: readonly number[] = [text.length], key = ownKey, how = rules): Piece[] {
  const cutter = new PieceCutter(key, how);
  const check = new ArrayCheck(cutter);
  const bytes = Buffer.from(text);
  for (let at = 0, n = 0; at < bytes.length; n += 1) {
    const size = sizes[n % sizes.length] ?? 1;
    // A copy that is wiped behind: pieces are only lent.
    const lent = Buffer.from(bytes.subarray(at, at + size));
    check.push(lent);
    lent.fill(0);
    at += size;
  }
  check.end();
  return cutter.pieces;
}

const element = fc.oneof(
  fc.integer({ min: 0, max: 99 }).map((n) => transaction("u1", `t${n}`)),
  fc.record({ txid: fc.string({ maxLength: 40 }), more: fc.constantFrom("", "x".repeat(300), "],[", '"\\') }),
  fc.constantFrom(1, null, "a", [], [[1, 2], {}]),
);
const elements = fc.array(element, { maxLength: 60 });
const sizes = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 4 });
const layout = fc.constantFrom(0, 1);

test("pieces cover the array without a gap, however its bytes come", (t) => {
  fc.assert(
    fc.property(elements, layout, sizes, (all, indent, pushed) => {
      const text = ` ${JSON.stringify(all, null, indent)}\n `;
      const pieces = cut(text);
      t.deepEqual(cut(text, pushed), pieces);
      t.is(
        pieces.reduce((sum, { records }) => sum + records, 0),
        all.length,
      );
      for (const [at, piece] of pieces.entries()) {
        const before = pieces[at - 1];
        t.is(piece.firstIndex, (before?.firstIndex ?? 0) + (before?.records ?? 0));
        t.is(piece.start, before?.end ?? 2);
        t.is(piece.isLast, at === pieces.length - 1);
        t.true(piece.records <= rules.recordsMax);
        const bytes = Buffer.from(text).subarray(piece.start, piece.end).toString();
        t.deepEqual(
          JSON.parse(`[${piece.isLast ? bytes : bytes.slice(0, -1)}]`),
          JSON.parse(JSON.stringify(all.slice(piece.firstIndex, piece.firstIndex + piece.records))),
        );
      }
    }),
  );
});

test("pieces are the same whether they are cut before the array is read or while it is", (t) => {
  fc.assert(
    fc.property(elements, layout, sizes, fc.boolean(), (all, indent, pushed, readsRows) => {
      const text = ` ${JSON.stringify(all, null, indent)}\n `;
      t.deepEqual(cutWhileSplit(text, pushed, readsRows), cut(text));
    }),
  );
});

function cutWhileSplit(text: string, sizes: readonly number[], readsRows: boolean): Piece[] {
  const splitter = new ArraySplitter();
  splitter.cutter = new PieceCutter(ownKey, rules);
  if (readsRows) splitter.reader = createJsonRows(1);
  const bytes = Buffer.from(text);
  for (let at = 0, n = 0; at < bytes.length; n += 1) {
    const size = sizes[n % sizes.length] ?? 1;
    splitter.push(Buffer.from(bytes.subarray(at, at + size)));
    at += size;
  }
  splitter.end();
  return splitter.cutter.pieces;
}

const payments = (from: number, count: number): { txid: string; amount: number }[] =>
  Array.from({ length: count }, (_, n) => ({ txid: `t${(from + n) * 7919}`, amount: n % 13 }));

test("what comes again behind or before something else comes to the same digests, but for the pieces at its ends", (t) => {
  const own = payments(0, 600);
  const digests = (all: unknown[]) =>
    cut(JSON.stringify(all), undefined, ownKey, roomy).map(({ digest }) => digest.toString("hex"));
  const alone = digests(own);
  t.true(alone.length > 15);
  for (const around of [
    [...own, ...payments(1000, 50)],
    [...payments(1000, 50), ...own],
    [...own.slice(0, 200), ...payments(1000, 1), ...own.slice(200)],
  ]) {
    const again = new Set(digests(around));
    const found = alone.filter((digest) => again.has(digest)).length;
    t.true(found >= alone.length - 4, `${found} of ${alone.length}`);
  }
});

test("of an array with more pieces than are remembered the first ones are", (t) => {
  const text = JSON.stringify(payments(0, 400));
  const all = cut(text);
  t.deepEqual(cut(text, undefined, ownKey, { ...rules, piecesMax: 7 }), all.slice(0, 7));
  t.deepEqual(cut(text, [100], ownKey, { ...rules, piecesMax: all.length }), all);
});

test("other bytes or another key come to other digests", (t) => {
  const text = JSON.stringify(payments(0, 100));
  const digests = (pieces: readonly Piece[]) => new Set(pieces.map(({ digest }) => digest.toString("hex")));
  const own = digests(cut(text));
  t.true(own.isDisjointFrom(digests(cut(text, undefined, Buffer.alloc(32, 2)))));
  t.is(own.difference(digests(cut(text.replace('"amount":7', '"amount":8')))).size, 1);
});
