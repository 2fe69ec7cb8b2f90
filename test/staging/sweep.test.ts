import test from "ava";
import type { Database } from "../../src/database.ts";
import { createEvents } from "../../src/events.ts";
import { openQueue } from "../../src/staging/queue.ts";
import { sweep } from "../../src/staging/sweep.ts";
import { addDelivery, addPartner } from "../parties.ts";
import { createTestDatabase } from "../world.ts";

const events = createEvents({ level: "silent" });

test("what the queue lost is queued again, and nothing that is finished or queued", async (t) => {
  const { database, url } = await createTestDatabase(t);
  const queue = openQueue({ databaseUrl: url, redisUrl: undefined });
  t.teardown(() => queue.close());
  const partner = await addPartner(database);
  const waiting = await addDelivery(database, partner, "accepted");
  const loading = await addDelivery(database, partner, "loading");
  await addDelivery(database, partner, "loaded");
  await addDelivery(database, partner, "refused");
  const queued = await addDelivery(database, partner, "accepted");
  await queue.add([queued.id]);
  const added: string[] = [];
  const watched = { missing: queue.missing, add: (ids: readonly string[]) => (added.push(...ids), queue.add(ids)) };
  await sweep({ database, events, receipts: { write: () => Promise.resolve() }, queue: watched }, 0);
  t.deepEqual(added, [waiting.id, loading.id]);
  t.deepEqual(await queue.missing([waiting.id, loading.id, queued.id]), []);
});

test("a delivery on its normal way into the queue is left alone", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  await addDelivery(database, partner, "accepted");
  const queue = { missing: (ids: readonly string[]) => Promise.resolve([...ids]), add: () => Promise.reject(new Error("must not be called")) };
  await t.notThrowsAsync(sweep({ database, events, receipts: { write: () => Promise.resolve() }, queue }, 60_000));
});

test("receipts that were not written for the present state are written", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const missing = await addDelivery(database, partner, "loaded", { door: "sftp", name: "a.jsonl" });
  const written = await addDelivery(database, partner, "loaded", { door: "sftp", name: "b.jsonl" });
  await database.query("update deliveries set receipt_state = 'loaded' where id = $1", [written.id]);
  const asked = await receiptsAskedFor(database);
  t.deepEqual(asked, [missing.id]);
});

async function receiptsAskedFor(database: Database): Promise<string[]> {
  const asked: string[] = [];
  const receipts = { write: (id: string) => (asked.push(id), Promise.resolve()) };
  await sweep({ database, events, receipts, queue: { missing: () => Promise.resolve([]), add: () => Promise.resolve() } }, 60_000);
  return asked;
}
