/** Calls beyond somebody's rate are told when to come back, until the minute that the first one began is over. */
import test from "ava";
import { CallRates } from "../../src/api/call-rates.ts";

test("a minute begins with its first call, and is over sixty seconds later", (t) => {
  let now = 1000;
  const rates = new CallRates(() => now);
  t.deepEqual(
    [rates.count("north users", 2), rates.count("north users", 2), rates.count("north users", 2)],
    [null, null, 60],
  );
  now += 59_001;
  t.is(rates.count("north users", 2), 1);
  now += 999;
  t.is(rates.count("north users", 2), null);
});

test("nobody's calls count for another", (t) => {
  const rates = new CallRates(() => 0);
  t.is(rates.count("north users", 1), null);
  t.is(rates.count("north users", 1), 60);
  t.is(rates.count("north pushes", 1), null);
  t.is(rates.count("south users", 1), null);
});

test("a rate that is raised or lowered meanwhile holds for the calls of the same minute", (t) => {
  const rates = new CallRates(() => 0);
  for (let calls = 0; calls < 4; calls += 1) t.is(rates.count("north users", 4), null);
  t.is(rates.count("north users", 10), null);
  t.is(rates.count("north users", 3), 60);
  t.is(rates.count("nobody", 0), 60);
});

test("of more than five thousand the one whose minute began first is forgotten", (t) => {
  const rates = new CallRates(() => 0);
  for (let n = 0; n <= 5000; n += 1) t.is(rates.count(`partner-${n}`, 1), null);
  t.is(rates.count("partner-1", 1), 60);
  t.is(rates.count("partner-0", 1), null);
});
