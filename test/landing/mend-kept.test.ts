/** What an unclean stop took of small files in vault and inbox is made anew from the bytes beside their rows. */
import { chmod, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { findDelivery } from "../../src/deliveries/deliveries.ts";
import { recordFile } from "../../src/landing/accept.ts";
import { mendKept } from "../../src/landing/mend-kept.ts";
import { digest, openLanding } from "./world.ts";

test("after a stop that took nothing, nothing is changed", async (t) => {
  const { deliver, mend } = await openWorld(t);
  await deliver("day.jsonl", "some lines");
  await deliver("2026/night.jsonl", "others");
  t.deepEqual(await mend(), { compared: 2, mended: 0 });
});

test("a file that is gone, cut off or empty is there again, delivered, in the inbox and in the vault", async (t) => {
  const { deliver, mend, entry, vaulted } = await openWorld(t);
  const gone = await deliver("2026/gone.jsonl", "some lines");
  const cut = await deliver("cut.jsonl", "other lines");
  const emptied = await deliver("emptied.jsonl", "more lines");
  await rm(entry("2026"), { recursive: true });
  await rm(await vaulted(gone));
  await replace(entry("cut.jsonl"), "other", 0o600);
  await replace(await vaulted(cut), "other", 0o600);
  await replace(entry("emptied.jsonl"), "", 0o440);
  t.deepEqual(await mend(), { compared: 3, mended: 3 });
  for (const [name, id, text] of [
    ["2026/gone.jsonl", gone, "some lines"],
    ["cut.jsonl", cut, "other lines"],
    ["emptied.jsonl", emptied, "more lines"],
  ] as const) {
    t.is(await readFile(entry(name), "utf8"), text);
    t.is((await stat(entry(name))).mode & 0o777, 0o440);
    t.is(await readFile(await vaulted(id), "utf8"), text);
  }
  t.deepEqual(await mend(), { compared: 3, mended: 0 });
});

test("a file that was recorded and not marked before a kill is marked", async (t) => {
  const { deliver, mend, entry } = await openWorld(t);
  await deliver("day.jsonl", "some lines");
  await chmod(entry("day.jsonl"), 0o600);
  t.deepEqual(await mend(), { compared: 1, mended: 1 });
  t.is((await stat(entry("day.jsonl"))).mode & 0o777, 0o440);
});

test("the upload of a name's next file stays, and so does what its later delivery put there", async (t) => {
  const { deliver, mend, entry } = await openWorld(t);
  await deliver("day.jsonl", "some lines");
  await replace(entry("day.jsonl"), "next", 0o600);
  await deliver("night.jsonl", "first");
  await rm(entry("night.jsonl"));
  await deliver("night.jsonl", "second");
  t.deepEqual(await mend(), { compared: 3, mended: 0 });
  t.is(await readFile(entry("day.jsonl"), "utf8"), "next");
  t.is(await readFile(entry("night.jsonl"), "utf8"), "second");
});

test("a file that was sent twice stands in the inbox under both names", async (t) => {
  const { deliver, mend, entry } = await openWorld(t);
  await deliver("day.jsonl", "some lines");
  await deliver("again.jsonl", "some lines");
  await rm(entry("again.jsonl"));
  t.deepEqual(await mend(), { compared: 2, mended: 1 });
  t.is(await readFile(entry("again.jsonl"), "utf8"), "some lines");
});

test("where the door is another machine's the inbox is left alone, and a vault that is away too", async (t) => {
  const { deliver, mend, entry, vaulted } = await openWorld(t);
  const id = await deliver("day.jsonl", "some lines");
  await rm(entry("day.jsonl"));
  const file = await vaulted(id);
  await rm(file);
  t.deepEqual(await mend({ ownsInbox: false, vaultIsThere: false }), { compared: 1, mended: 0 });
  t.deepEqual(await mend({ ownsInbox: false }), { compared: 1, mended: 1 });
  t.is(await readFile(file, "utf8"), "some lines");
  await t.throwsAsync(stat(entry("day.jsonl")), { code: "ENOENT" });
});

async function replace(file: string, text: string, mode: number): Promise<void> {
  await rm(file);
  await writeFile(file, text);
  await chmod(file, mode);
}

async function openWorld(t: ExecutionContext) {
  const { landing, folder, partnerId } = await openLanding(t);
  const inbox = path.join(folder, partnerId, "inbox");
  const entry = (name: string) => path.join(inbox, name);
  return {
    entry,
    async vaulted(id: string) {
      const delivery = await findDelivery(landing.database, id);
      return path.join(landing.vault.directory, delivery?.vaultReference ?? "");
    },
    /** As the door does. */
    async deliver(name: string, text: string): Promise<string> {
      await mkdir(path.dirname(entry(name)), { recursive: true });
      await writeFile(entry(name), text);
      const file = { partnerId, door: "sftp" as const, name, path: entry(name), sizeBytes: text.length };
      const recorded = await recordFile(landing, { ...file, sha256: digest(text), correlationId: "c-1" }, () =>
        Promise.reject(new Error("is not asked to sync")),
      );
      await chmod(entry(name), 0o440);
      return recorded.id;
    },
    mend: (more: { ownsInbox?: boolean; vaultIsThere?: boolean } = {}) =>
      mendKept({
        database: landing.database,
        landingDirectory: folder,
        vaultDirectory: landing.vault.directory,
        ownsInbox: true,
        vaultIsThere: true,
        ...more,
      }),
  };
}
