/** What money that left was for: candidates in the order in which the rules are asked. */
import { type Product, merchantCategory } from "../payments/catalogue.ts";
import { merchantOf } from "../payments/merchant.ts";
import { type Candidate, confidenceMin, type RuleId } from "./candidate.ts";
import { guessesOf } from "./guesses.ts";
import { findKeyword, findObject, hasMark, isInside, type KeywordHit, tellingWords } from "./keywords.ts";
import type { ObjectOf } from "./lexicon.ts";
import type { Line } from "./line.ts";
import { type MerchantHit, findPayee, longer, withoutName } from "./merchants.ts";
import type { Reading } from "./reading.ts";
import { groupOf } from "./tree.ts";
import { typeOf } from "../payments/transaction-type.ts";

/** Sold in the catalogue: surer where recognition found it to recur. */
const productRecognised = 0.95;
const productNamed = 0.9;
/** Insurers, utilities, authorities and lenders sell more than one thing: their words refine what the name says. */
const broadGroups: ReadonlySet<string> = new Set([
  "INSURANCE",
  "UTILITIES",
  "COMMUNICATION",
  "FEES",
  "HOUSING",
  "DEBT",
  "CHILDREN",
  "SAVINGS",
  "WORK_MEMBERSHIPS",
  "TRANSPORT",
]);
const unspecific: ReadonlySet<string> = new Set(["INSURANCE_OTHER", "FEES_TAX", "OTHER_EXPENSES", "DEBT_PAY_LATER"]);
/** Names that say so little that any word beside them says more. */
const anything: ReadonlySet<string> = new Set(["FEES_TAX", "OTHER_EXPENSES", "DEBT_PAY_LATER"]);
/** What authorities are known by, each of which collects for much else. */
const ofAuthorities: ReadonlySet<string> = new Set([
  "FEES_TAX",
  "OTHER_EXPENSES",
  "TRANSPORT_VEHICLE_TAX",
  "HOUSING_PROPERTY_TAX",
  "CHILDREN_DAYCARE",
  "UTILITIES_WATER_WASTE",
  "DEBT_COLLECTION",
]);
const refinedConfidenceMin = 0.7;
/** A name that is known from abroad, from behind other words or by its initials is no surer than a whole word. */
const nameSure = 0.73;
const businesses: ReadonlySet<string> = new Set([
  "INSURANCE",
  "DEBT",
  "UTILITIES",
  "SAVINGS",
  "COMMUNICATION_MOBILE",
  "HOUSING_MORTGAGE",
  "TRANSPORT_VEHICLE_FINANCE",
  "TRANSPORT_FUEL_CHARGING",
  "HEALTH_PHARMACY",
  "LEISURE_GAMBLING",
]);
const objectGroups: Readonly<Record<string, ObjectOf>> = { INSURANCE: "insurance", DEBT: "loan" };
const objectTold = 0.78;
const loanToPerson = 0.7;
const cardBillSure = 0.7;
/** From this on the network's code speaks against a name. */
const codeSure = 0.85;

const byType: readonly (readonly [RegExp, string, number])[] = [
  [/CASH|ATM/, "OTHER_CASH", 0.95],
  [/FEE|CHARGE|PENALTY|INTEREST/, "FEES_BANK", 0.9],
  [/^TAX$/, "FEES_TAX", 0.85],
  [/LOAN/, "DEBT_CONSUMER_LOAN", 0.7],
  [/SECURITIES/, "SAVINGS_INVESTMENT", 0.85],
  [/PENSION/, "SAVINGS_PENSION", 0.8],
];
/** From this on the type decides before any name. */
const typeSure = 0.85;
/** Shorter names of shops are also names of people. */
const shopLettersMin = 5;
const personLettersMin = 8;
const shortNameLettersMax = 6;
/** Groups whose goods are bought by card, and how sure a word for them is that means other things elsewhere. */
const shops: ReadonlySet<string> = new Set(["FOOD", "TRANSPORT", "HEALTH", "PERSONAL", "HOME_GOODS", "LEISURE"]);
const shopWord = 0.62;
const nameLettersMin = 3;
const betweenPeople = 0.75;
/** A transfer to nobody known is most often to a person, and not sure enough to say so. */
const transfer = 0.5;

/** A word for a loan alone does not say which: what to ask about, the likeliest first. */
const loanCategories = [
  "DEBT_CONSUMER_LOAN",
  "HOUSING_MORTGAGE",
  "TRANSPORT_VEHICLE_FINANCE",
  "DEBT_STUDENT_LOAN",
] as const;
const loanSure = 0.6;
const otherLoans = loanCategories.slice(1).map((categoryId, at): Candidate => ({
  categoryId,
  rule: "TEXT",
  confidence: (8 - at) / 20,
}));

