/** What stands after a budget's events. */
import test from "ava";
import { decide } from "../../../src/budgets/fold/decisions.ts";
import { logOf, userData } from "../household.ts";
import { answerWith } from "./parts.ts";

const pets = answerWith({ categories: [{ id: "LEISURE_PETS", amountMinor: null }] });
const travel = answerWith({ categories: [{ id: "LEISURE_TRAVEL", amountMinor: null }] });

test("a budget to which nothing was done has nothing decided", (t) => {
  t.deepEqual(decide([]), {
    answers: new Map(),
    bySubject: new Map(),
    skips: new Map(),
    notApplicable: new Set(),
    adjustments: new Map(),
    userData: null,
    userDataAt: null,
    userDataBy: null,
    debts: [],
    calculationRateHundredths: null,
    comment: "",
    completion: null,
    coapplicant: null,
  });
});

test("an answer stands by its action and by what it is about, with its place in the log", (t) => {
  const { answers, bySubject } = decide(
    logOf([
      { type: "COMMENTED", comment: "" },
      { type: "ANSWERED", actionId: "a", answer: pets },
    ]),
  );
  const expected = { actionId: "a", answer: pets, sequence: 2 };
  t.deepEqual(answers, new Map([["a", expected]]));
  t.deepEqual(bySubject, new Map([["payee:SHOP", expected]]));
});

test("of two answers about one thing the latest holds, also where the earlier action answered again", (t) => {
  const events = [
    { type: "ANSWERED", actionId: "a", answer: pets },
    { type: "ANSWERED", actionId: "b", answer: travel },
    { type: "ANSWERED", actionId: "a", answer: pets },
  ] as const;
  t.is(decide(logOf(events.slice(0, 2))).bySubject.get("payee:SHOP")?.actionId, "b");
  t.deepEqual(decide(logOf(events)).bySubject.get("payee:SHOP"), { actionId: "a", answer: pets, sequence: 3 });
  t.is(decide(logOf(events)).answers.size, 2);
});

test("an amount that was typed is about nothing that was seen", (t) => {
  const typed = answerWith({ type: "USER_PROVIDED", subject: null, amountMinor: 100, frequency: "MONTHLY" });
  const { answers, bySubject } = decide(logOf([{ type: "ANSWERED", actionId: "a", answer: typed }]));
  t.is(answers.size, 1);
  t.is(bySubject.size, 0);
});

test("an undone answer is gone, and the one before it holds again", (t) => {
  const { answers, bySubject, notApplicable } = decide(
    logOf([
      { type: "ANSWERED", actionId: "a", answer: pets },
      { type: "ANSWERED", actionId: "b", answer: travel },
      { type: "REVOKED", actionId: "b", notApplicable: false },
    ]),
  );
  t.deepEqual([...answers.keys()], ["a"]);
  t.is(bySubject.get("payee:SHOP")?.actionId, "a");
  t.deepEqual(notApplicable, new Set());
});

test("an undo can close a question for good, and a later one opens it again", (t) => {
  const closed = { type: "REVOKED", actionId: "a", notApplicable: true } as const;
  t.deepEqual(decide(logOf([closed])).notApplicable, new Set(["a"]));
  t.deepEqual(decide(logOf([closed, { ...closed, notApplicable: false }])).notApplicable, new Set());
  t.deepEqual(
    decide(logOf([closed, { type: "REVOKED", actionId: "b", notApplicable: false }])).notApplicable,
    new Set(["a"]),
  );
});

test("the first skip of a question is the one that counts", (t) => {
  const { skips } = decide(
    logOf([
      { type: "SKIPPED", actionId: "a" },
      { type: "SKIPPED", actionId: "b" },
      { type: "SKIPPED", actionId: "a" },
    ]),
  );
  t.deepEqual(
    skips,
    new Map([
      ["a", 1],
      ["b", 2],
    ]),
  );
});

test("of a category's adjustments the last holds until it is taken away", (t) => {
  const first = { type: "ADJUSTED", categoryId: "FOOD", amountMinor: 100, frequency: "MONTHLY" } as const;
  const second = { type: "ADJUSTED", categoryId: "FOOD", amountMinor: 2400, frequency: "YEARLY" } as const;
  t.deepEqual(
    decide(logOf([first, second])).adjustments,
    new Map([["FOOD", { amountMinor: 2400, frequency: "YEARLY" }]]),
  );
  t.deepEqual(decide(logOf([first, { type: "ADJUSTMENT_REMOVED", categoryId: "FOOD" }])).adjustments, new Map());
  t.is(decide(logOf([first, { type: "ADJUSTMENT_REMOVED", categoryId: "HOUSING" }])).adjustments.size, 1);
});

test("user data stand with when they were given, and by whom", (t) => {
  const [logged] = logOf([{ type: "USER_DATA_SET", userData }]);
  const given = decide([{ ...logged!, at: "2026-06-14T10:00:00.000Z", actor: "adviser-7" }]);
  t.deepEqual(
    [given.userData, given.userDataAt, given.userDataBy],
    [userData, "2026-06-14T10:00:00.000Z", "adviser-7"],
  );
  t.is(decide([logged!]).userDataBy, null);
});

test("of an applicant, a comment and a completion the last holds", (t) => {
  const decided = decide(
    logOf([
      { type: "COAPPLICANT_SET", applicantType: "SHARED_FINANCES", budgetId: null },
      { type: "COMMENTED", comment: "first" },
      { type: "COMPLETED", status: "DENIED" },
      { type: "COAPPLICANT_SET", applicantType: "SEPARATE_FINANCES", budgetId: "other" },
      { type: "COMMENTED", comment: "second" },
      { type: "COMPLETED", status: "ACCEPTED" },
    ]),
  );
  t.deepEqual(decided.coapplicant, { type: "SEPARATE_FINANCES", budgetId: "other" });
  t.is(decided.comment, "second");
  t.is(decided.completion, "ACCEPTED");
});
