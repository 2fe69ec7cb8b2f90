/** From one user's history and what is remembered of the user to what is stored about the user. Pure. */
import { type Day, dayNumber } from "../time/calendar.ts";
import type { LedgerTransaction } from "../ledger/history.ts";
import { inCurrency } from "../payments/converted.ts";
import type { Convert } from "../rates/rates.ts";
import { type AlertContext, crowdsourcingAlert, membershipAlert, type StoredWarning } from "./services/alert.ts";
import { type Changes, changesBetween } from "./services/changes.ts";
import type { Holding } from "./holding.ts";
import { assignIds, type AssignedId, uuidVersion5 } from "./services/identity.ts";
import { keepDecided } from "./services/kept.ts";
import { membershipPayments } from "./services/membership.ts";
import {
  buildServiceResponse,
  buildUpcomingPayments,
  responseText,
  runningThenByNextDate,
} from "./services/overview.ts";
import { predecessorsOf } from "./services/predecessor.ts";
import { type IncomeModel, modelIncome } from "./income/model.ts";
import { recognise, type Recognition, type RecognisedService, type RecognitionContext } from "./recognise.ts";
import type { Remembered, StoredService } from "./remembered.ts";
import type { Alert, Service } from "../interface/services.ts";
import { type Thresholds, thresholdsOf, thresholdsText } from "./search/confidence.ts";
import { buildService, type ServiceState } from "./services/service.ts";
import type { RecognisedUser } from "./claimed.ts";
import type { Merge, ReadModelRow, ServiceRow } from "./store.ts";
import { applySubmissions, type Verdict } from "./services/submission.ts";
import { itemAt, lastOf, present } from "../present.ts";

export type Assessment = {
  services: ServiceRow[];
  merges: Merge[];
  verdicts: Verdict[];
  /** Raised in this run. */
  warnings: StoredWarning[];
  readModel: ReadModelRow;
  income: IncomeModel;
  changes: Changes;
  /** Every service that was found, as the API tells it. */
  found: Service[];
};

export type AssessmentContext = {
  today: Day;
  /** The API's base address without trailing slash. */
  baseUrl: string;
  convert: Convert;
  /**
   * Txids of what came since the last run, where an earlier algorithm made that: nothing else is new, however
   * differently it is seen now. Null: the same algorithm made both.
   */
  arrived: ReadonlySet<string> | null;
  /** Told until when all of it stays as it is while nothing comes. */
  holding?: Holding | undefined;
};

/** As of the day, in what the user's brand says. */
export function recognitionContext(
  { country, currency, percents }: RecognisedUser,
  asOf: Day,
  holding?: Holding,
): RecognitionContext & { thresholds: Thresholds } {
  return { asOf, country, currency, thresholds: thresholdsOf(percents), holding };
}

/** @param recognised what recognition finds in the history. */
export function assess(
  user: RecognisedUser,
  history: readonly LedgerTransaction[],
  remembered: Remembered,
  context: AssessmentContext,
  recognised: Recognition = recognise(history, recognitionContext(user, context.today, context.holding)),
): Assessment {
  const recognition = recognitionContext(user, context.today, context.holding);
  const { services: withSubmitted, verdicts } = applySubmissions(
    remembered.submissions,
    recognised.services,
    history,
    recognition,
  );
  withSubmitted.push(...keepDecided(remembered.services, withSubmitted, history, recognition));
  const assigned = assignIds(user.subject, remembered.services, withSubmitted.map(foundService));
  const noted = noteLacks(noteConversions(context));
  // Of what is in no service, budgets make figures.
  for (const row of history) if (row.currency !== user.currency) inCurrency(row, user.currency, noted.convert);
  const alertContext = contextOf(user, { ...context, convert: noted.convert });
  const confirmed = confirmedTxids(verdicts);
  const predecessors = predecessorsOf(withSubmitted, user.country);
  const current = withSubmitted.map((recognised, index) => {
    const older = predecessors.get(index);
    const predecessorId = older === undefined ? null : itemAt(assigned, older).id;
    const one = { ...itemAt(assigned, index), predecessorId };
    return currentService(recognised, one, remembered.services, confirmed, {
      ...alertContext,
      arrived: context.arrived,
    });
  });
  const warnings = newWarnings(user, history, remembered.warnings, recognition, {
    ...context,
    convert: noted.convert,
  });
  const alerts = alertsOf([...remembered.warnings, ...warnings], verdicts, history, current, alertContext);
  const income = modelIncome(user.subject, recognised.income, remembered.income.series, alertContext);
  const services = rowsOf(user, current, assigned, remembered.services);
  // The next run sees the user's word as told, services as one, and what came as seen by one algorithm.
  if (context.arrived !== null || verdicts.some(({ isNew }) => isNew)) context.holding?.endsNow();
  if (assigned.some(({ mergedIds }) => mergedIds.length > 0)) context.holding?.endsNow();
  return {
    services,
    verdicts,
    warnings,
    merges: assigned.flatMap((one) => one.mergedIds.map((from) => ({ from, into: one.id }))),
    readModel: { ...readModelOf(user, current, alerts, context), lacksRates: noted.lacks() },
    income,
    changes: changesBetween(remembered.services, services),
    found: current.map(({ service }) => service),
  };
}

