/**
 * From categorised rows to what is budgeted together: services, regular incomes, and the rest by payee and category.
 * Pure.
 */
import { type Money, parseAmount } from "../../money.ts";
import { imageIdOf, imageUrl } from "../../recognition/services/product.ts";
import type { RecognisedService } from "../../recognition/services/recognised.ts";
import type { Service } from "../../interface/services.ts";
import type { ItemService } from "../budget.ts";
import { findCategory } from "../../categories/tree.ts";
import { isDayCovered, monthOf, type Window } from "../window.ts";
import { partTransaction, titleOf } from "./convert.ts";
import { payeeTitleOf, withoutBankWords } from "./payee-title.ts";
import type { Counted } from "./counted.ts";
import { extraOf } from "./extra-pay.ts";
import { type Lapsed, lapsesOf, remainingInstalments } from "./lapse.ts";
import { isSamePayer } from "./payer-name.ts";
import { type Priced, priceOf } from "./price.ts";
import type { Ended, Extra, Part, PartTransaction, Standing } from "./snapshot.ts";
import { firstOf, lastOf } from "../../present.ts";

export type PartContext = {
  currency: string;
  /** Without trailing slash. */
  baseUrl: string;
  /** First day of the window: older rows are kept only where a service has none younger. */
  from: string;
  /** Txids of what is neither spent nor earned. */
  excluded: ReadonlySet<string>;
  window: Window;
};

/** A service as recognition stored it. */
export type KnownService = { id: string; txids: readonly string[]; document: Service };

