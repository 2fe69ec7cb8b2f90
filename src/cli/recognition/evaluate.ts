/** `tideline evaluate`: recognition over histories whose recurring payments are known, scored and drawn. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { PopulationOptions } from "../../../fixtures/population.ts";
import { isDay } from "../../time/calendar.ts";
import {
  addCompared,
  type ComparedSet,
  comparedScores,
  type Comparison,
  emptyComparison,
} from "../../evaluation/comparison.ts";
import { assertSameSet, type Earlier, earlierHeading, earlierRows, readEarlier } from "../../evaluation/earlier.ts";
import { addToExtent, emptyExtent, type Extent, extentLine } from "../../evaluation/extent.ts";
import { readReliability } from "../../evaluation/reliability.ts";
import { reliabilityRows } from "../../evaluation/reliability-drawing.ts";
import {
  addBudget,
  withInventedNames,
  budgetRows,
  budgetUser,
  emptyBudgetTally,
  withoutCodes,
} from "../../evaluation/budgets.ts";
import { generateLabelled, type LabelledUser, readLabelled } from "../../evaluation/labelled.ts";
import { renderReport } from "../../evaluation/report.ts";
import { addToSample, emptySample, type Sample } from "../../evaluation/sample.ts";
import {
  comparedHeading,
  comparisonRows,
  scoreRows,
  setHeading,
  setRows,
  sliceRows,
} from "../../evaluation/score-rows.ts";
import { generateCategorised, readCategorised } from "../../evaluation/categories.ts";
import { type RecognisedService, recognise } from "../../recognition/recognise.ts";
import { commonOptions, readArguments, usageError } from "../terminal/arguments.ts";
import { evaluateCategories } from "./evaluate-categories.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { startProgress } from "../terminal/progress.ts";
import { alignColumns, printResult } from "../terminal/result.ts";

export const usage = `
tideline evaluate SET... [--until YYYY-MM-DD] [--out report.html] [--beside earlier.json] [--json]
tideline evaluate --categories SOURCE [--until YYYY-MM-DD] [--json]
tideline evaluate --budgets SOURCE [--without-codes | --invented-names] [--until YYYY-MM-DD] [--json]

A SET is a SET_DIR with tx.jsonl, truth.jsonl (both .gz too) and asof.json, as fixtures generate writes them, or
generated:USERSxMONTHS[:SEED] or messy-CC:USERSxMONTHS[:SEED], made on the way. Several are scored together and each for itself. Without a database.
Prints the score, the score of a rule of few lines beside it, how reliable confidence is, and slices; --out draws the series on time lines: hits, misses, false alarms, what was predicted.
--beside takes what --json printed for the same sets earlier, of another version, and tells the differences.
--categories tells what share of the transactions budgets categorise, by rule, and where purposes are known how much of it is right.
--budgets tells how much of each budget has a category, how many questions are left until it is ready, how often what they offer holds the truth where
purposes are known, and the alerts; --without-codes of histories without merchant category codes;
--invented-names of histories whose payees have invented names, too: what can be offered by how, how often and how much is paid alone.
hit: an active service that shares half of its payments with a running known series. false, mixed, duplicate, ended: of
no series, of less than half, a second one, of a series that is over. early: undecided, on few payments; counts neither way.
`;

const generatedPattern = /^(?:generated|messy-([A-Z]{2})):(\d+)x(\d+)(?::(\d+))?$/;
const seedDefault = 1;

export async function run(argv: string[]): Promise<number> {
  const text = { type: "string" } as const;
  const { values, positionals } = readArguments(argv, {
    json: commonOptions.json,
    out: text,
    until: text,
    beside: text,
    categories: { type: "boolean" } as const,
    budgets: { type: "boolean" } as const,
    "without-codes": { type: "boolean" } as const,
    "invented-names": { type: "boolean" } as const,
  });
  const [source, ...more] = positionals;
  if (source === undefined || (more.length > 0 && (values.categories || values.budgets)))
    usageError("Name one SET_DIR or generated:USERSxMONTHS:SEED.");
  if (values.categories) return categories(source, values.until, values.json);
  if (values.budgets) {
    const isStrange = values["invented-names"] === true;
    const seen = isStrange ? withInventedNames : values["without-codes"] === true ? withoutCodes : asItIs;
    return budgets(source, values.until, values.json, seen);
  }
  const earlier = values.beside === undefined ? null : await readEarlier(values.beside);
  const [comparison, sample, extent] = [emptyComparison(), emptySample(), emptyExtent()];
  const sets: ComparedSet[] = [];
  for (const one of positionals) sets.push(await compareSet(one, values, { comparison, sample, extent }));
  if (earlier !== null) assertSameSet(earlier.extent, extent);
  const title = sets.map((one) => one.source).join(", ");
  if (values.out !== undefined)
    await writeFile(values.out, renderReport({ title, day: today(), extent, comparison, sets, sample, earlier }));
  print(positionals, { sets, comparison, extent, earlier }, values.json);
  return exitCode.done;
}

/** Of all sets together. */
type All = { comparison: Comparison; sample: Sample; extent: Extent };

