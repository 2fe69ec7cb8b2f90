/** A standby answers a read when it shows all that was committed before the read began; else the primary does. */
import test from "ava";
import { Following, type LogPlace, readsWithReplica, type StandbyPlace } from "../../src/database/replica.ts";
import { createTestDatabase } from "../world.ts";

const timeline = "00000001";
const at = (position: number): LogPlace => ({ position: BigInt(position), timeline });
const standbyAt = (position: number, more: Partial<StandbyPlace> = {}): StandbyPlace => ({
  ...at(position),
  isStandby: true,
  ...more,
});

/** Two servers whose answers a test gives, and a clock that only waiting moves. */
function openWorld() {
  const asked = { primary: 0, standby: 0 };
  let nowMs = 0;
  const world = {
    asked,
    primary: async (): Promise<LogPlace> => at(100),
    standby: async (): Promise<StandbyPlace> => standbyAt(100),
    pass: (ms: number) => void (nowMs += ms),
  };
  const following = new Following(
    {
      primary: () => {
        asked.primary += 1;
        return world.primary();
      },
      standby: () => {
        asked.standby += 1;
        return world.standby();
      },
    },
    {
      now: () => nowMs,
      // What waits for the end of a look's time never comes to it here: each pause moves the clock by itself.
      wait: (ms) => (ms > 16 ? new Promise(() => undefined) : Promise.resolve(void (nowMs += ms))),
      lagMsMax: 200,
    },
  );
  return { ...world, world, following };
}

test("a standby that shows what was committed is read; what it has shown before is not asked again", async (t) => {
  const { world, asked, following } = openWorld();
  t.is(await following.caughtUp(), 0);
  t.is(await following.caughtUp(), 0);
  t.deepEqual(asked, { primary: 2, standby: 1 });
  world.primary = async () => at(101);
  world.standby = async () => standbyAt(101);
  t.is(await following.caughtUp(), 0);
  t.deepEqual(asked, { primary: 3, standby: 2 });
  t.false(following.isBehind);
});

test("a standby that comes to it within the time is waited for", async (t) => {
  const { world, asked, following } = openWorld();
  world.standby = async () => standbyAt(95 + asked.standby);
  t.is(await following.caughtUp(), 0);
  t.is(asked.standby, 5);
});

test("one that does not is left alone for a second, and then looked at again", async (t) => {
  const { world, asked, following, pass } = openWorld();
  world.standby = async () => standbyAt(99);
  t.is(await following.caughtUp(), null);
  t.true(following.isBehind);
  const before = { ...asked };
  t.is(await following.caughtUp(), null);
  t.deepEqual(asked, before);
  world.standby = async () => standbyAt(100);
  pass(1000);
  t.is(await following.caughtUp(), 0);
  t.false(following.isBehind);
});

test("reads of one moment share a question, and one that comes while it is put gets the next", async (t) => {
  const { world, asked, following } = openWorld();
  const { promise: answered, resolve: answer } = Promise.withResolvers<LogPlace>();
  world.primary = () => answered;
  const first = [following.caughtUp(), following.caughtUp()];
  await new Promise((resolve) => setImmediate(resolve));
  t.is(asked.primary, 1);
  const late = [following.caughtUp(), following.caughtUp()];
  world.primary = async () => at(200);
  world.standby = async () => standbyAt(asked.primary === 1 ? 100 : 200);
  await new Promise((resolve) => setImmediate(resolve));
  t.is(asked.primary, 1, "one at a time");
  answer(at(100));
  t.deepEqual(await Promise.all(first), [0, 0]);
  t.deepEqual(await Promise.all(late), [0, 0]);
  t.deepEqual(asked, { primary: 2, standby: 2 });
});

test("a server that was promoted, or follows another history, or does not answer, is not read", async (t) => {
  const wrong: readonly (() => Promise<StandbyPlace>)[] = [
    async () => standbyAt(500, { isStandby: false }),
    async () => standbyAt(500, { timeline: "00000002" }),
    () => Promise.reject(new Error("ECONNREFUSED")),
  ];
  for (const standby of wrong) {
    const { world, following } = openWorld();
    world.standby = standby;
    t.is(await following.caughtUp(), null);
    t.true(following.isBehind);
  }
});

test("without the primary's word nothing is read from the standby, which is not blamed for it", async (t) => {
  const { world, asked, following } = openWorld();
  world.primary = () => Promise.reject(new Error("ECONNREFUSED"));
  t.is(await following.caughtUp(), null);
  t.deepEqual(asked, { primary: 1, standby: 0 });
  t.false(following.isBehind);
});

test("after a new connection the standby is asked anew, since it may be one that was restarted", async (t) => {
  const { asked, following } = openWorld();
  t.is(await following.caughtUp(), 0);
  following.renew();
  t.is(following.generation, 1);
  t.is(await following.caughtUp(), 1);
  t.is(asked.standby, 2);
});

test("an address that leads to a primary is told apart from a standby, and reads are answered all the same", async (t) => {
  const { database } = await createTestDatabase(t);
  const reads = readsWithReplica(database, database, 200);
  const { rows } = await reads.read((chosen) => chosen.query<{ one: number }>("select 1 as one"));
  t.deepEqual(rows, [{ one: 1 }]);
  t.deepEqual(reads.counts(), { replica: 0, primary: 1 });
  t.is(reads.describe(), "is behind or away; the primary answers reads");
});
