/** What became of each service is told by its payments, and by the payee where it is known. */
import test from "ava";
import { generateLabelled } from "../../src/evaluation/labelled.ts";
import { compareIds, shareKept } from "./ids.ts";
import { replaced, today, type Version } from "./replaced.ts";

const none = { same: 0, changed: 0, merged: 0, gone: 0, fresh: 0 };

test("a service with more payments than before keeps its id", (t) => {
  const { tally } = compareIds([{ id: "gym", txids: ["a", "b"] }], [{ id: "gym", txids: ["a", "b", "c"] }], []);
  t.deepEqual(tally, { ...none, same: 1 });
  t.is(shareKept(tally), 1);
});

test("an id changed where most of the payments are in a service of another one", (t) => {
  const compared = compareIds(
    [
      { id: "gym", txids: ["a", "b", "c"] },
      { id: "rent", txids: ["x", "y"] },
    ],
    [
      { id: "other", txids: ["a", "b"] },
      { id: "rent", txids: ["x", "y"] },
      { id: "gym", txids: ["c"] },
    ],
    [],
  );
  t.deepEqual(compared.tally, { ...none, same: 1, changed: 1, fresh: 1 });
  t.deepEqual(compared.changed, [{ from: "gym", into: "other" }]);
  t.is(shareKept(compared.tally), 0.5);
});

test("an id changed where the payee is the same, whichever payments were found", (t) => {
  const before = [{ id: "gym", txids: ["a", "b"] }];
  const after = [{ id: "other", txids: ["c", "d"] }];
  t.deepEqual(compareIds(before, after, [["a", "b", "c", "d"]]).tally, { ...none, changed: 1 });
  t.deepEqual(
    compareIds(before, after, [
      ["a", "b"],
      ["c", "d"],
    ]).tally,
    { ...none, gone: 1, fresh: 1 },
  );
});

test("of two that became one, the one whose id is gone was merged", (t) => {
  const before = [
    { id: "old name", txids: ["a", "b"] },
    { id: "new name", txids: ["c", "d"] },
  ];
  t.deepEqual(compareIds(before, [{ id: "old name", txids: ["a", "b", "c", "d"] }], []).tally, {
    ...none,
    same: 1,
    merged: 1,
  });
});

test("two that changed places have both changed", (t) => {
  const before = [
    { id: "gas", txids: ["a", "b"] },
    { id: "power", txids: ["c", "d"] },
  ];
  const after = [
    { id: "power", txids: ["a", "b"] },
    { id: "gas", txids: ["c", "d"] },
  ];
  t.deepEqual(compareIds(before, after, []).tally, { ...none, changed: 2 });
});

test("what is found no more is gone, and nobody's id changed", (t) => {
  const { tally } = compareIds([{ id: "gym", txids: ["a", "b"] }], [{ id: "rent", txids: ["x"] }], []);
  t.deepEqual(tally, { ...none, gone: 1, fresh: 1 });
  t.is(shareKept(tally), 1);
});

const [household] = [...generateLabelled({ users: 1, months: 12, seed: 3, until: "2026-06-30" })];

test("a version that takes its own place finds what it left, under the same ids", (t) => {
  const { before, after } = replaced(household!, today, today);
  t.true(before.services.length > 5 && before.income.length > 0);
  for (const found of ["services", "income"] as const)
    t.deepEqual(compareIds(before[found], after[found], []).tally, { ...none, same: before[found].length });
});

test("what an earlier version called otherwise, and found in part, keeps the id it had", (t) => {
  const earlier: Version = {
    algorithmVersion: 1,
    assess: (...given) => {
      const { income: _, ...assessment } = today.assess(...given);
      const services = assessment.services.map((row) => ({
        ...row,
        id: `0${row.id.slice(1)}`,
        key: `once ${row.key}`,
      }));
      return { ...assessment, services: services.map((row) => ({ ...row, txids: row.txids.slice(-2) })) } as ReturnType<
        Version["assess"]
      >;
    },
  };
  const { before, after } = replaced(household!, earlier, today);
  t.true(before.services.every(({ id }) => id.startsWith("0")));
  t.deepEqual(compareIds(before.services, after.services, []).tally, { ...none, same: before.services.length });
  t.deepEqual(before.income, []);
});
