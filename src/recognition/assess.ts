/** From one user's history and earlier services to what is stored about the user. Pure. */
import type { Day } from "../calendar.ts";
import type { Money } from "../money.ts";
import { assignIds, type AssignedId } from "./identity.ts";
import { buildServiceResponse, buildUpcomingPayments } from "./overview.ts";
import { type HistoryTransaction, recognise, type RecognisedService } from "./recognise.ts";
import type { Service } from "./schema.ts";
import { buildService, type ServiceContext } from "./service.ts";
import type { ReadModelRow, RecognisedUser, ServiceRow, StoredService } from "./store.ts";

export type Assessment = { services: ServiceRow[]; mergedIds: string[]; readModel: ReadModelRow };

export type AssessedHistory = readonly (HistoryTransaction & { id: number })[];

export type AssessmentContext = {
  today: Day;
  /** The API's base address without trailing slash. */
  baseUrl: string;
  convert(money: Money, currency: string, day: Day): Money | null;
};

export function assess(user: RecognisedUser, history: AssessedHistory, stored: readonly StoredService[], context: AssessmentContext): Assessment {
  const found = recognise(history, { asOf: context.today, country: user.country, currency: user.currency }).services;
  const assigned = assignIds(user.subject, stored, found.map(foundService));
  const serviceContext = contextOf(user, history, context);
  const current = found.map((recognised, index) => describe(recognised, assigned[index]!, stored, serviceContext));
  const lost = stored.filter((service) => !assigned.some((one) => one.id === service.id || one.mergedIds.includes(service.id)));
  return {
    services: [
      ...current.map(({ recognised, service, state }) => rowOf(user, recognised, service, state)),
      ...lost.map((service) => ({ ...service, document: null })),
    ],
    mergedIds: assigned.flatMap((one) => one.mergedIds),
    readModel: readModelOf(user, current, context),
  };
}

type Current = { recognised: RecognisedService; service: Service; state: { firstDetectedDay: Day; hidden: boolean | null } };

function describe(recognised: RecognisedService, assigned: AssignedId, stored: readonly StoredService[], context: ServiceContext): Current {
  const own = stored.find((service) => service.id === assigned.id);
  const merged = stored.filter((service) => assigned.mergedIds.includes(service.id));
  // What the user decided about a part is decided about the whole.
  const hidden = own?.hidden ?? merged.find((service) => service.hidden !== null)?.hidden ?? null;
  const state = { id: assigned.id, hidden, firstDetectedDay: own?.firstDetectedOn ?? context.asOf, cancellation: null };
  return { recognised, state, service: buildService(recognised, state, context) };
}

function contextOf(user: RecognisedUser, history: AssessedHistory, context: AssessmentContext): ServiceContext {
  const ids = new Map(history.map((row) => [row.txid, row.id]));
  return {
    asOf: context.today,
    currency: user.currency,
    importCompletedDay: user.importCompletedOn,
    imageBaseUrl: context.baseUrl,
    convert: context.convert,
    paymentId: (txid) => ids.get(txid)!,
    hiddenProductIds: new Set(user.hiddenProductIds),
  };
}

function foundService(recognised: RecognisedService): { key: string; txids: string[] } {
  return { key: recognised.key, txids: recognised.payments.map((payment) => payment.txid) };
}

function rowOf(user: RecognisedUser, recognised: RecognisedService, service: Service, state: Current["state"]): ServiceRow {
  return {
    id: service.id, userId: user.id, ...foundService(recognised), firstDetectedOn: state.firstDetectedDay, hidden: state.hidden,
    document: JSON.stringify(service),
  };
}

function readModelOf(user: RecognisedUser, current: readonly Current[], context: AssessmentContext): ReadModelRow {
  const services = current.map(({ service }) => service).toSorted(runningThenByNextDate);
  return {
    userId: user.id,
    servicesVisible: JSON.stringify(buildServiceResponse(services, "VISIBLE", [], user.currency)),
    servicesHidden: JSON.stringify(buildServiceResponse(services, "HIDDEN", [], user.currency)),
    upcoming: JSON.stringify(buildUpcomingPayments(current)),
    importComplete: user.importCompletedOn !== null,
    computedFor: context.today,
  };
}

/** What runs comes first, by its next date; then what ended, latest first. */
function runningThenByNextDate(a: Service, b: Service): number {
  const runs = (service: Service): number => (service.status === "ACTIVE" || service.status === "UNDER_CANCELLATION" ? 0 : 1);
  const direction = runs(a) === 0 ? 1 : -1;
  return runs(a) - runs(b) || direction * a.nextExpectedTransactionDate.localeCompare(b.nextExpectedTransactionDate) || (a.id < b.id ? -1 : 1);
}
