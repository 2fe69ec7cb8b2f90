/**
 * `tideline evaluate --categories`: how much of a population is categorised, how much of that is right, and what is
 * mistaken for what.
 */
import {
  addCategorised,
  type CategorisedUser,
  type CategoryTally,
  emptyCategoryTally,
  type Outcome,
} from "../../evaluation/categories.ts";
import { percent } from "../../evaluation/score-rows.ts";
import { alignColumns, printResult } from "../terminal/result.ts";

const confusionsShown = 15;

export async function evaluateCategories(
  source: string,
  users: AsyncIterable<CategorisedUser> | Iterable<CategorisedUser>,
  isJson: boolean,
  onUser: (done: number) => void,
): Promise<void> {
  const tally = emptyCategoryTally();
  for await (const user of users) {
    addCategorised(tally, user);
    onUser(tally.users);
  }
  printResult(isJson, { source, ...tally }, [
    ...alignColumns(shares(tally)),
    "",
    ...alignColumns(sliceRows(tally)),
    "",
    ...alignColumns(groupRows(tally)),
    "",
    ...confusionRows(tally),
  ]);
}

function shares({ users, transactions, decided, outgoing, outgoingDecided, rules }: CategoryTally): string[][] {
  return [
    ["users", String(users)],
    ["transactions", String(transactions)],
    ["categorised or left out", percent(decided / Math.max(1, transactions))],
    ["of money that left", percent(outgoingDecided / Math.max(1, outgoing))],
    ...Object.entries(rules)
      .sort((a, b) => b[1] - a[1])
      .map(([rule, count]) => [`by ${rule}`, String(count)]),
  ];
}

const outcomes = ["right", "wrong", "asked"] as const satisfies readonly Outcome[];

/** Right, wrong and asked by country, direction and kind of payment, of the payments and of the money. */
function sliceRows({ slices }: CategoryTally): string[][] {
  const named = Object.entries(slices).sort(([a], [b]) => (a < b ? -1 : 1));
  if (named.length === 0) return [];
  const sharesOf = (counts: Record<Outcome, number>): string[] => {
    const all = counts.right + counts.wrong + counts.asked;
    return outcomes.map((outcome) => percent(all === 0 ? 0 : counts[outcome] / all));
  };
  const rows = named.map(([name, { payments, money }]) => [name, ...sharesOf(payments), ...sharesOf(money)]);
  return [["OF", "RIGHT", "WRONG", "ASKED", "MONEY RIGHT", "WRONG", "ASKED"], ...rows];
}

function groupRows({ groups }: CategoryTally): string[][] {
  const named = Object.entries(groups).sort((a, b) => b[1].known - a[1].known);
  if (named.length === 0) return [];
  const rows = named.map(([group, { known, given, right }]) => [
    group,
    String(known),
    percent(given / known),
    percent(given === 0 ? 0 : right / given),
  ]);
  return [["GROUP", "KNOWN", "COVERAGE", "PRECISION"], ...rows];
}

function confusionRows({ confusions }: CategoryTally): string[] {
  return Object.entries(confusions)
    .sort((a, b) => b[1] - a[1])
    .slice(0, confusionsShown)
    .map(([confusion, count]) => `${count}  ${confusion}`);
}
