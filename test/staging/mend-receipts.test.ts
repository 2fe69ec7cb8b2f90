/** Receipts that a power cut left wrong are written again, and those that are right are left alone. */
import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { createEvents } from "../../src/events.ts";
import { createReceipts } from "../../src/landing/receipt.ts";
import { mendReceipts } from "../../src/staging/mend-receipts.ts";
import { sweepReceipts } from "../../src/staging/sweep.ts";
import { addDelivery, addPartner } from "../parties.ts";
import { createTestDatabase } from "../world.ts";

test("after an unclean stop receipts that are empty, NUL, older or gone are written anew, and no others", async (t) => {
  const { database, landing, receipts, emitted, events } = await openWorld(t);
  const partner = await addPartner(database);
  const names = ["empty", "nul", "older", "gone", "whole"];
  for (const name of names) await addDelivery(database, partner, "accepted", { door: "sftp", name: `${name}.jsonl` });
  await sweepReceipts({ database, events, receipts });
  const fileOf = (name: string) => path.join(landing, `bank/receipts/${name}.jsonl.receipt.json`);
  const older = await readFile(fileOf("older"));
  await database.query("update deliveries set state = 'loaded', started_at = now(), finished_at = now()");
  await sweepReceipts({ database, events, receipts });
  const whole = await readFile(fileOf("whole"), "utf8");
  await writeFile(fileOf("empty"), "");
  await truncate(fileOf("nul"), 0);
  await truncate(fileOf("nul"), 500);
  await writeFile(fileOf("older"), older);
  await rm(fileOf("gone"));
  // What is noted as written, no sweep looks after.
  await sweepReceipts({ database, events, receipts });
  t.is(await readFile(fileOf("empty"), "utf8"), "");

  t.true(await mendReceipts({ database, events, receipts, groupSize: 2 }, () => false));
  for (const name of names) {
    const receipt = JSON.parse(await readFile(fileOf(name), "utf8")) as object;
    t.like(receipt, { file: `${name}.jsonl`, state: "loaded" });
  }
  t.is(await readFile(fileOf("whole"), "utf8"), whole);
  t.deepEqual(emitted, [
    { name: "receipts.compared", compared: 2, mended: 1, total: 5 },
    { name: "receipts.compared", compared: 4, mended: 3, total: 5 },
    { name: "receipts.compared", compared: 5, mended: 4, total: 5 },
  ]);

  t.true(await mendReceipts({ database, events, receipts }, () => false));
  t.deepEqual(emitted.at(-1), { name: "receipts.compared", compared: 5, mended: 0, total: 5 });
});

test("the receipt of an earlier file of the same name is mended at its own path", async (t) => {
  const { database, landing, receipts, events } = await openWorld(t);
  const partner = await addPartner(database);
  for (let count = 0; count < 3; count += 1) {
    const { id } = await addDelivery(database, partner, "loaded", { door: "sftp", name: "a.jsonl" });
    await database.query("update deliveries set name_place = $2 where id = $1", [id, count + 1]);
    await sweepReceipts({ database, events, receipts });
  }
  const files = ["a.jsonl.1.receipt.json", "a.jsonl.2.receipt.json", "a.jsonl.receipt.json"].map((name) =>
    path.join(landing, "bank/receipts", name),
  );
  const before = await Promise.all(files.map((file) => readFile(file, "utf8")));
  t.is(new Set(before).size, 3);
  for (const file of files) await writeFile(file, "");
  await mendReceipts({ database, events, receipts }, () => false);
  t.deepEqual(await Promise.all(files.map((file) => readFile(file, "utf8"))), before);
});

test("what changed more than an hour before the last change is left alone, unless it was loaded since", async (t) => {
  const { database, landing, receipts, emitted, events } = await openWorld(t);
  const partner = await addPartner(database);
  for (const name of ["old", "slow", "new"])
    await addDelivery(database, partner, "loaded", { door: "sftp", name: `${name}.jsonl` });
  await database.query(
    `update deliveries
        set accepted_at = now() - interval '2 hours', started_at = now() - interval '2 hours',
            finished_at = now() - case when name = 'old.jsonl' then interval '2 hours' else interval '1 minute' end
      where name <> 'new.jsonl'`,
  );
  await sweepReceipts({ database, events, receipts });
  await rm(path.join(landing, "bank/receipts"), { recursive: true });
  await mendReceipts({ database, events, receipts }, () => false);
  t.deepEqual(emitted, [{ name: "receipts.compared", compared: 2, mended: 2, total: 2 }]);
});

test("a receipt that cannot be written is an event, and holds up no other one", async (t) => {
  const { database, landing, receipts, emitted, events } = await openWorld(t);
  const partner = await addPartner(database);
  await addDelivery(database, partner, "loaded", { door: "sftp", name: "a.jsonl" });
  const blocked = await addDelivery(database, partner, "loaded", { door: "sftp", name: "b.jsonl" });
  await sweepReceipts({ database, events, receipts });
  await rm(path.join(landing, "bank/receipts"), { recursive: true });
  await mkdir(path.join(landing, "bank/receipts/b.jsonl.receipt.json/in-the-way"), { recursive: true });
  t.true(await mendReceipts({ database, events, receipts }, () => false));
  t.like(emitted, {
    length: 2,
    0: { name: "receipt.failed", deliveryId: blocked.id, partnerId: partner },
    1: { name: "receipts.compared", compared: 2, mended: 1, total: 2 },
  });
});

test("a database that is away is no comparison, and one that is stopped says so", async (t) => {
  const { database, receipts, events } = await openWorld(t);
  await addDelivery(database, await addPartner(database), "loaded", { door: "sftp", name: "a.jsonl" });
  await sweepReceipts({ database, events, receipts });
  const away = {
    mendAll: async (ids: readonly string[]) => ({
      mended: [],
      failures: new Map(ids.map((id) => [id, new Error("the database is away")])),
    }),
  };
  await t.throwsAsync(
    mendReceipts({ database, events, receipts: away }, () => false),
    { message: "the database is away" },
  );
  t.false(await mendReceipts({ database, events, receipts }, () => true));
});

async function openWorld(t: ExecutionContext) {
  const { database } = await createTestDatabase(t);
  const landing = await mkdtemp(path.join(tmpdir(), "tideline-receipts-"));
  t.teardown(() => rm(landing, { recursive: true, force: true }));
  const emitted: object[] = [];
  const events = {
    ...createEvents({ level: "silent" }),
    emit: (name: string, fields: object) => void emitted.push({ name, ...fields }),
  } as ReturnType<typeof createEvents>;
  return { database, landing, receipts: createReceipts(database, landing), emitted, events };
}
