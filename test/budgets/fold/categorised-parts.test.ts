/** Where each part of the snapshot belongs. */
import test from "ava";
import { decide } from "../../../src/budgets/fold/decisions.ts";
import {
  budgetingOf,
  everydayOf,
  isHabit,
  monthsSeen,
  categoriseParts,
  subjectOf,
} from "../../../src/budgets/fold/categorised-parts.ts";
import type { Part } from "../../../src/budgets/engine/snapshot.ts";
import type { Answer } from "../../../src/budgets/events.ts";
import { logOf } from "../household.ts";
import {
  answerWith,
  inForce,
  paid,
  paidInLast,
  paidMonthly,
  partWith,
  phone,
  placed,
  salaryPart,
  servicePart,
  snapshotWith,
  unknownPart,
} from "./parts.ts";

const place = (parts: readonly Part[], ...answers: Answer[]) => {
  const events = answers.map((answer, at) => ({ type: "ANSWERED", actionId: `action-${at + 1}`, answer }) as const);
  return categoriseParts(snapshotWith({ parts }), decide(logOf(events)));
};
const whereOf = (parts: readonly Part[], ...answers: Answer[]) =>
  place(parts, ...answers).map(({ part, categories }) => [part.key, categories.map(({ id }) => id).join(" ")]);
const toPets: Answer["categories"] = [{ id: "LEISURE_PETS", amountMinor: null }];

test("an answer names a service by itself and everything else by its payee", (t) => {
  t.is(subjectOf(servicePart()), `service:${phone.id}`);
  t.is(subjectOf(partWith()), "payee:SHOP");
  t.is(subjectOf(salaryPart()), "payee:EMPLOYER");
});

test("without an answer a part stands where the engine saw it, or nowhere", (t) => {
  const [shop, unknown] = place([partWith(), unknownPart("ZORBO", [])]);
  t.deepEqual(shop, {
    part: partWith(),
    subject: "payee:SHOP",
    answer: null,
    categories: [{ id: "FOOD_GROCERIES", amountMinor: null }],
  });
  t.deepEqual(unknown?.categories, []);
});

test("an answer moves the payee that it names, and no other", (t) => {
  const other = partWith({ key: "payee:OTHER:FOOD_GROCERIES", payeeKey: "OTHER" });
  const moved = place([other, partWith()], answerWith({ categories: toPets }));
  t.deepEqual(
    moved.map(({ part, subject, categories, answer }) => [part.key, subject, categories[0]?.id, answer?.actionId]),
    [
      ["payee:OTHER:FOOD_GROCERIES", "payee:OTHER", "FOOD_GROCERIES", undefined],
      ["payee:SHOP", "payee:SHOP", "LEISURE_PETS", "action-1"],
    ],
  );
});

test("a service moves by an answer about itself, or else about its payee, and keeps its key", (t) => {
  const byItself = answerWith({ subject: `service:${phone.id}`, categories: toPets });
  const byPayee = answerWith({ subject: "payee:FJORDTEL", categories: [{ id: "LEISURE_TRAVEL", amountMinor: null }] });
  t.deepEqual(whereOf([servicePart()], byItself), [[`service:${phone.id}`, "LEISURE_PETS"]]);
  t.deepEqual(whereOf([servicePart()], byPayee), [[`service:${phone.id}`, "LEISURE_TRAVEL"]]);
  t.deepEqual(whereOf([servicePart()], byItself, byPayee), [[`service:${phone.id}`, "LEISURE_PETS"]]);
});

test("an answer that names an income says nothing of what is paid to the same payee, and the other way round", (t) => {
  const refund = partWith({ key: "payee:SHOP:INCOME_UNSPECIFIED", side: "INCOME", categoryId: "INCOME_UNSPECIFIED" });
  t.deepEqual(whereOf([partWith(), refund], answerWith({ categories: [{ id: "INCOME_RENTAL", amountMinor: null }] })), [
    ["payee:SHOP", "INCOME_RENTAL"],
    ["payee:SHOP:FOOD_GROCERIES", "FOOD_GROCERIES"],
  ]);
  t.deepEqual(whereOf([partWith(), refund], answerWith({ categories: toPets })), [
    ["payee:SHOP", "LEISURE_PETS"],
    ["payee:SHOP:INCOME_UNSPECIFIED", "INCOME_UNSPECIFIED"],
  ]);
});

test("all that is left at an answered payee moves together, oldest first, by name within a day", (t) => {
  const food = partWith({
    transactions: [paid("2026-01-05", -100, { txid: "c" }), paid("2026-03-01", -100, { txid: "e" })],
  });
  const pets = partWith({
    key: "payee:SHOP:LEISURE_PETS",
    categoryId: "LEISURE_PETS",
    transactions: [
      paid("2025-12-31", -100, { txid: "d" }),
      paid("2026-01-05", -100, { txid: "b" }),
      paid("2026-01-05", -100, { txid: "f" }),
    ],
  });
  const [merged, ...rest] = place([food, pets], answerWith({ categories: toPets }));
  t.deepEqual(rest, []);
  t.like(merged?.part, { ...food, key: "payee:SHOP", transactions: merged?.part.transactions ?? [] });
  t.deepEqual(
    merged?.part.transactions.map(({ txid }) => txid),
    ["d", "b", "c", "f", "e"],
  );
  t.deepEqual(merged?.categories, toPets);
});

