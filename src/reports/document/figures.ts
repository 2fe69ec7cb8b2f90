/** Key figures, side by side. */
import type { Figures } from "./blocks.ts";
import type { Element } from "./canvas.ts";
import { ensure, type Flow } from "./flow.ts";
import { colours, contentWidth, page, space, styles } from "./style.ts";

const columnsMax = 3;
const gutter = 14;
const barHeight = 2;

type Figure = Figures["figures"][number];

export function putFigures(flow: Flow, { figures }: Figures): void {
  const list = flow.canvas.element(flow.parent, "L");
  for (let from = 0; from < figures.length; from += columnsMax) putRow(flow, list, figures.slice(from, from + columnsMax));
}

function putRow(flow: Flow, list: Element, figures: readonly Figure[]): void {
  const width = (contentWidth - gutter * (columnsMax - 1)) / columnsMax;
  const laid = figures.map((figure) => layFigure(flow, figure, width));
  const height = Math.max(...laid.map((one) => one.height));
  ensure(flow, height, space.block);
  for (const [index, one] of laid.entries()) one.put(list, page.left + index * (width + gutter), width, flow.y);
  flow.y += height;
  flow.gap = space.block;
}

function layFigure({ canvas }: Flow, { label, value, detail }: Figure, width: number) {
  const valueStyle = fitting(canvas, value, width);
  const parts = [
    { tag: "Lbl", style: styles.figureLabel, lines: canvas.lines(label, width, styles.figureLabel) },
    { tag: "LBody", style: valueStyle, lines: canvas.lines(value, width, valueStyle) },
    ...(detail === undefined ? [] : [{ tag: "LBody", style: styles.small, lines: canvas.lines(detail, width, styles.small) }]),
  ];
  const height = barHeight + 6 + parts.reduce((sum, { lines, style }) => sum + lines.length * style.leading, 0);
  return {
    height,
    put(list: Element, x: number, wide: number, top: number) {
      canvas.artifact(() => canvas.fill(x, top, wide, barHeight, colours.accent));
      const item = canvas.element(list, "LI");
      let y = top + barHeight + 6;
      for (const { tag, style, lines } of parts) {
        canvas.mark(canvas.element(item, tag), () => {
          for (const [index, line] of lines.entries()) canvas.text(index < lines.length - 1 ? `${line} ` : line, x, y + index * style.leading, style);
        });
        y += lines.length * style.leading;
      }
    },
  };
}

/** A figure of many digits is set smaller rather than broken. */
function fitting(canvas: Flow["canvas"], value: string, width: number) {
  const wide = canvas.width(value, styles.figureValue);
  const scale = Math.min(1, width / wide);
  return { ...styles.figureValue, size: styles.figureValue.size * Math.max(scale, 0.6) };
}