type Hint = { categoryId: string; confidence: number; phrase?: string };

/** Known shops by the card acceptor's id under which they were paid. */
export type Acceptors = ReadonlyMap<string, MerchantHit>;

/** The name decides; where it says nothing, the terminal does: the same one was known by name at another time. */
const acceptorConfidence = 0.8;

/** An acceptor that bears names of several categories is one that sells for others, and says nothing. */
export function acceptorsOf(lines: readonly Line[]): Acceptors {
  const known = new Map<string, MerchantHit | null>();
  for (const line of lines) {
    const { merchantCid } = line.row;
    const hit = merchantCid === null ? null : merchantHit(line);
    if (merchantCid === null || hit === null || hit.isWeak) continue;
    const before = known.get(merchantCid);
    known.set(merchantCid, before === undefined || before?.categoryId === hit.categoryId ? hit : null);
  }
  return new Map(
    [...known].flatMap(([cid, hit]) => (hit === null ? [] : [[cid, { ...hit, confidence: acceptorConfidence }]])),
  );
}

/** What was asked once of a history: most of its lines differ only in the day, the amount and a number. */
export type Spending = { acceptors: Acceptors; known: Map<string, readonly Candidate[]> };

export function spendingCandidates(line: Line, { acceptors, known }: Spending): readonly Candidate[] {
  const alike = likenessOf(line, acceptors);
  let candidates = known.get(alike);
  if (candidates === undefined) known.set(alike, (candidates = withGuesses(line, candidatesOf(line, acceptors))));
  return candidates;
}

/** Where nothing is sure, what to ask about. */
function withGuesses(line: Line, candidates: readonly Candidate[]): readonly Candidate[] {
  const isSure = candidates.some(({ confidence }) => confidence >= confidenceMin);
  return isSure ? candidates : [...candidates, ...guessesOf(line)];
}

/** All that decides what a line was for. */
function likenessOf(
  { row, merchant, telling, who, countries, series, product, isBetweenPeople }: Line,
  acceptors: Acceptors,
): string {
  const acceptor = row.merchantCid !== null && acceptors.has(row.merchantCid) ? row.merchantCid : "";
  return [
    merchant.key,
    telling,
    who,
    row.merchantName ?? "",
    row.rawType,
    row.mcc ?? "",
    countries.join(),
    series === null ? "" : "regular",
    product?.id ?? "",
    isBetweenPeople,
    acceptor,
  ].join("\n");
}

function candidatesOf(line: Line, acceptors: Acceptors): Candidate[] {
  const keyword = keywordOf(line);
  const hit =
    merchantHit(line) ?? (line.row.merchantCid === null ? null : (acceptors.get(line.row.merchantCid) ?? null));
  const merchant = hit === null || isPartOf(hit, keyword) || isTrade(line, hit) ? null : hit;
  const code = line.row.mcc === null ? null : merchantCategory(line.row.mcc);
  const coded = code === null ? null : { categoryId: code.category, confidence: code.confidence };
  const type = typeCandidate(line);
  const isTyped = type !== null && type.confidence >= typeSure;
  const network = networkOf(coded);
  const beside = merchant === null ? null : keywordBeside(line, merchant);
  const named = merchant === null ? null : { ...merchant, categoryId: saidOf(line, merchant, [beside, network]) };
  const byName = candidate("MERCHANT", named);
  const byCode = candidate("MERCHANT_CATEGORY_CODE", refinedHit(coded, [keyword]));
  const isOther = merchant !== null && coded !== null && isOtherThan(merchant, coded, line);
  // A code for shops of every kind says less than a name that sells many.
  const isTold = coded !== null && !unspecific.has(coded.categoryId);
  const product = productHit(line);
  const productHints = isInstalment(line) ? [] : [keyword, network, merchant];
  return [
    // Cash and the bank's own entries are what their type says, whoever the text names.
    ...(isTyped ? [type] : []),
    ...(isOther ? byCode : []),
    ...candidate("PRODUCT", product === null ? null : { ...product, categoryId: saidOf(line, product, productHints) }),
    ...(merchant !== null && isWord(keyword) && merchant.confidence < nameSure ? textCandidates(line, keyword) : []),
    ...(merchant?.isWeak === false ? byName : []),
    ...(isTold ? byCode : []),
    ...(merchant?.isWeak === true ? byName : []),
    ...(isTold ? [] : byCode),
    ...textCandidates(line, keyword),
    ...(keyword === null || keyword.confidence < confidenceMin ? cardBill(line) : []),
    ...(type === null || isTyped ? [] : [type]),
  ];
}

