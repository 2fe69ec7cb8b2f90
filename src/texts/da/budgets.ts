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
    targetNotMet: "Udgifter for {amount} om måneden har en kategori; budgettet er pålideligt fra {target}.",
    missingExpenses: "Der er ikke budgetteret med {categories}.",
    unexpectedExpenses: "Der er betalinger til {categories}, som husstanden ikke burde have.",
    groupedCategories: "Nogle betalinger dækker flere kategorier: {categories}.",
    noIncome: "Der ses ingen regelmæssige indtægter på kontiene.",
    cardBills: "Der betales kortregninger, hvis køb ikke findes på kontiene.",
    transfersElsewhere: "Der overføres penge til en egen konto, som ikke er med.",
    undecidedAccounts: "Der er konti, der ikke er taget stilling til.",
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
    debtCollection: "{count} {count|betaling|betalinger} til inkasso de seneste 12 måneder, i alt {amount}.",
    debtCollectionSince: "Yderligere {count} siden da, i alt {amount}.",
    noDebtCollection: "Ingen betalinger til inkasso de seneste 12 måneder.",
    excessiveTitle: "Mere tilbage, end kontiene viser",
    agrees: "Tilbage om måneden: {amount} efter budgettet, {observed} på kontiene. De to beløb ligger tæt på hinanden.",
    better:
      "Tilbage om måneden: {amount} efter budgettet, {observed} på kontiene. Budgettet ser {difference} bedre ud end kontiene: {income} fra indtægter, {expenses} fra udgifter og {once} fra engangsposter.",
    worse:
      "Tilbage om måneden: {amount} efter budgettet, {observed} på kontiene. Budgettet ser {difference} dårligere ud end kontiene: {income} fra indtægter, {expenses} fra udgifter og {once} fra engangsposter.",
    notComparable: "Der er ingen hel måned at sammenligne budgettet med.",
    coverage: "Kontodataene dækker {covered} af de 12 måneder.",
  },
  additionalRisks: {
    ARREARS: {
      title: "Forventet, ikke set",
      marked: "Forfaldne og ikke set på disse konti siden: {payees}. De kan være betalt fra en anden konto.",
      unmarked: "Ingen faste forpligtelser mangler på disse konti.",
    },
    NEW_CREDIT: {
      title: "Ny kredit",
      marked:
        "De seneste 12 måneder og siden: {payouts} {payouts|udbetalt|udbetalte} lån, i alt {amount}; {loans} lån, hvor ydelserne er begyndt.",
      unmarked: "Intet lån er udbetalt eller begyndt de seneste 12 måneder.",
    },
    PAY_LATER: {
      title: "Køb nu, betal senere",
      marked:
        "{count} {count|betaling|betalinger} for køb på udskudt betaling de seneste 12 måneder og siden, i alt {amount}.",
      unmarked:
        "{count} {count|betaling|betalinger} for køb på udskudt betaling de seneste 12 måneder og siden; markeres fra tre.",
      none: "Ingen betalinger for køb på udskudt betaling de seneste 12 måneder.",
    },
    GAMBLING: {
      title: "Spil",
      marked: "{stakes} indsat og {winnings} vundet de seneste 12 måneder: netto {net}.",
      unmarked: "{stakes} indsat og {winnings} vundet de seneste 12 måneder.",
      none: "Ingen betalinger til spil de seneste 12 måneder.",
    },
    OVERDRAFT: {
      title: "Overtræk",
      marked:
        "{count} {count|rente eller gebyr|renter eller gebyrer} for overtræk de seneste 12 måneder og siden, i alt {amount}.",
      unmarked: "Ingen renter eller gebyrer for overtræk de seneste 12 måneder.",
    },
    REJECTED_PAYMENTS: {
      title: "Afviste og tilbageførte betalinger",
      marked:
        "{count} {count|afvist eller tilbageført betaling eller rykker|afviste eller tilbageførte betalinger eller rykkere} de seneste 12 måneder og siden, i alt {amount}.",
      unmarked: "Ingen afviste eller tilbageførte betalinger de seneste 12 måneder.",
    },
    DEBT_SERVICE: {
      title: "Indtægter, der går til långivere",
      marked: "{amount} om måneden, {share} af indtægterne, går til långivere.",
      unmarked: "{amount} om måneden, {share} af indtægterne, går til långivere.",
      unknown: "{amount} om måneden går til långivere; uden indtægter kan andelen ikke beregnes.",
    },
    NEGATIVE_BALANCE: {
      title: "Dage under nul",
      marked:
        "En konto sluttede {days} {days|dag|dage} under nul i de dækkede måneder; den laveste saldo var {lowest}.",
      unmarked:
        "Ingen konto sluttede mere end fire dage under nul i de dækkede måneder; den laveste saldo var {lowest}.",
      unknown: "Kan ikke beregnes: Banken har ikke oplyst saldi for kontiene.",
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
