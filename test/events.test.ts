import test from "ava";
import { createEvents } from "../src/events.ts";

test("a figure that cannot be read is no number, and the others are told", async (t) => {
  const events = createEvents({ level: "silent" });
  events.gauge("tideline_unreadable", "Needs a database.", () => Promise.reject(new Error("the database is away")));
  events.gauge("tideline_readable", "Needs nothing.", () => 7);
  const text = await events.registry.metrics();
  t.regex(text, /^tideline_unreadable NaN$/im);
  t.regex(text, /^tideline_readable 7$/m);
});
