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

test("statvfs tells of the file system on which files land", async (t) => {
  const world = await openDoorWorld(t);
  const { sftp } = await world.bare();
  const before = await statfs(world.landing);
  const told = await call<Record<string, number>>((done) => sftp.ext_openssh_statvfs("/inbox", done as never));
  const after = await statfs(world.landing);
  t.like(told, { f_bsize: after.bsize, f_frsize: after.bsize });
  // XFS and others count files and blocks anew as space comes and goes.
  for (const [figure, ...bounds] of [
    [told.f_blocks, before.blocks, after.blocks],
    [told.f_files, before.files, after.files],
  ] as const) {
    t.true(
      figure !== undefined && figure >= Math.min(...bounds) && figure <= Math.max(...bounds),
      String([figure, ...bounds]),
    );
  }
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
