/** A load ahead of its partner's rate rests as long as its records should have taken, a slower one never. */
import test from "ava";
import { startPace } from "../../../workers/ingest/pace.ts";

test("a load that is far ahead of its rate goes on for a few chunks, then rests as long as they should have taken", async (t) => {
  const pace = startPace(1000, () => 0);
  for (let chunk = 1; chunk < 5; chunk++) t.is(await pace.keep(20_000), null);
  t.is(await pace.keep(20_000), 100_000);
});

test("a load that is slower than allowed is left alone", async (t) => {
  let nowMs = 0;
  const pace = startPace(1000, () => nowMs);
  for (let chunk = 1; chunk <= 10; chunk++) {
    nowMs += 30_000;
    t.is(await pace.keep(20_000), null);
  }
});
