/**
 * What `npm test` runs: one throw-away PostgreSQL with a migrated template database, then AVA over it. Arguments go to
 * AVA, so `npm test -- test/api/routes/users.test.ts` runs one file. A right that a role of the service lacked fails the run.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { unmarked } from "./joined/marker.ts";
import { allTestFiles, planOf } from "./joined/plan.ts";
import { tapOptions } from "./log-tap/options.ts";
import { openThrowAway } from "./throw-away.ts";

/** Gives each test file a process of its own; else files share them, but for a single one and what runs with AVA's options. */
const apart = "--apart";
/** Tells at the end which files took longest, of those that share processes. */
const times = "--times";
const timesTold = 25;

/** Counts AVA's lines: a tick for each test that passed, a cross for each that failed or file that broke. */
function countResults(output: NodeJS.ReadableStream): { passed: number; failed: number } {
  const count = { passed: 0, failed: 0 };
  createInterface({ input: output }).on("line", (told) => {
    const line = unmarked(told);
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

/** What AVA is told, and the environment with it. */
async function prepare(folder: string): Promise<{ parameters: string[]; environment: Record<string, string> }> {
  const given = process.argv.slice(2).filter((one) => one !== apart && one !== times);
  const files = given.length === 0 ? allTestFiles() : given;
  const arePaths = files.every((file) => file.endsWith(".test.ts") && existsSync(file));
  if (process.argv.includes(apart) || !arePaths || files.length === 1) return { parameters: given, environment: {} };
  const plan = path.join(folder, "plan.json");
  await writeFile(plan, JSON.stringify(planOf(files)));
  const environment = {
    JOINED_TESTS_PLAN: plan,
    ...(process.argv.includes(times) ? { JOINED_TESTS_TIMES: `${plan}.times` } : {}),
  };
  return { parameters: ["--config", "test/joined/config.mjs"], environment };
}

/** In seconds, beside whatever else ran meanwhile. */
async function tellTimes({ JOINED_TESTS_TIMES }: Record<string, string>): Promise<void> {
  if (JOINED_TESTS_TIMES === undefined) return;
  const lines = (await readFile(JOINED_TESTS_TIMES, "utf8")).trimEnd().split("\n");
  const longest = lines.toSorted((a, b) => Number.parseFloat(b) - Number.parseFloat(a)).slice(0, timesTold);
  console.log(`\nSeconds by test file, the longest of ${lines.length}:\n${longest.join("\n")}`);
}

const postgres = await openThrowAway();
try {
  const ava = fileURLToPath(new URL("../node_modules/ava/entrypoints/cli.js", import.meta.url));
  const { parameters, environment } = await prepare(postgres.folder);
  const child = spawn(process.execPath, [ava, ...parameters], {
    stdio: ["inherit", "pipe", "inherit"],
    env: {
      ...process.env,
      // Services of several tests run at once; the console's port is told nowhere.
      TIDELINE_CONSOLE_PORT: "0",
      ...tapOptions(),
      ...compiledOnce(postgres.folder),
      ...postgres.environment,
      ...environment,
      NODE_ENV: "test",
      ...(process.stdout.isTTY ? { FORCE_COLOR: "1" } : {}),
    },
  });
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => child.kill(name));
  const count = countResults(child.stdout);
  process.exitCode = await new Promise<number>((resolve) => child.once("close", (code) => resolve(code ?? 1)));
  console.log(`\n${count.passed} passed, ${count.failed} failed`);
  await tellTimes(environment);
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
