/** A run is as long as the processor says, where the clock says no more than some times that. */
import test from "ava";
import { Running } from "../../src/recognition/running.ts";

for (const [what, processor, clock, ms] of [
  ["alone on its processor", 200, 200, 200],
  ["beside two others", 100, 300, 100],
  ["beside very many", 10, 1_000, 250],
] as const)
  test(`${what}: ${processor} ms of the processor in ${clock} are ${ms}`, (t) => {
    const now = { processor: 7, clock: 70_000 };
    const running = new Running(
      () => now.processor,
      () => now.clock,
    );
    now.processor += processor;
    now.clock += clock;
    t.is(running.ms(), ms);
  });

test("a run goes on by what this thread computes", (t) => {
  const running = new Running();
  const before = running.ms();
  for (let n = 0; running.ms() < before + 5 && n < 1e7; n++);
  t.true(running.ms() >= before + 5);
});
