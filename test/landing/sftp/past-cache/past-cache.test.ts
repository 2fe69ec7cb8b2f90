/** What is written and read past the kernel's cache are the bytes that any other way would have, and it fails as that does. */
import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { openPastCache } from "../../../../src/landing/sftp/past-cache/pages.ts";
import { WritingPastCache } from "../../../../src/landing/sftp/past-cache/writing.ts";
import { Writing } from "../../../../src/landing/sftp/files/writing.ts";
import { ReadingPastCache } from "../../../../src/landing/sftp/past-cache/reading.ts";
import { sftpLimits } from "../../../../src/landing/sftp/limits.ts";
import fc, { runs } from "../../../property.ts";

const mebibyte = 1024 * 1024;

async function scratchFile(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-past-cache-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return path.join(folder, "file");
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Handles by which something was written past the cache, with where and how much. */
function watched(replace?: (direct: FileHandle) => FileHandle["writev"]) {
  const writes: { at: number; sizeBytes: number }[] = [];
  const openAgain = async (file: Pick<FileHandle, "fd">, access: number): Promise<FileHandle> => {
    const direct = await openPastCache(file, access);
    const write = replace?.(direct) ?? direct.writev.bind(direct);
    const writev: FileHandle["writev"] = async (pieces, at) => {
      writes.push({ at: at ?? 0, sizeBytes: pieces.reduce((sum, piece) => sum + piece.byteLength, 0) });
      return await write(pieces, at);
    };
    return Object.defineProperty(direct, "writev", { value: writev });
  };
  return { writes, openAgain };
}

const hasIt = constants.O_DIRECT !== undefined;

test("a large file goes past the cache from its limit on, in whole blocks and in order", async (t) => {
  const name = await scratchFile(t);
  const bytes = randomBytes(9 * mebibyte + 12_345);
  const file = await open(name, "w+");
  const { writes, openAgain } = watched();
  const writing = new Writing({
    file,
    sizeBytes: 0,
    append: false,
    pastCacheFromSizeBytes: mebibyte,
    openPastCache: openAgain,
  });
  const sent: Promise<void>[] = [];
  for (let at = 0; at < bytes.length; at += 261_120) sent.push(writing.write(at, [bytes.subarray(at, at + 261_120)]));
  await Promise.all(sent);
  await writing.flushed();
  t.is(sha256(await readFile(name)), sha256(bytes));
  t.is(writing.detachHash()?.digest("hex"), sha256(bytes));
  if (hasIt) t.true(writes.length > 2);
  for (const [nth, { at, sizeBytes }] of writes.entries()) {
    t.is((at % 4096) + (sizeBytes % 4096), 0);
    const before = writes[nth - 1];
    if (before) t.is(at, before.at + before.sizeBytes);
    else t.true(at >= mebibyte);
  }
  await writing.release();
  await file.close();
});

test("writes in any order, cuts and looks at the file leave the bytes that one after the other would", async (t) => {
  const name = await scratchFile(t);
  const step = fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constant("go on" as const), sizeBytes: fc.nat(3 * mebibyte) }) },
    fc.record({ kind: fc.constant("elsewhere" as const), share: fc.nat(100), sizeBytes: fc.nat(100_000) }),
    fc.record({ kind: fc.constant("cut" as const), share: fc.nat(100) }),
    fc.record({ kind: fc.constant("look" as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const file = await open(name, "w+");
      const writing = new Writing({ file, sizeBytes: 0, append: false, pastCacheFromSizeBytes: 10_000 });
      let expected: Buffer = Buffer.alloc(0);
      let sent: Promise<void>[] = [];
      for (const [nth, one] of steps.entries()) {
        if (one.kind === "look") {
          await writing.settled();
          t.is(sha256(await readFile(name)), sha256(expected));
        } else if (one.kind === "cut") {
          const end = Math.floor((expected.length * one.share) / 100);
          await Promise.all(sent);
          await writing.truncate(end);
          expected = expected.subarray(0, end);
        } else {
          const at = one.kind === "go on" ? expected.length : Math.floor((expected.length * one.share) / 100);
          const data = Buffer.alloc(one.sizeBytes, nth + 1);
          sent = [...sent, writing.write(at, [data.subarray(0, 1000), data.subarray(1000)])];
          const whole = Buffer.alloc(Math.max(expected.length, at + data.length));
          expected.copy(whole);
          data.copy(whole, at);
          expected = whole;
        }
      }
      await Promise.all(sent);
      await writing.flushed();
      t.is(sha256(await readFile(name)), sha256(expected));
      const hash = writing.detachHash();
      if (hash) t.is(hash.digest("hex"), sha256(expected));
      await writing.release();
      await file.close();
    }),
    runs(20),
  );
});

test("a file system that takes nothing past its cache gets the same bytes through it", async (t) => {
  const bytes = randomBytes(6 * mebibyte + 1);
  const refusing = watched(() => async () => {
    throw Object.assign(new Error("EINVAL"), { code: "EINVAL" });
  });
  const without = {
    openAgain: async () => {
      throw new Error("EINVAL");
    },
  };
  for (const { openAgain } of [refusing, without]) {
    const name = await scratchFile(t);
    const file = await open(name, "w+");
    const writing = new Writing({
      file,
      sizeBytes: 0,
      append: false,
      pastCacheFromSizeBytes: 0,
      openPastCache: openAgain,
    });
    await writing.write(0, [bytes.subarray(0, 5 * mebibyte)]);
    await writing.write(5 * mebibyte, [bytes.subarray(5 * mebibyte)]);
    await writing.flushed();
    t.is(sha256(await readFile(name)), sha256(bytes));
    await writing.release();
    await file.close();
  }
  t.true(refusing.writes.length <= 1);
});

