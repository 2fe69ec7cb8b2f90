/** `tideline check-config`: every knob with its unit, value in force, default and reason, and every problem at once. */
import { type KnobName, knobs, type Knob } from "../../../config/knobs.ts";
import { examineConfig } from "../../config.ts";
import { examineAddresses } from "../../database/pooler.ts";
import { namedAddresses } from "../../database/service-roles.ts";
import { findWhyUnfit } from "../../vault/probe.ts";
import { s3SettingsOf } from "../../vault/settings.ts";
import { commonOptions, readArguments } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { fixedLimits } from "./fixed-limits.ts";
import { alignColumns, countOf, printResult } from "../terminal/result.ts";

export const usage = `
tideline check-config [--fixed] [--data-dir DIR] [--json]

Prints every setting with its variable, flag, unit, value in force, default and reason, then every problem.
--fixed prints instead what has no setting, or is a partner's (tideline partner set), with value and reason.
Addresses of a database are tried: one that leads through a pooler (PgBouncer) which cannot work is a problem, one that
does not answer now is told. Into a vault's bucket a probe is put, read, listed and removed. Secrets are never printed. Exit code 1 when there is a problem.
`;

type Setting = { variable: string; flag: string | null; unit: string; value: string; default: string; reason: string };

export async function run(argv: string[]): Promise<number> {
  const { values } = readArguments(argv, { ...commonOptions, fixed: { type: "boolean", default: false } });
  if (values.fixed) {
    printResult(values.json, { fixed: fixedLimits }, linesOfFixed());
    return exitCode.done;
  }
  const { config, problems } = examineConfig(values["data-dir"] === undefined ? {} : { dataDir: values["data-dir"] });
  const { problems: unfit, unreachable } = await examineAddresses(namedAddresses(config));
  problems.push(...unfit);
  const s3 = s3SettingsOf(config);
  const whyUnfit = s3 === undefined ? null : await findWhyUnfit(s3);
  if (whyUnfit !== null) problems.push(whyUnfit);
  const settings = (Object.keys(knobs) as KnobName[]).map((name) => settingOf(knobs[name], config[name]));
  const told = unreachable.map((one) => `Does not answer now, so nothing is known of poolers: ${one}`);
  printResult(values.json, { settings, problems, unreachable }, [
    ...linesOf(settings),
    "",
    ...told,
    ...verdict(problems),
  ]);
  return problems.length === 0 ? exitCode.done : exitCode.failed;
}

function settingOf(knob: Knob<unknown>, value: unknown): Setting {
  return {
    variable: knob.environment,
    flag: knob.flag ?? null,
    unit: knob.unit,
    value: knob.secret && print(value) !== print(knob.byDefault) ? "(set, not shown)" : print(value),
    default: print(knob.byDefault),
    reason: knob.reason,
  };
}

function print(value: unknown): string {
  if (value === undefined) return "-";
  if (Array.isArray(value)) return value.join(",");
  // Events by name, each with its value.
  if (typeof value === "object" && value !== null && !Buffer.isBuffer(value))
    return (
      Object.entries(value)
        .map(([name, one]) => `${name}=${String(one)}`)
        .join(",") || "-"
    );
  return String(value);
}

function linesOf(settings: readonly Setting[]): string[] {
  const rows = settings.map((one) => [one.variable, one.flag ?? "", one.unit, one.value, one.default, one.reason]);
  return alignColumns([["VARIABLE", "FLAG", "UNIT", "VALUE", "DEFAULT", "REASON"], ...rows]);
}

function linesOfFixed(): string[] {
  const rows = fixedLimits.map(({ what, unit, value, reason }) => [unit, what, String(value), reason]);
  return alignColumns([["UNIT", "OF WHAT", "VALUE", "REASON"], ...rows]);
}

function verdict(problems: readonly string[]): string[] {
  return problems.length === 0
    ? ["No problems."]
    : [`${countOf(problems.length, "problem")}:`, ...problems.map((problem) => `  ${problem}`)];
}
