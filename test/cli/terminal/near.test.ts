/** A mistyped name finds the one that was meant, and a foreign one finds none. */
import test from "ava";
import { nearest } from "../../../src/cli/terminal/near.ts";

const names = ["status", "retry", "up", "partner", "psd2", "quarantine"];

test("a letter more, less or wrong, and two that are swapped, are one mistake each", (t) => {
  t.is(nearest("statuss", names), "status");
  t.is(nearest("stats", names), "status");
  t.is(nearest("stbtus", names), "status");
  t.is(nearest("sttaus", names), "status");
  t.is(nearest("QUARANTENE", names), "quarantine");
  t.is(nearest("partnre", names), "partner");
});

test("what is far from all is none of them, and two letters are not both mistaken", (t) => {
  t.is(nearest("nonsense", names), null);
  t.is(nearest("ip", names), null);
  t.is(nearest("", names), null);
  t.is(nearest("retyr1x", names), null);
});
