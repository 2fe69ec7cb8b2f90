/**
 * Several contracts with one payee, told apart by the customer's or contract's number in the lines. What a number is
 * for no line says, so its use tells: a contract's comes again and again while another one does too. References, dates
 * and invoice numbers never return, and where one number takes another's place the contract has a new number.
 */
import type { Payment } from "./payment.ts";
import { firstOf, itemAt, lastOf } from "../present.ts";

/** What returns only once may be anything. */
const paymentsPerContractMin = 3;
/** Shorter ones may be a day and a month, and come again each year. */
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

/**
 * By each number that returns on another day, and not with every payment, those that have it; most payments first. None
 * where too many of the payments have no number at all.
 */
function byReturningNumber(payments: readonly Payment[]): Payment[][] {
  if (!mayReturn(payments)) return [];
  const byNumber = new Map<string, Payment[]>();
  for (const payment of payments) {
    const { description } = payment.transaction;
    const count = findNumbers(description);
    for (let at = 0; at < count; at++) {
      // Nearly all numbers come once, and are spared a list.
      if ((counts[found.buckets[at] as number] as number) < paymentsPerContractMin) continue;
      const number = description.slice(found.starts[at], found.ends[at]);
      if (isAmountOf(payment, number)) continue;
      const having = byNumber.get(number);
      if (having === undefined) byNumber.set(number, [payment]);
      else if (lastOf(having) !== payment) having.push(payment);
    }
  }
  return [...byNumber.values()]
    .filter(
      (own) => own.length >= paymentsPerContractMin && own.length < payments.length && firstOf(own).at < lastOf(own).at,
    )
    .sort((a, b) => b.length - a.length);
}

/** What was paid, as some lines have it, comes again with each payment of one contract until its price changes. */
function isAmountOf({ price }: Payment, number: string): boolean {
  return number.replaceAll(/[.,]/g, "") === String(price);
}

const counts = new Uint16Array(1_024);

/** Counts numbers by their buckets; false where too many payments have none, or none comes often. */
function mayReturn(payments: readonly Payment[]): boolean {
  counts.fill(0);
  let unnumbered = 0;
  let most = 0;
  for (const { transaction } of payments) {
    const count = findNumbers(transaction.description);
    if (count === 0 && ++unnumbered > (1 - numberedShareMin) * payments.length) return false;
    for (let at = 0; at < count; at++) {
      const bucket = found.buckets[at] as number;
      const having = (counts[bucket] as number) + 1;
      counts[bucket] = having;
      if (having > most) most = having;
    }
  }
  return most >= paymentsPerContractMin;
}

/** Whether either was paid while the other ran. */
function isBeside(a: readonly Payment[], b: readonly Payment[]): boolean {
  return firstOf(a).at < lastOf(b).at && firstOf(b).at < lastOf(a).at;
}

/** Of the line looked at last: where its numbers begin and end, and a bucket of each that is equal for equal ones. */
const found: { starts: number[]; ends: number[]; buckets: number[] } = { starts: [], ends: [], buckets: [] };

/** Finds letters and digits, with what groups them, in the order of the line. @returns how many */
function findNumbers(line: string): number {
  let count = 0;
  let start = -1;
  let digits = 0;
  let hash = 0;
  for (let at = 0; at <= line.length; at++) {
    const code = at < line.length ? line.charCodeAt(at) : 0;
    const isDigit = isDigitCode(code);
    if (isDigit || isLetterCode(code)) {
      if (start < 0) {
        start = at;
        hash = 0;
      }
      if (isDigit) digits++;
      hash = (Math.imul(hash, 31) + code) | 0;
      continue;
    }
    if (start < 0) continue;
    if (isGroupingCode(code) && at + 1 < line.length && isWordCode(line.charCodeAt(at + 1))) {
      hash = (Math.imul(hash, 31) + code) | 0;
      continue;
    }
    if (digits >= digitsMin && at - start >= numberLengthMin) {
      found.starts[count] = start;
      found.ends[count] = at;
      found.buckets[count] = (hash ^ (hash >>> 10) ^ (hash >>> 20)) & (counts.length - 1);
      count++;
    }
    start = -1;
    digits = 0;
  }
  return count;
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

/**
 * Beginnings of words for customer, contract, policy and membership in the languages we meet, and what may stand between
 * them and the number.
 */
const numbered = new RegExp(
  `(?<![A-Z])(?:${[
    "KUNDE?N?",
    "KD",
    "KLANT",
    "CLIENTE?",
    "CUSTOMER",
    "ASIAKAS",
    "AFTALE",
    "AVTALE?",
    "VERTRAGS?",
    "CONTRA[CTO]+",
    "KONTRAKT",
    "SOPIMUS",
    "UMOWA",
    "SMLOUVA",
    "POLI[CSZ][EYZA]*",
    "VERS(?:ICHERUNGS?)?",
    "FORSIKRINGS?",
    "FORSAKRINGS?",
    "MITGL(?:IEDS?)?",
    "MEDLEMS?",
    "MEMBER(?:SHIP)?",
    "LID(?:MAATSCHAPS?)?",
    "ADHERENT",
    "SOCIO",
    "MANDAT[ES]?",
    "MREF",
    "ABO(?:NNEMENT)?S?",
    "RELATIE",
    "KASSENZEICHEN",
    "BEITRAGS",
  ].join(
    "|",
  )})[ .:-]{0,2}(?:NR|NO|NUM(?:MER|BER|ERO)?|KONTO|REF(?:ERENZ|ERENCE)?)?[ .:#+-]{0,3}([A-Z0-9./-]*[0-9]{4}[A-Z0-9./-]*)`,
  "g",
);

/** Whether the two latest lines name one contract: a number of which there is but one tells nothing. */
export function nameOneContract(payments: readonly Payment[]): boolean {
  if (payments.length < 2) return false;
  const latest = contractNumbersIn(lastOf(payments));
  return (
    latest.length > 0 &&
    contractNumbersIn(itemAt(payments, payments.length - 2)).some((number) => latest.includes(number))
  );
}

function contractNumbersIn({ transaction: { description } }: Payment): string[] {
  return [...description.toUpperCase().normalize("NFD").replace(/\p{M}/gu, "").matchAll(numbered)].map(
    ([, number]) => number as string,
  );
}

/** Letters and digits, with what groups them; and those of them that are a day, or have a year. */
const groupedNumber = /[A-Za-z0-9]+(?:[./-][A-Za-z0-9]+)*/g;
const writtenDay = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/;
const writtenYear = /(?<!\d)20\d\d(?!\d)/g;
/** A day and a month come again each year; a number with so many digits, or fewer beside letters, is somebody's. */
const ownDigitsMin = 5;
const ownDigitsMinBesideLetters = 4;

/** The numbers in a line, as they are grouped in it, that may be a contract's, a customer's or a thing's; no days. */
export function ownNumbersIn(line: string): string[] {
  return (line.match(groupedNumber) ?? []).filter((number) => {
    const digits = number.replace(writtenYear, "").replace(/\D/g, "").length;
    return digits >= (/[A-Za-z]/.test(number) ? ownDigitsMinBesideLetters : ownDigitsMin) && !writtenDay.test(number);
  });
}
