/** Each expected file is judged once as in time, late or missing, whatever the service slept through. */
import test, { type ExecutionContext } from "ava";
import { createClock } from "../../../src/time/clock.ts";
import { createEvents, type EventName } from "../../../src/events.ts";
import { listMissing } from "../../../src/landing/expected/expected-files.ts";
import { type Watching, watchExpectedFiles } from "../../../src/landing/expected/watch.ts";
import { changeSettings } from "../../../src/partners/provisioning.ts";
import { addDelivery, addPartner } from "../../parties.ts";
import { createTestDatabase } from "../../world.ts";

const nightly = {
  name: "nightly",
  pattern: "tx-*.jwe",
  cutoff: "06:00",
  timeZone: "Europe/Copenhagen",
  days: "daily",
  graceMinutes: 15,
  since: "2026-06-01T00:00:00.000Z",
};

type World = {
  watching: Watching;
  seen: { name: EventName; fields: object }[];
  expect(...list: object[]): Promise<void>;
  arrives(name: string, at: string, state?: "loaded" | "refused"): Promise<string>;
  watchAt(at: string): Promise<void>;
  rows(): Promise<[day: string, state: string][]>;
};

async function openWatch(t: ExecutionContext): Promise<World> {
  const { database } = await createTestDatabase(t);
  await addPartner(database);
  const seen: World["seen"] = [];
  let now = new Date("2026-06-01T00:00:00Z");
  const events = {
    ...createEvents({ level: "silent" }),
    emit: (name: EventName, fields: object) => void seen.push({ name, fields }),
  };
  const watching = { database, events, clock: createClock(undefined, now, () => now) };
  return {
    watching,
    seen,
    expect: (...list) => changeSettings(database, "bank", { expectedFiles: list }),
    async arrives(name, at, state = "loaded") {
      const { id } = await addDelivery(database, "bank", state, { name, door: "sftp" });
      await database.query("update deliveries set accepted_at = $2 where id = $1", [id, at]);
      return id;
    },
    async watchAt(at) {
      now = new Date(at);
      await watchExpectedFiles(watching);
    },
    async rows() {
      const { rows } = await database.query<{ due_day: string; state: string }>(
        "select due_day, state from expected_files order by due_day, name",
      );
      return rows.map((row) => [row.due_day, row.state]);
    },
  };
}

test("a file that came in time is noted and no event", async (t) => {
  const { expect, arrives, watchAt, rows, seen } = await openWatch(t);
  await expect(nightly);
  await arrives("tx-1.jwe", "2026-06-01T03:00:00Z");
  await watchAt("2026-06-01T04:14:00Z");
  t.deepEqual(await rows(), []);
  await watchAt("2026-06-01T04:15:00Z");
  t.deepEqual(await rows(), [["2026-06-01", "arrived"]]);
  t.deepEqual(seen, []);
});

test("a file that did not come is one event, and its late arrival another", async (t) => {
  const { watching, expect, arrives, watchAt, rows, seen } = await openWatch(t);
  await expect(nightly);
  await watchAt("2026-06-01T05:00:00Z");
  await watchAt("2026-06-01T05:00:30Z");
  t.deepEqual(seen, [
    { name: "expected-file.missing", fields: { partnerId: "bank", expectation: "nightly", dueDay: "2026-06-01" } },
  ]);
  t.like(await listMissing(watching.database, null), [{ partnerId: "bank", name: "nightly", dueDay: "2026-06-01" }]);
  const deliveryId = await arrives("tx-1.jwe", "2026-06-01T07:00:00Z");
  await watchAt("2026-06-01T07:00:30Z");
  await watchAt("2026-06-01T07:01:00Z");
  t.deepEqual(seen.slice(1), [
    {
      name: "expected-file.arrived-late",
      fields: { partnerId: "bank", expectation: "nightly", dueDay: "2026-06-01", deliveryId },
    },
  ]);
  t.deepEqual(await rows(), [["2026-06-01", "late"]]);
  // It was yesterday's, so today's is still to come.
  await watchAt("2026-06-02T05:00:00Z");
  t.deepEqual(await rows(), [
    ["2026-06-01", "late"],
    ["2026-06-02", "missing"],
  ]);
});

test("after a time in which nobody looked each occurrence is judged once, by when files came", async (t) => {
  const { expect, arrives, watchAt, rows, seen } = await openWatch(t);
  await expect(nightly);
  await arrives("tx-1.jwe", "2026-06-01T03:00:00Z");
  await arrives("tx-3.jwe", "2026-06-03T03:00:00Z");
  await watchAt("2026-06-04T12:00:00Z");
  await watchAt("2026-06-04T12:00:30Z");
  t.deepEqual(await rows(), [
    ["2026-06-01", "arrived"],
    ["2026-06-02", "missing"],
    ["2026-06-03", "arrived"],
    ["2026-06-04", "missing"],
  ]);
  t.is(seen.length, 2);
});

