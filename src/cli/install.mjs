// Runs before `npm start` and `npm test`, on whatever Node the machine has: installs what package-lock.json names unless
// that very file was installed before. Plain JavaScript without dependencies, since nothing may be there yet.
import { createHash } from "node:crypto";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
// `npm test` needs what only development does, also where NODE_ENV is production; a start takes what is there.
const forTests = process.env.npm_lifecycle_event === "pretest";
const stamp = path.join(root, "node_modules", ".tideline-installed");
const testRunner = path.join(root, "node_modules", "ava", "package.json");
const pinnedNode = path.join(root, "node_modules", ".bin", "node");

const wanted = createHash("sha256")
  .update(readFileSync(path.join(root, "package.json")))
  .update(readFileSync(path.join(root, "package-lock.json")))
  .update(`${process.platform}-${process.arch}`)
  .digest("hex");

function installed() {
  try {
    return readFileSync(stamp, "utf8") === wanted && existsSync(pinnedNode) && (!forTests || existsSync(testRunner));
  } catch {
    return false;
  }
}

function npm(...parameters) {
  const npmProgram = process.env.npm_execpath;
  const [program, first] = npmProgram ? [process.execPath, [npmProgram]] : ["npm", []];
  return (
    spawnSync(program, [...first, ...parameters], { cwd: root, stdio: ["ignore", "inherit", "inherit"] }).status === 0
  );
}

function pinnedNodeRuns() {
  return spawnSync(pinnedNode, ["--version"]).status === 0;
}

if (!installed()) {
  console.error("Tideline: installing its packages (once, and again when package-lock.json changes) …");
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  if (!npm("install", ...(forTests ? ["--include=dev"] : []), ...quiet)) {
    console.error(
      "Tideline: npm install failed; its message stands above. Check that the npm registry can be reached.",
    );
    process.exit(1);
  }
  // Where install scripts are switched off, the package that carries Node is unpacked here.
  if (!pinnedNodeRuns() && !(npm("rebuild", "node", "--ignore-scripts=false", ...quiet) && pinnedNodeRuns())) {
    console.error("Tideline: the Node that it brings along does not run on this machine (npm package `node`).");
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}
