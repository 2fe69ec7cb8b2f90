/** Where the next thing goes: a place that moves down a page and on to the next. */
import type { Canvas, Element } from "./canvas.ts";
import { contentBottom, contentHeight, page, type TextStyle } from "./style.ts";

export type Flow = {
  readonly canvas: Canvas;
  /** What new elements are children of. */
  parent: Element | null;
  /** The top of what comes next. */
  y: number;
  /** White space that what came before wants below it; none at the top of a page. */
  gap: number;
};

export function startFlow(canvas: Canvas): Flow {
  canvas.addPage();
  return { canvas, parent: null, y: page.top, gap: 0 };
}

export function newPage(flow: Flow): void {
  flow.canvas.addPage();
  flow.y = page.top;
  flow.gap = 0;
}

export function isAtTop(flow: Flow): boolean {
  return flow.y === page.top;
}

/** Takes the gap, and a new page where so much does not fit any more. What fits no page starts where it stands. */
export function ensure(flow: Flow, height: number, gap = 0): void {
  const wanted = isAtTop(flow) ? 0 : Math.max(flow.gap, gap);
  if (flow.y + wanted + height > contentBottom && height <= contentHeight) return newPage(flow);
  flow.y += wanted;
  flow.gap = 0;
}

/** Lines that start at x as one element; a paragraph that crosses pages leaves no line of it alone. */
export function putLines(flow: Flow, element: Element, lines: readonly string[], x: number, style: TextStyle): void {
  let left = lines;
  while (left.length > 0) {
    if (flow.y + style.leading > contentBottom) newPage(flow);
    const taken = left.slice(0, linesHere(flow, left.length, style.leading));
    flow.canvas.mark(element, () => putAt(flow, taken, x, style, left.length > taken.length));
    left = left.slice(taken.length);
    if (left.length > 0) newPage(flow);
  }
}

/** How many of so many lines stand on this page; two at least stand on the next one. */
function linesHere(flow: Flow, lines: number, leading: number): number {
  const room = Math.max(1, Math.floor((contentBottom - flow.y + 0.01) / leading));
  return room === lines - 1 && room > 2 ? room - 1 : Math.min(room, lines);
}

/** A space ends every line but the last, so that words stay apart for those who read the text and not the page. */
function putAt(flow: Flow, lines: readonly string[], x: number, style: TextStyle, goesOn: boolean): void {
  for (const [index, line] of lines.entries()) {
    flow.canvas.text(index < lines.length - 1 || goesOn ? `${line} ` : line, x, flow.y, style);
    flow.y += style.leading;
  }
}
