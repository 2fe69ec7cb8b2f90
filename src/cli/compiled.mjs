/**
 * Where Node keeps what it made of the program's files: TypeScript without its types, and V8's code. Of 700 files that is
 * most of what a start and each thread's start cost, in time and in memory. Plain JavaScript, so that any Node can read it.
 */
import module from "node:module";
import path from "node:path";
import v8 from "node:v8";
import { root } from "./pinned-node.mjs";

/** With the packages, which are as much a matter of the installation and gone when they are made anew. */
const folder = path.join(root, "node_modules", ".cache", "tideline");

/**
 * For this process and its threads. Without a folder to write, or told otherwise by NODE_COMPILE_CACHE, Node goes on as it would.
 *
 * V8 takes no compiled code that was made under other settings. What a service sets for itself (garbage-collection.ts) is
 * therefore set before anything is read, wherever code is kept: set later, it has every thread that starts then, and the
 * main one too, compile what they read anew.
 */
export function keepCompiled() {
  v8.setFlagsFromString("--external-memory-accounted-in-global-limit");
  // Threads find it there.
  process.env.NODE_COMPILE_CACHE ??= folder;
  module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
}
