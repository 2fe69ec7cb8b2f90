/** What an open page is sent when something changed: the pieces that it does not have, and where those that it has stand. */
import { createHash } from "node:crypto";
import { type Html, joined } from "./templates/html.ts";
import { utcMinute } from "./templates/times.ts";

const markLength = 12;
/** The marks of a page are a header of its browser, which proxies take up to some kilobytes. */
const piecesMax = 300;

/** pieces: a mark alone is a piece that the page has. Without them nothing changed. shown: asOf in words. */
export type Changed = { asOf: string; shown: string; pieces?: (string | readonly [mark: string, text: string])[] };

/** @param has the marks of the page's pieces, one behind the other, as they were sent last; anything else: it has none */
export function changedOf(body: Html | readonly Html[], has: string, now: Date): Changed {
  const pieces = [body].flat();
  const size = Math.ceil(pieces.length / piecesMax);
  const sent = (size <= 1 ? pieces : inGroups(pieces, size)).map((piece) => [markOf(piece), piece] as const);
  const time = { asOf: now.toISOString(), shown: `${utcMinute(now)} UTC` };
  if (sent.map(([mark]) => mark).join("") === has) return time;
  const known = new Set(has.match(new RegExp(`.{${markLength}}`, "g")));
  return { ...time, pieces: sent.map(([mark, piece]) => (known.has(mark) ? mark : [mark, piece.toString()])) };
}

function inGroups(pieces: readonly Html[], size: number): Html[] {
  return Array.from({ length: Math.ceil(pieces.length / size) }, (_, at) =>
    joined(pieces.slice(at * size, (at + 1) * size)),
  );
}

/** Of pieces that are kept once. */
const marks = new WeakMap<Html, string>();

function markOf(piece: Html): string {
  let mark = marks.get(piece);
  if (mark === undefined) {
    mark = createHash("sha256").update(piece.toString()).digest("base64url").slice(0, markLength);
    marks.set(piece, mark);
  }
  return mark;
}
