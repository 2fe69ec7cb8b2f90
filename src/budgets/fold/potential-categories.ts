/**
 * What a payee may be, to ask the user: what is known of it first, then the categories whose payees look most like it.
 * A purchase with a card in a shop is no rent and no loan, and what is collected or sent is no supermarket. Pure.
 */
import type { Candidate } from "../../categories/candidate.ts";
import { findCategory, groupOf, isLeaf } from "../../categories/tree.ts";
import { whoIs } from "../../categories/who.ts";
import { folded } from "../../categories/words.ts";
import { firstOf } from "../../present.ts";
import { type Day, daysBetween } from "../../time/calendar.ts";
import type { Item } from "../budget.ts";
import { medianOf } from "../monthly.ts";
import { type Evenness, type PayeeProfile, payeeProfiles, type PaymentKind, type Rhythm } from "./payee-profiles.ts";

const potentialMax = 5;
/** Of a group no more are guessed, so that what is offered differs. */
const siblingsMax = 2;
const last = "OTHER_EXPENSES";

/** What is known of the household beside the payee. */
export type PotentialContext = {
  /** Where it lives. */
  country: string;
  /** What it spends in a month. */
  averageMinor: number;
  currency: string;
  /** Minor units of the currency in one of it. */
  scale: number;
  /** Leaves that have a payee already. */
  filled: ReadonlySet<string>;
  /** Leaves that should have one by what the user said, and those that should not. */
  expected: ReadonlySet<string>;
  unexpected: ReadonlySet<string>;
};

const byType: Readonly<Record<string, PaymentKind>> = {
  CARD_PURCHASE: "CARD",
  DIRECT_DEBIT: "BILL",
  INVOICE: "BILL",
  ACCOUNT_TRANSFER: "TRANSFER",
};

/** What nobody pays with a card in a shop. */
const notByCardGroups: ReadonlySet<string> = new Set(["DEBT", "SAVINGS"]);
const notByCard: ReadonlySet<string> = new Set([
  "HOUSING_RENT",
  "HOUSING_MORTGAGE",
  "HOUSING_COOPERATIVE_FEE",
  "HOUSING_PROPERTY_TAX",
  "CHILDREN_MAINTENANCE_PAID",
  "OTHER_TRANSFERS",
  "OTHER_CASH",
]);
/** What nobody sends or has collected. */
const onlyInShops: ReadonlySet<string> = new Set(["FOOD_GROCERIES", "FOOD_ALCOHOL_TOBACCO", "OTHER_CASH"]);

/** Two to five leaves of expenses, the likeliest first, each once. */
export function potentialCategories(item: Item, context: PotentialContext): string[] {
  const kind = kindOf(item, context.country);
  const [guessed = [], hinted = []] = [true, false].map((isGuess) =>
    item.candidates.filter(({ rule }) => (rule === "GUESS") === isGuess),
  );
  const scored = hinted.toSorted((a, b) => b.confidence - a.confidence).map(({ categoryId }) => categoryId);
  const isOffered = (id: string): boolean => id !== last && isLeaf(id) && fits(id, kind);
  const known = [...new Set([...item.categories, ...scored])].filter(
    (id) => findCategory(id)?.kind === "EXPENSE" && isOffered(id),
  );
  const fit = [...known];
  for (const id of likeliest(item, kind, known, guessed, context).filter(isOffered)) {
    const siblings = fit.filter((other) => groupOf(other) === groupOf(id)).length;
    if (!fit.includes(id) && siblings < siblingsMax) fit.push(id);
  }
  return fit.length > 1 ? fit.slice(0, potentialMax) : [...fit, last];
}

/** Of its latest payment. Where the bank does not say how, what goes to somebody by name was sent. */
function kindOf(item: Item, country: string): PaymentKind {
  return byType[item.transactions.at(-1)?.type ?? ""] ?? (isPerson(item, country) ? "TRANSFER" : "ANY");
}

function isPerson({ title }: Item, country: string): boolean {
  return whoIs(folded(title), title, [country]) === "PERSON";
}

function fits(categoryId: string, kind: PaymentKind): boolean {
  if (kind === "CARD") return !notByCard.has(categoryId) && !notByCardGroups.has(groupOf(categoryId) ?? "");
  return kind === "ANY" || !onlyInShops.has(categoryId);
}

