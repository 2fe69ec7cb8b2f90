/** What the ledger keeps of one record. */
import type { Day } from "../time/calendar.ts";

/** A transaction as it is stored, but for its owner and its delivery. Amounts are decimal text, exactly as sent. */
export type LedgerRow = {
  txid: string;
  bookedOn: Day;
  /** The sender's time stamp as it came; only its date is reliable. */
  txTime: string;
  rawType: string;
  description: string;
  amount: string;
  currency: string;
  originalAmount: string | null;
  originalCurrency: string | null;
  merchantName: string | null;
  merchantCid: string | null;
  merchantAddress: string | null;
  merchantCity: string | null;
  merchantPostCode: string | null;
  merchantCountry: string | null;
  merchantMcc: number | null;
  accountId: string | null;
  cardId: string | null;
};

export type LedgerAccount = { id: string; name: string; iban: string };
export type LedgerCard = { id: string; pan4: string; cardType: string | null; paymentNetwork: string | null };
