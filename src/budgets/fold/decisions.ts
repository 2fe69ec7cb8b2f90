/**
 * What stands after a budget's events: undone answers are gone, and of several words on one thing the last holds. Pure.
 */
import type { PaymentFrequency } from "../../interface/payment-frequency.ts";
import type { Coapplicant } from "../budget.ts";
import type { Answer, EnteredDebt, LoggedEvent } from "../events.ts";
import type { UserData } from "../../interface/user-data.ts";

export type InForce = { actionId: string; answer: Answer; sequence: number };

export type Decisions = {
  /** By action, in no particular order. */
  answers: ReadonlyMap<string, InForce>;
  /** The latest answer about each subject. */
  bySubject: ReadonlyMap<string, InForce>;
  /** By action: the sequence of the first skip. */
  skips: ReadonlyMap<string, number>;
  /** Actions whose questions are closed for good. */
  notApplicable: ReadonlySet<string>;
  adjustments: ReadonlyMap<string, { amountMinor: number; frequency: PaymentFrequency }>;
  userData: UserData | null;
  userDataAt: string | null;
  userDataBy: string | null;
  /** Remaining debts as they were given last. */
  debts: readonly EnteredDebt[];
  calculationRateHundredths: number | null;
  comment: string;
  completion: "ACCEPTED" | "DENIED" | null;
  coapplicant: Coapplicant | null;
};

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] };
type Standing = Omit<Writable<Decisions>, "answers" | "bySubject" | "skips" | "notApplicable" | "adjustments"> & {
  answers: Map<string, InForce>;
  skips: Map<string, number>;
  notApplicable: Set<string>;
  adjustments: Map<string, { amountMinor: number; frequency: PaymentFrequency }>;
};

/** @param log in order of sequence */
export function decide(log: readonly LoggedEvent[]): Decisions {
  const standing: Standing = {
    answers: new Map(),
    skips: new Map(),
    notApplicable: new Set(),
    adjustments: new Map(),
    userData: null,
    userDataAt: null,
    userDataBy: null,
    debts: [],
    calculationRateHundredths: null,
    comment: "",
    completion: null,
    coapplicant: null,
  };
  for (const logged of log) apply(standing, logged);
  return { ...standing, bySubject: latestBySubject([...standing.answers.values()]) };
}

function apply(standing: Standing, { sequence, at, actor, event }: LoggedEvent): void {
  switch (event.type) {
    case "ANSWERED":
      standing.answers.set(event.actionId, { actionId: event.actionId, answer: event.answer, sequence });
      return;
    case "REVOKED":
      standing.answers.delete(event.actionId);
      if (event.notApplicable) standing.notApplicable.add(event.actionId);
      else standing.notApplicable.delete(event.actionId);
      return;
    case "SKIPPED":
      if (!standing.skips.has(event.actionId)) standing.skips.set(event.actionId, sequence);
      return;
    case "ADJUSTED":
      standing.adjustments.set(event.categoryId, { amountMinor: event.amountMinor, frequency: event.frequency });
      return;
    case "ADJUSTMENT_REMOVED":
      standing.adjustments.delete(event.categoryId);
      return;
    case "USER_DATA_SET":
      standing.userData = event.userData;
      standing.userDataAt = at;
      standing.userDataBy = actor;
      return;
    case "COAPPLICANT_SET":
      standing.coapplicant = { type: event.applicantType, budgetId: event.budgetId };
      return;
    case "DEBTS_SET":
      standing.debts = event.debts;
      standing.calculationRateHundredths = event.calculationRateHundredths ?? null;
      return;
    case "COMMENTED":
      standing.comment = event.comment;
      return;
    case "COMPLETED":
      standing.completion = event.status;
  }
}

function latestBySubject(answers: readonly InForce[]): Map<string, InForce> {
  const bySubject = new Map<string, InForce>();
  for (const one of answers.toSorted((a, b) => a.sequence - b.sequence)) {
    if (one.answer.subject !== null) bySubject.set(one.answer.subject, one);
  }
  return bySubject;
}
