/** `tideline crowdsourcing`: what users call subscriptions, for whoever keeps the product catalogue. */
import { type ReviewedPayee, reviewSubmissions } from "../../recognition/review.ts";
import { commonOptions, configOf, readArguments, readCount } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { alignColumns, formatCount, printResult } from "../terminal/result.ts";
import { withSession } from "../service/session.ts";

export const usage = `
tideline crowdsourcing [--limit 50] [--data-dir DIR] [--json]

Payees and counts only, most often named first; payees that may be persons are counted together and not named. A product
enters the catalogue by hand: config/products.json.
`;

const listedDefault = "50";
const listedMax = 100_000;

export async function run(argv: string[]): Promise<number> {
  const { values } = readArguments(argv, { ...commonOptions, limit: { type: "string" } });
  const limit = readCount(values.limit ?? listedDefault, "--limit", 1, listedMax);
  return await withSession(configOf(values), async (session) => {
    const payees = await reviewSubmissions(session.database, limit);
    const head = ["PAYEE", "USERS", "SUCCESS", "NOT SUBSCRIPTION", "TECHNICAL LIMITATION", "FREQUENCIES GIVEN"];
    printResult(
      values.json,
      payees,
      payees.length === 0 ? ["Nothing was submitted."] : alignColumns([head, ...payees.map(lineOf)]),
    );
    return exitCode.done;
  });
}

function lineOf({
  payeeKey,
  users,
  success,
  notSubscription,
  technicalLimitation,
  frequencies,
}: ReviewedPayee): string[] {
  const given = Object.entries(frequencies)
    .map(([frequency, count]) => `${frequency} ${formatCount(count)}`)
    .join(", ");
  return [payeeKey ?? "(not named)", ...[users, success, notSubscription, technicalLimitation].map(formatCount), given];
}
