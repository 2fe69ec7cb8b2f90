/**
 * What became of services that were due and were not paid: whether their end is known, and if not, since when they are
 * missing. A customer who stops paying is not one who has become richer. Pure.
 */
import { addDays, addMonths, type Day, daysBetween } from "../../time/calendar.ts";
import type { Service } from "../../interface/services.ts";
import { type KnownFrequency, medianOf, periodDays } from "../monthly.ts";
import { groupOf } from "../../categories/tree.ts";
import { isLoan } from "../kinds.ts";
import type { Counted } from "./counted.ts";
import type { Ended, Missing } from "./snapshot.ts";
import { firstOf, lastOf } from "../../present.ts";

export type Lapsed = { missing: Missing } | { ended: Ended };

/** A service with those of its payments that are counted, oldest first, at least one. */
export type Paying = { document: Service; payments: readonly Counted[] };

/** So many days after it was due a payment counts as missed. Source: services.md, "Status machine". */
const graceDays: Readonly<Record<KnownFrequency, number>> = {
  DAILY: 4,
  WEEKLY: 5,
  BIWEEKLY: 7,
  MONTHLY: 12,
  BIMONTHLY: 16,
  QUARTERLY: 20,
  HALFYEARLY: 30,
  YEARLY: 40,
};

/** Of the ordinary payment: a settlement of what is left, another price for the same thing, another bank's loan. */
export const settlementTimes = 3;
const replacedBetween = { loan: [0.8, 1.25], other: [0.4, 2.5] } as const;
const settlementDays = 45;
const onePayeeGroups: ReadonlySet<string> = new Set(["UTILITIES", "INSURANCE", "COMMUNICATION", "WORK_MEMBERSHIPS"]);
/** Who moves changes contracts within so many days around the day of moving. */
const movingDays = 62;

/** Categories of a home: one of them is paid, and when another one begins somebody has moved. */
const homes: ReadonlySet<string> = new Set(["HOUSING_RENT", "HOUSING_MORTGAGE", "HOUSING_COOPERATIVE_FEE"]);

/** @param counted all that is spent and earned, among which another payee may have taken over */
export function lapsesOf(services: readonly Paying[], counted: readonly Counted[]): (Lapsed | null)[] {
  const spent = counted.filter(({ minor }) => minor < 0);
  const moved = services
    .filter(({ payments }) => homes.has(categoryOf(payments)))
    .flatMap((home) => movingDaysOf(home, spent));
  return services.map((service) => lapseOf(service, spent, moved));
}

/** Where another payee took over, in a series of its own or in the one that recognition sees go on under another name. */
function movingDaysOf({ document, payments }: Paying, spent: readonly Counted[]): Day[] {
  const changes = payments.filter(
    ({ categorised }, at) => at > 0 && categorised.payeeKey !== payments[at - 1]?.categorised.payeeKey,
  );
  const since = isMissed(document) ? successorOf(payments, document.nextExpectedTransactionDate, spent) : null;
  return [...changes.map(({ row }) => row.day), ...(since === null ? [] : [since])];
}

function isMissed({ status }: Service): boolean {
  return status === "INACTIVE";
}

/** Null: it runs. @param moved days on which another home began to be paid */
function lapseOf({ document, payments }: Paying, spent: readonly Counted[], moved: readonly Day[]): Lapsed | null {
  const { status, paymentFrequency, nextExpectedTransactionDate: since } = document;
  if (status === "CANCELLED") return { ended: { reason: "CANCELLED", since } };
  if (!isMissed(document)) return null;
  if (paymentFrequency === "UNKNOWN") return { ended: { reason: "STOPPED", since } };
  const reason = isPaidOff(payments, spent)
    ? "PAID_OFF"
    : successorOf(payments, since, spent) !== null
      ? "REPLACED"
      : isOfHome(categoryOf(payments)) && moved.some((day) => Math.abs(daysBetween(since, day)) <= movingDays)
        ? "MOVED"
        : null;
  if (reason !== null) return { ended: { reason, since } };
  return {
    missing: { since, staysUntil: addDays(since, graceDays[paymentFrequency] + periodDays[paymentFrequency]) },
  };
}

