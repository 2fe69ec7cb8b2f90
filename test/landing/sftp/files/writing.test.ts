/** Writes in any order leave the right bytes, and the digest is taken on the way or afresh where it must be. */
import { createHash } from "node:crypto";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { Writing } from "../../../../src/landing/sftp/files/writing.ts";
import fc, { runs } from "../../../property.ts";

async function scratchFile(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-writing-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return path.join(folder, "file");
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

test("overlapping writes without waiting leave the bytes that one after the other would", async (t) => {
  const name = await scratchFile(t);
  const write = fc.record({ offset: fc.nat(300), data: fc.uint8Array({ maxLength: 100 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(write, { maxLength: 30 }), async (writes) => {
      const file = await open(name, "w+");
      const writing = new Writing({ file, sizeBytes: 0, append: false });
      await Promise.all(writes.map(({ offset, data }) => writing.write(offset, [Buffer.from(data)])));
      await writing.settled();
      const expected = Buffer.alloc(Math.max(0, ...writes.map(({ offset, data }) => offset + data.length)));
      for (const { offset, data } of writes) expected.set(data, offset);
      const written = await readFile(name);
      t.deepEqual(written, expected.subarray(0, written.length));
      t.true(expected.subarray(written.length).every((byte) => byte === 0));
      // Where the digest is known without reading the file again, it is the file's.
      const hash = writing.detachHash();
      if (hash) t.is(hash.digest("hex"), sha256(written));
      if (writing.bytes !== null) t.deepEqual(writing.bytes, written);
      await file.close();
    }),
    runs(100),
  );
});

test("a small file is held while it comes in sequence, and no longer", async (t) => {
  const file = await open(await scratchFile(t), "w+");
  const writing = new Writing({ file, sizeBytes: 0, append: false });
  await writing.write(0, [Buffer.from("h"), Buffer.from("el")]);
  await writing.write(3, [Buffer.from("lo")]);
  t.is(writing.bytes?.toString(), "hello");
  await writing.write(0, [Buffer.from("J")]);
  t.is(writing.bytes, null);
  await writing.truncate(0);
  await writing.write(0, [Buffer.alloc(65_536, "a")]);
  t.is(writing.bytes?.length, 65_536);
  await writing.write(65_536, [Buffer.from("b")]);
  t.is(writing.bytes, null);
  await writing.settled();
  await file.close();
  t.is(new Writing({ file, sizeBytes: 5, append: false }).bytes, null);
});

test("a held write that fails is told by the next one and by the close", async (t) => {
  const name = await scratchFile(t);
  await (await open(name, "w")).close();
  const file = await open(name, "r");
  const writing = new Writing({ file, sizeBytes: 0, append: false });
  await writing.write(0, [Buffer.from("hello")]);
  await t.throwsAsync(writing.flushed(), { code: "EBADF" });
  await t.throwsAsync(writing.write(5, [Buffer.from("!")]), { code: "EBADF" });
  await file.close();
});

test("bytes that come in sequence are digested on the way", async (t) => {
  const file = await open(await scratchFile(t), "w+");
  const writing = new Writing({ file, sizeBytes: 0, append: false });
  await Promise.all([writing.write(0, [Buffer.from("h"), Buffer.from("el")]), writing.write(3, [Buffer.from("lo")])]);
  await writing.settled();
  t.is(writing.detachHash()?.digest("hex"), sha256(Buffer.from("hello")));
  await file.close();
});

test("appending ignores the offsets that come along", async (t) => {
  const name = await scratchFile(t);
  const file = await open(name, "w+");
  await file.write("hello");
  const writing = new Writing({ file, sizeBytes: 5, append: true });
  await Promise.all([writing.write(0, [Buffer.from(" wor")]), writing.write(0, [Buffer.from("ld")])]);
  await writing.settled();
  t.is(await readFile(name, "utf8"), "hello world");
  t.is(writing.sizeBytes, 11);
  t.is(writing.detachHash(), null);
  await file.close();
});

test("after a write that failed everything fails", async (t) => {
  const name = await scratchFile(t);
  await (await open(name, "w")).close();
  const file = await open(name, "r");
  const writing = new Writing({ file, sizeBytes: 5, append: false });
  await t.throwsAsync(writing.write(0, [Buffer.from("hello")]), { code: "EBADF" });
  await t.throwsAsync(writing.write(5, [Buffer.from("world")]), { code: "EBADF" });
  await t.throwsAsync(writing.settled(), { code: "EBADF" });
  await file.close();
});

test("a file cut to nothing is digested afresh", async (t) => {
  const file = await open(await scratchFile(t), "w+");
  const writing = new Writing({ file, sizeBytes: 0, append: false });
  await writing.write(0, [Buffer.from("something else")]);
  await writing.truncate(0);
  await writing.write(0, [Buffer.from("hello")]);
  await writing.settled();
  t.is(writing.detachHash()?.digest("hex"), sha256(Buffer.from("hello")));
  await file.close();
});

test("a hash that was kept goes on where it stopped", async (t) => {
  const file = await open(await scratchFile(t), "w+");
  const first = new Writing({ file, sizeBytes: 0, append: false });
  await first.write(0, [Buffer.from("hel")]);
  await first.settled();
  const second = new Writing({ file, sizeBytes: 3, append: false, hash: first.detachHash() });
  await second.write(3, [Buffer.from("lo")]);
  await second.settled();
  t.is(second.detachHash()?.digest("hex"), sha256(Buffer.from("hello")));
  await file.close();
});

test("a hash that was kept is given up when what it covers is written again", async (t) => {
  const file = await open(await scratchFile(t), "w+");
  const first = new Writing({ file, sizeBytes: 0, append: false });
  await first.write(0, [Buffer.from("hello")]);
  await first.settled();
  const second = new Writing({ file, sizeBytes: 5, append: false, hash: first.detachHash() });
  await second.write(0, [Buffer.from("jelly")]);
  t.is(second.detachHash(), null);
  await file.close();
});

test("while bytes come the disk is sent to work, and what it could not keep fails the end of the upload", async (t) => {
  const file = await open(await scratchFile(t), "w+");
  const flushes: PromiseWithResolvers<void>[] = [];
  Object.defineProperty(file, "datasync", {
    value: () => {
      flushes.push(Promise.withResolvers<void>());
      return flushes.at(-1)?.promise;
    },
  });
  const writing = new Writing({ file, sizeBytes: 0, append: false, flushEverySizeBytes: 4 });
  await writing.write(0, [Buffer.from("abc")]);
  await writing.settled();
  t.is(flushes.length, 0);
  await writing.write(3, [Buffer.from("d")]);
  await writing.settled();
  await writing.write(4, [Buffer.from("efgh")]);
  t.is(flushes.length, 1, "one at a time");
  await t.notThrowsAsync(writing.settled());
  flushes[0]?.reject(new Error("EIO"));
  await t.throwsAsync(writing.flushed(), { message: "EIO" });
  await t.throwsAsync(writing.write(8, [Buffer.from("i")]), { message: "EIO" });
  await file.close();
});
