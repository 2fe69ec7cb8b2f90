/** A load's rate, share and remaining time follow from its counts, and nothing is claimed before there are any. */
import test from "ava";
import type { Delivery } from "../../src/deliveries/deliveries.ts";
import { progressOf } from "../../src/deliveries/load-progress.ts";

const startedAt = new Date("2026-01-01T00:00:00Z");
const after = (seconds: number) => new Date(startedAt.getTime() + seconds * 1000);
const loading = (more: Partial<Delivery>): Delivery =>
  ({
    state: "loading",
    vaultReference: "x",
    sizeBytes: 1000,
    bytesLoaded: 0,
    records: 0,
    runStartedAt: startedAt,
    runStartedRecords: 0,
    ...more,
  }) as Delivery;

test("rate and what is left follow from the present run, the share from all of it", (t) => {
  t.deepEqual(progressOf(loading({ bytesLoaded: 250, records: 30_000, runStartedRecords: 10_000 }), after(10)), {
    percent: 25,
    recordsPerSecond: 2000,
    secondsLeft: 45,
  });
});

test("before the first chunk nothing is claimed, and what is not loading has no progress", (t) => {
  t.deepEqual(progressOf(loading({}), after(3)), { percent: 0, recordsPerSecond: null, secondsLeft: null });
  t.deepEqual(progressOf(loading({ vaultReference: null }), after(3)), {
    percent: null,
    recordsPerSecond: null,
    secondsLeft: null,
  });
  for (const state of ["accepted", "loaded", "refused", "withdrawn"] as const)
    t.is(progressOf(loading({ state }), after(3)), null);
});

test("a delivery that is read again says how far into its file that is, and no longer once it is over", (t) => {
  const again = { state: "loaded", revisitRequestedAt: after(-60), revisitStartedAt: startedAt } as const;
  const waiting = { records: 800_000, recordsWaiting: 100_000, recordsRefused: 0, recordsConflicting: 0 };
  const going = { ...again, ...waiting, revisitRecords: 20_000 };
  // Of the three quarters that are still to be read only so many wait.
  t.deepEqual(progressOf(loading({ ...going, revisitBytes: 250 }), after(10)), {
    percent: 25,
    recordsPerSecond: 2000,
    secondsLeft: 50,
  });
  // Of what waits some waits on: it was read and not named. Two chunks are read ahead of those that are counted.
  t.deepEqual(progressOf(loading({ ...going, revisitBytes: 950 }), after(10)), {
    percent: 95,
    recordsPerSecond: 2000,
    secondsLeft: 40,
  });
  t.deepEqual(progressOf(loading({ ...again, ...waiting, revisitBytes: 0, revisitRecords: 0 }), after(10)), {
    percent: 0,
    recordsPerSecond: null,
    secondsLeft: null,
  });
  t.is(progressOf(loading({ ...again, revisitRequestedAt: null }), after(10)), null);
});

test("a run that goes on where another was killed tells its own pace for what is left, not for what it passed over", (t) => {
  const again = { state: "loaded", revisitRequestedAt: after(-60), revisitStartedAt: startedAt } as const;
  const rest = { records: 300_000, recordsWaiting: 120_000, recordsRefused: 0, recordsConflicting: 0 };
  t.deepEqual(progressOf(loading({ ...again, ...rest, revisitBytes: 700, revisitRecords: 20_000 }), after(4)), {
    percent: 70,
    recordsPerSecond: 5000,
    secondsLeft: 24,
  });
});

test("one that is to be read again and has not begun says nothing, whatever an earlier time left behind", (t) => {
  const asked = { state: "loaded", revisitRequestedAt: after(5), revisitBytes: 1000, revisitRecords: 7 } as const;
  t.is(progressOf(loading({ ...asked, revisitStartedAt: null }), after(10)), null);
  t.is(progressOf(loading({ ...asked, revisitStartedAt: startedAt }), after(10)), null);
});
