/**
 * The key-encryption keys from a key management service or a hardware module, by a command that the operator names: it
 * has the wrapped keys unwrapped there and prints them. What it prints is held in memory and written nowhere.
 */
import { spawn } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { Fault } from "../../errors.ts";
import { keyBytes } from "./secrets-at-rest.ts";

export type KeyCommandLimits = {
  /** A module that waits for somebody to touch it answers within this, or is not there. */
  timeoutMs: number;
  /** Services that answer at the second call are the rule after a network's restart. */
  tries: number;
  pauseMs: number;
};

const limitsDefault: KeyCommandLimits = { timeoutMs: 15_000, tries: 3, pauseMs: 1000 };
/** Keys are 45 bytes a line; whatever prints more prints something else. */
const outputBytesMax = 8192;
/** Of what it says on standard error, the end, where the reason stands. */
const complaintLengthMax = 500;

/** @param command the program and its parameters; no shell reads them. @returns the ring. @throws Fault KEY_COMMAND */
export async function readKeysByCommand(
  command: readonly string[],
  limits: KeyCommandLimits = limitsDefault,
): Promise<Buffer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return parse(command, await run(command, limits.timeoutMs));
    } catch (error) {
      if (attempt >= limits.tries || !(error instanceof CommandFailed)) throw faultOf(command, error);
      await wait(limits.pauseMs * attempt);
    }
  }
}

/** May succeed at another try. */
class CommandFailed extends Error {}

async function run([program = "", ...parameters]: readonly string[], timeoutMs: number): Promise<string> {
  // A group of its own: what a script started goes with it.
  const child = spawn(program, parameters, { stdio: ["ignore", "pipe", "pipe"], detached: true });
  let output = "";
  let complaint = "";
  let failure: string | null = null;
  const stop = (why: string) => {
    failure ??= why;
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  };
  const timer = setTimeout(() => stop(`did not end within ${timeoutMs / 1000} s`), timeoutMs);
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString("latin1");
    if (output.length > outputBytesMax) stop(`printed more than ${outputBytesMax} bytes`);
  });
  child.stderr.on("data", (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-complaintLengthMax)));
  try {
    const { code, signal } = await ended(child);
    if (failure === null && code !== 0) failure = code === null ? `was ended by ${signal}` : `ended with ${code}`;
  } finally {
    clearTimeout(timer);
  }
  if (failure !== null) throw new CommandFailed(`${failure}${saidBy(complaint)}`);
  return output;
}

async function ended(child: ReturnType<typeof spawn>): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return await new Promise((resolve, reject) => {
    // A program that is not there is not there at the next try either.
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
}

/** Terminal escapes and line breaks of another program have no place in a line of the log. */
function saidBy(complaint: string): string {
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  const text = complaint.replaceAll(/[\u0000-\u0020\u007f-\u009f]+/g, " ").trim();
  return text === "" ? "" : ` and said: ${text}`;
}

function parse(command: readonly string[], output: string): Buffer {
  const keys = output
    .trim()
    .split(/\s+/)
    .map((line) => Buffer.from(line, "base64"));
  // What was printed may be a key in another form: it is not told.
  if (keys.some((key) => key.length !== keyBytes))
    throw new Fault("KEY_COMMAND", `${nameOf(command)} did not print ${keyBytes} bytes in base64 on each line.`);
  return Buffer.concat(keys);
}

function faultOf(command: readonly string[], error: unknown): unknown {
  if (error instanceof CommandFailed) return new Fault("KEY_COMMAND", `${nameOf(command)} ${error.message}.`);
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof Fault || code === undefined) return error;
  return new Fault("KEY_COMMAND", `${nameOf(command)} cannot be run (${code}).`, { cause: error });
}

/** Without its parameters, which may hold an identity. */
function nameOf([program = ""]: readonly string[]): string {
  return `TIDELINE_KEY_ENCRYPTION_COMMAND (${program})`;
}
