import test from "ava";
import type { Database } from "../../src/database.ts";
import { createEvents } from "../../src/events.ts";
import { sweepReceipts } from "../../src/staging/sweep.ts";
import { addDelivery, addPartner } from "../parties.ts";
import { createTestDatabase } from "../world.ts";

const events = createEvents({ level: "silent" });

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
  await sweepReceipts({ database, events: watched, receipts });
  t.deepEqual(asked, [last.id, unwritable.id, first.id]);
  t.like(failed, { length: 1, 0: { name: "receipt.failed", deliveryId: unwritable.id, partnerId: partner } });
});

async function receiptsAskedFor(database: Database): Promise<string[]> {
  const asked: string[] = [];
  const receipts = { write: (id: string) => (asked.push(id), Promise.resolve()) };
  await sweepReceipts({ database, events, receipts });
  return asked;
}
