/** Which lines the log has, at which level, and that a file that is rotated away is opened anew. */
import { mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import test from "ava";
import { examineConfig } from "../src/config.ts";
import { createEvents } from "../src/events.ts";
import { logDestination } from "../src/log.ts";

const answer = (status: number) => ({ correlationId: "c", method: "GET", route: "/x", status, durationMs: 1 }) as const;

test("single events have levels of their own, and of some one line in so many is written, while all are counted", async (t) => {
  const destination = new PassThrough();
  const events = createEvents({
    level: "info",
    levels: { "api.answered": "info", "user.created": "silent" },
    samples: { "api.answered": 3 },
    destination,
  });
  for (const status of [200, 201, 202, 203, 204, 205, 206]) events.emit("api.answered", answer(status));
  events.emit("user.created", { correlationId: "c", partnerId: "north" });
  destination.end();
  const lines = (await text(destination))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { status: number; sampled: number; level: number });
  t.deepEqual(
    lines.map(({ status, sampled, level }) => [status, sampled, level]),
    [
      [200, 3, 30],
      [203, 3, 30],
      [206, 3, 30],
    ],
  );
  t.regex(await events.registry.metrics(), /^tideline_events_total\{event="api.answered"\} 7$/m);
});

test("a line is one to every reader, and to every screen, whatever a caller has put into an id", async (t) => {
  const destination = new PassThrough();
  const events = createEvents({ level: "info", destination });
  const correlationId = 'a\u2028\u202eb\u009b31m\u001b[2K\n{"event":"forged"}';
  events.emit("user.created", { correlationId, partnerId: "north" });
  destination.end();
  const written = await text(destination);
  t.regex(written, /^[ -~]+\n$/);
  t.like(JSON.parse(written), { event: "user.created", correlationId });
});

test("after a rename lines go on into the old file until it is opened anew, and then into a new one", async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-log-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const [file, rotated] = [path.join(folder, "tideline.log"), path.join(folder, "tideline.log.1")];
  const destination = logDestination(file);
  const events = createEvents({ level: "info", destination });
  const create = (partnerId: string) => events.emit("user.created", { correlationId: "c", partnerId });
  create("one");
  await rename(file, rotated);
  create("two");
  destination.reopen();
  create("three");
  const partners = async (name: string) =>
    [...(await readFile(name, "utf8")).matchAll(/"partnerId":"(\w+)"/g)].map(([, partnerId]) => partnerId);
  t.deepEqual(await partners(rotated), ["one", "two"]);
  t.deepEqual(await partners(file), ["three"]);
});

test("levels and samples are settings, and what is wrong with one is said", (t) => {
  const { config, problems } = examineConfig(
    {},
    { TIDELINE_LOG_LEVELS: "api.answered=info, sftp.refused=silent", TIDELINE_LOG_SAMPLES: "api.answered=100" },
  );
  t.deepEqual(problems, []);
  t.deepEqual(config.logLevels, { "api.answered": "info", "sftp.refused": "silent" });
  t.deepEqual(config.logSamples, { "api.answered": 100 });
  t.is(examineConfig({}, { TIDELINE_LOG_LEVELS: "api.answered=loud" }).problems.length, 1);
  t.regex(
    examineConfig({}, { TIDELINE_LOG_SAMPLES: "api.answered=0" }).problems.join(),
    /^TIDELINE_LOG_SAMPLES must be for api\.answered a whole number from 1 to 1000000, not "api\.answered=0"$/,
  );
});
