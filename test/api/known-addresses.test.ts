/** From where somebody was answered well is known for an hour after the last time, to the minute. */
import test from "ava";
import { KnownAddresses } from "../../src/api/connections/known-addresses.ts";

const minuteMs = 60_000;

test("an address is proven for an hour after its last call, to the minute", (t) => {
  let now = 5;
  const known = new KnownAddresses(
    async () => [],
    () => now,
  );
  t.false(known.isProven("10.0.0.1"));
  known.prove("10.0.0.1");
  t.true(known.isProven("10.0.0.1"));
  now += minuteMs - 1;
  known.prove("10.0.0.1");
  now += 59 * minuteMs;
  t.true(known.isProven("10.0.0.1"));
  known.prove("10.0.0.1");
  now += 60 * minuteMs - 1;
  t.true(known.isProven("10.0.0.1"));
  now += 1;
  t.false(known.isProven("10.0.0.1"));
  known.prove("10.0.0.1");
  t.true(known.isProven("10.0.0.1"));
});

test("of more than ten thousand the one that was not heard of for longest is forgotten", (t) => {
  let now = 0;
  const known = new KnownAddresses(
    async () => [],
    () => now,
  );
  known.prove("oldest");
  known.prove("renewed");
  now = 2 * minuteMs;
  known.prove("renewed");
  for (let n = 0; n < 9_999; n += 1) known.prove(`10.0.0.${n}`);
  t.deepEqual([known.isProven("oldest"), known.isProven("renewed")], [false, true]);
});
