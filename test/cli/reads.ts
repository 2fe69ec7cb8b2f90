/** Which modules a command, or a service, reads from its first line to its last. */

/** For NODE_OPTIONS: writes the URLs that the process's main thread has read to the file, as JSON, when it ends. */
export function tellingReads(file: string): string {
  const hook = `
    import { registerHooks } from "node:module";
    import { writeFileSync } from "node:fs";
    import { isMainThread } from "node:worker_threads";
    const read = new Set();
    registerHooks({ load(url, context, next) { read.add(url); return next(url, context); } });
    if (isMainThread) process.on("exit", () => writeFileSync(${JSON.stringify(file)}, JSON.stringify([...read])));`;
  return `--import=data:text/javascript,${encodeURIComponent(hook)}`;
}

/** Those of the libraries of which something was read. */
export function among(read: readonly string[], libraries: readonly string[]): string[] {
  return libraries.filter((library) => read.some((url) => url.includes(`/node_modules/${library}/`)));
}
