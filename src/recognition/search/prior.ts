/**
 * What is known about a payee before its dates are looked at, as log odds that payments to it are an obligation.
 * Evidence from the dates is added to it; knowledge never decides alone. Where no merchant's category is told, what
 * budgets know of the name, or of a word in it, stands in for it.
 */
import { findKeyword, wordsOf } from "../../categories/keywords.ts";
import { findPayee } from "../../categories/merchants.ts";
import { type Recurring, merchantCategory } from "../../payments/catalogue.ts";
import { nameOneContract } from "../../payments/contracts.ts";
import { nameDues } from "../../payments/line-day/dues.ts";
import { isToldAgreed } from "../../payments/history.ts";
import type { Payment, PaymentKind } from "../../payments/payment.ts";
import { areChosen } from "../../payments/price-kind.ts";
import { type Payee, isMiddleman, sellsOthers } from "../../payments/payee.ts";
import { countsYears } from "../../payments/line-day/year-counter.ts";
import type { SeriesPrior } from "./series.ts";
import { itemAt, lastOf } from "../../present.ts";

/** Each reason with its log odds, in the order in which they were weighed; `explain` reads them out. */
export type PriorReason = {
  reason:
    | "AGREEMENT"
    | "BASE"
    | "CATALOGUE"
    | "COUNTER"
    | "DUES"
    | "GATEWAY"
    | "MERCHANT_CATEGORY"
    | "PAYMENT_KIND"
    | "WALLET";
  logOdds: number;
};

/** Of the payees with two payments or more about one in eight is an obligation. */
const base = -2;
const catalogued = 3;
/** Behind a gateway, and in an application store, there may be anything. */
const gateway = 0.5;
/** Through a wallet and without a merchant's category people pay each other, as often as it happens. */
const wallet = -1.5;
const wallets: ReadonlySet<string> = new Set(["MOBILEPAY", "SWISH", "VIPPS"]);
const byCategory: Readonly<Record<Recurring, number>> = { LIKELY: 1.5, POSSIBLE: 0, ONE_OFF: -1.5, NEVER: -4 };
/** A payment of which the bank says nothing is rather a bill: purchases come from tills, which leave their marks. */
const byKind: Readonly<Record<PaymentKind, number>> = {
  DIRECT_DEBIT: 3,
  FEE: -2,
  TRANSFER: 0.5,
  INTEREST: 0.5,
  OTHER: 0.7,
  CARD: 0,
  CASH: -4,
};
/** Where only the wording of the line is that of what is collected, some of it is people's, or a till's. */
const likeCollected = 2.7;

function kindSays({ kind, transaction }: Payment): number {
  return kind === "DIRECT_DEBIT" && !isToldAgreed(transaction) ? likeCollected : byKind[kind];
}

export function priorOf(payee: Payee): PriorReason[] {
  const latest = lastOf(payee.payments);
  const reasons: PriorReason[] = [
    { reason: "BASE", logOdds: base },
    { reason: "PAYMENT_KIND", logOdds: kindSays(latest) },
  ];
  const { mcc } = latest.transaction;
  if (mcc === null && payee.product === null && wallets.has(payee.gateway ?? ""))
    reasons.push({ reason: "WALLET", logOdds: wallet });
  const category = mcc === null ? null : merchantCategory(mcc);
  if (payee.product !== null && !isMiddleman(payee.product)) reasons.push({ reason: "CATALOGUE", logOdds: catalogued });
  else if (category !== null) {
    reasons.push({ reason: "MERCHANT_CATEGORY", logOdds: byCategory[category.recurring] * category.confidence });
  }
  if (isMiddleman(payee.product)) reasons.push({ reason: "GATEWAY", logOdds: gateway });
  return reasons;
}

/**
 * The base rate concerns chance only; what the payee sells tells an obligation from a habit as well as from chance.
 * @param usualCost the middle one of all that the user pays; 0: not looked at.
 */
