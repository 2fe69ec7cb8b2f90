/**
 * Where the fields of one record stand in a buffer, found without making a value of any: the form that records of JSON
 * and rows of CSV files share on the hot path. A field that is absent, null, or empty where CSV cannot say null, is
 * not present.
 */

/** Numbers of the fields. Those up to `cardId` are columns of the ledger, in the order of its COPY. */
export const field = {
  txid: 0,
  txTime: 1,
  rawType: 2,
  description: 3,
  amount: 4,
  currency: 5,
  originalAmount: 6,
  originalCurrency: 7,
  merchantName: 8,
  merchantCid: 9,
  merchantAddress: 10,
  merchantCity: 11,
  merchantPostCode: 12,
  merchantCountry: 13,
  merchantMcc: 14,
  accountId: 15,
  cardId: 16,
  accountName: 17,
  iban: 18,
  pan4: 19,
  cardType: 20,
  paymentNetwork: 21,
  /** The partner's id of the user; in a CSV file the bank's id beside the account. */
  owner: 22,
  recordType: 23,
  account: 24,
  card: 25,
  tx: 26,
  merchant: 27,
} as const;

const fieldCount = 28;

export class RecordFields {
  /** Of a text without its quotes, of an object with its brackets. */
  readonly starts = new Int32Array(fieldCount);
  readonly ends = new Int32Array(fieldCount);
  /** One bit a field. */
  present = 0;
  /**
   * Fields whose bytes are not their text: JSON escapes, doubled quotes. Never of fields that are read as something
   * else than text.
   */
  escaped = 0;

  has(number: number): boolean {
    return (this.present & (1 << number)) !== 0;
  }

  bytesOf(number: number): number {
    return (this.ends[number] as number) - (this.starts[number] as number);
  }
}

/** A bit for each of these fields. */
export function bits(...numbers: number[]): number {
  return numbers.reduce((mask, number) => mask | (1 << number), 0);
}
