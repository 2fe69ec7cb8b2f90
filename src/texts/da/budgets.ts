/** What budgets say, in Danish. Names in braces are filled in. */
import type { BudgetTexts } from "../wording.ts";

export const budgets: BudgetTexts = {
  list: { separator: ", ", last: " og " },
  gathered: "Øvrigt: {category}",
  notes: {
    includesOthers: "Beløbet dækker også {categories}.",
    includedInOthers: "Betales sammen med {categories}.",
    expectedEmpty: "Ud fra oplysningerne om husstanden burde der ikke være udgifter til {category}.",
    expectedAlways: "Næsten alle husstande har udgifter til {category}.",
    expectedNonempty: "Ud fra oplysningerne om husstanden burde der være udgifter til {category}.",
    expectedIncome: "Ud fra oplysningerne om husstanden burde der være {category}.",
  },
  alerts: {
    targetNotMet: "{amount} om måneden har en kategori; budgettet kan bruges, når det er {target}.",
    missingExpenses: "Der er ikke budgetteret med {categories}.",
    unexpectedExpenses: "Der er betalinger til {categories}, som husstanden ikke burde have.",
    groupedCategories: "Nogle betalinger dækker flere kategorier: {categories}.",
    noIncome: "Der ses ingen regelmæssig indkomst på kontiene.",
    cardBills: "Der betales kortregninger, hvis køb ikke findes på kontiene.",
    transfersElsewhere: "Der overføres penge til en egen konto, som ikke er med.",
    undecidedAccounts: "Der er konti, som der ikke er taget stilling til.",
    reference:
      "{amount} om måneden til leveomkostninger er mindre end {reference}, som en sådan husstand har brug for ifølge {source}.",
    referenceByCategory:
      "Der er budgetteret {amount} om måneden af de {reference}, som en sådan husstand har brug for ifølge {source}; der mangler til {categories}.",
    referenceOfChildren:
      "{amount} om måneden til leveomkostninger er mindre end {reference}, som alene børnene koster ifølge {source}.",
    referenceIsOld: "Tabellen er mere end 12 måneder gammel.",
    userProvided: "De oplyste beløb giver {amount} om måneden, de observerede {engine}.",
  },
  risks: {
    debtCollectionTitle: "Inkasso",
    debtCollection: "{count} betalinger til inkasso de seneste 12 måneder, i alt {amount}.",
    debtCollectionSince: "Yderligere {count} siden da, i alt {amount}.",
    noDebtCollection: "Ingen betalinger til inkasso de seneste 12 måneder.",
    excessiveTitle: "Større rådighedsbeløb, end kontoen viser",
    agrees: "Det, budgettet levner, {amount} om måneden, svarer til de {observed}, der var tilbage på kontiene.",
    better:
      "Budgettet levner {amount} om måneden, {difference} mere end de {observed}, der var tilbage på kontiene: {income} fra indkomst, {expenses} fra udgifter og {once} fra engangsposter.",
    worse:
      "Budgettet levner {amount} om måneden, {difference} mindre end de {observed}, der var tilbage på kontiene: {income} fra indkomst, {expenses} fra udgifter og {once} fra engangsposter.",
    notComparable: "Der er ingen hel måned at sammenligne budgettet med.",
  },
  additionalRisks: {
    ARREARS: {
      title: "Forventet, ikke set",
      marked: "Forfaldent og ikke set på disse konti siden: {payees}. Det kan være betalt andetsteds fra.",
      unmarked: "Ingen fast forpligtelse er forfalden på disse konti.",
    },
    NEW_CREDIT: {
      title: "Ny kredit",
      marked:
        "De seneste 12 måneder og siden: {payouts} udbetalte lån, i alt {amount}; {loans} lån, hvis ydelser er begyndt.",
      unmarked: "Intet lån er udbetalt eller begyndt de seneste 12 måneder.",
    },
    PAY_LATER: {
      title: "Køb nu, betal senere",
      marked: "{count} betalinger til udskudt betaling de seneste 12 måneder og siden, i alt {amount}.",
      unmarked: "Færre end tre betalinger til udskudt betaling de seneste 12 måneder: {count}.",
    },
    GAMBLING: {
      title: "Spil",
      marked: "{stakes} indsat og {winnings} vundet de seneste 12 måneder: netto {net}.",
      unmarked: "{stakes} indsat og {winnings} vundet de seneste 12 måneder.",
    },
    OVERDRAFT: {
      title: "Overtræk",
      marked: "{count} renter eller gebyrer for overtræk de seneste 12 måneder og siden, i alt {amount}.",
      unmarked: "Ingen renter eller gebyrer for overtræk de seneste 12 måneder.",
    },
    REJECTED_PAYMENTS: {
      title: "Afviste og tilbageførte betalinger",
      marked:
        "{count} afviste eller tilbageførte betalinger eller rykkere for dem de seneste 12 måneder og siden, i alt {amount}.",
      unmarked: "Ingen afviste eller tilbageførte betalinger de seneste 12 måneder.",
    },
    DEBT_SERVICE: {
      title: "Indkomst, der går til långivere",
      marked: "{amount} om måneden, {share} af indkomsten, går til långivere.",
      unmarked: "{amount} om måneden, {share} af indkomsten, går til långivere.",
      unknown: "{amount} om måneden går til långivere; uden indkomst er der ingen andel.",
    },
    NEGATIVE_BALANCE: {
      title: "Dage under nul",
      marked: "En konto sluttede {days} dage under nul i de dækkede måneder; den laveste saldo var {lowest}.",
      unmarked:
        "Ingen konto sluttede mere end fire dage under nul i de dækkede måneder; den laveste saldo var {lowest}.",
      unknown: "Kan ikke beregnes: Der er ikke leveret saldi for kontiene.",
    },
  },
  questions: {
    recategorizationTitle: "Hvad er {payee}?",
    recategorization: "Der går ca. {amount} om måneden til {payee}. Hvilken kategori hører det til?",
    recategorizationUnsure:
      "Der går ca. {amount} om måneden til {payee}. Vi tror, at det er {category}. Er det rigtigt?",
    missingTitle: "Ingen udgift til {category}",
    missingIncomeTitle: "Ingen {category} fundet",
    lines: "Seneste: {lines}.",
    missing:
      "Vi forventede en betaling til {category}, men fandt ingen. Hvilken betaling er det, eller hvor meget er det?",
    missingIncome: "Vi forventede {category}, men fandt ingen. Hvilken betaling er det, eller hvor meget er det?",
  },
};
