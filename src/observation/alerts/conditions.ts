/**
 * What is wrong, told from what a process sees: the whole service's figures, and its own. The same as the rules for
 * Prometheus in deploy/prometheus, for those who run none. Pure.
 */
import type { Figures, KeyEnd, ReplicaLag } from "../figures.ts";

export type Severity = "page" | "ticket";

export type Condition = {
  name: string;
  /** Of several at once, which; "" where there is only one. */
  subject: string;
  severity: Severity;
  /** For a person, in one sentence, with what to do. */
  summary: string;
};

/** From when on something is wrong. */
export type Thresholds = {
  waitingMinutes: number;
  certificateDays: number;
  keyDays: number;
  backupHours: number;
  replicaLagSeconds: number;
  errorPercent: number;
};

export type Seen = {
  now: Date;
  figures: Figures;
  missingFiles: readonly { partnerId: string; name: string; dueDay: string }[];
  silent: readonly { role: readonly string[]; machine: string; beatAt: Date }[];
  keyEnds: readonly KeyEnd[];
  replicaLags: readonly ReplicaLag[];
  /** Null: none is made by this service. */
  lastBackupAt: Date | null;
  rates: { isOld: boolean; newest: string | null };
  /** Since when no load has ended or advanced while deliveries wait; null: none waits, or it advances. */
  stuckSince: Date | null;
  machine: string;
  spaces: readonly { place: string; freeBytes: number; floorBytes: number }[];
  /** Of the API of this process; null: it has none. */
  certificateEndsAt: Date | null;
  /** Calls of the last minutes. */
  calls: { all: number; failed: number };
};

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
/** A quarter of an hour without a step forward. */
const stuckAfterMs = 15 * minuteMs;
/** Of a handful of calls one that fails says little. */
const callsMin = 20;
/** A floor's own alarm would come too late to make room. */
const floorsFreeMin = 2;

export function judge(seen: Seen, thresholds: Thresholds): Condition[] {
  return [...ofLoading(seen, thresholds), ...ofMachine(seen, thresholds), ...ofEnds(seen, thresholds)];
}

function ofLoading(
  { now, figures, missingFiles, silent, stuckSince }: Seen,
  { waitingMinutes }: Thresholds,
): Condition[] {
  const late = missingFiles.map(({ partnerId, name, dueDay }) =>
    page(
      "file-late",
      `${partnerId}/${name}/${dueDay}`,
      `The file ${name} of ${partnerId}, due on ${dueDay}, has not come.`,
    ),
  );
  const gone = silent.map(({ role, machine, beatAt }) =>
    page(
      "process-silent",
      `${role.join("+")} on ${machine}`,
      `${role.join(", ")} on ${machine} has not been heard of since ${beatAt.toISOString().slice(0, 19)}Z.`,
    ),
  );
  return [
    ...late,
    ...gone,
    ...given(stuckSince !== null && now.getTime() - stuckSince.getTime() >= stuckAfterMs, () =>
      page(
        "nothing-loaded",
        "",
        `${figures.stagingDepth} deliveries wait, and for a quarter of an hour nothing was loaded.`,
      ),
    ),
    ...given(figures.oldestWaitingSeconds > waitingMinutes * 60, () =>
      ticket(
        "oldest-waiting",
        "",
        `A delivery has waited for ${minutesOf(figures.oldestWaitingSeconds)} minutes without being begun; another worker would help.`,
      ),
    ),
    ...given(figures.oldestChangedSeconds > waitingMinutes * 60, () =>
      ticket(
        "recognition-behind",
        "",
        `A user's new data have waited for recognition for ${minutesOf(figures.oldestChangedSeconds)} minutes.`,
      ),
    ),
    ...given(figures.notificationsDead > 0, () =>
      ticket(
        "notifications-dead",
        "",
        `${figures.notificationsDead} notifications were given up; tideline notifications list says why.`,
      ),
    ),
  ];
}

function ofMachine({ machine, spaces, calls }: Seen, { errorPercent }: Thresholds): Condition[] {
  const low = spaces
    .filter(({ freeBytes, floorBytes }) => freeBytes < floorsFreeMin * floorBytes)
    .map(({ place, freeBytes }) =>
      page(
        "disk-low",
        `${place} on ${machine}`,
        `${Math.floor(freeBytes / 2 ** 20)} MiB are left for the ${place} of ${machine}; soon nothing new is taken.`,
      ),
    );
  const percent = calls.all === 0 ? 0 : (100 * calls.failed) / calls.all;
  return [
    ...low,
    ...given(calls.all >= callsMin && percent > errorPercent, () =>
      page("error-rate", machine, `${percent.toFixed(1)} % of the API's calls on ${machine} fail.`),
    ),
  ];
}

function ofEnds(seen: Seen, thresholds: Thresholds): Condition[] {
  const { now, certificateEndsAt, keyEnds, lastBackupAt, replicaLags, rates, machine } = seen;
  const daysTo = (at: Date) => (at.getTime() - now.getTime()) / dayMs;
  const keys = keyEnds
    .filter(({ endsAt }) => daysTo(endsAt) < thresholds.keyDays)
    .map(({ partnerId, kind, endsAt }) =>
      ticket(
        "key-ends",
        `${partnerId}/${kind}`,
        `A ${kind} key of ${partnerId} ends at ${endsAt.toISOString().slice(0, 16)}Z.`,
      ),
    );
  const lags = replicaLags
    .filter(({ seconds }) => seconds > thresholds.replicaLagSeconds)
    .map(({ replica, seconds }) =>
      ticket("replica-behind", replica, `The standby ${replica} is ${Math.round(seconds)} s behind.`),
    );
  return [
    ...keys,
    ...lags,
    ...given(certificateEndsAt !== null && daysTo(certificateEndsAt) < thresholds.certificateDays, () =>
      ticket(
        "certificate-ends",
        machine,
        `The HTTPS certificate of ${machine} ends at ${certificateEndsAt?.toISOString().slice(0, 16)}Z.`,
      ),
    ),
    ...given(
      lastBackupAt !== null && now.getTime() - lastBackupAt.getTime() > thresholds.backupHours * 60 * minuteMs,
      () => page("backup-old", "", `The last backup ended at ${lastBackupAt?.toISOString().slice(0, 16)}Z.`),
    ),
    ...given(rates.isOld, () =>
      ticket(
        "rates-old",
        "",
        `The newest exchange rates are of ${rates.newest ?? "no day at all"}; tideline rates load brings newer ones.`,
      ),
    ),
  ];
}

function given(holds: boolean, make: () => Condition): Condition[] {
  return holds ? [make()] : [];
}

function page(name: string, subject: string, summary: string): Condition {
  return { name, subject, severity: "page", summary };
}

function ticket(name: string, subject: string, summary: string): Condition {
  return { name, subject, severity: "ticket", summary };
}

function minutesOf(seconds: number): number {
  return Math.floor(seconds / 60);
}
