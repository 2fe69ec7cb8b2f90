/** What a language must say about budgets. */

type Lines<Name extends string> = Readonly<Record<Name, string>>;

/** A language is one object of this form. */
export type BudgetTexts = {
  locale: string;
  list: Lines<"separator" | "last">;
  gathered: string;
  notes: Lines<
    "includesOthers" | "includedInOthers" | "expectedEmpty" | "expectedAlways" | "expectedNonempty" | "expectedIncome"
  >;
  alerts: Lines<
    | "targetNotMet"
    | "missingExpenses"
    | "unexpectedExpenses"
    | "groupedCategories"
    | "noIncome"
    | "cardBills"
    | "transfersElsewhere"
    | "undecidedAccounts"
    | "reference"
    | "referenceByCategory"
    | "referenceOfChildren"
    | "referenceIsOld"
    | "userProvided"
  >;
  risks: Lines<
    "debtCollectionTitle" | "debtCollection" | "noDebtCollection" | "excessiveTitle" | "excessive" | "notExcessive"
  >;
  questions: Lines<
    | "recategorizationTitle"
    | "recategorization"
    | "recategorizationUnsure"
    | "missingTitle"
    | "missing"
    | "missingIncome"
  >;
};
