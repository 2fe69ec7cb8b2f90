/**
 * What questions offer, held against what payments were for: of payees with names that are in no list, in households
 * that were made without the tables by which candidates are found.
 */
import test from "ava";
import { budgetUser, withoutCodes } from "../../src/evaluation/budgets.ts";
import { generateLabelled } from "../../src/evaluation/labelled.ts";

const shareOf = (messy: string) => {
  const options = { users: 10, months: 14, seed: 11, until: "2026-05-31", messy };
  const lists = [...generateLabelled(options)].flatMap((user) => budgetUser(withoutCodes(user)).lists);
  const held = lists.filter(({ offered, known }) => known.some((category) => offered.includes(category)));
  return { lists: lists.length, share: held.length / lists.length };
};

for (const country of ["DK", "GB"])
  test(`two of three candidate lists hold what payees nobody knows are paid for, without codes: ${country}`, (t) => {
    const { lists, share } = shareOf(country);
    t.true(lists >= 60, `${lists} lists`);
    t.true(share >= 0.66, `${share.toFixed(3)} of ${lists}`);
  });

test("households whose bank sends no codes are asked at most eight questions, and offered the truth", (t) => {
  const options = { users: 40, months: 14, seed: 11, until: "2026-05-31", messy: null };
  const users = [...generateLabelled(options)].map((user) => budgetUser(withoutCodes(user)));
  t.is(users.length, 40);
  for (const { uid, questions } of users) t.true(questions <= 8, `${uid}: ${questions}`);
  const lists = users.flatMap((user) => user.lists);
  const held = lists.filter(({ offered, known }) => known.some((category) => offered.includes(category)));
  t.true(lists.length >= 6, `${lists.length} lists`);
  t.true(held.length >= 0.95 * lists.length, `${held.length} of ${lists.length}`);
});
