/**
 * What an operator changes about the catalogue of products, from the command line and from the console alike: each edit
 * with its trace. Users are recognised anew in the background, and nobody is told of what is called otherwise now.
 */
import { isDeepStrictEqual } from "node:util";
import { findCategory, isLeaf } from "../categories/tree.ts";
import { type Database, inTransaction, type Queryable } from "../database/database.ts";
import { paymentFrequencies } from "../interface/payment-frequency.ts";
import { recordAudit } from "../partners/audit.ts";
import { isFindable, type ListedProduct, listProducts, type Product, shippedProduct } from "../payments/catalogue.ts";
import { insertEdit } from "../recognition/product-editing.ts";
import { type MadeEdit, readEdits } from "../recognition/product-edits.ts";

export const productTypes = ["SUBSCRIPTION", "OTHER_RECURRING"] as const satisfies readonly Product["type"][];
export const cancellationWays = [
  "POSSIBLE",
  "EXPLAIN_WHY_NOT",
  "STORE",
] as const satisfies readonly Product["cancellation"][];

/** As somebody writes a product down: lists are separated by commas; an empty list of frequencies is any. */
export type WrittenProduct = {
  title: string;
  type: string;
  category: string;
  words: string;
  countries: string;
  frequencies: string;
  cancellation: string;
  hasTrial: boolean;
  equipmentBack: boolean;
  moneyBack: boolean;
};

const idPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const idLengthMax = 80;
const titleLengthMax = 100;
const wordsMax = 50;
const wordLengthMax = 60;
/** Each is looked for in the lines of all users. */
const editsMax = 5_000;

export type Declined = { outcome: "declined"; why: string };

/** All that is known, with edits in force over it; the edited first. */
export async function readCatalogue(database: Queryable): Promise<{ products: ListedProduct[]; edits: MadeEdit[] }> {
  const edits = await readEdits(database);
  const products = listProducts(edits.map(({ productId, product, words }) => ({ id: productId, product, words })));
  return { products, edits };
}

/** As a form or a command begins with. */
export function writtenOf({ product, words }: Pick<ListedProduct, "product" | "words">): WrittenProduct {
  const { title, type, category, countries, frequencies, cancellation, hasTrial, equipmentBack, moneyBack } = product;
  return {
    title,
    type,
    category,
    words: words.join(", "),
    countries: countries.join(", "),
    frequencies: frequencies.join(", "),
    cancellation,
    hasTrial,
    equipmentBack,
    moneyBack,
  };
}

export const blankProduct: WrittenProduct = {
  title: "",
  type: "SUBSCRIPTION",
  category: "",
  words: "",
  countries: "*",
  frequencies: "",
  cancellation: "POSSIBLE",
  hasTrial: false,
  equipmentBack: false,
  moneyBack: false,
};

/** A product's id from its title. */
export function idOf(title: string): string {
  const plain = title
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .toLowerCase();
  return plain
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, idLengthMax);
}

