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

test("a receipt that cannot be written holds up no other one", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const first = await addDelivery(database, partner, "loaded", { door: "sftp", name: "a.jsonl" });
  const unwritable = await addDelivery(database, partner, "loaded", { door: "sftp", name: "b.jsonl" });
  const last = await addDelivery(database, partner, "loaded", { door: "sftp", name: "c.jsonl" });
  const asked: string[] = [];
  const failed: unknown[] = [];
  const receipts = { write: (id: string) => (asked.push(id), id === unwritable.id ? Promise.reject(new Error("a folder has its name")) : Promise.resolve()) };
  const watched = { ...events, emit: (name: string, fields: object) => void failed.push({ name, ...fields }) } as typeof events;
  await sweep({ database, events: watched, receipts, queue: { missing: () => Promise.resolve([]), add: () => Promise.resolve() } }, 60_000);
  t.deepEqual(asked, [last.id, unwritable.id, first.id]);
  t.like(failed, { length: 1, 0: { name: "receipt.failed", deliveryId: unwritable.id, partnerId: partner } });
});

test("a lost queue is refilled in one round, however long it was", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  await database.query(
    `insert into deliveries (id, partner_id, door, format, correlation_id, size_bytes, sha256)
     select gen_random_uuid(), $1, 'https', 'request', 'c', 1, sha256(n::text::bytea)
       from generate_series(1, 2500) as n`,
    [partner],
  );
  const added = new Set<string>();
  const queue = { missing: (ids: readonly string[]) => Promise.resolve([...ids]), add: (ids: readonly string[]) => Promise.resolve(void ids.forEach((id) => added.add(id))) };
  await sweep({ database, events, receipts: { write: () => Promise.resolve() }, queue }, -60_000);
  t.is(added.size, 2500);
});

async function receiptsAskedFor(database: Database): Promise<string[]> {
  const asked: string[] = [];
  const receipts = { write: (id: string) => (asked.push(id), Promise.resolve()) };
  await sweep({ database, events, receipts, queue: { missing: () => Promise.resolve([]), add: () => Promise.resolve() } }, 60_000);
  return asked;
}
