/**
 * Finding quickly which patterns of the catalogue can be in a text: nearly every text has none of the three characters
 * with which an alias begins, and is spared the patterns of the whole catalogue.
 */

/** Letters, digits and the space have numbers of their own; all other characters share one. */
const ALPHABET = "\0ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ";
const SIZE = ALPHABET.length;
const CODES = Uint8Array.from({ length: 128 }, (_, code) => Math.max(0, ALPHABET.indexOf(String.fromCharCode(code))));

/** The plain characters with which a pattern must begin; a character that may be left out ends them. */
const PLAIN_START = /^(?:\\b|\^)?((?:[a-z0-9 ](?![?*+{]))+)/;
const START_LENGTH = 3;

/** Entries by what their patterns begin with, and those that have a pattern that begins otherwise. */
export type AliasIndex = {
  byStart: (readonly number[] | undefined)[];
  always: readonly number[];
  other: RegExp | null;
};

/** @param entries of each the sources of its regular expressions, in lower case and matched without regard to it. */
export function indexAliases(entries: readonly (readonly string[])[]): AliasIndex {
  const byStart: (number[] | undefined)[] = Array.from({ length: SIZE ** START_LENGTH });
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
  return { byStart, always: [...always], other: others.length === 0 ? null : new RegExp(others.join("|"), "i") };
}

function startOf(pattern: string): number | null {
  const start = pattern.includes("|") ? "" : (PLAIN_START.exec(pattern)?.[1] ?? "");
  if (start.length < START_LENGTH) return null;
  let number = 0;
  for (let at = 0; at < START_LENGTH; at++) number = number * SIZE + CODES[start.toUpperCase().charCodeAt(at)]!;
  return number;
}

/**
 * Positions of the entries of which a pattern may match a text in upper case without accents, ascending; the others
 * surely do not.
 */
export function entriesIn(text: string, { byStart, always, other }: AliasIndex): readonly number[] {
  let entries: number[] | null = null;
  let number = 0;
  for (let at = 0; at < text.length; at++) {
    number = (number % SIZE ** (START_LENGTH - 1)) * SIZE + (CODES[text.charCodeAt(at)] ?? 0);
    const here = byStart[number];
    if (here !== undefined) entries = entries === null ? [...here] : [...entries, ...here];
  }
  if (other?.test(text)) entries = entries === null ? [...always] : [...entries, ...always];
  return entries === null ? NONE : [...new Set(entries)].sort((a, b) => a - b);
}

const NONE: readonly number[] = [];
