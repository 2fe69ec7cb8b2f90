/**
 * Words of banks in the languages we meet that name nobody: those that open a line and say how it was paid, and those
 * that say that it was agreed beforehand.
 */

const bankPrefix = new RegExp(
  `^(?:${[
    "DANKORT-?NOTA",
    "VISA/?DK",
    "VISA/?DANKORT",
    "MASTERCARD",
    "MC/SE",
    "KORTKOB",
    "KORTKOP",
    "VAREKJOP",
    "VISA VAREKJOP",
    "KORTBETALING",
    "KORTTIOSTO",
    "KARTENZAHLUNG",
    "(?:(?:BASIS|FOLGE|ERST|EINMAL)-?)?LASTSCHRIFT(?:EINZUG|EINLOSUNG)?",
    "(?:EINZEL|ONLINE-?|ECHTZEIT-?)?UBERWEISUNG",
    "SEPA[- ](?:(?:BASIS|FIRMEN)?LASTSCHRIFT|DIRECT DEBIT|INCASSO)",
    "DAUERAUFTRAGE?",
    "BETALAUTOMAT",
    "INCASSO",
    "IDEAL",
    "PERIODIEKE OVERBOEKING",
    "(?:EUROPESE |EUROPEENNE )?(?:DOMICILIERING|DOMICILIATION)(?: EUROPEENNE)?(?: \\d{2}-\\d{2})?(?: (?:VAN|DE|EN FAVEUR DE))?",
    "POLECENIE ZAPLATY",
    "OBCIAZENIE",
    "CARTE(?: BANCAIRE)?",
    "PAIEMENT(?: PAR)? CARTE",
    "ACHAT (?:CB|CARTE)",
    "(?:PRLV|PRELEVEMENT)(?: SEPA)?",
    "VIR(?:EMENT)?(?: SEPA| PERMANENT)?",
    "(?:MANDATO )?S?DD(?: A(?= ?:))?(?= [A-Z:])",
    "COBR(?:ANCA)?[. ]+SEPA",
    "DEBITO (?:DIRECT?O|AUTOMATICO)",
    "(?:ORDEN|ORDEM|ORDINE|ORDRE) PERMANENTE?",
    "R/",
    "RECIBO",
    "ADEUDO(?: SEPA)?",
    "COMPRA(?: TARJ(?:ETA)?| DEBITO| CREDITO)?",
    "PAGO CON TARJETA",
    "ADDEBITO(?: DIRETTO| SDD| RID)?",
    "PAGAMENTO(?: POS)?",
    "PLATBA(?: KARTOU)?",
    "ZAKUP (?:PRZY UZYCIU KARTY|KARTA)",
    "PLATNOSC KARTA",
    "CARD (?:PAYMENT|PURCHASE)(?: TO)?",
    "CONTACTLESS(?: PAYMENT)?",
    "POS(?: PURCHASE)?",
    "PURCHASE",
    "DIRECT DEBIT(?: TO)?",
    "STANDING ORDER(?: TO)?",
    "BILL (?:PAY(?:MENT)?|PMT)(?: TO| CHECK)?",
    "PAY BILL(?: ONLINE)?(?: TO)?",
    "(?:DEBICHECK )?DEBIT ORDER(?: TO)?",
    "PRE-?AUTHORI[SZ]ED (?:DEBIT|PAYMENT)(?: TO)?",
    "AUTOMATIC PAYMENT(?: TO)?",
    "ACH (?:DEBIT|WITHDRAWAL)",
    "WITHDRAWAL[ -]+(?:ACH(?:-A)?|BILL PAYMENT|DEBIT CARD|POS)",
    "(?:NACH|ECS|ACH)[ /_-]+(?:DR?|DEBIT)(?= ?[ /_-])",
    "BPAY",
    "BETALINGSSERVICE",
    "PAYMENT TO",
    "BETALING TIL",
    "BETALNING TILL",
    "ZAHLUNG AN",
    "OVERFORSEL TIL",
    "OVERFORING TILL?",
    "INKASO",
    "TRVAL[YA] (?:PRIKAZ|PLATBA)",
    "ZLECENIE STALE",
    "CSOPORTOS BESZEDES",
    "ALLANDO ATUTALAS",
    "TRAJNI NALOG",
    "SUORA(?:VELOITUS|MAKSU)",
    "OTSEKORRALDUS",
    "PUSI(?:KORRALDUS|MAKSE)",
    "LEVERANDORSERVICE",
    "PBS",
    "BS(?= [A-Z])",
    "AUTOGIRO",
    "AVT(?:ALE)?GI(?:RO)?",
    "E-?LASKU",
    "VISA KOB",
    "TIL",
    "FRA",
    "SENDT(?: TIL)?",
    "SKICKAD(?: TILL)?",
    "MOTTAGEN(?: FRAN)?",
    "MODTAGET(?: FRA)?",
    "MOTTATT(?: FRA)?",
    "E-?FAKTURA",
    "NETTGIRO",
    "GIRO",
    "RECURRING(?: PAYMENT)?",
    "APPLE PAY",
    "GOOGLE PAY",
  ].join("|")})[ :*,.-]+`,
);

/** Banks put one word of theirs before another, rarely a third. */
const bankWordsMax = 3;

