/**
 * What `npm test` runs: one throw-away PostgreSQL with a migrated template database, then AVA over it. Arguments go to
 * AVA, so `npm test -- test/api/users.test.ts` runs one file.
 */
import { spawn } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { startCluster } from "../src/postgres/cluster.ts";
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

const dataDir = await mkdtemp(path.join(tmpdir(), "tideline-test-"));
await chmod(dataDir, 0o711);
// Nothing here outlives the run, so durability would only cost time; tests of durability start their own server.
const cluster = await startCluster(dataDir, { settings: ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200"] });
try {
  await createTemplate(cluster.url);
  const ava = fileURLToPath(new URL("../node_modules/ava/entrypoints/cli.js", import.meta.url));
  const child = spawn(process.execPath, [ava, ...process.argv.slice(2)], {
    stdio: ["inherit", "pipe", "inherit"],
    env: { ...process.env, ...tapOptions(), TIDELINE_TEST_POSTGRES: cluster.url, NODE_ENV: "test", ...(process.stdout.isTTY ? { FORCE_COLOR: "1" } : {}) },
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