test("a write that was answered and then failed is told by the next one and by the close", async (t) => {
  if (!hasIt) return t.pass("the system has no such writes");
  const file = await open(await scratchFile(t), "w+");
  const { openAgain } = watched(() => async () => {
    throw Object.assign(new Error("EIO"), { code: "EIO" });
  });
  const writing = new Writing({
    file,
    sizeBytes: 0,
    append: false,
    pastCacheFromSizeBytes: 0,
    openPastCache: openAgain,
  });
  await writing.write(0, [Buffer.alloc(2 * mebibyte)]);
  await t.throwsAsync(writing.flushed(), { code: "EIO" });
  await t.throwsAsync(writing.write(2 * mebibyte, [Buffer.alloc(1)]), { code: "EIO" });
  await writing.release();
  await file.close();
});

test("what the file system took a part of goes on behind it", async (t) => {
  if (!hasIt) return t.pass("the system has no such writes");
  const name = await scratchFile(t);
  const file = await open(name, "w+");
  const { openAgain } = watched((direct) => {
    const writev = direct.writev.bind(direct);
    return async (pieces, at) => {
      const { bytesWritten } = await writev([(pieces[0] as Buffer).subarray(0, 8192)], at);
      return { bytesWritten, buffers: pieces };
    };
  });
  const bytes = randomBytes(5 * mebibyte);
  const writing = new Writing({
    file,
    sizeBytes: 0,
    append: false,
    pastCacheFromSizeBytes: 0,
    openPastCache: openAgain,
  });
  await writing.write(0, [bytes]);
  await writing.flushed();
  t.is(sha256(await readFile(name)), sha256(bytes));
  await writing.release();
  await file.close();
});

// Room is the whole process's.
test.serial("more uploads at once than there is room for use the cache, and room is given back", async (t) => {
  if (!hasIt) return t.pass("the system has no such writes");
  const file = await open(await scratchFile(t), "w+");
  for (let turn = 0; turn < 2; turn += 1) {
    const all: (WritingPastCache | null)[] = [];
    for (let nth = 0; nth < sftpLimits.pastCacheFilesMax + 1; nth += 1) all.push(await WritingPastCache.begin(file));
    t.is(all.at(-1), null);
    t.true(all.slice(0, -1).every((one) => one !== null));
    for (const one of all) await one?.close();
  }
  await file.close();
});

test("what is read past the cache in any order is what the file has", async (t) => {
  const sizeBytes = sftpLimits.pastCacheFromSizeBytes + 9 * mebibyte + 777;
  const bytes = randomBytes(sizeBytes);
  const name = await scratchFile(t);
  await writeFile(name, bytes);
  const file = await open(name);
  const reading = new ReadingPastCache(file, sizeBytes);
  const read = async (offset: number, length: number): Promise<boolean> => {
    const target = Buffer.alloc(length + 13);
    if (!(await reading.read(target, 13, length, offset))) return false;
    t.is(sha256(target.subarray(13)), sha256(bytes.subarray(offset, offset + length)));
    return true;
  };
  const from = sftpLimits.pastCacheFromSizeBytes;
  const inSequence = Array.from({ length: 30 }, (_, nth) => from + nth * 261_120);
  t.is((await Promise.all(inSequence.map((offset) => read(offset, 261_120)))).includes(true), hasIt);
  for (const offset of inSequence) t.is(await read(offset, 261_120), hasIt);
  for (const offset of inSequence.toReversed()) t.is(await read(offset, 100_000), hasIt);
  t.false(await read(from - 1, 10), "the front is in the cache");
  t.false(await read(sizeBytes - 100, 100), "the end is no whole piece");
  const [left, closed] = [read(from + 5 * mebibyte, 1000), reading.close()];
  t.is(await left, hasIt);
  await closed;
  await file.close();
});

test("what cannot be read past the cache is asked of the cache", async (t) => {
  const sizeBytes = sftpLimits.pastCacheFromSizeBytes + 2 * mebibyte;
  const name = await scratchFile(t);
  await writeFile(name, Buffer.alloc(sizeBytes));
  const file = await open(name);
  const failing = async (one: Pick<FileHandle, "fd">, access: number): Promise<FileHandle> =>
    Object.defineProperty(await openPastCache(one, access), "read", { value: () => Promise.reject(new Error("EIO")) });
  const refusing = () => Promise.reject(new Error("EINVAL"));
  for (const openAgain of [failing, refusing]) {
    const reading = new ReadingPastCache(file, sizeBytes, openAgain);
    for (let nth = 0; nth < 8; nth += 1)
      t.false(await reading.read(Buffer.alloc(1000), 0, 1000, sftpLimits.pastCacheFromSizeBytes + nth * 1000));
    await reading.close();
  }
  await file.close();
});
