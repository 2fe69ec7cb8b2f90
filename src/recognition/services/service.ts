/**
 * The interface's documents about one user's recurring payments, made from what was recognised, what the user decided
 * and how cancellations stand. Pure: exchange rates and ids are passed in.
 */
import { type Day, addDays, dayNumber, daysBetween } from "../../time/calendar.ts";
import { toNumber } from "../../money.ts";
import { type StoreType, productById } from "../../payments/catalogue.ts";
import {
  type ServiceContext,
  yearDays,
  expectedAmount,
  markOf,
  servicePayment,
  convertedAt,
  totalLastTwelveMonths,
  yearlyCost,
} from "./cost.ts";
import { factsOf } from "./facts.ts";
import { productDocument } from "./product.ts";
import type { RecognisedService } from "../recognise.ts";
import type {
  CancellationAbortReason,
  ProductDocument,
  Service,
  ServiceNotification,
} from "../../interface/services.ts";
import type { serviceFacts } from "../../interface/service-facts.ts";
import { firstOf, lastOf } from "../../present.ts";

export type { ServiceContext } from "./cost.ts";

/** A cancellation case as it stands. */
export type CancellationCase = {
  state: "OPEN" | "CONFIRMED" | "ABORTED";
  /** The case waits for an answer from the user. */
  needsMoreInformation: boolean;
  /** Day of the latest change of state. */
  changedDay: Day;
  equipmentBack: boolean | null;
  moneyBack: boolean | null;
  confirmationContent: string | null;
  freeTextMessage: string | null;
  endDate: Day | null;
  abortReason: CancellationAbortReason | null;
};

/** What is remembered about a service between runs. */
export type ServiceState = {
  id: string;
  /** The user's decision: true hidden, false shown (and thereby confirmed), null none. */
  hidden: boolean | null;
  firstDetectedDay: Day;
  /** Payments up to this day are no news, since only a new version saw them; null: none are. */
  newsAfter: Day | null;
  cancellation: CancellationCase | null;
  /** Id of the service whose place it took; null: of none. */
  predecessorId: string | null;
};

/** Rules: services.md, "Fields" and "Status machine". */
export function buildService(
  recognised: RecognisedService,
  remembered: ServiceState,
  context: ServiceContext,
): Service {
  const state = { ...remembered, cancellation: standingCase(recognised, remembered.cancellation) };
  const status = statusOf(recognised, state);
  const visibility = visibilityOf(recognised, state, context);
  const product = productDocument(recognised, context.imageBaseUrl, context.country);
  const latest = lastOf(recognised.payments);
  const amount = expectedAmount(recognised, context);
  const { total, unconverted } = totalLastTwelveMonths(recognised, context);
  const store = storeOf(recognised.store);
  return {
    id: state.id,
    amount: toNumber(amount),
    currency: amount.currency,
    ...markOf(amount),
    paymentFrequency: recognised.paymentFrequency,
    accountId: latest.accountId,
    cardId: latest.cardId,
    product,
    status,
    userActionsRequired: state.cancellation?.needsMoreInformation ? ["CANCELLATION_NEED_MORE_INFO"] : [],
    payments: recognised.payments.map((payment) => servicePayment(payment, context)).toReversed(),
    ...(recognised.refunds.length === 0
      ? {}
      : { refunds: recognised.refunds.map((refund) => servicePayment(refund, context)).toReversed() }),
    yearlyCost: yearlyCost(recognised, amount, total, context.asOf),
    totalAmountLastTwelveMonths: toNumber(total),
    ...(unconverted === 0 ? {} : { unconvertedPayments: unconverted }),
    notifications: badges(recognised, state, status, context),
    visibility,
    nextExpectedTransactionDate: recognised.nextExpectedDay,
    ...(store === null ? {} : { store }),
    visibilityOption: visibilityOption(visibility, status),
    cancellation: cancellationOf(recognised, state.cancellation),
    amountToDisplay: amountToDisplay(recognised, product, context),
    cancellationOption: cancellationOption(recognised, product, status, visibility),
    iban: latest.iban,
    ...factsShown(recognised, context),
    predecessorId: state.predecessorId,
  };
}

