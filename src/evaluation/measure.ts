/**
 * Recognition held against what is known: which services are hits, which are alarms, and what was missed. Pure.
 *
 * A service counts when it is ACTIVE. It belongs to the known series with which it shares most payments, if those are
 * at least half of its own. The measures:
 *   hit        the service that fits its running series best, their payments of the last 24 months overlapping by half
 *   mixed      the best one of a series that fits worse
 *   duplicate  another service of a series that has a better one
 *   ended      of a series that no longer runs
 *   false      of no series, though money left
 *   early      UNDECIDED with fewer payments than a series must have; counts neither way, as does
 *   unjudged   of a series that need not be found: not strict, money coming in, too few payments, or ended just now
 */
import { type Day, addDays, dayNumber } from "../time/calendar.ts";
import { cadences } from "../recognition/search/cadence.ts";
import type { HistoryTransaction, RecognisedService } from "../recognition/recognise.ts";
import type { Label, LabelledUser } from "./labelled.ts";
import { present } from "../present.ts";

export type Verdict = "hit" | "mixed" | "duplicate" | "ended" | "false" | "early" | "unjudged";

/** What a detector says of one service, as far as it is scored. */
export type Detected = Pick<
  RecognisedService,
  "direction" | "payments" | "paymentFrequency" | "status" | "visibility" | "nextExpectedDay" | "expectedAmountMinor"
>;

export type JudgedService<Service extends Detected = RecognisedService> = {
  service: Service;
  verdict: Verdict;
  series: KnownSeries<Service> | null;
};

export type KnownSeries<Service extends Detected = RecognisedService> = {
  label: Label;
  /** By day: until the user's last visible day, and after it. */
  past: HistoryTransaction[];
  next: HistoryTransaction | null;
  /** Whether finding it, or not, counts. */
  isStrict: boolean;
  runs: boolean;
  /** Whether it has to be found. */
  isDue: boolean;
  hasEnough: boolean;
  found: Service | null;
};

export type JudgedUser<Service extends Detected = RecognisedService> = {
  user: LabelledUser;
  /** All that was recognised, ended services too. */
  recognised: readonly Service[];
  services: JudgedService<Service>[];
  series: KnownSeries<Service>[];
};

/** Payments from which on a series has to be found; twice a year or less, one more takes too long. */
const paymentsUsualMin = 3;
const paymentsMinSparse = 2;
const sparseDaysMin = 180;
/** A series whose last payment lies further back than this many of its periods and days no longer runs. */
const quietPeriodsMax = 1.5;
const quietDaysMore = 5;
const comparedDays = 730;
const overlapMin = 0.5;

export function judge<Service extends Detected>(user: LabelledUser, services: readonly Service[]): JudgedUser<Service> {
  const series = knownSeries<Service>(user);
  const owners = ownersOf(series);
  const judged = services.filter(({ status }) => status === "ACTIVE").map((service) => judgeAlone(service, owners));
  return { user, recognised: services, services: settleClaims(judged, user.asOf), series };
}

function knownSeries<Service extends Detected>({ labels, history, asOf }: LabelledUser): KnownSeries<Service>[] {
  const rows = new Map(history.map((row) => [row.txid, row]));
  return labels.map((label) => {
    const payments = label.txids
      .flatMap((txid) => rows.get(txid) ?? [])
      .sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
    return knownSeriesOf(label, payments, asOf);
  });
}

function knownSeriesOf<Service extends Detected>(
  label: Label,
  payments: readonly HistoryTransaction[],
  asOf: Day,
): KnownSeries<Service> {
  const past = payments.filter(({ day }) => day <= asOf);
  const next = payments.find(({ day }) => day > asOf) ?? null;
  const { days, graceDays } = rhythmOf(label.frequency);
  const last = past.at(-1);
  const quietDays = last === undefined ? Infinity : dayNumber(asOf) - dayNumber(last.day);
  const goesOn = next !== null || label.active === true;
  const endedJustNow = !goesOn && quietDays <= days + graceDays;
  const isStrict = label.strict && ((last ?? next)?.amountMinor ?? 0) < 0 && !endedJustNow;
  const runs = goesOn && quietDays <= quietPeriodsMax * days + quietDaysMore;
  const hasEnough = past.length >= paymentsMin(label.frequency);
  return { label, past, next, isStrict, runs, hasEnough, isDue: isStrict && runs && hasEnough, found: null };
}

