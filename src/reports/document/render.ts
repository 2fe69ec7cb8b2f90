/** A document becomes a file: A4, tagged for PDF/UA, its fonts inside, the same bytes for the same document. */
import { createHash } from "node:crypto";
import { barsHeight, putBars } from "./bars.ts";
import type { Block, Document, Logo, Section } from "./blocks.ts";
import { createCanvas } from "./canvas.ts";
import { type Entry, reserveContents } from "./contents.ts";
import { putFigures } from "./figures.ts";
import { ensure, type Flow, newPage, putLines, startFlow } from "./flow.ts";
import { putFurniture } from "./furniture.ts";
import { sizeOf } from "./logo.ts";
import { colours, contentHeight, contentWidth, page, space, styles } from "./style.ts";
import { putTable, tableStart } from "./table.ts";
import { factsStart, putFacts, putHeading, putList, putNotice, putParagraph, startOf } from "./text.ts";

export type Rendered = { bytes: Buffer; /** Hex. */ sha256: string; pages: number };

type Content = { entries: Entry[]; fillContents: ((entries: readonly Entry[]) => void) | null; sections: number };

export async function renderDocument(document: Document): Promise<Rendered> {
  const madeAt = new Date(`${document.madeOn}T00:00:00Z`);
  const canvas = createCanvas({ title: document.title, language: document.language, author: document.brand, madeAt });
  const flow = startFlow(canvas);
  const content: Content = {
    entries: [],
    fillContents: null,
    sections: document.blocks.filter(({ kind }) => kind === "section").length,
  };
  putTitle(flow, document);
  for (const [index, block] of document.blocks.entries()) putBlock(flow, block, document.blocks[index + 1], content);
  content.fillContents?.(content.entries);
  putFurniture(canvas, document);
  const pages = canvas.pages();
  const bytes = await canvas.finish();
  return { bytes, sha256: createHash("sha256").update(bytes).digest("hex"), pages };
}

const titleLogo = { width: 200, height: 44 } as const;

function putTitle(flow: Flow, { brand, logo, title, subtitle }: Document): void {
  const { canvas } = flow;
  canvas.artifact(() => canvas.fill(page.left, 0, 64, 10, colours.accent));
  flow.y = 46;
  if (logo === null)
    putLines(flow, canvas.element(null, "P"), canvas.lines(brand, contentWidth, styles.brand), page.left, styles.brand);
  else putTitleLogo(flow, brand, logo);
  flow.y += 20;
  putLines(flow, canvas.element(null, "H1"), canvas.lines(title, contentWidth, styles.title), page.left, styles.title);
  flow.y += 2;
  if (subtitle !== "")
    putLines(
      flow,
      canvas.element(null, "P"),
      canvas.lines(subtitle, contentWidth, styles.subtitle),
      page.left,
      styles.subtitle,
    );
  flow.gap = 18;
}

/** It stands for the name, which is what those hear who do not see it. */
function putTitleLogo(flow: Flow, brand: string, logo: Logo): void {
  const { canvas, y: top } = flow;
  const { width, height } = sizeOf(logo, titleLogo);
  const figure = canvas.element(null, "Figure", {
    alt: brand,
    bbox: [page.left, top, page.left + width, top + height],
  });
  canvas.mark(figure, () => canvas.picture(logo.bytes, page.left, top, width, height));
  flow.y += height;
}

function putBlock(flow: Flow, block: Block, next: Block | undefined, content: Content): void {
  switch (block.kind) {
    case "section":
      return putSection(flow, block, content);
    case "heading":
      return putHeading(flow, block, startHeight(flow, next));
    case "paragraph":
      return putParagraph(flow, block);
    case "list":
      return putList(flow, block);
    case "facts":
      return putFacts(flow, block);
    case "figures":
      return putFigures(flow, block);
    case "table":
      return putTable(flow, block);
    case "bars":
      return putBars(flow, block);
    case "notice":
      return putNotice(flow, block);
    case "contents":
      return void (content.fillContents = reserveContents(flow, block, content.sections));
  }
}

/** A page that holds no more than this is not left for the section that would start the next. */
const sparseMax = contentHeight * 0.2;

function putSection(flow: Flow, section: Section, content: Content): void {
  const { canvas } = flow;
  const numbered = `${content.entries.length + 1}. ${section.title}`;
  const lines = canvas.lines(numbered, contentWidth, styles.section);
  if (section.startsPage && flow.y - page.top > sparseMax) newPage(flow);
  ensure(
    flow,
    lines.length * styles.section.leading +
      space.afterSection +
      startHeight(flow, section.blocks[0], section.blocks[1]),
    space.beforeSection,
  );
  flow.parent = canvas.element(null, "Sect");
  canvas.bookmark(numbered);
  content.entries.push({ title: numbered, pageIndex: canvas.pages() - 1 });
  putLines(flow, canvas.element(flow.parent, "H2"), lines, page.left, styles.section);
  flow.gap = space.afterSection;
  for (const [index, block] of section.blocks.entries()) putBlock(flow, block, section.blocks[index + 1], content);
  flow.parent = null;
}

/**
 * How much of a block must stand with the heading above it. A short paragraph between them draws the next block's start
 * along.
 */
function startHeight(flow: Flow, block: Block | undefined, after?: Block): number {
  const { canvas } = flow;
  switch (block?.kind) {
    case "table":
      return tableStart(canvas, block) + space.afterHeading;
    case "facts":
      return factsStart(flow, block);
    case "bars":
      return barsHeight;
    case "heading":
      return styles.heading.leading + 3 * styles.body.leading;
    case "paragraph": {
      const lines = canvas.lines(block.text, contentWidth, styles.body).length;
      return startOf(lines, styles.body) + (lines <= 3 ? space.paragraph + startHeight(flow, after) : 0);
    }
    case undefined:
      return 0;
    default:
      return 3 * styles.body.leading;
  }
}