/** text: the service as JSON, once for itself and the list it is in. */
type Current = {
  recognised: RecognisedService;
  service: Service;
  text: string;
  state: ServiceState;
  isConfirmed: boolean;
};

function currentService(
  recognised: RecognisedService,
  assigned: AssignedId & { predecessorId: string | null },
  stored: readonly StoredService[],
  confirmed: ReadonlySet<string>,
  context: AlertContext & Pick<AssessmentContext, "arrived">,
): Current {
  const own = stored.find((service) => service.id === assigned.id);
  // What was decided about a part is decided about the whole.
  const parts = [own, ...stored.filter((service) => assigned.mergedIds.includes(service.id))];
  const isConfirmed = confirmed.size > 0 && recognised.payments.some(({ txid }) => confirmed.has(txid));
  const state = {
    id: assigned.id,
    hidden: isConfirmed ? false : (parts.find((part) => part?.hidden != null)?.hidden ?? null),
    firstDetectedDay: own?.firstDetectedOn ?? detectedOn(recognised, context),
    newsAfter: newsAfterOf(recognised, parts, context.arrived),
    cancellation: parts.find((part) => part?.cancellation != null)?.cancellation ?? null,
    predecessorId: assigned.predecessorId,
  };
  const service = buildService(recognised, state, context);
  return { recognised, state, isConfirmed, service, text: JSON.stringify(service) };
}

/** What an earlier algorithm overlooked could have been detected with its first payment. */
function detectedOn(
  { payments }: RecognisedService,
  { asOf, arrived }: Pick<AlertContext, "asOf"> & Pick<AssessmentContext, "arrived">,
): Day {
  const first = itemAt(payments, 0);
  return arrived === null || arrived.has(first.txid) ? asOf : first.day;
}

/**
 * Until when payments are no news: the day of the latest one, where it neither came since an earlier version's run nor was
 * in the service then.
 */
function newsAfterOf(
  { payments }: RecognisedService,
  parts: readonly (StoredService | undefined)[],
  arrived: AssessmentContext["arrived"],
): Day | null {
  const { txid, day } = lastOf(payments);
  const isSeenAnew = arrived !== null && !arrived.has(txid) && !parts.some((part) => part?.txids.includes(txid));
  return isSeenAnew ? day : (parts[0]?.newsAfter ?? null);
}

/** Payments that the user called subscriptions just now. */
function confirmedTxids(verdicts: readonly Verdict[]): ReadonlySet<string> {
  return new Set(
    verdicts.filter(({ isNew, outcome }) => isNew && outcome === "SUCCESS").map(({ submission }) => submission.txid),
  );
}

/** The same conversion: what a rate made holds for no longer than the rate does. */
function noteConversions({ convert, holding, today }: AssessmentContext): Convert {
  return (money, currency, day) => {
    const converted = convert(money, currency, day);
    if (money.currency !== currency) holding?.convertsAt(day, today, converted);
    return converted;
  };
}

/** The same conversion, and whether it has been asked for what no fresh rate converts: a later file may know one. */
function noteLacks(convert: Convert): { convert: Convert; lacks(): boolean } {
  let lacks = false;
  return {
    lacks: () => lacks,
    convert(money, currency, day) {
      const converted = convert(money, currency, day);
      lacks ||= converted === null || converted.rateDate !== undefined;
      return converted;
    },
  };
}

function contextOf(user: RecognisedUser, context: AssessmentContext): AlertContext {
  return {
    asOf: context.today,
    country: user.country,
    currency: user.currency,
    importCompletedDay: user.importCompletedOn,
    imageBaseUrl: context.baseUrl,
    convert: context.convert,
    // What recognition makes services of are the ledger's rows themselves.
    paymentId: (payment) => present((payment as Partial<LedgerTransaction>).id, "a transaction's id"),
    hiddenProductIds: new Set(user.hiddenProductIds),
    holding: context.holding,
  };
}

