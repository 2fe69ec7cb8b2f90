/**
 * Several contracts with one payee, told apart by the customer's or contract's number in the lines. What a number is
 * for no line says, so its use tells: a contract's comes again and again while another one does too. References, dates
 * and invoice numbers never return, and where one number takes another's place the contract has a new number.
 */
import type { Payment } from "./payment.ts";
import { firstOf, lastOf } from "../present.ts";

/** What returns only once may be anything. */
const paymentsPerContractMin = 3;
/** With what groups its digits. Shorter ones may be a day and a month, and come again each year. */
const numberPattern = /[A-Z0-9]+(?:[./-][A-Z0-9]+)*/gi;
const digitsMin = 3;
const numberLengthMin = 5;
/** Who collects under more numbers than this counts something else by them. */
const contractsMax = 8;
/** Where fewer of the payments have such a number, the number is not what tells them apart. */
const numberedShareMin = 0.8;

/** The payments of each contract, by day, and those of none, which may be empty. */
export type Contracts = { contracts: Payment[][]; others: Payment[] };

/**
 * Contracts by the names under which one payee, as of a catalogued company, is paid; null where one name takes another's
 * place, as a new spelling does.
 * @param payments one payee's, by day.
 */
export function contractsByName(payments: readonly Payment[]): Contracts | null {
  if (payments.length < 2 * paymentsPerContractMin || lastOf(payments).kind === "CARD") return null;
  const { key } = firstOf(payments).merchant;
  if (payments.every(({ merchant }) => merchant.key === key)) return null;
  const contracts: Payment[][] = [];
  const others: Payment[] = [];
  for (const own of Map.groupBy(payments, ({ merchant }) => merchant.key).values()) {
    if (own.length >= paymentsPerContractMin) contracts.push(own);
    else others.push(...own);
  }
  return areTold(contracts, others, payments) ? { contracts, others } : null;
}

/**
 * Contracts by their numbers; null where no numbers tell contracts apart.
 * @param payments one payee's, by day.
 */
export function contractsOf(payments: readonly Payment[]): Contracts | null {
  if (payments.length < 2 * paymentsPerContractMin || lastOf(payments).kind === "CARD") return null;
  const contracts: Payment[][] = [];
  let others = [...payments];
  for (const own of byReturningNumber(payments)) {
    const free = own.filter((payment) => others.includes(payment));
    // A number beside one that says more: a second one of the same contract, or a month's in which several are paid.
    if (free.length < own.length) continue;
    contracts.push(own);
    others = others.filter((payment) => !own.includes(payment));
  }
  return areTold(contracts, others, payments) ? { contracts, others } : null;
}

function areTold(
  contracts: readonly (readonly Payment[])[],
  others: readonly Payment[],
  payments: readonly Payment[],
): boolean {
  return (
    contracts.length <= contractsMax &&
    others.length <= (1 - numberedShareMin) * payments.length &&
    contracts.some((one, at) => contracts.some((other, after) => after > at && isBeside(one, other)))
  );
}

/** By each number that returns on another day, and not with every payment, those that have it; most payments first. */
function byReturningNumber(payments: readonly Payment[]): Payment[][] {
  const byNumber = new Map<string, Payment[]>();
  for (const payment of payments)
    for (const number of numbersIn(payment)) {
      const having = byNumber.get(number);
      if (having === undefined) byNumber.set(number, [payment]);
      else having.push(payment);
    }
  return [...byNumber.values()]
    .filter(
      (own) => own.length >= paymentsPerContractMin && own.length < payments.length && firstOf(own).at < lastOf(own).at,
    )
    .sort((a, b) => b.length - a.length);
}

/** Whether either was paid while the other ran. */
function isBeside(a: readonly Payment[], b: readonly Payment[]): boolean {
  return firstOf(a).at < lastOf(b).at && firstOf(b).at < lastOf(a).at;
}

/** In the order of the line, each once. */
function numbersIn({ transaction: { description } }: Payment): readonly string[] {
  if (!/\d/.test(description)) return [];
  const words = description.match(numberPattern) ?? [];
  return [...new Set(words.filter((word) => word.length >= numberLengthMin && digitsIn(word) >= digitsMin))];
}

function digitsIn(word: string): number {
  return word.replaceAll(/\D/g, "").length;
}
