/** The files behind categorising, config/merchants and config/keywords, read once and held against the tree. */
import { readFileSync, readdirSync } from "node:fs";
import { itemAt } from "../present.ts";
import { isLeaf } from "./tree.ts";

export type Entry = {
  text: string;
  categoryId: string;
  /** ISO 3166-1 alpha-2; `*` everywhere. */
  countries: readonly string[];
  /**
   * Written with a `?`: sells so many things that a merchant category code knows better, or a word with other meanings.
   */
  isWeak: boolean;
  /** Known to whoever is or pays in its countries, and to nobody elsewhere: there the same word is another's. */
  isLocal?: true;
};
export type Lexicon = { out: Entry[]; in: Entry[] };
/** Words that say what a line is rather than what it is for. */
export const markNames = [
  /** A credit card's bill. */
  "settlement",
  "loanPayout",
  "refund",
  /** Between accounts of one's own. */
  "ownTransfer",
  /** Won, sold or paid out by an insurer: money that no budget may count on. */
  "windfall",
  /** Who is called so is no person. */
  "organisation",
  /** Sells everything that a state or a town does, of which its name says nothing. */
  "authority",
] as const;
export type Mark = (typeof markNames)[number];
/** What an insurance or a loan is for, said by a word that alone would say nothing of the kind. */
export const objectNames = ["insurance", "loan"] as const;
export type ObjectOf = (typeof objectNames)[number];

type MerchantFile = {
  countries: string[];
  /** Of all of its names. */
  isLocal?: true;
  payees: Record<string, string[]>;
  payers: Record<string, string[]>;
};
type KeywordFile = {
  countries: string[];
  out: Record<string, string[]>;
  in: Record<string, string[]>;
  marks: Partial<Record<Mark, string[]>>;
  objects?: Partial<Record<ObjectOf, Record<string, string[]>>>;
};

export function readMerchants(): Lexicon {
  return lexiconOf(readFolder<MerchantFile>("merchants"));
}

function lexiconOf(files: readonly MerchantFile[]): Lexicon {
  return {
    out: files.flatMap((file) => namesOf(file, file.payees)),
    in: files.flatMap((file) => namesOf(file, file.payers)),
  };
}

/** The names that are known everywhere or travel, and, each to be read when it is needed, those known at home alone. */
export type MerchantFiles = {
  shared: Lexicon;
  local: readonly { countries: readonly string[]; read: () => Lexicon }[];
};

export function readMerchantFiles(): MerchantFiles {
  const names = namesIn("merchants");
  const files = names.map((name) => readIn<MerchantFile>("merchants", name));
  return {
    shared: lexiconOf(files.filter(({ isLocal }) => isLocal !== true)),
    local: files.flatMap(({ isLocal, countries }, index) =>
      isLocal === true
        ? [{ countries, read: () => lexiconOf([readIn<MerchantFile>("merchants", itemAt(names, index))]) }]
        : [],
    ),
  };
}

function namesOf({ countries, isLocal }: MerchantFile, names: Record<string, string[]>): Entry[] {
  const entries = entriesOf(names, countries);
  return isLocal === true ? entries.map((entry) => ({ ...entry, isLocal })) : entries;
}

export type Keywords = Lexicon & { marks: Record<Mark, string[]>; objects: Record<ObjectOf, Entry[]> };

export function readKeywords(): Keywords {
  const files = readFolder<KeywordFile>("keywords");
  return {
    out: files.flatMap((file) => entriesOf(file.out, file.countries)),
    in: files.flatMap((file) => entriesOf(file.in, file.countries)),
    marks: byName(markNames, (mark) => files.flatMap(({ marks }) => marks[mark] ?? [])),
    objects: byName(objectNames, (name) =>
      files.flatMap(({ objects, countries }) => entriesOf(objects?.[name] ?? {}, countries)),
    ),
  };
}

function byName<Name extends string, Value>(names: readonly Name[], valueOf: (name: Name) => Value) {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;
}

function readFolder<File>(folder: string): File[] {
  return namesIn(folder).map((name) => readIn<File>(folder, name));
}

/** Sorted, so that no file system decides which of two entries comes first. */
function namesIn(folder: string): string[] {
  return readdirSync(urlOf(folder))
    .filter((name) => name.endsWith(".json"))
    .sort();
}

function readIn<File>(folder: string, name: string): File {
  return JSON.parse(readFileSync(new URL(name, urlOf(folder)), "utf8")) as File;
}

function urlOf(folder: string): URL {
  return new URL(`../../config/${folder}/`, import.meta.url);
}

/** @throws RangeError for a category that is no leaf of the tree: a bug in a file. */
function entriesOf(byCategory: Record<string, readonly string[]>, countries: readonly string[]): Entry[] {
  return Object.entries(byCategory).flatMap(([categoryId, texts]) => {
    if (!isLeaf(categoryId)) throw new RangeError(`${categoryId} is no leaf of the category tree`);
    return texts.map((text) => ({ text: text.replace("?", ""), categoryId, countries, isWeak: text.endsWith("?") }));
  });
}
