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
  t.is(text(), "sending: 2,000 of 4,000 (50%) records\nsending: 3,000 of 4,000 (75%) records (again)\n");
});

test("an unknown total is left out", (t) => {
  const { stream, text } = recorder(false);
  const progress = startProgress({ label: "sending", unit: "records", silent: false, stream });
  progress.update(1000, null);
  progress.stop();
  t.is(text(), "sending: 1,000 records\n");
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