/** How a payee is paid. */
type Look = {
  kind: PaymentKind;
  /** Called like one. */
  isPerson: boolean;
  /** Far more in the cold months than in the warm ones. */
  isOfWinter: boolean;
  rhythm: Rhythm;
  /** Null: too few payments to tell. */
  evenness: Evenness | null;
  payments: number;
  /** Of its different amounts so many where all are round; none where one is not. */
  roundAmounts: number;
  /** The middle payment, in thousandths of a month's spending; null where that is not known. */
  amount: number | null;
  /** What comes by a calendar pays for so many months at a time. */
  months: number;
};

function likeliest(
  item: Item,
  kind: PaymentKind,
  known: readonly string[],
  guessed: readonly Candidate[],
  context: PotentialContext,
): string[] {
  const look = lookOf(item, kind, context);
  const groups = new Set([...known, ...guessed.map(({ categoryId }) => categoryId)].map(groupOf));
  const guesses = new Map(guessed.map(({ categoryId, confidence }) => [categoryId, confidence]));
  return [...profilesByCategory]
    .map(([categoryId, profiles]) => ({
      categoryId,
      weight:
        Math.log(profiles.reduce((sum, profile) => sum + likeness(profile, look), Number.MIN_VALUE)) +
        householdWeight(categoryId, groups, context) +
        Math.log1p(guessWorth * (guesses.get(categoryId) ?? 0)) +
        (look.isPerson && !soldByPeople.has(categoryId) ? weights.person : 0) +
        (look.isOfWinter && heated.has(categoryId) ? weights.winter : 0),
    }))
    .sort((a, b) => b.weight - a.weight)
    .map(({ categoryId }) => categoryId);
}

/**
 * A guess that is right two times of three and wrong in one of sixty ways makes its category over a hundred times as
 * likely.
 */
const guessWorth = 400;

const profilesByCategory = Map.groupBy(payeeProfiles, ({ categoryId }) => categoryId);

/** No look is impossible: so many of a hundred payees of any category look otherwise than its payees do. */
const strays = 1.5;
/** Households differ in what they spend, so that the same rent is a fifth of one's and a half of another's. */
const householdSpread = Math.log(1.4);

/** Of a hundred payees that come by a calendar, those of which one or two payments are seen: begun lately, or left. */
const [begunShare, yearlyShare] = [0.12, 0.4];
const fewPayments = 2;
/** In hundredths: a tenth of all prices without small change are whole tens. */
const roundByChance = 10;
/** More round sums than these say no more. */
const roundMax = 3;

/** How many payees of a household look like this and are of the profile. */
function likeness(profile: PayeeProfile, look: Look): number {
  const { kind, evenness, roundAmounts } = look;
  const round = Math.max(profile.round, roundByChance);
  const shares = [
    ...(kind === "ANY" ? [] : [profile.kinds[kind]]),
    ...(evenness === null ? [] : [profile.evenness[evenness]]),
    ...(roundAmounts === 0 ? [100 - round] : Array.from({ length: Math.min(roundAmounts, roundMax) }, () => round)),
  ];
  return shares.reduce((product, share) => product * chance(share), profile.payees * rhythmAndSize(profile, look));
}

function chance(share: number): number {
  return (share + strays) / 100;
}

/**
 * How often and how much together: what is regular is known by its cost a month, and one or two payments of it are the
 * first of many, or of a bill for months of which nobody knows how many they are.
 */
function rhythmAndSize(profile: PayeeProfile, { rhythm, payments, amount, months }: Look): number {
  const { MONTHLY: monthly, SELDOM: seldom } = profile.rhythms;
  const sizeOf = (count: number): number => (amount === null ? 1 : sizeLikeness(profile, amount / count));
  if (rhythm !== "RARE" || payments > fewPayments)
    return chance(profile.rhythms[rhythm]) * sizeOf(profile.isRegular ? months : 1);
  const begun = chance(profile.rhythms.RARE + begunShare * monthly) * sizeOf(1);
  const ofMonths = profile.isRegular ? seldomMonths : [1];
  return (
    begun + ofMonths.reduce((sum, count) => sum + sizeOf(count), 0) * ((yearlyShare * seldom) / 100 / ofMonths.length)
  );
}

/** A quarter, half a year, a year. */
const seldomMonths = [3, 6, 12];

