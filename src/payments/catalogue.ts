/**
 * What we know about products and merchant categories beforehand: config/products.json and config/mcc.json.
 * Knowledge here makes recognition surer and prettier; it is never needed for it.
 */
import categories from "../../config/mcc.json" with { type: "json" };
import products from "../../config/products.json" with { type: "json" };
import { entriesIn, indexAliases } from "./alias-index.ts";
import type { PaymentFrequency } from "../interface/payment-frequency.ts";
import { type Merchant, normaliseText } from "./merchant.ts";

/** Interface document, Product: SUBSCRIPTION is non-essential, OTHER_RECURRING are fixed expenses. */
export type ProductType = "SUBSCRIPTION" | "OTHER_RECURRING";
export type StoreType = "STORE_A" | "STORE_B";

export type Product = {
  id: string;
  title: string;
  type: ProductType;
  /** Category id of the budget's category tree. */
  category: string;
  countries: readonly string[];
  /** Frequencies at which it is sold; empty when any. */
  frequencies: readonly PaymentFrequency[];
  cancellation: "POSSIBLE" | "EXPLAIN_WHY_NOT" | "STORE";
  isGateway: boolean;
  isUnknownStoreSubscription: boolean;
  store: StoreType | null;
  /** Known for trials that turn into memberships. */
  hasTrial: boolean;
  equipmentBack: boolean;
  moneyBack: boolean;
};

/** How payments to a merchant category recur, from config/mcc.json. */
export type Recurring = "LIKELY" | "POSSIBLE" | "ONE_OFF" | "NEVER";
export type MerchantCategory = { description: string; category: string; recurring: Recurring; confidence: number };

type Entry = { product: Product; pattern: RegExp };

const entries: readonly Entry[] = products.map(({ aliases, ...product }) => ({
  product: product as Product,
  pattern: new RegExp(aliases.map(normalisedPattern).join("|"), "i"),
}));
const aliasIndex = indexAliases(products.map(({ aliases }) => aliases.map(normalisedPattern)));

const productsById = new Map(entries.map(({ product }) => [product.id, product]));
const categoryByCode = new Map(
  Object.entries(categories as Record<string, MerchantCategory>).map(([code, category]) => [Number(code), category]),
);

/** Merchants are kept from user to user; of each, what was found in the country that asked last. */
const found = new WeakMap<Merchant, { country: string; product: Product | null }>();

/** First product whose alias matches and which is sold in the country; null when none. */
export function findProduct(merchant: Merchant, country: string): Product | null {
  const known = found.get(merchant);
  if (known?.country === country) return known.product;
  const product = searchProduct(merchant, country);
  found.set(merchant, { country, product });
  return product;
}

function searchProduct({ searchText, key }: Merchant, country: string): Product | null {
  const text = `${searchText}\n${key}`;
  for (const at of entriesIn(text, aliasIndex)) {
    const { product, pattern } = entries[at] as Entry;
    if (isSoldIn(product, country) && pattern.test(text)) return product;
  }
  return null;
}

function isSoldIn({ countries }: Product, country: string): boolean {
  return countries.includes("*") || countries.includes(country);
}

/** A product by its id; null when the catalogue no longer has it. */
export function productById(id: string): Product | null {
  return productsById.get(id) ?? null;
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
