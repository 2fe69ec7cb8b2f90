/** How documents look: page, type and colour. Lengths in points (1/72 inch); colours as hexadecimal RGB. */

/** A4 (ISO 216), and margins that leave lines of about ninety characters. */
export const page = { width: 595.28, height: 841.89, left: 56, right: 56, top: 76, bottom: 72 } as const;
export const contentWidth = page.width - page.left - page.right;
export const contentBottom = page.height - page.bottom;
export const contentHeight = contentBottom - page.top;

/** One accent; everything is told by position, weight or words too, so that grey prints lose nothing. */
export const colours = {
  text: "#1d2733",
  muted: "#51606f",
  rule: "#c9d1d8",
  strongRule: "#51606f",
  fill: "#f1f4f6",
  accent: "#0a4f60",
  pale: "#b9c6cc",
  white: "#ffffff",
} as const;

export type Weight = "regular" | "semibold" | "bold";
export type TextStyle = {
  weight: Weight;
  size: number;
  /** From one line to the next. */
  leading: number;
  colour: string;
};

export const styles = {
  brand: { weight: "semibold", size: 11, leading: 15, colour: colours.accent },
  title: { weight: "bold", size: 27, leading: 33, colour: colours.text },
  subtitle: { weight: "regular", size: 13, leading: 18, colour: colours.muted },
  section: { weight: "bold", size: 16, leading: 21, colour: colours.accent },
  heading: { weight: "semibold", size: 11.5, leading: 15, colour: colours.text },
  lead: { weight: "regular", size: 11.5, leading: 16.5, colour: colours.text },
  body: { weight: "regular", size: 9.75, leading: 14, colour: colours.text },
  strong: { weight: "semibold", size: 9.75, leading: 14, colour: colours.text },
  small: { weight: "regular", size: 8.25, leading: 11.5, colour: colours.muted },
  label: { weight: "regular", size: 9.75, leading: 14, colour: colours.muted },
  tableHead: { weight: "semibold", size: 8.25, leading: 11, colour: colours.muted },
  cell: { weight: "regular", size: 9, leading: 12.25, colour: colours.text },
  cellStrong: { weight: "semibold", size: 9, leading: 12.25, colour: colours.text },
  cellDetail: { weight: "regular", size: 8, leading: 10.75, colour: colours.muted },
  figureLabel: { weight: "regular", size: 8.75, leading: 11.5, colour: colours.muted },
  figureValue: { weight: "semibold", size: 17, leading: 23, colour: colours.text },
  furniture: { weight: "regular", size: 8, leading: 11, colour: colours.muted },
} as const satisfies Record<string, TextStyle>;

/** White space after things, and before headings. */
export const space = {
  paragraph: 7,
  block: 12,
  beforeHeading: 12,
  afterHeading: 4,
  beforeSection: 22,
  afterSection: 8,
} as const;
