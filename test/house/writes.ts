/** Which tables there are, and which of them a source file writes, by its SQL. */

/** Of a statement whose table is computed: what it writes is not to be seen in its text. */
export const computed = "(computed)";

/** A table's name as it stands behind a verb, a `${…}` in its place, or the end of a text that goes on elsewhere. */
const name = String.raw`(?:public\.)?"?((?:analytics\.)?[a-z_]\w*|\$\{[^}]*\}|["'\x60]\s*\+)`;

/** What a statement that changes rows begins with. `do update set` and `for update of` have no table before a "set". */
const verbs = [
  String.raw`\binsert\s+into\s+${name}`,
  String.raw`\bmerge\s+into\s+(?:only\s+)?${name}`,
  String.raw`\bdelete\s+from\s+(?:only\s+)?${name}`,
  String.raw`\bupdate\s+(?:only\s+)?${name}"?(?:\s+(?:as\s+)?[a-z_]\w*)?\s+set\b`,
  String.raw`\btruncate\s+(?:table\s+)?(?:only\s+)?${name}`,
  String.raw`\bcopy\s+${name}"?\s*(?:\([^)]*\)\s*)?from\b`,
  // What COPY is given by ledger/copy.ts.
  String.raw`\bcopyRows\(\s*\w+\s*,\s*["'\x60]${name}`,
].map((pattern) => new RegExp(pattern, "gi"));

/** The tables that a file writes, each once, `computed` among them; names that are no tables of ours left out. */
export function tablesWritten(text: string, tables: ReadonlySet<string>): string[] {
  const code = withoutComments(text);
  const names = verbs.flatMap((verb) => [...code.matchAll(verb)].map(([, found = ""]) => found.toLowerCase()));
  const written = names.map((one) => (/^\w/.test(one) ? one : computed));
  return [...new Set(written)].filter((one) => one === computed || tables.has(one)).sort();
}

/**
 * Comments of TypeScript and of SQL that have their lines to themselves. One behind code stays: then a statement quoted
 * there counts, rather than one behind two slashes in a text not.
 */
function withoutComments(text: string): string {
  return text
    .replaceAll(/^[ \t]*\/\*[\s\S]*?\*\//gm, "")
    .replaceAll(/^[ \t]*\/\/.*$/gm, "")
    .replaceAll(/^[ \t]*--.*$/gm, "");
}

/** Every table that a migration makes. */
export function tablesMade(migration: string): string[] {
  return [...migration.matchAll(/\bcreate (?:unlogged )?table (?:if not exists )?((?:analytics\.)?\w+)/gi)].map(
    ([, table = ""]) => table,
  );
}