/** Whole days of the period; a frequency that is no cadence is taken as monthly. */
function rhythmOf(frequency: string): { days: number; graceDays: number } {
  const cadence =
    cadences.find((one) => one.frequency === frequency) ??
    present(
      cadences.find((one) => one.frequency === "MONTHLY"),
      "the cadence MONTHLY",
    );
  return { days: Math.ceil(cadence.days), graceDays: cadence.graceDays };
}

function paymentsMin(frequency: string): number {
  return rhythmOf(frequency).days >= sparseDaysMin ? paymentsMinSparse : paymentsUsualMin;
}

/** A payment of two series is the strict one's. */
function ownersOf<Service extends Detected>(
  series: readonly KnownSeries<Service>[],
): Map<string, KnownSeries<Service>> {
  const owners = new Map<string, KnownSeries<Service>>();
  for (const one of series) {
    for (const txid of one.label.txids) {
      const owner = owners.get(txid);
      if (owner === undefined || (one.isStrict && !owner.isStrict)) owners.set(txid, one);
    }
  }
  return owners;
}

function judgeAlone<Service extends Detected>(
  service: Service,
  owners: ReadonlyMap<string, KnownSeries<Service>>,
): JudgedService<Service> {
  const shared = new Map<KnownSeries<Service>, number>();
  for (const { txid } of service.payments) {
    const owner = owners.get(txid);
    if (owner !== undefined) shared.set(owner, (shared.get(owner) ?? 0) + 1);
  }
  const [best] = [...shared].sort((a, b) => b[1] - a[1]);
  const series = best === undefined || best[1] * 2 < service.payments.length ? null : best[0];
  if (service.visibility === "UNDECIDED" && service.payments.length < paymentsMin(service.paymentFrequency))
    return { service, verdict: "early", series };
  if (series === null) return { service, verdict: service.direction === "IN" ? "unjudged" : "false", series };
  if (!series.isStrict || !series.hasEnough) return { service, verdict: "unjudged", series };
  return { service, verdict: series.runs ? "hit" : "ended", series };
}

/** Of the services that claim one series the best is its hit, or mixed. */
function settleClaims<Service extends Detected>(
  judged: readonly JudgedService<Service>[],
  asOf: Day,
): JudgedService<Service>[] {
  const best = new Map<KnownSeries<Service>, { service: Service; overlap: number }>();
  for (const { service, verdict, series } of judged) {
    if (verdict !== "hit" || series === null) continue;
    const overlap = overlapOf(service, series, asOf);
    if (overlap > (best.get(series)?.overlap ?? -1)) best.set(series, { service, overlap });
  }
  return judged.map((one) => {
    if (one.verdict !== "hit" || one.series === null) return one;
    const { service, overlap } = present(best.get(one.series), "the best service of a hit");
    if (service !== one.service) return { ...one, verdict: "duplicate" };
    if (overlap < overlapMin) return { ...one, verdict: "mixed" };
    one.series.found = service;
    return one;
  });
}

/** Shared payments of all that either has, in the last 24 months (Jaccard index). */
function overlapOf(service: Detected, series: KnownSeries<Detected>, asOf: Day): number {
  const since = addDays(asOf, -comparedDays);
  const recent = (rows: readonly HistoryTransaction[]): string[] =>
    rows.filter(({ day }) => day > since).map(({ txid }) => txid);
  const own = new Set(recent(service.payments));
  const known = recent(series.past);
  const shared = known.filter((txid) => own.has(txid)).length;
  return shared / Math.max(1, own.size + known.length - shared);
}