export function seriesPrior(reasons: readonly PriorReason[], payee: Payee, usualCost = 0): SeriesPrior {
  const againstHabit = sum(reasons.filter(({ reason }) => reason !== "BASE"));
  return {
    againstChance: sum(reasons),
    againstHabit,
    isCrowded: sellsOthers(payee),
    usualCost: payee.direction === "IN" ? 0 : roughly(usualCost),
    isOwed: isOwed(reasons, payee),
  };
}

/** What speaks so much for agreements, by what the payee sells, is an obligation by its kind. */
const owedMin = 1.05;

/**
 * Whether the catalogue has it as a fixed expense, the kind of payee says that it is owed, or the bank that all of it is
 * collected, by who sells nothing in passing. What a wording is used for is not enough, since people pay each other in one wording, too; nor are amounts that
 * somebody chose.
 */
function isOwed(reasons: readonly PriorReason[], { direction, product, payments }: Payee): boolean {
  if (direction === "IN") return false;
  if (product?.type === "OTHER_RECURRING" && !isMiddleman(product)) return true;
  const sold = sum(reasons.filter(({ reason }) => reason === "MERCHANT_CATEGORY"));
  if (sold >= owedMin) return true;
  return (
    sold >= 0 &&
    payments.every(({ kind }) => kind === "DIRECT_DEBIT") &&
    isToldAgreed(lastOf(payments).transaction) &&
    !areChosen(payments)
  );
}

/** To the nearest power of two: a few payments to somebody else change nothing. */
export function roughly(cost: number): number {
  return cost === 0 ? 0 : 2 ** Math.round(Math.log2(cost));
}

function sum(reasons: readonly PriorReason[]): number {
  return reasons.reduce((total, { logOdds }) => total + logOdds, 0);
}

/** Beginnings of budget category ids whose payments mostly recur: agreements, duties, supply. */
const owed = [
  "CHILDREN_DAYCARE",
  "CHILDREN_SCHOOL",
  "COMMUNICATION",
  "DEBT_CONSUMER_LOAN",
  "DEBT_STUDENT_LOAN",
  "FEES_DONATIONS_MEMBERSHIPS",
  "FEES_TAX",
  "HOUSING_COOPERATIVE_FEE",
  "HOUSING_MORTGAGE",
  "HOUSING_PROPERTY_TAX",
  "HOUSING_RENT",
  "INSURANCE",
  "SAVINGS_PENSION",
  "TRANSPORT_VEHICLE_FINANCE",
  "TRANSPORT_VEHICLE_TAX",
  "UTILITIES",
  "WORK_",
];
/** The same where the name is known; a word alone is used by shops, too. */
const owedByName = ["LEISURE_FITNESS_SPORT", "LEISURE_STREAMING"];
/** Bought now and then. */
const bought = [
  "HEALTH",
  "HOME_",
  "HOUSING_MAINTENANCE",
  "LEISURE_CULTURE_EVENTS",
  "LEISURE_TRAVEL",
  "PERSONAL",
  "TRANSPORT_VEHICLE_MAINTENANCE",
];
/** Bought again and again, and never owed. */
const everyday = [
  "FOOD",
  "LEISURE_GAMBLING",
  "OTHER_CASH",
  "TRANSPORT_FUEL_CHARGING",
  "TRANSPORT_PARKING_TOLLS",
  "TRANSPORT_TAXI_SHARING",
];

/** Whose name is known may sell something by agreement too; a word in a name says less of who has it. */
const byName: Readonly<Record<Kind, number>> = { OWED: 1.5, BOUGHT: -1.5, EVERYDAY: -3 };
const byWord: Readonly<Record<Kind, number>> = { OWED: 1.5, BOUGHT: -1.5, EVERYDAY: -1.5 };
/**
 * Whose whole trade is owed, under a name that is no short word: of 143 such payees of 54 real accounts with three payments
 * or more 121 were paid for what is owed, and 9 for what one may argue about; of those not paid by direct debit 48 of 66.
 */