/** What has other meanings elsewhere is a trade where it stands on a card's receipt. */
function soldBy({ kind }: Line, keyword: Hint): Hint {
  const isShops = kind === "CARD" && shops.has(groupOf(keyword.categoryId) ?? "");
  return isShops ? { ...keyword, confidence: Math.max(keyword.confidence, shopWord) } : keyword;
}

/** A loan between people is one, whatever the words; of another loan its object says which it is. */
function textCandidates(line: Line, keyword: Hint | null): Candidate[] {
  if (keyword === null || (line.isBetweenPeople && line.who === "PERSON" && isOfCompanies(keyword))) return [];
  const isLoan = keyword.categoryId === loanCategories[0];
  if (isLoan && line.who === "PERSON")
    return [{ categoryId: "DEBT_PRIVATE", rule: "TEXT", confidence: loanToPerson }, ...candidate("TEXT", keyword)];
  const said = saidOf(line, keyword, []);
  if (said !== keyword.categoryId) return candidate("TEXT", { categoryId: said, confidence: objectTold });
  return [...candidate("TEXT", soldBy(line, keyword)), ...(isLoan && keyword.confidence < loanSure ? otherLoans : [])];
}

/** Presents and shares of a membership go between people like any money. */
function isOfCompanies({ categoryId }: Hint): boolean {
  return groupOf(categoryId) === "FEES";
}

function isWord<Said extends Hint>(hint: Said | null): hint is Said {
  return hint !== null && hint.confidence >= refinedConfidenceMin;
}

/** The words that stand beside the name: those of the name itself are no more than it. */
function keywordBeside(line: Line, { name }: MerchantHit): Hint | null {
  if (line.kind === "CASH") return null;
  const beside = withoutName(tellingWords(line.telling), name);
  if (beside === null) return keywordOf(line);
  return beside === "" ? null : findKeyword(beside, "OUT", line.countries, line.isLong);
}

function isPartOf({ name, categoryId }: MerchantHit, keyword: KeywordHit | null): boolean {
  return isWord(keyword) && keyword.categoryId !== categoryId && isInside(name, keyword);
}

/** A short name before a word for another trade is a shop called alike: an inn called like a landlord. */
function isTrade(line: Line, hit: MerchantHit): boolean {
  if (line.kind !== "CARD" || hit.letters > shortNameLettersMax || hit.name.includes(" ")) return false;
  const beside = withoutName(tellingWords(line.reading.name), hit.name);
  const word = beside === null || beside === "" ? null : findKeyword(beside, "OUT", line.countries, line.isLong);
  if (word === null || !word.isWhole || groupOf(word.categoryId) === groupOf(hit.categoryId)) return false;
  return soldBy(line, word).confidence >= shopWord;
}

/**
 * The network knows what was sold where a short name stands at the beginning of a longer one: a betting company called
 * like a broadcaster.
 */
function isOtherThan({ letters, categoryId, name }: MerchantHit, coded: Hint, line: Line): boolean {
  return (
    letters < shopLettersMin &&
    coded.confidence >= codeSure &&
    !unspecific.has(coded.categoryId) &&
    groupOf(coded.categoryId) !== groupOf(categoryId) &&
    withoutName(tellingWords(line.reading.name), name) !== ""
  );
}

/**
 * A name that was cut or abbreviated in the merchant's field may be whole in the description, and the other way round.
 */
function merchantHit({ row, merchant, reading, countries, who, isBetweenPeople }: Line): MerchantHit | null {
  const named = row.merchantName === null ? null : findPayee(merchant.key, countries);
  // A shop's line says no more than its name does, and reading it costs as much again.
  const isEnough = named !== null && !broadGroups.has(groupOf(named.categoryId) ?? "");
  const hit = isEnough ? named : longer(named, readMerchant(reading, countries));
  const lettersMin = who === "PERSON" ? personLettersMin : shopLettersMin;
  return isBetweenPeople && hit !== null && hit.letters < lettersMin ? null : hit;
}

/** Behind the bank's words, or with the last of them where the name goes on into it. */
function readMerchant({ name, longerName, before }: Reading, countries: readonly string[]): MerchantHit | null {
  const { key } = merchantOf(null, name);
  // Two letters before an account number are a bank's code.
  const hit = key.length < nameLettersMin && name.includes("#") ? null : findPayee(key, countries);
  const whole = longerName === null ? null : findPayee(merchantOf(null, longerName).key, countries);
  return whole === null || whole.letters <= before ? hit : longer(hit, whole);
}

