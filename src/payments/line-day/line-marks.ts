/**
 * What a line has in it that patterns look for, told in one look at its characters: nearly all lines have hardly any of
 * it, and are spared the patterns.
 */

/** Bits of what `marksIn` finds. */
export const hasDigit = 1;
/** Two signs of a masked card beside each other. */
export const hasMask = 2;
export const hasHash = 4;
/** A point or a comma between digits. */
export const hasDecimal = 8;
/** A number, a word of one to three letters and a number, a space between each. */
export const hasCounter = 16;
/** What a date or a time may be: a separator between digits, a month's name behind a digit, or KL. */
export const hasTime = 32;

const months: ReadonlySet<string> = new Set(
  "JAN FEB MAR MRZ APR MAY MAI MAJ MEI JUN JUL AUG SEP OCT OKT NOV DEC DEZ DES".split(" "),
);
const monthLength = 3;
const counterLettersMax = 3;

/** @param line normalised */
export function marksIn(line: string): number {
  let marks = 0;
  let before = 0;
  let last = 0;
  /** Where the word began that a number and a space stand before; −1: none does. */
  let counted = -1;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (isDigit(code)) {
      marks |= hasDigit;
      if (isDigit(before)) {
        if (last === point || last === comma) marks |= hasDecimal;
        if (last === point || last === slash || last === hyphen || last === colon) marks |= hasTime;
      }
      if (last === space && counted >= 0) {
        const letters = at - 1 - counted;
        if (letters > 0 && letters <= counterLettersMax) marks |= hasCounter;
      }
    } else if (isLetter(code)) {
      if (isDigit(last) || (last === space && isDigit(before))) {
        if (last === space) counted = at;
        if (months.has(line.slice(at, at + monthLength))) marks |= hasTime;
      }
      if (code === letterX && isMask(last)) marks |= hasMask;
    } else {
      if (code === hash) marks |= hasHash;
      if (isMask(code) && isMask(last)) marks |= hasMask;
      if ((code === space || code === point) && last === letterL && before === letterK) marks |= hasTime;
    }
    if (code !== space && !isLetter(code)) counted = -1;
    else if (code === space && last === space) counted = -1;
    before = last;
    last = code;
  }
  return marks;
}

const space = " ".charCodeAt(0);
const hash = "#".charCodeAt(0);
const star = "*".charCodeAt(0);
const comma = ",".charCodeAt(0);
const hyphen = "-".charCodeAt(0);
const point = ".".charCodeAt(0);
const slash = "/".charCodeAt(0);
const colon = ":".charCodeAt(0);
const letterK = "K".charCodeAt(0);
const letterL = "L".charCodeAt(0);
const letterX = "X".charCodeAt(0);

function isMask(code: number): boolean {
  return code === letterX || code === star || code === hash;
}

/** 0 to 9. */
function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** A to Z. */
function isLetter(code: number): boolean {
  return code >= 0x41 && code <= 0x5a;
}
