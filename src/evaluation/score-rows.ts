/** The score in rows for people. */
import { type Score, type Tally, scoreOf } from "./score.ts";
import { slices } from "./labelled.ts";

/** 0.9541 → "95.4 %" */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

export function measures(score: Score): [name: string, value: string][] {
  return [
    ["F1", percent(score.f1)],
    ["precision", percent(score.precision)],
    ["recall", percent(score.recall)],
    ["frequency right, of hits", percent(score.frequencyRight)],
    ["next day exact", percent(score.nextDayExact)],
    ["next day within three days", percent(score.nextDayWithinThree)],
    ["next amount within 5 %", percent(score.nextAmountWithinFivePercent)],
    ["false alarms per user and year", score.falseAlarmsPerUserYear.toFixed(2)],
    ["ended series still active", percent(score.endedStillActive)],
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
