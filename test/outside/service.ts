/** A Tideline as an operator runs it: `npm start` on a data folder of its own, looked at only from outside. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { keepMetrics, keepReceipts } from "../log-tap/keep.ts";
import { readDenials } from "../denials.ts";
import { freePort } from "../ports.ts";
import { cpuMsOfAll } from "../bench/processor.ts";
import { killHard, listProcesses, type Process, treeOf } from "./processes.ts";

export const repository = path.resolve(import.meta.dirname, "../..");

/** What `kill -9` hits: npm and Tideline, these and PostgreSQL, or PostgreSQL alone. */
export type Victims = "tideline" | "everything" | "postgres";

export type Service = {
  folder: string;
  dataDir: string;
  logFile: string;
  httpsPort: number;
  sftpPort: number;
  /** The API's, where the environment has TIDELINE_CONSOLE_PORT=api. */
  consolePort: number;
  /** Returns when it says that it is ready. @returns seconds that it took */
  start(): Promise<number>;
  /**
   * Kills while it runs and waits until the victims are gone; after a loss of PostgreSQL also until Tideline has ended.
   */
  kill(victims: Victims): Promise<void>;
  /** Resident memory of the Tideline process, without PostgreSQL; 0 when it does not run. */
  memoryBytes(): Promise<number>;
  /** Milliseconds of processors that it and its PostgreSQL have used since it started. */
  processorMs(): Promise<number>;
  databaseUrl(): Promise<string>;
  /** Runs a command as its operator does. @returns standard output @throws when it fails */
  tideline(...parameters: string[]): Promise<string>;
  /** Ctrl-C, then nothing of it is left. @returns the exit code @throws when one of its roles lacked a right */
  stop(): Promise<number | null>;
  remove(): Promise<void>;
};

/** Longer than any start; a service that hangs must not hang its test. */
const startWithinMs = 300_000;
/** Longer than the service itself gives its closing. */
const stopWithinMs = 120_000;
const outputBytesMax = 256 * 1024 * 1024;

/** @param flags of `tideline up`. @param checkout another one than this, to compare with */
export async function prepareService(
  name: string,
  flags: readonly string[],
  checkout: string = repository,
): Promise<Service> {
  const folder = await mkdtemp(path.join(tmpdir(), `tideline-${name}-`));
  // As root, PostgreSQL's account must pass through.
  await chmod(folder, 0o711);
  const dataDir = path.join(folder, "data");
  // Where logs are scanned at the end, this one outlives its service.
  const logFile = path.join(process.env.TIDELINE_TEST_LOGS ?? folder, `tideline-${name}-${process.pid}.log`);
  const [httpsPort, sftpPort, ownPort] = [await freePort(), await freePort(), await freePort()];
  const isBeside = process.env.TIDELINE_CONSOLE_PORT === "api";
  const consolePort = isBeside ? httpsPort : ownPort;
  // An older checkout, to compare with, may know no console and refuses its settings.
  const hasConsole = await access(path.join(checkout, "src/console")).then(
    () => true,
    () => false,
  );
  const settings = {
    TIDELINE_LOG_FILE: logFile,
    ...(hasConsole && { TIDELINE_CONSOLE_PORT: isBeside ? "api" : String(ownPort) }),
  };
  const parameters = [
    "start",
    "--silent",
    "--",
    ...flags,
    "--data-dir",
    dataDir,
    "--https-port",
    String(httpsPort),
    "--sftp-port",
    String(sftpPort),
  ];
  let child: ChildProcess | null = null;

  const tree = async () => treeOf(await listProcesses(), child?.pid ?? 0);
  return {
    folder,
    dataDir,
    logFile,
    httpsPort,
    sftpPort,
    consolePort,
    async start() {
      const startedAt = performance.now();
      child = spawn("npm", parameters, {
        cwd: checkout,
        stdio: ["ignore", "pipe", "pipe"],
        detached: true,
        env: { ...process.env, ...settings },
      });
      await untilReady(child);
      return (performance.now() - startedAt) / 1000;
    },
    async kill(victims) {
      const running = child;
      if (!running) return;
      const ended = once(running, "close");
      killHard(chooseVictims(await tree(), victims));
      await ended;
      if (victims !== "tideline") await untilNoServer(dataDir);
    },
    async memoryBytes() {
      return Math.max(0, ...(await tree()).filter((one) => !isPostgres(one)).map((one) => one.memoryBytes));
    },
    processorMs: async () => await cpuMsOfAll((await tree()).map(({ pid }) => pid)),
    databaseUrl: async () => (await readFile(path.join(dataDir, "postgres-url"), "utf8")).trim(),
    async tideline(...words) {
      const command = [path.join(checkout, "src/cli/tideline.mjs"), ...words, "--data-dir", dataDir];
      return (await promisify(execFile)(process.execPath, command, { maxBuffer: outputBytesMax })).stdout;
    },
    async stop() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
      await keepMetrics(name, httpsPort);
      const ended = once(child, "close", { signal: AbortSignal.timeout(stopWithinMs) });
      process.kill(-(child.pid ?? 0), "SIGINT");
      await ended.catch(async (cause: unknown) => {
        const left = (await tree()).map((one) => one.command).join("; ");
        throw new Error(`the service has not ended; there are still: ${left}`, { cause });
      });
      const denials = await readDenials(await databaseLocation(dataDir));
      if (denials.length > 0) throw new Error(`roles of the service lack rights: ${denials.join("; ")}`);
      return child.exitCode;
    },
    async remove() {
      await keepReceipts(name, path.join(dataDir, "landing"));
      killHard(await tree());
      killHard(await servers(dataDir));
      await rm(await databaseLocation(dataDir), { recursive: true, force: true });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(child: ChildProcess): Promise<void> {
  let said = "";
  const collect = (chunk: Buffer) => (said += chunk.toString());
  child.stdout?.on("data", collect);
  child.stderr?.on("data", collect);
  const deadline = performance.now() + startWithinMs;
  while (!said.includes("Ready.")) {
    if (child.exitCode !== null || child.signalCode !== null || performance.now() > deadline)
      throw new Error(`npm start did not get ready: ${said}`);
    await wait(50);
  }
}

function chooseVictims(tree: readonly Process[], victims: Victims): Process[] {
  if (victims === "everything") return [...tree];
  return tree.filter((one) => isPostgres(one) === (victims === "postgres"));
}

function isPostgres(one: Process): boolean {
  return /^(\S*\/)?postgres(:|\s)/.test(one.command);
}

/** Below the data folder, or where the folder's pointer says. */
async function databaseLocation(dataDir: string): Promise<string> {
  return await readFile(path.join(dataDir, "postgres-location"), "utf8").then(
    (text) => text.trim(),
    () => path.join(dataDir, "postgres"),
  );
}

async function servers(dataDir: string): Promise<Process[]> {
  const location = path.join(await databaseLocation(dataDir), "files");
  return (await listProcesses()).filter((one) => one.command.includes(`-D ${location}`));
}

async function untilNoServer(dataDir: string): Promise<void> {
  while ((await servers(dataDir)).length > 0) await wait(20);
}