const owedByLongName = 3.2;
const longNameLettersMin = 5;
/** Behind other words, or abroad, it may be somebody else's. */
const longNameSure = 0.9;
/** From this confidence on a word of the name says what it sells, where it is no abbreviation: a short one that is the whole name is none. */
const wordSure = 0.7;
const wordLettersMin = 5;

type Kind = "OWED" | "BOUGHT" | "EVERYDAY";

/** All that is known of the payee before its dates are looked at. */
export function priorByName(payee: Payee, country: string): PriorReason[] {
  return [...priorOf(payee), ...knownByLines(payee, country)];
}

/** What the latest lines say of it: who it is, and whether there is a contract. */
export function knownByLines(payee: Payee, country: string): PriorReason[] {
  if (payee.direction === "IN") return [];
  return [knownByName(payee, country), agreementWith(payee), counterIn(payee), duesIn(payee)].filter(
    (reason) => reason !== null,
  );
}

/** A contract's number speaks for an agreement however it is paid; who collects by direct debit has one anyway. */
export const agreement = 1.5;
const toldByKind: ReadonlySet<PaymentKind> = new Set<PaymentKind>(["DIRECT_DEBIT", "CASH", "FEE", "INTEREST"]);

/** Null: the lines name no contract that returns. */
function agreementWith({ payments }: Payee): PriorReason | null {
  return !toldByKind.has(lastOf(payments).kind) && nameOneContract(payments)
    ? { reason: "AGREEMENT", logOdds: agreement }
    : null;
}

/** A year that the lines count says that something is paid for it, however it is paid. */
export const counted = 1.5;

/** Null: the two latest lines are of one year, or count none. */
function counterIn({ payments }: Payee): PriorReason | null {
  return payments.length > 1 && countsYears(itemAt(payments, payments.length - 2), lastOf(payments))
    ? { reason: "COUNTER", logOdds: counted }
    : null;
}

/** A word for what is owed again and again says so, however it is paid and whoever sells it. */
const owedByWord = 1.5;

/** Null: the two latest lines have no such word. */
function duesIn({ payments }: Payee): PriorReason | null {
  return nameDues(payments) ? { reason: "DUES", logOdds: owedByWord } : null;
}

/** Null: the name is not known, or says nothing either way. */
export function knownByName({ payments, product, key }: Payee, country: string): PriorReason | null {
  const { transaction, merchant } = lastOf(payments);
  if (product !== null || transaction.mcc !== null) return null;
  // What all names of the user end with is told off the payee's own name alone.
  const payee = findPayee(merchant.key, [country]) ?? (key === merchant.key ? null : findPayee(key, [country]));
  if (payee !== null && !payee.isWeak) {
    const { categoryId, letters, confidence } = payee;
    const isSure = letters >= longNameLettersMin && confidence >= longNameSure && kindOf(categoryId, owed) === "OWED";
    const logOdds = isSure ? { ...byName, OWED: owedByLongName } : byName;
    return reasonOf(kindOf(categoryId, [...owed, ...owedByName]), logOdds, confidence);
  }
  const word = findKeyword(merchant.key, "OUT", [country], false);
  if (word === null) return null;
  const isTold = word.phrase.length >= wordLettersMin || word.phrase === wordsOf(merchant.key).join(" ");
  return word.confidence < wordSure || !isTold
    ? null
    : reasonOf(kindOf(word.categoryId, owed), byWord, word.confidence);
}

function kindOf(categoryId: string, recurring: readonly string[]): Kind | null {
  const isOne = (beginnings: readonly string[]): boolean => beginnings.some((one) => categoryId.startsWith(one));
  return isOne(recurring) ? "OWED" : isOne(bought) ? "BOUGHT" : isOne(everyday) ? "EVERYDAY" : null;
}

function reasonOf(kind: Kind | null, logOdds: Readonly<Record<Kind, number>>, confidence: number): PriorReason | null {
  return kind === null ? null : { reason: "MERCHANT_CATEGORY", logOdds: logOdds[kind] * confidence };
}
