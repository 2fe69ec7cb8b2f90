/** How wide the columns of a table are. */

export type ColumnNeed = {
  /** A column of figures, which is never broken where that can be helped. */
  isFigures: boolean;
  /** Of the widest cell on one line. */
  natural: number;
  /** Of the widest word. */
  least: number;
  weight: number;
};

/** A single word of a text column may ask for so much of the table before it is broken. */
const leastShareMax = 0.3;

/**
 * Columns of figures get what they need; the others share what is left by weight, none less than its widest word and, as
 * long as another wants the room, none more than its text. The sum is `width`.
 */
export function columnWidths(needs: readonly ColumnNeed[], width: number): number[] {
  const leasts = needs.map((need) => (need.isFigures ? need.natural : Math.min(need.least, width * leastShareMax)));
  const wanted = leasts.reduce((sum, least) => sum + least, 0);
  // More columns than fit: each gets its part, and cells break.
  if (wanted >= width) return leasts.map((least) => (least * width) / wanted);
  return share(needs, leasts, width - wanted);
}

function share(needs: readonly ColumnNeed[], leasts: readonly number[], free: number): number[] {
  const widths = [...leasts];
  let left = free;
  // Each round satisfies a column at least, or ends it.
  for (let round = 0; round <= needs.length && left > 0.01; round++) {
    const hungry = needs.flatMap((need, index) => (!need.isFigures && widths[index]! < need.natural - 0.01 ? [index] : []));
    if (hungry.length === 0) break;
    const weights = hungry.reduce((sum, index) => sum + needs[index]!.weight, 0);
    const portion = left / weights;
    for (const index of hungry) {
      const given = Math.min(needs[index]!.natural - widths[index]!, portion * needs[index]!.weight);
      widths[index] = widths[index]! + given;
      left -= given;
    }
  }
  return spread(needs, widths, left);
}

/** What nobody needs goes to the columns of text, so that figures stand at the right edge. */
function spread(needs: readonly ColumnNeed[], widths: readonly number[], left: number): number[] {
  const texts = needs.map((need) => (need.isFigures ? 0 : need.weight));
  const weights = texts.reduce((sum, weight) => sum + weight, 0);
  if (weights === 0) return widths.map((width) => width + left / widths.length);
  return widths.map((width, index) => width + (left * texts[index]!) / weights);
}
