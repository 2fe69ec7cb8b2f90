/** Small files are whole or not there, whatever breaks off their writing, and empty or broken ones are told. */
import { chmod, mkdtemp, open, readdir, readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { type Disk, readNeededFile, readSmallFile, writeSmallFile } from "../../src/machine/small-file.ts";

test("a file is written beside, synced, renamed, and its folder synced, in this order", async (t) => {
  const { disk, steps } = recordingDisk();
  await writeSmallFile("/data/password", "secret", { owner: { uid: 7, gid: 8 } }, disk);
  t.deepEqual(steps, [
    "open /data/password.*.unfinished 600",
    "chmod 600",
    "chown 7 8",
    "write secret",
    "sync",
    "close",
    "rename /data/password.*.unfinished /data/password",
    "sync folder /data",
  ]);
});

test("one that must not replace another is linked into place instead", async (t) => {
  const { disk, steps } = recordingDisk();
  await writeSmallFile("/data/key", "secret", { onlyNew: true }, disk);
  t.deepEqual(steps.slice(-5), [
    "sync",
    "close",
    "link /data/key.*.unfinished /data/key",
    "rm /data/key.*.unfinished",
    "sync folder /data",
  ]);
});

test("a crash between write and rename leaves the old file whole, and the next write goes on", async (t) => {
  const folder = await temporaryFolder(t);
  const file = path.join(folder, "state.json");
  await writeSmallFile(file, "old");
  const crashing: Disk = {
    ...recordingDisk().disk,
    open,
    rename: () => Promise.reject(new Error("the power is gone")),
    // A machine without power removes nothing either.
    rm: async () => undefined,
  };
  await t.throwsAsync(writeSmallFile(file, "new", {}, crashing), { message: "the power is gone" });
  t.is(await readSmallFile(file), "old");
  t.is((await readdir(folder)).length, 2);
  await writeSmallFile(file, "newer");
  t.is(await readSmallFile(file), "newer");
});

test("a write that fails leaves nothing beside the file", async (t) => {
  const folder = await temporaryFolder(t);
  const failing: Disk = { ...recordingDisk().disk, open, rename: () => Promise.reject(new Error("no space")), rm };
  await t.throwsAsync(writeSmallFile(path.join(folder, "a"), "text", {}, failing), { message: "no space" });
  t.deepEqual(await readdir(folder), []);
});

test("a file keeps to its owner, also where it was open to others before", async (t) => {
  const file = path.join(await temporaryFolder(t), "key");
  await writeFile(file, "old");
  await chmod(file, 0o644);
  await writeSmallFile(file, "new");
  t.is((await stat(file)).mode & 0o777, 0o600);
  t.is(await readFile(file, "utf8"), "new");
});

test("of two first writers the file of one is kept whole", async (t) => {
  const folder = await temporaryFolder(t);
  const file = path.join(folder, "key");
  await Promise.all(["first", "other"].map((text) => writeSmallFile(file, text, { onlyNew: true })));
  const kept = await readSmallFile(file);
  t.true(kept === "first" || kept === "other");
  await writeSmallFile(file, "late", { onlyNew: true });
  t.is(await readSmallFile(file), kept);
  t.deepEqual(await readdir(folder), ["key"]);
});

test("missing, empty and never written are three things", async (t) => {
  const folder = await temporaryFolder(t);
  const file = path.join(folder, "password");
  t.is(await readSmallFile(file), null);
  await t.throwsAsync(readNeededFile(file), { code: "FILE_BROKEN", message: `${file} is missing.` });
  await writeFile(file, "");
  await t.throwsAsync(readSmallFile(file, "It holds the password."), {
    code: "FILE_BROKEN",
    message: `${file} is empty. It holds the password.`,
  });
  await writeFile(file, " \n");
  await t.throwsAsync(readSmallFile(file), { code: "FILE_BROKEN", message: `${file} is empty.` });
  await writeFile(file, "");
  await truncate(file, 24);
  await t.throwsAsync(readSmallFile(file), {
    code: "FILE_BROKEN",
    message: `${file} is broken: it holds NUL bytes.`,
  });
  await rename(file, `${file}.old`);
  t.is(await readSmallFile(file), null);
});

/** Says what is done to it, random parts of names as a star, and does nothing. */
function recordingDisk(): { disk: Disk; steps: string[] } {
  const steps: string[] = [];
  const step = async (...words: (string | number)[]) =>
    void steps.push(words.join(" ").replaceAll(/\.[0-9a-f]{8}\.unfinished/g, ".*.unfinished"));
  const disk: Disk = {
    open: async (file, _flags, mode) => {
      await step("open", file, mode.toString(8));
      return {
        chmod: (bits) => step("chmod", bits.toString(8)),
        chown: (uid, gid) => step("chown", uid, gid),
        writeFile: (text) => step("write", text),
        sync: () => step("sync"),
        close: () => step("close"),
      };
    },
    rename: (from, to) => step("rename", from, to),
    link: (from, to) => step("link", from, to),
    rm: (file) => step("rm", file),
    syncFolder: (folder) => step("sync folder", folder),
  };
  return { disk, steps };
}

async function temporaryFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-small-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
