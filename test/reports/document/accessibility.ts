/**
 * The rules of PDF/UA-1 (ISO 14289-1) that a program can hold a file against, and the contrast of WCAG 2.2, 1.4.3, on
 * the file itself, read by a library that did not write it. Rules are named by their clause.
 */
import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRawStream } from "@cantoo/pdf-lib";
import type { Colour } from "./pdf-content.ts";
import {
  attributesOf,
  booleanIn,
  dictionaryIn,
  type PdfFile,
  type PdfNode,
  readFile,
  stringIn,
  textOf,
  walk,
} from "./pdf-structure.ts";

export type Problem = `${string}: ${string}`;

/** @returns nothing for a file that keeps them all. */
export async function problemsOf(bytes: Uint8Array): Promise<Problem[]> {
  const file = await readFile(bytes);
  return [
    ...ofDocument(file),
    ...ofMarks(file),
    ...ofStructure(file),
    ...ofTables(file),
    ...ofHeadings(file),
    ...ofFigures(file),
    ...ofFonts(file),
    ...ofContrast(file),
    ...ofNavigation(file),
  ];
}

/** Names of the rules that a file breaks, each once. */
export async function brokenRules(bytes: Uint8Array): Promise<string[]> {
  return [...new Set((await problemsOf(bytes)).map((problem) => problem.split(":", 1)[0] ?? ""))];
}

function ofDocument({ catalog, context }: PdfFile): Problem[] {
  const problems: Problem[] = [];
  const marks = dictionaryIn(catalog, "MarkInfo");
  if (booleanIn(marks, "Marked") !== true || booleanIn(marks, "Suspects") === true)
    problems.push("6.2: the file does not say that it is tagged");
  if (booleanIn(dictionaryIn(catalog, "ViewerPreferences"), "DisplayDocTitle") !== true)
    problems.push("7.1 title: the window does not show the title");
  const metadata = catalog.lookup(PDFName.of("Metadata"));
  const xmp = metadata instanceof PDFRawStream ? textOf(metadata) : "";
  if (!/<pdfuaid:part>1<\/pdfuaid:part>|pdfuaid:part="1"/.test(xmp))
    problems.push("5: the metadata do not say PDF/UA-1");
  if (!/<dc:title>[\s\S]*?<rdf:li[^>]*>[^<]+<\/rdf:li>/.test(xmp))
    problems.push("7.1 title: the metadata have no title");
  if (!isLanguage(stringIn(catalog, "Lang"))) problems.push("7.2: the document's language is not said");
  if (context.trailerInfo.Encrypt !== undefined) problems.push("7.16: the file is encrypted");
  return problems;
}

/** Every mark on a page is content of one element or an artifact, and neither stands in the other. */
function ofMarks({ pages, root, context, parents }: PdfFile): Problem[] {
  const problems: Problem[] = [];
  const owners = new Map<string, string[]>();
  for (const node of walk(root))
    for (const { page, mcid } of node.content) {
      const key = `${page} ${mcid}`;
      owners.set(key, [...(owners.get(key) ?? []), node.ref]);
    }
  for (const [index, page] of pages.entries()) {
    const where = `page ${index + 1}`;
    const tree = page.dictionary.lookupMaybe(PDFName.of("StructParents"), PDFNumber);
    const listed = tree === undefined ? undefined : context.lookup(parents.get(tree.asNumber()));
    if (!(listed instanceof PDFArray)) problems.push(`7.1 parents: ${where} is not in the parent tree`);
    const seen = new Set<number>();
    for (const { kind, marks } of page.painted) {
      const artifacts = marks.filter(({ tag }) => tag === "Artifact");
      const tagged = marks.filter(({ mcid }) => mcid !== null);
      if (artifacts.length + tagged.length === 0) problems.push(`7.1 marked: a ${kind} on ${where} is neither`);
      if (artifacts.length > 0 && tagged.length > 0) problems.push(`7.1 nested: a ${kind} on ${where} is both`);
      for (const { mcid } of tagged) if (mcid !== null) seen.add(mcid);
      for (const { type, subtype } of artifacts)
        if (type === "Pagination" && subtype !== "Header" && subtype !== "Footer")
          problems.push(`7.8: a running text on ${where} is neither header nor footer`);
    }
    for (const mcid of seen) {
      const owned = owners.get(`${page.ref} ${mcid}`) ?? [];
      if (owned.length !== 1) problems.push(`7.1 owned: ${where}, ${mcid} is content of ${owned.length} elements`);
      else if (listed instanceof PDFArray && listed.get(mcid)?.toString() !== owned[0])
        problems.push(`7.1 parents: ${where}, ${mcid} has another parent in the tree`);
    }
  }
  return problems;
}

