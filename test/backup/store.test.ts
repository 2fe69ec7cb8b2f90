/** What counts as a backup, and what is said of what does not. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import {
  findBackup,
  isStore,
  listBackups,
  type Manifest,
  manifestText,
  nameOf,
  openStore,
  removeBackup,
  removeLeftOvers,
} from "../../src/backup/store.ts";

const manifest: Manifest = {
  format: 1,
  id: "3f9a1c",
  tidelineVersion: "0.1.0",
  postgresVersion: 18,
  schema: "095_backups",
  startedAt: "2026-11-23T02:10:05.000Z",
  finishedAt: "2026-11-23T02:11:00.000Z",
  log: { start: "0/2000028", end: "0/2000120", slot: null },
  counts: [{ table: "users", before: 1, after: 2 }],
  files: [],
  vault: { files: 0, sizeBytes: 0 },
  keyFingerprint: "",
  sizeBytes: 0,
};

async function openFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-store-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function addBackup(store: string, name: string, text = manifestText(manifest)): Promise<string> {
  const folder = path.join(store, name);
  await mkdir(folder);
  await writeFile(path.join(folder, "manifest.json"), text);
  return folder;
}

test("a backup's name tells when it began", (t) => {
  t.regex(nameOf(new Date("2026-11-23T02:10:05.123Z")), /^backup-20261123T021005Z-[0-9a-f]{6}$/);
});

test("an empty folder becomes one for backups; one with other things in it does not", async (t) => {
  const folder = await openFolder(t);
  t.false(await isStore(folder));
  await openStore(folder);
  t.true(await isStore(folder));
  const other = await openFolder(t);
  await writeFile(path.join(other, "letter.txt"), "");
  await t.throwsAsync(openStore(other), { code: "BACKUP_PLACE", message: /letter\.txt/ });
});

test("the newest whole backup is found, and what was broken off is none", async (t) => {
  const store = await openFolder(t);
  await addBackup(store, "backup-20261122T021005Z-000001");
  await addBackup(store, "backup-20261123T021005Z-000002");
  await addBackup(store, "backup-20261124T021005Z-000003.unfinished");
  t.is((await findBackup(store)).name, "backup-20261123T021005Z-000002");
  t.deepEqual((await findBackup(store)).manifest, manifest);
  await t.throwsAsync(findBackup(path.join(store, "backup-20261124T021005Z-000003.unfinished")), {
    code: "BACKUP_INCOMPLETE",
  });
  await removeLeftOvers(store);
  t.deepEqual((await readdir(store)).sort(), ["backup-20261122T021005Z-000001", "backup-20261123T021005Z-000002"]);
});

test("a folder in which a backup was only begun says so", async (t) => {
  const store = await openFolder(t);
  await t.throwsAsync(findBackup(store), { code: "BACKUP_PLACE" });
  await addBackup(store, "backup-20261124T021005Z-000003.unfinished");
  await t.throwsAsync(findBackup(store), { code: "BACKUP_INCOMPLETE" });
});

test("a manifest of which one letter changed, or that was cut off, is no manifest", async (t) => {
  const store = await openFolder(t);
  const folder = await addBackup(store, "backup-20261123T021005Z-000002");
  const text = await readFile(path.join(folder, "manifest.json"), "utf8");
  for (const broken of [text.replace('"before": 1', '"before": 2'), text.slice(0, -10), ""]) {
    await writeFile(path.join(folder, "manifest.json"), broken);
    await t.throwsAsync(listBackups(store), { code: "BACKUP_DAMAGED" });
  }
});

test("a backup that a later Tideline laid out otherwise is not guessed at", async (t) => {
  const store = await openFolder(t);
  await addBackup(store, "backup-20261123T021005Z-000002", manifestText({ ...manifest, format: 2 }));
  await t.throwsAsync(findBackup(store), { code: "BACKUP_VERSION" });
});

test("a backup that was removed leaves nothing", async (t) => {
  const store = await openFolder(t);
  await removeBackup(await addBackup(store, "backup-20261123T021005Z-000002"));
  t.deepEqual(await readdir(store), []);
});
