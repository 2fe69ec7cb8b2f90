/** What stands above and below the text of every page, once their number is known. */
import type { Document } from "./blocks.ts";
import type { Canvas } from "./canvas.ts";
import { colours, contentWidth, page, styles } from "./style.ts";

const headerTop = 36;
const footerTop = page.height - 46;
const right = page.left + contentWidth;

export function putFurniture(canvas: Canvas, document: Document): void {
  const pages = canvas.pages();
  for (let index = 0; index < pages; index++) {
    canvas.turnTo(index);
    // The first page has all of this in its title.
    if (index > 0) canvas.furniture("Header", () => putHeader(canvas, document));
    canvas.furniture("Footer", () => putFooter(canvas, document, index + 1, pages));
  }
}

function putHeader(canvas: Canvas, { brand, title, identifier }: Document): void {
  const room = contentWidth - canvas.width(identifier, styles.furniture) - 20;
  canvas.text(firstLine(canvas, `${brand} · ${title}`, room), page.left, headerTop, styles.furniture);
  canvas.text(firstLine(canvas, identifier, contentWidth), right, headerTop, styles.furniture, "right");
  canvas.rule(page.left, headerTop + 15, right, headerTop + 15, 0.4, colours.rule);
}

function putFooter(canvas: Canvas, { footer, pageNumber }: Document, number: number, pages: number): void {
  canvas.rule(page.left, footerTop - 5, right, footerTop - 5, 0.4, colours.rule);
  const numbered = pageNumber.replace("{page}", String(number)).replace("{pages}", String(pages));
  canvas.text(firstLine(canvas, footer, contentWidth - 80), page.left, footerTop, styles.furniture);
  canvas.text(numbered, right, footerTop, styles.furniture, "right");
}

function firstLine(canvas: Canvas, text: string, width: number): string {
  const [first = "", ...others] = canvas.lines(text, width, styles.furniture);
  return others.length > 0 ? `${first}…` : first;
}
