/** Quick steps are taken at once on a disk of this machine, and in threads where they, or it, might take long. */
import { setImmediate as nextTurn } from "node:timers/promises";
import test from "ava";
import { inThreads, type QuickSteps, quickStepsIn } from "../../src/machine/quick-steps.ts";

/** Where a step is taken. */
const taken = (quickly: QuickSteps) =>
  quickly.take<"now" | "thread">(
    () => "now",
    async () => "thread",
  );

test("the first step goes through a thread, and those that follow only where the disk is another machine's", async (t) => {
  for (const [isLocal, then] of [
    [async () => true, "now"],
    [async () => false, "thread"],
    [() => Promise.reject(new Error("ENOENT")), "thread"],
  ] as const) {
    const quickly = quickStepsIn("/landing", { isLocal });
    t.is(await taken(quickly), "thread");
    await nextTurn();
    t.is(await taken(quickly), then);
  }
  t.is(await taken(inThreads), "thread");
});

test("what fails, fails alike", async (t) => {
  const quickly = quickStepsIn("/landing", { isLocal: async () => true });
  const fails = () =>
    quickly.take(
      () => {
        throw new Error("now");
      },
      () => Promise.reject(new Error("in a thread")),
    );
  await t.throwsAsync(fails, { message: "in a thread" });
  await nextTurn();
  await t.throwsAsync(fails, { message: "now" });
});

test("after a slow step others rest in threads, longer each time it is slow again", async (t) => {
  let nowMs = 1000;
  const quickly = quickStepsIn("/landing", { isLocal: async () => true, clock: () => nowMs });
  const slowly = () =>
    quickly.take(
      () => void (nowMs += 50),
      async () => undefined,
    );
  const restMs = async () => {
    const fromMs = nowMs;
    while ((await taken(quickly)) === "thread") nowMs += 1;
    return nowMs - fromMs;
  };
  await taken(quickly);
  await nextTurn();
  const rests: number[] = [];
  for (let step = 0; step < 9; step += 1) {
    await slowly();
    rests.push(await restMs());
  }
  t.deepEqual(rests, [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
  // A while later it is as before.
  nowMs += 20_000;
  await slowly();
  t.is(await restMs(), 100);
});
