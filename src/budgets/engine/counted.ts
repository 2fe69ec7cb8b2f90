/** A row that is in the sums, in the brand's currency and categorised. */
import type { Categorised } from "../../categories/categorised.ts";
import type { LedgerTransaction } from "../../ledger/history.ts";

/** minor: with the bank's sign. */
export type Counted = { row: LedgerTransaction; minor: number; categorised: Categorised };
