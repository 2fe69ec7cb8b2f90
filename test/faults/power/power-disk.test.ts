/** The disk whose power is cut forgets what was not synced, and nothing else: otherwise it would prove nothing. */
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { writeSmallFile } from "../../../src/machine/small-file.ts";
import { syncFolder } from "../../../src/machine/sync-folder.ts";
import type { Kept } from "./disk-server.ts";
import { type FileSystem, PowerDisk, powerDiskImpossible } from "./power-disk.ts";

async function cutAndMount(disk: PowerDisk, keep: Kept): Promise<void> {
  await disk.cut({ keep, seed: 1 });
  await disk.gone();
  await disk.mount();
}

async function openDisk(t: ExecutionContext, fileSystem: FileSystem): Promise<PowerDisk> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-power-"));
  const disk = await PowerDisk.make(folder, fileSystem);
  t.teardown(async () => {
    await disk.remove();
    await rm(folder, { recursive: true, force: true });
  });
  return disk;
}

for (const fileSystem of ["ext4", "xfs"] as const) {
  test.serial(`on ${fileSystem} a cut leaves what was synced, and empties what was only renamed`, async (t) => {
    const impossible = await powerDiskImpossible(fileSystem);
    if (impossible !== null) return t.regex(impossible, /^(needs|there is no) /);
    const disk = await openDisk(t, fileSystem);
    const at = (name: string) => path.join(disk.place, "folder", name);
    await mkdir(at(""));
    for (const keep of ["all", "none", "some"] as const) {
      await writeSmallFile(at(`${keep}-small`), "whole");
      await writeFile(at(`${keep}-unsynced`), "gone");
      await rename(at(`${keep}-unsynced`), at(`${keep}-renamed`));
      await syncFolder(at(""));
      await writeFile(at(`${keep}-last`), "gone");
      await cutAndMount(disk, keep);
      t.is(await readFile(at(`${keep}-small`), "utf8"), "whole", keep);
      t.is(await readFile(at(`${keep}-renamed`), "utf8"), "", keep);
      await t.throwsAsync(readFile(at(`${keep}-last`)), { code: "ENOENT" }, keep);
    }
  });
}

test.serial("from the cut on nobody is told that anything is durable", async (t) => {
  const impossible = await powerDiskImpossible("ext4");
  if (impossible !== null) return t.regex(impossible, /^(needs|there is no) /);
  const disk = await openDisk(t, "ext4");
  await disk.cut({ keep: "all", seed: 1 });
  await t.throwsAsync(writeSmallFile(path.join(disk.place, "late"), "late"), { message: /EIO|EROFS/ });
  await disk.gone();
  await disk.mount();
  await t.throwsAsync(readFile(path.join(disk.place, "late")), { code: "ENOENT" });
});
