/**
 * What is changed in the text of an SQL statement, or of a part of one: comparisons, conditions, orders, aggregates, limits.
 * Read word by word, without a grammar: what does not parse afterwards fails in PostgreSQL, and is killed by any test.
 */
import type { Node } from "oxc-parser";
import type { Edit } from "./edit.ts";

/** What stands at the front of a statement, or of a clause that is put into one. Lower case, as all SQL of the house is. */
const opening =
  /^\s*(?:select|insert|update|delete|with|merge|copy|values|lock|create|where|and|or|on conflict|(?:left |cross )?join|order by|group by|having|limit|case|coalesce|exists|not exists)\b/;
/** What no sentence has. */
const inside =
  /\b(?:from|where|set|is (?:not )?null|is (?:not )?distinct from|any ?\(|coalesce\(|exists ?\(|values|into|nothing)\b|[=<>]/;

export function isSql(text: string): boolean {
  return opening.test(text) && inside.test(text);
}

type Word = { text: string; start: number; end: number; depth: number };

/** What ends a condition at its own depth. */
const conditionEnds: readonly string[] = [
  "and",
  "or",
  "where",
  "group",
  "order",
  "having",
  "limit",
  "offset",
  "returning",
  "union",
  "except",
  "intersect",
  "join",
  "left",
  "right",
  "inner",
  "cross",
  "full",
  "for",
  "when",
  "then",
  "else",
  "end",
  "on",
  "window",
  "do",
  "from",
  ",",
  ";",
  "as",
  "set",
  "fetch",
];

const swaps: Readonly<Record<string, readonly string[]>> = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "<>": ["="],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  and: ["or"],
  or: ["and"],
  min: ["max"],
  max: ["min"],
  least: ["greatest"],
  greatest: ["least"],
  asc: ["desc"],
  desc: ["asc"],
  true: ["false"],
  false: ["true"],
  lead: ["lag"],
  lag: ["lead"],
  bool_and: ["bool_or"],
  bool_or: ["bool_and"],
};

/** @param node the literal in `source` @param placeholders what stands in its `${}` */
export function sqlEdits(source: string, node: Node, placeholders: readonly Node[]): Edit[] {
  const words = wordsOf(masked(source, node, placeholders), node.start + 1);
  return words.flatMap((_, at) => [
    ...swapEdits(words, at),
    ...phraseEdits(words, at),
    ...conditionEdits(words, at, source),
    ...numberEdits(words, at),
  ]);
}

/** The literal's inside with every placeholder, quoted text and comment made of letters, so that places stay what they are. */
function masked(source: string, node: Node, placeholders: readonly Node[]): string {
  let text = source.slice(node.start + 1, node.end - 1);
  for (const { start, end } of placeholders) {
    const from = source.lastIndexOf("${", start) - node.start - 1;
    const to = source.indexOf("}", end) - node.start;
    text = text.slice(0, from) + "x".repeat(to - from) + text.slice(to);
  }
  return text.replace(/--[^\n]*|'(?:[^']|'')*'|\\./g, (found) =>
    (found.startsWith("--") ? " " : "q").repeat(found.length),
  );
}

function wordsOf(text: string, offset: number): Word[] {
  let depth = 0;
  return [...text.matchAll(/\$?\w+(?:\.\w+)*|::|<>|<=|>=|!=|[^\s\w]/g)].map((match) => {
    if (match[0] === ")") depth -= 1;
    const word = { text: match[0], start: offset + match.index, end: offset + match.index + match[0].length, depth };
    if (match[0] === "(") depth += 1;
    return word;
  });
}

