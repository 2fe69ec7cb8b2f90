/** Tables that go over pages: the head repeated, groups with their rows, totals with theirs, no row alone. */
import type { Cell, Column, Row, Table } from "./blocks.ts";
import type { Canvas, Element } from "./canvas.ts";
import { columnWidths } from "./columns.ts";
import { ensure, type Flow, newPage } from "./flow.ts";
import { colours, contentBottom, contentHeight, contentWidth, page, space, styles, type TextStyle } from "./style.ts";
import { itemAt } from "../../present.ts";

const gutter = 10;
const padding = 3.5;
/** A group's shade reaches beyond its text. */
const overhang = 5;

type LaidCell = {
  x: number;
  align: "left" | "right";
  lines: readonly { text: string; style: TextStyle }[];
  isHead: boolean;
};
type LaidRow = { kind: Row["kind"]; cells: readonly LaidCell[]; height: number; keepsNext: boolean };
type Frame = { x: number; width: number; align: "left" | "right" };

export function putTable(flow: Flow, table: Table): void {
  const { canvas } = flow;
  const { head, rows } = layTable(canvas, table);
  ensure(flow, head.height + startHeight(rows), space.paragraph);
  const element = canvas.element(flow.parent, "Table", { title: table.summary });
  putHead(flow, head, element);
  const body = canvas.element(element, "TBody");
  for (const bundle of bundlesOf(rows)) putBundle(flow, head, bundle, body);
  flow.gap = space.block;
}

/** What must stand with the heading above the table: its head and the rows that are not parted from it. */
export function tableStart(canvas: Canvas, table: Table): number {
  const { head, rows } = layTable(canvas, table);
  return head.height + startHeight(rows);
}

/** A table of up to this height is not parted. */
const wholeHeightMax = contentHeight * 0.4;

function startHeight(rows: readonly LaidRow[]): number {
  const whole = heightOf(rows);
  return whole <= wholeHeightMax ? whole : Math.min(heightOf(bundlesOf(rows)[0] ?? []), wholeHeightMax);
}

function heightOf(rows: readonly LaidRow[]): number {
  return rows.reduce((sum, row) => sum + row.height, 0);
}

function layTable(canvas: Canvas, table: Table): { head: LaidRow; rows: LaidRow[] } {
  const frames = framesOf(canvas, table);
  const head = layHead(canvas, table.columns, frames);
  return { head, rows: table.rows.map((row, index) => layRow(canvas, row, frames, keepsNext(table.rows, index))) };
}

function framesOf(canvas: Canvas, { columns, rows }: Table): Frame[] {
  const needs = columns.map((column, index) => {
    const isFigures = column.align === "right";
    const parts = rows.flatMap((row) => partsOf(row, row.cells[index]));
    const headWord = canvas.widestWord(column.title, styles.tableHead);
    const cells = parts.map(({ text, style }) => canvas.width(text, style));
    const natural = Math.max(canvas.width(column.title, styles.tableHead), ...cells);
    const least = Math.max(
      headWord,
      ...(isFigures ? cells : parts.map(({ text, style }) => canvas.widestWord(text, style))),
    );
    return { isFigures, natural, least, weight: column.weight ?? 1 };
  });
  const widths = columnWidths(needs, contentWidth - gutter * (columns.length - 1));
  let x: number = page.left;
  return widths.map((width, index) => {
    const frame = { x, width, align: columns[index]?.align ?? "left" };
    x += width + gutter;
    return frame;
  });
}

function partsOf(row: Row, cell: Cell | undefined): { text: string; style: TextStyle }[] {
  if (!cell) return [];
  const style = row.kind === "data" ? styles.cell : styles.cellStrong;
  return [
    { text: cell.text, style },
    ...(cell.detail === undefined || cell.detail === "" ? [] : [{ text: cell.detail, style: styles.cellDetail }]),
  ];
}

function layHead(canvas: Canvas, columns: readonly Column[], frames: readonly Frame[]): LaidRow {
  const broken = columns.map((column, index) =>
    canvas.lines(column.title, itemAt(frames, index).width, styles.tableHead),
  );
  const deepest = Math.max(...broken.map((lines) => lines.length));
  const cells = broken.map((lines, index): LaidCell => {
    // Heads stand on the rule below them.
    const above = Array.from({ length: deepest - lines.length }, () => "");
    return {
      x: edgeOf(itemAt(frames, index)),
      align: itemAt(frames, index).align,
      isHead: true,
      lines: [...above, ...lines].map((text) => ({ text, style: styles.tableHead })),
    };
  });
  return { kind: "group", cells, height: deepest * styles.tableHead.leading + 2 * padding, keepsNext: true };
}

function layRow(canvas: Canvas, row: Row, frames: readonly Frame[], keeps: boolean): LaidRow {
  const cells = frames.map((frame, index): LaidCell => {
    const lines = partsOf(row, row.cells[index]).flatMap(({ text, style }) =>
      canvas.lines(text, frame.width, style).map((line) => ({ text: line, style })),
    );
    return { x: edgeOf(frame), align: frame.align, isHead: index === 0, lines: spaced(lines) };
  });
  const height =
    Math.max(...cells.map(({ lines }) => lines.reduce((sum, { style }) => sum + style.leading, 0))) + 2 * padding;
  return { kind: row.kind, cells, height, keepsNext: keeps };
}

