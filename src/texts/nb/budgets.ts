/** What budgets say, in Norwegian (bokmål). Names in braces are filled in. */
import type { BudgetTexts } from "../wording.ts";

export const budgets: BudgetTexts = {
  list: { separator: ", ", last: " og " },
  gathered: "Annet: {category}",
  notes: {
    includesOthers: "Beløpet dekker også {categories}.",
    includedInOthers: "Betales sammen med {categories}.",
    expectedEmpty: "Ut fra opplysningene om husstanden skulle det ikke være utgifter til {category}.",
    expectedAlways: "Nesten alle husstander har utgifter til {category}.",
    expectedNonempty: "Ut fra opplysningene om husstanden skulle det være utgifter til {category}.",
    expectedIncome: "Ut fra opplysningene om husstanden skulle det være {category}.",
  },
  alerts: {
    targetNotMet: "Utgifter på {amount} i måneden har en kategori; budsjettet er pålitelig fra {target}.",
    missingExpenses: "Det er ikke budsjettert med {categories}.",
    unexpectedExpenses: "Det er betalinger til {categories} som husstanden ikke skulle ha.",
    groupedCategories: "Noen betalinger dekker flere kategorier: {categories}.",
    noIncome: "Det ses ingen regelmessige inntekter på kontoene.",
    cardBills: "Det betales kortregninger for kjøp som ikke finnes på kontoene.",
    transfersElsewhere: "Det overføres penger til en egen konto som ikke er med.",
    undecidedAccounts: "Det finnes kontoer som det ikke er tatt stilling til.",
    reference:
      "{amount} i måneden til levekostnader er mindre enn {reference}, som en slik husstand trenger ifølge {source}.",
    referenceByCategory:
      "Det er budsjettert {amount} i måneden av de {reference} som en slik husstand trenger ifølge {source}; det mangler til {categories}.",
    referenceOfChildren:
      "{amount} i måneden til levekostnader er mindre enn {reference}, som barna alene koster ifølge {source}.",
    referenceIsOld: "Tabellen er mer enn 12 måneder gammel.",
    userProvided: "De oppgitte beløpene gir {amount} i måneden, de observerte {engine}.",
  },
  risks: {
    debtCollectionTitle: "Inkasso",
    debtCollection: "{count} {count|betaling|betalinger} til inkasso de siste 12 månedene, til sammen {amount}.",
    debtCollectionSince: "Ytterligere {count} siden da, til sammen {amount}.",
    noDebtCollection: "Ingen betalinger til inkasso de siste 12 månedene.",
    excessiveTitle: "Mer igjen enn kontoene viser",
    agrees: "Igjen i måneden: {amount} etter budsjettet, {observed} på kontoene. De to beløpene ligger nær hverandre.",
    better:
      "Igjen i måneden: {amount} etter budsjettet, {observed} på kontoene. Budsjettet ser {difference} bedre ut enn kontoene: {income} fra inntekter, {expenses} fra utgifter og {once} fra engangsposter.",
    worse:
      "Igjen i måneden: {amount} etter budsjettet, {observed} på kontoene. Budsjettet ser {difference} dårligere ut enn kontoene: {income} fra inntekter, {expenses} fra utgifter og {once} fra engangsposter.",
    notComparable: "Det finnes ingen hel måned å sammenligne budsjettet med.",
    coverage: "Kontodataene dekker {covered} av de 12 månedene.",
  },
  additionalRisks: {
    ARREARS: {
      title: "Forventet, ikke sett",
      marked: "Forfalt og ikke sett på disse kontoene siden: {payees}. De kan være betalt fra en annen konto.",
      unmarked: "Ingen faste forpliktelser mangler på disse kontoene.",
    },
    NEW_CREDIT: {
      title: "Ny kreditt",
      marked:
        "De siste 12 månedene og siden: {payouts} {payouts|utbetalt|utbetalte} lån, til sammen {amount}; {loans} lån der betalingene har begynt.",
      unmarked: "Ingen lån er utbetalt eller påbegynt de siste 12 månedene.",
    },
    PAY_LATER: {
      title: "Kjøp nå, betal senere",
      marked:
        "{count} {count|betaling|betalinger} for kjøp med utsatt betaling de siste 12 månedene og siden, til sammen {amount}.",
      unmarked:
        "{count} {count|betaling|betalinger} for kjøp med utsatt betaling de siste 12 månedene og siden; markeres fra tre.",
      none: "Ingen betalinger for kjøp med utsatt betaling de siste 12 månedene.",
    },
    GAMBLING: {
      title: "Pengespill",
      marked: "{stakes} satset og {winnings} vunnet de siste 12 månedene: netto {net}.",
      unmarked: "{stakes} satset og {winnings} vunnet de siste 12 månedene.",
      none: "Ingen betalinger til pengespill de siste 12 månedene.",
    },
    OVERDRAFT: {
      title: "Overtrekk",
      marked:
        "{count} {count|rente eller gebyr|renter eller gebyrer} for overtrekk de siste 12 månedene og siden, til sammen {amount}.",
      unmarked: "Ingen renter eller gebyrer for overtrekk de siste 12 månedene.",
    },
    REJECTED_PAYMENTS: {
      title: "Avviste og tilbakeførte betalinger",
      marked:
        "{count} {count|avvist eller tilbakeført betaling eller purring|avviste eller tilbakeførte betalinger eller purringer} de siste 12 månedene og siden, til sammen {amount}.",
      unmarked: "Ingen avviste eller tilbakeførte betalinger de siste 12 månedene.",
    },
    DEBT_SERVICE: {
      title: "Inntekt som går til långivere",
      marked: "{amount} i måneden, {share} av inntekten, går til långivere.",
      unmarked: "{amount} i måneden, {share} av inntekten, går til långivere.",
      unknown: "{amount} i måneden går til långivere; uten inntekt kan andelen ikke beregnes.",
    },
    NEGATIVE_BALANCE: {
      title: "Dager under null",
      marked:
        "En konto endte {days} {days|dag|dager} under null i de dekkede månedene; den laveste saldoen var {lowest}.",
      unmarked:
        "Ingen konto endte mer enn fire dager under null i de dekkede månedene; den laveste saldoen var {lowest}.",
      unknown: "Kan ikke beregnes: Banken har ikke oppgitt saldoer for kontoene.",
    },
  },
  questions: {
    recategorizationTitle: "Hva er {payee}?",
    recategorization: "Det går ca. {amount} i måneden til {payee}. Hvilken kategori hører det til?",
    recategorizationUnsure: "Det går ca. {amount} i måneden til {payee}. Vi tror at det er {category}. Stemmer det?",
    missingTitle: "Ingen utgift til {category}",
    missingIncomeTitle: "Ingen {category} funnet",
    lines: "Siste: {lines}.",
    missing: "Vi ventet en betaling til {category}, men fant ingen. Hvilken betaling er det, eller hvor mye er det?",
    missingIncome: "Vi ventet {category}, men fant ingen. Hvilken betaling er det, eller hvor mye er det?",
  },
};
