/**
 * Finding quickly which patterns of the catalogue can be in a text: nearly every text has none of the three characters
 * with which an alias begins, and is spared the patterns of the whole catalogue.
 */

/**
 * Letters, a digit and the space have numbers of their own; all other characters share one. Which digit it is the
 * patterns themselves ask: what is found here is the same of texts that differ in digits alone.
 */
const alphabet = "\0ABCDEFGHIJKLMNOPQRSTUVWXYZ0 ";
const size = alphabet.length;
const lettersEnd = alphabet.indexOf("Z");
const codes = Uint8Array.from({ length: 128 }, (_, code) =>
  Math.max(0, alphabet.indexOf(String.fromCharCode(code).replace(/\d/, "0"))),
);

/** The plain characters with which a pattern must begin; a character that may be left out ends them. */
const plainStart = /^(?:\\b|\^)?((?:[a-z0-9 ](?![?*+{]))+)/;
const startLength = 3;

/** Entries by what their patterns begin with, and those that have a pattern that begins otherwise. */
export type AliasIndex = {
  /** Matched only where no letter stands before them. */
  byStart: (readonly number[] | undefined)[];
  /** 1 where byStart has any: bytes of all beginnings fit into a processor's cache. */
  isStart: Uint8Array;
  always: readonly number[];
  other: RegExp | null;
};

/**
 * @param entries of each the sources of its regular expressions, in lower case and matched without regard to it, where no
 * letter stands before them.
 */
export function indexAliases(entries: readonly (readonly string[])[]): AliasIndex {
  const byStart: (number[] | undefined)[] = Array.from({ length: size ** startLength });
  const always = new Set<number>();
  const others: string[] = [];
  for (const [entry, patterns] of entries.entries()) {
    for (const pattern of patterns) {
      const start = startOf(pattern);
      if (start === null) {
        always.add(entry);
        others.push(pattern);
      } else (byStart[start] ??= []).push(entry);
    }
  }
  return {
    byStart,
    isStart: Uint8Array.from(byStart, (here) => (here === undefined ? 0 : 1)),
    always: [...always],
    other: others.length === 0 ? null : new RegExp(others.map(withAnyDigits).join("|"), "i"),
  };
}

/** A pattern that finds more: what stands for a digit is any number of digits or none, what counts is any number. */
function withAnyDigits(pattern: string): string {
  return pattern.replace(/\{\d[\d,]*\}/g, "*").replace(/\d+/g, "\\d*");
}

function startOf(pattern: string): number | null {
  const start = pattern.includes("|") ? "" : (plainStart.exec(pattern)?.[1] ?? "");
  if (start.length < startLength) return null;
  let number = 0;
  for (let at = 0; at < startLength; at++)
    number = number * size + (codes[start.toUpperCase().charCodeAt(at)] as number);
  return number;
}

/**
 * Positions of the entries of which a pattern may match a text in upper case without accents, ascending; the others
 * surely do not.
 */
export function entriesIn(text: string, { byStart, isStart, always, other }: AliasIndex): readonly number[] {
  let entries: number[] | null = null;
  let behind = 0;
  let before = 0;
  let last = 0;
  for (let at = 0; at < text.length; at++) {
    const code = codes[text.charCodeAt(at)] ?? 0;
    if (behind === 0 || behind > lettersEnd) {
      const start = (before * size + last) * size + code;
      if (isStart[start] === 1) entries = added(byStart[start] ?? none, entries);
    }
    behind = before;
    before = last;
    last = code;
  }
  if (other?.test(text)) entries = added(always, entries);
  return entries ?? none;
}

const none: readonly number[] = [];

/** Few are found in a text: each is put where it belongs, and nothing is sorted. */
function added(some: readonly number[], entries: number[] | null): number[] {
  const all = entries ?? [];
  for (const entry of some) {
    let at = all.length;
    while (at > 0 && (all[at - 1] as number) > entry) at--;
    if (at === 0 || all[at - 1] !== entry) all.splice(at, 0, entry);
  }
  return all;
}