function sizeLikeness({ amount: usual, spread: width }: PayeeProfile, amount: number): number {
  const spread = Math.hypot(Math.log(width), householdSpread);
  return Math.exp(-((Math.log(amount / usual) / spread) ** 2) / 2) / spread;
}

/** What a household pays to one payee at a time; power is not among it, which one company brings and another sells. */
const single: ReadonlySet<string> = new Set([
  "HOUSING_RENT",
  "HOUSING_MORTGAGE",
  "HOUSING_COOPERATIVE_FEE",
  "HOUSING_PROPERTY_TAX",
  "UTILITIES_HEATING",
  "UTILITIES_WATER_WASTE",
  "COMMUNICATION_INTERNET_TV",
  "INSURANCE_HOME",
  "WORK_UNEMPLOYMENT_FUND",
  "WORK_UNION",
  "DEBT_STUDENT_LOAN",
]);
/** What is ordinary in the Nordic countries and an exception elsewhere. */
const nordic: ReadonlySet<string> = new Set(["WORK_UNEMPLOYMENT_FUND", "WORK_UNION", "HOUSING_COOPERATIVE_FEE"]);
const nordicCountries: ReadonlySet<string> = new Set(["DK", "SE", "NO", "FI", "IS"]);
/** What people do for each other, rent out, teach, and owe. */
const soldByPeople: ReadonlySet<string> = new Set([
  "HOUSING_RENT",
  "HOUSING_MAINTENANCE",
  "CHILDREN_DAYCARE",
  "CHILDREN_MAINTENANCE_PAID",
  "CHILDREN_ACTIVITIES",
  "HEALTH_CARE",
  "PERSONAL_CARE",
  "EDUCATION_COURSES",
  "DEBT_PRIVATE",
  "OTHER_TRANSFERS",
]);
/** What a home takes more of in winter. */
const heated: ReadonlySet<string> = new Set(["UTILITIES_HEATING", "UTILITIES_ELECTRICITY"]);
/** Logarithms of how much likelier a category gets. */
const weights = {
  person: -3,
  winter: 1.5,
  filled: -2,
  expected: 0.5,
  unexpected: -2.3,
  elsewhere: -1.8,
  sibling: 1.1,
} as const;

/** One rent is enough, what the user has must be somewhere, and what a code or word hints at is not far off. */
function householdWeight(id: string, groups: ReadonlySet<string | null>, context: PotentialContext): number {
  const { filled, expected, unexpected, country } = context;
  return (
    (single.has(id) && filled.has(id) ? weights.filled : 0) +
    (expected.has(id) && !filled.has(id) ? weights.expected : 0) +
    (unexpected.has(id) ? weights.unexpected : 0) +
    (nordic.has(id) && !nordicCountries.has(country) ? weights.elsewhere : 0) +
    (groups.has(groupOf(id)) ? weights.sibling : 0)
  );
}

/** What a household spends in a month, in whole units: from the countries' own statistics of households' consumption. */
const usualSpending: Readonly<Record<string, number>> = {
  DKK: 27_000,
  SEK: 29_000,
  NOK: 34_000,
  EUR: 2_800,
  GBP: 2_500,
  PLN: 5_500,
  CZK: 32_000,
};

/** Who spends twice as much pays more for the same thing, but not twice as much: between what is spent here and usually. */
function spendingOf({ averageMinor, scale, currency }: PotentialContext): number {
  const usual = usualSpending[currency];
  return usual === undefined ? averageMinor : Math.sqrt(averageMinor * usual * scale);
}

function lookOf(item: Item, kind: PaymentKind, context: PotentialContext): Look {
  const { averageMinor, scale, country } = context;
  const amounts = item.transactions.map(({ amount }) => Math.abs(amount)).filter((amount) => amount > 0);
  const middle = amounts.length === 0 ? item.paymentCostMinor / scale : medianOf(amounts);
  const amount = averageMinor > 0 && middle > 0 ? (1000 * middle * scale) / spendingOf(context) : null;
  return {
    kind,
    isPerson: isPerson(item, country),
    isOfWinter: kind !== "CARD" && isOfWinter(item),
    rhythm: rhythmOf(item),
    evenness: amounts.length < evenMin ? null : evennessOf(amounts, middle),
    payments: amounts.length,
    roundAmounts: amounts.every(isRound) ? new Set(amounts).size : 0,
    amount,
    months: monthsOf(item),
  };
}

