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
      "{amount} om måneden til {categories} er mindre end {reference}, som en sådan husstand har brug for ifølge {source}.",
    referenceOfChildren:
      "{amount} om måneden til leveomkostninger er mindre end {reference}, som alene børnene koster ifølge {source}.",
    referenceIsOld: "Tabellen er mere end 12 måneder gammel.",
    userProvided: "De oplyste beløb giver {amount} om måneden, de observerede {engine}.",
  },
  risks: {
    debtCollectionTitle: "Inkasso",
    debtCollection: "{count} betalinger til inkasso de seneste 12 måneder, i alt {amount}.",
    noDebtCollection: "Ingen betalinger til inkasso de seneste 12 måneder.",
    excessiveTitle: "Større rådighedsbeløb, end kontoen viser",
    excessive:
      "Budgettet levner {amount} om måneden, men der var kun {observed} tilbage om måneden de seneste 12 måneder.",
    notExcessive: "Det, budgettet levner, svarer til det, der var tilbage på kontiene.",
  },
  questions: {
    recategorizationTitle: "Hvad er {payee}?",
    recategorization: "Der går ca. {amount} om måneden til {payee}. Hvilken kategori hører det til?",
    recategorizationUnsure:
      "Der går ca. {amount} om måneden til {payee}. Vi tror, at det er {category}. Er det rigtigt?",
    missingTitle: "Ingen udgift til {category}",
    missing:
      "Vi forventede en betaling til {category}, men fandt ingen. Hvilken betaling er det, eller hvor meget er det?",
    missingIncome: "Vi forventede {category}, men fandt ingen. Hvilken betaling er det, eller hvor meget er det?",
  },
};
