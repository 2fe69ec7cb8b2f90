/** A figure that cannot be read spoils no other, and the log never repeats a value that the database refused. */
import test from "ava";
import { PassThrough } from "node:stream";
import { createEvents } from "../src/events.ts";

test("a figure that cannot be read is no number, and the others are told", async (t) => {
  const events = createEvents({ level: "silent" });
  events.gauge("tideline_unreadable", "Needs a database.", () => Promise.reject(new Error("the database is away")));
  events.gauge("tideline_readable", "Needs nothing.", () => 7);
  const text = await events.registry.metrics();
  t.regex(text, /^tideline_unreadable NaN$/im);
  t.regex(text, /^tideline_readable 7$/m);
});

test("a value that the database cannot take is not in the log, what is wrong with it is", (t) => {
  const destination = new PassThrough();
  const events = createEvents({ level: "info", destination });
  for (const [message, code] of [
    ['invalid input syntax for type uuid: "Anna Hansen"', "22P02"],
    ['invalid input syntax for type json: "{\\"iban\\": \\"DK50', "22P02"],
  ] as const) {
    events.emit("job.failed", { job: "x", durationMs: 1, error: Object.assign(new Error(message), { code }) });
  }
  const log = String(destination.read());
  t.regex(log, /invalid input syntax for type uuid: /);
  t.notRegex(log, /Anna|Hansen|iban|DK50/);
});
