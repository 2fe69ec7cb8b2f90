/** Receipts of many deliveries are written where a thread has time, and whatever that cannot write is written or told here. */
import { generateKeyPairSync } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { detachedJws } from "../../src/deliveries/receipt-files/signature.ts";
import { type ReceiptGroup, realDisk, writeGroupNow } from "../../src/deliveries/receipt-files/writing.ts";
import { createReceipts } from "../../src/landing/receipt.ts";
import { addDelivery, addPartner } from "../parties.ts";
import { createTestDatabase } from "../world.ts";

const key = { kid: "one", privateKey: generateKeyPairSync("ed25519").privateKey };

test("a group is signed and written elsewhere, whole and noted; a few are not worth the way", async (t) => {
  const { database, landing, ids } = await openWorld(t, 40);
  const groups: ReceiptGroup[] = [];
  const receipts = createReceipts(
    database,
    landing,
    realDisk,
    async () => key,
    async (group) => {
      groups.push(group);
      return writeGroupNow(group);
    },
  );
  await mkdir(path.join(landing, "bank/receipts"), { recursive: true });
  t.is((await receipts.writeFirst(ids.slice(0, 2))).size, 0);
  t.is(groups.length, 0);
  t.is((await receipts.writeAll(ids)).size, 0);
  t.deepEqual(
    groups.map((group) => group.receipts.length),
    [32, 8],
  );
  t.deepEqual(await undone(landing, ids, database), []);
  t.deepEqual(await readdir(path.join(landing, "bank")), ["receipts"]);
});

test("what a thread could not write, its folder missing or itself gone, is written here", async (t) => {
  for (const writeGroup of [
    async (group: ReceiptGroup) => writeGroupNow(group),
    () => Promise.reject(new Error("ended")),
  ]) {
    const { database, landing, ids } = await openWorld(t, 12);
    const receipts = createReceipts(database, landing, realDisk, async () => key, writeGroup);
    t.is((await receipts.writeAll(ids)).size, 0);
    t.deepEqual(await undone(landing, ids, database), []);
  }
});

test("a receipt that nobody can write is told by its delivery, holds up no other one, and leaves nothing behind", async (t) => {
  const { database, landing, ids } = await openWorld(t, 12);
  // A folder that is not empty has its name.
  await mkdir(path.join(landing, "bank/receipts/5.jsonl.receipt.json/full"), { recursive: true });
  const receipts = createReceipts(
    database,
    landing,
    realDisk,
    async () => key,
    async (group) => writeGroupNow(group),
  );
  const failures = await receipts.writeAll(ids);
  t.deepEqual([...failures.keys()], [ids[5]]);
  t.regex(String(failures.get(ids[5] ?? "")), /EISDIR|ENOTEMPTY|EEXIST/);
  t.deepEqual(await undone(landing, ids, database), [5]);
  t.deepEqual(await readdir(path.join(landing, "bank")), ["receipts"]);
});

test("a signature is written after what it signs, and neither over half of an older one", async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-receipts-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, "a.receipt.json");
  await writeFile(file, "older and longer");
  t.deepEqual(writeGroupNow({ receipts: [{ partnerFolder: folder, file, text: "{}\n" }], key: null }), []);
  t.deepEqual(await readdir(folder), ["a.receipt.json"]);
  t.deepEqual(writeGroupNow({ receipts: [{ partnerFolder: folder, file, text: "{}\n" }], key }), []);
  t.is(await readFile(file, "utf8"), "{}\n");
  t.is(await readFile(`${file}.jws`, "utf8"), `${detachedJws("{}\n", key)}\n`);
});

/** Which of them lack a receipt, its signature or the note. */
async function undone(
  landing: string,
  ids: readonly string[],
  database: Awaited<ReturnType<typeof openWorld>>["database"],
): Promise<number[]> {
  const { rows } = await database.query<{ id: string }>("select id from deliveries where receipt_state = state");
  const noted = new Set(rows.map(({ id }) => id));
  const lacking = await Promise.all(
    ids.map(async (id, index) => {
      const file = path.join(landing, `bank/receipts/${index}.jsonl.receipt.json`);
      const text = await readFile(file, "utf8").catch(() => null);
      const signature = await readFile(`${file}.jws`, "utf8").catch(() => null);
      const isWhole = text !== null && (JSON.parse(text) as { deliveryId: string }).deliveryId === id;
      return isWhole && signature === `${detachedJws(text, key)}\n` && noted.has(id) ? null : index;
    }),
  );
  return lacking.filter((index) => index !== null);
}

async function openWorld(t: ExecutionContext, count: number) {
  const { database } = await createTestDatabase(t);
  const landing = await mkdtemp(path.join(tmpdir(), "tideline-receipts-"));
  t.teardown(() => rm(landing, { recursive: true, force: true }));
  const partner = await addPartner(database);
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1)
    ids.push((await addDelivery(database, partner, "loaded", { door: "sftp", name: `${index}.jsonl` })).id);
  return { database, landing, ids };
}
