/** `tideline catalogue …`: the products that are known beforehand, and what an operator changes of them. */
import {
  blankProduct,
  cancellationWays,
  idOf,
  productTypes,
  putProduct,
  readCatalogue,
  readProduct,
  removeProduct,
  resetProduct,
  writtenOf,
  type WrittenProduct,
} from "../../operations/catalogue.ts";
import { Fault } from "../../errors.ts";
import { commandLineActor } from "../../partners/audit.ts";
import { listEdits, type MadeEdit } from "../../recognition/product-edits.ts";
import { withSession } from "../service/session.ts";
import { commonOptions, configOf, readArguments, readCount, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { alignColumns, printResult } from "../terminal/result.ts";

export const usage = `
tideline catalogue list [--find TEXT] [--edited]
tideline catalogue put [ID] [--title TEXT] [--type TYPE] [--category ID] [--words A,B] [--countries DK,SE] [--frequencies MONTHLY]
                       [--cancellation WAY] [--trial yes|no] [--equipment-back yes|no] [--money-back yes|no]
tideline catalogue remove ID
tideline catalogue reset ID
tideline catalogue history [ID] [--limit 50]

Each takes --data-dir DIR and --json. What is shipped is in config/products.json; changes are kept in the database over it.
put: without an ID a new product, whose id is made of its title; with one the product is changed where an option says so.
--words are found as whole words in banks' lines, with accents and without, and win over what is shipped. --type is ${productTypes.join(" or ")};
--category a leaf of the expenses' tree, such as LEISURE_STREAMING; --countries * means all; --cancellation is one of
${cancellationWays.join(", ")}. remove: payments for it are recognised as those of any payee. reset: as it was shipped, or gone if it was not.
The running service recognises users anew in the background, and nobody is notified of what is called otherwise then.
`;

const text = { type: "string" } as const;
const listedDefault = "50";
const listedMax = 100_000;

export async function run(argv: string[]): Promise<number> {
  const [verb = "", ...rest] = argv;
  if (verb === "list") return await list(rest);
  if (verb === "history") return await history(rest);
  if (verb === "put") return await put(rest);
  if (verb === "remove" || verb === "reset") return await take(verb, rest);
  return usageError(`There is no "tideline catalogue ${verb}"; there are list, put, remove, reset and history.`);
}

async function list(argv: string[]): Promise<number> {
  const { values } = readArguments(argv, { ...commonOptions, find: text, edited: { type: "boolean", default: false } });
  return await withSession(configOf(values), async (session) => {
    const { products, edits } = await readCatalogue(session.database);
    const edited = new Set(edits.map(({ productId }) => productId));
    const wanted = (values.find ?? "").toLowerCase();
    const found = products.filter(
      ({ product, words, aliases }) =>
        (!values.edited || edited.has(product.id)) &&
        [product.id, product.title, product.category, ...words, ...aliases].some((one) =>
          one.toLowerCase().includes(wanted),
        ),
    );
    const head = ["ID", "TITLE", "STATE", "TYPE", "CATEGORY", "COUNTRIES", "WORDS"];
    const lines = found.map(({ product, words, aliases }) => [
      product.id,
      product.title,
      edited.has(product.id) ? "edited" : "shipped",
      product.type,
      product.category,
      product.countries.join(","),
      [...words, ...aliases].join(", "),
    ]);
    const listed = found.map((one) => ({
      ...one.product,
      words: one.words,
      aliases: one.aliases,
      edited: edited.has(one.product.id),
    }));
    printResult(values.json, listed, lines.length === 0 ? ["No product."] : alignColumns([head, ...lines]));
    return exitCode.done;
  });
}

async function put(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    title: text,
    type: text,
    category: text,
    words: text,
    countries: text,
    frequencies: text,
    cancellation: text,
    trial: text,
    "equipment-back": text,
    "money-back": text,
  });
  const [given, ...more] = positionals;
  if (more.length > 0) usageError("Name one ID, or none for a new product.");
  return await withSession(configOf(values), async (session) => {
    const { products } = await readCatalogue(session.database);
    const id = given ?? idOf(values.title ?? "");
    const known = products.find(({ product }) => product.id === id);
    if (given !== undefined && known === undefined) throw new Fault("NOT_FOUND", `There is no product ${given}.`);
    if (given === undefined && known !== undefined)
      usageError(`There is a product ${id} already: name it to change it.`);
    const before = known === undefined ? blankProduct : writtenOf(known);
    const written: WrittenProduct = {
      title: values.title ?? before.title,
      type: values.type ?? before.type,
      category: values.category ?? before.category,
      words: values.words ?? before.words,
      countries: values.countries ?? before.countries,
      frequencies: values.frequencies ?? before.frequencies,
      cancellation: values.cancellation ?? before.cancellation,
      hasTrial: yesOf(values.trial, "--trial", before.hasTrial),
      equipmentBack: yesOf(values["equipment-back"], "--equipment-back", before.equipmentBack),
      moneyBack: yesOf(values["money-back"], "--money-back", before.moneyBack),
    };
    const read = readProduct(id, written);
    if ("problems" in read) usageError(read.problems.join(" "));
    return tell(values.json, id, await putProduct(session.database, commandLineActor(), read));
  });
}

async function take(verb: "remove" | "reset", argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, commonOptions);
  const [id, ...more] = positionals;
  if (id === undefined || more.length > 0) usageError("Name one ID.");
  const how = verb === "remove" ? removeProduct : resetProduct;
  return await withSession(configOf(values), async (session) =>
    tell(values.json, id, await how(session.database, commandLineActor(), id)),
  );
}

function tell(json: boolean, productId: string, done: Awaited<ReturnType<typeof putProduct>>): number {
  if (done.outcome === "declined") usageError(done.why);
  printResult(json, { productId, version: done.version }, [`${productId}: kept as change ${done.version}.`]);
  return exitCode.done;
}

async function history(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, { ...commonOptions, limit: text });
  const limit = readCount(values.limit ?? listedDefault, "--limit", 1, listedMax);
  const [id = null] = positionals;
  return await withSession(configOf(values), async (session) => {
    const edits = await listEdits(session.database, id, limit);
    const head = ["AT", "ID", "WHAT", "BY", "TITLE", "WORDS"];
    printResult(
      values.json,
      edits,
      edits.length === 0 ? ["Nothing was changed."] : alignColumns([head, ...edits.map(lineOf)]),
    );
    return exitCode.done;
  });
}

function lineOf({ at, productId, kind, actor, product, words }: MadeEdit): string[] {
  return [at.toISOString().slice(0, 19), productId, kind, actor, product?.title ?? "", words.join(", ")];
}

/** @throws Fault COMMAND_USAGE */
function yesOf(value: string | undefined, option: string, before: boolean): boolean {
  if (value === undefined) return before;
  return value === "yes" || value === "no" ? value === "yes" : usageError(`${option} is yes or no.`);
}