type FactFields = Pick<Service, Exclude<keyof typeof serviceFacts, "predecessorId">>;

/** Amounts converted as the latest payment is. */
export function factsShown(recognised: RecognisedService, context: ServiceContext): FactFields {
  const { lastAmountMinor, amountRange, priceChange, ...facts } = factsOf(recognised, context.asOf);
  const { day } = lastOf(recognised.payments);
  const shown = (minor: number): number =>
    toNumber(convertedAt({ minor, currency: recognised.currency }, day, context));
  return {
    ...facts,
    lastAmount: shown(lastAmountMinor),
    amountRange:
      amountRange === null
        ? null
        : { low: shown(amountRange.low), median: shown(amountRange.median), high: shown(amountRange.high) },
    priceChange:
      priceChange === null
        ? null
        : { from: shown(priceChange.from), to: shown(priceChange.to), date: priceChange.date },
  };
}

/** A payment this long after the reported end is not a last one that was still under way. */
const endDateSlackDays = 3;
/** So many payments in a row after the end, and the service has not ended. */
const paymentsReviving = 2;

/** The case as far as it still holds: one whose end the payments belie says nothing any more. */
function standingCase(recognised: RecognisedService, latest: CancellationCase | null): CancellationCase | null {
  const isBelied = latest?.state === "CONFIRMED" && paymentsAfterEnd(recognised, latest) >= paymentsReviving;
  return isBelied ? null : latest;
}

function statusOf(recognised: RecognisedService, { cancellation }: ServiceState): Service["status"] {
  if (cancellation?.state === "OPEN") return "UNDER_CANCELLATION";
  return cancellation?.state === "CONFIRMED" ? "CANCELLED" : recognised.status;
}

function paymentsAfterEnd(recognised: RecognisedService, { endDate, changedDay }: CancellationCase): number {
  const end = addDays(endDate ?? changedDay, endDateSlackDays);
  return recognised.payments.filter(({ day }) => day > end).length;
}

function visibilityOf(
  recognised: RecognisedService,
  state: ServiceState,
  context: ServiceContext,
): Service["visibility"] {
  if (state.hidden !== null) return state.hidden ? "HIDDEN" : "VISIBLE";
  const isHiddenByBrand = recognised.productId !== null && context.hiddenProductIds.has(recognised.productId);
  return isHiddenByBrand ? "HIDDEN" : recognised.visibility;
}

function visibilityOption(visibility: Service["visibility"], status: Service["status"]): Service["visibilityOption"] {
  if (status === "UNDER_CANCELLATION" || status === "CANCELLED") return "HIDE";
  if (visibility === "UNDECIDED") return "ASK_BOTH";
  return visibility === "HIDDEN" ? "ASK_TO_SHOW" : "ASK_TO_HIDE";
}

function cancellationOption(
  recognised: RecognisedService,
  product: ProductDocument,
  status: Service["status"],
  visibility: Service["visibility"],
): NonNullable<Service["cancellationOption"]> {
  if (product.type === "OTHER_RECURRING" || status !== "ACTIVE" || visibility !== "VISIBLE") return "HIDE";
  if (recognised.store !== null) return "STORE";
  const catalogued = recognised.productId === null ? null : productById(recognised.productId);
  return catalogued?.cancellation === "EXPLAIN_WHY_NOT" ? "EXPLAIN_WHY_NOT" : "POSSIBLE";
}

/**
 * Collected by a mandate, by whatever name. An invoice and a standing order are paid by the user, who can stop them
 * alone.
 */
const directDebitPattern = /DIRECT[ _-]?DEBIT|LASTSCHRIFT|AUTOGIRO|MANDATE/i;

