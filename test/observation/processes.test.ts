/** Each process beats while it lives; who stopped beating is silent at first and forgotten later. */
import test from "ava";
import { setTimeout as wait } from "node:timers/promises";
import { createEvents, type EventName, type Events } from "../../src/events.ts";
import { createActivity } from "../../src/observation/activity.ts";
import {
  beat,
  describeFleet,
  describeSelf,
  forgetDeadHere,
  forgetSilent,
  listProcesses,
  startBeating,
} from "../../src/observation/processes.ts";
import { openCommandLine } from "../cli/command.ts";
import { createTestDatabase } from "../world.ts";

test("a process is there with what it has in hand while it beats, and gone once it stops", async (t) => {
  const { database } = await createTestDatabase(t);
  const events = createEvents({ level: "silent" });
  const self = describeSelf(["worker"], "1.2.3", new Date("2026-10-01T08:00:00Z"));
  let nowMs = 60_000;
  const activity = createActivity(() => nowMs);
  const stop = await startBeating({ database, events }, self, () => ({ workingOn: activity.describe() }), 5);
  t.like(await listProcesses(database), [{ role: ["worker"], version: "1.2.3", workingOn: null, silent: false }]);

  const end = activity.begin("loading for north");
  nowMs += 2000;
  await until(async () => (await listProcesses(database))[0]?.workingOn === "loading for north (2 s)");
  end();
  await until(async () => (await listProcesses(database))[0]?.workingOn === null);
  await stop();
  t.deepEqual(await listProcesses(database), []);
});

test("what a process has in hand is told with its time, and beyond five things counted", (t) => {
  let nowMs = 0;
  const activity = createActivity(() => nowMs);
  t.is(activity.describe(), null);
  const ends = ["a", "b", "c", "d", "e", "f", "g"].map((what) => activity.begin(what));
  nowMs = 999;
  t.is(activity.describe(), null, "what has just begun may be over at once");
  nowMs = 2600;
  t.is(activity.describe(), "a (3 s), b (3 s), c (3 s), d (3 s), e (3 s), 2 more");
  for (const end of ends.slice(1)) end();
  t.is(activity.describe(), "a (3 s)");
});

test("a process that stopped beating is silent, told so by status, and forgotten after an hour", async (t) => {
  const { url, database } = await createTestDatabase(t);
  await beat(database, describeSelf(["api", "sftp"], "1.0.0", new Date("2026-10-01T08:00:00Z")), { workingOn: null });
  await beat(
    database,
    { ...describeSelf(["worker"], "1.0.0", new Date()), machine: "m7", pid: 812 },
    { workingOn: "recognise (3 s)" },
  );
  const age = (seconds: number) =>
    database.query("update processes set beat_at = now() - $1 * interval '1 second' where machine = 'm7'", [seconds]);

  await age(39);
  t.is(describeFleet(await listProcesses(database), ["api", "worker", "scheduler"]), "api 1, worker 1, scheduler 0");
  await age(41);
  t.regex(
    describeFleet(await listProcesses(database), ["api", "worker", "scheduler"]),
    /^api 1, worker 0, scheduler 0; silent: worker on m7 since \d\d:\d\d:\d\dZ$/,
  );
  const { tideline } = await openCommandLine(t, url);
  const { stdout } = await tideline("status");
  t.regex(stdout, /^Processes: 2$/m);
  t.regex(stdout, /^ {2}worker +m7 +812 +1\.0\.0 .* \(silent\) +recognise \(3 s\)$/m);
  t.like(JSON.parse((await tideline("status", "--json")).stdout), {
    processes: [
      { role: ["api", "sftp"], silent: false, workingOn: null },
      { role: ["worker"], machine: "m7", pid: 812, silent: true, workingOn: "recognise (3 s)" },
    ],
  });

  await age(3599);
  await forgetSilent(database);
  t.is((await listProcesses(database)).length, 2);
  await age(3601);
  await forgetSilent(database);
  t.deepEqual(
    (await listProcesses(database)).map(({ role }) => role),
    [["api", "sftp"]],
  );
});

test("a start takes out what was killed on its machine, and nobody who lives or is elsewhere", async (t) => {
  const { database } = await createTestDatabase(t);
  const at = new Date("2026-10-01T08:00:00Z");
  const add = (machine: string, pid: number) =>
    beat(database, { ...describeSelf(["worker"], "1.0.0", at), machine, pid }, { workingOn: null });
  await add("here", 11);
  await add("here", 12);
  await add("there", 11);
  await database.query("update processes set beat_at = now() - interval '20 seconds'");
  await add("here", 13);
  await forgetDeadHere(database, "here", (pid) => pid === 12);
  const left = (await listProcesses(database)).map(({ machine, pid }) => `${machine} ${pid}`);
  t.deepEqual(left.toSorted(), ["here 12", "here 13", "there 11"], "13 beat a moment ago");
});

test("a database that is away is told once, and beaten into again when it is back", async (t) => {
  const { database } = await createTestDatabase(t);
  const told: EventName[] = [];
  const events = { ...createEvents({ level: "silent" }), emit: (name: EventName) => void told.push(name) } as Events;
  const self = describeSelf(["api"], "1.0.0", new Date());
  let away = false;
  let tried = 0;
  const flaky = {
    query: (...parameters: Parameters<typeof database.query>) => {
      tried += 1;
      return away ? Promise.reject(new Error("away")) : database.query(...parameters);
    },
  } as unknown as typeof database;
  const stop = await startBeating({ database: flaky, events }, self, () => ({ workingOn: "x" }), 5);
  away = true;
  tried = 0;
  await until(async () => tried >= 3);
  await database.query("delete from processes");
  away = false;
  await until(async () => (await listProcesses(database)).length === 1);
  t.deepEqual(told, ["job.failed"]);
  await stop();
});

test("a database that does not answer the first beat ends no start, and the next one is told", async (t) => {
  const { database } = await createTestDatabase(t);
  const events = createEvents({ level: "silent" });
  let tries = 0;
  const late = {
    query: ((text: string, values?: unknown[]) => {
      tries += 1;
      return tries === 1 ? Promise.reject(new Error("Query read timeout")) : database.query(text, values);
    }) as typeof database.query,
  };
  const self = describeSelf(["worker"], "1.2.3", new Date("2026-10-01T08:00:00Z"));
  const stop = await startBeating({ database: late, events }, self, () => ({ workingOn: null }), 5);
  await until(async () => (await listProcesses(database)).length === 1);
  await stop();
  t.deepEqual(await listProcesses(database), []);
});

async function until(met: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!(await met())) {
    if (performance.now() > deadline) throw new Error("it did not come to that within ten seconds");
    await wait(5);
  }
}
