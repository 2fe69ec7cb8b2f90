/**
 * One user's ledger rows as recognition sees them, and the same rows prepared for it: deduplicated, in one order,
 * with day numbers instead of texts.
 */
import { type Day, daysInMonth, numberFromParts } from "../time/calendar.ts";
import { saysAgreed } from "./bank-words.ts";
import { type Line, lineOf, type Merchant, merchantOf, normaliseText } from "./merchant.ts";
import { withoutOpeningWords } from "./opening-words.ts";
import type { HistoryTransaction, Payment, PaymentKind, Reading } from "./payment.ts";

const kindPatterns: readonly (readonly [PaymentKind, RegExp])[] = [
  // British banks' codes.
  ["DIRECT_DEBIT", /^(?:D\/?D|DDR|S\/?O|STO)$/],
  ["CARD", /^(?:DEB|VIS)$/],
  ["CASH", /^(?:CPT|C\/L)$/],
  ["TRANSFER", /^(?:TFR|XFR|FPO|FPI|BGC)$/],
  // As other banks say them, who call the types of their rows in their own languages.
  ["CASH", /MINIBANK|KONTANT|GELDAUTOMAT|BARGELD|BANKOMAT|HAEVEAUTOMAT|HÆVEAUTOMAT|RETRAIT|GELDOPNAME|CAJERO/],
  ["CASH", /CASH|ATM|WITHDRAW/],
  [
    "DIRECT_DEBIT",
    /AVTALEGIRO|^I?AVTGI?$|BETALINGSSERVICE|LEVERANDØRSERVICE|DAUERAUFTR|INCASSO|PR[EÉ]L[EÈ]VEMENT|^PRLV|DOMICILI|ADEUDO|\bSDD\b|ADDEBITO/,
  ],
  ["DIRECT_DEBIT", /DIRECT[_ ]?DEBIT|STANDING[_ ]?ORDER|LASTSCHRIFT|AUTOGIRO|MANDATE|INVOICE|BILL/],
  ["FEE", /FEE|CHARGE|PENALTY/],
  ["INTEREST", /INTEREST/],
  [
    "CARD",
    /^VARER?$|VAREK[JØ]|VISA VARE|KORTK[ØÖO]|KARTENZAHL|BETAALAUTOMAAT|BETAALPAS|PAIEMENT (?:PAR )?CARTE|TARJETA/,
  ],
  ["CARD", /CARD|PURCHASE|POS/],
  ["TRANSFER", /OVERF[ØÖO]R|ÜBERWEISUNG|UEBERWEISUNG|VIREMENT|OVERSCHRIJVING|OVERBOEKING|TRANSFERENCIA/],
  ["TRANSFER", /TRANSFER/],
];

/** Lines that say that cash was drawn, in the languages we meet, normalised: by machine, at the counter, in a shop. */
const cashWords =
  /\b(?:ATM|CASHPOINT|CASH WITHDRAWAL|BANCOMAT|BANKOMAT\w*|GELDAUTOMAT\w*|GELDAUSZAHLUNG|BARGELD(?!LOS)\w*|BARAUSZAHLUNG|GELDOPNAME|GELDMAAT|RETRAIT (?:DAB|GAB|ESPECES)|RETRAIT|MINIBANK\w*|KONTANTUTTAK|KONTANTHAVNING|HAVEAUTOMAT\w*|UDBETALING AUTOMAT|UTTAG (?:BANKOMAT|AUTOMAT)|KATEISNOSTO|OTTO\. \w+|WYPLATA Z BANKOMATU|VYBER Z BANKOMATU|VYBER HOTOVOSTI|RETIRADA DE EFECTIVO|CAJERO|PRELIEVO)\b/;

/** What each of them has in it, before letters are made plain: nearly all lines have none of these. */
const cashHints =
  /ATM|CASH|BANCOMAT|BANKOMAT|GELD|BARAUS|RETRAIT|MINIBANK|KONTANT|AUTOMAT|K.TEISNOSTO|OTTO\.|V.B.R|RETIRADA|CAJERO|PRELIEVO/i;

/**
 * The hour at which somebody stood at a till or a machine: what is collected has a day. Bare hours may be days of the
 * month, so the line says what they are.
 */
const timeOfDay = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}|\bkl[. ]+\d{1,2}[.:]\d{2}\b/i;

/** How German banks may call whatever is debited, and what they then write of a card into the line. */
const anyDebit = /LASTSCHRIFT/i;
const boughtByCard = /\b(?:KAUFUMSATZ|KARTENZAHLUNG|GIROCARD)\b/i;

/** Kind of a raw type; OTHER when it says nothing we know. Cash is told before cards: CARD_CASH_WITHDRAWAL is cash. */
export function paymentKind(rawType: string): PaymentKind {
  const text = rawType.toUpperCase();
  for (const [kind, pattern] of kindPatterns) if (pattern.test(text)) return kind;
  return "OTHER";
}

/** What is known of rows: no txid is there twice, as in the ledger; they come by day, then txid, as they are kept. */
export type Known = { areDistinct?: boolean; areInOrder?: boolean };

/** Prepared payments by day then txid, each txid once, none after asOf, none without an amount. */
export function prepare(
  history: readonly HistoryTransaction[],
  asOf: Day,
  { areDistinct = false, areInOrder = false }: Known = {},
): Payment[] {
  const counted = history.filter(({ day, amountMinor }) => day <= asOf && amountMinor !== 0);
  const distinct = areDistinct ? counted : lastOfEach(counted);
  const payments = distinct.map(paymentOf);
  return withoutOpeningWords(areInOrder ? payments : inOrder(payments));
}