/** Understood, or every problem at once, in sentences. */
export function readProduct(
  id: string,
  written: WrittenProduct,
): { product: Product; words: string[] } | { problems: string[] } {
  const known = shippedProduct(id);
  const problems: string[] = [];
  const holds = (isRight: boolean, problem: string) => isRight || problems.push(problem);
  holds(idPattern.test(id) && id.length <= idLengthMax, "An id is small letters, digits and hyphens.");
  const title = written.title.trim();
  holds(title !== "" && title.length <= titleLengthMax, `A title has 1 to ${titleLengthMax} characters.`);
  const type = productTypes.find((one) => one === written.type);
  holds(type !== undefined, `The type is ${productTypes.join(" or ")}.`);
  const category = findCategory(written.category);
  holds(
    category?.kind === "EXPENSE" && isLeaf(written.category),
    written.category === "" ? "Choose a category." : "The category is a leaf of the expenses' tree.",
  );
  const cancellation = cancellationWays.find((one) => one === written.cancellation);
  holds(cancellation !== undefined, `How it is cancelled is ${cancellationWays.join(", ")}.`);
  const words = listOf(written.words);
  const lost = words.filter((word) => !isFindable(word) || word.length > wordLengthMax);
  holds(lost.length === 0, `A word by which it is found has 3 to ${wordLengthMax} characters: ${lost.join(", ")}.`);
  holds(words.length <= wordsMax, `There are ${wordsMax} words at most.`);
  holds(words.length > 0 || known !== null, "Name at least one word by which it is found in a bank's lines.");
  const countries = listOf(written.countries).map((one) => one.toUpperCase());
  holds(
    countries.length > 0 && countries.every((one) => one === "*" || /^[A-Z]{2}$/.test(one)),
    "Countries are two letters each, DK, or * for all.",
  );
  const frequencies = listOf(written.frequencies).map((one) => one.toUpperCase());
  const foreign = frequencies.filter((one) => !paymentFrequencies.some((known) => known === one));
  holds(foreign.length === 0, `Frequencies are ${paymentFrequencies.join(", ")}, not ${foreign.join(", ")}.`);
  if (problems.length > 0 || type === undefined || cancellation === undefined) return { problems };
  const product = {
    id,
    title,
    type,
    category: written.category,
    countries,
    frequencies: paymentFrequencies.filter((one) => frequencies.includes(one)),
    cancellation,
    // Of what collects for others the shipped list alone tells.
    isGateway: known?.isGateway ?? false,
    isUnknownStoreSubscription: known?.isUnknownStoreSubscription ?? false,
    store: known?.store ?? null,
    hasTrial: written.hasTrial,
    equipmentBack: written.equipmentBack,
    moneyBack: written.moneyBack,
  };
  return { product, words };
}

function listOf(text: string): string[] {
  return [...new Set(text.split(/[,\n]/).map((one) => one.trim()))].filter((one) => one !== "");
}

/** Adds a product, or changes it. */
export async function putProduct(
  database: Database,
  actor: string,
  { product, words }: { product: Product; words: readonly string[] },
): Promise<{ outcome: "edited"; version: number } | Declined> {
  return await edit(database, actor, product.id, async (now) => {
    if (now.length >= editsMax && !now.some(({ productId }) => productId === product.id))
      return { why: `There are ${editsMax} edited products at most.` };
    const before = now.find(({ productId }) => productId === product.id);
    const isSame =
      before?.kind !== "removed" &&
      isDeepStrictEqual(before?.product ?? shippedProduct(product.id), product) &&
      isDeepStrictEqual(before?.words ?? [], words);
    return isSame ? { why: "It is so already." } : { kind: "put", product, words };
  });
}

/** Takes a product away: payments for it are recognised as those of any payee. */
export async function removeProduct(
  database: Database,
  actor: string,
  id: string,
): Promise<{ outcome: "edited"; version: number } | Declined> {
  return await edit(database, actor, id, async (now) => {
    const before = now.find(({ productId }) => productId === id);
    if (before?.kind === "removed" || (before === undefined && shippedProduct(id) === null))
      return { why: "There is no such product." };
    return { kind: "removed", product: null, words: [] };
  });
}

/** Takes its edits away: it is as it was shipped, or gone if it was not. */
export async function resetProduct(
  database: Database,
  actor: string,
  id: string,
): Promise<{ outcome: "edited"; version: number } | Declined> {
  return await edit(database, actor, id, async (now) =>
    now.some(({ productId }) => productId === id)
      ? { kind: "reset", product: null, words: [] }
      : { why: "Nothing of it was edited." },
  );
}

type Wanted = Pick<MadeEdit, "kind" | "product" | "words"> | { why: string };

async function edit(
  database: Database,
  actor: string,
  productId: string,
  decide: (now: readonly MadeEdit[]) => Promise<Wanted>,
): Promise<{ outcome: "edited"; version: number } | Declined> {
  return await inTransaction(database, async (transaction) => {
    const wanted = await decide(await readEdits(transaction));
    if ("why" in wanted) return { outcome: "declined", why: wanted.why };
    const { version } = await insertEdit(transaction, { productId, actor, ...wanted });
    const { kind, product, words } = wanted;
    const details = { productId, kind, version, ...(product === null ? {} : { product, words }) };
    await recordAudit(transaction, actor, { partnerId: null, event: "catalogue.edited", details });
    return { outcome: "edited", version };
  });
}
