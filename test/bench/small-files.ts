/**
 * How fast do many small files land over SFTP, and when are they loaded? npm run bench -- small-files [COUNT], by default
 * 15000. The clients, the service and the floor, OpenSSH's own server, are those of test/outside/many-files.ts.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

const outside = path.join(import.meta.dirname, "../outside/many-files.ts");

export async function bench(_clusterUrl: string, _folder: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [outside, ...args], { stdio: "inherit" });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error("many-files.ts failed");
}
