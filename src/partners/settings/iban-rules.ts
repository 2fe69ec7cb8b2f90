/**
 * How a bank's accounts table calls accounts of which statements tell the IBAN: which digits of it are the bank's
 * number and which the account's.
 */

/** From and to, from 1, in what stands behind country and check digits. */
export type Span = readonly [from: number, to: number];

/** By country, two capital letters. */
export type IbanRules = Readonly<Record<string, { bankId: Span; accountNumber: Span }>>;

/** Behind country and check digits (ISO 13616). */
const numberLengthMax = 30;
const pattern = /^([A-Z]{2}):(\d+)-(\d+):(\d+)-(\d+)$/;

/** Such as "NO:1-4:1-11,DK:1-4:5-14". @throws Error whose message completes "must be …" */
export function parseIbanRules(text: string): IbanRules {
  return Object.fromEntries(text.split(",").map((one) => parseRule(one.trim())));
}

function parseRule(text: string): [string, { bankId: Span; accountNumber: Span }] {
  const [, country = "", ...numbers] = pattern.exec(text) ?? [];
  const [a = 0, b = 0, c = 0, d = 0] = numbers.map(Number);
  const isSpan = (from: number, to: number) => from >= 1 && from <= to && to <= numberLengthMax;
  if (!isSpan(a, b) || !isSpan(c, d))
    throw new Error(
      "a list of COUNTRY:FROM-TO:FROM-TO, the places of the bank's number and of the account's, such as NO:1-4:1-11",
    );
  return [country, { bankId: [a, b], accountNumber: [c, d] }];
}
