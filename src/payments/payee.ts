/**
 * One user's payments grouped by payee. Names that banks truncate, space differently or extend by a city fall together;
 * so do all names of one catalogued product.
 */
import { type Product, foundMerchant } from "./catalogue.ts";
import { chronologically } from "./history.ts";
import type { Payment, PaymentKind } from "./payment.ts";
import type { FoundMerchant, Merchant } from "./merchant.ts";
import { byCompact, type DirectedName, directedNameOf, type Name, nameLengthMin, oftenIn, stemLength } from "./name.ts";
import { nameDues } from "./line-day/dues.ts";
import { beginsOthers, isWholeWord, placesAsNames } from "./place-names.ts";
import { behindGateways, numberedNames, withoutCodes } from "./varying-words.ts";
import { firstOf, lastOf } from "../present.ts";

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
  const byName = groupByName(payments, country);
  const short = withoutEndings(byName);
  const numbered = numberedNames(byName);
  const coded = withoutCodes(byName.filter(({ isCatalogued }) => !isCatalogued));
  const behind = behindGateways(byName);
  const groups = new Map<string, NamedPayments>();
  const split = new Set<Payment[]>();
  for (const { name: whole, isCatalogued, payments: group } of byName) {
    const name = isCatalogued ? whole : shortened(behind?.get(whole.text) ?? whole, coded, short, numbered);
    const existing = groups.get(name.text);
    if (existing === undefined) groups.set(name.text, { name, payments: group });
    else {
      for (const payment of group) existing.payments.push(payment);
      split.add(existing.payments);
    }
  }
  for (const group of split) group.sort(chronologically);
  const payees: NamedPayee[] = [];
  for (const { name, payments: group } of groups.values()) payees.push({ name, payee: newPayee(name, group, country) });
  return joinAlternating(joinVariants(payees));
}

type NamedPayments = { name: DirectedName; payments: Payment[] };

/** What is left of a name without codes, or without endings and references. */
function shortened(
  name: DirectedName,
  coded: ReadonlyMap<string, string> | null,
  short: ReadonlyMap<string, DirectedName> | null,
  numbered: ReadonlySet<string> | null,
): DirectedName {
  const codeless = coded?.get(name.text);
  if (codeless !== undefined) return directedNameOf(codeless);
  const ended = short?.get(name.text) ?? name;
  const { numberless } = ended;
  return numberless !== undefined && numbered?.has(numberless) === true ? directedNameOf(numberless) : ended;
}

/** isCatalogued: of the first payment's merchant. start: of its payments, among those put together group by group. */
type Group = { name: DirectedName; isCatalogued: boolean; start: number; count: number; payments: Payment[] };

/**
 * By direction and name. Payments are counted before they are put together: nearly all groups are small, and a list that
 * grows takes more than it holds.
 */
function groupByName(payments: readonly Payment[], country: string): readonly Group[] {
  const byName = new Map<string, Group>();
  const groupOf: Group[] = [];
  const named: Payment[] = [];
  for (const payment of payments) {
    if (kindsWithoutPayee.has(payment.kind)) continue;
    const merchant = namedMerchant(payment, country);
    const name = directedName(merchant, payment);
    let group = byName.get(name.text);
    if (group === undefined) {
      group = { name, isCatalogued: merchant.isCatalogued, start: 0, count: 0, payments: [] };
      byName.set(name.text, group);
    }
    group.count++;
    groupOf.push(group);
    named.push(payment);
  }
  const groups = [...byName.values()];
  const together = named.slice();
  let start = 0;
  for (const group of groups) {
    group.start = start;
    start += group.count;
    group.count = 0;
  }
  for (let index = 0; index < named.length; index++) {
    const group = groupOf[index] as Group;
    together[group.start + group.count++] = named[index] as Payment;
  }
  for (const group of groups) group.payments = together.slice(group.start, group.start + group.count);
  return groups;
}

function directedName(named: NamedMerchant, { transaction, kind, merchant }: Payment): DirectedName {
  const direction = transaction.amountMinor < 0 ? "out" : "in";
  // Without a name the kind of payment is all there is.
  if (named.key === "") return directedNameOf(`${direction.toUpperCase()} ${kind}`);
  const known = named[direction];
  if (known !== null) return known;
  const own = named.key === merchant.key ? merchant.name : named; // many lines have one name
  return (named[direction] = own[direction] ??= directedNameOf(`${direction.toUpperCase()} ${named.key}`));
}

