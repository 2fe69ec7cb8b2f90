/** Receipts reach the disk before the database notes them, and are found again when they did not. */
import { mkdtemp, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import type { Database } from "../../src/database/database.ts";
import { createReceipts } from "../../src/landing/receipt.ts";
import type { ReceiptDisk } from "../../src/deliveries/receipt-files/writing.ts";
import { syncFolder } from "../../src/machine/sync-folder.ts";
import { addDelivery, addPartner } from "../parties.ts";
import { createTestDatabase } from "../world.ts";

test("the database notes receipts of what just came or ended once they have their names: a power cut's are compared", async (t) => {
  const { database, landing } = await openWorld(t);
  const partner = await addPartner(database);
  const ids = [];
  for (const name of ["a.jsonl", "b.jsonl"])
    ids.push((await addDelivery(database, partner, "loaded", { door: "sftp", name })).id);
  // So that each is written at the first try.
  await createReceipts(database, landing).writeAll(ids);
  const steps: string[] = [];
  await createReceipts(watched(database, steps), landing, recording(steps)).writeAll(ids);
  t.is(steps.at(-1), "note");
  t.deepEqual(steps.slice(0, -1).toSorted(), ["rename to a.jsonl.receipt.json", "rename to b.jsonl.receipt.json"]);
});

test("a receipt that no time leads to is noted only after it is synced and renamed, and its folder synced", async (t) => {
  const { database, landing } = await openWorld(t);
  const { id } = await addDelivery(database, await addPartner(database), "loaded", { door: "sftp", name: "a.jsonl" });
  // So that it is written at the first try.
  await createReceipts(database, landing).write(id);
  const steps: string[] = [];
  await createReceipts(watched(database, steps), landing, recording(steps)).write(id);
  t.deepEqual(steps, ["sync file", "rename to a.jsonl.receipt.json", "sync folder receipts", "note"]);
});

test("receipts that are written together are read and noted together, and each tells what is wrong with it", async (t) => {
  const { database, landing } = await openWorld(t);
  const partner = await addPartner(database);
  const ids: string[] = [];
  for (let index = 0; index < 20; index += 1)
    ids.push((await addDelivery(database, partner, "loaded", { door: "sftp", name: `${index}.jsonl` })).id);
  await database.query("update deliveries set started_at = now() where id = any($1::uuid[])", [ids]);
  await database.query(
    "insert into delivery_problems (delivery_id, line, index, field, reason) values ($1, 3, 1, 'amount', 'is not a number')",
    [ids[7]],
  );
  let statements = 0;
  const counting = {
    async query(...query: Parameters<Database["query"]>) {
      statements += 1;
      return await database.query(...query);
    },
  } as unknown as Database;
  t.is((await createReceipts(counting, landing).writeAll(ids)).size, 0);
  t.is(statements, 3, "of all, of the one with a problem, and the note");
  for (let index = 0; index < 20; index += 1) {
    const { problems } = JSON.parse(
      await readFile(path.join(landing, `bank/receipts/${index}.jsonl.receipt.json`), "utf8"),
    ) as { problems: unknown[] };
    t.deepEqual(problems, index === 7 ? [{ line: 3, index: 1, field: "amount", reason: "is not a number" }] : []);
  }
});

test("a folder that cannot be synced leaves its receipts due", async (t) => {
  const { database, landing } = await openWorld(t);
  const { id } = await addDelivery(database, await addPartner(database), "loaded", { door: "sftp", name: "a.jsonl" });
  const broken: ReceiptDisk = { open, rename, syncFolder: () => Promise.reject(new Error("the disk is gone")) };
  const receipts = createReceipts(database, landing, broken);
  t.deepEqual([...(await receipts.mendAll([id])).failures], [[id, new Error("the disk is gone")]]);
  await t.throwsAsync(receipts.write(id), { message: "the disk is gone" });
  t.is(await noted(database, id), null);
  await createReceipts(database, landing).write(id);
  t.is(await noted(database, id), "loaded");
});

test("a crash between write and rename leaves the earlier receipt, and the new one due", async (t) => {
  const { database, landing } = await openWorld(t);
  const { id } = await addDelivery(database, await addPartner(database), "accepted", { door: "sftp", name: "a.jsonl" });
  await createReceipts(database, landing).write(id);
  await database.query("update deliveries set state = 'loaded', finished_at = now() where id = $1", [id]);
  const crashing: ReceiptDisk = { open, rename: () => Promise.reject(new Error("the power is gone")), syncFolder };
  await t.throwsAsync(createReceipts(database, landing, crashing).write(id), { message: "the power is gone" });
  const receipt = path.join(landing, "bank/receipts/a.jsonl.receipt.json");
  t.like(JSON.parse(await readFile(receipt, "utf8")) as object, { state: "accepted" });
  t.is(await noted(database, id), "accepted");
  t.deepEqual(await readdir(path.join(landing, "bank")), ["receipts"]);
});

test("a first receipt is written for what has none yet, and two that are written at once tell what came last", async (t) => {
  const { database, landing } = await openWorld(t);
  const { id } = await addDelivery(database, await addPartner(database), "accepted", { door: "sftp", name: "a.jsonl" });
  const receipts = createReceipts(database, landing);
  await receipts.writeFirst([id]);
  t.is(await noted(database, id), "accepted");
  await database.query("update deliveries set state = 'loaded', finished_at = now() where id = $1", [id]);
  await Promise.all([receipts.writeAll([id]), receipts.writeFirst([id])]);
  const receipt = path.join(landing, "bank/receipts/a.jsonl.receipt.json");
  t.like(JSON.parse(await readFile(receipt, "utf8")) as object, { state: "loaded" });
  await rm(receipt);
  await receipts.writeFirst([id]);
  await t.throwsAsync(readFile(receipt), { code: "ENOENT" });
});

test("a receipt of another process that writes late leaves what it wrote over due", async (t) => {
  const { database, landing } = await openWorld(t);
  const { id } = await addDelivery(database, await addPartner(database), "accepted", { door: "sftp", name: "a.jsonl" });
  const slow = slowDisk();
  const first = createReceipts(database, landing, slow.disk).writeFirst([id]);
  await slow.reached;
  await finish(database, id);
  await createReceipts(database, landing).writeAll([id]);
  slow.goOn();
  await first;
  t.is(await noted(database, id), null);
  await createReceipts(database, landing).writeAll([id]);
  t.deepEqual(await stateIn(landing, "a.jsonl"), [id, "loaded"]);
});

test("a file of the same name that comes while a receipt is written leaves both due, and each has its own in the end", async (t) => {
  const { database, landing } = await openWorld(t);
  const partner = await addPartner(database);
  const one = await addNamed(database, partner, 1);
  await finish(database, one);
  const slow = slowDisk();
  const last = createReceipts(database, landing, slow.disk).writeAll([one]);
  await slow.reached;
  const other = await addNamed(database, partner, 2);
  await createReceipts(database, landing).writeFirst([other]);
  t.deepEqual(await stateIn(landing, "a.jsonl"), [other, "accepted"]);
  slow.goOn();
  await last;
  // Now the first one's stands where the newest's belongs.
  t.deepEqual(await stateIn(landing, "a.jsonl"), [one, "loaded"]);
  t.is(await noted(database, one), null);
  await finish(database, other);
  await createReceipts(database, landing).writeAll([one, other]);
  t.deepEqual(await stateIn(landing, "a.jsonl"), [other, "loaded"]);
  t.deepEqual(await stateIn(landing, "a.jsonl.1"), [one, "loaded"]);
  t.deepEqual([await noted(database, one), await noted(database, other)], ["loaded", "loaded"]);
});

test("the newest of a name that comes to its end before an earlier one's late receipt is due again", async (t) => {
  const { database, landing } = await openWorld(t);
  const partner = await addPartner(database);
  const one = await addNamed(database, partner, 1);
  await finish(database, one);
  const slow = slowDisk();
  const late = createReceipts(database, landing, slow.disk).writeAll([one]);
  await slow.reached;
  const other = await addNamed(database, partner, 2);
  await finish(database, other);
  await createReceipts(database, landing).writeAll([other]);
  slow.goOn();
  await late;
  t.deepEqual([await noted(database, one), await noted(database, other)], [null, null]);
});

test("an older receipt of the one before, which the newest's writer writes late, is due again", async (t) => {
  const { database, landing } = await openWorld(t);
  const partner = await addPartner(database);
  const one = await addNamed(database, partner, 1);
  const other = await addNamed(database, partner, 2);
  const slow = slowDisk();
  const moving = createReceipts(database, landing, slow.disk).writeFirst([other]);
  await slow.reached;
  await finish(database, one);
  await createReceipts(database, landing).writeAll([one]);
  t.is(await noted(database, one), "loaded");
  slow.goOn();
  await moving;
  t.deepEqual(await stateIn(landing, "a.jsonl.1"), [one, "accepted"]);
  t.is(await noted(database, one), null);
});

async function addNamed(database: Database, partnerId: string, place: number): Promise<string> {
  const { id } = await addDelivery(database, partnerId, "accepted", { door: "sftp", name: "a.jsonl" });
  await database.query("update deliveries set name_place = $2 where id = $1", [id, place]);
  return id;
}

async function finish(database: Database, id: string): Promise<void> {
  await database.query("update deliveries set state = 'loaded', finished_at = now() where id = $1", [id]);
}

async function stateIn(landing: string, name: string): Promise<unknown[]> {
  const text = await readFile(path.join(landing, `bank/receipts/${name}.receipt.json`), "utf8");
  const { deliveryId, state } = JSON.parse(text) as { deliveryId: string; state: string };
  return [deliveryId, state];
}

/** Another process, whose first receipt has no name until it may go on. */
function slowDisk() {
  const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const disk: ReceiptDisk = {
    open,
    rename: async (from, to) => {
      reached.resolve();
      await goOn.promise;
      await rename(from, to);
    },
    syncFolder,
  };
  return { disk, reached: reached.promise, goOn: goOn.resolve };
}

async function noted(database: Database, id: string): Promise<string | null | undefined> {
  const { rows } = await database.query<{ receipt_state: string | null }>(
    "select receipt_state from deliveries where id = $1",
    [id],
  );
  return rows[0]?.receipt_state;
}

/** Does what it is asked to, and says so when it is done. */
function recording(steps: string[]): ReceiptDisk {
  return {
    open: async (...parameters) => {
      const handle = await open(...parameters);
      const datasync = handle.datasync.bind(handle);
      handle.datasync = async () => {
        await datasync();
        steps.push("sync file");
      };
      return handle;
    },
    rename: async (from, to) => {
      await rename(from, to);
      steps.push(`rename to ${path.basename(String(to))}`);
    },
    syncFolder: async (folder) => {
      await syncFolder(folder);
      steps.push(`sync folder ${path.basename(folder)}`);
    },
  };
}

function watched(database: Database, steps: string[]): Database {
  return {
    async query(...query: Parameters<Database["query"]>) {
      if (/update deliveries\s+set receipt_state/.test(String(query[0]))) steps.push("note");
      return await database.query(...query);
    },
  } as unknown as Database;
}

async function openWorld(t: ExecutionContext) {
  const { database } = await createTestDatabase(t);
  const landing = await mkdtemp(path.join(tmpdir(), "tideline-receipts-"));
  t.teardown(() => rm(landing, { recursive: true, force: true }));
  return { database, landing };
}
