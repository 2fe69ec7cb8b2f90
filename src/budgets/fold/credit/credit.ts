/**
 * What the accounts say of credit: loans, what was lent lately, cards, pay-later, collection, gambling, how the account
 * is run, and what is left beside it. What no account knows, the remaining debt and its terms, only the adviser can
 * give. Pure.
 */
import { addDays } from "../../../time/calendar.ts";
import type { CategoryNode, CreditView, EnteredDebt, Item, LoanLine, ReferenceCheck } from "../../budget.ts";
import type { BudgetSnapshot, PartTransaction } from "../../engine/snapshot.ts";
import { isLoan } from "../../kinds.ts";
import { divideHalfUp } from "../../monthly.ts";
import { divisorOf, firstDayOf, monthsMax, sum, sumOfLast } from "../../window.ts";
import { averageOf, byMonth, quarterMonths } from "../amounts.ts";
import type { CategorisedPart } from "../categorised-parts.ts";
import { evidenceOf } from "./evidence.ts";
import { isServedCategory, stressedDebts } from "./stress.ts";

export type CreditContext = {
  snapshot: BudgetSnapshot;
  country: string;
  categorised: readonly CategorisedPart[];
  /** Of the expenses. */
  items: readonly Item[];
  /** A month, by the user's values where there are any. */
  incomeMinor: number;
  expensesMinor: number;
  debts: readonly EnteredDebt[];
  calculationRateHundredths: number | null;
  categories: readonly CategoryNode[];
  reference: ReferenceCheck | null;
};

export function creditOf(context: CreditContext): CreditView {
  const { snapshot, categorised, incomeMinor, expensesMinor } = context;
  const spentOn = (matches: (categoryId: string) => boolean): PartTransaction[] =>
    categorised
      .filter((one) => isOf(one, matches))
      .flatMap(({ part }) => part.transactions)
      .filter(({ minor }) => minor < 0);
  const loans = loansOf(context);
  const served = sum(context.items.filter(isServed).map(({ paymentCostMonthlyMinor }) => paymentCostMonthlyMinor));
  return {
    loans,
    payouts: evidenceOf(snapshot.excluded.LOAN_PAYOUT, snapshot),
    cards: evidenceOf(spentOn(is("DEBT_CREDIT_CARD")), snapshot),
    payLater: evidenceOf(spentOn(is("DEBT_PAY_LATER")), snapshot),
    collection: evidenceOf(spentOn(is("DEBT_COLLECTION")), snapshot),
    gambling: gamblingOf(context, spentOn(is("LEISURE_GAMBLING"))),
    overdraft: evidenceOf(snapshot.accountEvents.overdraft, snapshot),
    rejected: evidenceOf(snapshot.accountEvents.rejected, snapshot),
    returned: evidenceOf(snapshot.accountEvents.returned, snapshot),
    serviceMinor: served,
    serviceRatio: incomeMinor > 0 ? served / incomeMinor : null,
    entered: stressedDebts(context),
    balances: snapshot.balances,
    buffer: bufferOf(snapshot, expensesMinor),
  };
}

function is(categoryId: string) {
  return (id: string): boolean => id === categoryId;
}

/** The engine's word counts besides the answer's: moving a payment does not undo it. */
function isOf({ part, categories }: CategorisedPart, matches: (categoryId: string) => boolean): boolean {
  return matches(part.categoryId ?? "") || categories.some(({ id }) => matches(id));
}

function isServed({ categories }: Item): boolean {
  return isServedCategory(categories[0] ?? "");
}

/** A loan whose payments begin so long after the data do was taken out meanwhile. */
const newAfterDays = 62;

function loansOf({ snapshot, categorised, items }: CreditContext): LoanLine[] {
  const from = firstDayOf(snapshot);
  const begins = snapshot.accounts.flatMap(({ firstDay }) => firstDay ?? []).toSorted()[0] ?? null;
  const byKey = new Map(categorised.map((one) => [one.part.key, one]));
  return items
    .filter(({ categories }) => isLoan(categories[0] ?? ""))
    .flatMap((item): LoanLine[] => {
      const source = byKey.get(item.key);
      const paid = source === undefined ? [] : source.part.transactions.filter(({ minor }) => minor < 0);
      const first = source?.part.firstPaidOn ?? paid[0]?.document.transactionDate ?? null;
      return [
        {
          title: item.title,
          categoryId: item.categories[0] ?? "",
          monthlyMinor: item.paymentCostMonthlyMinor,
          paid: evidenceOf(paid, snapshot),
          firstOn: first,
          isNew: begins !== null && first !== null && first >= from && first > addDays(begins, newAfterDays),
          remainingPayments: item.remainingPayments,
          overdueSince: item.overdue?.since ?? null,
        },
      ];
    });
}

function gamblingOf(
  { snapshot, incomeMinor }: CreditContext,
  stakes: readonly PartTransaction[],
): CreditView["gambling"] {
  const won = snapshot.excluded.WINNINGS;
  const sums = byMonth(stakes, "EXPENSE", snapshot);
  const [three, twelve] = [averageOf(sums, quarterMonths, snapshot), averageOf(sums, monthsMax, snapshot)];
  const winnings = byMonth(won, "INCOME", snapshot);
  const net = sumOfLast(snapshot, sums, monthsMax) - sumOfLast(snapshot, winnings, monthsMax);
  return {
    stakes: evidenceOf(stakes, snapshot),
    winnings: evidenceOf(won, snapshot),
    netMinor: net,
    shareOfIncome: incomeMinor > 0 ? divideHalfUp(net, divisorOf(snapshot, monthsMax)) / incomeMinor : null,
    trend: twelve === 0 ? null : three / twelve,
  };
}

/** What the balances last for, if nothing came in any more. Null: no balance or no expenses are known. */
function bufferOf({ balances }: BudgetSnapshot, expensesMinor: number): CreditView["buffer"] {
  if (balances.length === 0) return null;
  const balanceMinor = sum(balances.map(({ observedMinor }) => observedMinor));
  return { balanceMinor, months: expensesMinor > 0 ? Math.max(0, balanceMinor / expensesMinor) : null };
}
