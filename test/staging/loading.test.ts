/**
 * Loading takes what is open without being called, partner by partner, and repeats nothing that others have in hand.
 */
import test from "ava";
import type { Database } from "../../src/database/database.ts";
import { createEvents } from "../../src/events.ts";
import { type ControlledTurn, startLoading, type LoadingSettings, type Served } from "../../src/staging/loading.ts";
import { answered, asked } from "../../workers/turn.ts";
import { addDelivery, addPartner } from "../parties.ts";
import { createTestDatabase } from "../world.ts";

const gibibyte = 1024 ** 3;

test("a partner with fifty large files delays another partner's small one not at all, and its large one by one slot", async (t) => {
  const { database } = await createTestDatabase(t);
  await addPartner(database, "large");
  await addPartner(database, "other");
  for (let n = 0; n < 50; n++) await addSized(database, "large", gibibyte);
  const { loading, taken, finish } = openSlots(database, { slots: 2 });
  await taken(2);
  const small = await addSized(database, "other", 1000);
  const large = await addSized(database, "other", gibibyte);
  loading.wake();
  // Both slots are at it, and nobody has finished.
  t.deepEqual((await taken(3)).at(-1), { partnerId: "other", deliveryIds: [small] });
  await database.query("update deliveries set state = 'loaded' where id = any($1::uuid[])", [
    (await taken(3))[0]?.deliveryIds,
  ]);
  finish(0);
  t.deepEqual((await taken(4)).at(-1), { partnerId: "other", deliveryIds: [large] });
  await database.query("update deliveries set state = 'loaded'");
  for (const n of [1, 2, 3]) finish(n);
  await loading.stop();
});

test("what is open is found without a call, after a failure of the database too", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  let broken = 2;
  const failing = {
    query: async (...query: Parameters<Database["query"]>) =>
      (broken -= 1) >= 0 ? Promise.reject(new Error("away")) : await database.query(...query),
  } as unknown as Database;
  const id = await addSized(database, partnerId, 10);
  const { loading, taken, finish } = openSlots(failing, { slots: 1, lookEveryMs: 5 });
  t.deepEqual(await taken(1), [{ partnerId, deliveryIds: [id] }]);
  await database.query("update deliveries set state = 'loaded'");
  finish(0);
  await loading.stop();
});

test("requests that have queued up are taken together by bytes, larger files one by one, and nothing twice", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  const requests: string[] = [];
  for (let n = 0; n < 30; n++) requests.push(await addSized(database, partnerId, 300_000, "https"));
  const file = await addSized(database, partnerId, 100_000);
  const { loading, taken, finish } = openSlots(database, { slots: 2 });
  const turns = await taken(3);
  t.deepEqual(
    turns.map((turn) => turn.deliveryIds),
    [requests.slice(0, 27), requests.slice(27), [file]],
  );
  await database.query("update deliveries set state = 'loaded'");
  for (const n of [0, 1, 2]) finish(n);
  await loading.stop();
});

test("small files go with the requests beside them", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  const together = [
    await addSized(database, partnerId, 64 * 1024),
    await addSized(database, partnerId, 10, "https"),
    await addSized(database, partnerId, 10),
  ];
  const { loading, taken, finish } = openSlots(database, { slots: 1 });
  t.deepEqual(await taken(1), [{ partnerId, deliveryIds: together }]);
  await database.query("update deliveries set state = 'loaded'");
  finish(0);
  await loading.stop();
});

test("what failed waits for its time, and what another machine has in hand is left alone", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  const failed = await addSized(database, partnerId, 100_000);
  await database.query("update deliveries set retry_at = now() + interval '1 hour'");
  const elsewhere = await addSized(database, partnerId, 100_000);
  const last = await addSized(database, partnerId, 100_000);
  const { loading, taken, finish } = openSlots(database, { slots: 0 });
  t.deepEqual(await taken(1), [{ partnerId, deliveryIds: [elsewhere] }]);
  finish(0, [elsewhere]);
  t.deepEqual((await taken(2)).at(-1), { partnerId, deliveryIds: [last] });
  await database.query("update deliveries set state = 'loaded' where id = $1", [last]);
  await database.query("update deliveries set retry_at = null where id = $1", [failed]);
  finish(1);
  t.deepEqual((await taken(3)).at(-1), { partnerId, deliveryIds: [failed] });
  await database.query("update deliveries set state = 'loaded'");
  finish(2);
  await loading.stop();
});

