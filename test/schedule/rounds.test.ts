/** A scheduled round runs at once and after each pause, survives its failures, and stops after the present one. */
import test from "ava";
import { createEvents, type EventName, type Events } from "../../src/events.ts";
import { startRounds } from "../../src/schedule/rounds.ts";

test("a round runs at once and again after its pause, and a failure is reported without ending it", async (t) => {
  const failures: EventName[] = [];
  let runs = 0;
  const thirdRun = Promise.withResolvers<void>();
  const round = {
    name: "stumbling",
    everyMs: 1,
    run: async () => {
      runs++;
      if (runs === 3) thirdRun.resolve();
      if (runs === 1) throw new Error("the first run fails");
      await Promise.resolve();
    },
  };
  const rounds = startRounds([round], {
    ...createEvents({ level: "silent" }),
    emit: (name: EventName) => void failures.push(name),
  } as Events);
  await thirdRun.promise;
  await rounds.stop();
  t.deepEqual(failures, ["job.failed"]);
});

test("stopping waits for the run under way and not for the pause", async (t) => {
  const started = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  let ended = false;
  const working = {
    name: "working",
    everyMs: 3_600_000,
    run: async () => {
      started.resolve();
      await release.promise;
      ended = true;
    },
  };
  const pausing = { name: "pausing", everyMs: 3_600_000, run: () => Promise.resolve() };
  const rounds = startRounds([working, pausing], createEvents({ level: "silent" }));
  await started.promise;
  const stopped = rounds.stop();
  t.false(ended);
  release.resolve();
  await stopped;
  t.true(ended);
});
