/** `tideline fixtures generate`: writes a synthetic household population. */
import { usageError, commonOptions, readArguments, readCount, required } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { generateFixtures, type Summary } from "./fixtures.ts";
import { startProgress } from "../terminal/progress.ts";
import { countOf, printResult } from "../terminal/result.ts";

export const usage = `
tideline fixtures generate --users N --months M --out DIR [--seed S] [--until YYYY-MM-DD] [--brand B] [--json]
tideline fixtures generate --everyday messy --country CC --users N --out DIR [--months M] [--seed S] [--until D] [--json]

Writes users.jsonl, transactions.jsonl, truth.jsonl, asof.json and manifest.json into DIR: Nordic households with the
truth about their recurring payments. The same arguments give the same bytes. --until defaults to today, --seed to 1,
--months to 26; without --brand each user has its country's: demo-dk, demo-se, demo-no, demo-fi.
With --everyday messy the accounts are as hard to read as real ones, of one country: DK, SE, DE, GB, NL, FR.
`;

const usersMax = 10_000_000;
const monthsDefault = 26;
/** Longer than electronic statements reach back. */
const monthsMax = 600;
const seedDefault = 1;
const seedMax = 2 ** 31 - 1;

export async function run(argv: string[]): Promise<number> {
  const [verb, ...rest] = argv;
  if (verb !== "generate")
    usageError(`There is no "tideline fixtures ${verb ?? ""}"; there is tideline fixtures generate.`);
  const text = { type: "string" } as const;
  const { values } = readArguments(rest, {
    json: commonOptions.json,
    users: text,
    months: text,
    seed: text,
    until: text,
    out: text,
    brand: text,
    everyday: text,
    country: text,
  });
  const messy = messyCountryOf(values.everyday, values.country);
  const options = {
    users: readCount(required(values.users, "--users"), "--users", 1, usersMax),
    months: readCount(values.months ?? String(monthsDefault), "--months", 1, monthsMax),
    seed: readCount(values.seed ?? String(seedDefault), "--seed", 0, seedMax),
    until: values.until ?? today(),
    out: required(values.out, "--out"),
    ...(values.brand === undefined ? {} : { brand: values.brand }),
    ...(messy === null ? {} : { messy }),
  };
  const progress = startProgress({ label: "generating", unit: "users", silent: values.json });
  const summary = await generate(options, (done, total) => progress.update(done, total)).finally(() => progress.stop());
  printResult(values.json, summary, [
    `${countOf(summary.counts.transactions, "transaction")} of ${countOf(summary.users, "user")} from ${summary.from} to ${summary.until} in ${summary.out}.`,
  ]);
  return exitCode.done;
}

/** Null: the tidier households, of all Nordic countries. */
function messyCountryOf(everyday: string | undefined, country: string | undefined): string | null {
  if (everyday !== undefined && everyday !== "messy") usageError(`--everyday can be messy, not "${everyday}".`);
  if ((everyday === undefined) !== (country === undefined)) usageError("--everyday messy and --country go together.");
  return country ?? null;
}

/** The generator names the option that is out of range. */
async function generate(...parameters: Parameters<typeof generateFixtures>): Promise<Summary> {
  try {
    return await generateFixtures(...parameters);
  } catch (error) {
    if (error instanceof RangeError) usageError(`${error.message}.`);
    throw error;
  }
}

/** The population's days are those of a Nordic bank. */
function today(): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Copenhagen" }).format(new Date());
}
