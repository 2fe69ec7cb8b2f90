/**
 * What a payee may be, to ask the user: what is known of it first, then what payments of its kind most often are. A
 * purchase with a card in a shop is no rent and no loan, and what is collected or sent is no supermarket. Pure.
 */
import { findCategory, groupOf, isLeaf } from "../../categories/tree.ts";
import type { Item } from "../budget.ts";

const potentialMax = 5;
/** Seen in so many months, a payee is paid regularly. */
const regularMonthsMin = 6;

/** How it is paid, as far as that says what it may be. */
type PaymentKind = "CARD" | "BILL" | "TRANSFER" | "ANY";
/** Of the average monthly expenses, what a payee takes at least: a home, a loan or a child's care; a contract; a subscription. */
const sizes = { large: 0.12, middle: 0.03 } as const;
/** Of the average monthly expenses, one purchase of an ordinary shop at most. */
const largePurchaseShare = 0.08;

const last = "OTHER_EXPENSES";
const loans = ["TRANSPORT_VEHICLE_FINANCE", "DEBT_CONSUMER_LOAN"];
/** What is paid every month without a card, by how much of the expenses it takes, the likeliest first. */
const monthlyBills: Readonly<Record<keyof typeof sizes | "small", readonly string[]>> = {
  large: ["HOUSING_RENT", "HOUSING_MORTGAGE", "HOUSING_COOPERATIVE_FEE", ...loans],
  middle: ["UTILITIES_ELECTRICITY", "UTILITIES_HEATING", "CHILDREN_DAYCARE", ...loans, "INSURANCE_OTHER"],
  small: [
    "COMMUNICATION_INTERNET_TV",
    "COMMUNICATION_MOBILE",
    "WORK_UNION",
    "INSURANCE_OTHER",
    "LEISURE_FITNESS_SPORT",
  ],
};
/** What is paid every other month to once a year without a card. */
const seldomBills = [
  "UTILITIES_WATER_WASTE",
  "INSURANCE_OTHER",
  "HOUSING_PROPERTY_TAX",
  "TRANSPORT_VEHICLE_TAX",
  "UTILITIES_ELECTRICITY",
];
const singleBills = [
  "HOUSING_MAINTENANCE",
  "HOUSING_PROPERTY_TAX",
  "UTILITIES_WATER_WASTE",
  "INSURANCE_OTHER",
  "FEES_TAX",
];
const cardContracts = [
  "LEISURE_STREAMING",
  "TRANSPORT_PUBLIC",
  "COMMUNICATION_MOBILE",
  "LEISURE_FITNESS_SPORT",
  "LEISURE_NEWS_BOOKS",
];
const dailyShops = [
  "FOOD_GROCERIES",
  "TRANSPORT_FUEL_CHARGING",
  "FOOD_RESTAURANTS",
  "FOOD_ALCOHOL_TOBACCO",
  "PERSONAL_CARE",
];
const smallPurchases = ["FOOD_RESTAURANTS", "PERSONAL_CLOTHING", "HOME_DIY_GARDEN", "HOME_ELECTRONICS", "HEALTH_CARE"];
const largePurchases = ["LEISURE_TRAVEL", "HOME_ELECTRONICS", "HOME_FURNITURE", "PERSONAL_CLOTHING", "HEALTH_CARE"];
const sent = ["OTHER_TRANSFERS", "SAVINGS_INVESTMENT", "LEISURE_TRAVEL", "HOUSING_MAINTENANCE", "DEBT_PRIVATE"];
/** Where the bank does not say how it was paid. */
const anything = [
  "FOOD_RESTAURANTS",
  "HOME_FURNITURE",
  "LEISURE_CULTURE_EVENTS",
  "OTHER_TRANSFERS",
  "HOUSING_MAINTENANCE",
];

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

/**
 * Two to five leaves of expenses, the likeliest first, each once.
 * @param averageMinor what the household spends in a month
 */
export function potentialCategories(item: Item, averageMinor: number): string[] {
  const kind = kindOf(item);
  const scored = item.candidates.toSorted((a, b) => b.confidence - a.confidence).map(({ categoryId }) => categoryId);
  const fit = [...new Set([...item.categories, ...scored, ...guessesOf(item, kind, averageMinor)])].filter(
    (id) => id !== last && isLeaf(id) && findCategory(id)?.kind === "EXPENSE" && fits(id, kind),
  );
  return fit.length > 1 ? fit.slice(0, potentialMax) : [...fit, last];
}

/** By how, how often and how much is paid. */
function guessesOf(item: Item, kind: PaymentKind, averageMinor: number): readonly string[] {
  const { service, monthsSeen, paymentFrequency: frequency, paymentCostMonthlyMinor: monthly, transactions } = item;
  const isRegular = service !== null || monthsSeen >= regularMonthsMin;
  const share = averageMinor > 0 ? monthly / averageMinor : 0;
  if (kind === "CARD") {
    if (service !== null) return cardContracts;
    if (isRegular) return dailyShops;
    const isLarge = monthly * 12 >= largePurchaseShare * averageMinor * Math.max(1, transactions.length);
    return isLarge ? largePurchases : smallPurchases;
  }
  if (!isRegular) return kind === "BILL" ? singleBills : kind === "TRANSFER" ? sent : anything;
  if (service !== null && isSeldom.has(frequency)) return seldomBills;
  const bills = monthlyBills[share >= sizes.large ? "large" : share >= sizes.middle ? "middle" : "small"];
  // What a person sends oneself or others month by month is also put by.
  return kind === "BILL" ? bills : [...bills.slice(0, 1), "SAVINGS_INVESTMENT", "OTHER_TRANSFERS", ...bills.slice(1)];
}

const isSeldom: ReadonlySet<string> = new Set(["BIMONTHLY", "QUARTERLY", "HALFYEARLY", "YEARLY"]);

/** Of its latest payment. */
function kindOf({ transactions }: Item): PaymentKind {
  return byType[transactions.at(-1)?.type ?? ""] ?? "ANY";
}

function fits(categoryId: string, kind: PaymentKind): boolean {
  if (kind === "CARD") return !notByCard.has(categoryId) && !notByCardGroups.has(groupOf(categoryId) ?? "");
  return kind === "ANY" || !onlyInShops.has(categoryId);
}
