/**
 * Categorising over a file of RawTransaction objects, without a database. Writes one transaction a line, in the order of
 * the users and of their rows.
 */
import { categoriseHistory } from "../../evaluation/categories.ts";
import { homeOf, readHistories } from "../../payments/history-file.ts";
import { countOf } from "../terminal/result.ts";
import { toldLeftOut } from "./left-out.ts";
import { asOfDays } from "./as-of.ts";
import { write } from "./write.ts";

export type CategoriseFileOptions = {
  file: string;
  /** A day for all users, or the path of a JSON object uid → day; default: each user's last transaction day. */
  asOf?: string;
  /** Where users live whose records do not say it; default: where most of a user's money is at home. */
  country?: string;
  out: NodeJS.WritableStream;
  /** Called with one line of progress or result. */
  progress: (line: string) => void;
};

const progressEveryUsers = 500;

/**
 * Records that are no transaction, and those after the day, are left out and counted. @throws Fault SOURCE_INVALID for
 * what is no file of records
 */
export async function categoriseFile(options: CategoriseFileOptions): Promise<{ users: number; transactions: number }> {
  const asOf = await asOfDays(options.asOf);
  const { histories, countries, leftOut } = await readHistories(options.file);
  let [users, transactions, later] = [0, 0, 0];
  for (const [uid, all] of histories) {
    const day = asOf(uid) ?? all.reduce((last, row) => (row.day > last ? row.day : last), "");
    const named = countries.get(uid) ?? options.country;
    const { country, currency } = homeOf(all, named === undefined ? {} : { country: named });
    const rows = all.filter((row) => row.day <= day);
    for (const one of categoriseHistory(rows, day, country, currency))
      await write(options.out, `${JSON.stringify(lineOf(uid, one))}\n`);
    transactions += rows.length;
    later += all.length - rows.length;
    if (++users % progressEveryUsers === 0) options.progress(`${users} of ${histories.size} users`);
  }
  options.progress(
    [
      countOf(users, "user"),
      countOf(transactions, "transaction"),
      ...toldLeftOut(leftOut),
      ...(later > 0 ? [`${countOf(later, "transaction")} after the day`] : []),
    ].join(", "),
  );
  return { users, transactions };
}

type Decided = ReturnType<typeof categoriseHistory>[number];

function lineOf(uid: string, { transactionId, categoryId, exclusion, rule, confidence }: Decided): object {
  return { uid, id: transactionId, category: categoryId, exclusion, rule, confidence };
}
