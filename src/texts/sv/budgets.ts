/** What budgets say, in Swedish. Names in braces are filled in. */
import type { BudgetTexts } from "../wording.ts";

export const budgets: BudgetTexts = {
  list: { separator: ", ", last: " och " },
  gathered: "Övrigt: {category}",
  notes: {
    includesOthers: "Beloppet täcker även {categories}.",
    includedInOthers: "Betalas tillsammans med {categories}.",
    expectedEmpty: "Utifrån uppgifterna om hushållet borde det inte finnas utgifter för {category}.",
    expectedAlways: "Nästan alla hushåll har utgifter för {category}.",
    expectedNonempty: "Utifrån uppgifterna om hushållet borde det finnas utgifter för {category}.",
    expectedIncome: "Utifrån uppgifterna om hushållet borde det finnas {category}.",
  },
  alerts: {
    targetNotMet: "{amount} i månaden har en kategori; budgeten kan användas när det är {target}.",
    missingExpenses: "Inget är budgeterat för {categories}.",
    unexpectedExpenses: "Det finns betalningar för {categories} som hushållet inte borde ha.",
    groupedCategories: "Vissa betalningar täcker flera kategorier: {categories}.",
    noIncome: "Ingen regelbunden inkomst syns på kontona.",
    cardBills: "Det betalas kortfakturor vars köp inte finns på kontona.",
    transfersElsewhere: "Pengar förs över till ett eget konto som inte är med.",
    undecidedAccounts: "Det finns konton som ingen har tagit ställning till.",
    reference:
      "{amount} i månaden för levnadskostnader är mindre än {reference}, som ett sådant hushåll behöver enligt {source}.",
    referenceByCategory:
      "{amount} i månaden för {categories} är mindre än {reference}, som ett sådant hushåll behöver enligt {source}.",
    referenceOfChildren:
      "{amount} i månaden för levnadskostnader är mindre än {reference}, som enbart barnen kostar enligt {source}.",
    referenceIsOld: "Tabellen är äldre än 12 månader.",
    userProvided: "De uppgivna beloppen ger {amount} i månaden, de observerade {engine}.",
  },
  risks: {
    debtCollectionTitle: "Inkasso",
    debtCollection: "{count} betalningar till inkasso de senaste 12 månaderna, totalt {amount}.",
    noDebtCollection: "Inga betalningar till inkasso de senaste 12 månaderna.",
    excessiveTitle: "Mer kvar än kontot visar",
    excessive: "Budgeten lämnar {amount} i månaden, men bara {observed} i månaden fanns kvar de senaste 12 månaderna.",
    notExcessive: "Det som budgeten lämnar stämmer med det som fanns kvar på kontona.",
  },
  questions: {
    recategorizationTitle: "Vad är {payee}?",
    recategorization: "Det går ungefär {amount} i månaden till {payee}. Vilken kategori hör det till?",
    recategorizationUnsure:
      "Det går ungefär {amount} i månaden till {payee}. Vi tror att det är {category}. Stämmer det?",
    missingTitle: "Ingen utgift för {category}",
    missing:
      "Vi väntade oss en betalning för {category} men hittade ingen. Vilken betalning är det, eller hur mycket är det?",
    missingIncome: "Vi väntade oss {category} men hittade ingen. Vilken betalning är det, eller hur mycket är det?",
  },
};
