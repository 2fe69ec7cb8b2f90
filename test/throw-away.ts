/** A PostgreSQL for one run of tests, with the migrated template that each test's database is cloned from. */
import { access, chmod, constants, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startCluster } from "../src/database/embedded/cluster.ts";
import { readDenials } from "./denials.ts";
import { createTemplate } from "./world.ts";

export type ThrowAway = {
  /** Gone with everything in it when the run ends. */
  folder: string;
  url: string;
  /** What tests need to find it. */
  environment: Record<string, string>;
  /** Rights that the service's roles lacked so far. */
  denials(): Promise<string[]>;
  close(): Promise<void>;
};

/** Nothing here outlives the run, so durability would only cost time; tests of durability start their own server. */
const settings = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "max_connections=200",
  "max_wal_size=512MB",
];

/** Databases of tests that run at once, and their log. */
const memoryNeededBytes = 3 * 1024 ** 3;

export async function openThrowAway(): Promise<ThrowAway> {
  const folder = await mkdtemp(path.join(await quickFolder(), "tideline-test-"));
  try {
    await chmod(folder, 0o711);
    const cluster = await startCluster(folder, { settings });
    const close = async (): Promise<void> => {
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    };
    await createTemplate(cluster.url).catch(async (error: unknown) => {
      await close();
      throw error;
    });
    return {
      folder,
      url: cluster.url,
      environment: { TIDELINE_TEST_POSTGRES: cluster.url },
      denials: () => readDenials(cluster.location),
      close,
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Where there is a file system in memory, with room: a database for each test is seven hundred files, which ext4 takes
 * up to 300 ms of processor time to copy and forget, and tmpfs 30.
 */
async function quickFolder(): Promise<string> {
  const memory = "/dev/shm";
  const isRoomy = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize >= memoryNeededBytes,
    () => false,
  );
  const isOurs =
    isRoomy &&
    (await access(memory, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    ));
  return isOurs ? memory : tmpdir();
}
