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
    targetNotMet: "Utgifter om {amount} per månad har en kategori; budgeten är tillförlitlig från {target}.",
    missingExpenses: "Inget är budgeterat för {categories}.",
    unexpectedExpenses: "Det finns betalningar för {categories} som hushållet inte borde ha.",
    groupedCategories: "Vissa betalningar täcker flera kategorier: {categories}.",
    noIncome: "Inga regelbundna inkomster syns på kontona.",
    cardBills: "Det betalas kortfakturor vars köp inte finns på kontona.",
    transfersElsewhere: "Pengar förs över till ett eget konto som inte är med.",
    undecidedAccounts: "Det finns konton som ingen har tagit ställning till.",
    reference:
      "{amount} per månad för levnadskostnader är mindre än {reference}, som ett sådant hushåll behöver enligt {source}.",
    referenceByCategory:
      "{amount} per månad är budgeterat av de {reference} som ett sådant hushåll behöver enligt {source}; det saknas för {categories}.",
    referenceOfChildren:
      "{amount} per månad för levnadskostnader är mindre än {reference}, som enbart barnen kostar enligt {source}.",
    referenceIsOld: "Tabellen är äldre än 12 månader.",
    userProvided: "De uppgivna beloppen ger {amount} per månad, de observerade {engine}.",
  },
  risks: {
    debtCollectionTitle: "Inkasso",
    debtCollection: "{count} {count|betalning|betalningar} till inkasso de senaste 12 månaderna, totalt {amount}.",
    debtCollectionSince: "Ytterligare {count} sedan dess, totalt {amount}.",
    noDebtCollection: "Inga betalningar till inkasso de senaste 12 månaderna.",
    excessiveTitle: "Mer kvar än kontona visar",
    agrees: "Kvar per månad: {amount} enligt budgeten, {observed} på kontona. De två beloppen ligger nära varandra.",
    better:
      "Kvar per månad: {amount} enligt budgeten, {observed} på kontona. Budgeten ser {difference} bättre ut än kontona: {income} från inkomster, {expenses} från utgifter och {once} från engångsposter.",
    worse:
      "Kvar per månad: {amount} enligt budgeten, {observed} på kontona. Budgeten ser {difference} sämre ut än kontona: {income} från inkomster, {expenses} från utgifter och {once} från engångsposter.",
    notComparable: "Det finns ingen hel månad att jämföra budgeten med.",
    coverage: "Kontodata täcker {covered} av de 12 månaderna.",
  },
  additionalRisks: {
    ARREARS: {
      title: "Förväntat, inte sett",
      marked: "Förfallet och inte sett på dessa konton sedan: {payees}. Det kan ha betalats från ett annat konto.",
      unmarked: "Inga fasta åtaganden saknas på dessa konton.",
    },
    NEW_CREDIT: {
      title: "Ny kredit",
      marked:
        "De senaste 12 månaderna och därefter: {payouts} {payouts|utbetalt|utbetalda} lån, totalt {amount}; {loans} lån vars betalningar har börjat.",
      unmarked: "Inget lån har betalats ut eller börjat de senaste 12 månaderna.",
    },
    PAY_LATER: {
      title: "Köp nu, betala senare",
      marked:
        "{count} {count|betalning|betalningar} för köp med uppskjuten betalning de senaste 12 månaderna och därefter, totalt {amount}.",
      unmarked:
        "{count} {count|betalning|betalningar} för köp med uppskjuten betalning de senaste 12 månaderna och därefter; markeras från tre.",
      none: "Inga betalningar för köp med uppskjuten betalning de senaste 12 månaderna.",
    },
    GAMBLING: {
      title: "Spel",
      marked: "{stakes} satsat och {winnings} vunnet de senaste 12 månaderna: netto {net}.",
      unmarked: "{stakes} satsat och {winnings} vunnet de senaste 12 månaderna.",
      none: "Inga betalningar till spel de senaste 12 månaderna.",
    },
    OVERDRAFT: {
      title: "Övertrassering",
      marked:
        "{count} {count|ränta eller avgift|räntor eller avgifter} för övertrassering de senaste 12 månaderna och därefter, totalt {amount}.",
      unmarked: "Inga räntor eller avgifter för övertrassering de senaste 12 månaderna.",
    },
    REJECTED_PAYMENTS: {
      title: "Avvisade och återförda betalningar",
      marked:
        "{count} {count|avvisad eller återförd betalning eller påminnelse|avvisade eller återförda betalningar eller påminnelser} de senaste 12 månaderna och därefter, totalt {amount}.",
      unmarked: "Inga avvisade eller återförda betalningar de senaste 12 månaderna.",
    },
    DEBT_SERVICE: {
      title: "Inkomst som går till långivare",
      marked: "{amount} per månad, {share} av inkomsten, går till långivare.",
      unmarked: "{amount} per månad, {share} av inkomsten, går till långivare.",
      unknown: "{amount} per månad går till långivare; utan inkomst kan andelen inte beräknas.",
    },
    NEGATIVE_BALANCE: {
      title: "Dagar under noll",
      marked:
        "Ett konto slutade {days} {days|dag|dagar} under noll under de täckta månaderna; det lägsta saldot var {lowest}.",
      unmarked:
        "Inget konto slutade mer än fyra dagar under noll under de täckta månaderna; det lägsta saldot var {lowest}.",
      unknown: "Kan inte beräknas: Banken har inte uppgett några saldon för kontona.",
    },
  },
  questions: {
    recategorizationTitle: "Vad är {payee}?",
    recategorization: "Det går ungefär {amount} per månad till {payee}. Vilken kategori hör det till?",
    recategorizationUnsure:
      "Det går ungefär {amount} per månad till {payee}. Vi tror att det är {category}. Stämmer det?",
    missingTitle: "Ingen utgift för {category}",
    missingIncomeTitle: "Ingen {category} hittades",
    lines: "Senaste: {lines}.",
    missing:
      "Vi väntade oss en betalning för {category} men hittade ingen. Vilken betalning är det, eller hur mycket är det?",
    missingIncome: "Vi väntade oss {category} men hittade ingen. Vilken betalning är det, eller hur mycket är det?",
  },
};