type NamedMerchant = FoundMerchant & { key: string };

/** Kept from user to user, as the merchants are. */
function namedMerchant({ merchant }: Payment, country: string): NamedMerchant {
  const found = foundMerchant(merchant, country);
  if (found.key === null) {
    found.key = payeeKey(merchant, found.product);
    found.isCatalogued = found.key === found.product?.id;
  }
  return found as NamedMerchant;
}

/** Last words that so many different names of one user end with say where, or how it was paid, and not who. */
const namesPerEndingMin = 3;
/** Short words, and words before an ending, do so only where so many names have them. */
const endingLengthMin = 4;
const namesPerShortEndingMin = 6;
const endingWordsMax = 5;

/** A directed name, and what is left of it so far. */
type Ended = { whole: string; name: DirectedName };

/** What is left of each directed name without its endings; names that have none are left out; null: none has any. */
function withoutEndings(byName: readonly Group[]): ReadonlyMap<string, DirectedName> | null {
  let shortened: Map<string, DirectedName> | null = null;
  let names: Ended[] = [];
  for (const { name, isCatalogued } of byName) if (!isCatalogued) addEnded(names, name.text, name);
  for (let words = 0; words < endingWordsMax && names.length > 0; words++) {
    const endings = endingsOf(names, words === 0 ? namesPerEndingMin : namesPerShortEndingMin);
    const left: Ended[] = [];
    if (endings.size > 0)
      for (const { whole, name } of names) {
        if (!endings.has(name.word) || name.space < startOf(name) + nameLengthMin) continue;
        const short = name.shorter;
        (shortened ??= new Map()).set(whole, short);
        addEnded(left, whole, short);
      }
    names = left;
  }
  return shortened;
}

/** Only what has two words ends with one of them. */
function addEnded(names: Ended[], whole: string, name: DirectedName): void {
  if (name.space >= startOf(name)) names.push({ whole, name });
}

/** Names begin with the direction, which is no name. */
function startOf({ direction }: DirectedName): number {
  return direction.length + 1;
}

function endingsOf(names: readonly Ended[], namesMin: number): ReadonlySet<string> {
  const often = oftenIn(names, ({ name }) => name.word, namesMin);
  if (often.size === 0) return often;
  const seen = new Set<string>();
  const heads = new Map<string, number>();
  for (const { name } of names) {
    if (!often.has(name.word) || seen.has(name.text)) continue;
    seen.add(name.text);
    heads.set(name.word, (heads.get(name.word) ?? 0) + 1);
  }
  const endings = new Set<string>();
  for (const [word, count] of heads)
    if (count >= (word.length >= endingLengthMin ? namesMin : namesPerShortEndingMin)) endings.add(word);
  return endings;
}

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

type NamedPayee = { name: DirectedName; payee: Payee };

