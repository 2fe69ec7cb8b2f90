/**
 * Runs one test file in AVA's own worker, without the rest of AVA: no look for files, no report, no second process.
 * That is a fifth of a second for a small file where the command takes seven tenths. The worker is inside AVA
 * (lib/worker/base.js, whose other end is lib/fork.js), so AVA's version is exact; verdicts are compared with the
 * command's by ava-worker.test.ts.
 */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import path from "node:path";

export const projectFolder = fileURLToPath(new URL("../../", import.meta.url));
const workerPath = path.join(projectFolder, "node_modules/ava/lib/worker/base.js");
const hook = new URL("load-hook.ts", import.meta.url).href;

/** A module, and the text that is read in its place. */
export type MutatedModule = { url: string; text: string };

/** `failed` says by what: a test's title, or what else went wrong. */
export type Verdict = { outcome: "passed" } | { outcome: "failed"; by: string } | { outcome: "late" };

/** `titles` of the tests that were to run, as far as the file told them. */
export type Run = Verdict & { ms: number; titles: readonly string[] };

export type RunOptions = {
  mutant?: MutatedModule;
  /** After so long the run is over. */
  limitMs: number;
  environment?: NodeJS.ProcessEnv;
  /** Let every test end, for what it leaves behind (coverage); else the first that fails ends the run. */
  isWhole?: boolean;
  /** Ends the run, which is then `late`. */
  stopped?: AbortSignal;
};

export function moduleAt(file: string, text: string): MutatedModule {
  return { url: pathToFileURL(path.resolve(projectFolder, file)).href, text };
}

/** @param testFile from the repository's root */
export async function runTestFile(testFile: string, options: RunOptions): Promise<Run> {
  const startedAt = performance.now();
  const child = start(options);
  const timer = Promise.withResolvers<Verdict>();
  const giveUp = (): void => timer.resolve({ outcome: "late" });
  const timeout = setTimeout(giveUp, options.limitMs);
  options.stopped?.addEventListener("abort", giveUp);
  const titles: string[] = [];
  try {
    const verdict = await Promise.race([timer.promise, judge(child, testFile, options.isWhole ?? false, titles)]);
    return { ...verdict, ms: Math.round(performance.now() - startedAt), titles };
  } finally {
    clearTimeout(timeout);
    options.stopped?.removeEventListener("abort", giveUp);
    await end(child);
  }
}

function start({ mutant, environment = process.env }: RunOptions): ChildProcess {
  const nodeOptions = [environment.NODE_OPTIONS, mutant && `--import=${hook}`].filter(Boolean).join(" ");
  return fork(workerPath, [], {
    cwd: projectFolder,
    // A group of its own, so that what a test started ends with it.
    detached: true,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    execArgv: [],
    serialization: "advanced",
    env: {
      ...environment,
      NODE_ENV: "test",
      NODE_OPTIONS: nodeOptions,
      ...(mutant ? { TIDELINE_MUTANT: JSON.stringify(mutant) } : {}),
    },
  });
}

/** What of AVA's messages decides. */
type Message = { type: string; title?: string; skip?: boolean; todo?: boolean; err?: { message?: string } };

const failures: readonly string[] = [
  "test-failed",
  "hook-failed",
  "internal-error",
  "uncaught-exception",
  "unhandled-rejection",
  "process-exit",
  "missing-ava-import",
  "line-number-selection-error",
  "snapshot-error",
];

/** As AVA's command judges (lib/run-status.js): all that was selected has passed, nothing else went wrong. */
function judge(child: ChildProcess, testFile: string, isWhole: boolean, titles: string[]): Promise<Verdict> {
  return new Promise((resolve) => {
    const remaining = new Set<string>();
    let passed = 0;
    let failed: string | null = null;
    const fail = (by: string): void => {
      failed ??= by;
      if (!isWhole) resolve({ outcome: "failed", by });
    };
    child.on("message", ({ ava: message }: { ava?: Message }) => {
      if (!message) return;
      const title = message.title ?? "";
      if (message.type === "ready-for-options")
        child.send({ ava: { type: "options", options: workerOptions(testFile, isWhole) } });
      else if (message.type === "worker-finished") child.send({ ava: { type: "free-worker" } }, () => undefined);
      else if (message.type === "selected-test" && !message.skip && !message.todo) {
        remaining.add(title);
        titles.push(title);
      } else if (message.type === "test-passed") {
        remaining.delete(title);
        passed += 1;
      } else if (failures.includes(message.type)) fail(title || (message.err?.message ?? message.type));
    });
    child.once("error", (error) => resolve({ outcome: "failed", by: error.message }));
    child.once("exit", (code, signal) => {
      if (failed === null && code === 0 && remaining.size === 0 && passed > 0) resolve({ outcome: "passed" });
      else resolve({ outcome: "failed", by: failed ?? [...remaining][0] ?? `ended with ${signal ?? code}` });
    });
  });
}

function workerOptions(testFile: string, isWhole: boolean): Record<string, unknown> {
  return {
    file: path.resolve(projectFolder, testFile),
    projectDir: projectFolder,
    baseDir: projectFolder,
    chalkOptions: { level: 0 },
    experiments: {},
    failFast: !isWhole,
    failWithoutAssertions: true,
    lineNumbers: [],
    match: [],
    providerStates: [],
    recordNewSnapshots: false,
    require: [],
    serial: false,
    snapshotDir: null,
    updateSnapshots: false,
  };
}

/** With all that it started. Returns when it is gone. */
async function end(child: ChildProcess): Promise<void> {
  const isGone = child.exitCode !== null || child.signalCode !== null;
  const gone = isGone ? Promise.resolve() : new Promise<void>((resolve) => void child.once("exit", () => resolve()));
  if (child.pid !== undefined) killGroup(child.pid);
  if (child.connected) child.disconnect();
  if (child.pid !== undefined) await gone;
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
