/**
 * The lists: a user's services with their totals, and the payments to expect.
 */
import { exponentOf, toNumber } from "../../money.ts";
import { expectedOriginal } from "./cost.ts";
import type { RecognisedService } from "../recognise.ts";
import type { Alert, Service, ServiceResponse, UpcomingPayment } from "../../interface/services.ts";
import { lastOf } from "../../present.ts";

/** The list for a visibility filter: VISIBLE shows the undecided ones too, HIDDEN only what is hidden. */
export function buildServiceResponse(
  services: readonly Service[],
  filter: "VISIBLE" | "HIDDEN",
  alerts: readonly Alert[],
  currency: string,
): ServiceResponse {
  const listed = services.filter(({ visibility }) => (visibility === "HIDDEN") === (filter === "HIDDEN"));
  // What no rate could convert is in another currency than the sum.
  const running = listed.filter(
    (service) =>
      service.product.type === "SUBSCRIPTION" &&
      (service.status === "ACTIVE" || service.status === "UNDER_CANCELLATION") &&
      service.visibility !== "UNDECIDED" &&
      service.currency === currency,
  );
  const unconverted = sumOf(listed.map(({ unconvertedPayments = 0 }) => unconvertedPayments));
  return {
    averageTotalAmount: rounded(sumOf(running.map(({ yearlyCost: cost }) => cost)) / 12, currency),
    services: listed,
    totalAmountLastTwelveMonths: rounded(
      sumOf(listed.map(({ totalAmountLastTwelveMonths: total }) => total)),
      currency,
    ),
    ...(alerts.length === 0 ? {} : { alerts: [...alerts] }),
    ...(unconverted === 0 ? {} : { unconvertedPayments: unconverted }),
  };
}

/** The list as JSON, made of its services' texts: they are nearly all of it. */
export function responseText(response: ServiceResponse, textOf: (service: Service) => string): string {
  const frame = JSON.stringify({ ...response, services: [] });
  const at = frame.indexOf(emptyList) + emptyList.length - 1;
  return frame.slice(0, at) + response.services.map(textOf).join(",") + frame.slice(at);
}

/** Before it stands only a number. */
const emptyList = '"services":[]';

/** Next payment of each running service that has a cadence and is not hidden, by date. */
export function buildUpcomingPayments(
  services: readonly { recognised: RecognisedService; service: Service }[],
): UpcomingPayment[] {
  return services
    .filter(({ service }) => isUpcoming(service))
    .map(({ recognised, service }) => upcomingPayment(recognised, service))
    .sort((a, b) => (a.expectedPaymentDate + a.serviceId < b.expectedPaymentDate + b.serviceId ? -1 : 1));
}

function isUpcoming(service: Service): boolean {
  if (service.paymentFrequency === "UNKNOWN" || service.visibility === "HIDDEN") return false;
  if (service.status === "ACTIVE") return true;
  const { endDate } = service.cancellation;
  const endsLater = endDate === undefined || service.nextExpectedTransactionDate <= endDate;
  return service.status === "UNDER_CANCELLATION" && endsLater;
}

function upcomingPayment(recognised: RecognisedService, service: Service): UpcomingPayment {
  const latest = lastOf(recognised.payments);
  const original = expectedOriginal(recognised);
  return {
    serviceId: service.id,
    expectedPaymentDate: service.nextExpectedTransactionDate,
    expectedPaymentCost: service.amount,
    currency: service.currency,
    ...(service.rateDate === undefined ? {} : { rateDate: service.rateDate }),
    expectedOriginalPaymentCost: toNumber(original),
    originalCurrency: original.currency,
    product: service.product,
    accountId: latest.accountId,
    cardId: latest.cardId,
  };
}

type Placed = Pick<Service, "id" | "nextExpectedTransactionDate"> & { status: Service["status"] };

/** What runs comes first, by its next date; then what ended, latest first. */
export function runningThenByNextDate(a: Placed, b: Placed): number {
  const runs = ({ status }: Placed): number => (status === "ACTIVE" || status === "UNDER_CANCELLATION" ? 0 : 1);
  const direction = runs(a) === 0 ? 1 : -1;
  const [next, other] = [a.nextExpectedTransactionDate, b.nextExpectedTransactionDate];
  if (runs(a) !== runs(b)) return runs(a) - runs(b);
  return next === other ? (a.id < b.id ? -1 : 1) : next < other ? -direction : direction;
}

/** Sums of JSON numbers carry binary dust; it is taken off at the currency's minor unit. */
export function rounded(value: number, currency: string): number {
  const unit = 10 ** exponentOf(currency);
  return Math.round(value * unit) / unit;
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
