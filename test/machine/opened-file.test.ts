/** A file that was made at once is used as any other, and its number is nobody else's while something is under way. */
import { constants } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { openQuickly } from "../../src/machine/opened-file.ts";
import { inThreads, type QuickSteps } from "../../src/machine/quick-steps.ts";

const atOnce: QuickSteps = { take: async (now) => now() };
const creating = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL;

async function scratchFile(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-opened-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return path.join(folder, "file");
}

for (const [how, quickly] of [
  ["at once", atOnce],
  ["in threads", inThreads],
] as const) {
  test(`a file is made, written, read, changed and closed ${how}`, async (t) => {
    const name = await scratchFile(t);
    const file = await openQuickly(name, creating, 0o600, quickly);
    t.is((await file.writev([Buffer.from("one "), Buffer.from("two")], 0)).bytesWritten, 7);
    // Beyond what is written at once.
    const large = Buffer.alloc(100_000, "x");
    t.is((await file.writev([large], 7)).bytesWritten, large.length);
    const buffer = Buffer.alloc(3);
    t.is((await file.read(buffer, 0, 3, 4)).bytesRead, 3);
    t.is(buffer.toString(), "two");
    await file.chmod(0o440);
    await file.truncate(7);
    await file.utimes(1000, 2000);
    await file.datasync();
    await file.sync();
    const { size, mode, mtimeMs } = await file.stat();
    t.deepEqual([size, mode & 0o777, mtimeMs], [7, 0o440, 2_000_000]);
    t.is((await file.stat({ bigint: true })).ino, (await stat(name, { bigint: true })).ino);
    await file.close();
    t.is(await readFile(name, "utf8"), "one two");
  });

  test(`what the system says to a file that is there, and to one that was closed, is told ${how}`, async (t) => {
    const name = await scratchFile(t);
    const file = await openQuickly(name, creating, 0o600, quickly);
    await t.throwsAsync(openQuickly(name, creating, 0o600, quickly), { code: "EEXIST" });
    await Promise.all([file.close(), file.close()]);
    await t.throwsAsync(file.chmod(0o440), { code: "EBADF" });
    await file.close();
  });
}

test("a close waits for what is under way", async (t) => {
  const file = await openQuickly(await scratchFile(t), creating, 0o600, atOnce);
  let isRead = false;
  await file.writev([Buffer.from("bytes")], 0);
  const reading = file.read(Buffer.alloc(5), 0, 5, 0).then(({ bytesRead }) => {
    isRead = true;
    return bytesRead;
  });
  await file.close();
  t.true(isRead);
  t.is(await reading, 5);
});
