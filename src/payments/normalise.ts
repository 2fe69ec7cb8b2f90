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
  const plain = plainPattern.test(upper) ? upper : unaccented(upper);
  const single = plain.replace(/AE|AA|OE/g, (pair) => pair.charAt(0));
  return (unevenSpace.test(single) ? single.replace(/\s+/g, " ") : single).trim();
}

/** Nearly all lines have single spaces and nothing else between their words. */
const unevenSpace = /\s\s|[^\S ]/;

function unaccented(upper: string): string {
  return upper
    .replace(/[ÆØÅÐÞŁŒĐ’–—]/g, (letter) => latinLetters[letter] ?? letter)
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "");
}
