/**
 * Steps on a disk that need nothing but the kernel's memory: making a file, writing some kilobytes, a mode, a second
 * name, closing. The kernel takes some microseconds for each, and a turn through libuv's threads some fifty, nearly all of
 * them for waking: the five of a small file cost 265 µs of processors there, and 44 where they are asked for. So that is
 * where they are taken, on disks of this machine alone: with another's everybody would wait for the network. A disk that
 * makes one step wait all the same has those that follow go through the threads for a while.
 */
import { statfs } from "node:fs/promises";

export type QuickSteps = {
  /**
   * @param now takes the step before it returns
   * @param inThread takes it in a thread, with the same result and the same failures
   */
  take<Result>(now: () => Result, inThread: () => Promise<Result>): Promise<Result>;
};

export const inThreads: QuickSteps = { take: (_now, inThread) => inThread() };

/** File systems by their numbers in statfs(2). What is not among them may be a network's. */
const localFileSystems: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0x2fc12fc1, // ZFS
  0xf2f52010, // F2FS
  0x01021994, // tmpfs
  0x794c7630, // layers of a container
]);

/** Longer than another program has the processor between two steps of ours. */
const slowMs = 10;
/** After a slow step. Where the next is slow soon after it, twice as long each time. */
const restMsMin = 100;
const restMsMax = 10_000;

export type QuickStepsOptions = {
  isLocal?: (directory: string) => Promise<boolean>;
  /** Milliseconds of a clock that never goes back. */
  clock?: () => number;
};

/** What the directory lies on is found out with the first step, which is taken in a thread. */
export function quickStepsIn(
  directory: string,
  { isLocal = isOnLocalDisk, clock = () => performance.now() }: QuickStepsOptions = {},
): QuickSteps {
  let isAsked = false;
  let restsUntilMs = Number.POSITIVE_INFINITY;
  let restMs = restMsMin;
  const ask = async () => {
    isAsked = true;
    // One that cannot be asked may be away: in threads it stays.
    if (await isLocal(directory).catch(() => false)) restsUntilMs = Number.NEGATIVE_INFINITY;
  };
  const rest = (atMs: number) => {
    restMs = atMs - restsUntilMs < restMs ? Math.min(restMs * 2, restMsMax) : restMsMin;
    restsUntilMs = atMs + restMs;
  };
  return {
    async take(now, inThread) {
      if (!isAsked) void ask();
      const startedAtMs = clock();
      if (startedAtMs < restsUntilMs) return await inThread();
      try {
        return now();
      } finally {
        const endedAtMs = clock();
        if (endedAtMs - startedAtMs > slowMs) rest(endedAtMs);
      }
    },
  };
}

async function isOnLocalDisk(directory: string): Promise<boolean> {
  if (process.platform !== "linux") return false;
  const { type } = await statfs(directory);
  return localFileSystems.has(type);
}
