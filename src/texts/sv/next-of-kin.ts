/** The report for the next of kin, in Swedish. Names in braces are filled in. */
import type { NextOfKinTexts } from "../wording.ts";

export const nextOfKin: NextOfKinTexts = {
  title: "Återkommande betalningar",
  subtitle: "Översikt för efterlevande",
  footer: "Framställd utifrån kontodata; visar kanske inte alla åtaganden",
  notice:
    "Översikten visar de återkommande betalningar som syns på den avlidnes konton i banken. Den hjälper till att avsluta avtal och är varken en skuldlista eller en bouppteckning. Företag och myndigheter kan ha krav som ingen betalning visar.",
  cover: {
    customer: "Kundnummer",
    documentId: "Dokument",
    madeOn: "Data till och med",
    effectiveDate: "Datum angivet i beställningen",
    period: "Betalningar från – till",
    accounts: "Konton och kort",
  },
  overview: {
    title: "Översikt",
    subscriptions: "Abonnemang per år",
    fixed: "Fasta utgifter per år",
    stopped: "Upphört de senaste tolv månaderna",
    agreements: "Avtal: {count}",
    intro:
      "Siffrorna visar vad avtalen kan väntas kosta det kommande året utifrån det senaste årets betalningar, om inget sägs upp.",
    stepsTitle: "Det här kan ni göra",
    directDebits:
      "Betalas med autogiro: {count}. Banken kan stoppa betalningarna; själva avtalen sägs upp hos företagen.",
    cards: "Betalas med kort: {count}. Ett spärrat kort stoppar betalningen, inte avtalet.",
    invoices: "Betalas med faktura eller överföring: {count}. Räkningarna kommer tills avtalet är uppsagt.",
    stores: "Köpt i en appbutik: {count}. De avslutas i abonnemangslistan på butikens konto.",
    repayable:
      "Utbetalare av pension eller bidrag: {count}. Det som betalats ut för tiden efter dödsfallet kan behöva betalas tillbaka.",
  },
  subscriptions: {
    title: "Abonnemang",
    intro: "Avtal som oftast är lätta att säga upp. De dyraste står först.",
    none: "Inga löpande abonnemang hittades.",
  },
  fixed: {
    title: "Fasta utgifter",
    intro:
      "Boende, försäkring, energi, lån och liknande. Fråga den som förvaltar dödsboet innan de sägs upp: Vissa skyddar det boet äger.",
    none: "Inga löpande fasta utgifter hittades.",
  },
  stopped: {
    title: "Upphört de senaste tolv månaderna",
    intro:
      "Den väntade betalningen uteblev, eller så är avtalet uppsagt. En sista räkning eller en återbetalning kan ännu komma.",
    none: "Ingen återkommande betalning har upphört de senaste tolv månaderna.",
  },
  income: {
    title: "Inkomster som kan behöva betalas tillbaka",
    intro:
      "Pensioner och bidrag som tagits emot de senaste tolv månaderna. Meddela utbetalarna dödsfallet; det de betalat för tiden därefter kräver de oftast tillbaka.",
    none: "Ingen pension och inget bidrag hittades de senaste tolv månaderna.",
    payer: "Utbetalare",
    kind: "Typ",
    frequency: "Hur ofta",
    lastDay: "Senast mottaget",
    lastAmount: "Senaste belopp",
    total: "Tolv månader",
  },
  columns: {
    product: "Produkt och företag",
    payment: "Betalas med",
    amount: "Senast betalt",
    yearly: "Per år",
    dates: "Senaste och nästa",
    cancelling: "Uppsägning",
    lastDates: "Senaste betalning",
  },
  total: "Summa",
  next: "nästa {day}",
  otherCurrency: "Belopp i annan valuta än {currency} står med valutakod och ingår inte i summorna.",
  method: {
    CARD: "kort",
    DIRECT_DEBIT: "autogiro",
    INVOICE: "faktura",
    TRANSFER: "överföring",
    CASH: "kontant",
    OTHER: "annat",
  },
  cancelling: {
    POSSIBLE: "kan sägas upp",
    EXPLAIN_WHY_NOT: "endast hos företaget självt",
    STORE: "i appbutiken",
    UNDER_CANCELLATION: "håller på att sägas upp",
    CANCELLED: "uppsagt",
    ENDED: "betalningen uteblev",
    COMPANY: "enligt avtal med företaget",
  },
  mark: {
    HIDDEN: "dold av kunden",
    UNDECIDED: "osäkert: kan vara enstaka köp",
    GATEWAY: "betalas genom detta företag; kan stå för en annan produkt",
    STORE: "okänd produkt från en appbutik",
  },
  storeAt: "Abonnemangslista: {url}",
  methodSection: {
    title: "Så är rapporten gjord",
    paragraphs: {
      source:
        "Rapporten är gjord automatiskt utifrån {count} {count|transaktion|transaktioner} som banken hade den {day}, från {from} till {to}. Betalningar från andra banker, med kontanter eller från andra personer ingår inte.",
      rules:
        "En betalning räknas som återkommande när dess datum och belopp upprepas, eller när mottagaren är känd för abonnemang. Igenkänning, version {version}. Osäkra betalningar är markerade.",
      yearly:
        "Ett år kostar vad betalningarna de senaste tolv månaderna tyder på: vid ett fast pris det senaste gånger årets betalningar; vid varierande priser det som betalades.",
      masked: "Konto- och kortnummer visas delvis. Namn står som företagen eller banken skriver dem.",
    },
    empty: "Banken hade inga transaktioner för kunden när rapporten gjordes.",
  },
};
