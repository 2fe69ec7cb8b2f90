/** A landing zone comes out of the archive as it went in: rights, times, holes, links into the vault. */
import { chmod, link, mkdir, mkdtemp, open, readFile, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import tar from "tar-stream";
import test, { type ExecutionContext } from "ava";
import { packFolders, unpackFolders } from "../../src/backup/folders.ts";

async function openFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-folders-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("files come back with content, rights and times, and a hole as a hole", async (t) => {
  const folder = await openFolder(t);
  const inbox = path.join(folder, "landing/bank/inbox");
  await mkdir(inbox, { recursive: true });
  await writeFile(path.join(inbox, "half.jwe.part"), "x".repeat(3_000_000));
  await chmod(path.join(inbox, "half.jwe.part"), 0o600);
  const hole = await open(path.join(inbox, "accounts_1.csv"), "w");
  await hole.close();
  await truncate(path.join(inbox, "accounts_1.csv"), 5_000_000);
  await chmod(path.join(inbox, "accounts_1.csv"), 0o440);
  const moment = new Date("2026-11-20T10:00:00Z");
  await utimes(path.join(inbox, "accounts_1.csv"), moment, moment);

  const archive = packFolders({ landing: path.join(folder, "landing") }, path.join(folder, "vault"));
  await unpackFolders(archive, { place: (first) => path.join(folder, "restored", first) });
  const restored = path.join(folder, "restored/landing/bank/inbox");
  t.is(await readFile(path.join(restored, "half.jwe.part"), "utf8"), "x".repeat(3_000_000));
  t.is((await stat(path.join(restored, "half.jwe.part"))).mode & 0o777, 0o600);
  const found = await stat(path.join(restored, "accounts_1.csv"));
  t.deepEqual([found.size, found.blocks, found.mode & 0o777, found.mtime], [5_000_000, 0, 0o440, moment]);
});

test("a file of the vault is a link to it, and offered again where its delivery may not have been recorded", async (t) => {
  const folder = await openFolder(t);
  const inbox = path.join(folder, "landing/inbox");
  await mkdir(inbox, { recursive: true });
  for (const [day, name] of [
    ["2026-11-21", "old.jwe"],
    ["2026-11-23", "new.jwe"],
  ] as const) {
    await mkdir(path.join(folder, "vault", day), { recursive: true });
    await writeFile(path.join(folder, "vault", day, "id"), day);
    await link(path.join(folder, "vault", day, "id"), path.join(inbox, name));
    await chmod(path.join(inbox, name), 0o440);
  }
  const archive = packFolders({ landing: path.join(folder, "landing") }, path.join(folder, "vault"));
  await unpackFolders(archive, {
    place: () => path.join(folder, "restored"),
    vault: path.join(folder, "vault"),
    sealFrom: "2026-11-23",
  });
  const modeOf = async (name: string) => (await stat(path.join(folder, "restored/inbox", name))).mode & 0o777;
  t.deepEqual([await modeOf("old.jwe"), await modeOf("new.jwe")], [0o440, 0o400]);
  t.is(
    (await stat(path.join(folder, "restored/inbox/old.jwe"))).ino,
    (await stat(path.join(folder, "vault/2026-11-21/id"))).ino,
  );
});

test("an archive whose names lead outside is refused", async (t) => {
  const folder = await openFolder(t);
  const pack = tar.pack();
  pack.entry({ name: "landing/../../outside" }, "text");
  pack.finalize();
  const archive = new PassThrough();
  await Promise.all([
    pipeline(Readable.from(pack as unknown as AsyncIterable<Buffer>), archive).catch(() => undefined),
    t.throwsAsync(unpackFolders(archive, { place: () => path.join(folder, "restored") }), { message: /outside/ }),
  ]);
});
