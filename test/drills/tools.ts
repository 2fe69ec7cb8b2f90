/** What every drill needs: programs of the machine, waiting for something to hold, and an orderly end of all it began. */
import { type ChildProcess, execFile, spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { access, chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

/** The machine lacks something: told, and no failure. */
export class Skipped extends Error {}

const outputBytesMax = 64 * 1024 * 1024;

/** Runs a program to its end. @returns standard output @throws with what it said when it fails */
export async function run(program: string, parameters: readonly string[], environment?: NodeJS.ProcessEnv) {
  const { stdout } = await promisify(execFile)(program, [...parameters], {
    maxBuffer: outputBytesMax,
    ...(environment === undefined ? {} : { env: environment }),
  });
  return stdout;
}

/** @returns the first of these places where a program is. @throws Skipped */
export async function findProgram(name: string, ...places: string[]): Promise<string> {
  const folders = [...places, ...(process.env.PATH ?? "").split(":"), "/usr/sbin"];
  for (const folder of folders) {
    const program = path.join(folder, name);
    if (
      await access(program).then(
        () => true,
        () => false,
      )
    )
      return program;
  }
  throw new Skipped(`there is no ${name} on this machine`);
}

/** Waits until it holds; what throws counts as not yet. @throws after the time, with the last failure */
export async function until(
  what: string,
  holds: () => Promise<boolean> | boolean,
  withinMs = 120_000,
  everyMs = 50,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (let failure: unknown = "it did not hold"; ;) {
    try {
      if (await holds()) return;
    } catch (error) {
      failure = error;
    }
    if (performance.now() > deadline) throw new Error(`not within ${withinMs / 1000} s: ${what}`, { cause: failure });
    await wait(everyMs);
  }
}

export function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000;
}

/** A folder and processes that go when the drill ends, however it ends. */
export class Stage {
  readonly folder: string;
  readonly #closers: (() => Promise<unknown>)[] = [];

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(name: string): Promise<Stage> {
    const folder = await mkdtemp(path.join(tmpdir(), `tideline-drill-${name}-`));
    // As root, other accounts must pass through.
    await chmod(folder, 0o711);
    const stage = new Stage(folder);
    stage.atEnd(() => rm(folder, { recursive: true, force: true }));
    return stage;
  }

  /** Last first. */
  atEnd(close: () => Promise<unknown>): void {
    this.#closers.push(close);
  }

  async close(): Promise<void> {
    for (let close = this.#closers.pop(); close; close = this.#closers.pop())
      await close().catch((error: unknown) => console.error("while ending the drill:", error));
  }

  /** A server that runs until it is killed. */
  spawn(program: string, parameters: readonly string[], options: SpawnOptions = {}): Server {
    const server = new Server(program, parameters, options);
    this.atEnd(() => server.kill());
    return server;
  }
}

/** One process of a server, with the end of what it said. */
export class Server {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  said = "";

  constructor(program: string, parameters: readonly string[], options: SpawnOptions) {
    this.#child = spawn(program, parameters, { stdio: ["ignore", "pipe", "pipe"], ...options });
    const collect = (chunk: Buffer) => (this.said = (this.said + chunk.toString()).slice(-8000));
    this.#child.stdout?.on("data", collect);
    this.#child.stderr?.on("data", collect);
    this.#child.once("error", (error) => (this.said += error.message));
    this.#ended = once(this.#child, "close").catch(() => undefined);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null && this.#child.pid !== undefined;
  }

  /** @returns its exit code; null: a signal ended it */
  async ended(): Promise<number | null> {
    await this.#ended;
    return this.#child.exitCode;
  }

  signal(name: NodeJS.Signals): void {
    if (this.isRunning) this.#child.kill(name);
  }

  async kill(name: NodeJS.Signals = "SIGKILL"): Promise<number | null> {
    this.signal(name);
    await this.#ended;
    return this.#child.exitCode;
  }
}

/** Runs a drill on a stage of its own. */
export async function onStage(name: string, play: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = await Stage.open(name);
  const interrupt = () => void stage.close().finally(() => process.exit(130));
  process.once("SIGINT", interrupt);
  process.once("SIGTERM", interrupt);
  try {
    await play(stage);
  } finally {
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", interrupt);
    await stage.close();
  }
}