/** @param payments the payee keeps them */
function newPayee({ name, direction }: DirectedName, payments: Payment[], country: string): Payee {
  const first = firstOf(payments);
  const { product } = namedMerchant(first, country);
  return { key: name, product, gateway: first.merchant.gateway, direction, payments };
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

function latestMerchant({ payments }: Payee): Merchant {
  return lastOf(payments).merchant;
}

/** Joins payees whose names are one name written differently. Sorting without spaces puts such names side by side. */
function joinVariants(payees: NamedPayee[]): Payee[] {
  payees.sort((a, b) => byCompact(a.name, b.name));
  const names = payees.map(({ name }) => name);
  const places = placesAsNames(names);
  const joined: Payee[] = [];
  let head: NamedPayee | null = null;
  // Of names that begin as the head does and are others: longer words, where it is known to be a word, and memberships.
  let longer: NamedPayee | null = null;
  let isWord = false;
  for (const [at, candidate] of payees.entries()) {
    if (longer !== null && isVariant(longer, candidate, false)) absorb(longer.payee, candidate.payee);
    else if (head !== null && !places.has(head.payee.key) && isVariant(head, candidate, isWord))
      absorb(head.payee, candidate.payee);
    else {
      joined.push(candidate.payee);
      if (head !== null && isBeside(head, candidate, isWord)) longer = candidate;
      else {
        head = candidate.payee.payments.length === 1 && beginsOthers(names, at) ? null : candidate;
        longer = null;
        isWord = head !== null && isWholeWord(names, at);
      }
    }
  }
  return joined;
}

/** Whether a name begins with the head's letters and is another one nevertheless. */
function isBeside(head: NamedPayee, { payee, name }: NamedPayee, isWord: boolean): boolean {
  if (!name.compact.startsWith(head.name.compact)) return false;
  return (isWord && !name.text.startsWith(`${head.name.text} `)) || nameDues(payee.payments);
}

/** @param isWord whether the head is known to be no name that is cut off within a word */
function isVariant(
  { payee: head, name: headName }: NamedPayee,
  { payee: other, name: otherName }: NamedPayee,
  isWord: boolean,
): boolean {
  if (!otherName.compact.startsWith(headName.compact)) return false;
  if (head.direction !== other.direction || head.product !== other.product || isCatalogued(head)) return false;
  if (headName.compact.length === otherName.compact.length) return true;
  // A shop's membership is owed, whatever else is bought there.
  if (nameDues(other.payments) && !nameDues(head.payments)) return false;
  const headLength = headName.compact.length - head.direction.length;
  const isWholeWords = other.key.startsWith(`${head.key} `);
  return isWholeWords ? headLength >= firstWordLengthMin : headLength >= truncatedLengthMin && !isWord;
}

/** Of very many that begin alike only the latest are compared: such a beginning tells nothing. */
const kinMax = 20;

/** Joins payees that one bill comes from under changing names: names that begin alike, and prices paid under both. */
function joinAlternating(payees: readonly Payee[]): Payee[] {
  const byStem = { OUT: new Map<string, Payee[]>(), IN: new Map<string, Payee[]>() };
  const joined: Payee[] = [];
  for (const payee of payees) {
    const { stem } = latestMerchant(payee).name;
    const kin = byStem[payee.direction].get(stem);
    const head = kin === undefined ? undefined : alternatingIn(kin, payee, payees);
    if (head !== undefined) absorb(head, payee);
    else {
      joined.push(payee);
      if (kin === undefined) byStem[payee.direction].set(stem, [payee]);
      else kin.push(payee);
    }
  }
  return joined;
}

/** The first of the latest that begin alike and have prices in common; undefined: none. */
function alternatingIn(kin: readonly Payee[], payee: Payee, payees: readonly Payee[]): Payee | undefined {
  for (let at = Math.max(0, kin.length - kinMax); at < kin.length; at++) {
    const other = kin[at] as Payee;
    if (!beginAlike(latestMerchant(other).name, latestMerchant(payee).name)) continue;
    if (sharePrices(other, payee) && !areBeside(other, payee) && !isOpenedAlike(other, payee, payees)) return other;
  }
  return undefined;
}

/** A word with which the lines of more payees begin is the bank's. */
const payeesPerFirstWordMax = 4;

/** Whether only one of them is catalogued, and what their names have in common is how the bank opens its lines. */
function isOpenedAlike(other: Payee, payee: Payee, payees: readonly Payee[]): boolean {
  if (other.product === payee.product || !(isCatalogued(other) || isCatalogued(payee))) return false;
  const { first } = latestMerchant(payee).name;
  return payees.filter((one) => latestMerchant(one).name.first === first).length > payeesPerFirstWordMax;
}

/** Whether one name's first word is the beginning of the other's. */
function beginAlike({ first: a }: Name, { first: b }: Name): boolean {
  return Math.min(a.length, b.length) >= stemLength && (a.startsWith(b) || b.startsWith(a));
}

/** Who is paid more often than this is a shop; no bill comes so often under names that change. */
const alternatingPaymentsMax = 400;
/** So many payments at prices paid under both names are no coincidence. */
const sharedPricesMin = 2;

function sharePrices(a: Payee, b: Payee): boolean {
  if (a.payments.length + b.payments.length > alternatingPaymentsMax) return false;
  if (Math.min(a.payments.length, b.payments.length) < sharedPricesMin) return false;
  const pricesA = new Set<number>();
  for (const { price } of a.payments) pricesA.add(price);
  const sharing = b.payments.filter(({ price }) => pricesA.has(price));
  if (sharing.length < sharedPricesMin) return false;
  const shared = new Set(sharing.map(({ price }) => price));
  const inA = a.payments.filter(({ price }) => shared.has(price)).length;
  // Beside a product, who is paid much else is its company's shop.
  const isShop = (one: Payee, sharing: number, other: Payee): boolean =>
    isCatalogued(other) && !isCatalogued(one) && sharing < one.payments.length / 2;
  return inA >= sharedPricesMin && !isShop(a, inA, b) && !isShop(b, sharing.length, a);
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
