/**
 * Whether a document is whole, told without building anything of it: what a long file is read through for before the
 * first of its entries is committed. It knows the XML that banks write and is sure of nothing else; whoever is not sure
 * asks the parser (elements.ts), which refuses nothing that was sure here.
 *
 * Parsing twice cost 12 of 37 µs an entry; this costs about one.
 */
import { elementDepthMax } from "../../config/camt.ts";
import { recordBytesMax } from "../../config/limits.ts";
import { isMessage } from "./elements.ts";

/** The longest that ISO 20022 has is half as long, a prefix included. */
const nameLengthMax = 64;
/** What is not complete yet is kept for the next piece; a tag or a text longer than that is nothing to be sure of. */
const incompleteLengthMax = recordBytesMax;

const declaration =
  /^<\?xml version=(["'])1\.0\1(?: encoding=(["'])[A-Za-z][\w.-]*\2)?(?: standalone=(["'])(?:yes|no)\3)? ?\?>/;
const entity = /&(?:amp|lt|gt|quot|apos);|&#(?:(\d{2,5})|x([\dA-Fa-f]{2,4}));/y;

const lessThan = 0x3c;
const greaterThan = 0x3e;
const slash = 0x2f;
const ampersand = 0x26;
const equals = 0x3d;
const bracket = 0x5d;
const [quote, apostrophe] = [0x22, 0x27];

/** Thrown within, since it is found deep inside. */
class NotSure extends Error {}

export class WellFormed {
  #isSure = true;
  /** What the piece before did not complete. */
  #rest = "";
  #hasBegun = false;
  #hasRoot = false;
  #hasMessage = false;
  /** Names of the open elements, each in a row of its own, their lengths, and characters of text that they have. */
  #depth = 0;
  readonly #names = new Uint8Array((elementDepthMax + 1) * nameLengthMax);
  readonly #nameLengths = new Uint8Array(elementDepthMax + 1);
  readonly #textLengths = new Uint32Array(elementDepthMax + 1);

  /** @returns false: nobody can be sure any more */
  push(piece: string): boolean {
    if (!this.#isSure) return false;
    try {
      this.#read(this.#rest === "" ? piece : this.#rest + piece);
    } catch (error) {
      if (!(error instanceof NotSure)) throw error;
      this.#isSure = false;
    }
    return this.#isSure;
  }

  /** Whether the document is surely whole, and one of the two messages. */
  end(): boolean {
    const isAtEnd = this.#depth === 0 && this.#rest.trim() === "";
    return this.#isSure && isAtEnd && this.#hasRoot && this.#hasMessage;
  }

  #read(text: string): void {
    let at = 0;
    if (!this.#hasBegun) {
      if (!text.includes(">")) return this.#keep(text);
      at = declaration.exec(text)?.[0].length ?? 0;
      this.#hasBegun = true;
    }
    for (;;) {
      const tag = text.indexOf("<", at);
      const end = tag < 0 ? -1 : text.indexOf(">", tag);
      if (end < 0) return this.#keep(text.slice(at));
      this.#readText(text, at, tag);
      const next = this.#readMarkup(text, tag);
      if (next < 0) return this.#keep(text.slice(tag));
      at = next;
    }
  }

