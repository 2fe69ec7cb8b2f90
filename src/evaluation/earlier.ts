/**
 * What `evaluate --json` said earlier, of another version: held beside what is found now, measure by measure. Both must be
 * of the same set, or the difference tells nothing.
 */
import { readFile } from "node:fs/promises";
import { Fault } from "../errors.ts";
import type { ComparedScores } from "./comparison.ts";
import type { Extent } from "./extent.ts";
import type { Score } from "./score.ts";
import { measureNames, told } from "./score-rows.ts";

export type Earlier = { extent: Extent; score: Score; visible: Score };

/** @throws Fault SOURCE_INVALID for what is no such file, or of another set */
export async function readEarlier(file: string): Promise<Earlier> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Fault("SOURCE_INVALID", `${file} cannot be read.`, { cause });
  });
  const read = asEarlier(text);
  if (read === null) throw new Fault("SOURCE_INVALID", `${file} is not what evaluate --json prints.`);
  return read;
}

function asEarlier(text: string): Earlier | null {
  try {
    const { extent, score, visible } = JSON.parse(text) as Partial<Earlier>;
    const isWhole = [score, visible].every((one) => measureNames.every(([name]) => Number.isFinite(one?.[name])));
    return extent && score && visible && isWhole ? { extent, score, visible } : null;
  } catch {
    return null;
  }
}

/** @throws Fault SOURCE_INVALID */
export function assertSameSet(earlier: Extent, now: Extent): void {
  const isSame = (["users", "payments", "from", "until"] as const).every((one) => earlier[one] === now[one]);
  if (!isSame)
    throw new Fault(
      "SOURCE_INVALID",
      `What was said earlier is of ${earlier.users} users and ${earlier.payments} payments up to ${earlier.until}, this is of ${now.users} and ${now.payments} up to ${now.until}.`,
    );
}

/** Rows of four: a measure, what it was and is, and the difference. */
export function earlierRows(earlier: Earlier, now: Pick<ComparedScores, "recognised" | "visible">): string[][] {
  const rows = (what: string, before: Score, after: Score) =>
    measureNames.map(([measure, name]) => [
      `${name}${what}`,
      told(before, measure),
      told(after, measure),
      difference(measure, before[measure], after[measure]),
    ]);
  return [
    ...rows("", earlier.score, now.recognised),
    ...rows(", visible alone", earlier.visible, now.visible).filter(
      ([name]) => name?.startsWith("F1,") || name?.startsWith("false"),
    ),
  ];
}

export function earlierHeading(earlier: Earlier, now: Extent): string[] {
  return ["", `VERSION ${earlier.extent.algorithmVersion}, EARLIER`, `VERSION ${now.algorithmVersion}`, "DIFFERENCE"];
}

/** In hundredths, or as a number where the measure is one; none that would be told as nought. */
function difference(measure: keyof Score, before: number, after: number): string {
  const isShare = measure !== "falseAlarmsPerUserYear";
  const amount = ((after - before) * (isShare ? 100 : 1)).toFixed(isShare ? 1 : 2);
  if (Number(amount) === 0) return "same";
  return `${Number(amount) > 0 ? "+" : ""}${amount}`.replace("-", "−");
}
