/**
 * Characters that a screen does not show, or that change how it shows others: names that hold them look like other
 * names, and `gpj.exe` read from right to left ends in .jpg.
 */

/** Format characters (bidirectional controls, zero widths, tags), what fonts leave out, line and paragraph separators. */
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u;

/** Besides those, controls that command a terminal; line breaks and tabs are a text's own. */
// oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
const unshowable = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu;

export function holdsUnseen(name: string): boolean {
  return unseen.test(name);
}

/** Each such character as \uXXXX, as JSON writes it: in a JSON document the text stays the same. Idempotent. */
export function showUnseen(text: string): string {
  return text.replace(unshowable, (character) =>
    Array.from({ length: character.length }, (_, at) => {
      return `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
    }).join(""),
  );
}
