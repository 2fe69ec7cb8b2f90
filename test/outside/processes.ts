/** Processes as the system lists them. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

export type Process = { pid: number; parent: number; memoryBytes: number; command: string };

export async function listProcesses(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)("ps", ["-eo", "pid=,ppid=,rss=,args="], { maxBuffer: 16 * 1024 * 1024 });
  return stdout.split("\n").flatMap((line) => {
    const found = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line);
    return found
      ? [
          {
            pid: Number(found[1]),
            parent: Number(found[2]),
            memoryBytes: Number(found[3]) * 1024,
            command: found[4] ?? "",
          },
        ]
      : [];
  });
}

/** The process and everything that it started, as far as the parents still live. */
export function treeOf(processes: readonly Process[], pid: number): Process[] {
  const tree = processes.filter((one) => one.pid === pid);
  for (const one of tree) tree.push(...processes.filter((other) => other.parent === one.pid));
  return tree;
}

/** One that ended by itself meanwhile is dead as well. */
export function killHard(processes: readonly Process[]): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}