/** One set for itself; its users also go into all sets' figures. */
async function compareSet(
  source: string,
  { until, json }: { until?: string | undefined; json: boolean },
  all: All,
): Promise<ComparedSet> {
  const own = emptyComparison();
  const { users, total } = openSource(source, until);
  const progress = startProgress({ label: "evaluating", unit: "users", silent: json });
  try {
    for await (const user of users) {
      const services = recogniseAll(user);
      addCompared(own, user, services);
      addToSample(all.sample, addCompared(all.comparison, user, services));
      addToExtent(all.extent, user);
      progress.update(own.recognised.users, total ?? own.recognised.users);
    }
  } finally {
    progress.stop();
  }
  return { source: titleOf(source), comparison: own };
}

type Evaluated = { sets: readonly ComparedSet[]; comparison: Comparison; extent: Extent; earlier: Earlier | null };

function print(sources: readonly string[], { sets, comparison, extent, earlier }: Evaluated, asJson: boolean): void {
  const { slices, ...counts } = comparison.recognised;
  const { recognised: score, ...compared } = comparedScores(comparison);
  const reliability = readReliability(comparison.reliability);
  const eachSet =
    sets.length < 2 ? {} : { sets: sets.map((one) => ({ source: one.source, ...comparedScores(one.comparison) })) };
  const document = { source: sources.join(" "), extent, score, ...compared, ...eachSet, reliability, counts, slices };
  const beside =
    earlier === null
      ? []
      : [
          ...alignColumns([
            earlierHeading(earlier, extent),
            ...earlierRows(earlier, { recognised: score, visible: compared.visible }),
          ]),
          "",
        ];
  printResult(asJson, document, [
    `${extentLine(extent)}.`,
    "",
    ...alignColumns(scoreRows(comparison.recognised)),
    "",
    ...beside,
    ...alignColumns([comparedHeading, ...comparisonRows({ recognised: score, ...compared })]),
    "",
    ...(sets.length < 2 ? [] : [...alignColumns([setHeading, ...setRows(sets)]), ""]),
    ...alignColumns([["CONFIDENCE", "SERVICES", "STATED", "RIGHT", ""], ...reliabilityRows(comparison.reliability)]),
    "",
    ...alignColumns([["SLICE", "", "FOUND", "", "FREQUENCY RIGHT"], ...sliceRows(comparison.recognised)]),
  ]);
}

/** Without a known purpose, as in a SET_DIR, there is a share but no precision. */
async function categories(source: string, until: string | undefined, isJson: boolean): Promise<number> {
  const options = generatedOptions(source, until);
  const progress = startProgress({ label: "categorising", unit: "users", silent: isJson });
  try {
    const users = options === null ? readCategorised(source) : generateCategorised(options);
    await evaluateCategories(source, users, isJson, (done) => progress.update(done, options?.users ?? done));
  } finally {
    progress.stop();
  }
  return exitCode.done;
}

function asItIs(user: LabelledUser): LabelledUser {
  return user;
}

async function budgets(
  source: string,
  until: string | undefined,
  isJson: boolean,
  seen: (user: LabelledUser) => LabelledUser,
): Promise<number> {
  const tally = emptyBudgetTally();
  const progress = startProgress({ label: "budgeting", unit: "users", silent: isJson });
  const { users, total } = openSource(source, until);
  try {
    for await (const user of users) {
      addBudget(tally, budgetUser(seen(user)));
      progress.update(tally.users, total ?? tally.users);
    }
  } finally {
    progress.stop();
  }
  printResult(isJson, { source, ...tally }, alignColumns(budgetRows(tally)));
  return exitCode.done;
}

function recogniseAll(user: LabelledUser): RecognisedService[] {
  const { services, income } = recognise(user.history, {
    asOf: user.asOf,
    country: user.country,
    currency: user.currency,
  });
  return [...services, ...income];
}

type Source = { users: AsyncIterable<LabelledUser> | Iterable<LabelledUser>; total: number | null };

function openSource(source: string, until: string | undefined): Source {
  const options = generatedOptions(source, until);
  return options === null
    ? { users: readLabelled(source), total: null }
    : { users: generateLabelled(options), total: options.users };
}

/** Null: a folder. */
function generatedOptions(source: string, until: string | undefined): PopulationOptions | null {
  if (until !== undefined && !isDay(until)) usageError(`--until must be a day, YYYY-MM-DD, not "${until}".`);
  const generated = generatedPattern.exec(source);
  if (generated === null && source.startsWith("generated:"))
    usageError(
      `A generated population is written generated:USERSxMONTHS or generated:USERSxMONTHS:SEED, not "${source}".`,
    );
  if (generated === null) return null;
  const [, messy, users, months, seed] = generated;
  return {
    users: Number(users),
    months: Number(months),
    seed: Number(seed ?? seedDefault),
    until: until ?? today(),
    messy: messy ?? null,
  };
}

/** The population's days are those of a Nordic bank. */
function today(): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Copenhagen" }).format(new Date());
}

/** A folder's name says which set it is; where it lies is nobody's business. */
function titleOf(source: string): string {
  return generatedPattern.test(source) ? source : path.basename(path.resolve(source));
}
