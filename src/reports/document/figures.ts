/** Key figures, side by side. */
import type { Figures } from "./blocks.ts";
import type { Canvas, Element } from "./canvas.ts";
import { ensure, type Flow } from "./flow.ts";
import { colours, contentWidth, page, space, styles, type TextStyle } from "./style.ts";

const columnsMax = 3;
const gutter = 14;
const barHeight = 2;
const padding = 6;

type Figure = Figures["figures"][number];

export function putFigures(flow: Flow, { figures }: Figures): void {
  const list = flow.canvas.element(flow.parent, "L");
  for (let from = 0; from < figures.length; from += columnsMax)
    putRow(flow, list, figures.slice(from, from + columnsMax));
}

function putRow(flow: Flow, list: Element, figures: readonly Figure[]): void {
  const width = (contentWidth - gutter * (columnsMax - 1)) / columnsMax;
  const laid = figures.map((figure) => layFigure(flow.canvas, figure, width));
  const labelHeight = Math.max(...laid.map(([label]) => heightOf(label)));
  const height =
    barHeight +
    padding +
    labelHeight +
    Math.max(...laid.map(([, ...below]) => below.reduce((sum, part) => sum + heightOf(part), 0)));
  ensure(flow, height, space.block);
  for (const [index, parts] of laid.entries())
    putFigure(flow, list, parts, page.left + index * (width + gutter), width, labelHeight);
  flow.y += height;
  flow.gap = space.block;
}

type Part = { style: TextStyle; lines: readonly string[] };

function layFigure(canvas: Canvas, { label, value, detail }: Figure, width: number): [label: Part, ...below: Part[]] {
  const part = (text: string, style: TextStyle): Part => ({ style, lines: canvas.lines(text, width, style) });
  return [
    part(label, styles.figureLabel),
    part(value, fitting(canvas, value, width)),
    ...(detail === undefined ? [] : [part(detail, styles.small)]),
  ];
}

function heightOf({ lines, style }: Part): number {
  return lines.length * style.leading;
}

/** @param labelHeight of the highest label in the row, so that the values stand on one line */
function putFigure(
  { canvas, y: top }: Flow,
  list: Element,
  [label, ...below]: readonly [Part, ...Part[]],
  x: number,
  width: number,
  labelHeight: number,
): void {
  canvas.artifact(() => canvas.fill(x, top, width, barHeight, colours.accent));
  const item = canvas.element(list, "LI");
  let y = top + barHeight + padding;
  putPart(canvas, canvas.element(item, "Lbl"), label, x, y);
  y += labelHeight;
  const body = canvas.element(item, "LBody");
  for (const part of below) {
    putPart(canvas, body, part, x, y);
    y += heightOf(part);
  }
}

/** A space ends each line, as the value is followed by its detail. */
function putPart(canvas: Canvas, element: Element, { style, lines }: Part, x: number, top: number): void {
  canvas.mark(element, () => {
    for (const [index, line] of lines.entries()) canvas.text(`${line} `, x, top + index * style.leading, style);
  });
}

/** A figure of many digits is set smaller rather than broken. */
function fitting(canvas: Canvas, value: string, width: number): TextStyle {
  const wide = canvas.width(value, styles.figureValue);
  const scale = Math.min(1, width / wide);
  return { ...styles.figureValue, size: styles.figureValue.size * Math.max(scale, 0.6) };
}
