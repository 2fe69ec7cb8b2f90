/** How wide the columns of a table are. */
import { itemAt } from "../../present.ts";

export type ColumnNeed = {
  /** A column of figures, whose cells are never broken where that can be helped. */
  isFigures: boolean;
  /** On one line: of the widest cell or the head. */
  natural: number;
  /** Of the widest cell of figures, or the widest word of text. */
  least: number;
  weight: number;
};

/** A single word of a text column may ask for so much of the table before it is broken. */
const leastShareMax = 0.3;

/**
 * Columns of figures get what their cells need. The others share what is left by weight, none less than its widest word
 * and, as long as another wants the room, none more than its text; then heads of figures come onto one line. The sum is
 * `width`.
 */
export function columnWidths(needs: readonly ColumnNeed[], width: number): number[] {
  const leasts = needs.map((need) => (need.isFigures ? need.least : Math.min(need.least, width * leastShareMax)));
  const wanted = sumOf(leasts);
  // More columns than fit: each gets its part, and cells break.
  if (wanted >= width) return leasts.map((least) => (least * width) / wanted);
  const texts = widen(needs, leasts, width - wanted, false);
  const heads = widen(needs, texts, width - sumOf(texts), true);
  return spread(needs, heads, Math.max(0, width - sumOf(heads)));
}

/** Gives room to the columns of figures, or to the others, until each has what it wants or nothing is left. */
function widen(needs: readonly ColumnNeed[], from: readonly number[], free: number, figures: boolean): number[] {
  const widths = [...from];
  let left = free;
  // Each round satisfies a column at least, or ends it.
  for (let round = 0; round <= needs.length && left > 0.01; round++) {
    const hungry = needs.flatMap((need, index) =>
      need.isFigures === figures && itemAt(widths, index) < need.natural - 0.01 ? [index] : [],
    );
    if (hungry.length === 0) break;
    const portion = left / sumOf(hungry.map((index) => itemAt(needs, index).weight));
    for (const index of hungry) {
      const given = Math.min(
        itemAt(needs, index).natural - itemAt(widths, index),
        portion * itemAt(needs, index).weight,
      );
      widths[index] = itemAt(widths, index) + given;
      left -= given;
    }
  }
  return widths;
}

/** What nobody needs goes to the columns of text, so that figures stand at the right edge. */
function spread(needs: readonly ColumnNeed[], widths: readonly number[], left: number): number[] {
  const texts = needs.map((need) => (need.isFigures ? 0 : need.weight));
  const weights = sumOf(texts);
  if (weights === 0) return widths.map((width) => width + left / widths.length);
  return widths.map((width, index) => width + (left * itemAt(texts, index)) / weights);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
