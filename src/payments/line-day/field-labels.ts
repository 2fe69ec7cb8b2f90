/**
 * Labels with which banks introduce the fields of a line, and the codes behind them: neither names anybody. What else
 * stands behind a label stays, for it says who is paid or what for.
 */
import { hasLetters } from "./telling-words.ts";

/** Normalised. By language; a colon tells them from words of the payee's own. */
const labels = [
  // German, with Austria and Switzerland.
  "(?:ZAHLUNGS)?EMPFANGER|ZAHLUNGSPFLICHTIGER|AUFTRAGGEBER|VERWENDUNGSZWECK|ZAHLUNGS(?:REFERENZ|GRUND)|MITTEILUNG(?:EN)?",
  "REFERENZ(?:EN)?|MANDATS(?:REF(?:ERENZ)?|NUMMER)|KUNDENREFERENZ|CID|IBAN|BIC",
  // Dutch and French, with Belgium.
  "SCHULDEISER|BEGUNSTIGDE|MEDEDELING|MANDATREFERTE|REFERTE",
  "BENEFICIAIRE|CREANCIER|COMMUNICATION|(?:NUMERO|REF(?:ERENCE)?\\.?) (?:DE|DU) MANDAT|REFERENCE (?:BANQUE|CREANCIER)|DATE VALEUR",
  // Spanish, Portuguese, Italian.
  "CONCEPTO|BENEFICIARIO|ORDENANTE|DESCRITIVO|CAUSALE|ORDINANTE",
  // Polish, Czech.
  "NAZWA (?:ODBIORCY|NADAWCY)|(?:NR |NUMER )?RACHUN(?:EK|KU) (?:ODBIORCY|NADAWCY)|TYTUL|NAZEV PROTIUCTU|ZPRAVA",
  // English: what the clearing house of the United States calls the fields of a payment.
  "ORIG CO NAME|CO ENTRY DESCR|DES",
].join("|");

/** Labels of codes alone, which banks also write without a colon. */
const codeLabels = [
  // A mandate of digits alone goes with other numbers, and its word stays: it tells collected lines from sent ones.
  "MANDAT(?= ?:| [0-9./-]*[A-Z])|REF\\.? (?:SCHULDEISER|MANDATO)|MANDATO(?: NR?\\.?)?|COD\\.? ?DISP\\.?|INCASSO|N[OoRr°]?\\.? ?RECIBO|TRN",
  "TRANSAKTIONS-NR\\.?|REFERENZ-NR\\.?(?: QRR)?|KONTO-NR\\.?(?: IBAN)?|KARTEN-NR\\.?|ORIG ID|IND ID|TRACE ?#|(?:PPD|CCD|TEL|WEB) ID|(?:MACHTIGING|INCASSANT) ID",
].join("|");

/** Letters among digits, in groups or not: a word that has a digit, and those behind it that begin with one. */
const code = String.raw`(?=[A-Z./-]*\d)[A-Z0-9][A-Z0-9./-]*(?: \d[\dA-Z./-]*)*(?![\w:])`;
/** An account's number as it is printed, its bank's letters in the first group. */
const groupedAccount = String.raw`[A-Z]{2}\d{2} [A-Z\d]{4}(?: \d{4}){2,}(?: \d{1,3})?(?!\w)`;
/** Who collects, by the identifier that each creditor has (EPC262-08). */
const creditor = String.raw`(?:SDD DA |CID:? ?)[A-Z]{2}\d{2}ZZZ[A-Z0-9]{6,}`;
/** The clearing house's number of the collecting company, and how the payment was authorised; the account's own holder. */
const company = String.raw`CO ID: ?\S+(?: (?:PPD|CCD|TEL|WEB)$)?|SEC: ?(?:PPD|CCD|TEL|WEB)`;
const holder = "(?:(?<= )ID:\\S+ )?(?:INDN|IND NAME):.*?(?= CO ID:| TRN:|$)";
/** What an Italian bank charges for the transfer. */
const charge = String.raw`(?:COMM|SPESE) \d+,\d{2}`;
const bic = String.raw`BIC:? [A-Z]{6}[A-Z\d]{2}(?:[A-Z\d]{3})?`;

const labelled = new RegExp(
  String.raw`(?<![\w*./-])(?:${[holder, company, creditor, groupedAccount, bic, charge].join("|")}|(?:${codeLabels})[ :]*${code}|(?:${labels}|${codeLabels}) ?:(?: ?${code})?)[ ;,]*`,
  "g",
);

/** Behind it credit unions of the United States repeat who is paid, and name the account's own holder. */
const paymentType = / ?\/TYPE: .*$/;

/** Nearly all lines have no field, and are spared the pattern. */
const fieldMark = /:|; |\d{4} \d{4}|\bMANDAT|\bCOD\.? ?DISP|\bRECIBO|\bTRN |\bINCASSO |\bBIC |\dZZZ/;

/** A normalised line without them; the line itself where nobody would be named without. */
export function withoutFieldLabels(line: string): string {
  if (!fieldMark.test(line)) return line;
  const rest = line.replace(paymentType, "").replace(labelled, " ").replace(/ {2,}/g, " ").trim();
  return hasLetters([rest]) ? rest : line;
}
