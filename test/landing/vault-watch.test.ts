/** A vault bears a mark, and one that is away is told from one that has lost a file. */
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import type { Events } from "../../src/events.ts";
import { fileVault } from "../../src/vault/file-vault.ts";
import { vaultMark } from "../../config/landing.ts";
import { markVault, openVaultWatch } from "../../src/landing/vault-watch.ts";
import { addDelivery, addPartner } from "../parties.ts";
import { createTestDatabase } from "../world.ts";

async function emptyFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-vault-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("a new vault is marked, and so is one that was filled before there were marks", async (t) => {
  const { database } = await createTestDatabase(t);
  const [unused, filled] = [await emptyFolder(t), await emptyFolder(t)];
  await markVault(database, fileVault(unused));
  t.deepEqual(await readdir(unused), [vaultMark]);
  await addDelivery(database, await addPartner(database), "loaded");
  await database.query("update deliveries set vault_reference = '2026-06-15/one'");
  await mkdir(path.join(filled, "2026-06-15"));
  await writeFile(path.join(filled, "2026-06-15/one"), "kept");
  await markVault(database, fileVault(filled));
  t.deepEqual((await readdir(filled)).toSorted(), ["2026-06-15", vaultMark]);
});

test("a folder in which none of the kept files lies is not the vault, and is not marked", async (t) => {
  const { database } = await createTestDatabase(t);
  await addDelivery(database, await addPartner(database), "loaded");
  await database.query("update deliveries set vault_reference = '2026-06-15/one'");
  const folder = await emptyFolder(t);
  await markVault(database, fileVault(folder));
  t.deepEqual(await readdir(folder), []);
});

test("a vault that goes is told of once and nothing is kept in its place; so is its return", async (t) => {
  const { database } = await createTestDatabase(t);
  const folder = path.join(await emptyFolder(t), "vault");
  await mkdir(folder);
  await markVault(database, fileVault(folder));
  const told: string[] = [];
  const watch = await openVaultWatch(fileVault(folder), {
    emit: (event: string) => void told.push(event),
  } as unknown as Events);
  t.teardown(() => watch.close());
  t.is(watch.describe(), "ok");
  await rename(folder, `${folder}-elsewhere`);
  await mkdir(folder);
  t.false(await watch.look());
  t.false(await watch.look());
  t.regex(watch.describe(), /^is away/);
  const file = path.join(folder, "..", "landed");
  await writeFile(file, "bytes");
  await t.throwsAsync(fileVault(folder, watch.look).keep("id", file, "2026-06-15", Buffer.alloc(32)), {
    code: "VAULT_AWAY",
  });
  t.deepEqual(await readdir(folder), []);
  await rm(folder, { recursive: true });
  await rename(`${folder}-elsewhere`, folder);
  t.true(await watch.look());
  t.true(watch.isThere());
  t.deepEqual(told, ["vault.away", "vault.returned"]);
});
