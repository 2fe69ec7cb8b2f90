/**
 * One set scored three times by the same rules: all that was recognised, what is shown without asking, and the baseline.
 * Pure; users are added one by one and nothing of them is kept.
 */
import type { RecognisedService } from "../recognition/recognise.ts";
import { detectByMedianGap } from "./baseline.ts";
import type { LabelledUser } from "./labelled.ts";
import { type JudgedUser, judge } from "./measure.ts";
import { addReliability, emptyReliability, type Reliability } from "./reliability.ts";
import { addUser, emptyTally, type Score, scoreOf, type Tally } from "./score.ts";

export type Comparison = {
  recognised: Tally;
  visible: Tally;
  baseline: Tally;
  /** Of the hits of `recognised`. */
  visibleHits: number;
  reliability: Reliability;
};

/** One of the sets of a report, under the name that tells which. */
export type ComparedSet = { source: string; comparison: Comparison };

export function emptyComparison(): Comparison {
  return {
    recognised: emptyTally(),
    visible: emptyTally(),
    baseline: emptyTally(),
    visibleHits: 0,
    reliability: emptyReliability(),
  };
}

/** Scores one user's services and the baseline's, and returns how the services were judged. */
export function addCompared(
  comparison: Comparison,
  user: LabelledUser,
  services: readonly RecognisedService[],
): JudgedUser {
  const judged = judge(user, services);
  addUser(comparison.recognised, judged);
  addUser(
    comparison.visible,
    judge(
      user,
      services.filter(({ visibility }) => visibility === "VISIBLE"),
    ),
  );
  addUser(comparison.baseline, judge(user, detectByMedianGap(user.history, user.asOf)));
  comparison.visibleHits += judged.services.filter(
    ({ verdict, service }) => verdict === "hit" && service.visibility === "VISIBLE",
  ).length;
  addReliability(comparison.reliability, judged);
  return judged;
}

export type ComparedScores = { recognised: Score; visible: Score; baseline: Score; hitsVisible: number };

export function comparedScores({ recognised, visible, baseline, visibleHits }: Comparison): ComparedScores {
  return {
    recognised: scoreOf(recognised),
    visible: scoreOf(visible),
    baseline: scoreOf(baseline),
    hitsVisible: recognised.verdicts.hit === 0 ? 0 : visibleHits / recognised.verdicts.hit,
  };
}

/** A difference up to this is chance. */
const winMin = 0.005;

/** Whether the baseline is better than all that was recognised, beyond chance. */
export function baselineWins({ recognised, baseline }: ComparedScores, measure: keyof Score): boolean {
  const ahead = baseline[measure] - recognised[measure];
  return (measure === "falseAlarmsPerUserYear" || measure === "endedStillActive" ? -ahead : ahead) > winMin;
}
