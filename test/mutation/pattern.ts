/** What is changed in a regular expression: its anchors, its classes, how often something may come. */
import type { Edit } from "./edit.ts";

/** One escape, one class, one piece that is looked at, or any other character. */
const piece = /\\[\s\S]|\[\^?|[$^]|(?<=[^(])[+*?]|[\s\S]/gu;

const swaps: Readonly<Record<string, readonly string[]>> = {
  "^": [""],
  $: [""],
  "+": ["*", ""],
  "*": ["+", ""],
  "?": [""],
  "[": ["[^"],
  "[^": ["["],
  "\\d": ["\\D"],
  "\\D": ["\\d"],
  "\\s": ["\\S"],
  "\\S": ["\\s"],
  "\\w": ["\\W"],
  "\\W": ["\\w"],
  "\\b": ["\\B", ""],
  "\\B": ["\\b"],
};

/** @param start where the expression's first stroke stands */
export function regularExpressionEdits(start: number, pattern: string, flags: string): Edit[] {
  const edits: Edit[] = [];
  let isInClass = false;
  for (const match of pattern.matchAll(piece)) {
    const [found] = match;
    const opens = found.startsWith("[");
    if (isInClass && found === "]") isInClass = false;
    // Inside a class only what stands for many characters is one more decision.
    if (!isInClass || found.startsWith("\\")) edits.push(...editsAt(start + 1 + match.index, found));
    if (opens && !isInClass) isInClass = true;
  }
  const flag = flags.indexOf("i");
  if (flag >= 0)
    edits.push({ start: start + pattern.length + 2 + flag, end: start + pattern.length + 3 + flag, replacement: "" });
  return edits.filter((edit) => isValid(start, pattern, flags, edit));
}

function editsAt(start: number, found: string): Edit[] {
  return (Object.hasOwn(swaps, found) ? (swaps[found] ?? []) : []).map((replacement) => ({
    start,
    end: start + found.length,
    replacement,
  }));
}

function isValid(start: number, pattern: string, flags: string, edit: Edit): boolean {
  const at = edit.start - start - 1;
  if (at >= pattern.length) return true;
  const changed = pattern.slice(0, at) + edit.replacement + pattern.slice(edit.end - start - 1);
  try {
    return changed !== "" && new RegExp(changed, flags) instanceof RegExp;
  } catch {
    return false;
  }
}
