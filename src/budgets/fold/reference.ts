/**
 * What a household needs at least a month, by the country's public table (config/reference-budgets.json, where each row
 * says its source and how far it was checked), and the budget's figure for the same categories: their sum, or category
 * by category where the table has an amount for each. Pure.
 */
import referenceBudgets from "../../../config/reference-budgets.json" with { type: "json" };
import { addMonths, type Day } from "../../time/calendar.ts";
import { parseAmount } from "../../money.ts";
import type { CategoryNode, Coapplicant, ReferenceCategory, ReferenceCheck } from "../budget.ts";
import { allocate, partOf } from "../monthly.ts";
import type { UserData } from "../../interface/user-data.ts";
import { sum } from "../window.ts";
import { effectiveOf } from "./nodes.ts";
import { itemAt, present } from "../../present.ts";

/** Youngest age, oldest age, amount. */
type Ages = readonly (readonly number[])[];
type Rule = {
  firstAdult?: number;
  secondAdult?: number;
  single?: number;
  couple?: number;
  coupleEach?: number;
  children?: Ages;
  reductionFromMember?: number;
  reduction?: number;
  perPerson?: Readonly<Record<string, Ages>>;
  perHousehold?: Readonly<Record<string, readonly number[]>>;
  /** By category: where its payment may stand, as water in a rent. */
  paidWith?: Readonly<Record<string, readonly string[]>>;
  weekly?: { preschool: number; primary: number; secondary: number };
};
type ReferenceSet = {
  id: string;
  country: string;
  kind: string;
  validFrom: Day;
  validTo: Day | null;
  currency: string;
  covers: readonly string[];
  rule: Rule;
  source: string;
  status: string;
  name: string;
};

const sets: readonly ReferenceSet[] = referenceBudgets.sets.map((set) => ({ ...set, rule: set.rule as Rule }));

/** Tables are set anew each year. */
const freshMonths = 12;
/** The kind of a table that has only what children cost. */
const childrenOnly = "MINIMUM_CHILD_DIRECT_COST";
/** Where the table asks for the age of somebody who did not tell it. */
const adultAge = 35;
const ageOfSchool = 5;
const ageOfSecondarySchool = 12;
const weeksAMonth = 52.18 / 12;

export type Household = {
  adultAges: readonly number[];
  childAges: readonly number[];
  sharePercent: number;
  /** The second adult follows from the marital status alone: nobody said that the two share their money. */
  isAssumed: boolean;
};

/**
 * Two adults where they live as a couple, unless they said that their finances are separate; the share counts only
 * where they are not shared.
 */
export function householdOf(userData: UserData | null, coapplicant: Coapplicant | null, asOf: Day): Household {
  const isShared = coapplicant?.type === "SHARED_FINANCES";
  const status = userData?.personal.maritalStatus;
  const isCouple = (status === "MARRIED" || status === "COHABITANT") && coapplicant?.type !== "SEPARATE_FINANCES";
  const age = userData === null ? adultAge : ageAt(userData.personal.dateOfBirth, asOf);
  return {
    adultAges: isCouple ? [age, age] : [age],
    childAges: userData?.personal.children.map((child) => child.age) ?? [],
    sharePercent: isShared ? 100 : (userData?.expenses.share ?? 100),
    isAssumed: isCouple && !isShared,
  };
}

function ageAt(born: Day, asOf: Day): number {
  const years = Number(asOf.slice(0, 4)) - Number(born.slice(0, 4));
  return Math.max(0, asOf.slice(5) < born.slice(5) ? years - 1 : years);
}

/** Null: the country has no table, or the table says nothing of such a household. */
export function checkReference(
  country: string,
  currency: string,
  asOf: Day,
  household: Household,
  nodes: readonly CategoryNode[],
): ReferenceCheck | null {
  const set = latestSet(country, currency, asOf);
  if (set === null) return null;
  const covered = coveredOf(nodes, new Set(set.covers));
  const share = (amount: number): number =>
    partOf(parseAmount(amount.toFixed(4), currency)?.minor ?? 0, household.sharePercent, 100);
  const byCategory =
    set.rule.perPerson === undefined
      ? []
      : compare(
          covered,
          amountsByCategory(set.rule, [...household.adultAges, ...household.childAges]),
          share,
          paidWith(set.rule, nodes),
        );
  const isOfChildren = set.kind === childrenOnly;
  const referenceMinor =
    byCategory.length > 0 ? sum(byCategory.map((one) => one.referenceMinor)) : share(amountOf(set.rule, household));
  if (referenceMinor === 0) return null;
  const budgetMinor = sum(
    byCategory.length > 0 ? byCategory.map((one) => one.budgetMinor) : covered.map(({ amountMinor }) => amountMinor),
  );
  return {
    setId: set.id,
    source: `${set.name} (${set.id})`,
    validFrom: set.validFrom,
    validTo: set.validTo,
    checked: set.status,
    isOlderThanTwelveMonths: addMonths(set.validFrom, freshMonths) <= asOf,
    adults: isOfChildren ? 0 : household.adultAges.length,
    children: household.childAges.length,
    isHouseholdAssumed: !isOfChildren && household.isAssumed,
    isOfChildren,
    referenceMinor,
    budgetMinor,
    coveredMinor:
      byCategory.length > 0
        ? sum(byCategory.map((one) => Math.min(one.referenceMinor, Math.max(0, one.budgetMinor))))
        : budgetMinor,
    byCategory,
    categories: byCategory.length > 0 ? byCategory.map(({ id }) => id) : covered.map(({ node }) => node.id),
  };
}

