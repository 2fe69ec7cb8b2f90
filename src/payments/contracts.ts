/**
 * Several contracts with one payee, told apart by the customer's or contract's number in the lines. What a number is
 * for no line says, so its use tells: a contract's comes again and again while another one does too. References, dates
 * and invoice numbers never return, and where one number takes another's place the contract has a new number.
 */
import type { Payment } from "./payment.ts";
import { firstOf, lastOf } from "../present.ts";

/** What returns only once may be anything. */
const paymentsPerContractMin = 3;
/** Shorter ones may be a day and a month, and come again each year. */
const digitsMin = 3;
const numberLengthMin = 5;
/** Who collects under more numbers than this counts something else by them. */
const contractsMax = 8;
/** Where fewer of the payments have such a number, the number is not what tells them apart. */
const numberedShareMin = 0.8;

/**
 * The payments of each contract, by day, and those of none, which may be empty; null where no numbers tell contracts
 * apart.
 * @param payments one payee's, by day.
 */
export function contractsOf(payments: readonly Payment[]): { contracts: Payment[][]; others: Payment[] } | null {
  if (payments.length < 2 * paymentsPerContractMin || lastOf(payments).kind === "CARD") return null;
  const returning = byReturningNumber(payments);
  if (returning.length < 2) return null;
  const contracts: Payment[][] = [];
  let others = [...payments];
  for (const own of returning) {
    const free = own.filter((payment) => others.includes(payment));
    // A number beside one that says more: a second one of the same contract, or a month's in which several are paid.
    if (free.length < own.length) continue;
    contracts.push(own);
    others = others.filter((payment) => !own.includes(payment));
  }
  const isTold =
    contracts.length <= contractsMax &&
    others.length <= (1 - numberedShareMin) * payments.length &&
    contracts.some((one, at) => contracts.some((other, after) => after > at && isBeside(one, other)));
  return isTold ? { contracts, others } : null;
}

/**
 * By each number that returns on another day, and not with every payment, those that have it; most payments first. None
 * where too many of the payments have no number at all.
 */
function byReturningNumber(payments: readonly Payment[]): Payment[][] {
  // Nearly all numbers come once, and are spared a list.
  const byNumber = new Map<string, Payment | Payment[]>();
  let unnumbered = 0;
  for (const payment of payments) {
    const numbers = numbersIn(payment);
    if (numbers.length === 0 && ++unnumbered > (1 - numberedShareMin) * payments.length) return [];
    for (const number of numbers) {
      const having = byNumber.get(number);
      if (having === undefined) byNumber.set(number, payment);
      else if (!Array.isArray(having)) {
        if (having !== payment) byNumber.set(number, [having, payment]);
      } else if (lastOf(having) !== payment) having.push(payment);
    }
  }
  const returning: Payment[][] = [];
  for (const own of byNumber.values())
    if (
      Array.isArray(own) &&
      own.length >= paymentsPerContractMin &&
      own.length < payments.length &&
      firstOf(own).at < lastOf(own).at
    )
      returning.push(own);
  return returning.sort((a, b) => b.length - a.length);
}

/** Whether either was paid while the other ran. */
function isBeside(a: readonly Payment[], b: readonly Payment[]): boolean {
  return firstOf(a).at < lastOf(b).at && firstOf(b).at < lastOf(a).at;
}

const none: readonly string[] = [];

/** In the order of the line: letters and digits, with what groups them. */
function numbersIn({ transaction: { description } }: Payment): readonly string[] {
  let numbers: string[] | null = null;
  let start = -1;
  let digits = 0;
  for (let at = 0; at <= description.length; at++) {
    const code = at < description.length ? description.charCodeAt(at) : 0;
    const isDigit = isDigitCode(code);
    if (isDigit || isLetterCode(code)) {
      if (start < 0) start = at;
      if (isDigit) digits++;
      continue;
    }
    if (start < 0 || (isGroupingCode(code) && isWordCode(description.charCodeAt(at + 1)))) continue;
    if (digits >= digitsMin && at - start >= numberLengthMin) (numbers ??= []).push(description.slice(start, at));
    start = -1;
    digits = 0;
  }
  return numbers ?? none;
}

function isDigitCode(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** A to Z, a to z. */
function isLetterCode(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

function isWordCode(code: number): boolean {
  return isDigitCode(code) || isLetterCode(code);
}

/** Point, slash, hyphen. */
function isGroupingCode(code: number): boolean {
  return code >= 0x2d && code <= 0x2f;
}
