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
    targetNotMet: "{amount} i måneden har en kategori; budsjettet kan brukes når det er {target}.",
    missingExpenses: "Det er ikke budsjettert med {categories}.",
    unexpectedExpenses: "Det er betalinger til {categories} som husstanden ikke skulle ha.",
    groupedCategories: "Noen betalinger dekker flere kategorier: {categories}.",
    noIncome: "Det er ingen regelmessig inntekt på kontoene.",
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
    debtCollection: "{count} betalinger til inkasso de siste 12 månedene, til sammen {amount}.",
    debtCollectionSince: "Ytterligere {count} siden da, til sammen {amount}.",
    noDebtCollection: "Ingen betalinger til inkasso de siste 12 månedene.",
    excessiveTitle: "Mer til overs enn kontoen viser",
    agrees: "Det budsjettet gir til overs, {amount} i måneden, stemmer med de {observed} som var igjen på kontoene.",
    better:
      "Budsjettet gir {amount} til overs i måneden, {difference} mer enn de {observed} som var igjen på kontoene: {income} fra inntekt, {expenses} fra utgifter og {once} fra engangsposter.",
    worse:
      "Budsjettet gir {amount} til overs i måneden, {difference} mindre enn de {observed} som var igjen på kontoene: {income} fra inntekt, {expenses} fra utgifter og {once} fra engangsposter.",
    notComparable: "Det finnes ingen hel måned å sammenligne budsjettet med.",
  },
  additionalRisks: {
    ARREARS: {
      title: "Ventet, ikke sett",
      marked: "Forfalt og ikke sett på disse kontoene siden: {payees}. Det kan være betalt fra et annet sted.",
      unmarked: "Ingen fast forpliktelse er forfalt på disse kontoene.",
    },
    NEW_CREDIT: {
      title: "Ny kreditt",
      marked:
        "De siste 12 månedene og siden: {payouts} utbetalte lån, til sammen {amount}; {loans} lån der betalingene har begynt.",
      unmarked: "Ingen lån er utbetalt eller begynt de siste 12 månedene.",
    },
    PAY_LATER: {
      title: "Kjøp nå, betal senere",
      marked: "{count} betalinger til utsatt betaling de siste 12 månedene og siden, til sammen {amount}.",
      unmarked: "Færre enn tre betalinger til utsatt betaling de siste 12 månedene: {count}.",
    },
    GAMBLING: {
      title: "Pengespill",
      marked: "{stakes} satset og {winnings} vunnet de siste 12 månedene: netto {net}.",
      unmarked: "{stakes} satset og {winnings} vunnet de siste 12 månedene.",
    },
    OVERDRAFT: {
      title: "Overtrekk",
      marked: "{count} renter eller gebyrer for overtrekk de siste 12 månedene og siden, til sammen {amount}.",
      unmarked: "Ingen renter eller gebyrer for overtrekk de siste 12 månedene.",
    },
    REJECTED_PAYMENTS: {
      title: "Avviste og tilbakeførte betalinger",
      marked:
        "{count} avviste eller tilbakeførte betalinger eller purringer på dem de siste 12 månedene og siden, til sammen {amount}.",
      unmarked: "Ingen avviste eller tilbakeførte betalinger de siste 12 månedene.",
    },
    DEBT_SERVICE: {
      title: "Inntekt som går til långivere",
      marked: "{amount} i måneden, {share} av inntekten, går til långivere.",
      unmarked: "{amount} i måneden, {share} av inntekten, går til långivere.",
      unknown: "{amount} i måneden går til långivere; uten inntekt er det ingen andel.",
    },
    NEGATIVE_BALANCE: {
      title: "Dager under null",
      marked: "En konto endte {days} dager under null i de dekkede månedene; den laveste saldoen var {lowest}.",
      unmarked:
        "Ingen konto endte mer enn fire dager under null i de dekkede månedene; den laveste saldoen var {lowest}.",
      unknown: "Kan ikke beregnes: Det er ikke levert saldoer for kontoene.",
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