test("two answered payees move each by itself, and parts stand in the order of their keys", (t) => {
  const parts = ["B", "D", "C", "A"].map((payeeKey) => partWith({ key: `payee:${payeeKey}:FOOD_GROCERIES`, payeeKey }));
  const moved = whereOf(
    parts,
    answerWith({ subject: "payee:B", categories: toPets }),
    answerWith({ subject: "payee:C", categories: toPets }),
  );
  t.deepEqual(moved, [
    ["payee:A:FOOD_GROCERIES", "FOOD_GROCERIES"],
    ["payee:B", "LEISURE_PETS"],
    ["payee:C", "LEISURE_PETS"],
    ["payee:D:FOOD_GROCERIES", "FOOD_GROCERIES"],
  ]);
});

test("everyday are the payments of covered months that are no one-offs, unless an answer took these in", (t) => {
  const transactions = [
    paid("2025-05-31", -1),
    paid("2026-02-28", -1),
    paid("2026-03-01", -1),
    paid("2026-05-31", -1),
    paid("2026-04-04", -1, { oneOff: true }),
    paid("2026-06-01", -1),
  ];
  const [part, snapshot] = [partWith({ transactions }), snapshotWith({ covered: 3 })];
  const daysOf = (answer: Parameters<typeof placed>[1]) =>
    everydayOf(placed(part, answer), snapshot).map(({ txid }) => txid);
  t.deepEqual(daysOf(null), ["2026-03-01", "2026-05-31"]);
  t.deepEqual(daysOf(inForce()), ["2026-03-01", "2026-05-31", "2026-04-04"]);
});

test("a month is seen once however often was paid in it, and only where it is covered", (t) => {
  const transactions = [
    paid("2026-02-10", -1),
    paid("2026-03-10", -1),
    paid("2026-03-20", -1),
    paid("2026-05-10", -1),
    paid("2026-06-10", -1),
  ];
  t.is(monthsSeen(transactions, snapshotWith({ covered: 3 })), 2);
  t.is(monthsSeen(transactions, snapshotWith()), 3);
  t.is(monthsSeen([], snapshotWith()), 0);
});

test("a payee is a habit from its third month on; with less data when it came every month, twice at least", (t) => {
  const isHabitOf = (seen: number, covered: number) => isHabit(seen, snapshotWith({ covered }));
  t.deepEqual([isHabitOf(2, 12), isHabitOf(3, 12), isHabitOf(2, 3), isHabitOf(3, 3)], [false, true, false, true]);
  t.deepEqual([isHabitOf(1, 2), isHabitOf(2, 2), isHabitOf(1, 1), isHabitOf(0, 0)], [false, true, false, false]);
});

test("what runs is budgeted by itself, what has ended is not, whatever was answered", (t) => {
  const snapshot = snapshotWith();
  t.is(budgetingOf(placed(servicePart()), snapshot), "OWN");
  t.is(budgetingOf(placed(servicePart({ categoryId: null, transactions: [] })), snapshot), "OWN");
  t.is(budgetingOf(placed(salaryPart()), snapshot), "OWN");
  t.is(budgetingOf(placed(servicePart({ standing: "ENDED" })), snapshot), "NONE");
  t.is(budgetingOf(placed(servicePart({ standing: "ENDED" }), inForce()), snapshot), "NONE");
});

test("a payee is budgeted by itself when answered, a habit or a fixed cost, else with its like", (t) => {
  const snapshot = snapshotWith();
  const seenIn = (count: number, more: Partial<Part> = {}) =>
    placed(partWith({ transactions: paidInLast(count, -1000), ...more }));
  t.is(budgetingOf(placed(partWith(), inForce()), snapshot), "OWN");
  t.is(budgetingOf(seenIn(3), snapshot), "OWN");
  t.is(budgetingOf(seenIn(2), snapshot), "GATHERED");
  t.is(budgetingOf(seenIn(1, { categoryId: "INSURANCE_HOME" }), snapshot), "OWN");
  t.is(budgetingOf(seenIn(1, { categoryId: "DEBT_PAY_LATER" }), snapshot), "OWN");
  t.is(budgetingOf(seenIn(12, { categoryId: null }), snapshot), "NONE");
});

test("a payee with nothing but one-offs in covered months is not budgeted", (t) => {
  const oneOff = [paid("2026-04-04", -1, { oneOff: true })];
  t.is(budgetingOf(placed(partWith({ transactions: oneOff })), snapshotWith()), "NONE");
  t.is(budgetingOf(placed(partWith({ transactions: oneOff, categoryId: "INSURANCE_HOME" })), snapshotWith()), "NONE");
  t.is(budgetingOf(placed(partWith({ transactions: paidMonthly(-1) })), snapshotWith({ covered: 0 })), "NONE");
});