/** What may stand in what; types that are not named here may hold any. ISO 32000-1, 14.8.4.3. */
const children: Readonly<Record<string, readonly string[]>> = {
  Table: ["TR", "THead", "TBody", "TFoot", "Caption"],
  THead: ["TR"],
  TBody: ["TR"],
  TFoot: ["TR"],
  TR: ["TH", "TD"],
  L: ["LI", "Caption"],
  LI: ["Lbl", "LBody"],
  TOC: ["TOC", "TOCI", "Caption"],
  TOCI: ["Lbl", "Reference", "NonStruct", "P", "TOC"],
};
/** The other way round. */
const parentsOf: Readonly<Record<string, readonly string[]>> = {
  TR: ["Table", "THead", "TBody", "TFoot"],
  TH: ["TR"],
  TD: ["TR"],
  THead: ["Table"],
  TBody: ["Table"],
  LI: ["L"],
  Lbl: ["LI", "TOCI"],
  LBody: ["LI"],
  TOCI: ["TOC"],
};
const standard: ReadonlySet<string> = new Set([
  ..."Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private H H1 H2 H3 H4 H5 H6 P L LI Lbl LBody".split(
    " ",
  ),
  ..."Table TR TH TD THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby Warichu Figure Formula Form".split(
    " ",
  ),
]);

function ofStructure({ root, catalog }: PdfFile): Problem[] {
  if (root === null) return ["7.1 tree: there is no structure"];
  const problems: Problem[] = [];
  const roles = dictionaryIn(dictionaryIn(catalog, "StructTreeRoot"), "RoleMap");
  if (root.type !== "Document") problems.push(`7.1 tree: the root is a ${root.type}`);
  for (const node of walk(root)) {
    if (!standard.has(node.type) && roles?.get(PDFName.of(node.type)) === undefined)
      problems.push(`7.1 type: ${node.type} is no standard type`);
    const allowed = children[node.type];
    if (allowed !== undefined && node.content.length > 0)
      problems.push(`7.1 nesting: content stands in a ${node.type}`);
    for (const child of node.children) {
      if (allowed !== undefined && !allowed.includes(child.type))
        problems.push(`7.1 nesting: a ${child.type} stands in a ${node.type}`);
      if (parentsOf[child.type]?.includes(node.type) === false)
        problems.push(`7.1 nesting: a ${child.type} stands in a ${node.type}`);
    }
    const language = stringIn(node.dictionary, "Lang");
    if (language !== null && !isLanguage(language)) problems.push(`7.2: "${language}" is no language`);
    if (node.children.length === 0 && node.content.length === 0 && node.type !== "TD" && node.type !== "TH")
      problems.push(`7.1 empty: a ${node.type} has nothing in it`);
  }
  return problems;
}

function ofTables({ root }: PdfFile): Problem[] {
  const problems: Problem[] = [];
  for (const table of walk(root).filter(({ type }) => type === "Table")) {
    const rows = walk(table).filter(({ type }) => type === "TR");
    const heads = walk(table).filter(({ type }) => type === "TH");
    if (heads.length === 0) problems.push("7.5: a table has no head");
    for (const head of heads) if (!hasScope(head)) problems.push("7.5: a table's head has no scope");
    if (new Set(rows.map((row) => row.children.length)).size > 1)
      problems.push("7.2 table: rows differ in their cells");
  }
  return problems;
}

