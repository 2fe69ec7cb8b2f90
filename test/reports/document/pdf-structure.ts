/** A PDF's pages and its structure tree, read by a library that did not write them. */
import {
  PDFArray,
  PDFBool,
  type PDFContext,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFString,
  decodePDFRawStream,
} from "@cantoo/pdf-lib";
import { type Painted, paintedOn } from "./pdf-content.ts";

/** A structure element with what it holds. */
export type PdfNode = { ref: string; type: string; dictionary: PDFDict; children: PdfNode[]; content: Content[] };
type Content = { page: string; mcid: number };
type Page = { ref: string; dictionary: PDFDict; painted: Painted[] };
export type PdfFile = {
  context: PDFContext;
  catalog: PDFDict;
  pages: Page[];
  root: PdfNode | null;
  parents: ReadonlyMap<number, PDFObject>;
};

export async function readFile(bytes: Uint8Array): Promise<PdfFile> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  const { context, catalog } = document;
  return {
    context,
    catalog,
    pages: document.getPages().map(({ ref, node }) => ({
      ref: ref.toString(),
      dictionary: node,
      painted: paintedOn(contentOf(node, context)),
    })),
    root: rootOf(catalog, context),
    parents: parentTree(catalog, context),
  };
}

function rootOf(catalog: PDFDict, context: PDFContext): PdfNode | null {
  const kids = dictionaryIn(catalog, "StructTreeRoot")?.get(PDFName.of("K"));
  const [first] = kids instanceof PDFRef ? [kids] : listOf(context.lookup(kids));
  return first === undefined ? null : nodeOf(first, "", context);
}

function nodeOf(reference: PDFObject, inherited: string, context: PDFContext): PdfNode {
  const dictionary = context.lookup(reference, PDFDict);
  const page = dictionary.get(PDFName.of("Pg"))?.toString() ?? inherited;
  const node: PdfNode = {
    ref: reference.toString(),
    type: dictionary.get(PDFName.of("S"))?.toString().slice(1) ?? "",
    dictionary,
    children: [],
    content: [],
  };
  const kids = dictionary.get(PDFName.of("K"));
  for (const kid of kids instanceof PDFRef ? [kids] : listOf(context.lookup(kids))) {
    const found = context.lookup(kid);
    if (found instanceof PDFNumber) node.content.push({ page, mcid: found.asNumber() });
    else if (found instanceof PDFDict && found.get(PDFName.of("Type"))?.toString() === "/MCR")
      node.content.push({
        page: found.get(PDFName.of("Pg"))?.toString() ?? page,
        mcid: found.lookupMaybe(PDFName.of("MCID"), PDFNumber)?.asNumber() ?? -1,
      });
    else if (found instanceof PDFDict) node.children.push(nodeOf(kid, page, context));
  }
  return node;
}

function listOf(value: PDFObject | undefined): PDFObject[] {
  return value instanceof PDFArray ? value.asArray() : value === undefined ? [] : [value];
}

export function walk(node: PdfNode | null): PdfNode[] {
  return node === null ? [] : [node, ...node.children.flatMap(walk)];
}

function parentTree(catalog: PDFDict, context: PDFContext): Map<number, PDFObject> {
  const found = new Map<number, PDFObject>();
  const read = (tree: PDFDict | undefined): void => {
    const pairs = tree?.lookupMaybe(PDFName.of("Nums"), PDFArray)?.asArray() ?? [];
    for (let at = 0; at + 1 < pairs.length; at += 2)
      found.set(context.lookup(pairs[at], PDFNumber).asNumber(), pairs[at + 1]!);
    for (const kid of tree?.lookupMaybe(PDFName.of("Kids"), PDFArray)?.asArray() ?? [])
      read(context.lookup(kid, PDFDict));
  };
  read(dictionaryIn(dictionaryIn(catalog, "StructTreeRoot"), "ParentTree"));
  return found;
}

export function attributesOf(dictionary: PDFDict): PDFDict[] {
  return listOf(dictionary.lookup(PDFName.of("A")))
    .map((one) => dictionary.context.lookup(one))
    .filter((one) => one instanceof PDFDict);
}

function contentOf(page: PDFDict, context: PDFContext): string {
  const contents = page.lookup(PDFName.of("Contents"));
  return (contents instanceof PDFArray ? contents.asArray().map((one) => context.lookup(one)) : [contents])
    .map((stream) => (stream instanceof PDFRawStream ? textOf(stream, "latin1") : ""))
    .join("\n");
}

export function textOf(stream: PDFRawStream, encoding: BufferEncoding = "utf8"): string {
  return Buffer.from(decodePDFRawStream(stream).decode()).toString(encoding);
}

export function dictionaryIn(parent: PDFDict | undefined, key: string): PDFDict | undefined {
  const found = parent?.lookup(PDFName.of(key));
  return found instanceof PDFDict ? found : undefined;
}

export function booleanIn(parent: PDFDict | undefined, key: string): boolean | undefined {
  return parent?.lookupMaybe(PDFName.of(key), PDFBool)?.asBoolean();
}

export function stringIn(parent: PDFDict | undefined, key: string): string | null {
  const found = parent?.lookup(PDFName.of(key));
  return found instanceof PDFString || found instanceof PDFHexString ? found.decodeText() : null;
}