/** A space ends every line but the last, so that words stay apart for those who read the text and not the page. */
function spaced(lines: LaidCell["lines"]): LaidCell["lines"] {
  return lines.map((line, index) => (index < lines.length - 1 ? { ...line, text: `${line.text} ` } : line));
}

function edgeOf({ x, width, align }: Frame): number {
  return align === "right" ? x + width : x;
}

/**
 * Groups keep their first row, totals the last one before them, and neither the first nor the last row stands alone.
 */
function keepsNext(rows: readonly Row[], index: number): boolean {
  const next = rows[index + 1];
  if (next === undefined) return false;
  return index === 0 || index === rows.length - 2 || rows[index]?.kind === "group" || next.kind === "total";
}

function bundlesOf(rows: readonly LaidRow[]): LaidRow[][] {
  const bundles: LaidRow[][] = [];
  let open: LaidRow[] = [];
  for (const row of rows) {
    open.push(row);
    if (row.keepsNext) continue;
    bundles.push(open);
    open = [];
  }
  return open.length > 0 ? [...bundles, open] : bundles;
}

function putBundle(flow: Flow, head: LaidRow, bundle: readonly LaidRow[], body: Element): void {
  const height = heightOf(bundle);
  const room = contentHeight - head.height;
  if (flow.y + height > contentBottom && height <= room) breakPage(flow, head);
  for (const row of bundle) {
    if (flow.y + row.height > contentBottom && row.height <= room) breakPage(flow, head);
    putRow(flow, head, row, body);
  }
}

function breakPage(flow: Flow, head: LaidRow): void {
  newPage(flow);
  putHead(flow, head, null);
}

/** @param table null where the head is repeated: whoever reads on has heard it already. */
function putHead(flow: Flow, head: LaidRow, table: Element | null): void {
  const { canvas } = flow;
  if (table === null) canvas.artifact(() => head.cells.forEach((cell) => putCell(canvas, cell, flow.y + padding)));
  else {
    const row = canvas.element(canvas.element(table, "THead"), "TR");
    for (const cell of head.cells) {
      canvas.mark(canvas.element(row, "TH", { scope: "Column" }), () => putCell(canvas, cell, flow.y + padding));
    }
  }
  flow.y += head.height;
  canvas.artifact(() => canvas.rule(page.left, flow.y, page.left + contentWidth, flow.y, 0.8, colours.strongRule));
}

function putRow(flow: Flow, head: LaidRow, row: LaidRow, body: Element): void {
  const { canvas } = flow;
  const element = canvas.element(body, "TR");
  const cells = row.cells.map((cell) =>
    canvas.element(element, cell.isHead ? "TH" : "TD", cell.isHead ? { scope: "Row" } : {}),
  );
  let rest: LaidRow | null = row;
  while (rest !== null) {
    const [here, later] = cut(rest, contentBottom - flow.y);
    putShade(flow, here);
    for (const [index, cell] of here.cells.entries()) {
      if (cell.lines.length > 0) canvas.mark(itemAt(cells, index), () => putCell(canvas, cell, flow.y + padding));
    }
    flow.y += here.height;
    canvas.artifact(() => canvas.rule(page.left, flow.y, page.left + contentWidth, flow.y, 0.4, colours.rule));
    if (later !== null) breakPage(flow, head);
    rest = later;
  }
}

function putShade(flow: Flow, { kind, height }: LaidRow): void {
  if (kind === "data") return;
  flow.canvas.artifact(() => {
    if (kind === "group")
      flow.canvas.fill(page.left - overhang, flow.y, contentWidth + 2 * overhang, height, colours.fill);
    else flow.canvas.rule(page.left, flow.y, page.left + contentWidth, flow.y, 0.8, colours.strongRule);
  });
}

/** A row higher than a page is cut between its lines. */
function cut(row: LaidRow, room: number): [here: LaidRow, later: LaidRow | null] {
  if (row.height <= room + 0.01) return [row, null];
  const taken = row.cells.map(({ lines }) => linesWithin(lines, room - 2 * padding));
  const here = row.cells.map((cell, index) => ({ ...cell, lines: cell.lines.slice(0, taken[index]) }));
  const later = row.cells.map((cell, index) => ({ ...cell, lines: cell.lines.slice(taken[index]) }));
  return [withHeight(row, here), withHeight(row, later)];
}

function linesWithin(lines: LaidCell["lines"], room: number): number {
  let height = 0;
  const over = lines.findIndex(({ style }) => (height += style.leading) > room);
  return over < 0 ? lines.length : Math.max(over, 1);
}

function withHeight(row: LaidRow, cells: readonly LaidCell[]): LaidRow {
  const height =
    Math.max(...cells.map(({ lines }) => lines.reduce((sum, { style }) => sum + style.leading, 0))) + 2 * padding;
  return { ...row, cells, height };
}

function putCell(canvas: Canvas, { x, align, lines }: LaidCell, top: number): void {
  let y = top;
  for (const { text, style } of lines) {
    if (text !== "") canvas.text(text, x, y, style, align);
    y += style.leading;
  }
}
