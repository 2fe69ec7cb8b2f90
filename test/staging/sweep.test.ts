/** Receipts that are missing or were overtaken are written again, and unwritable ones hold up no other. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "ava";
import type { Database } from "../../src/database/database.ts";
import { createEvents } from "../../src/events.ts";
import { createReceipts } from "../../src/landing/receipt.ts";
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

test("what came or ended just now is left to whoever writes receipts in groups", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const [older, ended, young] = [
    await addDelivery(database, partner, "loaded", { door: "sftp", name: "a.jsonl" }),
    await addDelivery(database, partner, "loaded", { door: "sftp", name: "b.jsonl" }),
    await addDelivery(database, partner, "accepted", { door: "sftp", name: "c.jsonl" }),
  ];
  await database.query(
    "update deliveries set accepted_at = now() - interval '1 minute', finished_at = null where id = any($1::uuid[])",
    [[older.id, ended.id]],
  );
  await database.query("update deliveries set finished_at = now() where id = $1", [ended.id]);
  t.deepEqual(await receiptsAskedFor(database, 8000), [older.id]);
  t.deepEqual(await receiptsAskedFor(database), [young.id, ended.id, older.id]);
});

test("a receipt that was overtaken by the next one is written again", async (t) => {
  const { database } = await createTestDatabase(t);
  const landing = await mkdtemp(path.join(tmpdir(), "tideline-receipts-"));
  t.teardown(() => rm(landing, { recursive: true, force: true }));
  const { id } = await addDelivery(database, await addPartner(database), "accepted", { door: "sftp", name: "a.jsonl" });
  const receipts = createReceipts(database, landing);
  let reads = 0;
  // Read as accepted; before it is written, somebody loads the file and writes its last receipt.
  const overtaken = createReceipts(
    {
      async query(...query: Parameters<Database["query"]>) {
        const result = await database.query(...query);
        reads += 1;
        if (reads > 1) return result;
        await database.query(
          "update deliveries set state = 'loaded', started_at = now(), finished_at = now() where id = $1",
          [id],
        );
        await receipts.write(id);
        return result;
      },
    } as unknown as Database,
    landing,
  );
  await overtaken.writeAll([id]);
  await sweepReceipts({ database, events, receipts });
  const receipt = JSON.parse(await readFile(path.join(landing, "bank/receipts/a.jsonl.receipt.json"), "utf8")) as {
    state: string;
  };
  t.is(receipt.state, "loaded");
  t.deepEqual(await receiptsAskedFor(database), []);
});

test("a receipt that cannot be written holds up no other one", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const first = await addDelivery(database, partner, "loaded", { door: "sftp", name: "a.jsonl" });
  const unwritable = await addDelivery(database, partner, "loaded", { door: "sftp", name: "b.jsonl" });
  const last = await addDelivery(database, partner, "loaded", { door: "sftp", name: "c.jsonl" });
  const asked: string[] = [];
  const failed: unknown[] = [];
  const receipts = {
    write: (id: string) => (
      asked.push(id),
      id === unwritable.id ? Promise.reject(new Error("a folder has its name")) : Promise.resolve()
    ),
  };
  const watched = {
    ...events,
    emit: (name: string, fields: object) => void failed.push({ name, ...fields }),
  } as typeof events;
  await sweepReceipts({ database, events: watched, receipts });
  t.deepEqual(asked, [last.id, unwritable.id, first.id]);
  t.like(failed, { length: 1, 0: { name: "receipt.failed", deliveryId: unwritable.id, partnerId: partner } });
});

test("one partner's unwritable receipts, however many, keep no other partner's waiting", async (t) => {
  const { database } = await createTestDatabase(t);
  const waiting = await addDelivery(database, await addPartner(database), "loaded", { door: "sftp", name: "a.jsonl" });
  const unwritable = await addPartner(database, "other");
  await database.query(
    `insert into deliveries (id, partner_id, door, format, name, correlation_id, size_bytes, sha256, state)
     select gen_random_uuid(), $1, 'sftp', 'jsonl', n || '.jsonl', 'c', 1, '\\x00', 'loaded' from generate_series(1, 250) as n`,
    [unwritable],
  );
  const asked = await receiptsAskedFor(database);
  t.is(asked.length, 201);
  t.is(asked.at(-1), waiting.id);
});

async function receiptsAskedFor(database: Database, settledMs?: number): Promise<string[]> {
  const asked: string[] = [];
  const receipts = { write: (id: string) => (asked.push(id), Promise.resolve()) };
  await sweepReceipts({ database, events, receipts, ...(settledMs === undefined ? {} : { settledMs }) });
  return asked;
}
