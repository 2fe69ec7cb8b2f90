/** Failures delay what comes next from the same place more and more, within bounds, and are forgiven in time. */
import test from "ava";
import { Backoff } from "../../src/landing/backoff.ts";
import fc from "../property.ts";

const rules = { freeFailures: 2, firstDelayMs: 100, delayMaxMs: 1000, forgiveMs: 60_000, keysMax: 3 };

/** A back-off whose time stands until it is moved. */
function standing(): { backoff: Backoff; passes(ms: number): void } {
  let now = 0;
  return { backoff: new Backoff(rules, () => now), passes: (ms) => (now += ms) };
}

function fail(backoff: Backoff, key: string, times: number): void {
  for (let count = 0; count < times; count += 1) backoff.failed(key);
}

test("the first failures are free, then the delay doubles up to its end", (t) => {
  const { backoff } = standing();
  const delays = Array.from({ length: 8 }, () => {
    backoff.failed("a");
    return backoff.delayMs("a");
  });
  t.deepEqual(delays, [0, 0, 100, 200, 400, 800, 1000, 1000]);
});

test("one failure is forgiven for each stretch of time without another", (t) => {
  const { backoff, passes } = standing();
  fail(backoff, "a", 5);
  t.is(backoff.delayMs("a"), 400);
  passes(60_000);
  t.is(backoff.delayMs("a"), 200);
  passes(180_000);
  t.is(backoff.delayMs("a"), 0);
});

test("a success clears the key and no other", (t) => {
  const { backoff } = standing();
  fail(backoff, "a", 3);
  fail(backoff, "b", 3);
  backoff.succeeded("a");
  t.is(backoff.delayMs("a"), 0);
  t.is(backoff.delayMs("b"), 100);
});

test("whoever failed longest ago is forgotten first", (t) => {
  const { backoff } = standing();
  for (const key of ["a", "b", "c"]) fail(backoff, key, 3);
  backoff.failed("a");
  backoff.failed("d");
  t.is(backoff.delayMs("b"), 0);
  t.is(backoff.delayMs("a"), 200);
  t.is(backoff.size, 3);
});

test("however often and by whom it fails, memory and delay stay bounded, and more failures never wait less", (t) => {
  const step = fc.oneof(
    fc.record({ fails: fc.constantFrom("a", "b", "c", "d", "e") }),
    fc.record({ passes: fc.nat(100_000) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const { backoff, passes } = standing();
      for (const one of steps) {
        if ("passes" in one) passes(one.passes);
        else {
          const before = backoff.delayMs(one.fails);
          backoff.failed(one.fails);
          t.true(backoff.delayMs(one.fails) >= before);
          t.true(backoff.delayMs(one.fails) <= 1000);
        }
        t.true(backoff.size <= 3);
      }
    }),
  );
});
