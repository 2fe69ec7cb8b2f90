/**
 * How money moved where the bank's type does not say: told from how the bank words its lines, and from what one user's
 * payees with lines so worded are like. Where nearly all of them are paid at changing prices on changing days the words
 * are those of purchases; where they keep price or date, of what is collected.
 */
import { isMiddleman, type Payee } from "./payee.ts";
import { changedPayment, type Payment, type PaymentKind } from "./payment.ts";
import { callsCompanies } from "./line-day/telling-words.ts";
import { areChosen } from "./price-kind.ts";
import { firstOf, itemAt, lastOf } from "../present.ts";

/** Words in the lines of so many payees are the bank's. */
const payeesPerBankWordMin = 5;
/** So many payees that are paid often enough tell what a wording is for, where so many of them agree. */
const judgedPayeesMin = 4;
const paymentsMin = 4;
const purchaseShareMin = 0.6;
const collectedShareMax = 0.25;
/** A payee is shopped at where so few prices come again and gaps vary by so much of their mean. */
const samePriceShareMax = 0.35;
const gapVariationMin = 0.45;
const logSamePriceMax = 0.02;
/** Of so large a part of the lines the bank says nothing but names. */
const wordlessShareMax = 0.9;
const toldAlready: ReadonlySet<PaymentKind> = new Set<PaymentKind>(["CARD", "DIRECT_DEBIT", "CASH", "FEE", "INTEREST"]);

/**
 * The payees, payments of no told kind with the one that their lines' wording is used for; where that tells nothing,
 * the word in it that most payees' lines have. Amounts that somebody chose are not collected, whatever the wording.
 */
export function withKindsOfLines(payees: readonly Payee[]): readonly Payee[] {
  return withKindsOfWording(payees).map(boughtThrough);
}

/** What a gateway collects was bought, as with a card: that it collects says nothing of what for. */
function boughtThrough(payee: Payee): Payee {
  const isThrough = isMiddleman(payee.product) || payee.gateway !== null;
  if (!isThrough || !payee.payments.some(({ kind }) => kind === "DIRECT_DEBIT")) return payee;
  const payments = payee.payments.map((payment): Payment =>
    payment.kind === "DIRECT_DEBIT" ? changedPayment(payment, { merchant: payment.merchant, kind: "CARD" }) : payment,
  );
  return { ...payee, payments };
}

function withKindsOfWording(payees: readonly Payee[]): readonly Payee[] {
  const untold = payees.filter(
    ({ direction, payments }) => direction === "OUT" && !toldAlready.has(lastOf(payments).kind),
  );
  if (untold.length < judgedPayeesMin) return payees;
  const words = new Map(untold.map((payee) => [payee, wordsOf(payee)]));
  const counts = new Map<string, number>();
  for (const own of words.values()) for (const word of own) counts.set(word, (counts.get(word) ?? 0) + 1);
  const bankWords = (payee: Payee): string[] =>
    [...(words.get(payee) ?? [])].filter((word) => (counts.get(word) ?? 0) >= payeesPerBankWordMin);
  const wording = (payee: Payee): string => bankWords(payee).join(" ");
  const commonest = (payee: Payee): string =>
    bankWords(payee).reduce((most, word) => ((counts.get(word) ?? 0) > (counts.get(most) ?? 0) ? word : most), "");
  const kinds = kindsByWording(untold, wording);
  const kindsOfCommonest = kindsByWording(untold, commonest);
  // Where hardly a line has a word of the bank's, that most payees are shops is what it is everywhere.
  if (untold.filter((payee) => wording(payee) === "").length > wordlessShareMax * untold.length)
    for (const told of [kinds, kindsOfCommonest]) if (told.get("") === "CARD") told.delete("");
  return payees.map((payee) => {
    const kind = words.has(payee) ? (kinds.get(wording(payee)) ?? kindsOfCommonest.get(commonest(payee))) : undefined;
    return kind === undefined || (kind === "DIRECT_DEBIT" && areChosen(payee.payments))
      ? payee
      : { ...payee, payments: payee.payments.map((payment) => ofKind(payment, kind)) };
  });
}

function ofKind(payment: Payment, kind: PaymentKind): Payment {
  return toldAlready.has(payment.kind) ? payment : changedPayment(payment, { merchant: payment.merchant, kind });
}

/** Words of the latest line that are not the payee's name, brackets and stars included. */
function wordsOf({ payments }: Payee): ReadonlySet<string> {
  const { transaction, merchant } = lastOf(payments);
  if (merchant.text !== transaction.description) return otherWords(transaction.description, merchant.name.words);
  return (merchant.alike.otherWords ??= otherWords(transaction.description, merchant.name.words));
}

function otherWords(line: string, name: readonly string[]): ReadonlySet<string> {
  const words = line.toUpperCase().match(/\p{L}{2,}|[)*]{2,}/gu) ?? [];
  // At the beginning a word like a company's form is the bank's own abbreviation.
  return new Set(words.filter((word, at) => !name.includes(word) && (at === 0 || !callsCompanies(word))));
}

function kindsByWording(payees: readonly Payee[], wording: (payee: Payee) => string): Map<string, PaymentKind> {
  const judged = new Map<string, { payees: number; shops: number }>();
  for (const payee of payees) {
    if (payee.payments.length < paymentsMin) continue;
    const key = wording(payee);
    const count = judged.get(key) ?? { payees: 0, shops: 0 };
    count.payees++;
    if (isShoppedAt(payee)) count.shops++;
    judged.set(key, count);
  }
  const kinds = new Map<string, PaymentKind>();
  for (const [key, { payees: count, shops }] of judged) {
    if (count < judgedPayeesMin) continue;
    if (shops >= purchaseShareMin * count) kinds.set(key, "CARD");
    else if (shops <= collectedShareMax * count) kinds.set(key, "DIRECT_DEBIT");
  }
  return kinds;
}

function isShoppedAt({ payments }: Payee): boolean {
  const pairs = payments.slice(1).map((payment, index) => ({ earlier: itemAt(payments, index), later: payment }));
  const same = pairs.filter(({ earlier, later }) => Math.abs(earlier.logCost - later.logCost) <= logSamePriceMax);
  if (same.length > samePriceShareMax * pairs.length) return false;
  const mean = (lastOf(payments).at - firstOf(payments).at) / pairs.length;
  const variance =
    pairs.reduce((sum, { earlier, later }) => sum + (later.at - earlier.at - mean) ** 2, 0) / pairs.length;
  return Math.sqrt(variance) >= gapVariationMin * mean;
}
