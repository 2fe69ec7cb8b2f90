/** Progress is a bar on a terminal, a line now and then elsewhere, and nothing when silent. */
import { PassThrough } from "node:stream";
import test from "ava";
import { startProgress } from "../../../src/cli/terminal/progress.ts";

/** A stream that keeps what was written. */
function recorder(isTTY: boolean) {
  const stream = Object.assign(new PassThrough({ encoding: "utf8" }), { isTTY });
  return { stream, text: () => String(stream.read() ?? "") };
}

test("without a terminal there is a line now and then, and the last one", (t) => {
  const { stream, text } = recorder(false);
  let now = 0;
  const progress = startProgress({ label: "sending", unit: "records", silent: false, stream, now: () => now });
  progress.update(1000, 4000);
  now = 5000;
  progress.update(2000, 4000);
  now = 6000;
  progress.update(3000, 4000, "(again)");
  progress.stop();
  progress.stop();
  t.is(
    text(),
    "sending: 2,000 of 4,000 (50%) records at 200/s, 10 s left\nsending: 3,000 of 4,000 (75%) records at 333/s, 3 s left (again)\n",
  );
});

test("the pace is that of the last seconds, and nothing is left of what is done", (t) => {
  const { stream, text } = recorder(false);
  let now = 0;
  const progress = startProgress({ label: "replaying", unit: "records", silent: false, stream, now: () => now });
  // What an earlier run sent is passed over in a moment.
  for (const [at, done] of [
    [0, 0],
    [100, 50_000],
    [6000, 50_600],
    [12_000, 51_200],
    [18_000, 51_800],
    [24_000, 100_000],
  ] as const) {
    now = at;
    progress.update(done, 100_000);
  }
  progress.stop();
  t.is(
    text().split("\n").slice(1).join("\n"),
    [
      "replaying: 51,200 of 100,000 (51%) records at 101/s, 9 min left",
      "replaying: 51,800 of 100,000 (51%) records at 100/s, 9 min left",
      "replaying: 100,000 of 100,000 (100%) records",
      "",
    ].join("\n"),
  );
});

test("where the notes tell the pace nothing is added to them", (t) => {
  const { stream, text } = recorder(false);
  let now = 0;
  const options = { label: "export", unit: "users", silent: false, tellsPace: true, stream, now: () => now };
  const progress = startProgress(options);
  progress.update(0, 10);
  now = 6000;
  progress.update(5, 10, "9 rows/s");
  t.is(text(), "export: 5 of 10 (50%) users 9 rows/s\n");
});

test("an unknown total is left out", (t) => {
  const { stream, text } = recorder(false);
  const progress = startProgress({ label: "sending", unit: "records", silent: false, stream });
  progress.update(1000, null);
  progress.stop();
  t.is(text(), "sending: 1,000 records\n");
});

test("of an unknown total the pace is told alone", (t) => {
  const { stream, text } = recorder(false);
  let now = 0;
  const progress = startProgress({ label: "replaying", unit: "records", silent: false, stream, now: () => now });
  progress.update(0, null);
  now = 6000;
  progress.update(30, null);
  t.is(text(), "replaying: 30 records at 5.0/s\n");
});

test("a terminal gets a bar", (t) => {
  const { stream, text } = recorder(true);
  const progress = startProgress({ label: "sending", unit: "records", silent: false, stream });
  progress.update(4000, 4000);
  progress.stop();
  t.regex(text(), /sending .*4,000 of 4,000 \(100%\) records/s);
});

test("silent says nothing", (t) => {
  const { stream, text } = recorder(true);
  const progress = startProgress({ label: "sending", unit: "records", silent: true, stream });
  progress.update(1, 1);
  progress.stop();
  t.is(text(), "");
});