  #keep(rest: string): void {
    if (rest.length > incompleteLengthMax) throw new NotSure();
    this.#rest = rest;
  }

  #readText(text: string, from: number, to: number): void {
    let isBlank = true;
    for (let at = from; at < to; at += 1) {
      const code = text.charCodeAt(at);
      if (isSpace(code)) continue;
      isBlank = false;
      if (code === ampersand) at += entityLength(text, at) - 1;
      else if (!isOrdinary(code) || (code === bracket && text.charCodeAt(at + 1) === bracket)) throw new NotSure();
    }
    if (isBlank && (this.#depth === 0 || this.#textLengths[this.#depth] === 0)) return;
    if (this.#depth === 0) throw new NotSure();
    const length = (this.#textLengths[this.#depth] as number) + to - from;
    if (length > recordBytesMax) throw new NotSure();
    this.#textLengths[this.#depth] = length;
  }

  /** @returns where it ends; −1: not in this text */
  #readMarkup(text: string, at: number): number {
    const code = text.charCodeAt(at + 1);
    if (code === slash) return this.#readEnd(text, at + 2);
    if (isNameStart(code)) return this.#readStart(text, at + 1);
    return readComment(text, at);
  }

  #readEnd(text: string, from: number): number {
    const row = this.#depth * nameLengthMax;
    const length = this.#nameLengths[this.#depth] as number;
    if (this.#depth === 0) throw new NotSure();
    for (let place = 0; place < length; place += 1)
      if (text.charCodeAt(from + place) !== this.#names[row + place]) throw new NotSure();
    const at = pastSpaces(text, from + length);
    if (text.charCodeAt(at) !== greaterThan) throw new NotSure();
    this.#depth -= 1;
    return at + 1;
  }

  #readStart(text: string, from: number): number {
    if (this.#depth === 0 && this.#hasRoot) throw new NotSure();
    this.#hasRoot = true;
    if (this.#depth === elementDepthMax) throw new NotSure();
    this.#depth += 1;
    const row = this.#depth * nameLengthMax;
    let at = from;
    for (let code = text.charCodeAt(at); isNamePart(code); code = text.charCodeAt(at)) {
      if (at - from === nameLengthMax) throw new NotSure();
      this.#names[row + at - from] = code;
      at += 1;
    }
    this.#nameLengths[this.#depth] = at - from;
    this.#textLengths[this.#depth] = 0;
    if (!this.#hasMessage) this.#hasMessage = isMessage(text.slice(from, at));
    const next = text.charCodeAt(at) === greaterThan ? at : pastAttributes(text, at);
    // Its end stands in a quoted value so far.
    if (next < 0) {
      this.#depth -= 1;
      if (this.#depth === 0) this.#hasRoot = false;
      return -1;
    }
    if (text.charCodeAt(next) !== slash) return next + 1;
    if (text.charCodeAt(next + 1) !== greaterThan) throw new NotSure();
    this.#depth -= 1;
    return next + 2;
  }
}

/** @returns where the tag's ">" or "/" stands; −1: not in this text */
function pastAttributes(text: string, from: number): number {
  const seen: string[] = [];
  let at = from;
  for (;;) {
    const before = at;
    at = pastSpaces(text, at);
    const code = text.charCodeAt(at);
    if (code === greaterThan || code === slash) return at;
    if (at === text.length) return -1;
    if (at === before || !isNameStart(code)) throw new NotSure();
    const nameAt = at;
    while (isNamePart(text.charCodeAt(at))) at += 1;
    const name = text.slice(nameAt, at);
    if (seen.includes(name)) throw new NotSure();
    seen.push(name);
    if (at + 1 >= text.length) return -1;
    const mark = text.charCodeAt(at + 1);
    if (text.charCodeAt(at) !== equals || (mark !== quote && mark !== apostrophe)) throw new NotSure();
    at += 2;
    for (let inside = text.charCodeAt(at); inside !== mark; inside = text.charCodeAt(at)) {
      if (at >= text.length) return -1;
      if (inside === lessThan || inside === ampersand || !(isOrdinary(inside) || isSpace(inside))) throw new NotSure();
      at += 1;
    }
    at += 1;
  }
}

/** Nothing else begins with "<!" or "<?" behind the declaration that anybody is sure of. */
function readComment(text: string, at: number): number {
  if (!text.startsWith("<!--", at)) throw new NotSure();
  const dashes = text.indexOf("--", at + 4);
  if (dashes < 0 || dashes + 2 >= text.length) return -1;
  if (text.charCodeAt(dashes + 2) !== greaterThan) throw new NotSure();
  for (let inside = at + 4; inside < dashes; inside += 1) {
    const code = text.charCodeAt(inside);
    if (!isOrdinary(code) && !isSpace(code)) throw new NotSure();
  }
  return dashes + 3;
}

/** One of XML's own five, or a character by its number that every text may hold. */
function entityLength(text: string, at: number): number {
  entity.lastIndex = at;
  const found = entity.exec(text);
  if (found === null) throw new NotSure();
  const [whole, decimal, hexadecimal] = found;
  if (decimal === undefined && hexadecimal === undefined) return whole.length;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal);
  if (code >= 0xd800 || !(isOrdinary(code) || isSpace(code) || code === lessThan)) throw new NotSure();
  return whole.length;
}

function pastSpaces(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** What XML 1.0 allows, but for control characters, which it does in part; halves of pairs stand in pairs here. */
function isOrdinary(code: number): boolean {
  return (code >= 0x21 && code <= 0x7e) || (code >= 0xa0 && code <= 0xfffd);
}

function isNameStart(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f;
}

function isNamePart(code: number): boolean {
  return isNameStart(code) || (code >= 0x30 && code <= 0x3a) || code === 0x2d || code === 0x2e;
}