function hasScope({ dictionary }: PdfNode): boolean {
  return attributesOf(dictionary).some((one) =>
    /^\/(Row|Column|Both)$/.test(one.get(PDFName.of("Scope"))?.toString() ?? ""),
  );
}

function ofHeadings({ root }: PdfFile): Problem[] {
  const levels = walk(root)
    .flatMap(({ type }) => /^H([1-6])$/.exec(type)?.[1] ?? [])
    .map(Number);
  const skipped = levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1);
  return skipped.map((level): Problem => `7.4.2: a heading of level ${level} follows none above it`);
}

function ofFigures({ root, pages }: PdfFile): Problem[] {
  const figures = walk(root).filter(({ type }) => type === "Figure");
  const inFigures = new Set(figures.flatMap(({ content }) => content.map(({ page, mcid }) => `${page} ${mcid}`)));
  const loose = pages.flatMap(({ ref, painted }) =>
    painted.filter(
      ({ kind, marks }) =>
        kind === "picture" && !marks.some(({ tag, mcid }) => tag === "Artifact" || inFigures.has(`${ref} ${mcid}`)),
    ),
  );
  return [
    ...figures.flatMap(({ dictionary }): Problem[] => [
      ...((stringIn(dictionary, "Alt") ?? stringIn(dictionary, "ActualText") ?? "").trim() === ""
        ? (["7.3: a figure has no words for those who do not see it"] as const)
        : []),
      ...(attributesOf(dictionary).some((one) => one.get(PDFName.of("BBox")) !== undefined)
        ? []
        : (["7.3: a figure has no bounds"] as const)),
    ]),
    ...loose.map((): Problem => "7.3: a picture is no figure"),
  ];
}

function ofFonts({ pages }: PdfFile): Problem[] {
  const problems = new Set<Problem>();
  for (const { dictionary, painted } of pages) {
    const fonts = dictionaryIn(dictionaryIn(dictionary, "Resources"), "Font");
    for (const { font: name, codes, kind } of painted) {
      if (kind !== "text") continue;
      const font = fonts?.lookupMaybe(PDFName.of(name), PDFDict);
      const base = font?.get(PDFName.of("BaseFont"))?.toString() ?? name;
      if (!isEmbedded(font)) problems.add(`7.21.4: ${base} is not in the file`);
      const map = font?.lookup(PDFName.of("ToUnicode"));
      if (!(map instanceof PDFRawStream)) {
        problems.add(`7.21.7: ${base} does not say which characters it shows`);
        continue;
      }
      const known = unicodeOf(map);
      for (const code of codes) {
        const text = known.get(code);
        if (code === 0) problems.add(`7.21.8: ${base} shows a character that it does not have`);
        else if (text === undefined || ["", "\0", "\ufeff", "\ufffe"].includes(text))
          problems.add(`7.21.7: ${base} has no character for ${code}`);
      }
    }
  }
  return [...problems];
}

function isEmbedded(font: PDFDict | undefined): boolean {
  const descendant = font?.lookupMaybe(PDFName.of("DescendantFonts"), PDFArray)?.lookupMaybe(0, PDFDict) ?? font;
  const descriptor = dictionaryIn(descendant, "FontDescriptor");
  return ["FontFile", "FontFile2", "FontFile3"].some(
    (key) => descriptor?.lookup(PDFName.of(key)) instanceof PDFRawStream,
  );
}

const maps = new WeakMap<PDFRawStream, ReadonlyMap<number, string>>();