function categoryOf(payments: readonly Counted[]): string {
  return lastOf(payments).categorised.categoryId ?? "";
}

function isOfHome(categoryId: string): boolean {
  return groupOf(categoryId) === "UTILITIES" || groupOf(categoryId) === "HOUSING" || categoryId === "INSURANCE_HOME";
}

/** The last of a counted number of instalments was paid, or a loan was settled in one sum. */
function isPaidOff(payments: readonly Counted[], spent: readonly Counted[]): boolean {
  const counters = payments.map(({ row }) => counterIn(row.description));
  const [last, before] = counters.toReversed();
  if (last != null && before != null && last.of === before.of && last.at === before.at + 1 && last.at === last.of)
    return true;
  const latest = lastOf(payments);
  if (!isLoan(categoryOf(payments))) return false;
  const usual = medianOf(payments.slice(-6).map(({ minor }) => Math.abs(minor)));
  return spent.some(
    ({ row, minor, categorised }) =>
      categorised.payeeKey === latest.categorised.payeeKey &&
      -minor >= settlementTimes * usual &&
      row.day >= addDays(latest.row.day, -settlementDays),
  );
}

type Counter = { at: number; of: number };

/** "7/12", "7 af 12", "7 von 12". */
function counterIn(text: string): Counter | null {
  const found = /(?<![\d./-])(\d{1,3}) ?(?:\/|af|av|of|von) ?(\d{1,3})(?![\d./-])/i.exec(text);
  if (found === null) return null;
  const [at, of] = [Number(found[1]), Number(found[2])];
  return at >= 1 && at <= of ? { at, of } : null;
}

/** Instalments that a counter in the text still announces; null without a counter that was seen counting. */
export function remainingInstalments(payments: readonly Counted[]): number | null {
  const [last, before] = payments.map(({ row }) => counterIn(row.description)).toReversed();
  return last != null && before != null && last.of === before.of && last.at === before.at + 1
    ? last.of - last.at
    : null;
}

/** The first payment to another payee of the same kind that began when this one stopped; null: there is none. */
function successorOf(payments: readonly Counted[], since: Day, spent: readonly Counted[]): Day | null {
  const latest = lastOf(payments);
  const categoryId = categoryOf(payments);
  if (!isOfOnePayee(categoryId)) return null;
  const usual = medianOf(payments.slice(-6).map(({ minor }) => Math.abs(minor)));
  const [least, most] = isLoan(categoryId) && !homes.has(categoryId) ? replacedBetween.loan : replacedBetween.other;
  const others = Map.groupBy(
    spent.filter(
      ({ categorised }) =>
        categorised.payeeKey !== latest.categorised.payeeKey && isSameKind(categorised.categoryId, categoryId),
    ),
    ({ categorised }) => categorised.payeeKey,
  );
  const until = addMonths(since, 2);
  const days = [...others.values()].flatMap((rows) => {
    const ordered = rows.toSorted((a, b) => (a.row.day < b.row.day ? -1 : 1));
    const first = firstOf(ordered);
    const isAlike = ordered.some(({ minor }) => -minor >= least * usual && -minor <= most * usual);
    return isAlike && first.row.day > latest.row.day && first.row.day <= until ? [first.row.day] : [];
  });
  return days.toSorted()[0] ?? null;
}

/** Of which a household has one at a time, or a loan that another bank took over: a second film club replaces none. */
function isOfOnePayee(categoryId: string): boolean {
  return (
    homes.has(categoryId) ||
    isLoan(categoryId) ||
    onePayeeGroups.has(groupOf(categoryId) ?? "") ||
    categoryId === "CHILDREN_DAYCARE"
  );
}

function isSameKind(other: string | null, categoryId: string): boolean {
  return other === categoryId || (other !== null && homes.has(other) && homes.has(categoryId));
}
