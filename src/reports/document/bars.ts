/** A picture of months: two bars each, drawn as shapes. */
import type { Bars } from "./blocks.ts";
import type { Canvas } from "./canvas.ts";
import { ensure, type Flow } from "./flow.ts";
import { colours, contentWidth, page, space, styles } from "./style.ts";
import { itemAt } from "../../present.ts";

const plotHeight = 150;
const legendHeight = 20;
const monthsHeight = 16;
const barGap = 1.5;
export const barsHeight = legendHeight + plotHeight + monthsHeight;

export function putBars(flow: Flow, bars: Bars): void {
  const { canvas } = flow;
  ensure(flow, barsHeight, space.block);
  const top = flow.y;
  const figure = canvas.element(flow.parent, "Figure", {
    alt: bars.description,
    bbox: [page.left, top, page.left + contentWidth, top + barsHeight],
  });
  canvas.mark(figure, () => drawBars(canvas, bars, top));
  flow.y = top + barsHeight;
  flow.gap = space.block;
}

function drawBars(canvas: Canvas, bars: Bars, top: number): void {
  const ticks = ticksFor(Math.max(0, ...bars.months.flatMap(({ first, second }) => [first, second])));
  const highest = ticks.at(-1) ?? 1;
  const labels = ticks.map((tick) => bars.axisLabel(tick));
  const left = page.left + Math.max(...labels.map((label) => canvas.width(label, styles.small))) + 8;
  const bottom = top + legendHeight + plotHeight;
  const heightOf = (value: number) => (value / highest) * plotHeight;
  drawLegend(canvas, bars, top);
  for (const [index, tick] of ticks.entries()) {
    const y = bottom - heightOf(tick);
    canvas.rule(
      left,
      y,
      page.left + contentWidth,
      y,
      index === 0 ? 0.8 : 0.4,
      index === 0 ? colours.strongRule : colours.rule,
    );
    canvas.text(itemAt(labels, index), left - 6, y - styles.small.leading / 2, styles.small, "right");
  }
  drawMonths(canvas, bars, left, bottom, heightOf);
}

function drawLegend(canvas: Canvas, { first, second }: Bars, top: number): void {
  const afterFirst = page.left + 13 + canvas.width(first, styles.small) + 18;
  canvas.fill(page.left, top + 2, 8, 8, colours.accent);
  canvas.text(first, page.left + 13, top, styles.small);
  outlined(canvas, afterFirst, top + 2, 8, 8);
  canvas.text(second, afterFirst + 13, top, styles.small);
}

function drawMonths(
  canvas: Canvas,
  { months }: Bars,
  left: number,
  bottom: number,
  heightOf: (value: number) => number,
): void {
  const slot = (page.left + contentWidth - left) / Math.max(1, months.length);
  const bar = Math.min(13, slot * 0.34);
  for (const [index, { label, first, second }] of months.entries()) {
    const middle = left + (index + 0.5) * slot;
    canvas.fill(middle - barGap / 2 - bar, bottom - heightOf(first), bar, heightOf(first), colours.accent);
    if (second > 0) outlined(canvas, middle + barGap / 2, bottom - heightOf(second), bar, heightOf(second));
    canvas.text(label, middle, bottom + 4, styles.small, "centre");
  }
}

/** Light with a dark outline: told from the full one in grey as well. */
function outlined(canvas: Canvas, x: number, y: number, width: number, height: number): void {
  canvas.fill(x, y, width, height, colours.accent);
  const edge = Math.min(0.8, width / 4, height / 2);
  canvas.fill(x + edge, y + edge, width - 2 * edge, Math.max(0, height - edge), colours.pale);
}

/**
 * From 0 in even steps of 1, 2 or 5 times a power of ten, four or five of them, to the first at or above the highest.
 */
export function ticksFor(highest: number): number[] {
  if (highest <= 0) return [0, 1];
  const rough = highest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => size >= rough) ?? rough;
  return Array.from({ length: Math.ceil(highest / step - 1e-9) + 1 }, (_, index) => index * step);
}
