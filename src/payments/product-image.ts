/**
 * The neutral image of a product: a tile with its initials, coloured by its id. Pure, so that an address always shows
 * the same picture and nothing needs to be stored.
 */
import { createHash } from "node:crypto";
import { productById } from "./catalogue.ts";
import { firstOf } from "../present.ts";

/** @param id as in imageUrl: a catalogue id or a title's image id. @returns an SVG document of 96 by 96 units. */
export function productImage(id: string): string {
  const title = productById(id)?.title ?? id.replaceAll("-", " ");
  const hue = createHash("sha256").update(id).digest().readUInt16BE() % 360;
  const initials = initialsOf(title);
  // Lightness 34 % keeps white text above a contrast of 4.5 : 1 for every hue (WCAG 2.2, 1.4.3) but yellow and green,
  // which get 26 %.
  const lightness = hue > 45 && hue < 195 ? 26 : 34;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" role="img" aria-label="${escapeXml(title)}">` +
    `<rect width="96" height="96" rx="20" fill="hsl(${hue} 55% ${lightness}%)"/>` +
    `<text x="48" y="50" fill="#fff" font-family="system-ui, sans-serif" font-size="${initials.length > 1 ? 38 : 46}" font-weight="600" ` +
    `text-anchor="middle" dominant-baseline="central">${escapeXml(initials)}</text></svg>`
  );
}

/** First letters of the first two words; a digit where there is no letter. */
function initialsOf(title: string): string {
  const words = title.match(/[\p{L}\p{N}]+/gu) ?? ["?"];
  return words
    .slice(0, 2)
    .map((word) => firstOf([...word]).toUpperCase())
    .join("");
}

function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.codePointAt(0)};`);
}
