/** Texts as names are compared in: upper case, without what banks write now so and now so. */

const latinLetters: Readonly<Record<string, string>> = {
  Æ: "A",
  Ø: "O",
  Å: "A",
  Ð: "D",
  Þ: "TH",
  Ł: "L",
  ß: "SS",
  Œ: "O",
  Đ: "D",
  "’": "'",
  "–": "-",
  "—": "-",
};

const plainPattern = /^[\u0020-\u007e]*$/;

/** Upper case without diacritics and with single spaces; Æ, Ø and Å written as two letters become the same one. */
export function normaliseText(text: string): string {
  const upper = text.toUpperCase();
  if (isNormal(upper)) return upper;
  const plain = plainPattern.test(upper) ? upper : unaccented(upper);
  const single = plain.replace(/AE|AA|OE/g, (pair) => pair.charAt(0));
  return (unevenSpace.test(single) ? single.replace(/\s+/g, " ") : single).trim();
}

const space = " ".charCodeAt(0);
const letterA = "A".charCodeAt(0);
const letterE = "E".charCodeAt(0);
const letterO = "O".charCodeAt(0);
const lastPlain = "~".charCodeAt(0);

/** Whether a text in upper case has nothing to be changed: nearly all lines do, and are spared the patterns. */
function isNormal(upper: string): boolean {
  let last = space;
  for (let at = 0; at < upper.length; at++) {
    const code = upper.charCodeAt(at);
    if (code < space || code > lastPlain || (code === space && last === space)) return false;
    if (last === letterA && (code === letterA || code === letterE)) return false;
    if (last === letterO && code === letterE) return false;
    last = code;
  }
  return last !== space || upper === "";
}

/** Nearly all lines have single spaces and nothing else between their words. */
const unevenSpace = /\s\s|[^\S ]/;

function unaccented(upper: string): string {
  return upper
    .replace(/[ÆØÅÐÞŁŒĐ’–—]/g, (letter) => latinLetters[letter] ?? letter)
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "");
}
