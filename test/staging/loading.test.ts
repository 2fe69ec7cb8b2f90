/**
 * Loading takes what is open without being called, partner by partner, and repeats nothing that others have in hand.
 */
import test from "ava";
import type { Database } from "../../src/database/database.ts";
import { createEvents } from "../../src/events.ts";
import { startLoading, type LoadingSettings } from "../../src/staging/loading.ts";
import type { Turn } from "../../src/deliveries/open-deliveries.ts";
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

test("requests that have queued up are taken together, files one by one, and nothing twice", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  const requests: string[] = [];
  for (let n = 0; n < 30; n++) requests.push(await addSized(database, partnerId, 100_000, "https"));
  const file = await addSized(database, partnerId, 100_000);
  const { loading, taken, finish } = openSlots(database, { slots: 2 });
  const turns = await taken(3);
  t.deepEqual(
    turns.map((turn) => turn.deliveryIds),
    [requests.slice(0, 26), requests.slice(26), [file]],
  );
  await database.query("update deliveries set state = 'loaded'");
  for (const n of [0, 1, 2]) finish(n);
  await loading.stop();
});

test("what failed waits for its time, and what another machine has in hand is left alone", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  const failed = await addSized(database, partnerId, 10);
  await database.query("update deliveries set retry_at = now() + interval '1 hour'");
  const elsewhere = await addSized(database, partnerId, 10);
  const last = await addSized(database, partnerId, 10);
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

/** Slots whose loads end when the test says so, by their number. */
function openSlots(database: Database, settings: Pick<LoadingSettings, "slots" | "lookEveryMs">) {
  const turns: { partnerId: string; deliveryIds: string[] }[] = [];
  const ends: PromiseWithResolvers<readonly string[]>[] = [];
  let tell = Promise.withResolvers<void>();
  const serve = async ({ partner, deliveryIds }: Turn) => {
    const end = Promise.withResolvers<readonly string[]>();
    turns.push({ partnerId: partner.partnerId, deliveryIds });
    ends.push(end);
    tell.resolve();
    tell = Promise.withResolvers<void>();
    return { records: 0, elsewhere: await end.promise };
  };
  const loading = startLoading({ database, events: createEvents({ level: "silent" }), serve, ...settings });
  return {
    loading,
    finish: (turn: number, elsewhere: readonly string[] = []) => ends[turn]?.resolve(elsewhere),
    /** All turns so far, once there are so many. */
    async taken(count: number) {
      while (turns.length < count) await tell.promise;
      return turns;
    },
  };
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
