/** Whether two lines of pay name one payer: "Løn Nordfirma" and "Feriepenge Nordfirma". Pure. */

/** Words of a pay line that are no payer's name. */
const payWords =
  /^(?:LON\p{L}*|LØN\p{L}*|LÖN\p{L}*|M[AÅ]NEDSL\p{L}*|M[AÅ]NADSL\p{L}*|SALARY|WAGES?|PAYROLL|FERIE\p{L}*|SEMESTER\p{L}*|HOLIDAY|PAY|BONUS|GEHALT|PALKKA|LOMA\p{L}*|FRA|FR[AÅ]N|FROM|\d+)$/u;

/** Of a cleaned name. */
function wordsOf(payeeKey: string): ReadonlySet<string> {
  return new Set(payeeKey.split(" ").filter((word) => !payWords.test(word)));
}

/** @param a @param b payee keys */
export function isSamePayer(a: string, b: string): boolean {
  if (a === b) return true;
  const [left, right] = [wordsOf(a), wordsOf(b)];
  return left.size > 0 && right.size > 0 && (left.isSubsetOf(right) || right.isSubsetOf(left));
}
