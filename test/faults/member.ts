/** One Tideline process of the harness, with the roles it was given: started, killed, started again. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { repository } from "../outside/service.ts";

export type MemberSettings = {
  name: string;
  dataDir: string;
  logFile: string;
  flags: readonly string[];
  environment: NodeJS.ProcessEnv;
  /** With the demo's partner, who sends by himself. */
  demo?: boolean;
  /** The folder of the release that it runs. Default: this one. */
  release?: string;
};

/** A process that has not said "Ready." by then hangs, also where others work on the machine. */
const readyWithinMs = 300_000;
/** A supervisor waits a moment before it starts again what ended. */
const restartAfterMs = 200;
const startsMax = 100;

export class Member {
  readonly settings: MemberSettings;
  #child: ChildProcess | null = null;
  #ended: Promise<unknown> = Promise.resolve();
  #said = "";
  #retired = false;

  constructor(settings: MemberSettings) {
    this.settings = settings;
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** The end of what it has said since it was started. */
  get said(): string {
    return this.#said;
  }

  /** Starts without waiting. @param more environment, such as an armed step */
  launch(more: NodeJS.ProcessEnv = {}): void {
    if (this.#retired) throw new Error("the world has ended");
    const { name, dataDir, flags, environment, logFile, demo = false, release = repository } = this.settings;
    const parameters = [
      path.join(release, "src/cli/tideline.mjs"),
      "up",
      ...(demo ? [] : ["--no-demo"]),
      "--data-dir",
      dataDir,
      ...flags,
    ];
    const child = spawn(process.execPath, parameters, {
      cwd: release,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, TIDELINE_LOG_FILE: logFile, ...environment, ...more },
    });
    this.#said = "";
    const collect = (chunk: Buffer) => (this.#said = (this.#said + chunk.toString()).slice(-4000));
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.once("error", (error) => (this.#said += `${name}: ${error.message}`));
    this.#ended = once(child, "close");
    this.#child = child;
  }

  /** Resolves when it is ready, or has ended. @returns whether it is ready */
  async settled(withinMs = readyWithinMs): Promise<boolean> {
    const deadline = performance.now() + withinMs;
    while (!this.#said.includes("Ready.")) {
      if (!this.isRunning) return false;
      if (performance.now() > deadline) throw new Error(`${this.settings.name} hangs at its start: ${this.#said}`);
      await wait(10);
    }
    return true;
  }

  /** As a supervisor does: starts until it stays. @returns how often it had to */
  async start(): Promise<number> {
    for (let starts = 1; starts <= startsMax; starts += 1) {
      this.launch();
      if (await this.settled()) return starts;
      await wait(restartAfterMs);
    }
    throw new Error(`${this.settings.name} does not start: ${this.#said}`);
  }

  /** Resolves when it has ended, or when the time is over. @returns whether it has ended */
  async endedWithin(ms: number): Promise<boolean> {
    await Promise.race([this.#ended, wait(ms)]);
    return !this.isRunning;
  }

  /** From now on it is not started any more: a round that was stopped may still try. */
  retire(): void {
    this.#retired = true;
  }

  /** `kill -9`, and waits until it is gone. */
  async kill(): Promise<void> {
    if (this.isRunning) this.#child?.kill("SIGKILL");
    await this.#ended;
  }

  /** Asks it to stop. @returns the exit code */
  async stop(): Promise<number | null> {
    if (this.isRunning) this.#child?.kill("SIGTERM");
    await this.#ended;
    return this.#child?.exitCode ?? null;
  }

  /** The fields of an event each time that its log tells it, since the file began. */
  async eventsNamed(event: string): Promise<Record<string, unknown>[]> {
    const text = await readFile(this.settings.logFile, "utf8").catch(() => "");
    const lines = text.split("\n").filter((line) => line.includes(`"event":"${event}"`));
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}
