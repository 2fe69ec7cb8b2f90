/**
 * Runs before `npm start` and `npm test`, on whatever Node the machine has: installs what package-lock.json names, by
 * `npm ci`, unless that is what node_modules holds, and after any installation puts the pinned Node where the scripts
 * of package.json find it. Plain JavaScript without dependencies, since nothing may be there yet.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readlinkSync, renameSync, symlinkSync } from "node:fs";
import path from "node:path";
import { findPinnedNode, pinnedNode, pinnedPackage, root } from "./pinned-node.mjs";

const event = process.env.npm_lifecycle_event;
// `npm test` and `npm pack` need what only development does, also where NODE_ENV is production; a start takes what is there.
const forTests = event === "pretest" || event === "prepack";

/** Compiling ahead takes some 30 s where it is slow. */
const compileWithinMs = 180_000;

const isMissing = event !== "postinstall" && !isInstalled();
if (isMissing) install();
if (existsSync(pinnedNode)) linkNode();
if (isMissing || event === "postinstall") compileAhead();

/** Whether node_modules holds what package-lock.json names, by the account of it that npm leaves there when it is done. */
function isInstalled() {
  const wanted = readPackages("package-lock.json");
  const present = existsSync(path.join(root, "node_modules", ".package-lock.json"))
    ? readPackages("node_modules/.package-lock.json")
    : {};
  return (
    existsSync(pinnedNode) &&
    `node_modules/${pinnedPackage}` in present &&
    Object.keys(present).every((place) => place in wanted) &&
    Object.entries(wanted).every(([place, entry]) => isAsWanted(present[place], entry))
  );
}

/** Packages by their place, without the project itself. */
function readPackages(lockfile) {
  const { "": _project, ...packages } = JSON.parse(readFileSync(path.join(root, lockfile), "utf8")).packages;
  return packages;
}

function isAsWanted(present, wanted) {
  if (present) return present.version === wanted.version && present.integrity === wanted.integrity;
  // Optional packages are there where they suit the platform.
  return Boolean(wanted.optional ?? wanted.devOptional) || (Boolean(wanted.dev) && !forTests);
}

function install() {
  if (!(`node_modules/${pinnedPackage}` in readPackages("package-lock.json"))) {
    fail(`it brings no Node for ${process.platform} on ${process.arch}.`);
  }
  console.error("Tideline: installing its packages (once, and again when package-lock.json changes) …");
  // No package needs its install script; Node's own package is optional, so no setting of the user may leave it out.
  const parameters = ["ci", "--ignore-scripts", "--include=optional", ...(forTests ? ["--include=dev"] : [])];
  if (!npm(...parameters, "--no-audit", "--no-fund", "--loglevel=error")) {
    fail("npm ci failed; its message stands above. Check that the npm registry can be reached.");
  }
  if (spawnSync(pinnedNode, ["--version"]).status !== 0) {
    fail(`the Node that it brings along does not run on this machine (npm package ${pinnedPackage}).`);
  }
}

/** A first start need not compile then. Where nothing can be kept, it does. */
function compileAhead() {
  const node = findPinnedNode();
  if (node !== undefined)
    spawnSync(node, [path.join(root, "src/cli/compile-ahead.mjs")], { stdio: "ignore", timeout: compileWithinMs });
}

/** By the Node under which npm was started: the pinned one, which may run this, is taken away meanwhile. */
function npm(...parameters) {
  const { npm_execpath: program, npm_node_execpath: node = process.execPath } = process.env;
  const [command, ...first] = program ? [node, program] : ["npm"];
  return (
    spawnSync(command, [...first, ...parameters], { cwd: root, stdio: ["ignore", "inherit", "inherit"] }).status === 0
  );
}

/**
 * npm itself links it, but npm 10 then takes the link away with the packages for other platforms, which have a program
 * of the same name. Where the folder is not ours to write, `tideline.mjs` finds the Node without it.
 */
function linkNode() {
  const link = path.join(root, "node_modules", ".bin", "node");
  const target = path.relative(path.dirname(link), pinnedNode);
  if (targetOf(link) === target) return;
  const unfinished = `${link}.${process.pid}`;
  try {
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(target, unfinished);
    renameSync(unfinished, link);
  } catch (error) {
    if (error.code !== "EACCES" && error.code !== "EROFS") throw error;
  }
}

/** Null where there is nothing, or something other than a link. */
function targetOf(link) {
  try {
    return readlinkSync(link);
  } catch {
    return null;
  }
}

function fail(reason) {
  console.error(`Tideline: ${reason}`);
  process.exit(1);
}
