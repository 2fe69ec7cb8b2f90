/** Breaking text into lines. */

type Measure = (text: string) => number;

/** Widths are sums of fractions: what is over by less than anybody sees fits. */
const tolerance = 0.01;

/**
 * Lines no wider than `width`, greedily; at spaces, after hyphens and slashes inside long words, and inside a word where
 * nothing else is left. No-break spaces never break. An empty text is one empty line.
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
  const pieces: string[] = [];
  let piece = "";
  for (const { segment } of graphemes.segment(word)) {
    if (piece !== "" && measure(piece + segment) > width) {
      const at = Math.max(piece.lastIndexOf("-"), piece.lastIndexOf("/")) + 1;
      const cut = at > piece.length / 2 ? at : piece.length;
      pieces.push(piece.slice(0, cut));
      piece = piece.slice(cut);
    }
    piece += segment;
  }
  return [...pieces, piece];
}

/** The widest part that breakLines leaves whole where it can: a word, or a part of one up to a hyphen or slash. */
export function widestWord(text: string, measure: Measure): number {
  return Math.max(0, ...text.split(/[ \n]+/).flatMap((word) => word.split(/(?<=[-/])/)).map(measure));
}
