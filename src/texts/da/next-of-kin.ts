/** The report for the next of kin, in Danish. Names in braces are filled in. */
import type { NextOfKinTexts } from "../wording.ts";

export const nextOfKin: NextOfKinTexts = {
  title: "Faste betalinger",
  subtitle: "Overblik til de pårørende",
  footer: "Udarbejdet ud fra kontodata; viser måske ikke alle forpligtelser",
  notice:
    "Overblikket viser de tilbagevendende betalinger, der kan ses på afdødes konti i banken. Det hjælper med at afslutte aftaler og er hverken en gældsoversigt eller en boopgørelse. Virksomheder og myndigheder kan have krav, som ingen betaling viser.",
  cover: {
    customer: "Kundenummer",
    documentId: "Dokument",
    madeOn: "Data til og med",
    effectiveDate: "Dato oplyst i bestillingen",
    period: "Betalinger fra – til",
    accounts: "Konti og kort",
  },
  overview: {
    title: "Overblik",
    subscriptions: "Abonnementer om året",
    fixed: "Faste udgifter om året",
    stopped: "Ophørt de seneste tolv måneder",
    agreements: "Aftaler: {count}",
    intro:
      "Tallene viser, hvad aftalerne kan ventes at koste det næste år ud fra det seneste års betalinger, hvis intet opsiges.",
    stepsTitle: "Det kan I gøre",
    directDebits:
      "Betales automatisk, for eksempel via Betalingsservice: {count}. Banken kan standse betalingerne; selve aftalerne opsiges hos virksomhederne.",
    cards: "Betales med kort: {count}. Et lukket kort standser betalingen, ikke aftalen.",
    invoices:
      "Betales med indbetalingskort, faktura eller overførsel: {count}. Regningerne kommer, indtil aftalen er opsagt.",
    stores: "Købt i en appbutik: {count}. De opsiges i abonnementslisten på butikkens konto.",
    repayable:
      "Udbetalere af pension eller ydelser: {count}. Hvad der er udbetalt for tiden efter dødsfaldet, skal måske betales tilbage.",
  },
  subscriptions: {
    title: "Abonnementer",
    intro: "Aftaler, der som regel er lette at opsige. De dyreste står først.",
    none: "Der er ikke fundet løbende abonnementer.",
  },
  fixed: {
    title: "Faste udgifter",
    intro:
      "Bolig, forsikring, energi, lån og lignende. Spørg den, der behandler boet, før de opsiges: Nogle beskytter det, boet ejer.",
    none: "Der er ikke fundet løbende faste udgifter.",
  },
  stopped: {
    title: "Ophørt de seneste tolv måneder",
    intro:
      "Den ventede betaling er udeblevet, eller aftalen er opsagt. En sidste regning eller en tilbagebetaling kan stadig komme.",
    none: "Ingen tilbagevendende betaling er ophørt de seneste tolv måneder.",
  },
  income: {
    title: "Indtægter, der måske skal betales tilbage",
    intro:
      "Pensioner og ydelser modtaget de seneste tolv måneder. Giv udbetalerne besked om dødsfaldet; hvad de har betalt for tiden derefter, kræver de som regel tilbage.",
    none: "Der er ikke fundet pensioner eller ydelser de seneste tolv måneder.",
    payer: "Udbetaler",
    kind: "Type",
    frequency: "Hvor ofte",
    lastDay: "Senest modtaget",
    lastAmount: "Seneste beløb",
    total: "Tolv måneder",
  },
  columns: {
    product: "Produkt og virksomhed",
    payment: "Betales med",
    amount: "Senest betalt",
    yearly: "Om året",
    dates: "Seneste og næste",
    cancelling: "Opsigelse",
    lastDates: "Seneste betaling",
  },
  total: "I alt",
  next: "næste {day}",
  otherCurrency: "Beløb i anden valuta end {currency} står med valutakode og er ikke med i summerne.",
  method: {
    CARD: "kort",
    DIRECT_DEBIT: "automatisk betaling",
    INVOICE: "faktura",
    TRANSFER: "overførsel",
    CASH: "kontant",
    OTHER: "andet",
  },
  cancelling: {
    POSSIBLE: "kan opsiges",
    EXPLAIN_WHY_NOT: "kun hos virksomheden selv",
    STORE: "i appbutikken",
    UNDER_CANCELLATION: "er ved at blive opsagt",
    CANCELLED: "opsagt",
    ENDED: "betalingen udeblev",
    COMPANY: "efter aftale med virksomheden",
  },
  mark: {
    HIDDEN: "skjult af kunden",
    UNDECIDED: "usikkert: kan være enkeltkøb",
    GATEWAY: "betales gennem dette firma; kan stå for et andet produkt",
    STORE: "ukendt produkt fra en appbutik",
  },
  storeAt: "Abonnementsliste: {url}",
  methodSection: {
    title: "Sådan er rapporten lavet",
    paragraphs: {
      source:
        "Rapporten er lavet automatisk ud fra {count} {count|postering|posteringer}, som banken havde den {day}, fra {from} til {to}. Betalinger fra andre banker, med kontanter eller fra andre personer er ikke med.",
      rules:
        "En betaling regnes for tilbagevendende, når dens datoer og beløb gentager sig, eller når modtageren er kendt for abonnementer. Genkendelse, version {version}. Usikre betalinger er markeret.",
      yearly:
        "Et år koster, hvad betalingerne de seneste tolv måneder tyder på: ved en fast pris den seneste gange årets betalinger; ved svingende priser det, der blev betalt.",
      masked: "Konto- og kortnumre vises delvist. Navne står, som virksomhederne eller banken skriver dem.",
    },
    empty: "Banken havde ingen posteringer for kunden, da rapporten blev lavet.",
  },
};
