/**
 * The guard before a full disk: below a floor no new bytes are taken, so that what was accepted can still be recorded,
 * loaded and answered for. Between two looks at the disk it counts what was let through.
 */
import { stat, statfs } from "node:fs/promises";
import type { Events } from "../events.ts";

export type DiskFloor = { bytesMin: number; percentMin: number };

/** A file system by what lies on it: "landing" for inboxes and vault, "database" for the embedded server's files. */
export type WatchedFolder = { name: string; folder: string };

/** The same device is the same disk. */
export type Space = { device: number; freeBytes: number; sizeBytes: number };
export type ReadSpace = (folder: string) => Promise<Space>;

export type DiskGuard = {
  /** Whether a folder, or any when none is named, is below its floor. */
  isLow(name?: string): boolean;
  /** Counts bytes that are about to be written to a folder. */
  reserve(name: string, sizeBytes: number): void;
  /** Of a folder, as far as is known; 0 for one that is not watched. */
  freeBytes(name: string): number;
  /** Each disk once, with the names of all that lies on it. */
  disks(): readonly WatchedDisk[];
  /** What is known of each place, for figures; several may lie on one disk. */
  spaces(): readonly PlaceSpace[];
  /** What readiness says: "ok", or the folders that are low. */
  describe(): string;
  /** Looks at every folder now. @throws what the file system says */
  look(): Promise<void>;
  close(): void;
};

export type WatchedDisk = { names: readonly string[]; freeBytes: number; isLow: boolean };

export type PlaceSpace = { place: string; freeBytes: number; sizeBytes: number; floorBytes: number };

/** One disk with the names of all that lies on it. */
type Watched = Space & { names: string[]; folder: string; low: boolean };

/** 2 GB/s, more than any network here brings, take a gigabyte between two looks: less than the counting in between. */
const lookEveryMs = 500;
/** Low ends only this far above the floor: one removed file is no recovery. */
const recoveryFactor = 1.1;

/** Looks once before it returns. @throws what the file system says about a folder */
export async function openDiskGuard(
  folders: readonly WatchedFolder[],
  floor: DiskFloor,
  events: Events,
  readSpace: ReadSpace = spaceOf,
): Promise<DiskGuard> {
  const watched = await findDisks(folders, readSpace);
  const named = (name: string) => watched.find((one) => one.names.includes(name));
  const look = async () => {
    for (const one of watched) {
      Object.assign(one, await readSpace(one.folder));
      judge(one, floor, events);
    }
  };
  await look();
  let looking = false;
  let readable = true;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    look()
      .then(() => (readable = true))
      .catch((error: unknown) => {
        if (readable) events.emit("disk.unreadable", { error });
        readable = false;
      })
      .finally(() => (looking = false));
  }, lookEveryMs);
  return {
    isLow: (name) => watched.some((one) => one.low && (name === undefined || one.names.includes(name))),
    reserve(name, sizeBytes) {
      const one = named(name);
      if (!one) return;
      one.freeBytes -= sizeBytes;
      judge(one, floor, events);
    },
    freeBytes: (name) => named(name)?.freeBytes ?? 0,
    disks: () => watched.map(({ names, freeBytes, low }) => ({ names, freeBytes: Math.max(0, freeBytes), isLow: low })),
    spaces: () =>
      watched.flatMap(({ names, freeBytes, sizeBytes }) =>
        names.map((place) => ({
          place,
          freeBytes: Math.max(0, freeBytes),
          sizeBytes,
          floorBytes: floorOf(sizeBytes, floor),
        })),
      ),
    describe: () =>
      watched
        .filter((one) => one.low)
        .map((one) => `no space for ${one.names.join(" and ")}`)
        .join(", ") || "ok",
    look,
    close: () => clearInterval(timer),
  };
}

async function findDisks(folders: readonly WatchedFolder[], readSpace: ReadSpace): Promise<Watched[]> {
  const disks: Watched[] = [];
  for (const { name, folder } of folders) {
    const space = await readSpace(folder);
    const known = disks.find((one) => one.device === space.device);
    if (known) known.names.push(name);
    else disks.push({ ...space, names: [name], folder, low: false });
  }
  return disks;
}

/** One event a change. */
function judge(one: Watched, floor: DiskFloor, events: Events): void {
  const floorBytes = floorOf(one.sizeBytes, floor);
  const low = one.freeBytes < floorBytes * (one.low ? recoveryFactor : 1);
  if (low === one.low) return;
  one.low = low;
  events.emit(low ? "disk.low" : "disk.recovered", {
    place: one.names.join(" and "),
    freeBytes: Math.max(0, Math.round(one.freeBytes)),
    floorBytes: Math.round(floorBytes),
  });
}

function floorOf(sizeBytes: number, { bytesMin, percentMin }: DiskFloor): number {
  return Math.max(bytesMin, (sizeBytes * percentMin) / 100);
}

/** Free for an ordinary user: what is reserved for root is no room. */
async function spaceOf(folder: string): Promise<Space> {
  const { bsize, bavail, blocks } = await statfs(folder);
  const { dev: device } = await stat(folder);
  return { device, freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
}
