/** Landed bytes are copied once, and a copy that is not what was copied is noticed. */
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import {
  copiesSince,
  copyNews,
  copyVault,
  findMissing,
  listText,
  parseList,
  putBack,
  removeCopies,
} from "../../src/backup/vault-copies.ts";

/** SHA-256 of "one". */
const sha256OfOne = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed";

async function openVault(
  t: ExecutionContext,
): Promise<{ vault: string; store: string; keep(reference: string, text: string): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-copies-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const [vault, store] = [path.join(folder, "vault"), path.join(folder, "store")];
  await mkdir(vault);
  await mkdir(store);
  return {
    vault,
    store,
    async keep(reference, text) {
      await mkdir(path.dirname(path.join(vault, reference)), { recursive: true });
      await writeFile(path.join(vault, reference), text);
    },
  };
}

test("a vault is copied, and what is there already is not copied again", async (t) => {
  const { vault, store, keep } = await openVault(t);
  await keep("2026-11-22/a", "one");
  await writeFile(path.join(vault, "vault-mark"), "mark");
  const copied: number[] = [];
  t.deepEqual(await copyVault(vault, store, (bytes) => copied.push(bytes)), [
    { reference: "2026-11-22/a", sizeBytes: 3, sha256: sha256OfOne },
  ]);
  const { ino } = await stat(path.join(store, "vault/2026-11-22/a"));
  await keep("2026-11-23/b", "three");
  t.is((await copyVault(vault, store, (bytes) => copied.push(bytes))).length, 2);
  t.deepEqual(copied, [3, 5]);
  t.is((await stat(path.join(store, "vault/2026-11-22/a"))).ino, ino);
});

test("a list that a crash cut off vouches for nothing behind the cut", async (t) => {
  const { vault, store, keep } = await openVault(t);
  await keep("2026-11-22/a", "one");
  await copyVault(vault, store);
  const list = path.join(store, "vault/2026-11-22.sha256");
  const text = await readFile(list, "utf8");
  await writeFile(list, text.slice(0, -4));
  t.deepEqual(await copiesSince(store, "2026-11-22"), []);
  await copyVault(vault, store);
  t.deepEqual(await copiesSince(store, "2026-11-22"), [
    { reference: "2026-11-22/a", sizeBytes: 3, sha256: sha256OfOne },
  ]);
});

test("news are copied, of days too whose folder was looked into before", async (t) => {
  const { vault, store, keep } = await openVault(t);
  const memory = new Map<string, number>();
  await keep("2026-11-22/a", "one");
  await copyNews(vault, store, memory);
  await keep("2026-11-22/b", "two");
  await copyNews(vault, store, memory);
  t.deepEqual(
    (await copiesSince(store, "2026-11-22")).map(({ reference }) => reference),
    ["2026-11-22/a", "2026-11-22/b"],
  );
  t.deepEqual(await copiesSince(store, "2026-11-23"), []);
});

test("a copy that changed on its disk is noticed when it is put back, one that was cut off before", async (t) => {
  const { vault, store, keep } = await openVault(t);
  await keep("2026-11-22/a", "one");
  const copies = await copyVault(vault, store);
  const [copy] = copies;
  if (copy === undefined) return t.fail("nothing was copied");
  t.true(await putBack(store, copy, path.join(store, "restored")));
  t.is(await readFile(path.join(store, "restored/2026-11-22/a"), "utf8"), "one");
  await writeFile(path.join(store, "vault/2026-11-22/a"), "oNe");
  t.deepEqual(await findMissing(store, copies), []);
  t.false(await putBack(store, copy, path.join(store, "restored")));
  await appendFile(path.join(store, "vault/2026-11-22/a"), "s");
  t.deepEqual(await findMissing(store, copies), ["2026-11-22/a"]);
});

test("copies go that no backup needs, and none of the days that later changes may need", async (t) => {
  const { vault, store, keep } = await openVault(t);
  for (const reference of ["2026-11-20/a", "2026-11-21/b", "2026-11-21/c", "2026-11-22/d"])
    await keep(reference, "one");
  await copyVault(vault, store);
  t.is(await removeCopies(store, "2026-11-22", new Set(["2026-11-21/c"])), 2);
  t.deepEqual((await readdir(path.join(store, "vault"))).sort(), [
    "2026-11-21",
    "2026-11-21.sha256",
    "2026-11-22",
    "2026-11-22.sha256",
  ]);
  t.deepEqual(await readdir(path.join(store, "vault/2026-11-21")), ["c"]);
});

test("a list is read as it was written, without what others put between", (t) => {
  const copies = [{ reference: "2026-11-22/a", sizeBytes: 3, sha256: sha256OfOne }];
  t.deepEqual(parseList(`# by hand\n${listText(copies)}\nnonsense\n`), copies);
});
