/** `tideline crowdsourcing`: what users call subscriptions, for whoever keeps the product catalogue. */
import { type ReviewedPayee, reviewSubmissions } from "../../recognition/review.ts";
import { type Population, readPopulation } from "../../recognition/population.ts";
import { commonOptions, configOf, readArguments, readCount } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { alignColumns, formatCount, printResult } from "../terminal/result.ts";
import { withSession } from "../service/session.ts";

export const usage = `
tideline crowdsourcing [--population] [--limit 50] [--data-dir DIR] [--json]

Payees and counts only, most often named first; payees that may be persons are counted together and not named. A product
enters the catalogue by hand: tideline catalogue put. --population tells instead what is recognised of all users together: services
by frequency, users' answers by how sure it was, and the services that users hid last.
`;

const listedDefault = "50";
const listedMax = 100_000;

export async function run(argv: string[]): Promise<number> {
  const { values } = readArguments(argv, {
    ...commonOptions,
    limit: { type: "string" },
    population: { type: "boolean", default: false },
  });
  const limit = readCount(values.limit ?? listedDefault, "--limit", 1, listedMax);
  return await withSession(configOf(values), async (session) => {
    if (values.population) {
      const population = await readPopulation(session.database, null, limit);
      printResult(values.json, population, describePopulation(population));
      return exitCode.done;
    }
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

function describePopulation({ services, answers, falseAlarms }: Population): string[] {
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  return [
    ...alignColumns([
      ["FREQUENCY", "ACTIVE", "ENDED OR ENDING", "USERS"],
      ...services.map((one) => [one.paymentFrequency, ...[one.active, one.others, one.users].map(formatCount)]),
    ]),
    "",
    ...alignColumns([
      ["STATED FROM", "MEAN", "KEPT", "HIDDEN"],
      ...answers.map((one) => [
        percent(one.from),
        percent(one.stated),
        formatCount(one.shown),
        formatCount(one.hidden),
      ]),
    ]),
    "",
    ...alignColumns([
      ["HIDDEN", "PARTNER", "USER", "FREQUENCY", "SURE", "SERVICE"],
      ...falseAlarms.map((one) => [
        one.decidedAt.toISOString().slice(0, 19),
        one.partnerId,
        one.bankUserId,
        one.paymentFrequency,
        percent(one.confidence),
        one.serviceId,
      ]),
    ]),
  ];
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
