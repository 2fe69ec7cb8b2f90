/**
 * What `npm test` runs: one throw-away PostgreSQL with a migrated template database, then AVA over it. Arguments go to
 * AVA, so `npm test -- test/api/routes/users.test.ts` runs one file. A right that a role of the service lacked fails the run.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { tapOptions } from "./log-tap/options.ts";
import { openThrowAway } from "./throw-away.ts";

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

const postgres = await openThrowAway();
try {
  const ava = fileURLToPath(new URL("../node_modules/ava/entrypoints/cli.js", import.meta.url));
  const child = spawn(process.execPath, [ava, ...process.argv.slice(2)], {
    stdio: ["inherit", "pipe", "inherit"],
    env: {
      ...process.env,
      // Services of several tests run at once; the console's port is told nowhere.
      TIDELINE_CONSOLE_PORT: "0",
      ...tapOptions(),
      ...compiledOnce(postgres.folder),
      ...postgres.environment,
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
  const denials = await postgres.denials();
  if (denials.length > 0) {
    console.log(`Roles of the service lack rights (src/database/role-rights.ts):\n${denials.join("\n")}`);
    process.exitCode = 1;
  }
} finally {
  await postgres.close();
}
