/** What a report draws of the judged users: every kind of outcome, so many of each, with the reason in words. Pure. */
import { type Day, addDays } from "../time/calendar.ts";
import { formatAmount } from "../money.ts";
import { explain } from "../recognition/explain/explain.ts";
import { explainPayment } from "../recognition/explain/explain-payment.ts";
import type { HistoryTransaction, RecognisedService } from "../recognition/recognise.ts";
import type { JudgedService, JudgedUser, KnownSeries } from "./measure.ts";
import { lastOf } from "../present.ts";

export type SampleKind = "false" | "missed" | "mixed" | "duplicate" | "ended" | "frequency" | "date" | "hit";

/** One line of a time line. */
export type Drawn = {
  uid: string;
  title: string;
  /** What is known of it, or what it is taken for. */
  note: string;
  asOf: Day;
  /**
   * Payments of the known series that were recognised as this service's, those that were not, and those that only the
   * service has.
   */
  shared: Day[];
  missed: Day[];
  wrong: Day[];
  predicted: Day | null;
  actual: Day | null;
  explanation: string;
};

export type Sample = Record<SampleKind, { count: number; drawn: Drawn[] }>;

/** More of a kind teach nothing new, and make the file slow to open. */
const drawnMax = 60;
/** Payments this far back are drawn. */
const drawnDays = 820;
const daysOffNear = 3;

export function emptySample(): Sample {
  const none = (): Sample[SampleKind] => ({ count: 0, drawn: [] });
  return {
    false: none(),
    missed: none(),
    mixed: none(),
    duplicate: none(),
    ended: none(),
    frequency: none(),
    date: none(),
    hit: none(),
  };
}

export function addToSample(sample: Sample, { user, recognised, services, series }: JudgedUser): void {
  const add = (kind: SampleKind, draw: () => Drawn): void => {
    const group = sample[kind];
    group.count++;
    if (group.drawn.length < drawnMax) group.drawn.push(draw());
  };
  for (const judged of services) {
    const { verdict } = judged;
    if (verdict === "false" || verdict === "mixed" || verdict === "duplicate" || verdict === "ended")
      add(verdict, () => drawService(judged, user.uid, user.asOf));
  }
  for (const one of series) {
    if (!one.isDue) continue;
    const { found } = one;
    if (found === null) add("missed", () => drawMissed(one, user, recognised));
    else
      add(kindOfHit(one, found), () =>
        drawService({ service: found, verdict: "hit", series: one }, user.uid, user.asOf),
      );
  }
}

function kindOfHit({ label, next }: KnownSeries, found: RecognisedService): SampleKind {
  if (found.paymentFrequency !== label.frequency) return "frequency";
  const isNear =
    next === null ||
    (found.nextExpectedDay >= addDays(next.day, -daysOffNear) &&
      found.nextExpectedDay <= addDays(next.day, daysOffNear));
  return isNear ? "hit" : "date";
}

function drawService({ service, series }: JudgedService, uid: string, asOf: Day): Drawn {
  const own = new Set(service.payments.map(({ txid }) => txid));
  const known = new Set(series?.past.map(({ txid }) => txid));
  const amount = formatAmount({ minor: service.expectedAmountMinor, currency: service.currency });
  const taken = `${service.visibility === "UNDECIDED" ? "undecided, " : ""}${service.paymentFrequency}, ${service.payments.length} payments, ${amount} ${service.currency}`;
  return {
    uid,
    asOf,
    title: service.title,
    note: series === null ? taken : `${labelNote(series)}; recognised as ${taken}`,
    shared: daysOf(
      service.payments.filter(({ txid }) => known.has(txid)),
      asOf,
    ),
    missed: daysOf(series?.past.filter(({ txid }) => !own.has(txid)) ?? [], asOf),
    wrong: daysOf(
      service.payments.filter(({ txid }) => !known.has(txid)),
      asOf,
    ),
    predicted: service.nextExpectedDay,
    actual: series?.next?.day ?? null,
    explanation: explain(service),
  };
}

/** A miss is explained by its last payment: why no service has it, or which one has. */
function drawMissed(
  series: KnownSeries,
  { uid, asOf, history, country, currency }: JudgedUser["user"],
  recognised: readonly RecognisedService[],
): Drawn {
  const last = lastOf(series.past);
  const holder = recognised.find(({ payments }) => payments.some(({ txid }) => txid === last.txid));
  return {
    uid,
    asOf,
    title: series.label.payee ?? last.merchantName ?? last.description,
    note: labelNote(series),
    shared: [],
    missed: daysOf(series.past, asOf),
    wrong: [],
    predicted: null,
    actual: series.next?.day ?? null,
    explanation: holder
      ? `Its last payment is in: ${explain(holder)}`
      : explainPayment(last, history, { asOf, country, currency }),
  };
}

function labelNote({ label, past }: KnownSeries): string {
  const properties = [label.amountModel, label.timing, label.names].filter((one) => one !== undefined).join(", ");
  return `${label.frequency}, ${past.length} payments${properties === "" ? "" : ` (${properties})`}`;
}

function daysOf(rows: readonly HistoryTransaction[], asOf: Day): Day[] {
  const since = addDays(asOf, -drawnDays);
  return rows.map(({ day }) => day).filter((day) => day > since);
}