/** Of rows sent twice the last; with most users none were. */
function lastOfEach(rows: readonly HistoryTransaction[]): readonly HistoryTransaction[] {
  const txids = new Set<string>();
  for (const { txid } of rows) txids.add(txid);
  return txids.size === rows.length ? rows : [...new Map(rows.map((row) => [row.txid, row])).values()];
}

/** Order of payments: by day, then by id so that the order of arrival cannot matter. */
export function chronologically(a: Payment, b: Payment): number {
  return a.at - b.at || (a.transaction.txid < b.transaction.txid ? -1 : 1);
}

/** The payments, put in order: rows come by day, and of one day there are a few. */
function inOrder(payments: Payment[]): Payment[] {
  for (let index = 1; index < payments.length; index++)
    if ((payments[index] as Payment).at < (payments[index - 1] as Payment).at) return payments.sort(chronologically);
  for (let index = 1; index < payments.length; index++) {
    const payment = payments[index] as Payment;
    let at = index;
    for (; at > 0 && chronologically(payments[at - 1] as Payment, payment) > 0; at--)
      payments[at] = payments[at - 1] as Payment;
    payments[at] = payment;
  }
  return payments;
}

function paymentOf(transaction: HistoryTransaction): Payment {
  const { at, monthIndex, dayOfMonth, isMonthEnd } = datedOn(transaction.day);
  const { originalAmountMinor, originalCurrency } = transaction;
  const cost = Math.abs(transaction.amountMinor);
  const isForeign = originalAmountMinor !== null && originalAmountMinor !== 0 && originalCurrency !== null;
  const { merchant, kind } = readingOf(transaction);
  return {
    transaction,
    merchant,
    kind,
    at,
    monthIndex,
    dayOfMonth,
    isMonthEnd,
    price: isForeign ? Math.abs(originalAmountMinor) : cost,
    priceCurrency: isForeign ? originalCurrency : transaction.currency,
    cost,
    logCost: Math.log(cost),
  };
}

/** What the texts of a row say: as it was kept, or read now. */
export function readingOf(transaction: ReadRow): Reading {
  const { read } = transaction;
  if (read !== undefined) return read;
  const { merchantName, description } = transaction;
  const line = lineOf(description);
  return { merchant: merchantOf(merchantName, description, line), kind: kindOfLine(transaction, line) };
}

/** The merchant behind a row. */
export function merchantIn({ read, merchantName, description }: Omit<ReadRow, "rawType">): Merchant {
  return read === undefined ? merchantOf(merchantName, description) : read.merchant;
}

/** Of a row what is read. */
export type ReadRow = Pick<HistoryTransaction, "read" | "merchantName" | "description" | "rawType">;

type Dated = Pick<Payment, "at" | "monthIndex" | "dayOfMonth" | "isMonthEnd">;

const dates = new Map<Day, Dated>();
/** Forty years; days beyond them are told anew each time. */
const datesMax = 15_000;

/** All users pay on the same days. */
function datedOn(day: Day): Dated {
  let dated = dates.get(day);
  if (dated === undefined) {
    dated = dateOf(day);
    if (dates.size < datesMax) dates.set(day, dated);
  }
  return dated;
}

function dateOf(day: Day): Dated {
  const year = Number(day.slice(0, 4));
  const month = Number(day.slice(5, 7));
  const dayOfMonth = Number(day.slice(8, 10));
  return {
    at: numberFromParts(year, month, dayOfMonth),
    monthIndex: year * 12 + month - 1,
    dayOfMonth,
    isMonthEnd: dayOfMonth === daysInMonth(year, month),
  };
}

/**
 * What the type says, unless it is silent and the line says that cash was drawn, or a direct debit; nor does a type of
 * whatever is debited count where the line says more.
 */
function kindOfLine({ rawType, description }: Pick<ReadRow, "rawType" | "description">, line: Line): PaymentKind {
  const kind = kindOf(rawType);
  if (kind === "CASH" || (kind === "DIRECT_DEBIT" && !anyDebit.test(rawType))) return kind;
  line.cash ??= cashHints.test(description) && cashWords.test(normaliseText(description));
  if (line.cash) return "CASH";
  if (kind === "DIRECT_DEBIT") return boughtByCard.test(description) ? "CARD" : kind;
  if (kind !== "OTHER") return kind;
  return (line.kind ??= kindBySilentLine(description));
}

/**
 * Whether the bank itself says that it is collected by agreement, in its type or in the line. What a till collects by a
 * signature has a time of day.
 */
export function isToldAgreed({ rawType, description }: Pick<ReadRow, "rawType" | "description">): boolean {
  const kind = kindOf(rawType);
  const isAgreed =
    (kind === "DIRECT_DEBIT" && !(anyDebit.test(rawType) && boughtByCard.test(description))) ||
    (kind === "OTHER" && saysAgreed(description));
  return isAgreed && !timeOfDay.test(description);
}

function kindBySilentLine(description: string): PaymentKind {
  if (saysAgreed(description)) return "DIRECT_DEBIT";
  return timeOfDay.test(description) ? "CARD" : "OTHER";
}

const kinds = new Map<string, PaymentKind>();
const kindsMax = 1_000;

/** paymentKind for hot loops: raw types are a handful per bank, and a cache keeps their patterns off the way. */
export function kindOf(rawType: string): PaymentKind {
  let kind = kinds.get(rawType);
  if (kind === undefined) {
    kind = paymentKind(rawType);
    if (kinds.size < kindsMax) kinds.set(rawType, kind);
  }
  return kind;
}
