/** The report for the next of kin, in Norwegian (bokmål). Names in braces are filled in. */
import type { NextOfKinTexts } from "../wording.ts";

export const nextOfKin: NextOfKinTexts = {
  title: "Faste betalinger",
  subtitle: "Oversikt til de etterlatte",
  footer: "Laget ut fra kontodata; viser kanskje ikke alle forpliktelser",
  notice:
    "Oversikten viser de faste betalingene som kan ses på avdødes kontoer i banken. Den hjelper med å avslutte avtaler og er verken en gjeldsoversikt eller et booppgjør. Bedrifter og myndigheter kan ha krav som ingen betaling viser.",
  cover: {
    customer: "Kundenummer",
    documentId: "Dokument",
    madeOn: "Data til og med",
    effectiveDate: "Dato oppgitt i bestillingen",
    period: "Betalinger fra – til",
    accounts: "Kontoer og kort",
  },
  overview: {
    title: "Oversikt",
    subscriptions: "Abonnementer i året",
    fixed: "Faste utgifter i året",
    stopped: "Opphørt de siste tolv månedene",
    agreements: "Avtaler: {count}",
    intro:
      "Tallene viser hva avtalene kan ventes å koste det neste året ut fra det siste årets betalinger, hvis ingenting sies opp.",
    stepsTitle: "Dette kan dere gjøre",
    directDebits:
      "Betales automatisk, for eksempel med AvtaleGiro: {count}. Banken kan stanse betalingene; selve avtalene sies opp hos bedriftene.",
    cards: "Betales med kort: {count}. Et stengt kort stanser betalingen, ikke avtalen.",
    invoices: "Betales med faktura eller overføring: {count}. Regningene kommer til avtalen er sagt opp.",
    stores: "Kjøpt i en appbutikk: {count}. De sies opp i abonnementslisten på butikkens konto.",
    repayable:
      "Utbetalere av pensjon eller ytelser: {count}. Det som er utbetalt for tiden etter dødsfallet, må kanskje betales tilbake.",
  },
  subscriptions: {
    title: "Abonnementer",
    intro: "Avtaler som vanligvis er lette å si opp. De dyreste står først.",
    none: "Det er ikke funnet løpende abonnementer.",
  },
  fixed: {
    title: "Faste utgifter",
    intro:
      "Bolig, forsikring, energi, lån og lignende. Spør den som behandler boet før de sies opp: Noen beskytter det boet eier.",
    none: "Det er ikke funnet løpende faste utgifter.",
  },
  stopped: {
    title: "Opphørt de siste tolv månedene",
    intro:
      "Den ventede betalingen uteble, eller avtalen er sagt opp. En siste regning eller en tilbakebetaling kan fortsatt komme.",
    none: "Ingen faste betalinger har opphørt de siste tolv månedene.",
  },
  income: {
    title: "Inntekter som kanskje må betales tilbake",
    intro:
      "Pensjoner og ytelser mottatt de siste tolv månedene. Gi utbetalerne beskjed om dødsfallet; det de har betalt for tiden etter, krever de vanligvis tilbake.",
    none: "Det er ikke funnet pensjoner eller ytelser de siste tolv månedene.",
    payer: "Utbetaler",
    kind: "Type",
    frequency: "Hvor ofte",
    lastDay: "Sist mottatt",
    lastAmount: "Siste beløp",
    total: "Tolv måneder",
  },
  columns: {
    product: "Produkt og bedrift",
    payment: "Betales med",
    amount: "Sist betalt",
    yearly: "I året",
    dates: "Siste og neste",
    cancelling: "Oppsigelse",
    lastDates: "Siste betaling",
  },
  total: "Sum",
  next: "neste {day}",
  otherCurrency: "Beløp i annen valuta enn {currency} står med valutakode og er ikke med i summene.",
  method: {
    CARD: "kort",
    DIRECT_DEBIT: "automatisk trekk",
    INVOICE: "faktura",
    TRANSFER: "overføring",
    CASH: "kontant",
    OTHER: "annet",
  },
  cancelling: {
    POSSIBLE: "kan sies opp",
    EXPLAIN_WHY_NOT: "bare hos bedriften selv",
    STORE: "i appbutikken",
    UNDER_CANCELLATION: "er i ferd med å bli sagt opp",
    CANCELLED: "sagt opp",
    ENDED: "betalingen uteble",
    COMPANY: "etter avtale med bedriften",
  },
  mark: {
    HIDDEN: "skjult av kunden",
    UNDECIDED: "usikkert: kan være enkeltkjøp",
    GATEWAY: "betales gjennom dette firmaet; kan stå for et annet produkt",
    STORE: "ukjent produkt fra en appbutikk",
  },
  storeAt: "Abonnementsliste: {url}",
  methodSection: {
    title: "Slik er rapporten laget",
    paragraphs: {
      source:
        "Rapporten er laget automatisk ut fra {count} {count|transaksjon|transaksjoner} som banken hadde {day}, fra {from} til {to}. Betalinger fra andre banker, med kontanter eller fra andre personer er ikke med.",
      rules:
        "En betaling regnes som fast når datoene og beløpene gjentar seg, eller når mottakeren er kjent for abonnementer. Gjenkjenning, versjon {version}. Usikre betalinger er markert.",
      yearly:
        "Et år koster det betalingene de siste tolv månedene tyder på: ved en fast pris den siste ganger årets betalinger; ved varierende priser det som ble betalt.",
      masked: "Konto- og kortnumre vises delvis. Navn står slik bedriftene eller banken skriver dem.",
    },
    empty: "Banken hadde ingen transaksjoner for kunden da rapporten ble laget.",
  },
};
