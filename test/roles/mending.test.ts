/** After an unclean stop receipts are compared in the background, and the note of it goes when all were. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { createEvents } from "../../src/events.ts";
import { createReceipts } from "../../src/landing/receipt.ts";
import { claimDataFolder, dataFolderAt, wasStoppedUncleanly } from "../../src/machine/data-folder.ts";
import { unwatchedVault } from "../../src/landing/vault-watch.ts";
import type { Closer, Ground } from "../../src/roles/ground.ts";
import { startMending } from "../../src/roles/mending.ts";
import type { Stages } from "../../src/roles/stages.ts";
import { fileVault } from "../../src/vault/file-vault.ts";
import { addDelivery, addPartner } from "../parties.ts";
import { createTestDatabase } from "../world.ts";

test("a start after an unclean stop mends receipts and forgets it; one after a clean stop compares none", async (t) => {
  const { ground, stages, receipt, emitted, start } = await openWorld(t);
  await start();
  await writeFile(receipt, "");
  await start();
  t.is(await readFile(receipt, "utf8"), "");
  t.deepEqual(emitted, []);

  await dieHolding(ground);
  await start(async () => {
    await startMending(ground, stages);
    await untilForgotten(ground);
  });
  t.like(JSON.parse(await readFile(receipt, "utf8")) as object, { state: "loaded" });
  t.deepEqual(emitted, [
    { name: "files.compared", compared: 0, mended: 0 },
    { name: "receipts.compared", compared: 1, mended: 1, total: 1 },
  ]);
});

test("what a stop interrupts, the start after it goes on with", async (t) => {
  const { ground, stages, receipt, start } = await openWorld(t);
  await writeFile(receipt, "");
  await dieHolding(ground);
  const away = { ...stages, receipts: { mendAll: () => Promise.reject(new Error("the database is away")) } };
  await start(() => startMending(ground, away as unknown as Stages));
  t.true(await wasStoppedUncleanly(ground.folder));
  await start(async () => {
    await startMending(ground, stages);
    await untilForgotten(ground);
  });
  t.like(JSON.parse(await readFile(receipt, "utf8")) as object, { state: "loaded" });
});

/** As a power cut leaves the folder: the lock of a process that is no more. */
async function dieHolding(ground: Ground): Promise<void> {
  await writeFile(path.join(ground.folder.root, "tideline.pid"), "4194305\n");
}

async function untilForgotten({ folder }: Ground): Promise<void> {
  const deadline = performance.now() + 10_000;
  while ((await wasStoppedUncleanly(folder)) && performance.now() < deadline);
}

async function openWorld(t: ExecutionContext) {
  const { database } = await createTestDatabase(t);
  const root = await mkdtemp(path.join(tmpdir(), "tideline-mending-"));
  t.teardown(() => rm(root, { recursive: true, force: true }));
  const folder = dataFolderAt(root);
  const emitted: object[] = [];
  const closers: Closer[] = [];
  const events = {
    ...createEvents({ level: "silent" }),
    emit: (name: string, fields: object) => void emitted.push({ name, ...fields }),
  };
  const ground = { closers, database, events, folder, config: { roles: ["sftp"] } } as unknown as Ground;
  const stages = {
    receipts: createReceipts(database, folder.landing),
    vaultWatch: unwatchedVault,
    landing: { vault: fileVault(folder.vault) },
  } as unknown as Stages;
  const { id } = await addDelivery(database, await addPartner(database), "loaded", { door: "sftp", name: "a.jsonl" });
  await stages.receipts.write(id);
  /** A whole life: claims the folder, does something, closes. */
  const start = async (work = () => startMending(ground, stages)) => {
    const release = await claimDataFolder(folder);
    await work();
    for (let closer = closers.pop(); closer; closer = closers.pop()) await closer();
    await release();
  };
  return { ground, stages, emitted, start, receipt: path.join(folder.landing, "bank/receipts/a.jsonl.receipt.json") };
}