/** What is left of a line, normalised, without the words with which the bank opens it. */
export function withoutBankWords(text: string): string {
  let rest = text;
  for (let words = 0; words < bankWordsMax && bankPrefix.test(rest); words++) rest = rest.replace(bankPrefix, "");
  return rest;
}

/**
 * The creditor's identifier (EPC262-08, the business code left as it is issued), which no other payment has, and marks
 * that are no words: British and Irish banks', what somebody in the United States has agreed to beforehand, and those
 * who collect for clubs in Australia and New Zealand.
 */
const marks = String.raw`\b(?:DBS|EZI)\*|\b[A-Z]{2}\d{2}ZZZ[A-Z0-9]{6,}|\bD\/D\b|^S\/O\b|\bPPD(?= ID\b|$)|^(?:NACH|ECS|ACH)[ \/_-]+(?:DR?|DEBIT)\b|^(?:SEPA )?DD (?=\p{L})`;

/** By language: direct debits and mandates, standing orders, bills. Letters may have lost their marks. */
const agreements = [
  // English: Britain and Ireland, North America, southern Africa, India and Singapore, Australia and New Zealand.
  "direct debit|dir(?:ect)? deb|standing (?:order|instruction)|sdd|e-?mandate|mandate(?= (?:no|nr|ref|id))",
  "ach (?:debit|withdrawal)|withdrawal[- ]+ach|pre-?authori[sz]ed (?:debit|payment|pmt)|business pad|auto ?pay|bill ?(?:pay|payment|pmt)",
  "recurring (?:payment|purchase|debit|card|pymt|pmt)|ezidebit|debitsuccess|gocardless",
  "debit order|debicheck|naedo|auto[- ]debit|automatic payment|bpay",
  // German, with Austria and Switzerland.
  "(?:basis|folge|erst|einmal)?last ?schr ?ift(?:einzug|einl[oö]sung)?|lsv\\+?|einzugserm[aä]chtigung|dauerauftr(?:a|ä|ae)ge?|ebill",
  // Dutch.
  "incasso|domicili[eë]ring|doorlopende (?:machtiging|(?:betalings)?opdracht)|bestendige opdracht|periodieke overboeking",
  // French.
  "prlv|pr[eé]l[eè]vement|domiciliation|mandat sepa|vir(?:ement)?\\.? perm(?:anent)?|ordre permanent",
  // Spanish, Catalan, Portuguese.
  "adeudo|recibo(?! de n[oó]mina)|domiciliaci[oó]n?|(?:cargo|pago) domiciliado|rebut",
  "(?:orden|ordem) permanente|(?:transf(?:er[eê]ncia|erencia)?|trf|traspaso)\\.? (?:peri[oó]dic[ao]|permanente)",
  "d[eé]b(?:ito)?\\.? (?:direct?o|autom[aá]tico)|cobr(?:an[cç]a)?\\.? sepa",
  // Italian.
  "addebit[oi] (?:dirett[oi]|rid|preautorizzat[oi])|domiciliazione|bonifico (?:periodico|permanente|ricorrente)|ordine permanente",
  // Danish, Norwegian, Swedish, Icelandic.
  "betalingsserv(?:ice)?|leverand[oø]rserv(?:ice)?|bs[- ]betaling|avt(?:ale)?gi(?:ro)?|autogiro|e-?faktura",
  "fast(?:e)? (?:betaling(?:er)?|overf(?:[oø]rsel|[oø]ring)?|oppdrag)|st[aå]ende [oö]verf[oö]ring|beingrei[dð]sla|bo[dð]grei[dð]sla",
  // Finnish, Estonian, Latvian, Lithuanian.
  "suoraveloitus|suoramaksu|e-lasku|toistuvaissuoritus|otsekorraldus|p[uü]si(?:korraldus|makse)|e-arve",
  "ties?[sš]ais debets|regul[aā]rais maks[aā]jums|tiesioginis debetas|periodinis mok[eė]jimas",
  // Polish, Czech and Slovak, Hungarian, Romanian.
  "polecenie zap[lł]aty|zlecenie sta[lł]e|przelew cykliczny|inkaso|trval[yýaá] (?:p[rř][ií]kaz|platba)|sipo",
  "csoportos beszed[eé]s|[aá]lland[oó] [aá]tutal[aá]s|debit(?:are)? direct[aă]?",
  // Slovenian, Croatian, Serbian and Bosnian; Turkish.
  "direktna (?:o?bremenitev)|trajni nalog|(?:izravno|direktno) (?:tere[cć]enje|zadu[zž]enje)|otomatik [oö]deme|d[uü]zenli (?:[oö]deme|havale)",
].join("|");

/** Other alphabets, whose letters make no words to \b: Greek, Bulgarian, Serbian, Russian and Ukrainian. */
const otherAlphabets =
  "(?:π[αά]για εντολ[ηή]|[αά]μεση χρ[εέ]ωση|директен дебит|периодичен превод|трајни налог|автоплат[её]ж|регулярний платіж)";

const agreed = new RegExp(String.raw`${marks}|(?<![\p{L}\d])(?:${agreements}|${otherAlphabets})(?![\p{L}\d])`, "iu");

/**
 * Whether a line says that the payment was agreed beforehand: collected under a mandate, sent by a standing order, or a
 * bill paid through the banks' service for bills.
 */
export function saysAgreed(line: string): boolean {
  return agreed.test(line);
}