test("a file counts once, and a second one of the same night does not stand for the next", async (t) => {
  const { expect, arrives, watchAt, rows } = await openWatch(t);
  await expect(nightly);
  await arrives("tx-1.jwe", "2026-06-01T02:00:00Z");
  await arrives("tx-1b.jwe", "2026-06-01T03:00:00Z");
  await watchAt("2026-06-02T12:00:00Z");
  t.deepEqual(await rows(), [
    ["2026-06-01", "arrived"],
    ["2026-06-02", "missing"],
  ]);
});

test("a file whose name says its day may come early, and does for no other day", async (t) => {
  const { expect, arrives, watchAt, rows } = await openWatch(t);
  await expect({ ...nightly, pattern: "tx-{YYYY}-{MM}-{DD}.jwe" });
  await arrives("tx-2026-06-02.jwe", "2026-05-31T12:00:00Z");
  await arrives("tx-2026-05-01.jwe", "2026-06-01T03:00:00Z");
  await watchAt("2026-06-02T12:00:00Z");
  t.deepEqual(await rows(), [
    ["2026-06-01", "missing"],
    ["2026-06-02", "arrived"],
  ]);
});

test("a refused file is not what was expected", async (t) => {
  const { expect, arrives, watchAt, rows } = await openWatch(t);
  await expect(nightly);
  await arrives("tx-1.jwe", "2026-06-01T03:00:00Z", "refused");
  await watchAt("2026-06-01T12:00:00Z");
  t.deepEqual(await rows(), [["2026-06-01", "missing"]]);
});

test("a refused file that is let in after its cutoff is missing no more", async (t) => {
  const { watching, expect, arrives, watchAt, rows, seen } = await openWatch(t);
  await expect(nightly);
  await arrives("tx-0.jwe", "2026-05-31T03:00:00Z");
  const deliveryId = await arrives("tx-1.jwe", "2026-06-01T03:00:00Z", "refused");
  await watchAt("2026-06-01T12:00:00Z");
  await watching.database.query("update deliveries set state = 'loaded', refusal_code = null where id = $1", [
    deliveryId,
  ]);
  await watchAt("2026-06-01T12:00:30Z");
  t.deepEqual(await rows(), [["2026-06-01", "late"]]);
  t.like(seen.at(-1), { name: "expected-file.arrived-late", fields: { deliveryId } });
  await watchAt("2026-06-02T12:00:00Z");
  t.deepEqual(await rows(), [
    ["2026-06-01", "late"],
    ["2026-06-02", "missing"],
  ]);
});

test("of a suspended partner nothing is missed, also when it is back", async (t) => {
  const { watching, expect, watchAt, rows, seen } = await openWatch(t);
  await expect(nightly);
  await watching.database.query("update partners set suspended_at = now()");
  await watchAt("2026-06-01T12:00:00Z");
  await watching.database.query("update partners set suspended_at = null");
  await watchAt("2026-06-01T12:00:30Z");
  t.deepEqual(seen, []);
  await watchAt("2026-06-02T12:00:00Z");
  t.deepEqual(await rows(), [
    ["2026-06-01", "dropped"],
    ["2026-06-02", "missing"],
  ]);
});

test("what nobody expects any more, or is a month late, is looked for no more", async (t) => {
  const { watching, expect, watchAt, rows } = await openWatch(t);
  await expect(nightly);
  await watchAt("2026-06-01T12:00:00Z");
  await expect({ ...nightly, name: "weekly", days: { weekdays: [1] } });
  await watchAt("2026-06-01T12:01:00Z");
  t.deepEqual(await rows(), [
    ["2026-06-01", "dropped"],
    ["2026-06-01", "missing"],
  ]);
  await watchAt("2026-07-05T12:00:00Z");
  await watchAt("2026-07-05T12:00:30Z");
  t.deepEqual(
    (await listMissing(watching.database, "bank")).map((one) => one.dueDay),
    ["2026-06-08", "2026-06-15", "2026-06-22", "2026-06-29"],
  );
});

test("a partner whose settings cannot be read keeps what it misses, and holds up nobody else", async (t) => {
  const { watching, expect, watchAt, rows, seen } = await openWatch(t);
  await expect(nightly);
  await addPartner(watching.database, "aaa");
  await changeSettings(watching.database, "aaa", { expectedFiles: [nightly] });
  await watchAt("2026-06-01T12:00:00Z");
  await watching.database.query(`update partners set settings = '{"expectedFiles": "all"}' where id = 'aaa'`);
  await t.throwsAsync(watchAt("2026-06-02T12:00:00Z"), { code: "CONFIG_INVALID" });
  t.deepEqual(await rows(), [
    ["2026-06-01", "missing"],
    ["2026-06-01", "missing"],
    ["2026-06-02", "missing"],
  ]);
  t.is(seen.length, 3);
});

test("two schedulers tell of a missing file once", async (t) => {
  const { watching, expect, watchAt, seen } = await openWatch(t);
  await expect(nightly);
  await watchAt("2026-06-01T00:00:01Z");
  await Promise.all([watchAt("2026-06-01T12:00:00Z"), watchExpectedFiles(watching)]);
  t.is(seen.length, 1);
});
