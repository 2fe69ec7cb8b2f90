/** What a document is made of: plain data, which says what stands where and nothing of how it looks. */
import type { Day } from "../../time/calendar.ts";

export type Document = {
  /** BCP 47, for screen readers and hyphenation. */
  language: string;
  title: string;
  subtitle: string;
  /** Who gives the document out; above the title and in the running header, where a logo does not stand for it. */
  brand: string;
  /** A PNG or JPEG that was checked when it was set; null: the name stands there. */
  logo: Logo | null;
  /** Whom the document is about; on every page. */
  customer: string;
  /** On every page, so that a loose sheet can be put back. */
  identifier: string;
  /** At the foot of every page. */
  footer: string;
  /** With {page} and {pages}. */
  pageNumber: string;
  /**
   * The day that the file itself names as its day of making: of the figures, so that equal figures make equal bytes.
   */
  madeOn: Day;
  blocks: readonly Block[];
};

/** Pixels. */
export type Logo = { bytes: Buffer; width: number; height: number };

export type Block = Section | Heading | Paragraph | List | Facts | Figures | Table | Bars | Notice | Contents;

/** A numbered part of the document, listed in the contents. */
export type Section = {
  kind: "section";
  title: string;
  /** It starts a new page, unless hardly anything stands on this one. */
  startsPage?: boolean;
  blocks: readonly Exclude<Block, Section>[];
};
export type Heading = { kind: "heading"; text: string };
export type Paragraph = { kind: "paragraph"; text: string; tone?: "lead" | "body" | "small" };
export type List = { kind: "list"; items: readonly string[] };
/** A sentence that must not be missed. */
export type Notice = { kind: "notice"; text: string };
/** Where the list of sections stands. */
export type Contents = { kind: "contents"; title: string };

export type Facts = { kind: "facts"; facts: readonly { label: string; value: string }[] };
/** A few figures, large, side by side. */
export type Figures = { kind: "figures"; figures: readonly { label: string; value: string; detail?: string }[] };

export type Table = {
  kind: "table";
  /** What the table is, for those who cannot see it. */
  summary: string;
  columns: readonly Column[];
  rows: readonly Row[];
};
/** A column of figures is aligned right; the free width goes to the others by their weight. */
export type Column = { title: string; align?: "left" | "right"; weight?: number };
export type Cell = { text: string; /** Below the text, smaller. */ detail?: string };
/** A group's row heads the rows below it; a total's closes those above it. As many cells as the table has columns. */
export type Row = { kind: "data" | "group" | "total"; cells: readonly Cell[] };

/** Two bars for each of some months, from zero upwards. */
export type Bars = {
  kind: "bars";
  /** The whole picture in words. */
  description: string;
  first: string;
  second: string;
  /** Not negative, in one unit. */
  months: readonly { label: string; first: number; second: number }[];
  /** The text at the axis for a value. */
  axisLabel(value: number): string;
};
