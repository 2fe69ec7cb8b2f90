/** What gambling paid out: no income, and it makes no stake smaller. Pure. */
import { findPayee } from "../../categories/merchants.ts";
import { merchantOf } from "../../payments/merchant.ts";
import type { Counted } from "./counted.ts";

const gambling = "LEISURE_GAMBLING";
/** ISO 18245: lotteries, casinos, races and betting. */
const gamblingCodes: ReadonlySet<number> = new Set([7800, 7801, 7802, 7995, 9406, 9754]);

/** Txids of what came from whom stakes go to, or from a company of the kind. */
export function winningsOf(counted: readonly Counted[], country: string): ReadonlySet<string> {
  const bookmakers = new Set(
    counted
      .filter(({ minor, categorised }) => minor < 0 && categorised.categoryId === gambling)
      .map(({ categorised }) => categorised.payeeKey),
  );
  const isWon = ({ row, minor, categorised }: Counted): boolean =>
    minor > 0 &&
    (categorised.categoryId === gambling ||
      bookmakers.has(categorised.payeeKey) ||
      (row.mcc !== null && gamblingCodes.has(row.mcc)) ||
      findPayee(merchantOf(row.merchantName, row.description).key, [country])?.categoryId === gambling);
  return new Set(counted.filter(isWon).map(({ row }) => row.txid));
}