test("a partner whose loads hold every slot parks one for another partner, and goes on with it afterwards", async (t) => {
  const { database } = await createTestDatabase(t);
  await addPartner(database, "large");
  await addPartner(database, "other");
  const both = [await addSized(database, "large", gibibyte), await addSized(database, "large", gibibyte)];
  const { loading, taken, finish, states } = openSlots(database, { slots: 2, turnMs: 5 });
  await taken(2);
  t.deepEqual(states(), ["runs", "runs"]);
  const large = await addSized(database, "other", gibibyte);
  loading.wake();
  t.deepEqual((await taken(3)).at(-1), { partnerId: "other", deliveryIds: [large] });
  t.deepEqual(states().toSorted(), ["parked", "runs", "runs"]);
  await database.query("update deliveries set state = 'loaded' where id = $1", [large]);
  finish(2);
  while (states().includes("parked")) await new Promise((resolve) => setImmediate(resolve));
  await database.query("update deliveries set state = 'loaded' where id = any($1::uuid[])", [both]);
  finish(0);
  finish(1);
  await loading.stop();
});

test("a load that rests because of its rate leaves its slot to whoever waits, and goes on when it has rested", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  await database.query(`update partners set settings = '{"load": {"fileRecordsPerSecond": 10}}'`);
  const slow = await addSized(database, partnerId, gibibyte);
  const { loading, taken, finish, rest, states } = openSlots(database, { slots: 1, turnMs: 5 });
  t.deepEqual(await taken(1), [{ partnerId, deliveryIds: [slow] }]);
  const other = await addSized(database, partnerId, gibibyte);
  rest(0, 50);
  t.deepEqual((await taken(2)).at(-1), { partnerId, deliveryIds: [other] });
  t.deepEqual(states(), ["parked", "runs"]);
  await database.query("update deliveries set state = 'loaded' where id = $1", [other]);
  finish(1);
  while (states()[0] === "parked") await new Promise((resolve) => setImmediate(resolve));
  t.is((await taken(2)).length, 2);
  await database.query("update deliveries set state = 'loaded'");
  finish(0);
  await loading.stop();
});

test("while a load of a partner with a rate of its own rests, none of its other deliveries is loaded", async (t) => {
  const { database } = await createTestDatabase(t);
  await addPartner(database, "slow");
  await database.query(`update partners set settings = '{"load": {"recordsPerSecond": 10}}'`);
  await addPartner(database, "other");
  const slow = await addSized(database, "slow", gibibyte);
  const { loading, taken, finish, rest } = openSlots(database, { slots: 1, turnMs: 5 });
  await taken(1);
  const [next, last] = [await addSized(database, "slow", gibibyte), await addSized(database, "other", gibibyte)];
  rest(0, 3_600_000);
  t.deepEqual((await taken(2)).at(-1), { partnerId: "other", deliveryIds: [last] });
  await database.query("update deliveries set state = 'loaded' where id = $1", [last]);
  finish(1);
  const soon = await addSized(database, "other", gibibyte);
  loading.wake();
  t.deepEqual((await taken(3)).at(-1), { partnerId: "other", deliveryIds: [soon] });
  await database.query("update deliveries set state = 'loaded' where id = any($1::uuid[])", [[slow, next, soon]]);
  finish(2);
  finish(0);
  await loading.stop();
});

test("what lies in the vault waits while the vault is away, what lies in the database does not", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  const file = await addSized(database, partnerId, 10);
  await database.query("update deliveries set vault_reference = 'somewhere'");
  const request = await addSized(database, partnerId, 10, "https");
  let vaultIsThere = false;
  const { loading, taken, finish } = openSlots(database, { slots: 1, vaultIsThere: () => vaultIsThere });
  t.deepEqual(await taken(1), [{ partnerId, deliveryIds: [request] }]);
  vaultIsThere = true;
  loading.wake();
  t.deepEqual((await taken(2)).at(-1), { partnerId, deliveryIds: [file] });
  await database.query("update deliveries set state = 'loaded'");
  finish(0);
  finish(1);
  await loading.stop();
});

test("a small file that comes while others are loaded waits for its call", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  const first = [await addSized(database, partnerId, 10), await addSized(database, partnerId, 10)];
  const { looking, looked } = countLooks(database);
  const hour = 3_600_000;
  const { loading, taken, finish } = openSlots(looking, { slots: 0, lookEveryMs: 1, callGatherMs: hour });
  t.deepEqual(await taken(1), [{ partnerId, deliveryIds: first }]);
  const request = await addSized(database, partnerId, 10, "https");
  const large = await addSized(database, partnerId, 100_000);
  const later = [await addSized(database, partnerId, 10), await addSized(database, partnerId, 10)];
  await database.query("update deliveries set state = 'loaded' where id = any($1::uuid[])", [first]);
  finish(0);
  t.deepEqual((await taken(2)).at(-1), { partnerId, deliveryIds: [request] });
  await database.query("update deliveries set state = 'loaded' where id = $1", [request]);
  finish(1);
  t.deepEqual((await taken(3)).at(-1), { partnerId, deliveryIds: [large] });
  await database.query("update deliveries set state = 'loaded' where id = $1", [large]);
  finish(2);
  await looked(5);
  t.is((await taken(3)).length, 3);
  loading.wake();
  t.deepEqual((await taken(4)).at(-1), { partnerId, deliveryIds: later });
  await database.query("update deliveries set state = 'loaded'");
  finish(3);
  await loading.stop();
});

