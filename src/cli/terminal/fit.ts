/**
 * Text that fits a terminal: lines that are too long are broken between words and go on below where their last column, or
 * their text, begins. What goes to a file or a pipe stays as it is.
 */

/** Narrower ones break words of ours. */
const columnsMin = 40;

/** Of a terminal; null: it is none. */
export function columnsOf(stream: { isTTY?: boolean; columns?: number }): number | null {
  return stream.isTTY === true && stream.columns !== undefined ? Math.max(columnsMin, stream.columns) : null;
}

/** @param columns null: as it is */
export function fitText(text: string, columns: number | null): string {
  if (columns === null) return text;
  return joinParagraphs(text.split("\n"), columns)
    .flatMap((line) => fitLine(line, columns))
    .join("\n");
}

/** Lines of a result, each by itself. @param columns null: as they are */
export function fitLines(lines: readonly string[], columns: number | null): string[] {
  return columns === null ? [...lines] : lines.flatMap((line) => fitLine(line, columns));
}

/**
 * Prose and calls that were broken at another width are joined before they are broken anew; tables and lists are not. A line
 * of a paragraph goes on in the next one when that begins as far in, and the first word of it would not have fitted; a call
 * in those that begin with an option further in.
 */
function joinParagraphs(lines: readonly string[], columns: number): string[] {
  if (lines.every((line) => line.length <= columns)) return [...lines];
  const joined: string[] = [];
  let before = "";
  for (const line of lines) {
    const last = joined.at(-1);
    const goesOn =
      (isProse(line) && isContinued(before, line)) || (isCall(last ?? "") && /^ {6,}(?:\[|\(|\||-)/.test(line));
    if (last !== undefined && goesOn) joined[joined.length - 1] = `${last} ${line.trim()}`;
    else joined.push(line);
    before = line;
  }
  return joined;
}

/** From here on a writer breaks lines. */
const fullFrom = 80;

function isContinued(before: string, line: string): boolean {
  if (before.trim() === "" || isCall(before) || before.length < fullFrom) return false;
  return indentOf(line) === hangingIndent(before);
}

function isCall(line: string): boolean {
  return line.startsWith("tideline ");
}

function isProse(line: string): boolean {
  return line.trim() !== "" && !/^(?:tideline |\s*(?:\[|\(|--|\||[0-9]+\. ))/.test(line) && !/\S {2,}\S/.test(line);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Where a line's text goes on below: in its last column, behind its command, or as far in as it is. */
function hangingIndent(line: string): number {
  if (isCall(line)) return 8;
  const column = [...line.matchAll(/\S {2,}(?=\S)/g)].at(-1);
  return column === undefined ? indentOf(line) : column.index + column[0].length;
}

function fitLine(line: string, columns: number): string[] {
  if (line.length <= columns) return [line];
  const hanging = hangingIndent(line);
  const isTooFar = hanging > columns / 2;
  const indent = " ".repeat(isTooFar ? indentOf(line) + 4 : hanging);
  // Its last column stands below.
  if (isTooFar && hanging > indentOf(line))
    return [line.slice(0, hanging).trimEnd(), indent + line.slice(hanging)].flatMap((part) => fitLine(part, columns));
  const lines: string[] = [];
  let rest = isCall(line) ? withWholeOptions(line) : line;
  while (rest.length > columns) {
    const at = breakAt(rest, columns, lines.length === 0 ? indentOf(line) : indent.length);
    lines.push(rest.slice(0, at).trimEnd());
    rest = indent + rest.slice(at).trimStart();
  }
  return [...lines, rest].map((one) => one.replaceAll(kept, " "));
}

/** Stands for a space at which no line is broken. */
const kept = "\u00a0";

/** An option and its value stay together where a line has room for both. */
function withWholeOptions(call: string): string {
  return call
    .replaceAll(/\[[^[\]]{0,60}\]/g, (option) => option.replaceAll(" ", kept))
    .replaceAll(/(--[a-z-]+) (?=[A-Z])/g, `$1${kept}`);
}

/** Between words, else before what lists separate, else in the middle of what is too long for a line. */
function breakAt(line: string, columns: number, indent: number): number {
  const space = line.lastIndexOf(" ", columns);
  if (space > indent) return space;
  const mark = Math.max(...["|", ",", "/", "&"].map((one) => line.lastIndexOf(one, columns - 1)));
  return mark > indent ? mark + 1 : columns;
}
