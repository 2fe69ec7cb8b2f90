/** What stands above and below the text of every page, once their number is known. */
import type { Document } from "./blocks.ts";
import type { Canvas } from "./canvas.ts";
import { putLogo } from "./logo.ts";
import { colours, contentWidth, page, styles } from "./style.ts";

const headerTop = 36;
const footerTop = page.height - 46;
const right = page.left + contentWidth;
/** Between what stands at the left of a line and what stands at its right. */
const apart = 20;
const headerLogo = { width: 110, height: 18 } as const;

export function putFurniture(canvas: Canvas, document: Document): void {
  const pages = canvas.pages();
  for (let index = 0; index < pages; index++) {
    canvas.turnTo(index);
    // The first page has all of this in its title.
    if (index > 0) canvas.furniture("Header", () => putHeader(canvas, document));
    canvas.furniture("Footer", () => putFooter(canvas, document, index + 1, pages));
  }
}

function putHeader(canvas: Canvas, { brand, logo, title, customer, identifier }: Document): void {
  const left = logo === null ? page.left : page.left + 10 + putLogo(canvas, logo, page.left, headerTop - 6, headerLogo);
  const [room, name] = [right - left, logo === null ? `${brand} · ${title}` : title];
  // Which document it is comes whole, then whose it is, then what it is called.
  const [which, dot] = [firstLine(canvas, identifier, room * 0.6), " · "];
  const taken = canvas.width(which + dot, styles.furniture) + apart;
  const told = `${firstLine(canvas, customer, (room - taken) * 0.65)}${dot}${which}`;
  canvas.text(
    firstLine(canvas, name, room - canvas.width(told, styles.furniture) - apart),
    left,
    headerTop,
    styles.furniture,
  );
  canvas.text(told, right, headerTop, styles.furniture, "right");
  canvas.rule(page.left, headerTop + 15, right, headerTop + 15, 0.4, colours.rule);
}

function putFooter(canvas: Canvas, { footer, pageNumber }: Document, number: number, pages: number): void {
  canvas.rule(page.left, footerTop - 5, right, footerTop - 5, 0.4, colours.rule);
  const numbered = pageNumber.replace("{page}", String(number)).replace("{pages}", String(pages));
  canvas.text(firstLine(canvas, footer, contentWidth - 80), page.left, footerTop, styles.furniture);
  canvas.text(numbered, right, footerTop, styles.furniture, "right");
}

function firstLine(canvas: Canvas, text: string, width: number): string {
  if (canvas.width(text, styles.furniture) <= width) return text;
  const [first = ""] = canvas.lines(text, Math.max(1, width - canvas.width("…", styles.furniture)), styles.furniture);
  return `${first}…`;
}