function swapEdits(words: readonly Word[], at: number): Edit[] {
  const word = words[at];
  if (!word) return [];
  if (word.text === "=") return isAssignment(words, at) ? [] : [{ ...span(word, word), replacement: "<>" }];
  // Of `count(*)` and `select *` the star is no product, and of `->` the dash no difference.
  if ("*/+-".includes(word.text) && !isBetweenOperands(words, at)) return [];
  if (word.text === "and" && isOfBetween(words, at)) return [];
  const isCall = words[at + 1]?.text === "(";
  if (/^(?:min|max|least|greatest|lead|lag|bool_)/.test(word.text) && !isCall) return [];
  if ((word.text === "<" || word.text === ">") && (isTouching(words[at - 1], word) || isTouching(word, words[at + 1])))
    return [];
  return Object.hasOwn(swaps, word.text)
    ? (swaps[word.text] ?? []).map((replacement) => ({ ...span(word, word), replacement }))
    : [];
}

function isTouching(one: Word | undefined, other: Word | undefined): boolean {
  return (
    one !== undefined &&
    other !== undefined &&
    one.end === other.start &&
    !/[\w)(]/.test(one.text.at(-1) ?? "") === !/[\w)(]/.test(other.text.at(0) ?? "")
  );
}

function isBetweenOperands(words: readonly Word[], at: number): boolean {
  const [before, word, after] = [words[at - 1], words[at], words[at + 1]];
  if (!before || !word || !after) return false;
  if (before.end === word.start || word.end === after.start) return false;
  return (
    /[\w)]$/.test(before.text) &&
    /^[\w$(]/.test(after.text) &&
    !["select", "returning", "distinct"].includes(before.text)
  );
}

/** Between `set` and what follows it, `=` gives a column its value. */
function isAssignment(words: readonly Word[], at: number): boolean {
  const depth = words[at]?.depth;
  for (let before = at - 1; before >= 0; before--) {
    const word = words[before];
    if (!word || word.depth !== depth) continue;
    if (word.text === "set") return true;
    if (["where", "from", "and", "or", "on", "when", "select", "join", "using", "returning"].includes(word.text))
      return false;
  }
  return false;
}

function isOfBetween(words: readonly Word[], at: number): boolean {
  const depth = words[at]?.depth;
  for (let before = at - 1; before >= 0; before--) {
    const word = words[before];
    if (!word || word.depth !== depth) continue;
    if (word.text === "between") return true;
    if (conditionEnds.includes(word.text)) return false;
  }
  return false;
}

/** Where what is looked for takes several words. */
function phraseEdits(words: readonly Word[], at: number): Edit[] {
  const [word, second, third] = [words[at], words[at + 1], words[at + 2]];
  if (!word || !second) return [];
  const phrase = `${word.text} ${second.text}`;
  const edits: Edit[] = [];
  if (word.text === "is" && second.text === "not") edits.push({ ...span(word, second), replacement: "is" });
  if (word.text === "is" && ["null", "distinct", "true", "false"].includes(second.text))
    edits.push({ ...span(word, word), replacement: "is not" });
  if (phrase === "not exists" || phrase === "not in" || phrase === "not like")
    edits.push({ ...span(word, second), replacement: second.text });
  else if (
    word.text === "not" &&
    words[at - 1]?.text !== "is" &&
    second.text !== "null" &&
    second.text !== "materialized"
  )
    edits.push({ start: word.start, end: second.start, replacement: "" });
  if (word.text === "exists" && words[at - 1]?.text !== "not" && words[at - 1]?.text !== "if")
    edits.push({ ...span(word, word), replacement: "not exists" });
  if (phrase === "union all") edits.push({ ...span(word, second), replacement: "union" });
  if (phrase === "left join") edits.push({ ...span(word, second), replacement: "join" });
  if (word.text === "distinct" && words[at - 1]?.text !== "is" && words[at - 1]?.text !== "not" && second.text !== "on")
    edits.push({ start: word.start, end: second.start, replacement: "" });
  if (phrase === "order by" || phrase === "limit " + second.text)
    edits.push({ ...span(word, endOfClause(words, at)), replacement: "" });
  if (word.text === "coalesce" && second.text === "(") edits.push(...firstOnly(words, at));
  if (word.text === "count" && second.text === "(" && third?.text !== "*" && third?.text !== "distinct")
    edits.push({ start: second.end, end: third?.start ?? second.end, replacement: "distinct " });
  return edits;
}

