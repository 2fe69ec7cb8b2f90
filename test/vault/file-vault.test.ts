/** A file's second name in a vault of one's own disk leads to the same bytes, the first time and quickly after it. */
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "ava";
import { fileVault } from "../../src/vault/file-vault.ts";

test("each file of a folder gets its second name, whatever came before; what is missing is told", async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-vault-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const [inbox, directory] = [path.join(folder, "inbox"), path.join(folder, "vault")];
  await mkdir(inbox);
  const vault = fileVault(directory);
  for (const name of ["first", "second", "third", "third"]) {
    const file = path.join(inbox, name);
    await writeFile(file, name);
    const reference = vault.referenceOf(name, "2026-11-26");
    t.is(await vault.name(reference, file), "linked");
    t.is((await stat(path.join(directory, reference))).ino, (await stat(file)).ino);
  }
  for (const missing of [path.join(inbox, "missing"), path.join(folder, "elsewhere")])
    await t.throwsAsync(vault.name(vault.referenceOf("fourth", "2026-11-26"), missing), { code: "ENOENT" });
});
