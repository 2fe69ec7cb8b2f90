/**
 * What we know about products and merchant categories beforehand: config/products.json and config/mcc.json.
 * Knowledge here makes recognition surer and prettier; it is never needed for it.
 */
import categories from "../../config/mcc.json" with { type: "json" };
import products from "../../config/products.json" with { type: "json" };
import { hasDigits } from "./line-day/alike.ts";
import { type AliasIndex, entriesIn, indexAliases } from "./alias-index.ts";
import { type FoundMerchant, type Merchant, normaliseText } from "./merchant.ts";
import type { Product } from "./product.ts";

export type { Product, ProductType, StoreType } from "./product.ts";

/** How payments to a merchant category recur, from config/mcc.json. */
export type Recurring = "LIKELY" | "POSSIBLE" | "ONE_OFF" | "NEVER";
export type MerchantCategory = { description: string; category: string; recurring: Recurring; confidence: number };

/** hasDigits: whether it asks which digit it is. */
type Entry = { product: Product; pattern: RegExp; hasDigits: boolean };
type Catalogue = {
  /** Of the edits that it has; 0: as it was shipped. */
  version: number;
  entries: readonly Entry[];
  aliasIndex: AliasIndex;
  byId: ReadonlyMap<string, Product>;
};

/**
 * What an operator wants otherwise than it was shipped. product null: it is no longer known. `words`: texts by which it
 * is found besides the aliases that it was shipped with.
 */
export type ProductEdit = { id: string; product: Product | null; words: readonly string[] };

const shipped = products.map(({ aliases, ...product }) => ({
  product: product as Product,
  patterns: aliases.map(normalisedPattern),
}));
const shippedById: ReadonlyMap<string, (typeof shipped)[number]> = new Map(shipped.map((one) => [one.product.id, one]));

const categoryByCode = new Map(
  Object.entries(categories as Record<string, MerchantCategory>).map(([code, category]) => [Number(code), category]),
);

/** As this thread knows it; whoever keeps edits puts it in place before users are looked at (recognition/product-edits.ts). */
let catalogue = catalogueOf(0, []);

/** From now on this thread knows the products as they are edited. */
export function useEdits(version: number, edits: readonly ProductEdit[]): void {
  catalogue = catalogueOf(version, edits);
}

/** Of the edits that are in use here; 0: none. */
export function catalogueVersion(): number {
  return catalogue.version;
}

/** Every product with what it is found by: what operators added, and the patterns that it was shipped with. */
export type ListedProduct = { product: Product; words: readonly string[]; aliases: readonly string[] };

/** As shipped, with edits over it: those that operators added or changed first, without those that they took away. */
export function listProducts(edits: readonly ProductEdit[]): ListedProduct[] {
  const byId = new Map(edits.map((edit) => [edit.id, edit]));
  const edited = edits.flatMap(({ id, product, words }) =>
    product === null ? [] : [{ product, words, aliases: shippedById.get(id)?.patterns ?? [] }],
  );
  const others = shipped.flatMap(({ product, patterns }) =>
    byId.has(product.id) ? [] : [{ product, words: [], aliases: patterns }],
  );
  return [...edited, ...others];
}

/** As it was shipped; null: it was not. */
export function shippedProduct(id: string): Product | null {
  return shippedById.get(id)?.product ?? null;
}

/**
 * The words of edits come first: an operator's product wins over a shipped one that the same line may mean. What was
 * shipped keeps its place, and its aliases, with what is edited of it.
 */
function catalogueOf(version: number, edits: readonly ProductEdit[]): Catalogue {
  const byId = new Map(edits.map(({ id, product }) => [id, product]));
  const added = edits.flatMap(({ product, words }) =>
    product === null || words.length === 0 ? [] : [{ product, patterns: words.map(wordPattern) }],
  );
  const others = shipped.flatMap(({ product: one, patterns }) => {
    const product = byId.has(one.id) ? byId.get(one.id) : one;
    return product == null ? [] : [{ product, patterns }];
  });
  const all = [...added, ...others];
  const known = [...others, ...edits.flatMap(({ product }) => (product === null ? [] : [{ product }]))];
  return {
    version,
    entries: all.map(({ product, patterns }) => ({
      product,
      pattern: anyOf(patterns),
      hasDigits: patterns.some(hasDigits),
    })),
    aliasIndex: indexAliases(all.map(({ patterns }) => patterns)),
    byId: new Map(known.map(({ product }) => [product.id, product])),
  };
}

