/** `tideline rates …`: exchange rates from the European Central Bank's files, and how old they are. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Fault } from "../../errors.ts";
import { downloadRates, loadRatesFrom } from "../../rates/fetch.ts";
import { describeRatesAge, readRatesAge } from "../../rates/watch.ts";
import { createClock } from "../../time/clock.ts";
import { commonOptions, configOf, oneOf, readArguments } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { countOf, printResult } from "../terminal/result.ts";
import { type Session, withSession } from "./session.ts";

export const usage = `
tideline rates [--data-dir DIR] [--json]
tideline rates load FILE|URL [--data-dir DIR] [--json]

load  adds the rates of one of the European Central Bank's files of reference rates: of the day (eurofxref-daily.xml,
      eurofxref.zip), of ninety days (eurofxref-hist-90d.xml) or of all since 1999 (eurofxref-hist.xml, eurofxref-hist.zip).
      Days that are known already take the file's rates; figures that lacked one are made anew within a minute or two.

From an address, https and public ones alone are called, unless TIDELINE_RATES_PRIVATE_ADDRESS allows others. With
TIDELINE_RATES_URL the scheduler fetches by itself. Where exchange rates are older than 4 banking days, status, /health/ready,
the metric tideline_exchange_rates_missed and the event rates.old tell.
`;

export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, { ...commonOptions });
  const [action = "show", source, ...more] = positionals;
  const chosen = oneOf(action, ["show", "load"], "The action");
  if (more.length > 0 || (chosen === "load") !== (source !== undefined))
    throw new Fault("COMMAND_USAGE", "rates load takes one file or address, rates alone none.");
  return await withSession(configOf(values), async (session) => {
    if (source === undefined) await show(session, values.json);
    else await load(session, source, values.json);
    return exitCode.done;
  });
}

async function show({ database, config }: Session, asJson: boolean): Promise<void> {
  const age = await readRatesAge(database, createClock(config.asOf));
  const words = age.isOld ? describeRatesAge(age) : `the newest are of ${age.newest}`;
  printResult(asJson, age, [`Exchange rates: ${words}`]);
}

async function load({ database, config }: Session, source: string, asJson: boolean): Promise<void> {
  const isAddress = /^https?:\/\//.test(source);
  const bytes = isAddress
    ? await downloadRates({ url: source, allowsPrivateAddresses: config.ratesPrivateAddress === "allowed" })
    : await readFileGiven(source);
  const named = isAddress ? new URL(source).origin + new URL(source).pathname : path.basename(source);
  const added = await loadRatesFrom(database, bytes, named, new Date());
  printResult(asJson, added, [
    added.days === 0
      ? `Nothing new; the newest exchange rates are of ${added.newest}.`
      : `Rates of ${countOf(added.days, "day")} added; the newest are of ${added.newest}.`,
  ]);
}

async function readFileGiven(file: string): Promise<Buffer> {
  return await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT" && error.code !== "EISDIR") throw error;
    throw new Fault("NOT_FOUND", `There is no file ${file}.`, { cause: error });
  });
}
