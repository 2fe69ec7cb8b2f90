/**
 * A disk of its own for a data folder, with a file system on it, whose power can be cut. Below the file system is a
 * loop device, below that disk-server.ts. What is in the kernel's page cache is gone with a cut, as the machine is.
 */
import { type ChildProcess, execFile, fork } from "node:child_process";
import { once } from "node:events";
import { access, chmod, constants, mkdir, open, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import type { Cut, CutResult } from "./disk-server.ts";

const run = promisify(execFile);

export type FileSystem = "ext4" | "xfs";

const sizeBytes = 2 * 1024 * 1024 * 1024;
const makers: Readonly<Record<FileSystem, readonly string[]>> = {
  ext4: ["mkfs.ext4", "-q", "-F", "-E", "nodiscard,lazy_itable_init=1"],
  xfs: ["mkfs.xfs", "-q", "-f", "-K"],
};
const goneWithinMs = 20_000;
const lookEveryMs = 50;

export class PowerDisk {
  /** Where its files are. */
  readonly place: string;
  readonly #fileSystem: FileSystem;
  readonly #image: string;
  readonly #below: string;
  #server: ChildProcess | null = null;
  #device: string | null = null;

  private constructor(folder: string, fileSystem: FileSystem) {
    this.#fileSystem = fileSystem;
    this.place = path.join(folder, "disk");
    this.#image = path.join(folder, "disk-image");
    this.#below = path.join(folder, "disk-below");
  }

  /** An empty one, mounted. @param folder is made for it */
  static async make(folder: string, fileSystem: FileSystem): Promise<PowerDisk> {
    const disk = new PowerDisk(folder, fileSystem);
    await mkdir(disk.place, { recursive: true });
    await mkdir(disk.#below);
    const image = await open(disk.#image, "w");
    await image.truncate(sizeBytes).finally(() => image.close());
    const [maker = "", ...parameters] = makers[fileSystem];
    await run(maker, [...parameters, disk.#image]);
    await disk.mount();
    return disk;
  }

  /** As after power has come back: the file system's own journal is replayed. */
  async mount(): Promise<void> {
    const server = fork(path.join(import.meta.dirname, "disk-server.ts"), [this.#image, this.#below]);
    this.#server = server;
    const [heard] = (await Promise.race([once(server, "message"), once(server, "exit")])) as [unknown];
    if (heard !== "ready") throw new Error("the disk's file system was not mounted");
    const { stdout } = await run("losetup", ["--find", "--show", path.join(this.#below, "disk")]);
    this.#device = stdout.trim();
    await run("mount", ["-t", this.#fileSystem, this.#device, this.place]);
    // As root, PostgreSQL's account must pass through.
    await chmod(this.place, 0o711);
  }

  /** Nothing that was not durable by now will be. The processes that use it are the caller's to kill, before `gone`. */
  async cut(cut: Cut): Promise<CutResult> {
    const server = this.#server;
    if (!server) throw new Error("the disk has no power");
    const told = once(server, "message");
    server.send(cut);
    return ((await told) as [CutResult])[0];
  }

  /** Takes the dead disk away; `mount` brings it back. @throws when something still uses it */
  async gone(): Promise<void> {
    await untilDone(() => run("umount", [this.place]));
    await this.#detach();
  }

  async remove(): Promise<void> {
    await run("umount", ["--lazy", this.place]).catch(() => undefined);
    await this.#detach();
    await rm(this.#image, { force: true });
  }

  async #detach(): Promise<void> {
    if (this.#device !== null) await run("losetup", ["--detach", this.#device]).catch(() => undefined);
    this.#device = null;
    const server = this.#server;
    this.#server = null;
    if (!server) return;
    const ended = server.exitCode === null && server.signalCode === null ? once(server, "exit") : null;
    await untilDone(() => run("umount", [this.#below]));
    server.kill("SIGKILL");
    await ended;
  }
}

async function untilDone(attempt: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + goneWithinMs;
  for (;;) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await wait(lookEveryMs);
    }
  }
}

/** Null, or why there can be none here. */
export async function powerDiskImpossible(fileSystem: FileSystem): Promise<string | null> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "needs root on Linux";
  for (const device of ["/dev/fuse", "/dev/loop-control"])
    if (!(await can(access(device, constants.R_OK | constants.W_OK)))) return `there is no ${device}`;
  for (const program of [makers[fileSystem][0] ?? "", "losetup", "mount"])
    if (!(await can(run(program, ["-V"])))) return `there is no ${program}`;
  return null;
}

function can(attempt: Promise<unknown>): Promise<boolean> {
  return attempt.then(
    () => true,
    () => false,
  );
}