/** `coalesce(a, b)`: a alone. */
function firstOnly(words: readonly Word[], at: number): Edit[] {
  const open = words[at + 1];
  if (!open) return [];
  const comma = words.findIndex((word, index) => index > at + 1 && word.text === "," && word.depth === open.depth + 1);
  const close = words.findIndex((word, index) => index > at + 1 && word.text === ")" && word.depth === open.depth);
  const [from, to] = [words[comma], words[close]];
  return from && to && comma < close ? [{ start: from.start, end: to.start, replacement: "" }] : [];
}

function endOfClause(words: readonly Word[], at: number): Word {
  const depth = words[at]?.depth ?? 0;
  const ends = ["limit", "offset", "returning", "for", "union", "fetch", "rows", "range"];
  const next = words.findIndex(
    (word, index) =>
      index > at &&
      (word.depth < depth ||
        (word.depth === depth &&
          (ends.includes(word.text) || (word.text === ")" && word.depth === depth && isClosing(words, at, index))))),
  );
  return words[(next < 0 ? words.length : next) - 1] as Word;
}

/** Whether the bracket at `index` was opened before `at`. */
function isClosing(words: readonly Word[], at: number, index: number): boolean {
  const inner = words.slice(at, index);
  return inner.filter(({ text }) => text === "(").length === inner.filter(({ text }) => text === ")").length;
}

/** A condition is made one that always holds; beside `or`, one that never does. It stays where it is, for its parameters. */
function conditionEdits(words: readonly Word[], at: number, source: string): Edit[] {
  const word = words[at];
  const first = words[at + 1];
  if (!word || !first || !["where", "and", "or", "on", "having"].includes(word.text)) return [];
  if (word.text === "on" && (first.text === "conflict" || words[at - 1]?.text === "distinct")) return [];
  if (word.text === "and" && isOfBetween(words, at)) return [];
  const last = lastOfCondition(words, at);
  const isAlternative = word.text === "or" || words[words.indexOf(last) + 1]?.text === "or";
  const edges = { start: first.start, end: last.end };
  return [
    { ...edges, replacement: `(${source.slice(edges.start, edges.end)} ${isAlternative ? "and false" : "or true"})` },
  ];
}

function lastOfCondition(words: readonly Word[], at: number): Word {
  const depth = words[at]?.depth ?? 0;
  let isBetween = false;
  for (let index = at + 1; index < words.length; index++) {
    const word = words[index] as Word;
    if (word.text === "between" && word.depth === depth) isBetween = true;
    const isEnd = word.depth < depth || (word.text === ")" && word.depth === depth && isClosing(words, at, index));
    if (isEnd) return words[index - 1] as Word;
    if (word.depth !== depth || index === at + 1) continue;
    if (word.text === "and" && isBetween) {
      isBetween = false;
      continue;
    }
    const isDistinctFrom = word.text === "from" && words[index - 1]?.text === "distinct";
    if (conditionEnds.includes(word.text) && !isDistinctFrom) return words[index - 1] as Word;
  }
  return words.at(-1) as Word;
}

/** What `exists (select 1 …)` selects is nothing. */
function numberEdits(words: readonly Word[], at: number): Edit[] {
  const word = words[at];
  if (!word || !/^\d+$/.test(word.text) || (words[at - 1]?.text === "select" && words[at + 1]?.text === "from"))
    return [];
  const value = BigInt(word.text);
  return [value + 1n, value > 0n ? value - 1n : value + 1n]
    .filter((other, at, all) => all.indexOf(other) === at)
    .map((other) => ({ ...span(word, word), replacement: String(other) }));
}

function span(from: Word, to: Word): { start: number; end: number } {
  return { start: from.start, end: to.end };
}
