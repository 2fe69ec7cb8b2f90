/** A data folder is held by one process at a time, also when many start over a dead one's lock. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { claimDataFolder, dataFolderAt } from "../../src/machine/data-folder.ts";

test("a folder is held by one, and free again afterwards", async (t) => {
  const folder = dataFolderAt(await temporaryFolder(t));
  const release = await claimDataFolder(folder);
  t.is(await readFile(path.join(folder.root, "tideline.pid"), "utf8"), `${process.pid}\n`);
  await release();
  t.deepEqual(await readdir(folder.root), []);
});

test("of many that start at once over a dead one's lock, one gets the folder and the others are told", async (t) => {
  const root = await temporaryFolder(t);
  await writeFile(path.join(root, "tideline.pid"), "4194305\n");
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => claimElsewhere(t, root)));
  t.deepEqual(outcomes.toSorted(), [
    "DATA_DIR_IN_USE",
    "DATA_DIR_IN_USE",
    "DATA_DIR_IN_USE",
    "DATA_DIR_IN_USE",
    "DATA_DIR_IN_USE",
    "claimed",
  ]);
});

/** Claims in a process of its own, which then holds the folder until the test ends. */
async function claimElsewhere(t: ExecutionContext, root: string): Promise<string> {
  const source = new URL("../../src/machine/data-folder.ts", import.meta.url).href;
  const script = `
    import { claimDataFolder, dataFolderAt } from ${JSON.stringify(source)};
    // Its command line is what a holder is known by: tideline.
    const outcome = await claimDataFolder(dataFolderAt(${JSON.stringify(root)})).then(() => "claimed", (error) => error.code);
    process.stdout.write(outcome);
    if (outcome === "claimed") setInterval(() => undefined, 60_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.teardown(() => void child.kill());
  const [answer] = (await once(child.stdout, "data")) as [Buffer];
  return answer.toString();
}

async function temporaryFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-folder-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
