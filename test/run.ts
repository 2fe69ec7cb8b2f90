/**
 * What `npm test` runs: one throw-away PostgreSQL with a migrated template database, then AVA over it. Arguments go to
 * AVA, so `npm test -- test/api/users.test.ts` runs one file.
 */
import { spawn } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { tmpdir } from "node:os";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { startCluster } from "../src/postgres/cluster.ts";
import { createTemplate } from "./world.ts";

/** AVA closes with "12 tests passed", "1 test failed"; the last such lines are the run's result. */
function countResults(output: NodeJS.ReadableStream): { passed: number; failed: number } {
  const count = { passed: 0, failed: 0 };
  let tail = "";
  output.on("data", (chunk: Buffer) => {
    process.stdout.write(chunk);
    tail = (tail + stripVTControlCharacters(chunk.toString())).slice(-20_000);
    count.passed = Number(/(\d+) tests? passed/.exec(tail)?.[1] ?? 0);
    count.failed = Number(/(\d+) tests? failed/.exec(tail)?.[1] ?? 0) + Number(/(\d+) uncaught exceptions?/.exec(tail)?.[1] ?? 0);
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
    env: { ...process.env, TIDELINE_TEST_POSTGRES: cluster.url, NODE_ENV: "test", ...(process.stdout.isTTY ? { FORCE_COLOR: "1" } : {}) },
  });
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => child.kill(name));
  const count = countResults(child.stdout);
  process.exitCode = await new Promise<number>((resolve) => child.once("close", (code) => resolve(code ?? 1)));
  console.log(`\n${count.passed} passed, ${count.failed} failed`);
  if (count.passed === 0) process.exitCode = 1;
} finally {
  await cluster.stop();
  await rm(dataDir, { recursive: true, force: true });
}