/** Parts by key; every counted row from the window's first day on is in exactly one. */
export function partsOf(
  counted: readonly Counted[],
  services: readonly KnownService[],
  income: readonly RecognisedService[],
  context: PartContext,
): Part[] {
  const byTxid = new Map(counted.map((one) => [one.row.txid, one]));
  const paying = services
    .filter((one) => isListed(one) && isSpent(one.txids, context))
    .map((known) => ({ ...known, payments: take(byTxid, known.txids, "EXPENSE") }))
    .filter(({ payments }) => payments.length > 0);
  const lapses = lapsesOf(paying, counted);
  const serviceParts = paying.map((known, at) => servicePart(known, known.payments, lapses[at] ?? null, context));
  const incomeParts = income
    .filter(
      (one) =>
        isCertain(one) &&
        isSpent(
          one.payments.map(({ txid }) => txid),
          context,
        ),
    )
    .flatMap((series) =>
      incomePart(
        series,
        take(
          byTxid,
          series.payments.map(({ txid }) => txid),
          "INCOME",
        ),
        context,
      ),
    );
  const rest = payeeParts([...byTxid.values()], context).map((part) => besidePay(part, incomeParts));
  return [...serviceParts, ...incomeParts, ...rest].sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Those that the user may still decline, and those that were declined, are budgeted as the purchases that they are. */
function isListed({ document }: KnownService): boolean {
  return document.visibility === "VISIBLE";
}

/**
 * A card's bill comes every month and is no expense where its purchases are: what is left of such a series recurs no
 * more.
 */
function isSpent(txids: readonly string[], { excluded }: PartContext): boolean {
  return 2 * txids.filter((txid) => excluded.has(txid)).length < txids.length;
}

function runs({ status }: Service): boolean {
  return status === "ACTIVE" || status === "UNDER_CANCELLATION";
}

export function sideOf({ minor, categorised }: Counted): Part["side"] {
  const kind = categorised.categoryId === null ? null : findCategory(categorised.categoryId)?.kind;
  return kind ?? (minor < 0 ? "EXPENSE" : "INCOME");
}

/** Takes what is there of the series, oldest first. */
function take(byTxid: Map<string, Counted>, txids: readonly string[], side: Part["side"]): Counted[] {
  const taken = txids
    .flatMap((txid) => byTxid.get(txid) ?? [])
    .filter((one) => sideOf(one) === side)
    .sort(chronologically);
  for (const { row } of taken) byTxid.delete(row.txid);
  return taken;
}

function chronologically(a: Counted, b: Counted): number {
  return a.row.day < b.row.day ? -1 : a.row.day > b.row.day ? 1 : a.row.txid < b.row.txid ? -1 : 1;
}

function servicePart(
  known: KnownService,
  payments: readonly Counted[],
  lapsed: Lapsed | null,
  context: PartContext,
): Part {
  const { id, document } = known;
  const standing = standingOf(document, lapsed);
  const common = commonOf(payments, standing, "EXPENSE", context, id);
  const price = priceOf(payments.map(priced), document.paymentFrequency, context.window, standing === "MISSING");
  return {
    ...common,
    ...price,
    key: `service:${id}`,
    title: withoutBankWords(document.product.title),
    imageUrl: document.product.imageUrl,
    service: standing === "ENDED" ? null : serviceOf(known, price.paymentCostMinor, context.currency),
    paymentFrequency: document.paymentFrequency,
    missing: lapsed !== null && "missing" in lapsed ? lapsed.missing : null,
    ended: standing === "ENDED" ? endOf(document, lapsed) : null,
    remainingPayments: remainingInstalments(payments),
  };
}

function standingOf(document: Service, lapsed: Lapsed | null): Standing {
  if (lapsed !== null) return "missing" in lapsed ? "MISSING" : "ENDED";
  return runs(document) ? "SERVICE" : "ENDED";
}

function endOf({ nextExpectedTransactionDate: since }: Service, lapsed: Lapsed | null): Ended {
  return lapsed !== null && "ended" in lapsed ? lapsed.ended : { reason: "STOPPED", since };
}

function priced({ row, minor }: Counted): Priced {
  return { day: row.day, costMinor: Math.abs(minor) };
}

function serviceOf({ id, document }: KnownService, paymentCostMinor: number, currency: string): ItemService {
  const total: Money | null = parseAmount(document.totalAmountLastTwelveMonths, currency);
  return {
    id,
    paymentCostMinor,
    paymentFrequency: document.paymentFrequency,
    totalPastYearMinor: total?.minor ?? 0,
    productTitle: document.product.title,
    imageUrl: document.product.imageUrl,
    status: document.status === "UNDER_CANCELLATION" ? "UNDER_CANCELLATION" : "ACTIVE",
    nextExpectedOn: document.nextExpectedTransactionDate,
  };
}

/** Undecided series are too few payments to say how often they come. */
function isCertain({ visibility }: RecognisedService): boolean {
  return visibility === "VISIBLE";
}

function incomePart(series: RecognisedService, payments: readonly Counted[], context: PartContext): Part[] {
  if (payments.length === 0) return [];
  const isRunning = series.status === "ACTIVE";
  const common = commonOf(payments, isRunning ? "REGULAR" : "ENDED", "INCOME", context, null);
  const extra = isRunning && series.paymentFrequency === "MONTHLY" ? extraOf(payments, context.window) : null;
  const ordinary = payments.map((one) => ordinaryOf(one, extra));
  return [
    {
      ...common,
      ...priceOf(ordinary, series.paymentFrequency, context.window, false),
      key: `income:${series.key}`,
      title: series.title,
      imageUrl: imageUrl(context.baseUrl, imageIdOf(series.title)),
      paymentFrequency: series.paymentFrequency,
      ended: isRunning ? null : { reason: "STOPPED", since: series.nextExpectedDay },
      extra,
    },
  ];
}

function ordinaryOf(one: Counted, extra: Extra | null): Priced {
  const { day, costMinor } = priced(one);
  const beside = extra?.transactions.find(({ txid }) => txid === one.row.txid)?.extraMinor ?? 0;
  return { day, costMinor: costMinor - beside };
}

/** What one payer pays is one income, whatever single lines are taken for; holiday pay and bonuses stand apart. */
function kindOf(one: Counted): string {
  const { categoryId } = one.categorised;
  if (sideOf(one) === "INCOME" && categoryId !== "INCOME_BONUS_HOLIDAY") return "INCOME-";
  return categoryId ?? `${sideOf(one)}-`;
}

function payeeParts(counted: readonly Counted[], context: PartContext): Part[] {
  const recent = counted.filter(({ row }) => row.day >= context.from);
  const collectors = collectorsOf(recent);
  const payeeOf = (one: Counted): string => {
    const { payeeKey } = one.categorised;
    return isCollected(one) ? (collectors.find((key) => isNamed(payeeKey, key)) ?? payeeKey) : payeeKey;
  };
  const groups = Map.groupBy(recent, (one) => `payee:${payeeOf(one)}:${kindOf(one)}`);
  return [...groups].map(([key, group]) => {
    const ordered = group.toSorted(chronologically);
    return told({ ...commonOf(ordered, "PAYEE", sideOf(firstOf(ordered)), context, null), key }, ordered, context);
  });
}

/** Shortest first: a collector writes its name with and without what it does, and is one payee. */
function collectorsOf(counted: readonly Counted[]): string[] {
  const keys = new Set(counted.filter(isCollected).map(({ categorised }) => categorised.payeeKey));
  return [...keys].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

function isCollected({ categorised }: Counted): boolean {
  return categorised.categoryId === "DEBT_COLLECTION";
}

function isNamed(payeeKey: string, name: string): boolean {
  return payeeKey === name || payeeKey.startsWith(`${name} `);
}

/** A second line of who pays a salary is no second salary: a thirteenth month, holiday pay, a bonus. */
function besidePay(part: Part, income: readonly Part[]): Part {
  const isBeside =
    part.categoryId === "INCOME_SALARY" &&
    income.some(
      ({ standing, categoryId, payeeKey }) =>
        standing === "REGULAR" && categoryId === "INCOME_SALARY" && isSamePayer(payeeKey, part.payeeKey),
    );
  return isBeside
    ? { ...part, categoryId: "INCOME_BONUS_HOLIDAY", rule: "REGULAR", confidence: besideConfidence }
    : part;
}

/** From so many months of the window on, whoever pays in is a source of income, whatever it is for. */
const payerMonthsMin = 6;
const payerConfidence = 0.6;
const besideConfidence = 0.75;

function told(part: Part, ordered: readonly Counted[], { window }: PartContext): Part {
  if (part.side !== "INCOME" || part.categoryId !== null) return part;
  const months = new Set(ordered.filter(({ row }) => isDayCovered(window, row.day)).map(({ row }) => monthOf(row.day)));
  return months.size < payerMonthsMin
    ? part
    : { ...part, categoryId: "INCOME_UNSPECIFIED", rule: "REGULAR", confidence: payerConfidence };
}

/** Why, where and what it is called are the latest payment's. */
function commonOf(
  ordered: readonly Counted[],
  standing: Standing,
  side: Part["side"],
  { currency, baseUrl, from }: PartContext,
  serviceId: string | null,
): Part {
  const latest = lastOf(ordered);
  const { payeeKey, categoryId, rule, confidence, candidates } = latest.categorised;
  const title = side === "EXPENSE" ? payeeTitleOf(latest.row) : titleOf(latest.row);
  return {
    key: "",
    standing,
    side,
    payeeKey,
    title,
    imageUrl: imageUrl(baseUrl, imageIdOf(title)),
    categoryId,
    rule,
    confidence,
    candidates,
    service: null,
    paymentCostMinor: 0,
    paymentFrequency: "MONTHLY",
    monthlyMinor: null,
    missing: null,
    ended: null,
    extra: null,
    remainingPayments: null,
    firstPaidOn: firstOf(ordered).row.day,
    transactions: shown(ordered, from).map((one): PartTransaction => partTransaction(one, currency, serviceId)),
  };
}

function shown(ordered: readonly Counted[], from: string): readonly Counted[] {
  const recent = ordered.filter(({ row }) => row.day >= from);
  return recent.length > 0 ? recent : ordered.slice(-1);
}
