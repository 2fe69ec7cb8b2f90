/**
 * The page under the layout: text and shapes by absolute place, each either content of a structure element or an
 * artifact (PDF/UA-1, ISO 14289-1, 7.1: nothing on a page may be neither).
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import PDFDocument from "pdfkit";
import { printable } from "./glyphs.ts";
import { breakLines, widestWord } from "./lines.ts";
import { glyphsOf, markPagination, noFont, openPicture } from "./pdfkit-inside.ts";
import { page, type TextStyle, type Weight } from "./style.ts";

export type Element = { readonly type: string; readonly structure: PDFKit.PDFStructureElement };
export type ElementOptions = {
  alt?: string;
  scope?: "Row" | "Column";
  bbox?: [number, number, number, number];
  title?: string;
};

export type Canvas = {
  /** A structure element at the end of `parent`; null is the document itself. */
  element(parent: Element | null, type: string, options?: ElementOptions): Element;
  /** What `draw` puts on the page becomes content of the element, which may have content on several pages. */
  mark(element: Element, draw: () => void): void;
  artifact(draw: () => void): void;
  /** Below and above the text on every page. */
  furniture(kind: "Header" | "Footer", draw: () => void): void;
  /** One line, its top at y. `align` says on which side of x it stands. */
  text(line: string, x: number, y: number, style: TextStyle, align?: "left" | "right" | "centre"): void;
  width(text: string, style: TextStyle): number;
  lines(text: string, width: number, style: TextStyle): string[];
  widestWord(text: string, style: TextStyle): number;
  fill(x: number, y: number, width: number, height: number, colour: string): void;
  rule(x1: number, y1: number, x2: number, y2: number, thickness: number, colour: string): void;
  /** A PNG or JPEG, its top left corner at x and y. The same bytes are in the file once. */
  picture(bytes: Buffer, x: number, y: number, width: number, height: number): void;
  addPage(): void;
  /** Goes back to a page, from 0. */
  turnTo(index: number): void;
  pages(): number;
  /** An entry of the reader's outline that leads to the page on hand. */
  bookmark(title: string): void;
  /** The whole file. To be called once, at the end. */
  finish(): Promise<Buffer>;
};

export type FileFacts = { title: string; language: string; author: string; madeAt: Date };

const files: Readonly<Record<Weight, string>> = { regular: "400Regular", semibold: "600SemiBold", bold: "700Bold" };
const fonts = new Map<Weight, Buffer>();

/** Source Sans 3, SIL Open Font License 1.1. Read once a thread. */
function fontBytes(weight: Weight): Buffer {
  const known = fonts.get(weight);
  if (known) return known;
  const folder = files[weight];
  const bytes = readFileSync(
    createRequire(import.meta.url).resolve(`@expo-google-fonts/source-sans-3/${folder}/SourceSans3_${folder}.ttf`),
  );
  fonts.set(weight, bytes);
  return bytes;
}

export function createCanvas(facts: FileFacts): Canvas {
  const document = openDocument(facts);
  const chunks: Buffer[] = [];
  document.on("data", (chunk: Buffer) => chunks.push(chunk));
  const root = document.struct("Document");
  document.addStructure(root);
  const use = (style: TextStyle) => document.font(style.weight).fontSize(style.size);
  // All weights have the same characters.
  document.font("regular");
  const hasGlyph = glyphsOf(document);
  const pictures = new Map<Buffer, PDFKit.Mixins.ImageSrc>();
  const shown = (text: string) => printable(text, hasGlyph);
  const width = (text: string, style: TextStyle): number => use(style).widthOfString(text);
  return {
    element(parent, type, options = {}) {
      const structure = document.struct(type, options);
      (parent?.structure ?? root).add(structure);
      return { type, structure };
    },
    mark(element, draw) {
      const content = document.markStructureContent(element.type);
      draw();
      document.endMarkedContent();
      element.structure.add(content);
    },
    artifact(draw) {
      document.markContent("Artifact", { type: "Layout" });
      draw();
      document.endMarkedContent();
    },
    furniture(kind, draw) {
      markPagination(document, kind, draw);
    },
    text(line, x, y, style, align = "left") {
      const wide = align === "left" ? 0 : width(line.trimEnd(), style);
      const left = align === "right" ? x - wide : align === "centre" ? x - wide / 2 : x;
      const top = y + (style.leading - use(style).currentLineHeight()) / 2;
      // No-break spaces have done their work, and share their glyph with the others: the first one seen is what copied
      // text gets.
      use(style)
        .fillColor(style.colour)
        .text(line.replace(/[\u00a0\u202f]/g, " "), left, top, { lineBreak: false });
    },
    width: (text, style) => width(shown(text), style),
    lines: (text, wide, style) => breakLines(shown(text), wide, (part) => width(part, style)),
    widestWord: (text, style) => widestWord(shown(text), (part) => width(part, style)),
    fill: (x, y, wide, high, colour) => void document.rect(x, y, wide, high).fill(colour),
    rule: (x1, y1, x2, y2, thickness, colour) =>
      void document.moveTo(x1, y1).lineTo(x2, y2).lineWidth(thickness).stroke(colour),
    picture(bytes, x, y, wide, high) {
      const picture = pictures.get(bytes) ?? openPicture(document, bytes);
      pictures.set(bytes, picture);
      document.image(picture, x, y, { width: wide, height: high });
    },
    addPage: () => void document.addPage(),
    turnTo: (index) => void document.switchToPage(index),
    pages: () => document.bufferedPageRange().count,
    bookmark: (title) => void document.outline.addItem(shown(title)),
    finish: () => finish(document, chunks),
  };
}

function openDocument({ title, language, author, madeAt }: FileFacts): PDFKit.PDFDocument {
  const document = new PDFDocument({
    size: [page.width, page.height],
    margin: 0,
    bufferPages: true,
    autoFirstPage: false,
    pdfVersion: "1.7",
    tagged: true,
    subset: "PDF/UA" as PDFKit.Mixins.PDFSubsets,
    lang: language,
    displayTitle: true,
    font: noFont,
    info: {
      Title: title,
      Author: author,
      Creator: "Tideline",
      Producer: "Tideline",
      CreationDate: madeAt,
      ModDate: madeAt,
    },
  });
  for (const weight of Object.keys(files) as Weight[]) document.registerFont(weight, fontBytes(weight));
  return document;
}

async function finish(document: PDFKit.PDFDocument, chunks: Buffer[]): Promise<Buffer> {
  const ended = new Promise<void>((resolve, reject) => document.once("end", resolve).once("error", reject));
  document.end();
  await ended;
  return Buffer.concat(chunks);
}
