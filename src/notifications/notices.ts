/**
 * What a run of recognition gives to tell: new subscriptions, payments, changed prices. Pure. Nothing is told of
 * history: payments up to the day of the import, or older than a month, are no news. Source: services.md, "Outbound
 * notifications".
 */
import { type Day, daysBetween } from "../time/calendar.ts";
import type { Service, ServicePayment } from "../interface/services.ts";
import type { Notice, TypeAbout } from "../interface/notification.ts";

/** What of a service decides whether there is news of it. */
export type ServiceInNews = Pick<
  Service,
  "id" | "currency" | "paymentFrequency" | "product" | "status" | "payments" | "notifications" | "visibility"
>;
import { firstOf, itemAt, lastOf } from "../present.ts";

/** A service as an earlier run left it; status null: it was not found then. */
export type EarlierService = {
  id: string;
  txids: readonly string[];
  status: Service["status"] | null;
  paymentFrequency: Service["paymentFrequency"] | null;
};

export type NewsContext = {
  userId: number;
  today: Day;
  importCompletedOn: Day | null;
  /**
   * Txids of the payments that came since the last run, where that run was an earlier algorithm's: nothing else is news,
   * however differently it is seen now. Null: the same algorithm made both.
   */
  arrived: ReadonlySet<string> | null;
};

/** A message about an older payment only puzzles: an account was connected late, or a run was made up for. */
const newsDays = 30;
/** Of a steady price: this part, and this much in the service's currency (about one euro). */
const changedShare = 0.05;
const changedAmounts: Readonly<Record<string, number>> = {
  EUR: 1,
  GBP: 1,
  DKK: 5,
  NOK: 10,
  SEK: 10,
  PLN: 5,
  CZK: 25,
  ISK: 150,
};
const changedAmountElsewhere = 1;
/** Prices within a cent of rounding are the same. */
const sameShare = 0.005;

export function noticesOf(
  before: readonly EarlierService[],
  after: readonly ServiceInNews[],
  context: NewsContext,
): Notice<"SUBSCRIPTION">[] {
  const { importCompletedOn, arrived } = context;
  if (importCompletedOn === null) return [];
  const known = new Set(before.flatMap(({ txids }) => txids));
  const earlier = new Map(before.filter(({ status }) => status !== null).map((service) => [service.id, service]));
  const subscriptionCount = after.filter(isRunningSubscription).length;
  const isNews = ({ date, sourceTransactionId }: ServicePayment): boolean =>
    date > importCompletedOn &&
    daysBetween(date, context.today) <= newsDays &&
    (arrived === null || arrived.has(sourceTransactionId));
  const told = after
    .filter(({ visibility }) => visibility !== "HIDDEN")
    .flatMap((service) => {
      const was = earlier.get(service.id);
      const ofService =
        was === undefined
          ? ofNewService(service, isNews, importCompletedOn, arrived)
          : ofPayments(
              service,
              arrived === null ? was : { ...was, paymentFrequency: null },
              (payment) => isNews(payment) && !known.has(payment.sourceTransactionId),
            );
      return ofService.map((one) => ({ ...one, service }));
    });
  // A user reads them in the order in which the payments were made, whatever the services.
  return told
    .toSorted((a, b) => daysBetween(b.payment.date, a.payment.date))
    .map((one) => notice(context.userId, one.service, one, subscriptionCount));
}

type Told = { type: TypeAbout<"SUBSCRIPTION">; payment: ServicePayment; subject: string };

/** Payments are newest first. */
function ofNewService(
  service: ServiceInNews,
  isNews: (payment: ServicePayment) => boolean,
  importCompletedOn: Day,
  arrived: NewsContext["arrived"],
): Told[] {
  const [latest, first] = [firstOf(service.payments), lastOf(service.payments)];
  // What only the new algorithm sees in payments that were there before is no new subscription.
  const isSeenFirst = arrived === null || arrived.has(first.sourceTransactionId);
  const isNew = first.date > importCompletedOn && isNews(latest) && isSeenFirst;
  return service.product.type === "SUBSCRIPTION" && isNew
    ? [{ type: "NEW_SUBSCRIPTION", payment: latest, subject: service.id }]
    : [];
}

/** Oldest first, so that they are told in their order. */
function ofPayments(service: ServiceInNews, was: EarlierService, isNews: (payment: ServicePayment) => boolean): Told[] {
  return service.payments
    .flatMap((payment, at) => {
      const type = isNews(payment) ? typeOf(service, was, at) : null;
      return type === null ? [] : [{ type, payment, subject: `${service.id} ${payment.sourceTransactionId}` }];
    })
    .toReversed();
}

function typeOf(service: ServiceInNews, was: EarlierService, at: number): Told["type"] | null {
  if (itemAt(service.payments, at).amount <= 0) return null;
  if (service.status === "CANCELLED")
    return service.notifications.includes("NEW_PAYMENT_CANCELLED_SUBSCRIPTION")
      ? "NEW_PAYMENT_CANCELLED_SUBSCRIPTION"
      : null;
  if (service.status !== "ACTIVE") return null;
  const isOtherCadence = at === 0 && was.paymentFrequency !== null && was.paymentFrequency !== service.paymentFrequency;
  return isOtherCadence || isOtherPrice(service, at) ? "PAYMENT_CHANGED" : "NEW_PAYMENT";
}

/** The two payments before were alike, so there was a price, and this one is not it. */
function isOtherPrice({ payments, currency }: ServiceInNews, at: number): boolean {
  const [payment, last, before] = [itemAt(payments, at), payments[at + 1], payments[at + 2]];
  if (last === undefined || before === undefined || Math.abs(last.amount - before.amount) > last.amount * sameShare)
    return false;
  const difference = Math.abs(payment.amount - last.amount);
  return difference >= last.amount * changedShare && difference >= (changedAmounts[currency] ?? changedAmountElsewhere);
}

function notice(
  userId: number,
  service: ServiceInNews,
  { type, payment, subject }: Told,
  subscriptionCount: number,
): Notice<"SUBSCRIPTION"> {
  const { title, imageUrl, type: productType } = service.product;
  return {
    userId,
    type,
    subject,
    txid: payment.sourceTransactionId,
    content: {
      product: { title, imageUrl, type: productType },
      amount: payment.amount,
      currency: payment.currency,
      subscriptionCount,
      serviceId: service.id,
    },
  };
}

function isRunningSubscription({ product, status, visibility }: ServiceInNews): boolean {
  return product.type === "SUBSCRIPTION" && status === "ACTIVE" && visibility !== "HIDDEN";
}
