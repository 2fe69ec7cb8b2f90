/** Text as the embedded font can show it. */

/** What stands for a character that the font does not have: an honest gap instead of an empty box. */
const substitute = "?";

/** Line breaks are kept; other control characters, and marks that only change the direction of text, are no content. */
const unprintable = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Variation_Selector}/gu;

/** @param hasGlyph whether the font shows a code point. */
export function printable(text: string, hasGlyph: (codePoint: number) => boolean): string {
  const normal = text
    .normalize("NFC")
    .replace(/\r\n?/g, "\n")
    .replace(unprintable, (character) => (character === "\n" ? "\n" : character === "\t" ? " " : ""));
  let shown = "";
  for (const character of normal)
    shown += character === "\n" || hasGlyph(character.codePointAt(0) ?? 0) ? character : substitute;
  return shown;
}
