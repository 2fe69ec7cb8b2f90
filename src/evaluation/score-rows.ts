/** The score in rows for people. */
import { baselineWins, type ComparedScores, type ComparedSet, comparedScores } from "./comparison.ts";
import { type Score, type Tally, scoreOf } from "./score.ts";
import { slices } from "./labelled.ts";

/** 0.9541 → "95.4 %" */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

export const measureNames: readonly (readonly [measure: keyof Score, name: string])[] = [
  ["f1", "F1"],
  ["precision", "precision"],
  ["recall", "recall"],
  ["frequencyRight", "frequency right, of hits"],
  ["nextDayExact", "next day exact"],
  ["nextDayWithinThree", "next day within three days"],
  ["nextAmountWithinFivePercent", "next amount within 5 %"],
  ["falseAlarmsPerUserYear", "false alarms per user and year"],
  ["endedStillActive", "ended series still active"],
];

export function measures(score: Score): [name: string, value: string][] {
  return measureNames.map(([measure, name]) => [name, told(score, measure)]);
}

export function told(score: Score, measure: keyof Score): string {
  return measure === "falseAlarmsPerUserYear" ? score[measure].toFixed(2) : percent(score[measure]);
}

export const comparedHeading = ["", "RECOGNISED", "VISIBLE ALONE", "BASELINE", ""] as const;

/** Rows of five: a measure, three scores, and where the baseline wins. */
export function comparisonRows(scores: ComparedScores): string[][] {
  return [
    ...measureNames.map(([measure, name]) => [
      name,
      told(scores.recognised, measure),
      told(scores.visible, measure),
      told(scores.baseline, measure),
      baselineWins(scores, measure) ? "the baseline wins" : "",
    ]),
    ["hits that are visible", percent(scores.hitsVisible), "", "", ""],
  ];
}

/** Rows of equal length: measures and counts, then each slice with more than one value. */
export function scoreRows(tally: Tally): string[][] {
  const counts = Object.entries(tally.verdicts).map(([verdict, count]) => [verdict, String(count)]);
  return [
    ["users", String(tally.users)],
    ["series to find", String(tally.due)],
    ...counts,
    ...measures(scoreOf(tally)),
  ];
}

export const setHeading = [
  "SET",
  "F1",
  "VISIBLE ALONE",
  "BASELINE",
  "FALSE ALARMS",
  "VISIBLE ALONE",
  "BASELINE",
  "",
] as const;

/** One set a row: F1, then false alarms a user and year, and whether the baseline's F1 is ahead. */
export function setRows(sets: readonly ComparedSet[]): string[][] {
  return sets.map(({ source, comparison }) => {
    const scores = comparedScores(comparison);
    const three = [scores.recognised, scores.visible, scores.baseline];
    return [
      source,
      ...three.map((score) => told(score, "f1")),
      ...three.map((score) => told(score, "falseAlarmsPerUserYear")),
      baselineWins(scores, "f1") ? "the baseline wins" : "",
    ];
  });
}

export function sliceRows(tally: Tally): string[][] {
  return slices.flatMap((slice) => {
    const values = Object.entries(tally.slices[slice]).sort((a, b) => b[1].due - a[1].due);
    if (values.length < 2) return [];
    return values.map(([value, one]) => [
      slice,
      value,
      `${one.found}/${one.due}`,
      percent(one.found / one.due),
      percent(one.found === 0 ? 0 : one.frequencyRight / one.found),
    ]);
  });
}
