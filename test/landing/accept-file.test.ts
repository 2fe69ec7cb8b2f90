/** A landed file goes into the vault once, is known again after a crash, and has its newest receipt at its path. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { watch } from "node:fs";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import test from "ava";
import { acceptFile, recordFile } from "../../src/landing/accept.ts";
import { isRecorded } from "../../src/landing/landed-file.ts";
import { findDelivery } from "../../src/deliveries/deliveries.ts";
import { createReceipts } from "../../src/landing/receipt.ts";
import { giveBatchKeys } from "../batch-keys.ts";
import { openLanding, landed, digest } from "./world.ts";

test("an accepted file lies in the vault with its bytes, and its receipt says accepted", async (t) => {
  const { landing, queued, folder, receipt } = await openLanding(t);
  const { deliveryId, accepted } = await acceptFile(landing, await landed(folder, "day.jsonl", "some lines"));
  t.true(accepted);
  t.deepEqual(queued, [deliveryId]);
  const delivery = await findDelivery(landing.database, deliveryId);
  t.is(await readFile(path.join(landing.vault.directory, delivery?.vaultReference ?? ""), "utf8"), "some lines");
  const found = await receipt("day.jsonl.receipt.json");
  t.like(found, {
    file: "day.jsonl",
    deliveryId,
    state: "accepted",
    sizeBytes: 10,
    sha256: digest("some lines").toString("hex"),
    problemsTotal: 0,
  });
});

test("a small encrypted file's bytes are committed with its row, and nothing else of it is synced before", async (t) => {
  const { landing, folder } = await openLanding(t);
  const bytesOf = async (id: string) =>
    (await landing.database.query<{ body: Buffer }>("select body from delivery_bodies where delivery_id = $1", [id]))
      .rows[0]?.body;
  const neverAsked = () => Promise.reject(new Error("is not asked to sync"));
  const small = await recordFile(landing, await landed(folder, "day.jsonl", "some lines"), neverAsked);
  t.is((await bytesOf(small.id))?.toString(), "some lines");
  t.like(await findDelivery(landing.database, small.id), { state: "accepted", sizeBytes: 10, namePlace: 1 });
  let synced = 0;
  const sync = async () => void (synced += 1);
  const large = await recordFile(landing, await landed(folder, "day.jsonl", Buffer.alloc(65_537, "a")), sync);
  t.is(synced, 1);
  t.is(await bytesOf(large.id), undefined);
  t.like(await findDelivery(landing.database, large.id), { state: "accepted", sizeBytes: 65_537, namePlace: 2 });
});

test("files that come at once are recorded together, and of equal ones the second is refused", async (t) => {
  const { landing, folder } = await openLanding(t);
  const files = await Promise.all(
    [
      ["a.jsonl", "one"],
      ["b.jsonl", "two"],
      ["c.jsonl", "one"],
      ["a.jsonl", "three"],
    ].map(([name = "", text = ""]) => landed(folder, name, text)),
  );
  const recorded = await Promise.all(files.map((file) => recordFile(landing, file, async () => undefined)));
  t.deepEqual(
    recorded.map(({ name, refusal }) => [name, refusal?.code ?? null, refusal?.reason ?? null]),
    [
      ["a.jsonl", null, null],
      ["b.jsonl", null, null],
      ["c.jsonl", "FILE_DUPLICATE", "The same bytes were delivered before as a.jsonl."],
      ["a.jsonl", null, null],
    ],
  );
  const kept = await Promise.all(recorded.map(({ id }) => findDelivery(landing.database, id)));
  t.deepEqual(
    kept.map((one) => [one?.state, one?.namePlace, one?.vaultReference !== null]),
    [
      ["accepted", 1, true],
      ["accepted", 1, true],
      ["refused", 1, false],
      ["accepted", 2, true],
    ],
  );
  t.is((await landing.database.query("select 1 from delivery_bodies")).rowCount, 3);
});

test("the same bytes again are refused, and the receipt names the first file", async (t) => {
  const { landing, queued, folder, receipt } = await openLanding(t);
  const first = await acceptFile(landing, await landed(folder, "monday.jsonl", "same"));
  const second = await acceptFile(landing, await landed(folder, "tuesday.jsonl", "same"));
  t.false(second.accepted);
  t.deepEqual(queued, [first.deliveryId]);
  const found = await receipt("tuesday.jsonl.receipt.json");
  t.like(found, {
    state: "refused",
    refusal: {
      code: "FILE_DUPLICATE",
      duplicateOf: { deliveryId: first.deliveryId, file: "monday.jsonl", receipt: "monday.jsonl.receipt.json" },
    },
  });
});

test("a file sent again under its name while the first one waits leads from its receipt to the first one's", async (t) => {
  const { landing, folder, receipt } = await openLanding(t);
  const first = await acceptFile(landing, await landed(folder, "day.jsonl", "same"));
  t.false((await acceptFile(landing, await landed(folder, "day.jsonl", "same"))).accepted);
  const { refusal } = await receipt("day.jsonl.receipt.json");
  t.deepEqual(refusal?.duplicateOf, {
    deliveryId: first.deliveryId,
    file: "day.jsonl",
    receipt: "day.jsonl.1.receipt.json",
  });
  t.like(await receipt(refusal?.duplicateOf?.receipt ?? ""), { deliveryId: first.deliveryId, state: "accepted" });
});

test("a file that was recorded is known by its name and bytes together", async (t) => {
  const { landing, folder } = await openLanding(t);
  const file = await landed(folder, "day.jsonl", "some lines");
  t.false(await isRecorded(landing, file));
  await acceptFile(landing, file);
  t.true(await isRecorded(landing, file));
  t.false(await isRecorded(landing, { ...file, name: "other.jsonl" }));
  t.false(await isRecorded(landing, { ...file, sha256: digest("other") }));
  t.is(await readFile(file.path, "utf8"), "some lines");
});

test("of a file that was recorded before a crash no text stays in the inbox", async (t) => {
  const { landing, folder } = await openLanding(t);
  await giveBatchKeys(landing.database, randomBytes(32), "bank");
  await landing.database.query('update partners set settings = \'{"csv": {"unencrypted": true}}\'');
  for (const [name, content] of Object.entries({
    "accounts_1.csv": "of a table",
    "notes.txt": "of no known format",
    "day.jwe": '[{"uid": "that its sender forgot to encrypt"}]',
  })) {
    const file = await landed(folder, name, content);
    await acceptFile(landing, file);
    // As if the service had died between its record and this.
    await rm(file.path);
    await writeFile(file.path, content);
    t.true(await isRecorded(landing, file), name);
    t.deepEqual(await readFile(file.path), Buffer.alloc(file.sizeBytes), name);
  }
});

test("the same bytes after a refusal count anew", async (t) => {
  const { landing, folder } = await openLanding(t);
  const first = await acceptFile(landing, await landed(folder, "a.jsonl", "same"));
  await landing.database.query(
    "update deliveries set state = 'refused', refusal_code = 'DECRYPTION_ERROR' where id = $1",
    [first.deliveryId],
  );
  t.true((await acceptFile(landing, await landed(folder, "b.jsonl", "same"))).accepted);
});

test("a folder that is called as a file's receipt takes nothing from that receipt", async (t) => {
  const { landing, folder, receipt } = await openLanding(t);
  await acceptFile(landing, await landed(folder, "a.jsonl", "first"));
  await acceptFile(landing, await landed(folder, "a.jsonl.receipt.json/b.jsonl", "second"));
  t.like(await receipt("a.jsonl.receipt.json"), { file: "a.jsonl" });
  t.like(await receipt("a.jsonl.receipt.json~/b.jsonl.receipt.json"), { file: "a.jsonl.receipt.json/b.jsonl" });
});

test("a file whose receipt cannot be written is accepted and queued all the same", async (t) => {
  const { landing, folder, queued } = await openLanding(t);
  const unwritable = { ...landing, receipts: createReceipts(landing.database, "/dev/null") };
  const { accepted, deliveryId } = await acceptFile(unwritable, await landed(folder, "a.jsonl", "content"));
  t.true(accepted);
  t.deepEqual(queued, [deliveryId]);
});

test("a name delivered again has the newest receipt at its path and keeps the earlier one beside it", async (t) => {
  const { landing, folder, receipt } = await openLanding(t);
  const first = await acceptFile(landing, await landed(folder, "sub/day.jsonl", "one"));
  const second = await acceptFile(landing, await landed(folder, "sub/day.jsonl", "two"));
  t.is((await receipt("sub/day.jsonl.receipt.json")).deliveryId, second.deliveryId);
  t.is((await receipt("sub/day.jsonl.1.receipt.json")).deliveryId, first.deliveryId);
  await createReceipts(landing.database, folder).writeAll([first.deliveryId]);
  t.is((await receipt("sub/day.jsonl.receipt.json")).deliveryId, second.deliveryId);
});

test("a receipt that cannot be written leaves nothing behind, and none is seen unfinished", async (t) => {
  const { landing, folder, partnerId } = await openLanding(t);
  const receipts = path.join(folder, partnerId, "receipts");
  await mkdir(path.join(receipts, "day.jsonl.receipt.json", "in the way"), { recursive: true });
  const seen = new Set<string | null>();
  const watcher = watch(receipts, (_, name) => void seen.add(name));
  t.teardown(() => watcher.close());
  await acceptFile(landing, await landed(folder, "day.jsonl", "one"));
  await acceptFile(landing, await landed(folder, "next.jsonl", "two"));
  while (!seen.has("next.jsonl.receipt.json")) await once(watcher, "change");
  t.deepEqual([...seen], ["next.jsonl.receipt.json"]);
  t.deepEqual(await readdir(path.join(folder, partnerId)), ["receipts"]);
});
