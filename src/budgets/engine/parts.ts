/**
 * From categorised rows to what is budgeted together: services, regular incomes, and the rest by payee and category.
 * Pure.
 */
import type { LedgerTransaction } from "../../ledger/history.ts";
import { type Money, parseAmount } from "../../money.ts";
import type { PaymentFrequency } from "../../interface/payment-frequency.ts";
import { imageIdOf, imageUrl } from "../../recognition/services/product.ts";
import type { RecognisedService } from "../../recognition/services/recognised.ts";
import type { Service } from "../../interface/services.ts";
import type { ItemService } from "../budget.ts";
import type { Categorised } from "../../categories/categorised.ts";
import { findCategory } from "../../categories/tree.ts";
import { medianOf } from "../monthly.ts";
import { partTransaction, titleOf } from "./convert.ts";
import type { Part, PartTransaction, Standing } from "./snapshot.ts";
import { firstOf, lastOf } from "../../present.ts";

/** A row that is in the sums. */
export type Counted = { row: LedgerTransaction; minor: number; categorised: Categorised };

export type PartContext = {
  currency: string;
  /** Without trailing slash. */
  baseUrl: string;
  /** First day of the window: older rows are kept only where a service has none younger. */
  from: string;
  /** Txids of what is neither spent nor earned. */
  excluded: ReadonlySet<string>;
};

/** A service as recognition stored it. */
export type KnownService = { id: string; txids: readonly string[]; document: Service };

/** Prices that vary are told by the middle one of so many. */
const recentPayments = 6;

/** Parts by key; every counted row from the window's first day on is in exactly one. */
export function partsOf(
  counted: readonly Counted[],
  services: readonly KnownService[],
  income: readonly RecognisedService[],
  context: PartContext,
): Part[] {
  const byTxid = new Map(counted.map((one) => [one.row.txid, one]));
  const serviceParts = services
    .filter((one) => isListed(one) && isSpent(one.txids, context))
    .flatMap((service) => servicePart(service, take(byTxid, service.txids, "EXPENSE"), context));
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
  return [...serviceParts, ...incomeParts, ...payeeParts([...byTxid.values()], context)].sort((a, b) =>
    a.key < b.key ? -1 : 1,
  );
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

function servicePart(known: KnownService, payments: readonly Counted[], context: PartContext): Part[] {
  const { id, document } = known;
  const latest = payments.at(-1);
  if (latest === undefined) return [];
  const isRunning = runs(document);
  const common = commonOf(payments, isRunning ? "SERVICE" : "ENDED", "EXPENSE", context, id);
  const paymentCostMinor = costOf(payments, document.paymentFrequency);
  const service = isRunning ? serviceOf(known, paymentCostMinor, context.currency) : null;
  return [
    {
      ...common,
      key: `service:${id}`,
      title: document.product.title,
      imageUrl: document.product.imageUrl,
      service,
      paymentCostMinor,
      paymentFrequency: document.paymentFrequency,
    },
  ];
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
  const common = commonOf(payments, series.status === "ACTIVE" ? "REGULAR" : "ENDED", "INCOME", context, null);
  return [
    {
      ...common,
      key: `income:${series.key}`,
      paymentCostMinor: costOf(payments, series.paymentFrequency),
      paymentFrequency: series.paymentFrequency,
    },
  ];
}

/** A price that stands is the latest; one that varies the middle of the recent ones. Positive. */
function costOf(payments: readonly Counted[], frequency: PaymentFrequency): number {
  const paid = payments.slice(-recentPayments).map(({ minor }) => Math.abs(minor));
  const [latest = 0, before] = paid.toReversed();
  const isSparse = frequency === "YEARLY" || frequency === "HALFYEARLY";
  return isSparse || latest === before ? latest : (steppedPrice(paid) ?? medianOf(paid));
}

/** A fixed price that has just changed: all but the latest are one price. */
function steppedPrice(paid: readonly number[]): number | null {
  const before = new Set(paid.slice(0, -1));
  return paid.length >= 3 && before.size === 1 ? lastOf(paid) : null;
}

function payeeParts(counted: readonly Counted[], context: PartContext): Part[] {
  const recent = counted.filter(({ row }) => row.day >= context.from);
  const groups = Map.groupBy(
    recent,
    (one) => `payee:${one.categorised.payeeKey}:${one.categorised.categoryId ?? `${sideOf(one)}-`}`,
  );
  return [...groups].map(([key, group]) => {
    const ordered = group.toSorted(chronologically);
    return { ...commonOf(ordered, "PAYEE", sideOf(firstOf(ordered)), context, null), key };
  });
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
  const title = titleOf(latest.row);
  const { payeeKey, categoryId, rule, confidence, candidates } = latest.categorised;
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
    transactions: shown(ordered, from).map(({ row, minor }): PartTransaction =>
      partTransaction(row, minor, currency, serviceId),
    ),
  };
}

function shown(ordered: readonly Counted[], from: string): readonly Counted[] {
  const recent = ordered.filter(({ row }) => row.day >= from);
  return recent.length > 0 ? recent : ordered.slice(-1);
}
