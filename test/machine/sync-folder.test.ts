/** Folder syncs are shared by those who come before one begins, failures too, and by nobody later. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "ava";
import { syncFolder } from "../../src/machine/sync-folder.ts";

test("whoever comes while a folder is synced waits for a sync that begins after him", async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-sync-"));
  t.teardown(() => rm(folder, { recursive: true }));
  const ended: string[] = [];
  const sync = (name: string) => syncFolder(folder).then(() => ended.push(name));
  const first = sync("first");
  const others = [sync("second"), sync("third")];
  await first;
  t.deepEqual(ended, ["first"]);
  await Promise.all(others);
  t.deepEqual(ended, ["first", "second", "third"]);
});

test("a sync that fails fails those who share it, and nobody later", async (t) => {
  const parent = await mkdtemp(path.join(tmpdir(), "tideline-sync-"));
  t.teardown(() => rm(parent, { recursive: true }));
  const missing = path.join(parent, "missing");
  const both = await Promise.allSettled([syncFolder(missing), syncFolder(missing)]);
  t.deepEqual(
    both.map((one) => one.status),
    ["rejected", "rejected"],
  );
  await t.notThrowsAsync(syncFolder(parent));
});
