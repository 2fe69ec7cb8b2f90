/** The fault suite notices notifications that were lost, swapped, invented or given to another. */
import test from "ava";
import type { Received } from "../../src/demo/receiver.ts";
import { problemsOfMessages } from "./told.ts";

const anna = { userId: "anna", budgetId: "b1", statuses: ["ACCEPTED", "DENIED"] };

function message(
  id: string,
  status: string,
  answered: Received["answered"] = "accept",
  userId = "anna",
  budgetId = "b1",
): Received {
  return {
    id,
    userId,
    type: "BUDGET_CHANGED",
    headers: {},
    answered,
    body: JSON.stringify({ notification: { payload: [{ params: { budgetId, status } }] } }),
  };
}

test("each once and in order is no problem; failed attempts and repeats of an id are none either", (t) => {
  t.deepEqual(problemsOfMessages([anna], [message("1", "ACCEPTED"), message("2", "DENIED")]), []);
  t.deepEqual(
    problemsOfMessages(
      [anna],
      [
        message("1", "ACCEPTED", 500),
        message("1", "ACCEPTED"),
        message("1", "ACCEPTED"),
        message("2", "DENIED", "slow"),
      ],
    ),
    [],
  );
});

test("noticed: a lost one, a swapped pair, one too many, another's", (t) => {
  t.regex(
    problemsOfMessages([anna], [message("1", "ACCEPTED"), message("2", "DENIED", 500)])[0] ?? "",
    /^lost: anna was told 1 of 2/,
  );
  t.regex(problemsOfMessages([anna], [message("2", "DENIED"), message("1", "ACCEPTED")])[0] ?? "", /^order/);
  t.regex(
    problemsOfMessages([anna], [message("1", "ACCEPTED"), message("2", "DENIED"), message("3", "ACCEPTED")])[0] ?? "",
    /^foreign/,
  );
  t.regex(
    problemsOfMessages([anna], [message("1", "ACCEPTED"), message("2", "DENIED", "accept", "bert")])[0] ?? "",
    /^foreign/,
  );
  t.regex(
    problemsOfMessages(
      [anna],
      [message("1", "ACCEPTED"), message("2", "DENIED"), message("9", "ACCEPTED", "accept", "eve", "b9")],
    )[0] ?? "",
    /^foreign/,
  );
});

test("the order is that of the first arrival that was taken", (t) => {
  t.deepEqual(
    problemsOfMessages([anna], [message("1", "ACCEPTED"), message("2", "DENIED"), message("1", "ACCEPTED")]),
    [],
  );
});
