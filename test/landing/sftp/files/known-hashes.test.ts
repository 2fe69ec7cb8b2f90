/** A file that has not changed since its upload is not read again to be hashed, any other is. */
import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { appendFile, mkdtemp, open, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { KnownHashes } from "../../../../src/landing/sftp/files/known-hashes.ts";
import { openQuickly } from "../../../../src/machine/opened-file.ts";
import { inThreads } from "../../../../src/machine/quick-steps.ts";
import { close, type DoorWorld, open as openRemote, openDoorWorld, write } from "../world.ts";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function fileWith(t: ExecutionContext, text: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-hashes-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  await writeFile(path.join(folder, "file"), text);
  return path.join(folder, "file");
}

test("a hash is given back once, for the file as it was", async (t) => {
  const file = await fileWith(t, "hello");
  const hashes = new KnownHashes();
  const hash = createHash("sha256").update("hello");
  hashes.remember(file, await stat(file, { bigint: true }), hash);
  t.is(hashes.take(file, await stat(file, { bigint: true })), hash);
  t.is(hashes.take(file, await stat(file, { bigint: true })), null);
});

/**
 * Waits for the file system's clock, which ticks every few milliseconds: two changes within one tick cannot be told
 * apart.
 */
async function nextTickOf(file: string): Promise<void> {
  const { ctimeNs } = await stat(file, { bigint: true });
  const probe = `${file}.probe`;
  do await writeFile(probe, "");
  while ((await stat(probe, { bigint: true })).ctimeNs <= ctimeNs);
}

const tamperings: Record<string, (file: string) => Promise<unknown>> = {
  "bytes added": (file) => appendFile(file, "!"),
  "other bytes of the same length": (file) => writeFile(file, "jelly"),
  "other bytes of the same length, with the old time set": async (file) => {
    const { atime, mtime } = await stat(file);
    await writeFile(file, "jelly");
    await utimes(file, atime, mtime);
  },
  "another file in its place": async (file) => {
    await writeFile(`${file}.new`, "jelly");
    await rename(`${file}.new`, file);
  },
};

for (const [what, tamper] of Object.entries(tamperings)) {
  test(`it is not given back after ${what}`, async (t) => {
    const file = await fileWith(t, "hello");
    const hashes = new KnownHashes();
    hashes.remember(file, await stat(file, { bigint: true }), createHash("sha256").update("hello"));
    await nextTickOf(file);
    await tamper(file);
    t.is(hashes.take(file, await stat(file, { bigint: true })), null);
  });
}

type Read = (this: unknown, ...parameters: never[]) => Promise<unknown>;

/** Counts what is read of files, by anyone, while `work` runs. */
async function readsDuring(world: DoorWorld, work: () => Promise<unknown>): Promise<number> {
  const probe = path.join(world.folder, "probe");
  const creating = constants.O_WRONLY | constants.O_CREAT;
  const probes = [await open(probe, "w"), await openQuickly(probe, creating, 0o600, inThreads)];
  await Promise.all(probes.map((file) => file.close()));
  const prototypes = probes.map((file) => Object.getPrototypeOf(file) as { read: Read });
  let reads = 0;
  const restores = prototypes.map((prototype) => {
    const { read } = prototype;
    prototype.read = function counted(...parameters) {
      reads += 1;
      return read.apply(this, parameters);
    };
    return () => void (prototype.read = read);
  });
  try {
    await work();
  } finally {
    for (const restore of restores) restore();
  }
  return reads;
}

test.serial("a file that is uploaded, dated and renamed is not read again, and its hash is right", async (t) => {
  const world = await openDoorWorld(t);
  const { sftp } = await world.bare();
  const client = await world.client();
  const content = randomBytes(2_000_000);
  const reads = await readsDuring(world, async () => {
    await client.put(content, "/inbox/batch.jwe.tmp");
    await client.rename("/inbox/batch.jwe.tmp", "/inbox/batch.jwe.part");
    await new Promise<void>((resolve, reject) =>
      sftp.utimes("/inbox/batch.jwe.part", 1_000_000_000, 1_000_000_001, (error) =>
        error ? reject(error) : resolve(),
      ),
    );
    await client.rename("/inbox/batch.jwe.part", "/inbox/batch.jwe");
  });
  t.is(reads, 0);
  t.is(world.deliveries[0]?.sha256.toString("hex"), sha256(content));
});

test.serial("a file that is cut and resumed is not read again, and its hash is right", async (t) => {
  const world = await openDoorWorld(t);
  const content = randomBytes(300_000);
  const reads = await readsDuring(world, async () => {
    const { ssh, sftp } = await world.bare();
    const handle = await openRemote(sftp, "/inbox/batch.jwe", "w");
    await write(sftp, handle, content.subarray(0, 100_000), 0);
    ssh.destroy();
    await world.event("sftp.upload-abandoned");
    const again = (await world.bare()).sftp;
    const resumed = await openRemote(again, "/inbox/batch.jwe", "r+");
    await write(again, resumed, content.subarray(100_000, 200_000), 100_000);
    await write(again, resumed, content.subarray(200_000), 200_000);
    await close(again, resumed);
  });
  t.is(reads, 0);
  t.is(world.deliveries[0]?.sha256.toString("hex"), sha256(content));
});

test.serial("a file that someone changed on disk between upload and rename is read again", async (t) => {
  const world = await openDoorWorld(t);
  const client = await world.client();
  await client.put(Buffer.from("hello"), "/inbox/batch.jwe.tmp");
  await nextTickOf(world.inbox("batch.jwe.tmp"));
  await writeFile(world.inbox("batch.jwe.tmp"), "jelly");
  await client.rename("/inbox/batch.jwe.tmp", "/inbox/batch.jwe");
  t.is(world.deliveries[0]?.sha256.toString("hex"), sha256(Buffer.from("jelly")));
});
