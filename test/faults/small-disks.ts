/** File systems of some megabytes in memory, to be filled up; Linux and root only. */
import { execFile } from "node:child_process";
import { mkdir, open, rm, truncate } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const mebibyte = 1024 * 1024;
const ballastName = ".ballast";
const pieceBytes = mebibyte;

/**
 * What lies on a file system of its own below the world's folder, and how large that is. The database's WAL needs most.
 */
export const disks = { landing: 96 * mebibyte, vault: 96 * mebibyte, everything: 900 * mebibyte } as const;
export type Disk = keyof typeof disks;

/** @returns how to take them away again */
export async function mountDisks(folder: string): Promise<() => Promise<void>> {
  const places = Object.entries(disks).map(([name, sizeBytes]) => ({ place: path.join(folder, name), sizeBytes }));
  for (const { place, sizeBytes } of places) {
    await mkdir(place);
    // As root, PostgreSQL's account must pass through.
    await run("mount", ["-t", "tmpfs", "-o", `size=${sizeBytes},mode=711`, "tmpfs", place]);
  }
  return async () => {
    for (const { place } of places) await run("umount", ["--lazy", place]);
  };
}

/** Null, or why there can be none here. */
export async function disksImpossible(): Promise<string | null> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "needs root on Linux";
  return await run("mount", ["--version"]).then(
    () => null,
    () => "there is no mount",
  );
}

/** Takes what is free but for some bytes. @returns how to give it back */
export async function fill(place: string, leaveBytes: number): Promise<() => Promise<void>> {
  const ballast = path.join(place, ballastName);
  const file = await open(ballast, "w");
  const piece = Buffer.alloc(pieceBytes, 1);
  let sizeBytes = 0;
  try {
    for (;;) sizeBytes += (await file.write(piece)).bytesWritten;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    await file.close();
  }
  await truncate(ballast, Math.max(0, sizeBytes - leaveBytes));
  return () => rm(ballast);
}
