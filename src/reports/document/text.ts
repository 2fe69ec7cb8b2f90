/** Headings, paragraphs, lists, notices and facts. */
import type { Facts, Heading, List, Notice, Paragraph } from "./blocks.ts";
import type { Element } from "./canvas.ts";
import { ensure, type Flow, putLines } from "./flow.ts";
import { colours, contentHeight, contentWidth, page, space, styles, type TextStyle } from "./style.ts";

const tones = { lead: styles.lead, body: styles.body, small: styles.small } as const;

/** @param following height of what must stand on the same page. */
export function putHeading(flow: Flow, block: Heading, following: number): void {
  const lines = flow.canvas.lines(block.text, contentWidth, styles.heading);
  ensure(flow, lines.length * styles.heading.leading + space.afterHeading + following, space.beforeHeading);
  putLines(flow, flow.canvas.element(flow.parent, levelOf(flow)), lines, page.left, styles.heading);
  flow.gap = space.afterHeading;
}

/** Below a section's, or, outside of sections, of its level: levels are not skipped (ISO 14289-1, 7.4.2). */
function levelOf({ parent }: Flow): "H2" | "H3" {
  return parent === null ? "H2" : "H3";
}

export function putParagraph(flow: Flow, { text, tone = "body" }: Paragraph): void {
  const style = tones[tone];
  const lines = flow.canvas.lines(text, contentWidth, style);
  ensure(flow, startOf(lines.length, style));
  putLines(flow, flow.canvas.element(flow.parent, "P"), lines, page.left, style);
  flow.gap = space.paragraph;
}

/** What of so many lines must stand together: all of a few, else two. */
export function startOf(lines: number, style: TextStyle): number {
  return Math.min(lines, lines <= 3 ? 3 : 2) * style.leading;
}

const bulletIndent = 12;

export function putList(flow: Flow, { items }: List): void {
  const list = flow.canvas.element(flow.parent, "L");
  for (const item of items) {
    const lines = flow.canvas.lines(item, contentWidth - bulletIndent, styles.body);
    ensure(flow, startOf(lines.length, styles.body));
    const entry = flow.canvas.element(list, "LI");
    flow.canvas.mark(flow.canvas.element(entry, "Lbl"), () =>
      flow.canvas.text("•", page.left + 1, flow.y, styles.body),
    );
    putLines(flow, flow.canvas.element(entry, "LBody"), lines, page.left + bulletIndent, styles.body);
    flow.gap = 3;
  }
  flow.gap = space.paragraph;
}

const noticePadding = 11;
const noticeBar = 3;

/** A box with a bar at its left, on one page. */
export function putNotice(flow: Flow, { text }: Notice): void {
  const x = page.left + noticeBar + noticePadding;
  const lines = flow.canvas.lines(text, contentWidth - noticeBar - 2 * noticePadding, styles.body);
  const height = lines.length * styles.body.leading + 2 * noticePadding - 4;
  ensure(flow, height, space.block);
  const top = flow.y;
  flow.canvas.artifact(() => {
    flow.canvas.fill(page.left, top, contentWidth, height, colours.fill);
    flow.canvas.fill(page.left, top, noticeBar, height, colours.accent);
  });
  flow.y = top + noticePadding - 2;
  putLines(flow, flow.canvas.element(flow.parent, "P"), lines, x, styles.body);
  flow.y = top + height;
  flow.gap = space.block;
}

const factLabelWidth = 158;
const factGap = 12;
const factPadding = 3;

/**
 * Names at the left, what they stand for beside them: a table whose rows have heads. A list of ordinary length is not
 * parted.
 */
export function putFacts(flow: Flow, block: Facts): void {
  const laid = layFacts(flow, block);
  ensure(flow, Math.min(heightOf(laid), wholeFactsMax));
  const body = flow.canvas.element(flow.canvas.element(flow.parent, "Table"), "TBody");
  for (const fact of laid) putFact(flow, body, fact);
  flow.gap = space.block;
}

/** What must stand with the heading above the facts. */
export function factsStart(flow: Flow, block: Facts): number {
  return Math.min(heightOf(layFacts(flow, block)), wholeFactsMax);
}

const wholeFactsMax = contentHeight * 0.4;

type LaidFact = { label: string[]; value: string[]; height: number };

function layFacts({ canvas }: Flow, { facts }: Facts): LaidFact[] {
  return facts.map(({ label, value }) => {
    const labels = canvas.lines(label, factLabelWidth, styles.label);
    const values = canvas.lines(value, contentWidth - factLabelWidth - factGap, styles.body);
    return {
      label: labels,
      value: values,
      height: Math.max(labels.length, values.length) * styles.body.leading + 2 * factPadding,
    };
  });
}

function heightOf(facts: readonly LaidFact[]): number {
  return facts.reduce((sum, { height }) => sum + height, 0);
}

function putFact(flow: Flow, table: Element, { label, value, height }: LaidFact): void {
  const { canvas } = flow;
  ensure(flow, height);
  const top = flow.y;
  const row = canvas.element(table, "TR");
  flow.y = top + factPadding;
  putLines(flow, canvas.element(row, "TH", { scope: "Row" }), label, page.left, styles.label);
  flow.y = top + factPadding;
  putLines(flow, canvas.element(row, "TD"), value, page.left + factLabelWidth + factGap, styles.body);
  flow.y = top + height;
  canvas.artifact(() => canvas.rule(page.left, flow.y, page.left + contentWidth, flow.y, 0.4, colours.rule));
}