/** An alias begins a word: within one its letters are another name's. */
function anyOf(patterns: readonly string[]): RegExp {
  return new RegExp(`(?<![a-z])(?:${patterns.join("|")})`, "i");
}

/** First product whose alias matches and which is sold in the country; null when none. */
export function findProduct(merchant: Merchant, country: string): Product | null {
  return foundMerchant(merchant, country).product;
}

/**
 * The same with what else is kept beside it. Merchants are kept from user to user; of each, and of all that are alike, what
 * was asked last.
 */
export function foundMerchant(merchant: Merchant, country: string): FoundMerchant {
  const known = foundLast(merchant, country);
  if (known !== null) return known;
  const { product, isToldByDigits } = searchProduct(merchant, country);
  const found = foundIn(country, product);
  if (isToldByDigits) merchant.found = found;
  else {
    merchant.found = null;
    merchant.alike.found = found;
  }
  return found;
}

function foundLast({ found, alike }: Merchant, country: string): FoundMerchant | null {
  const known = found ?? alike.found;
  return known !== null && known.country === country && known.catalogue === catalogue ? known : null;
}

/** The same where it was asked before, of the products in use; undefined: it was not. */
export function productIfAsked(merchant: Merchant, country: string): Product | null | undefined {
  return foundLast(merchant, country)?.product;
}

/** Tells what an earlier search found among the products in use. @returns what is the same of all merchants of this key and gateway */
export function foundBefore(
  holder: { found: FoundMerchant | null },
  country: string,
  product: Product | null,
): FoundMerchant {
  return (holder.found = foundIn(country, product));
}

function foundIn(country: string, product: Product | null): FoundMerchant {
  return { catalogue, country, product, key: null, isCatalogued: false, out: null, in: null };
}

/** isToldByDigits: whether a product that asks for digits might be meant by a text that differs in those alone. */
function searchProduct(
  { searchText, key }: Merchant,
  country: string,
): { product: Product | null; isToldByDigits: boolean } {
  const text = `${searchText}\n${key}`;
  let isToldByDigits = false;
  for (const at of entriesIn(text, catalogue.aliasIndex)) {
    const entry = catalogue.entries[at] as Entry;
    if (!isSoldIn(entry.product, country)) continue;
    isToldByDigits ||= entry.hasDigits;
    if (entry.pattern.test(text)) return { product: entry.product, isToldByDigits };
  }
  return { product: null, isToldByDigits };
}

function isSoldIn({ countries }: Product, country: string): boolean {
  return countries.includes("*") || countries.includes(country);
}

/** A product by its id; null when the catalogue no longer has it. */
export function productById(id: string): Product | null {
  return catalogue.byId.get(id) ?? null;
}

/** What a merchant category code (ISO 18245) says; null when unknown. */
export function merchantCategory(mcc: number): MerchantCategory | null {
  return categoryByCode.get(mcc) ?? null;
}

/** Aliases are written with their own letters; descriptors are matched normalised. Escapes such as \b keep their case. */
function normalisedPattern(alias: string): string {
  const letters = [...alias]
    .map((letter) => (letter > "\u007f" ? normaliseText(letter).toLowerCase() : letter))
    .join("");
  return letters.replace(/ae|aa|oe/g, (pair) => pair.charAt(0));
}

/** An operator's word is a text, never a pattern: whole words of a line, written with accents or without. */
function wordPattern(word: string): string {
  const text = normaliseText(word).toLowerCase();
  // Not RegExp.escape, which writes letters as their numbers: the index wants to see how a pattern begins.
  const escaped = text.replaceAll(/[^a-z0-9 ]/g, "\\$&");
  return `${/^\w/.test(text) ? "\\b" : ""}${escaped}${/\w$/.test(text) ? "\\b" : ""}`;
}

/** Of a word by which a product may be found. Shorter ones are in the lines of others. */
export const wordLengthMin = 3;
/** @returns whether enough of it can be found in a line */
export function isFindable(word: string): boolean {
  return normaliseText(word).replaceAll(/[^A-Z0-9]/g, "").length >= wordLengthMin;
}
