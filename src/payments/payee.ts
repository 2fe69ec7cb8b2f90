/**
 * One user's payments grouped by payee. Names that banks truncate, space differently or extend by a city fall together;
 * so do all names of one catalogued product.
 */
import { type Product, findProduct } from "./catalogue.ts";
import { chronologically } from "./history.ts";
import type { Payment, PaymentKind } from "./payment.ts";
import type { Merchant } from "./merchant.ts";
import { firstWord, placesAsNames } from "./place-names.ts";
import { withoutCodes } from "./varying-words.ts";
import { firstOf, lastOf, present } from "../present.ts";

export type Payee = {
  /** Stable name of the payee: the product's id, or the shortest cleaned name of the group. */
  key: string;
  product: Product | null;
  gateway: string | null;
  direction: "OUT" | "IN";
  /** By day, then txid. */
  payments: Payment[];
};

/** Cash is spent on anything: its rhythm is the person's, not a payee's. */
const kindsWithoutPayee: ReadonlySet<PaymentKind> = new Set<PaymentKind>(["CASH"]);
/** A name this long that another one starts with is that name cut off. */
const truncatedLengthMin = 8;
/** A whole first word shared is enough when it is long enough to be a name. */
const firstWordLengthMin = 4;

/** Groups in the order of their keys; payments keep their order. */
export function groupByPayee(payments: readonly Payment[], country: string): Payee[] {
  const merchants = new Map<Merchant, NamedMerchant>();
  const byName = groupByName(
    payments.filter(({ kind }) => !kindsWithoutPayee.has(kind)),
    country,
    merchants,
  );
  const short = withoutEndings(byName);
  const numbered = numberedNames(byName);
  const coded = codedNames(byName);
  const groups = new Map<string, Payment[]>();
  const split = new Set<Payment[]>();
  for (const [name, { isCatalogued, payments: group }] of byName) {
    const key = isCatalogued ? name : (coded.get(name) ?? withoutReference(short.get(name) ?? name, numbered));
    const existing = groups.get(key);
    if (existing === undefined) groups.set(key, group);
    else {
      for (const payment of group) existing.push(payment);
      split.add(existing);
    }
  }
  for (const group of split) group.sort(chronologically);
  return joinAlternating(
    joinVariants(
      Array.from(groups, ([key, group]) =>
        newPayee(key, group, present(merchants.get(firstOf(group).merchant), "a payment's merchant")),
      ),
    ),
  );
}

/** Directed names with a code in them, and the same without it. */
function codedNames(byName: ByName): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const [name, { isCatalogued, payments }] of byName) if (!isCatalogued) counts.set(name, payments.length);
  return withoutCodes(counts);
}

/** groups: by direction, where the merchant's name tells it. */
type NamedMerchant = {
  merchant: Merchant;
  product: Product | null;
  key: string;
  isCatalogued: boolean;
  groups: { OUT: Group | null; IN: Group | null };
};

/** isCatalogued: of the first payment's merchant. */
type Group = { isCatalogued: boolean; payments: Payment[] };
type ByName = ReadonlyMap<string, Group>;

/**
 * By direction and name. Texts return, so each merchant is looked up once, and names are put together once a merchant.
 */
function groupByName(
  payments: readonly Payment[],
  country: string,
  merchants: Map<Merchant, NamedMerchant>,
): Map<string, Group> {
  const byName = new Map<string, Group>();
  for (const payment of payments) {
    const named = namedMerchant(payment, country, merchants);
    const direction = payment.transaction.amountMinor < 0 ? "OUT" : "IN";
    const group = named.groups[direction] ?? groupNamed(byName, direction, named, payment);
    if (named.key !== "") named.groups[direction] = group;
    group.payments.push(payment);
  }
  return byName;
}

function groupNamed(
  byName: Map<string, Group>,
  direction: "OUT" | "IN",
  { key, isCatalogued }: NamedMerchant,
  { kind }: Payment,
): Group {
  const name = `${direction} ${key === "" ? kind : key}`;
  let group = byName.get(name);
  if (group === undefined) byName.set(name, (group = { isCatalogued, payments: [] }));
  return group;
}

