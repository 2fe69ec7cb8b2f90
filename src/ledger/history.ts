/** The ledger as recognition reads it: whole histories of many users at once. */
import type { Day } from "../calendar.ts";
import type { Queryable } from "../database.ts";
import { parseAmount } from "../money.ts";

/** One row in whole minor units; money leaving is negative. */
export type LedgerTransaction = {
  id: number;
  txid: string;
  day: Day;
  rawType: string;
  description: string;
  amountMinor: number;
  currency: string;
  originalAmountMinor: number | null;
  originalCurrency: string | null;
  merchantName: string | null;
  merchantCid: string | null;
  merchantCountry: string | null;
  mcc: number | null;
  accountId: string | null;
  cardId: string | null;
  /** Of the user's account, as last delivered; null when the bank gave none. */
  iban: string | null;
};

type HistoryRow = Omit<LedgerTransaction, "amountMinor" | "originalAmountMinor"> & { userId: number; amount: string; originalAmount: string | null };

/** Every row of each user that lies on no removed account, in no particular order; users without rows are absent. One query, one index range a user. */
export async function readHistory(database: Queryable, userIds: readonly number[]): Promise<Map<number, LedgerTransaction[]>> {
  const { rows } = await database.query<HistoryRow>(
    `select t.user_id as "userId", t.id, t.txid, t.booked_on as day, t.raw_type as "rawType", t.description, t.amount::text, t.currency,
            t.original_amount::text as "originalAmount", t.original_currency as "originalCurrency", t.merchant_name as "merchantName",
            t.merchant_cid as "merchantCid", t.merchant_country as "merchantCountry", t.merchant_mcc as mcc,
            t.account_id as "accountId", t.card_id as "cardId", nullif(a.iban, '') as iban
       from transactions t
       left join accounts a on a.user_id = t.user_id and a.id = t.account_id
      where t.user_id = any($1::bigint[])
        and a.removed_after is null`,
    [userIds],
  );
  const histories = new Map<number, LedgerTransaction[]>();
  for (const row of rows) {
    const transaction = inMinorUnits(row);
    const history = histories.get(row.userId);
    if (history) history.push(transaction);
    else histories.set(row.userId, [transaction]);
  }
  return histories;
}

/**
 * Field by field, which costs a fraction of taking fields off millions of rows. Amounts that cannot be counted in minor units are
 * refused when records are checked, so one here is a bug.
 */
function inMinorUnits(row: HistoryRow): LedgerTransaction {
  return {
    id: row.id, txid: row.txid, day: row.day, rawType: row.rawType, description: row.description,
    amountMinor: minorUnits(row.amount, row.currency), currency: row.currency,
    originalAmountMinor: row.originalAmount === null ? null : minorUnits(row.originalAmount, row.originalCurrency ?? row.currency), originalCurrency: row.originalCurrency,
    merchantName: row.merchantName, merchantCid: row.merchantCid, merchantCountry: row.merchantCountry, mcc: row.mcc,
    accountId: row.accountId, cardId: row.cardId, iban: row.iban,
  };
}

/** A double still tells amounts of this size to the thousandth. */
const EXACT_AS_DOUBLE_MAX = 1e12;

function minorUnits(text: string, currency: string): number {
  const amount = Number(text);
  const money = parseAmount(Math.abs(amount) < EXACT_AS_DOUBLE_MAX ? amount : text, currency);
  if (money === null) throw new RangeError("a ledger amount is beyond what minor units can count");
  return money.minor;
}
