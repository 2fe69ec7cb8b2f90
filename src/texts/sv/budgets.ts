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
      "{amount} i månaden är budgeterat av de {reference} som ett sådant hushåll behöver enligt {source}; det saknas för {categories}.",
    referenceOfChildren:
      "{amount} i månaden för levnadskostnader är mindre än {reference}, som enbart barnen kostar enligt {source}.",
    referenceIsOld: "Tabellen är äldre än 12 månader.",
    userProvided: "De uppgivna beloppen ger {amount} i månaden, de observerade {engine}.",
  },
  risks: {
    debtCollectionTitle: "Inkasso",
    debtCollection: "{count} betalningar till inkasso de senaste 12 månaderna, totalt {amount}.",
    debtCollectionSince: "Ytterligare {count} sedan dess, totalt {amount}.",
    noDebtCollection: "Inga betalningar till inkasso de senaste 12 månaderna.",
    excessiveTitle: "Mer kvar än kontot visar",
    agrees: "Det som budgeten lämnar, {amount} i månaden, stämmer med de {observed} som fanns kvar på kontona.",
    better:
      "Budgeten lämnar {amount} i månaden, {difference} mer än de {observed} som fanns kvar på kontona: {income} från inkomst, {expenses} från utgifter och {once} från engångsposter.",
    worse:
      "Budgeten lämnar {amount} i månaden, {difference} mindre än de {observed} som fanns kvar på kontona: {income} från inkomst, {expenses} från utgifter och {once} från engångsposter.",
    notComparable: "Det finns ingen hel månad att jämföra budgeten med.",
  },
  additionalRisks: {
    ARREARS: {
      title: "Väntat, inte sett",
      marked: "Förfallet och inte sett på dessa konton sedan: {payees}. Det kan ha betalats från annat håll.",
      unmarked: "Ingen fast förpliktelse är förfallen på dessa konton.",
    },
    NEW_CREDIT: {
      title: "Ny kredit",
      marked:
        "De senaste 12 månaderna och därefter: {payouts} utbetalda lån, totalt {amount}; {loans} lån vars betalningar har börjat.",
      unmarked: "Inget lån har betalats ut eller börjat de senaste 12 månaderna.",
    },
    PAY_LATER: {
      title: "Köp nu, betala senare",
      marked: "{count} betalningar till uppskjuten betalning de senaste 12 månaderna och därefter, totalt {amount}.",
      unmarked: "Färre än tre betalningar till uppskjuten betalning de senaste 12 månaderna: {count}.",
    },
    GAMBLING: {
      title: "Spel",
      marked: "{stakes} satsat och {winnings} vunnet de senaste 12 månaderna: netto {net}.",
      unmarked: "{stakes} satsat och {winnings} vunnet de senaste 12 månaderna.",
    },
    OVERDRAFT: {
      title: "Övertrassering",
      marked: "{count} räntor eller avgifter för övertrassering de senaste 12 månaderna och därefter, totalt {amount}.",
      unmarked: "Inga räntor eller avgifter för övertrassering de senaste 12 månaderna.",
    },
    REJECTED_PAYMENTS: {
      title: "Avvisade och återförda betalningar",
      marked:
        "{count} avvisade eller återförda betalningar eller påminnelser om dem de senaste 12 månaderna och därefter, totalt {amount}.",
      unmarked: "Inga avvisade eller återförda betalningar de senaste 12 månaderna.",
    },
    DEBT_SERVICE: {
      title: "Inkomst som går till långivare",
      marked: "{amount} i månaden, {share} av inkomsten, går till långivare.",
      unmarked: "{amount} i månaden, {share} av inkomsten, går till långivare.",
      unknown: "{amount} i månaden går till långivare; utan inkomst finns ingen andel.",
    },
    NEGATIVE_BALANCE: {
      title: "Dagar under noll",
      marked: "Ett konto slutade {days} dagar under noll under de täckta månaderna; det lägsta saldot var {lowest}.",
      unmarked:
        "Inget konto slutade mer än fyra dagar under noll under de täckta månaderna; det lägsta saldot var {lowest}.",
      unknown: "Kan inte beräknas: Inga saldon har levererats för kontona.",
    },
  },
  questions: {
    recategorizationTitle: "Vad är {payee}?",
    recategorization: "Det går ungefär {amount} i månaden till {payee}. Vilken kategori hör det till?",
    recategorizationUnsure:
      "Det går ungefär {amount} i månaden till {payee}. Vi tror att det är {category}. Stämmer det?",
    missingTitle: "Ingen utgift för {category}",
    missingIncomeTitle: "Ingen {category} hittades",
    lines: "Senaste: {lines}.",
    missing:
      "Vi väntade oss en betalning för {category} men hittade ingen. Vilken betalning är det, eller hur mycket är det?",
    missingIncome: "Vi väntade oss {category} men hittade ingen. Vilken betalning är det, eller hur mycket är det?",
  },
};
