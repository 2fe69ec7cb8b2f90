/** The list of sections, whose page numbers are filled in when they are known. */
import type { Contents } from "./blocks.ts";
import type { Element } from "./canvas.ts";
import { ensure, type Flow } from "./flow.ts";
import { colours, contentWidth, page, space, styles } from "./style.ts";
import { itemAt } from "../../present.ts";

export type Entry = { title: string; pageIndex: number };
type Place = { element: Element; y: number };

const entryHeight = 19;

/** Keeps the room, and says where. @returns what writes the entries there, one for each title. */
export function reserveContents(flow: Flow, { title }: Contents, count: number): (entries: readonly Entry[]) => void {
  const { canvas } = flow;
  ensure(flow, styles.heading.leading + 6 + count * entryHeight, space.beforeSection);
  const pageIndex = canvas.pages() - 1;
  canvas.mark(canvas.element(flow.parent, "H2"), () => canvas.text(title, page.left, flow.y, styles.heading));
  flow.y += styles.heading.leading + 6;
  const list = canvas.element(flow.parent, "TOC");
  const places = Array.from({ length: count }, (_, index): Place => {
    return { element: canvas.element(canvas.element(list, "TOCI"), "Reference"), y: flow.y + index * entryHeight };
  });
  flow.y += count * entryHeight;
  flow.gap = space.block;
  return (entries) => {
    canvas.turnTo(pageIndex);
    for (const [index, entry] of entries.entries()) putEntry(flow, entry, itemAt(places, index));
  };
}

function putEntry({ canvas }: Flow, { title, pageIndex }: Entry, { element, y }: Place): void {
  const right = page.left + contentWidth;
  canvas.artifact(() => canvas.rule(page.left, y, right, y, 0.4, colours.rule));
  canvas.mark(element, () => {
    canvas.text(`${title} `, page.left, y + 3, styles.body);
    canvas.text(String(pageIndex + 1), right, y + 3, styles.body, "right");
  });
}
