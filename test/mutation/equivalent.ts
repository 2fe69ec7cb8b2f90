/**
 * Mutants judged by hand: nothing that the system does tells them from the original, so no test can. They are left out
 * of the score. Told by content, so that they stay judged when lines move; one that no longer exists is reported.
 */
import { equivalentsOfFold } from "./equivalent-fold.ts";
import { equivalentsOfLedger } from "./equivalent-ledger.ts";
import { equivalentsOfPayments } from "./equivalent-payments.ts";
import { equivalentsOfSearch } from "./equivalent-search.ts";
import type { Equivalents } from "./judged.ts";

export const equivalents: readonly Equivalents[] = [
  ...equivalentsOfFold,
  ...equivalentsOfLedger,
  ...equivalentsOfPayments,
  ...equivalentsOfSearch,
];
