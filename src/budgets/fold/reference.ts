/**
 * What a household needs at least a month, by the country's public table (config/reference-budgets.json, where each row says
 * its source and how far it was checked), and the budget's figure for the same categories. Pure.
 */
import tables from "../../../config/reference-budgets.json" with { type: "json" };
import { addMonths, type Day } from "../../calendar.ts";
import { parseAmount } from "../../money.ts";
import type { CategoryNode, Coapplicant, ReferenceCheck } from "../budget.ts";
import { divideHalfUp } from "../monthly.ts";
import type { UserData } from "../user-data.ts";
import { effectiveOf } from "./nodes.ts";

/** Youngest age, oldest age, amount. */
type Ages = readonly (readonly number[])[];
type Rule = {
  firstAdult?: number; secondAdult?: number; single?: number; couple?: number; coupleEach?: number; children?: Ages;
  reductionFromMember?: number; reduction?: number; perPerson?: Readonly<Record<string, Ages>>; perHousehold?: Readonly<Record<string, readonly number[]>>;
  weekly?: { preschool: number; primary: number; secondary: number };
};
type ReferenceSet = {
  id: string; country: string; validFrom: Day; validTo: Day | null; currency: string; covers: readonly string[]; rule: Rule; source: string; status: string; name: string;
};

const sets: readonly ReferenceSet[] = tables.sets.map((set) => ({ ...set, rule: set.rule as Rule }));

/** Tables are set anew each year. */
const FRESH_MONTHS = 12;
/** Where the table asks for the age of somebody who did not tell it. */
const ADULT_AGE = 35;
const AGE_OF_SCHOOL = 5;
const AGE_OF_SECONDARY_SCHOOL = 12;
const WEEKS_A_MONTH = 52.18 / 12;

export type Household = { adultAges: readonly number[]; childAges: readonly number[]; sharePercent: number };

/** Two adults only where their money is one; the share counts only where it is not. */
export function householdOf(userData: UserData | null, coapplicant: Coapplicant | null, asOf: Day): Household {
  const isShared = coapplicant?.type === "SHARED_FINANCES";
  const status = userData?.personal.maritalStatus;
  const isCouple = isShared && (status === "MARRIED" || status === "COHABITANT");
  const age = userData === null ? ADULT_AGE : ageAt(userData.personal.dateOfBirth, asOf);
  return {
    adultAges: isCouple ? [age, age] : [age],
    childAges: userData?.personal.children.map((child) => child.age) ?? [],
    sharePercent: isShared ? 100 : (userData?.expenses.share ?? 100),
  };
}

function ageAt(born: Day, asOf: Day): number {
  const years = Number(asOf.slice(0, 4)) - Number(born.slice(0, 4));
  return Math.max(0, asOf.slice(5) < born.slice(5) ? years - 1 : years);
}

/** Null: the country has no table, or the table says nothing of such a household. */
export function checkReference(country: string, currency: string, asOf: Day, household: Household, nodes: readonly CategoryNode[]): ReferenceCheck | null {
  const set = latestSet(country, currency, asOf);
  if (set === null) return null;
  const needed = parseAmount(amountOf(set.rule, household).toFixed(4), currency)?.minor ?? 0;
  if (needed === 0) return null;
  const compared = leavesOf(nodes, new Set(set.covers));
  return {
    setId: set.id, source: `${set.name} (${set.id})`, validFrom: set.validFrom, validTo: set.validTo, checked: set.status,
    isOlderThanTwelveMonths: addMonths(set.validFrom, FRESH_MONTHS) <= asOf, adults: household.adultAges.length, children: household.childAges.length,
    referenceMinor: divideHalfUp(needed * household.sharePercent, 100), budgetMinor: compared.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    categories: compared.map(({ id }) => id),
  };
}

/** Valid on the day, else the latest earlier one. */
function latestSet(country: string, currency: string, asOf: Day): ReferenceSet | null {
  const begun = sets.filter((set) => set.country === country && set.currency === currency && set.validFrom <= asOf);
  return begun.toSorted((a, b) => (a.validFrom < b.validFrom ? 1 : -1))[0] ?? null;
}

/** What is covered as a group counts with the group's figure, which the user may have given. */
function leavesOf(nodes: readonly CategoryNode[], covered: ReadonlySet<string>): { id: string; amountMinor: number }[] {
  return nodes.flatMap((node) => (covered.has(node.id) ? [{ id: node.id, amountMinor: effectiveOf(node) }] : leavesOf(node.children, covered)));
}

/** Whole units of the currency, a month. */
function amountOf(rule: Rule, { adultAges, childAges }: Household): number {
  if (rule.weekly) return childAges.reduce((sum, age) => sum + stageOf(age, rule.weekly!), 0) * WEEKS_A_MONTH;
  if (rule.perPerson) return perCategory(rule, [...adultAges, ...childAges]);
  const isCouple = adultAges.length > 1;
  const adults = rule.firstAdult !== undefined ? rule.firstAdult + (isCouple ? (rule.secondAdult ?? 0) : 0) : isCouple ? (rule.couple ?? 2 * (rule.coupleEach ?? 0)) : (rule.single ?? 0);
  return adults + childrenOf(rule, adultAges.length, childAges);
}

/** From some member on each further one costs less; the youngest come last. */
function childrenOf(rule: Rule, adults: number, ages: readonly number[]): number {
  return ages.toSorted((a, b) => b - a).reduce((sum, age, at) => {
    const isReduced = rule.reductionFromMember !== undefined && adults + at + 1 >= rule.reductionFromMember;
    return sum + amountAt(rule.children ?? [], age) * (isReduced ? 1 - (rule.reduction ?? 0) : 1);
  }, 0);
}

function perCategory(rule: Rule, ages: readonly number[]): number {
  const persons = Object.values(rule.perPerson ?? {}).flatMap((table) => ages.map((age) => amountAt(table, age)));
  const household = Object.values(rule.perHousehold ?? {}).map((bySize) => bySize[Math.min(ages.length, bySize.length) - 1] ?? 0);
  return [...persons, ...household].reduce((sum, amount) => sum + amount, 0);
}

function amountAt(table: Ages, age: number): number {
  return table.find(([from = 0, to = 0]) => age >= from && age <= to)?.[2] ?? 0;
}

function stageOf(age: number, weekly: NonNullable<Rule["weekly"]>): number {
  if (age < AGE_OF_SCHOOL) return weekly.preschool;
  return age < AGE_OF_SECONDARY_SCHOOL ? weekly.primary : weekly.secondary;
}