function foundService(recognised: RecognisedService): { key: string; txids: string[] } {
  return { key: recognised.key, txids: recognised.payments.map((payment) => payment.txid) };
}

/** What is found now, and what no longer is: its decisions wait for its return. */
function rowsOf(
  user: RecognisedUser,
  current: readonly Current[],
  assigned: readonly AssignedId[],
  stored: readonly StoredService[],
): ServiceRow[] {
  const kept = new Set(assigned.flatMap(({ id, mergedIds }) => [id, ...mergedIds]));
  const lost = stored.filter(({ id }) => !kept.has(id));
  return [
    ...current.map((one) => rowOf(user, one)),
    ...lost.map((service) => ({
      ...service,
      status: null,
      paymentFrequency: null,
      document: null,
      isConfirmed: false,
    })),
  ];
}

function rowOf(user: RecognisedUser, { recognised, service, text, state, isConfirmed }: Current): ServiceRow {
  return {
    id: service.id,
    userId: user.id,
    ...foundService(recognised),
    firstDetectedOn: state.firstDetectedDay,
    newsAfter: state.newsAfter,
    hidden: state.hidden,
    isConfirmed,
    status: service.status,
    paymentFrequency: service.paymentFrequency,
    document: text,
  };
}

/** Warnings of payees of whom the user was never warned. */
function newWarnings(
  user: RecognisedUser,
  history: readonly LedgerTransaction[],
  stored: readonly StoredWarning[],
  recognition: RecognitionContext,
  { convert, arrived }: AssessmentContext,
): StoredWarning[] {
  const warned = new Set(stored.map(({ payeeKey }) => payeeKey));
  return membershipPayments(history, recognition, convert)
    .filter(({ payeeKey, payment }) => !warned.has(payeeKey) && (arrived === null || arrived.has(payment.txid)))
    .map(({ payeeKey, payment }) => ({
      id: uuidVersion5(user.subject, `membership:${payeeKey}`),
      payeeKey,
      txid: payment.txid,
      seen: false,
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Alerts not seen yet, as far as their transaction is there to be told: warnings first, then answers to submissions.
 */
function alertsOf(
  warnings: readonly StoredWarning[],
  verdicts: readonly Verdict[],
  history: readonly LedgerTransaction[],
  current: readonly Current[],
  context: AlertContext,
): Alert[] {
  if (warnings.length === 0 && verdicts.length === 0) return [];
  const rows = new Map(history.map((row) => [row.txid, row]));
  const services = new Map(
    current.flatMap(({ recognised, service }) => recognised.payments.map(({ txid }) => [txid, service] as const)),
  );
  const told = <Told>(txid: string, tell: (row: LedgerTransaction, service: Service | null) => Told): Told[] => {
    const row = rows.get(txid);
    return row === undefined ? [] : [tell(row, services.get(txid) ?? null)];
  };
  return [
    ...warnings
      .filter(({ seen }) => !seen)
      .flatMap((warning) => told(warning.txid, (row, service) => membershipAlert(warning, row, service, context))),
    ...verdicts
      .filter(({ submission }) => !submission.seen)
      .flatMap(({ submission, outcome }) =>
        told(submission.txid, (row, service) => crowdsourcingAlert(submission, outcome, row, service, context)),
      ),
  ];
}

function readModelOf(
  user: RecognisedUser,
  current: readonly Current[],
  alerts: readonly Alert[],
  context: AssessmentContext,
): Omit<ReadModelRow, "lacksRates"> {
  const services = current.map(({ service }) => service).toSorted(runningThenByNextDate);
  const texts = new Map(current.map(({ service, text }) => [service, text]));
  const listed = (filter: "VISIBLE" | "HIDDEN"): string =>
    responseText(buildServiceResponse(services, filter, alerts, user.currency), (service) =>
      present(texts.get(service), "a service's text"),
    );
  return {
    userId: user.id,
    servicesVisible: listed("VISIBLE"),
    servicesHidden: listed("HIDDEN"),
    upcoming: JSON.stringify(buildUpcomingPayments(current)),
    importComplete: user.importCompletedOn !== null,
    computedFor: context.today,
    thresholds: thresholdsText(user.percents),
    holdsUntil: context.holding?.until(dayNumber(context.today)) ?? null,
  };
}