test("a small file whose call is lost is found once it has waited as long as calls gather", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  const { looking, looked } = countLooks(database);
  const { loading, taken, finish } = openSlots(looking, { slots: 0, lookEveryMs: 1, callGatherMs: 20 });
  await looked(1);
  const file = await addSized(database, partnerId, 10);
  t.deepEqual(await taken(1), [{ partnerId, deliveryIds: [file] }]);
  await database.query("update deliveries set state = 'loaded'");
  finish(0);
  await loading.stop();
});

test("what a turn took and did not come to is gone on with at once", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  const [done, left] = [await addSized(database, partnerId, 10), await addSized(database, partnerId, 10)];
  const { loading, taken, finish } = openSlots(database, { slots: 0, lookEveryMs: 3_600_000 });
  t.deepEqual(await taken(1), [{ partnerId, deliveryIds: [done, left] }]);
  await database.query("update deliveries set state = 'loaded' where id = $1", [done]);
  finish(0, [], true);
  t.deepEqual((await taken(2)).at(-1), { partnerId, deliveryIds: [left] });
  await database.query("update deliveries set state = 'loaded'");
  finish(1);
  await loading.stop();
});

/** A database that tells when it was asked. */
function countLooks(database: Database) {
  let tell = Promise.withResolvers<void>();
  const looking = {
    query: async (...query: Parameters<Database["query"]>) => {
      const answer = await database.query(...query);
      tell.resolve();
      tell = Promise.withResolvers<void>();
      return answer;
    },
  } as unknown as Database;
  return {
    looking,
    /** Resolves once it was so many times more. */
    async looked(more: number) {
      for (let left = more; left > 0; left -= 1) await tell.promise;
    },
  };
}

/** Slots whose loads end when the test says so, by their number. */
function openSlots(
  database: Database,
  settings: Pick<LoadingSettings, "slots" | "lookEveryMs" | "turnMs" | "callGatherMs" | "vaultIsThere">,
) {
  const turns: { partnerId: string; deliveryIds: string[] }[] = [];
  const ends: PromiseWithResolvers<Omit<Served, "records">>[] = [];
  let tell = Promise.withResolvers<void>();
  const words: Int32Array[] = [];
  const serve = async ({ partner, deliveryIds, control }: ControlledTurn) => {
    const loadWords = new Int32Array(control ?? new SharedArrayBuffer(8));
    words.push(loadWords);
    void obey(loadWords);
    const end = Promise.withResolvers<Omit<Served, "records">>();
    turns.push({ partnerId: partner.partnerId, deliveryIds });
    ends.push(end);
    tell.resolve();
    tell = Promise.withResolvers<void>();
    return { records: 0, ...(await end.promise) };
  };
  const loading = startLoading({ database, events: createEvents({ level: "silent" }), serve, ...settings });
  return {
    loading,
    finish: (turn: number, elsewhere: readonly string[] = [], wasCut = false) =>
      ends[turn]?.resolve({ elsewhere, wasCut }),
    /** The load says that it rests for so long. */
    rest(turn: number, ms: number) {
      const loadWords = words[turn] as Int32Array;
      Atomics.store(loadWords, 2, ms);
      Atomics.store(loadWords, 1, answered.rests);
      Atomics.notify(loadWords, 1);
    },
    states: () => words.map((loadWords) => (Atomics.load(loadWords, 1) === answered.parked ? "parked" : "runs")),
    /** All turns so far, once there are so many. */
    async taken(count: number) {
      while (turns.length < count) await tell.promise;
      return turns;
    },
  };
}

/** Parks and goes on as a loading thread does. */
async function obey(words: Int32Array): Promise<void> {
  while (Atomics.load(words, 0) !== asked.end) {
    Atomics.store(words, 1, Atomics.load(words, 0) === asked.park ? answered.parked : answered.runs);
    Atomics.notify(words, 1);
    await Atomics.waitAsync(words, 0, Atomics.load(words, 0)).value;
  }
}

async function addSized(
  database: Database,
  partnerId: string,
  sizeBytes: number,
  door: "https" | "sftp" = "sftp",
): Promise<string> {
  const { id } = await addDelivery(database, partnerId, "accepted", { door });
  await database.query("update deliveries set size_bytes = $2 where id = $1", [id, sizeBytes]);
  return id;
}
