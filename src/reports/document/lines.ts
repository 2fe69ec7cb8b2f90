/** Breaking text into lines. */

type Measure = (text: string) => number;

/** Widths are sums of fractions: what is over by less than anybody sees fits. */
const tolerance = 0.01;

/**
 * Lines no wider than `width`, greedily; at spaces, after hyphens and slashes inside long words, and inside a word
 * where nothing else is left. No-break spaces never break. An empty text is one empty line.
 */
export function breakLines(text: string, width: number, measure: Measure): string[] {
  return text.split("\n").flatMap((paragraph) => breakParagraph(paragraph, width + tolerance, measure));
}

function breakParagraph(paragraph: string, width: number, measure: Measure): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of paragraph.split(/ +/).filter((part) => part !== "")) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (measure(joined) <= width) {
      line = joined;
      continue;
    }
    if (line !== "") lines.push(line);
    const pieces = measure(word) <= width ? [word] : breakWord(word, width, measure);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? "";
  }
  return [...lines, line];
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** At a hyphen or slash where one is in reach, else at the last grapheme that fits. */
function breakWord(word: string, width: number, measure: Measure): string[] {
  const parts = Array.from(graphemes.segment(word), ({ segment }) => segment);
  const pieces: string[] = [];
  let fits = 1;
  for (let from = 0; from < parts.length;) {
    fits = countThatFits(parts, from, fits, width, measure);
    const piece = parts.slice(from, from + fits);
    const at = from + fits < parts.length ? Math.max(piece.lastIndexOf("-"), piece.lastIndexOf("/")) + 1 : 0;
    const cut = at > piece.length / 2 ? at : piece.length;
    pieces.push(piece.slice(0, cut).join(""));
    from += cut;
  }
  return pieces;
}

/**
 * Of the parts from `from`, how many fit; at least one. Looked for from where the last line ended, by how wide that
 * would be: a text of 65,535 characters without a space costs a few measurements a line, not one a character.
 */
function countThatFits(parts: readonly string[], from: number, guess: number, width: number, measure: Measure): number {
  let [low, high] = [1, parts.length - from + 1];
  for (let count = Math.min(guess, high - 1); high - low > 1;) {
    const wide = measure(parts.slice(from, from + count).join(""));
    if (wide <= width) low = count;
    else high = count;
    count = Math.min(high - 1, Math.max(low + 1, Math.floor((count * width) / wide)));
  }
  return low;
}

/** The widest part that breakLines leaves whole where it can: a word, or a part of one up to a hyphen or slash. */
export function widestWord(text: string, measure: Measure): number {
  return Math.max(
    0,
    ...text
      .split(/[ \n]+/)
      .flatMap((word) => word.split(/(?<=[-/])/))
      .map(measure),
  );
}
