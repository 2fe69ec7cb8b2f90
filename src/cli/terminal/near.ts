/** Which of several names was probably meant. Pure. */

/** Mistakes that are still taken for one name: a letter more, less or wrong, or two swapped, counts one. */
const mistakesMax = 2;

/** The nearest of the names, or null where none is near; of equally near ones the first. */
export function nearest(text: string, names: readonly string[]): string | null {
  const [best] = names
    .map((name) => ({ name, mistakes: countMistakes(text.toLowerCase(), name) }))
    // Of a short name two mistakes would leave nothing.
    .filter(({ name, mistakes }) => mistakes <= mistakesMax && mistakes < name.length / 2)
    .toSorted((a, b) => a.mistakes - b.mistakes);
  return best?.name ?? null;
}

/** Optimal string alignment distance. */
function countMistakes(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row += 1) {
    const now = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const wrong = a[row - 1] === b[column - 1] ? 0 : 1;
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      now.push(
        Math.min(
          at(rows, row - 1, column) + 1,
          (now[column - 1] as number) + 1,
          at(rows, row - 1, column - 1) + wrong,
          isSwapped ? at(rows, row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
    rows.push(now);
  }
  return at(rows, a.length, b.length);
}

function at(rows: readonly number[][], row: number, column: number): number {
  return rows[row]?.[column] as number;
}