function namedMerchant({ merchant }: Payment, country: string, known: Map<Merchant, NamedMerchant>): NamedMerchant {
  let named = known.get(merchant);
  if (named === undefined) {
    const product = findProduct(merchant, country);
    const key = payeeKey(merchant, product);
    const isCatalogued = key === product?.id;
    known.set(merchant, (named = { merchant, product, key, isCatalogued, groups: { OUT: null, IN: null } }));
  }
  return named;
}

/** Last words that so many different names of one user end with say where, or how it was paid, and not who. */
const namesPerEndingMin = 3;
/** Short words, and words before an ending, do so only where so many names have them. */
const endingLengthMin = 4;
const namesPerShortEndingMin = 6;
const endingWordsMax = 5;

/** A directed name, what is left of it so far, and the last word of that: where it begins, less its space. */
type Ended = { whole: string; name: string; space: number; word: string };

/** What is left of each directed name without its endings; names that have none are left out. */
function withoutEndings(byName: ByName): ReadonlyMap<string, string> {
  const shortened = new Map<string, string>();
  let names: Ended[] = [];
  for (const [name, { isCatalogued }] of byName) if (!isCatalogued) addEnded(names, name, name);
  for (let words = 0; words < endingWordsMax && names.length > 0; words++) {
    const endings = endingsOf(names, words === 0 ? namesPerEndingMin : namesPerShortEndingMin);
    const left: Ended[] = [];
    if (endings.size > 0)
      for (const { whole, name, space, word } of names) {
        if (!endings.has(word) || space < startOf(name) + nameLengthMin) continue;
        const short = name.slice(0, space);
        shortened.set(whole, short);
        addEnded(left, whole, short);
      }
    names = left;
  }
  return shortened;
}

/** Only what has two words ends with one of them. */
function addEnded(names: Ended[], whole: string, name: string): void {
  const space = name.lastIndexOf(" ");
  if (space >= startOf(name)) names.push({ whole, name, space, word: name.slice(space + 1) });
}

/** Names begin with the direction, which is no name. */
function startOf(name: string): number {
  return name.indexOf(" ") + 1;
}

function endingsOf(names: readonly Ended[], namesMin: number): ReadonlySet<string> {
  const seen = new Set<string>();
  const heads = new Map<string, number>();
  for (const { name, word } of names) {
    const before = seen.size;
    if (seen.add(name).size > before) heads.set(word, (heads.get(word) ?? 0) + 1);
  }
  const endings = new Set<string>();
  for (const [word, count] of heads)
    if (count >= (word.length >= endingLengthMin ? namesMin : namesPerShortEndingMin)) endings.add(word);
  return endings;
}

/** A name and a number: of few letters with a reference or an account, of more with what a bank left of a reference. */
const numberedPattern = /^((?:OUT|IN) [A-Z]{2}) \d{3,}$|^((?:OUT|IN) .*[A-Z]{3,}) \d{1,2}$/;
/** Names of which each number comes once are followed by references, and by accounts where numbers return. */
const numbersMin = 3;
const paymentsPerNumberMax = 1.25;

/** Nearly all names end with a letter, and are spared the pattern. */
const codeOf9 = "9".charCodeAt(0);
const codeOfSpace = " ".charCodeAt(0);

/** The name without the number, or the single letter, that it ends with. */
function numberless(name: string): string | undefined {
  if (name.charCodeAt(name.length - 2) === codeOfSpace && name.indexOf(" ") < name.length - 2 - nameLengthMin)
    return name.slice(0, -2);
  if (name.charCodeAt(name.length - 1) > codeOf9) return undefined;
  const [, short, long] = numberedPattern.exec(name) ?? [];
  return short ?? long;
}

