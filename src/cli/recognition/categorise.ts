/** `tideline categorise`: what the payments of a file were for, by the rules of budgets and without a database. */
import { readArguments, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { categoriseFile } from "./categorise-file.ts";

export const usage = `
tideline categorise FILE [--as-of YYYY-MM-DD|FILE.json] [--country CC]

FILE holds RawTransactions (JSON array or JSON Lines, .gz too). All of a user's are decided together, as a budget decides
them; nothing is stored. Prints one transaction a line: uid, id (the txid), category or null, exclusion (why it is
neither spent nor earned) or null, the rule that decided, and its confidence.
--as-of: a day, or a JSON object of days by user; default: each user's last day. What is later is left out.
--country: where users live whose records do not say so by a key "country"; default: where their currency is at home.
`;

export async function run(argv: string[]): Promise<number> {
  const text = { type: "string" } as const;
  const { values, positionals } = readArguments(argv, { "as-of": text, country: text });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) usageError("Name one FILE.");
  if (values.country !== undefined && !/^[A-Z]{2}$/.test(values.country))
    usageError(`--country must be two capital letters such as DK, not "${values.country}".`);
  await categoriseFile({
    file,
    ...(values["as-of"] === undefined ? {} : { asOf: values["as-of"] }),
    ...(values.country === undefined ? {} : { country: values.country }),
    out: process.stdout,
    progress: (line) => void process.stderr.write(`${line}\n`),
  });
  return exitCode.done;
}