const evenMin = 3;
/** Off the middle payment by no more than this. */
const [fixedOff, steadyOff] = [0.01, 0.2];
/** So many of the payments are as even as that: prices rise, and a bill is sometimes corrected. */
const evenShare = 0.7;

function evennessOf(amounts: readonly number[], middle: number): Evenness {
  const isWithin = (off: number): boolean =>
    amounts.filter((amount) => Math.abs(amount - middle) <= off * middle).length >= evenShare * amounts.length;
  return isWithin(fixedOff) ? "FIXED" : isWithin(steadyOff) ? "STEADY" : "VARIED";
}

/** Whole tens. */
function isRound(amount: number): boolean {
  return amount % 10 === 0;
}

/** By its frequency, else by the days between its payments. */
function monthsOf(item: Item): number {
  const known = item.service === null ? undefined : monthsByFrequency[item.paymentFrequency];
  return known ?? (rhythmOf(item) === "SELDOM" ? Math.max(1, Math.round(medianOf(gapsOf(item)) / daysInMonth)) : 1);
}

const daysInMonth = 30.4;
const monthsByFrequency: Readonly<Record<string, number>> = {
  MONTHLY: 1,
  BIMONTHLY: 2,
  QUARTERLY: 3,
  HALFYEARLY: 6,
  YEARLY: 12,
};

/** A bill tells of the months before it: those of the cold half of the year come from December to May. */
const coldMonths: ReadonlySet<string> = new Set(["12", "01", "02", "03", "04", "05"]);
const coldMin = 1.6;
const ofEachHalfMin = 2;

function isOfWinter({ transactions }: Item): boolean {
  const halves = Map.groupBy(transactions, ({ transactionDate }) => coldMonths.has(transactionDate.slice(5, 7)));
  const [cold, warm] = [true, false].map((isCold) => (halves.get(isCold) ?? []).map(({ amount }) => Math.abs(amount)));
  if (cold === undefined || warm === undefined || Math.min(cold.length, warm.length) < ofEachHalfMin) return false;
  return medianOf(cold) >= coldMin * medianOf(warm);
}

const monthlyDays = [24, 38] as const;
/** A calendar's gaps differ by weekends and a late payment. */
const gapOff = 0.2;
const gapsMin = 3;

function rhythmOf(item: Item): Rhythm {
  const { service, paymentFrequency: frequency } = item;
  if (service !== null && frequency in monthsByFrequency) return frequency === "MONTHLY" ? "MONTHLY" : "SELDOM";
  const gaps = gapsOf(item);
  if (gaps.length === 0) return "RARE";
  if (isRepeatedBill(item, gaps)) return "SELDOM";
  const middle = medianOf(gaps);
  const isRegular =
    gaps.filter((gap) => Math.abs(gap - middle) <= Math.max(3, gapOff * middle)).length >= evenShare * gaps.length;
  if (isRegular && gaps.length >= gapsMin && middle >= firstOf(monthlyDays))
    return middle <= monthlyDays[1] ? "MONTHLY" : "SELDOM";
  return middle < firstOf(monthlyDays) && gaps.length >= gapsMin ? "OFTEN" : "RARE";
}

/** The same sum twice, whole months apart, is billed by a calendar: every quarter, half year or year. */
function isRepeatedBill({ transactions }: Item, gaps: readonly number[]): boolean {
  const [first, ...others] = transactions.map(({ amount }) => Math.abs(amount));
  if (first === undefined || gaps.length >= gapsMin) return false;
  const isSame = others.every((amount) => Math.abs(amount - first) <= sameOff * first);
  return isSame && gaps.every((gap) => seldomMonths.some((months) => isMonths(gap, months)));
}

/** A yearly bill rises with prices. */
const sameOff = 0.05;
const monthsOff = 5;

function isMonths(days: number, months: number): boolean {
  return Math.abs(days - months * daysInMonth) <= monthsOff;
}

/** Days between one payment and the next. */
function gapsOf({ transactions }: Item): number[] {
  const days = [...new Set(transactions.map(({ transactionDate }) => transactionDate as Day))].sort();
  return days.slice(1).map((day, at) => daysBetween(days[at] ?? day, day));
}