/** The names whose numbers are references. */
function numberedNames(byName: ByName): ReadonlySet<string> {
  const counts = new Map<string, { numbers: number; payments: number }>();
  for (const [name, group] of byName) {
    const short = numberless(name);
    if (short === undefined) continue;
    const { numbers, payments } = counts.get(short) ?? { numbers: 0, payments: 0 };
    counts.set(short, { numbers: numbers + 1, payments: payments + group.payments.length });
  }
  const isReferenced = ({ numbers, payments }: { numbers: number; payments: number }): boolean =>
    numbers >= numbersMin && payments <= paymentsPerNumberMax * numbers;
  return new Set([...counts].filter(([, count]) => isReferenced(count)).map(([short]) => short));
}

function withoutReference(name: string, numbered: ReadonlySet<string>): string {
  const short = numbered.size === 0 ? undefined : numberless(name);
  return short !== undefined && numbered.has(short) ? short : name;
}

/** What is left of a name must still name someone. */
const nameLengthMin = 3;

/** What an application store writes where it names no application. */
const storeWords: ReadonlySet<string> = new Set(["GOOGLE", "PLAY", "GOOGLE PLAY", "SERVICES", "APPS", "PLAY APPS"]);

/**
 * Behind a gateway the shop is the payee where its name is left. Empty without any text: then the kind of payment is
 * all there is.
 */
function payeeKey(merchant: Merchant, product: Product | null): string {
  const isShopBehindGateway =
    (product?.isGateway === true && merchant.key !== merchant.gateway) ||
    (product?.isUnknownStoreSubscription === true && merchant.gateway !== null && !storeWords.has(merchant.key));
  if (product !== null && !isShopBehindGateway) return product.id;
  return merchant.key;
}

/** @param payments the payee keeps them */
function newPayee(directedKey: string, payments: Payment[], { product, merchant }: NamedMerchant): Payee {
  return {
    key: directedKey.slice(directedKey.indexOf(" ") + 1),
    product,
    gateway: merchant.gateway,
    direction: directedKey.startsWith("OUT ") ? "OUT" : "IN",
    payments,
  };
}

