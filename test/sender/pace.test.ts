/** A sender ahead of its rate waits for the rest of the time, one behind does not, and a stop ends the wait. */
import test from "ava";
import { createPace, delayMs } from "../../src/sender/pace.ts";

test("whoever is ahead of the rate waits for the rest of the time", (t) => {
  t.is(delayMs(0, 0, 500), 0);
  t.is(delayMs(500, 0, 500), 1000);
  t.is(delayMs(500, 400, 500), 600);
});

test("whoever is behind does not wait", (t) => {
  t.is(delayMs(500, 1200, 500), 0);
});

test("waiting ends when the run is stopped", async (t) => {
  const controller = new AbortController();
  const waiting = createPace(1, controller.signal)(1000);
  controller.abort();
  await t.throwsAsync(waiting, { name: "AbortError" });
});

test("what is sent in one batch takes the time that its rate says too", async (t) => {
  const startedAt = performance.now();
  const pace = createPace(500, undefined);
  await pace(100);
  t.true(performance.now() - startedAt >= 200, "the hundredth record is due after a fifth of a second");
  await pace(50);
  t.true(performance.now() - startedAt >= 300);
});
