/**
 * What `npm test` runs: one throw-away PostgreSQL with a migrated template database, then AVA over it. Arguments go to
 * AVA, so `npm test -- test/api/routes/users.test.ts` runs one file.
 */
import { spawn } from "node:child_process";
import { access, chmod, constants, mkdtemp, rm, statfs } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { startCluster } from "../src/database/embedded/cluster.ts";
import { tapOptions } from "./log-tap/options.ts";
import { createTemplate } from "./world.ts";

/** Counts AVA's lines: a tick for each test that passed, a cross for each that failed or file that broke. */
function countResults(output: NodeJS.ReadableStream): { passed: number; failed: number } {
  const count = { passed: 0, failed: 0 };
  createInterface({ input: output }).on("line", (line) => {
    process.stdout.write(`${line}\n`);
    const plain = stripVTControlCharacters(line);
    if (/^\s+✔ /.test(plain)) count.passed++;
    if (/^\s+✘ /.test(plain)) count.failed++;
  });
  return count;
}

/** Hundreds of processes load the same modules: the first compiles them, which costs half a second to a second each. */
const compiledOnce = (folder: string) => ({
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(folder, "compiled"),
});

/** Databases of tests that run at once, and their log. */
const memoryNeededBytes = 3 * 1024 ** 3;

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

const dataDir = await mkdtemp(path.join(await quickFolder(), "tideline-test-"));
await chmod(dataDir, 0o711);
// Nothing here outlives the run, so durability would only cost time; tests of durability start their own server.
const cluster = await startCluster(dataDir, {
  settings: [
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "max_connections=200",
    "max_wal_size=512MB",
  ],
});
try {
  await createTemplate(cluster.url);
  const ava = fileURLToPath(new URL("../node_modules/ava/entrypoints/cli.js", import.meta.url));
  const child = spawn(process.execPath, [ava, ...process.argv.slice(2)], {
    stdio: ["inherit", "pipe", "inherit"],
    env: {
      ...process.env,
      ...tapOptions(),
      ...compiledOnce(dataDir),
      TIDELINE_TEST_POSTGRES: cluster.url,
      NODE_ENV: "test",
      ...(process.stdout.isTTY ? { FORCE_COLOR: "1" } : {}),
    },
  });
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => child.kill(name));
  const count = countResults(child.stdout);
  process.exitCode = await new Promise<number>((resolve) => child.once("close", (code) => resolve(code ?? 1)));
  console.log(`\n${count.passed} passed, ${count.failed} failed`);
  // A run of nothing proves nothing.
  if (count.passed === 0) process.exitCode = 1;
} finally {
  await cluster.stop();
  await rm(dataDir, { recursive: true, force: true });
}