/** The product's title, else the name that most of the payments have; of equally frequent ones the shortest. */
export function titleOf({ product, key }: Payee, payments: readonly Payment[]): string {
  const isNamedByShop = product === null || product.isGateway || (isMiddleman(product) && key !== product.id);
  if (!isNamedByShop) return product.title;
  const counts = new Map<string, number>();
  for (const payment of payments) {
    const { title } = payment.merchant;
    counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  const [usual] = [...counts].sort(
    ([a, countA], [b, countB]) => countB - countA || a.length - b.length || (a < b ? -1 : 1),
  );
  return usual === undefined || usual[0] === "" ? firstOf(payments).transaction.rawType : usual[0];
}

/**
 * A gateway or an application store of which no more is told: what is paid there is owed to someone else, and to
 * several.
 */
export function sellsOthers({ product, key }: Payee): boolean {
  return isMiddleman(product) && key === product?.id;
}

/** A gateway or an application store. */
export function isMiddleman(product: Product | null): boolean {
  return product?.isGateway === true || product?.isUnknownStoreSubscription === true;
}

/** The cleaned name of the payee's latest payment. */
export function latestName({ payments }: Payee): string {
  return lastOf(payments).merchant.key;
}

/** Joins payees whose names are one name written differently. Sorting without spaces puts such names side by side. */
function joinVariants(payees: readonly Payee[]): Payee[] {
  const sorted = payees
    .map((payee) => ({ payee, compact: payee.direction + payee.key.replaceAll(" ", "") }))
    .sort((a, b) => (a.compact < b.compact ? -1 : a.compact > b.compact ? 1 : a.payee.key < b.payee.key ? -1 : 1));
  const places = placesAsNames(payees.map(({ key }) => key));
  const joined: Payee[] = [];
  let head: { payee: Payee; compact: string } | undefined;
  for (const candidate of sorted) {
    if (head && !places.has(head.payee.key) && isVariant(head.payee, head.compact, candidate.payee, candidate.compact))
      absorb(head.payee, candidate.payee);
    else joined.push((head = { payee: { ...candidate.payee }, compact: candidate.compact }).payee);
  }
  return joined;
}

function isVariant(head: Payee, headCompact: string, other: Payee, otherCompact: string): boolean {
  if (head.direction !== other.direction || head.product !== other.product || isCatalogued(head)) return false;
  if (!otherCompact.startsWith(headCompact)) return false;
  if (headCompact.length === otherCompact.length) return true;
  const headLength = headCompact.length - head.direction.length;
  const isWholeWords = other.key.startsWith(`${head.key} `);
  return headLength >= truncatedLengthMin || (isWholeWords && headLength >= firstWordLengthMin);
}

/** Payees are compared with those whose names begin with the same letters. */
const stemLength = 3;
/** Of very many that begin alike only the latest are compared: such a beginning tells nothing. */
const kinMax = 20;

/** Joins payees that one bill comes from under changing names: names that begin alike, and prices paid under both. */
function joinAlternating(payees: readonly Payee[]): Payee[] {
  const byStem = new Map<string, Payee[]>();
  const joined: Payee[] = [];
  for (const payee of payees) {
    const stem = `${payee.direction} ${latestName(payee).slice(0, stemLength)}`;
    const kin = byStem.get(stem);
    const head = kin
      ?.slice(-kinMax)
      .find(
        (other) =>
          beginAlike(latestName(other), latestName(payee)) && sharePrices(other, payee) && !areBeside(other, payee),
      );
    if (head !== undefined) absorb(head, payee);
    else {
      joined.push(payee);
      if (kin === undefined) byStem.set(stem, [payee]);
      else kin.push(payee);
    }
  }
  return joined;
}

/** Whether one name's first word is the beginning of the other's. */
function beginAlike(a: string, b: string): boolean {
  const firstA = firstWord(a);
  const firstB = firstWord(b);
  return (
    Math.min(firstA.length, firstB.length) >= stemLength && (firstA.startsWith(firstB) || firstB.startsWith(firstA))
  );
}

/** Who is paid more often than this is a shop; no bill comes so often under names that change. */
const alternatingPaymentsMax = 400;
/** So many payments at prices paid under both names are no coincidence. */
const sharedPricesMin = 2;

function sharePrices(a: Payee, b: Payee): boolean {
  if (a.payments.length + b.payments.length > alternatingPaymentsMax) return false;
  const pricesA = new Set(a.payments.map(({ price }) => price));
  const shared = b.payments.filter(({ price }) => pricesA.has(price));
  if (shared.length < sharedPricesMin) return false;
  const prices = new Set(shared.map(({ price }) => price));
  return a.payments.filter(({ price }) => prices.has(price)).length >= sharedPricesMin;
}

/** Of the months of the one that is paid in fewer so many may be the other's too: where more are, both bills are paid. */
const besideShareMax = 0.5;
const besideMonthsMin = 4;

/** Whether both are paid in the same months, about once in each: one bill comes under one of its names at a time. */
function areBeside(a: Payee, b: Payee): boolean {
  const [monthsA, monthsB] = [monthsOf(a), monthsOf(b)];
  if (!isMonthly(a, monthsA) || !isMonthly(b, monthsB)) return false;
  const [fewer, more] = monthsA.size < monthsB.size ? [monthsA, monthsB] : [monthsB, monthsA];
  const shared = [...fewer].filter((month) => more.has(month)).length;
  return shared >= besideMonthsMin && shared > besideShareMax * fewer.size;
}

function monthsOf({ payments }: Payee): ReadonlySet<number> {
  return new Set(payments.map(({ monthIndex }) => monthIndex));
}

/** Who is paid more often is a shop of which the names tell nothing. */
const paymentsPerMonthMax = 1.25;

function isMonthly({ payments }: Payee, months: ReadonlySet<number>): boolean {
  return payments.length <= paymentsPerMonthMax * months.size;
}

function isCatalogued(payee: Payee): boolean {
  return payee.product !== null && !payee.product.isGateway;
}

function absorb(head: Payee, other: Payee): void {
  head.payments = [...head.payments, ...other.payments].sort(chronologically);
  head.product ??= other.product;
  head.gateway ??= other.gateway;
}