function productHit({ product, series, isBetweenPeople }: Line): Hint | null {
  if (product === null || isBetweenPeople || !isTelling(product)) return null;
  return { categoryId: product.category, confidence: series === null ? productNamed : productRecognised };
}

/** A gateway says nothing of what was bought. Paying by instalments does, to whomever they go. */
function isTelling({ isGateway, category }: Product): boolean {
  return !isGateway || category === "DEBT_PAY_LATER";
}

/** What is paid through a lender once is a purchase; what comes again and again are the parts of one. */
function isInstalment({ product, series }: Line): boolean {
  return series !== null && product?.isGateway === true && product.category === "DEBT_PAY_LATER";
}

function keywordOf({ telling, isLong, kind, countries }: Line): KeywordHit | null {
  return kind === "CASH" ? null : findKeyword(telling, "OUT", countries, isLong);
}

/** A credit card's bill is spent with the card where none of its purchases are here: else it is left out. */
function cardBill({ text, kind, who }: Line): Candidate[] {
  const isBill = kind !== "CARD" && kind !== "CASH" && who !== "PERSON" && hasMark(text, "settlement");
  return isBill ? [{ categoryId: "DEBT_CREDIT_CARD", rule: "TEXT", confidence: cardBillSure }] : [];
}

/** Telephone companies sell both; the card network knows what was billed. */
function networkOf(coded: Hint | null): Hint | null {
  return coded !== null && groupOf(coded.categoryId) === "COMMUNICATION" ? coded : null;
}

function candidate(rule: RuleId, hit: Hint | null): Candidate[] {
  return hit === null ? [] : [{ categoryId: hit.categoryId, rule, confidence: hit.confidence }];
}

function refinedHit(hit: Hint | null, hints: readonly (Hint | null)[]): Hint | null {
  return hit === null ? null : { ...hit, categoryId: refined(hit.categoryId, hints) };
}

/** What a name and the words beside it say together. */
function saidOf(line: Line, { categoryId }: Hint, hints: readonly (Hint | null)[]): string {
  const [keyword = null] = hints;
  const object = objectGroups[groupOf(categoryId) ?? ""];
  if (object !== undefined && (unspecific.has(categoryId) || categoryId === loanCategories[0])) {
    const named = findObject(line.telling, object, line.countries);
    if (named !== null) return named;
  }
  // Who lets pay later also lends.
  if (categoryId === "DEBT_PAY_LATER" && keyword?.categoryId === loanCategories[0]) return loanCategories[0];
  if (isWord(keyword) && groupOf(keyword.categoryId) !== groupOf(categoryId)) {
    const isAuthority = ofAuthorities.has(categoryId) && hasMark(line.telling, "authority");
    // The authority's own name beside what it collects says nothing more.
    const isItsName = keyword.phrase !== undefined && hasMark(keyword.phrase, "authority");
    if ((isAuthority && !isItsName) || isBusiness(keyword)) return saidOf(line, keyword, []);
  }
  return refined(categoryId, hints);
}

/** What a shop sells beside its goods, under its own name and a word for it: insurance, telephony, loans, power, bets. */
function isBusiness({ categoryId }: Hint): boolean {
  return businesses.has(groupOf(categoryId) ?? "") || businesses.has(categoryId);
}

/**
 * The first hint wins inside a group of which one payee may bill several leaves, and anywhere over a name that says
 * little.
 */
function refined(categoryId: string, hints: readonly (Hint | null)[]): string {
  const group = groupOf(categoryId);
  // What people lend each other is no word for what a bank lends.
  const isFit = (hint: Hint): boolean =>
    anything.has(categoryId) || (group !== null && broadGroups.has(group) && groupOf(hint.categoryId) === group);
  const fit = hints.find(
    (hint) => isWord(hint) && !unspecific.has(hint.categoryId) && hint.categoryId !== "DEBT_PRIVATE" && isFit(hint),
  );
  return fit?.categoryId ?? categoryId;
}

function typeCandidate({ row, kind, isBetweenPeople }: Line): Candidate | null {
  const name = row.rawType.toUpperCase();
  const [, categoryId, confidence] = byType.find(([pattern]) => pattern.test(name)) ?? [];
  if (categoryId !== undefined && confidence !== undefined) return { categoryId, rule: "TYPE", confidence };
  if (isBetweenPeople) return { categoryId: "OTHER_TRANSFERS", rule: "TYPE", confidence: betweenPeople };
  return kind === "TRANSFER" || typeOf(row.rawType) === "ACCOUNT_TRANSFER"
    ? { categoryId: "OTHER_TRANSFERS", rule: "TYPE", confidence: transfer }
    : null;
}
