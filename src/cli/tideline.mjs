#!/usr/bin/env node
// The `tideline` command. Runs the TypeScript as it stands, or in a package what it was made into; under an older Node it
// hands over to the one that comes along. Plain JavaScript, so that any Node can read it.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { keepCompiled } from "./compiled.mjs";
import { findPinnedNode } from "./pinned-node.mjs";

/** The first major version that strips types and encapsulates ML-KEM without a flag. */
const nodeMajorMin = 24;

/** Threads of libuv's pool, which all of the process share: each file that is being fsynced holds one, and its four would be a queue. */
const poolThreads = 16;
process.env.UV_THREADPOOL_SIZE ??= String(poolThreads);

if (Number.parseInt(process.versions.node, 10) >= nodeMajorMin) {
  keepCompiled();
  // Node strips no types below node_modules.
  const packaged = new URL("../../dist/src/cli/command-line.js", import.meta.url);
  const isCheckout = existsSync(new URL("command-line.ts", import.meta.url));
  const { runCommandLine } = isCheckout ? await import("./command-line.ts") : await import(packaged.href);
  await runCommandLine(process.argv.slice(2));
} else {
  handOver();
}

function handOver() {
  const here = fileURLToPath(import.meta.url);
  const pinnedNode = findPinnedNode();
  if (pinnedNode === undefined) {
    console.error("Tideline: its packages are not installed yet. Run `npm ci` (or `npm start`) in its folder first.");
    process.exit(1);
  }
  const child = spawn(pinnedNode, [here, ...process.argv.slice(2)], { stdio: "inherit" });
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => child.kill(name));
  child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}
