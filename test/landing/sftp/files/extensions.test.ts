/** What OpenSSH's extensions do here, as a client that uses them sees it. */
import { readFile, stat, statfs } from "node:fs/promises";
import test from "ava";
import type { SFTPWrapper } from "ssh2";
import { close, open, openDoorWorld, write } from "../world.ts";

type Done<Result> = (error: Error | null | undefined, result: Result) => void;

async function call<Result = void>(start: (done: Done<Result>) => unknown): Promise<Result> {
  return await new Promise((resolve, reject) => {
    start((error, result) => (error ? reject(error) : resolve(result)));
  });
}

async function upload(sftp: SFTPWrapper, name: string, content: string): Promise<void> {
  const handle = await open(sftp, name, "w");
  await write(sftp, handle, Buffer.from(content), 0);
  await close(sftp, handle);
}

test("posix-rename takes the place of a file that is not delivered, the plain rename does not", async (t) => {
  const world = await openDoorWorld(t);
  const { sftp } = await world.bare();
  await upload(sftp, "/inbox/new.tmp", "new");
  await upload(sftp, "/inbox/old.part", "old");
  await t.throwsAsync(
    call((done) => sftp.rename("/inbox/new.tmp", "/inbox/old.part", done as never)),
    { message: /exists already/ },
  );
  await call((done) => sftp.ext_openssh_rename("/inbox/new.tmp", "/inbox/old.part", done as never));
  t.is(await readFile(world.inbox("old.part"), "utf8"), "new");
  t.is(world.deliveries.length, 0);
});

test("statvfs tells of the partner's quota, and of the disk where that has less", async (t) => {
  const world = await openDoorWorld(t);
  const { bsize } = await statfs(world.folder);
  const partner = world.partners.get("demo");
  if (!partner) throw new Error("no partner");
  const quota = { ...partner.quota, inboxBytes: 60 * bsize, storedBytes: 100 * bsize, inboxFiles: 5, storedFiles: 40 };
  world.partners.set("demo", { ...partner, quota });
  world.stored = { storedBytes: 70 * bsize, storedFiles: 30 };
  const { sftp } = await world.bare();
  await upload(sftp, "/inbox/day.part", "x".repeat(2 * bsize));
  const look = () => call<Record<string, number>>((done) => sftp.ext_openssh_statvfs("/inbox", done as never));
  t.like(await look(), {
    f_bsize: bsize,
    f_frsize: bsize,
    f_blocks: 72 + 28,
    f_bfree: 28,
    f_bavail: 28,
    f_files: 31 + 4,
    f_ffree: 4,
    f_favail: 4,
  });
});

test("statvfs of a partner whose quota is larger than the disk tells what the disk has", async (t) => {
  const world = await openDoorWorld(t);
  const partner = world.partners.get("demo");
  if (!partner) throw new Error("no partner");
  const huge = 2 ** 50;
  world.partners.set("demo", { ...partner, quota: { ...partner.quota, inboxBytes: huge, storedBytes: huge } });
  const { sftp } = await world.bare();
  const before = await statfs(world.folder);
  const told = await call<Record<string, number>>((done) => sftp.ext_openssh_statvfs("/inbox", done as never));
  const after = await statfs(world.landing);
  // Others write to the same disk meanwhile.
  const free = told.f_bavail ?? -1;
  t.true(free >= Math.min(before.bavail, after.bavail) - 1000 && free <= Math.max(before.bavail, after.bavail) + 1000);
});

test("fsync of an upload leaves what was written on the disk, and of a file that is read is refused", async (t) => {
  const world = await openDoorWorld(t);
  const { sftp } = await world.bare();
  const handle = await open(sftp, "/inbox/day.jwe", "w");
  const written = write(sftp, handle, Buffer.from("hello"), 0);
  await call((done) => sftp.ext_openssh_fsync(handle, done as never));
  t.is(await readFile(world.inbox("day.jwe"), "utf8"), "hello");
  await written;
  await close(sftp, handle);
  const reading = await open(sftp, "/inbox/day.jwe", "r");
  await t.throwsAsync(call((done) => sftp.ext_openssh_fsync(reading, done as never)));
});

test("lsetstat dates a file", async (t) => {
  const world = await openDoorWorld(t);
  const { sftp } = await world.bare();
  await upload(sftp, "/inbox/day.jwe", "hello");
  await call((done) =>
    sftp.ext_openssh_lsetstat("/inbox/day.jwe", { atime: 1_700_000_000, mtime: 1_700_000_001 } as never, done as never),
  );
  t.is((await stat(world.inbox("day.jwe"))).mtimeMs, 1_700_000_001_000);
});
