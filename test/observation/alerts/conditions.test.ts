/** What is wrong, and from when on. */
import test from "ava";
import { judge, type Seen, type Thresholds } from "../../../src/observation/alerts/conditions.ts";
import { createEvents } from "../../../src/events.ts";
import { createCallWatch, createStuckWatch } from "../../../src/roles/alerting.ts";

const now = new Date("2026-10-01T12:00:00Z");
const thresholds: Thresholds = {
  waitingMinutes: 30,
  certificateDays: 21,
  keyDays: 14,
  backupHours: 26,
  replicaLagSeconds: 60,
  errorPercent: 2,
};
const well: Seen = {
  now,
  figures: {
    stagingDepth: 0,
    loadingDeliveries: 0,
    loadingRecords: 0,
    loadingBytesLeft: 0,
    oldestWaitingSeconds: 0,
    lastLoadedAtSeconds: null,
    heldUsers: 0,
    changedUsers: 0,
    oldestChangedSeconds: 0,
    expectedFilesMissing: 0,
    notificationsPending: 0,
    notificationsDead: 0,
    oldestNotificationSeconds: 0,
    importMarkersWaiting: 0,
    quarantinedRefused: 0,
    quarantinedWaiting: 0,
    processesSilent: 0,
  },
  missingFiles: [],
  silent: [],
  keyEnds: [],
  replicaLags: [],
  lastBackupAt: null,
  rates: { isOld: false, newest: "2026-09-30" },
  stuckSince: null,
  machine: "m1",
  spaces: [],
  certificateEndsAt: null,
  calls: { all: 0, failed: 0 },
};
const told = (seen: Partial<Seen>) => judge({ ...well, ...seen }, thresholds).map((one) => [one.name, one.subject]);
const withFigures = (figures: Partial<Seen["figures"]>) => told({ figures: { ...well.figures, ...figures } });

test("where all is well nothing is told", (t) => {
  t.deepEqual(told({}), []);
});

test("each late file and each silent process is told by name", (t) => {
  t.deepEqual(
    judge(
      {
        ...well,
        missingFiles: [{ partnerId: "north", name: "nightly", dueDay: "2026-10-01" }],
        silent: [{ role: ["worker"], machine: "m7", beatAt: new Date("2026-10-01T11:58:30Z") }],
      },
      thresholds,
    ),
    [
      {
        name: "file-late",
        subject: "north/nightly/2026-10-01",
        severity: "page",
        summary: "The file nightly of north, due on 2026-10-01, has not come.",
      },
      {
        name: "process-silent",
        subject: "worker on m7",
        severity: "page",
        summary: "worker on m7 has not been heard of since 2026-10-01T11:58:30Z.",
      },
    ],
  );
});

test("what waits is told past its time and not before", (t) => {
  t.deepEqual(withFigures({ oldestWaitingSeconds: 1800, oldestChangedSeconds: 1800 }), []);
  t.deepEqual(withFigures({ oldestWaitingSeconds: 1801 }), [["oldest-waiting", ""]]);
  t.deepEqual(withFigures({ oldestChangedSeconds: 1801 }), [["recognition-behind", ""]]);
  t.deepEqual(withFigures({ notificationsDead: 1 }), [["notifications-dead", ""]]);
});

test("nothing was loaded: a quarter of an hour without a load that ends or advances", (t) => {
  t.deepEqual(told({ stuckSince: new Date("2026-10-01T11:45:01Z") }), []);
  t.deepEqual(told({ stuckSince: new Date("2026-10-01T11:45:00Z") }), [["nothing-loaded", ""]]);

  const stuck = createStuckWatch();
  const at = (minute: number) => new Date(now.getTime() + minute * 60_000);
  const waits = { stagingDepth: 2, lastLoadedAtSeconds: 100, loadingRecords: 0 };
  t.is(stuck(at(0), { ...waits, stagingDepth: 0 }), null);
  t.deepEqual(stuck(at(1), waits), at(1));
  t.deepEqual(stuck(at(2), waits), at(1));
  t.deepEqual(stuck(at(3), { ...waits, loadingRecords: 20_000 }), at(3), "it advances");
  t.deepEqual(stuck(at(4), { ...waits, lastLoadedAtSeconds: 200, loadingRecords: 20_000 }), at(4), "one has ended");
  t.is(stuck(at(5), { ...waits, stagingDepth: 0 }), null, "nothing waits any more");
});

test("a disk is told at twice its floor", (t) => {
  const space = (freeBytes: number) => ({ place: "vault", freeBytes, floorBytes: 500 });
  t.deepEqual(told({ spaces: [space(1000)] }), []);
  t.deepEqual(told({ spaces: [space(999)] }), [["disk-low", "vault on m1"]]);
});

test("failing calls are told past two in a hundred, of twenty and more", (t) => {
  t.deepEqual(told({ calls: { all: 100, failed: 2 } }), []);
  t.deepEqual(told({ calls: { all: 100, failed: 3 } }), [["error-rate", "m1"]]);
  t.deepEqual(told({ calls: { all: 19, failed: 19 } }), []);
});

test("calls are counted over five minutes, from what the process answered", async (t) => {
  const events = createEvents({ level: "silent" });
  const calls = createCallWatch(events);
  const answer = (status: number, times: number) => {
    for (let n = 0; n < times; n++)
      events.emit("api.answered", { correlationId: "c", method: "GET", route: "/x", status, durationMs: 1 });
  };
  const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  answer(500, 7);
  t.deepEqual(await calls(at(0)), { all: 0, failed: 0 }, "what came before is not the last minutes'");
  answer(200, 30);
  answer(503, 10);
  t.deepEqual(await calls(at(30)), { all: 40, failed: 10 });
  answer(200, 5);
  t.deepEqual(await calls(at(300)), { all: 45, failed: 10 });
  t.deepEqual(await calls(at(331)), { all: 5, failed: 0 });
});

test("what ends or falls behind is told in time", (t) => {
  const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);
  t.deepEqual(told({ certificateEndsAt: inDays(21), lastBackupAt: inDays(-1), replicaLags: [] }), []);
  t.deepEqual(
    told({
      certificateEndsAt: inDays(20.9),
      lastBackupAt: inDays(-1.1),
      keyEnds: [
        { partnerId: "north", kind: "sftp", endsAt: inDays(13) },
        { partnerId: "south", kind: "login", endsAt: inDays(15) },
      ],
      replicaLags: [
        { replica: "b", seconds: 61, bytes: 1 },
        { replica: "c", seconds: 60, bytes: 1 },
      ],
      rates: { isOld: true, newest: "2026-09-01" },
    }),
    [
      ["key-ends", "north/sftp"],
      ["replica-behind", "b"],
      ["certificate-ends", "m1"],
      ["backup-old", ""],
      ["rates-old", ""],
    ],
  );
});
