/** Options and positionals of one command; what is not understood becomes one clear line. */
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { type Config, type Flags, readConfig } from "../../config.ts";
import { Fault } from "../../errors.ts";

/** Options that most commands take. */
export const commonOptions = {
  "data-dir": { type: "string" },
  json: { type: "boolean", default: false },
} as const satisfies ParseArgsOptionsConfig;

/** @throws TypeError with a code ERR_PARSE_ARGS_…, which the command line tells as wrong usage. */
export function readArguments<const Options extends ParseArgsOptionsConfig>(argv: string[], options: Options) {
  return parseArgs({ args: argv, options, allowPositionals: true, strict: true });
}

/** The configuration with the data folder that was asked for. */
export function configOf(values: { "data-dir"?: string | undefined }): Config {
  const flags: Flags = values["data-dir"] === undefined ? {} : { dataDir: values["data-dir"] };
  return readConfig(flags);
}

/** @throws Fault COMMAND_USAGE */
export function usageError(message: string): never {
  throw new Fault("COMMAND_USAGE", message);
}

/** @throws Fault COMMAND_USAGE when it is missing. */
export function required(value: string | undefined, name: string): string {
  return value ?? usageError(`${name} is missing.`);
}

/** @throws Fault COMMAND_USAGE unless the text is one of the choices. */
export function oneOf<const Choice extends string>(text: string, choices: readonly Choice[], option: string): Choice {
  return (
    choices.find((choice) => choice === text) ??
    usageError(`${option} must be one of ${choices.join(", ")}, not "${text}".`)
  );
}

/** "500" or "500/s". @throws Fault COMMAND_USAGE */
export function readRate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const rate = Number(text.replace(/\/s$/, ""));
  if (!(rate > 0 && Number.isFinite(rate)))
    usageError(`--rate must be records per second, such as 500/s, not "${text}".`);
  return rate;
}

/** @throws Fault COMMAND_USAGE */
export function readCount(text: string, option: string, min: number, max: number): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < min || count > max)
    usageError(`${option} must be a whole number from ${min} to ${max}, not "${text}".`);
  return count;
}
