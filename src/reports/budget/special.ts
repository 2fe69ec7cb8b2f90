/**
 * What no document names: health, union, faith, politics. Such expenses stand in the sum of their group, or of the
 * living costs where the group itself would name them. Source: Directive (EU) 2023/2225, article 18.
 */
import type { CategoryNode, FoldedBudget, Item } from "../../budgets/budget.ts";
import { isSpecial } from "../../budgets/kinds.ts";
import type { Transaction } from "../../interface/services.ts";

/** A group whose name alone would tell. */
const toldByName: ReadonlySet<string> = new Set(["HEALTH"]);

/**
 * Groups as documents list them: those of which nothing but special categories has a figure are one line of living
 * costs, in the place of the first.
 */
export function documentGroups(groups: readonly CategoryNode[], otherName: string): CategoryNode[] {
  const unnamed = groups.filter((group) => toldByName.has(group.id) || isAllSpecial(group));
  const sum = (of: (group: CategoryNode) => number): number => unnamed.reduce((total, group) => total + of(group), 0);
  const isGiven = unnamed.some((group) => group.totalMonthlyUserProvidedMinor !== null);
  return groups.flatMap((group) => {
    if (!unnamed.includes(group)) return [group];
    if (group !== unnamed[0]) return [];
    return [
      {
        ...group,
        name: otherName,
        totalMonthlyMinor: sum((one) => one.totalMonthlyMinor),
        totalMonthlyUserProvidedMinor: isGiven
          ? sum((one) => one.totalMonthlyUserProvidedMinor ?? one.totalMonthlyMinor)
          : null,
        averageLastThreeMonthsMinor: sum((one) => one.averageLastThreeMonthsMinor),
        averageLastTwelveMonthsMinor: sum((one) => one.averageLastTwelveMonthsMinor),
        children: [],
        notes: [],
      },
    ];
  });
}

function isAllSpecial({ children }: CategoryNode): boolean {
  const told = children.filter(hasFigure);
  return told.length > 0 && told.every(({ id }) => isSpecial(id));
}

function hasFigure({
  totalMonthlyMinor,
  totalMonthlyUserProvidedMinor,
  averageLastTwelveMonthsMinor,
}: CategoryNode): boolean {
  return totalMonthlyMinor !== 0 || (totalMonthlyUserProvidedMinor ?? 0) !== 0 || averageLastTwelveMonthsMinor !== 0;
}

export function isNamed({ categories }: Pick<Item, "categories">): boolean {
  return !categories.some(isSpecial);
}

/** The leaves of a group that may be listed. */
export function namedChildren({ children }: CategoryNode): readonly CategoryNode[] {
  return children.filter(({ id }) => !isSpecial(id));
}

export function nameOfCategory(id: string, name: string, otherName: string): string {
  return isSpecial(id) ? otherName : name;
}

/** Those of which the payee may be named. */
export function namedTransactions(
  { specialTransactionIds }: Pick<FoldedBudget, "specialTransactionIds">,
  transactions: readonly Transaction[],
): Transaction[] {
  return transactions.filter(({ id }) => !specialTransactionIds.has(id));
}
