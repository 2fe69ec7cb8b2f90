/** What the suite sends as statements, against the reader alone: each way of breaking one breaks it, and an unbroken one is read. */
import test from "ava";
import type { Receipt } from "../../src/landing/receipt.ts";
import { NoStatement, StatementElements } from "../../workers/camt/elements.ts";
import { createRandom } from "../faults/random.ts";
import { ordinaryStatement, problemOf, statementMutations } from "./statements.ts";

const casesEach = 6;

function read(file: string | Buffer): "read" | "refused" {
  try {
    const elements = new StatementElements();
    elements.push(typeof file === "string" ? file : new TextDecoder("utf-8", { fatal: true }).decode(file));
    elements.end();
    return "read";
  } catch (error) {
    if (error instanceof NoStatement || error instanceof TypeError) return "refused";
    throw error;
  }
}

for (const { name, may, make } of statementMutations("/nowhere/canary").filter((one) => one.may !== "either")) {
  test(`${may}: ${name}`, (t) => {
    for (let number = 0; number < casesEach; number += 1) {
      const random = createRandom(number).fork(name);
      t.is(read(make(random, ordinaryStatement(random, "R"))), may === "loaded" ? "read" : "refused", String(number));
    }
  });
}

test("whatever else is changed, the reader says no or reads it", (t) => {
  for (const { name, make } of statementMutations("/nowhere/canary").filter((one) => one.may === "either"))
    for (let number = 0; number < casesEach; number += 1) {
      const random = createRandom(number).fork(name);
      t.notThrows(() => read(make(random, ordinaryStatement(random, "R"))), name);
    }
});

test("a receipt that should not be is noticed", (t) => {
  const counts = {
    batches: 1,
    batchesRefused: 0,
    records: 2,
    new: 2,
    known: 0,
    conflicting: 0,
    corrected: 0,
    refused: 0,
  };
  const receipt = { state: "loaded", counts: { ...counts, waiting: 0, markers: 0 } } as Receipt;
  t.is(problemOf("loaded", receipt, ""), null);
  t.is(problemOf("refused", receipt, ""), "it is loaded with 2 new records");
  t.is(problemOf("either", receipt, "CANARY-OF-THE-FILE-SYSTEM"), "its receipt holds what an entity named");
  t.is(problemOf("either", receipt, "at read (reader.ts:12)"), "its receipt tells of the inside");
  t.is(problemOf("either", { ...receipt, state: "loading" }, ""), "it is loading");
  t.regex(
    problemOf("either", { ...receipt, counts: { ...receipt.counts, records: 3 } }, "") ?? "",
    /counts do not add up/,
  );
  t.regex(problemOf("loaded", { ...receipt, state: "refused" }, "") ?? "", /it is refused/);
});
