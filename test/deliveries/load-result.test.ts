/** One word for what became of a file: all of it is in the ledger, part of it, or nothing. */
import test from "ava";
import { type ResultCounts, resultOf } from "../../src/deliveries/load-result.ts";

const counts = (more: Partial<ResultCounts>): ResultCounts => ({
  batchesRefused: 0,
  records: 0,
  recordsNew: 0,
  recordsKnown: 0,
  recordsCorrected: 0,
  recordsConflicting: 0,
  recordsRefused: 0,
  recordsWaiting: 0,
  markers: 0,
  ...more,
});

test("new, known and corrected records and markers are all there", (t) => {
  t.is(resultOf(counts({ records: 3, recordsNew: 3 })), "all");
  t.is(resultOf(counts({ records: 3, recordsKnown: 3 })), "all");
  t.is(resultOf(counts({ records: 2, recordsConflicting: 2, recordsCorrected: 2 })), "all");
  t.is(resultOf(counts({ records: 1, markers: 1 })), "all");
  t.is(resultOf(counts({})), "all");
});

test("what is refused, conflicts or belongs to a refused batch is missing from it", (t) => {
  t.is(resultOf(counts({ records: 13, recordsNew: 12, recordsRefused: 1 })), "partly");
  t.is(resultOf(counts({ records: 2, recordsKnown: 1, recordsConflicting: 1 })), "partly");
  t.is(resultOf(counts({ records: 2, recordsConflicting: 2, recordsCorrected: 1 })), "partly");
  t.is(resultOf(counts({ records: 1, recordsNew: 1, batchesRefused: 1 })), "partly");
});

test("a file of which every record was refused or conflicts is nothing", (t) => {
  t.is(resultOf(counts({ records: 13, recordsRefused: 13 })), "nothing");
  t.is(resultOf(counts({ records: 1, recordsConflicting: 1 })), "nothing");
  t.is(resultOf(counts({ batchesRefused: 2 })), "nothing");
});

test("a file that waits whole is partly there until its accounts are named", (t) => {
  t.is(resultOf(counts({ records: 5, recordsWaiting: 5 })), "partly");
  t.is(resultOf(counts({ records: 5, recordsWaiting: 4, recordsRefused: 1 })), "partly");
});
