/** Mutants: one module each, changed in one place. */
import { parseSync } from "oxc-parser";
import type { Edit } from "./edit.ts";
import { editsOf } from "./operators.ts";
import { walk } from "./walk.ts";

export type Mutant = Edit & {
  /** Tells it by content: stays what it is when lines move. */
  id: string;
  /** From the repository's root. */
  file: string;
  line: number;
  column: number;
  /** The text of its line, without the white space around it. */
  lineText: string;
  /** How much white space stands before that. */
  indent: number;
  original: string;
  /** Among those of one file whose line, original and replacement are the same: 1, 2, … */
  nth: number;
};

/** What tells a mutant, whatever stands above it in its file. */
export type MutantKey = Pick<Mutant, "file" | "lineText" | "original" | "replacement" | "nth">;

export function idOf({ file, lineText, original, replacement, nth }: MutantKey): string {
  return JSON.stringify([file, lineText, original, replacement, nth]);
}

/**
 * The mutants of a module, from its top to its end. Each parses.
 * @param isWanted by the text of its line; the others are not looked at, which costs most
 */
export function mutantsOf(file: string, text: string, isWanted: (lineText: string) => boolean = () => true): Mutant[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message ?? ""}`);
  const edits = new Map<string, Edit>();
  walk(program, (node, around) => {
    for (const edit of editsOf(node, around, text)) edits.set(`${edit.start} ${edit.end} ${edit.replacement}`, edit);
  });
  const seen = new Map<string, number>();
  return [...edits.values()]
    .filter(
      (edit) =>
        text.slice(edit.start, edit.end) !== edit.replacement &&
        isWanted(lineAt(text, edit.start)) &&
        parseSync(file, mutated(text, edit)).errors.length === 0,
    )
    .toSorted((a, b) => a.start - b.start || a.end - b.end || (a.replacement < b.replacement ? -1 : 1))
    .map((edit) => {
      const key = {
        file,
        lineText: lineAt(text, edit.start),
        original: text.slice(edit.start, edit.end),
        replacement: edit.replacement,
      };
      const nth = (seen.get(idOf({ ...key, nth: 0 })) ?? 0) + 1;
      seen.set(idOf({ ...key, nth: 0 }), nth);
      const before = text.slice(0, edit.start).split("\n");
      const column = edit.start - text.lastIndexOf("\n", edit.start - 1);
      return {
        ...edit,
        ...key,
        nth,
        id: idOf({ ...key, nth }),
        line: before.length,
        column,
        indent: indentAt(text, edit.start),
      };
    });
}

export function mutated(text: string, { start, end, replacement }: Edit): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

function indentAt(text: string, at: number): number {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  return text.slice(start).search(/\S/);
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf("\n", at);
  return text.slice(text.lastIndexOf("\n", at - 1) + 1, end < 0 ? text.length : end).trim();
}