/** Valid on the day, else the latest earlier one. */
function latestSet(country: string, currency: string, asOf: Day): ReferenceSet | null {
  const begun = sets.filter((set) => set.country === country && set.currency === currency && set.validFrom <= asOf);
  return begun.toSorted((a, b) => (a.validFrom < b.validFrom ? 1 : -1))[0] ?? null;
}

type Covered = { node: CategoryNode; amountMinor: number };

/**
 * What is covered as a group counts with the group's figure; of any other group a value that was given is shared as its
 * leaves are.
 */
function coveredOf(nodes: readonly CategoryNode[], covered: ReadonlySet<string>): Covered[] {
  return nodes.flatMap((node) =>
    covered.has(node.id) ? [{ node, amountMinor: effectiveOf(node) }] : coveredLeaves(node, covered),
  );
}

function coveredLeaves(group: CategoryNode, covered: ReadonlySet<string>): Covered[] {
  const amounts = group.children.map(effectiveOf);
  // Where nothing was seen, what was given is for what the table covers.
  const weights = sum(amounts) === 0 ? group.children.map(({ id }) => Number(covered.has(id))) : amounts;
  const shared = sum(amounts) === effectiveOf(group) ? amounts : allocate(effectiveOf(group), weights);
  return group.children.flatMap((node, at) =>
    covered.has(node.id) ? [{ node, amountMinor: itemAt(shared, at) }] : [],
  );
}

/** Categories for which something is paid under another one's name. */
function paidWith({ paidWith: pairs = {} }: Rule, nodes: readonly CategoryNode[]): ReadonlySet<string> {
  const paid = new Set(
    nodes
      .flatMap(({ children }) => children)
      .filter((leaf) => effectiveOf(leaf) > 0)
      .map(({ id }) => id),
  );
  return new Set(
    Object.entries(pairs).flatMap(([id, others]) => (others.some((other) => paid.has(other)) ? [id] : [])),
  );
}

/**
 * What is paid together with another category is compared with it; where that one is not in the table, as water in a
 * rent, nobody knows how much of it was paid, and it is left out.
 */
function compare(
  covered: readonly Covered[],
  amounts: ReadonlyMap<string, number>,
  share: (amount: number) => number,
  elsewhere: ReadonlySet<string>,
): ReferenceCategory[] {
  const rows = new Map(
    covered.map(({ node: { id }, amountMinor }): [string, ReferenceCategory] => [
      id,
      { id, referenceMinor: share(amounts.get(id) ?? 0), budgetMinor: amountMinor },
    ]),
  );
  for (const { node, amountMinor } of covered) {
    const carrier = carrierOf(node);
    if (amountMinor > 0 || (carrier === null && !elsewhere.has(node.id))) continue;
    const [own, together] = [present(rows.get(node.id), "a covered leaf's row"), rows.get(carrier ?? "")];
    rows.delete(node.id);
    if (together !== undefined)
      rows.set(together.id, { ...together, referenceMinor: together.referenceMinor + own.referenceMinor });
  }
  return [...rows.values()].filter(({ referenceMinor }) => referenceMinor > 0);
}

function carrierOf({ notes }: CategoryNode): string | null {
  return notes.find(({ type }) => type === "INCLUDED_IN_OTHERS")?.categories?.[0] ?? null;
}

/** Whole units of the currency, a month. */
function amountOf(rule: Rule, { adultAges, childAges }: Household): number {
  const { weekly } = rule;
  if (weekly) return childAges.reduce((sum, age) => sum + stageOf(age, weekly), 0) * weeksAMonth;
  const isCouple = adultAges.length > 1;
  const adults =
    rule.firstAdult !== undefined
      ? rule.firstAdult + (isCouple ? (rule.secondAdult ?? 0) : 0)
      : isCouple
        ? (rule.couple ?? 2 * (rule.coupleEach ?? 0))
        : (rule.single ?? 0);
  return adults + childrenOf(rule, adultAges.length, childAges);
}

/** From some member on each further one costs less; the youngest come last. */
function childrenOf(rule: Rule, adults: number, ages: readonly number[]): number {
  return ages
    .toSorted((a, b) => b - a)
    .reduce((sum, age, at) => {
      const isReduced = rule.reductionFromMember !== undefined && adults + at + 1 >= rule.reductionFromMember;
      return sum + amountAt(rule.children ?? [], age) * (isReduced ? 1 - (rule.reduction ?? 0) : 1);
    }, 0);
}

/** Whole units of the currency by category: each person's, and the household's by its size. */
function amountsByCategory({ perPerson = {}, perHousehold = {} }: Rule, ages: readonly number[]): Map<string, number> {
  const amounts = new Map<string, number>();
  const put = (id: string, amount: number) => amounts.set(id, (amounts.get(id) ?? 0) + amount);
  for (const [id, byAge] of Object.entries(perPerson)) for (const age of ages) put(id, amountAt(byAge, age));
  for (const [id, bySize] of Object.entries(perHousehold)) put(id, amountOfSize(bySize, ages.length));
  return amounts;
}

/**
 * Each member beyond the table adds what the last one in it added. Source: Konsumentverket, on its tables' last column.
 */
function amountOfSize(bySize: readonly number[], size: number): number {
  const [last = 0, before = last] = bySize.toReversed();
  return bySize[size - 1] ?? last + (size - bySize.length) * (last - before);
}

function amountAt(byAge: Ages, age: number): number {
  return byAge.find(([from = 0, to = 0]) => age >= from && age <= to)?.[2] ?? 0;
}

function stageOf(age: number, weekly: NonNullable<Rule["weekly"]>): number {
  if (age < ageOfSchool) return weekly.preschool;
  return age < ageOfSecondarySchool ? weekly.primary : weekly.secondary;
}
