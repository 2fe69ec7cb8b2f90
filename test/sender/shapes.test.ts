/** A file or an answer is used when it holds what it must, and what else it holds is of the kind that is meant. */
import test from "ava";
import { holds, isText, isWholeNumber, listOf, matches } from "../../src/sender/shapes.ts";

const isPort = holds({ host: matches(/^[a-z.]+$/u) }, { port: isWholeNumber, names: listOf(isText) });

test("what is needed must be there, and of its kind", (t) => {
  t.true(isPort({ host: "bank.example" }));
  t.false(isPort({}));
  t.false(isPort({ host: "" }));
  t.false(isPort({ host: 7 }));
  t.false(isPort({ host: null }));
});

test("what need not be there is of its kind where it is", (t) => {
  t.true(isPort({ host: "bank", port: 22, names: ["a", "b"] }));
  t.true(isPort({ host: "bank", port: undefined, names: [] }));
  t.false(isPort({ host: "bank", port: 2.5 }));
  t.false(isPort({ host: "bank", port: "22" }));
  t.false(isPort({ host: "bank", port: null }));
  t.false(isPort({ host: "bank", names: "a" }));
  t.false(isPort({ host: "bank", names: ["a", 1] }));
});

test("whatever else it holds does not matter", (t) => {
  t.true(isPort({ host: "bank", more: { of: "it" } }));
});

test("nothing but an object holds anything", (t) => {
  for (const value of [null, undefined, "bank", 7, true, ["bank"]]) t.false(isPort(value), String(value));
  t.false(holds({}, {})([]));
  t.true(holds({}, {})({}));
});

test("a list within is looked through to its end", (t) => {
  const isKeySet = holds({ keys: listOf(holds({ kid: isText, kty: isText }, {})) }, {});
  t.true(isKeySet({ keys: [{ kid: "a", kty: "RSA" }] }));
  t.false(isKeySet({ keys: [{ kid: "a", kty: "RSA" }, { kid: "b" }] }));
});
