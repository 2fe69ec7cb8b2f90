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
      "{amount} i måneden til {categories} er mindre enn {reference}, som en slik husstand trenger ifølge {source}.",
    referenceOfChildren:
      "{amount} i måneden til levekostnader er mindre enn {reference}, som barna alene koster ifølge {source}.",
    referenceIsOld: "Tabellen er mer enn 12 måneder gammel.",
    userProvided: "De oppgitte beløpene gir {amount} i måneden, de observerte {engine}.",
  },
  risks: {
    debtCollectionTitle: "Inkasso",
    debtCollection: "{count} betalinger til inkasso de siste 12 månedene, til sammen {amount}.",
    noDebtCollection: "Ingen betalinger til inkasso de siste 12 månedene.",
    excessiveTitle: "Mer til overs enn kontoen viser",
    excessive:
      "Budsjettet gir {amount} til overs i måneden, men det var bare {observed} igjen i måneden de siste 12 månedene.",
    notExcessive: "Det budsjettet gir til overs, stemmer med det som var igjen på kontoene.",
  },
  questions: {
    recategorizationTitle: "Hva er {payee}?",
    recategorization: "Det går ca. {amount} i måneden til {payee}. Hvilken kategori hører det til?",
    recategorizationUnsure: "Det går ca. {amount} i måneden til {payee}. Vi tror at det er {category}. Stemmer det?",
    missingTitle: "Ingen utgift til {category}",
    missing: "Vi ventet en betaling til {category}, men fant ingen. Hvilken betaling er det, eller hvor mye er det?",
    missingIncome: "Vi ventet {category}, men fant ingen. Hvilken betaling er det, eller hvor mye er det?",
  },
};
