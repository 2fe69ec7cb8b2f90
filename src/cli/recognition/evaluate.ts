/** `tideline evaluate`: recognition over histories whose recurring payments are known, scored and drawn. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { PopulationOptions } from "../../../fixtures/population.ts";
import { isDay } from "../../time/calendar.ts";
import { addBudget, budgetRows, budgetUser, emptyBudgetTally } from "../../evaluation/budgets.ts";
import { generateLabelled, type LabelledUser, readLabelled } from "../../evaluation/labelled.ts";
import { judge } from "../../evaluation/measure.ts";
import { renderReport } from "../../evaluation/report.ts";
import { addToSample, emptySample } from "../../evaluation/sample.ts";
import { addUser, emptyTally, scoreOf } from "../../evaluation/score.ts";
import { scoreRows, sliceRows } from "../../evaluation/score-rows.ts";
import { generateCategorised, readCategorised } from "../../evaluation/categories.ts";
import { recognise } from "../../recognition/recognise.ts";
import { commonOptions, readArguments, usageError } from "../terminal/arguments.ts";
import { evaluateCategories } from "./evaluate-categories.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { startProgress } from "../terminal/progress.ts";
import { alignColumns, printResult } from "../terminal/result.ts";

export const usage = `
tideline evaluate SET_DIR [--out report.html] [--json]
tideline evaluate generated:USERSxMONTHS[:SEED] [--until YYYY-MM-DD] [--out report.html] [--json]
tideline evaluate --categories SOURCE [--until YYYY-MM-DD] [--json]
tideline evaluate --budgets SOURCE [--until YYYY-MM-DD] [--json]

SET_DIR holds tx.jsonl, truth.jsonl (both .gz too) and asof.json, as fixtures generate writes them. Without a database.
Prints the score and its slices; --out draws the series on time lines: hits, misses, false alarms, what was predicted.
--categories tells what share of the transactions budgets categorise, by rule, and where purposes are known how much of it is right.
--budgets tells how much of each budget has a category, how many questions are left until it is ready, and the alerts.
hit: an active service that shares half of its payments with a running known series. false, mixed, duplicate, ended: of
no series, of less than half, a second one, of a series that is over. early: undecided, on few payments; counts neither way.
`;

const generatedPattern = /^generated:(\d+)x(\d+)(?::(\d+))?$/;
const seedDefault = 1;

export async function run(argv: string[]): Promise<number> {
  const text = { type: "string" } as const;
  const { values, positionals } = readArguments(argv, {
    json: commonOptions.json,
    out: text,
    until: text,
    categories: { type: "boolean" } as const,
    budgets: { type: "boolean" } as const,
  });
  const [source, ...more] = positionals;
  if (source === undefined || more.length > 0) usageError("Name one SET_DIR or generated:USERSxMONTHS:SEED.");
  if (values.categories) return categories(source, values.until, values.json);
  if (values.budgets) return budgets(source, values.until, values.json);
  const [tally, sample] = [emptyTally(), emptySample()];
  const progress = startProgress({ label: "evaluating", unit: "users", silent: values.json });
  const { users, total } = openSource(source, values.until);
  try {
    for await (const user of users) {
      const judged = judgeUser(user);
      addUser(tally, judged);
      addToSample(sample, judged);
      progress.update(tally.users, total ?? tally.users);
    }
  } finally {
    progress.stop();
  }
  if (values.out !== undefined) await writeFile(values.out, renderReport(titleOf(source), tally, sample));
  const { slices, ...counts } = tally;
  printResult(values.json, { source, score: scoreOf(tally), counts, slices }, [
    ...alignColumns(scoreRows(tally)),
    "",
    ...alignColumns([["SLICE", "", "FOUND", "", "FREQUENCY RIGHT"], ...sliceRows(tally)]),
  ]);
  return exitCode.done;
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

async function budgets(source: string, until: string | undefined, isJson: boolean): Promise<number> {
  const tally = emptyBudgetTally();
  const progress = startProgress({ label: "budgeting", unit: "users", silent: isJson });
  const { users, total } = openSource(source, until);
  try {
    for await (const user of users) {
      addBudget(tally, budgetUser(user));
      progress.update(tally.users, total ?? tally.users);
    }
  } finally {
    progress.stop();
  }
  printResult(isJson, { source, ...tally }, alignColumns(budgetRows(tally)));
  return exitCode.done;
}

function judgeUser(user: LabelledUser) {
  const { services, income } = recognise(user.history, {
    asOf: user.asOf,
    country: user.country,
    currency: user.currency,
  });
  return judge(user, [...services, ...income]);
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
  const [, users, months, seed] = generated;
  return { users: Number(users), months: Number(months), seed: Number(seed ?? seedDefault), until: until ?? today() };
}

/** The population's days are those of a Nordic bank. */
function today(): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Copenhagen" }).format(new Date());
}

/** A folder's name says which set it is; where it lies is nobody's business. */
function titleOf(source: string): string {
  return source.startsWith("generated:") ? source : path.basename(path.resolve(source));
}
