/** What a payee is called in a budget: as a person would write it, without the bank's own words before it. Pure. */
import { findPayee } from "../../categories/merchants.ts";
import { nameStart, noOpenings } from "../../categories/reading.ts";
import { folded, wordsIn } from "../../categories/words.ts";
import type { LedgerTransaction } from "../../ledger/history.ts";
import { itemAt } from "../../present.ts";
import { titleOf } from "./convert.ts";

export function payeeTitleOf(row: LedgerTransaction): string {
  const title = withoutBankWords(titleOf(row));
  const numbered = numberedName(row.merchantName ?? row.description);
  return numbered === null || folded(title).includes(folded(numbered)) ? title : `${numbered} ${title}`;
}

/** A title where nothing but the bank's words and numbers would be left, and one that has none, is what it was. */
export function withoutBankWords(title: string): string {
  const words = wordsIn(folded(title));
  const start = nameStart(words, noOpenings);
  const written = [...title.matchAll(/[\p{L}\p{N}]+/gu)];
  // Letters that the bank's alphabet lacks may part words otherwise.
  if (start === 0 || start === words.length || written.length !== words.length) return title;
  return title.slice(itemAt(written, start).index);
}

/** A known name that goes on into a number is taken for a shop's code where names are cleaned: REMA1000. */
function numberedName(text: string): string | null {
  const start = nameStart(wordsIn(folded(text)), noOpenings);
  const before = [...text.matchAll(/[\p{L}\p{N}]+/gu)].slice(0, start).map(([word]) => word);
  const name = before.find((word) => /^\p{L}{3,}\d{2,4}$/u.test(word) && findPayee(folded(word), []) !== null);
  return name === undefined ? null : name.charAt(0).toUpperCase() + name.slice(1).toLowerCase();
}