function cancellationOf(recognised: RecognisedService, opened: CancellationCase | null): Service["cancellation"] {
  const catalogued = recognised.productId === null ? null : productById(recognised.productId);
  return {
    directDebit: directDebitPattern.test(lastOf(recognised.payments).rawType),
    equipmentBack: opened?.equipmentBack ?? catalogued?.equipmentBack ?? false,
    moneyBack: opened?.moneyBack ?? catalogued?.moneyBack ?? false,
    ...(opened?.confirmationContent == null ? {} : { confirmationContent: opened.confirmationContent }),
    ...(opened?.freeTextMessage == null ? {} : { freeTextMessage: opened.freeTextMessage }),
    ...(opened?.endDate == null ? {} : { endDate: opened.endDate }),
    ...(opened?.abortReason == null ? {} : { abortReason: opened.abortReason }),
  };
}

const newSubscriptionDays = 30;
const newPaymentDays = 7;
const cancellationOutcomeDays = 30;

function badges(
  recognised: RecognisedService,
  { firstDetectedDay, newsAfter, cancellation }: ServiceState,
  status: Service["status"],
  { asOf, importCompletedDay, holding }: ServiceContext,
): ServiceNotification[] {
  const isSeenAnew = (day: Day): boolean => newsAfter !== null && day <= newsAfter;
  const isNews = (day: Day): boolean => importCompletedDay !== null && day > importCompletedDay && !isSeenAnew(day);
  const isWithin = (days: number, since: Day): boolean => {
    if (daysBetween(since, asOf) > days) return false;
    holding?.changesAt(dayNumber(since) + days + 1);
    return true;
  };
  const first = firstOf(recognised.payments).day;
  const latest = lastOf(recognised.payments).day;
  const shown: ServiceNotification[] = [];
  if (isNews(first) && isWithin(newSubscriptionDays, firstDetectedDay)) shown.push("NEW_SUBSCRIPTION");
  if (isNews(latest) && isWithin(newPaymentDays, latest)) shown.push("NEW_PAYMENT");
  if (cancellation === null) return shown;
  if (status === "CANCELLED" && paymentsAfterEnd(recognised, cancellation) > 0 && !isSeenAnew(latest))
    shown.push("NEW_PAYMENT_CANCELLED_SUBSCRIPTION");
  if (cancellation.needsMoreInformation) shown.push("CANCELLATION_MORE_INFORMATION_REQUIRED");
  const isRecent = isWithin(cancellationOutcomeDays, cancellation.changedDay);
  if (isRecent && cancellation.state === "CONFIRMED") shown.push("CANCELLATION_CONFIRMED");
  if (isRecent && cancellation.state === "ABORTED") shown.push("CANCELLATION_ABORTED");
  return shown;
}

/** Above this coefficient of variation one amount would mislead. */
const variationMax = 0.35;

function amountToDisplay(
  recognised: RecognisedService,
  product: ProductDocument,
  { asOf }: ServiceContext,
): Service["amountToDisplay"] {
  const from = addDays(asOf, -yearDays);
  const costs = recognised.payments.filter(({ day }) => day > from).map(({ amountMinor }) => Math.abs(amountMinor));
  const isMisleading =
    recognised.paymentFrequency === "UNKNOWN" || product.isGateway || variation(costs) > variationMax;
  return isMisleading ? "TOTAL_LAST_TWELVE_MONTHS" : "AMOUNT";
}

function variation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = sumOf(values) / values.length;
  return Math.sqrt(sumOf(values.map((value) => (value - mean) ** 2)) / values.length) / mean;
}

/** Where a store lists the user's subscriptions. */
const storeUrls: Readonly<Record<StoreType, string>> = {
  STORE_A: "https://apps.apple.com/account/subscriptions",
  STORE_B: "https://play.google.com/store/account/subscriptions",
};

function storeOf(store: StoreType | null): NonNullable<Service["store"]> | null {
  return store === null ? null : { type: store, url: storeUrls[store] };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