/** Of the maps' forms those with ranges, which may list their texts. */
function unicodeOf(stream: PDFRawStream): ReadonlyMap<number, string> {
  const known = maps.get(stream);
  if (known !== undefined) return known;
  const found = new Map<number, string>();
  const text = textOf(stream);
  for (const [, from = "", , list, first] of text.matchAll(
    /<([0-9a-f]+)>\s*<([0-9a-f]+)>\s*(?:\[([^\]]*)\]|<([0-9a-f\s]+)>)/gi,
  )) {
    const start = Number.parseInt(from, 16);
    const texts = list === undefined ? [first ?? ""] : [...list.matchAll(/<([^>]*)>/g)].map(([, one]) => one ?? "");
    for (const [at, one] of texts.entries()) found.set(start + at, utf16(one));
  }
  for (const [, section = ""] of text.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, code = "", one = ""] of section.matchAll(/<([0-9a-f]+)>\s*<([0-9a-f\s]+)>/gi))
      found.set(Number.parseInt(code, 16), utf16(one));
  maps.set(stream, found);
  return found;
}

function utf16(hex: string): string {
  return Buffer.from(hex.replace(/\s/g, ""), "hex").swap16().toString("utf16le");
}

/** WCAG 2.2, 1.4.3: 4.5 to 1, and 3 to 1 for large text. */
const contrastMin = 4.5;
const contrastOfLargeMin = 3;
const largePoints = 18;
const white: Colour = [1, 1, 1];

function ofContrast({ pages }: PdfFile): Problem[] {
  const problems = new Set<Problem>();
  for (const [index, { painted }] of pages.entries())
    for (const [at, text] of painted.entries()) {
      if (text.kind !== "text") continue;
      const below = painted
        .slice(0, at)
        .findLast(
          ({ kind, x, y, width, height }) =>
            kind === "shape" &&
            text.x >= x &&
            text.x <= x + width &&
            text.y >= y &&
            text.y <= y + height &&
            width * height > 50,
        );
      const found = contrast(text.colour, below?.colour ?? white);
      if (found < (text.size >= largePoints ? contrastOfLargeMin : contrastMin))
        problems.add(`1.4.3: text on page ${index + 1} has a contrast of ${found.toFixed(2)}`);
    }
  return [...problems];
}

export function contrast(one: Colour, other: Colour): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Sections are in the reader's outline and lead somewhere; what can be stepped to is stepped to in reading order. */
function ofNavigation({ catalog, pages, root }: PdfFile): Problem[] {
  const problems: Problem[] = [];
  const sections = walk(root).filter(({ type }) => type === "Sect").length;
  const marks = outlineOf(dictionaryIn(catalog, "Outlines"));
  if (marks.length < sections) problems.push(`7.17: ${sections} sections have ${marks.length} bookmarks`);
  const known = new Set(pages.map(({ ref }) => ref));
  for (const mark of marks) {
    const target = mark.lookupMaybe(PDFName.of("Dest"), PDFArray)?.get(0)?.toString() ?? "";
    if ((stringIn(mark, "Title") ?? "") === "" || !known.has(target)) problems.push("7.17: a bookmark leads nowhere");
  }
  for (const [index, { dictionary }] of pages.entries()) {
    const hasAnnotations = (dictionary.lookupMaybe(PDFName.of("Annots"), PDFArray)?.size() ?? 0) > 0;
    const order = dictionary.get(PDFName.of("Tabs"))?.toString();
    if (order !== "/S" && (hasAnnotations || order !== undefined))
      problems.push(`7.18.3: page ${index + 1} is stepped through in another order`);
  }
  return problems;
}

function outlineOf(parent: PDFDict | undefined): PDFDict[] {
  const found: PDFDict[] = [];
  for (let item = dictionaryIn(parent, "First"); item !== undefined; item = dictionaryIn(item, "Next"))
    found.push(item, ...outlineOf(item));
  return found;
}

function isLanguage(tag: string | null): boolean {
  try {
    return tag !== null && tag !== "" && Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
