/** Headings, paragraphs, lists, notices and facts. */
import type { Facts, Heading, List, Notice, Paragraph } from "./blocks.ts";
import { ensure, type Flow, putLines } from "./flow.ts";
import { colours, contentWidth, page, space, styles, type TextStyle } from "./style.ts";

const tones = { lead: styles.lead, body: styles.body, small: styles.small } as const;

/** @param following height of what must stand on the same page. */
export function putHeading(flow: Flow, block: Heading, following: number): void {
  const lines = flow.canvas.lines(block.text, contentWidth, styles.heading);
  ensure(flow, lines.length * styles.heading.leading + space.afterHeading + following, space.beforeHeading);
  putLines(flow, flow.canvas.element(flow.parent, "H3"), lines, page.left, styles.heading);
  flow.gap = space.afterHeading;
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
    flow.canvas.mark(flow.canvas.element(entry, "Lbl"), () => flow.canvas.text("•", page.left + 1, flow.y, styles.body));
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

/** Names at the left, what they stand for beside them: a table whose rows have heads. */
export function putFacts(flow: Flow, { facts }: Facts): void {
  const table = flow.canvas.element(flow.parent, "Table");
  const body = flow.canvas.element(table, "TBody");
  for (const fact of facts) putFact(flow, body, fact);
  flow.gap = space.block;
}

function putFact(flow: Flow, table: ReturnType<Flow["canvas"]["element"]>, { label, value }: Facts["facts"][number]): void {
  const { canvas } = flow;
  const labelLines = canvas.lines(label, factLabelWidth, styles.label);
  const x = page.left + factLabelWidth + factGap;
  const valueLines = canvas.lines(value, contentWidth - factLabelWidth - factGap, styles.body);
  const height = Math.max(labelLines.length, valueLines.length) * styles.body.leading + 2 * factPadding;
  ensure(flow, height);
  const top = flow.y;
  const row = canvas.element(table, "TR");
  flow.y = top + factPadding;
  putLines(flow, canvas.element(row, "TH", { scope: "Row" }), labelLines, page.left, styles.label);
  flow.y = top + factPadding;
  putLines(flow, canvas.element(row, "TD"), valueLines, x, styles.body);
  flow.y = top + height;
  canvas.artifact(() => canvas.rule(page.left, flow.y, page.left + contentWidth, flow.y, 0.4, colours.rule));
}
