/** A row that is in the sums, in the brand's currency and categorised. */
import type { Categorised } from "../../categories/categorised.ts";
import type { LedgerTransaction } from "../../ledger/history.ts";
import type { Day } from "../../time/calendar.ts";

/** minor: with the bank's sign. rateDate: of an old rate that made it (src/rates/rates.ts). */
export type Counted = { row: LedgerTransaction; minor: number; rateDate?: Day; categorised: Categorised };
