/** The audit command's --since takes days, times and spans, and refuses what is none. */
import test from "ava";
import { readWhen } from "../../../src/cli/service/audit.ts";

const now = new Date("2026-06-15T12:00:00Z");

const instants: Record<string, string> = {
  "2026-06-14": "2026-06-14T00:00:00.000Z",
  "2026-06-14T08:30:00+02:00": "2026-06-14T06:30:00.000Z",
  "90m": "2026-06-15T10:30:00.000Z",
  "24h": "2026-06-14T12:00:00.000Z",
  "7d": "2026-06-08T12:00:00.000Z",
};

for (const [text, expected] of Object.entries(instants)) {
  test(`--since ${text} is ${expected}`, (t) => {
    t.is(readWhen(text, "--since", now)?.toISOString(), expected);
  });
}

test("what is no time is refused, and nothing is no limit", (t) => {
  for (const text of ["yesterday", "2026-13-01", "2026-06-14T08:30:00", "7w"])
    t.throws(() => readWhen(text, "--since", now), { code: "COMMAND_USAGE" }, text);
  t.is(readWhen(undefined, "--since", now), null);
});
