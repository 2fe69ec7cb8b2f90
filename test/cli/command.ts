/** Runs the command line as a person does: a process of its own, with an environment of its own. */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { ExecutionContext } from "ava";

export type Ran = { code: number | null; stdout: string; stderr: string };
/** Runs `tideline` with these arguments. */
export type Tideline = (...parameters: string[]) => Promise<Ran>;

const program = fileURLToPath(new URL("../../src/cli/tideline.mjs", import.meta.url));

/**
 * A command line on the database (none: the embedded one of the data folder), with a data folder that goes with the
 * test.
 */
export async function openCommandLine(
  t: ExecutionContext,
  databaseUrl?: string,
  more: NodeJS.ProcessEnv = {},
): Promise<{ tideline: Tideline; dataDir: string }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "tideline-cli-"));
  t.teardown(() => rm(dataDir, { recursive: true, force: true }));
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith("TIDELINE_") && name !== "DATABASE_URL" && name !== "REDIS_URL",
  );
  const environment = {
    ...Object.fromEntries(inherited),
    TIDELINE_DATA_DIR: dataDir,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    ...more,
  };
  return { dataDir, tideline: (...parameters) => run(parameters, environment) };
}

async function run(parameters: string[], environment: NodeJS.ProcessEnv): Promise<Ran> {
  const child = spawn(process.execPath, [program, ...parameters], {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, code] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    new Promise<number | null>((resolve) => child.once("close", resolve)),
  ]);
  return { code, stdout, stderr };
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}
