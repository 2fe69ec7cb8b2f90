/**
 * Reads an entry where it stands in the file's bytes, without making a string or an element of any of it: checks that it
 * is well-formed, and finds the texts that entry-shape.ts names. It knows the XML that banks write, one detail an entry
 * at most, and is sure of nothing else: comments, sections, other attributes than a currency, mixed text. Whoever is not
 * sure asks the parser (elements.ts), which reads the same from whatever is read here.
 *
 * Measured an entry of 580 bytes with 28 elements, this and the row made of it: 4 µs; the parser's elements, the payment,
 * the record and its check 19. Other parsers alone, with handlers that count: saxes 8.1, htmlparser2 8.1 (which takes
 * what is not well-formed), easysax 4.5 (likewise), sax 19, sax-wasm 26, node-expat 32.
 */
import { nodes, remittanceLine, slotCount } from "./entry-shape.ts";

/** The entry does not end in these bytes. */
export const incomplete = -1;
/** It must be read the other way. */
export const unsure = -2;

/** Entries of the standard have 14. */
const depthMax = 30;
/** Each is of 140 characters, and a description has no more than 2000. */
const linesMax = 16;

const lessThan = 0x3c;
const greaterThan = 0x3e;
const slash = 0x2f;
const space = 0x20;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const tab = 0x09;
const ampersand = 0x26;
const bracket = 0x5d;
const quote = 0x22;

/** What a byte of text is: 0 ordinary, 1 blank, 2 to be looked at. */
const kinds = new Uint8Array(256);
for (let code = 0; code < space; code += 1) kinds[code] = 2;
for (const code of [space, tab, lineFeed]) kinds[code] = 1;
for (const code of [lineFeed, carriageReturn, lessThan, ampersand, bracket, 0xef]) kinds[code] = 2;

/** Letters, digits and what else may stand in a name behind its first letter; no colon. */
const isNamePart = new Uint8Array(256);
for (const code of Buffer.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-."))
  isNamePart[code] = 1;

const currencyAttribute = Buffer.from(' Ccy="');
const currencyLength = 3;

/** XML's own. */
const entities = [
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&apos;", "'"],
].map(([name = "", text = ""]) => ({ name: Buffer.from(name), code: text.charCodeAt(0) }));

const slotOf = Int16Array.from(nodes, (node) => node.slot);
const isRefused = Uint8Array.from(nodes, (node) => Number(node.isRefused));
const isAlone = Uint8Array.from(nodes, (node) => Number(node.isAlone));

export class EntryScanner {
  /** Texts without the blanks around them; an end below 0: there is none. */
  readonly starts = new Int32Array(slotCount);
  readonly ends = new Int32Array(slotCount);
  /** Where the currency of a text's amount stands; −1: it has none. */
  readonly currencies = new Int32Array(slotCount);
  readonly lineStarts = new Int32Array(linesMax);
  readonly lineEnds = new Int32Array(linesMax);
  lines = 0;
  /** Line feeds in the entry. */
  lineFeeds = 0;
  /** How the document begins its elements' names, with the colon. */
  #prefix: Uint8Array = Buffer.alloc(0);
  /** Of each open element: its number in the table, or −1; its name; what it had. */
  readonly #nodes = new Int16Array(depthMax + 1);
  readonly #nameStarts = new Int32Array(depthMax + 1);
  readonly #nameEnds = new Int32Array(depthMax + 1);
  readonly #textStarts = new Int32Array(depthMax + 1);
  readonly #currencies = new Int32Array(depthMax + 1);
  readonly #children = new Int32Array(depthMax + 1);
  readonly #expected = new Uint8Array(depthMax + 1);
  readonly #hasAlone = new Uint8Array(depthMax + 1);
  /** In which entry an element of the table was seen last. */
  readonly #seen = new Float64Array(nodes.length);
  #entry = 0;

  /** Whether the entry that was scanned last has that element of the table. */
  has(node: number): boolean {
    return this.#seen[node] === this.#entry;
  }

  /** @param prefix such as "ns2:" */
  usePrefix(prefix: string): void {
    this.#prefix = Buffer.from(prefix);
  }

  /**
   * @param bytes valid UTF-8 up to `to` @param from where the entry's start tag begins @returns the offset behind its
   *   end tag, incomplete or unsure
   */
  scan(bytes: Uint8Array, from: number, to: number): number {
    this.#begin();
    let depth = 0;
    let at = from;
    for (;;) {
      if (at + 1 >= to) return incomplete;
      if (bytes[at + 1] === slash) {
        at = this.#end(bytes, at + 2, to, depth);
        if (at < 0) return at;
        depth -= 1;
        if (depth === 0) return at;
      } else {
        depth += 1;
        if (depth > depthMax) return unsure;
        at = this.#start(bytes, at + 1, to, depth);
        if (at < 0) return at;
        if (bytes[at - 2] === slash) depth -= 1;
        if (depth === 0) return unsure;
      }
      at = this.#text(bytes, at, to, depth);
      if (at < 0) return at;
    }
  }

  #begin(): void {
    this.#entry += 1;
    this.ends.fill(-1);
    this.currencies.fill(-1);
    this.lines = 0;
    this.lineFeeds = 0;
    this.#children[0] = 0;
    this.#hasAlone[0] = 0;
  }

  /** @returns the offset behind the end tag */
  #end(bytes: Uint8Array, at: number, to: number, depth: number): number {
    const name = this.#nameStarts[depth] as number;
    const length = (this.#nameEnds[depth] as number) - name;
    if (at + length >= to) return incomplete;
    for (let place = 0; place < length; place += 1) if (bytes[at + place] !== bytes[name + place]) return unsure;
    if (bytes[at + length] !== greaterThan) return unsure;
    const node = this.#nodes[depth] as number;
    if (node >= 0 && this.#children[depth] === 0) {
      const number = slotOf[node] as number;
      if (number !== -1 && !this.#keep(bytes, number, this.#textStarts[depth] as number, at - 2, depth)) return unsure;
    }
    return at + length + 1;
  }

  /** @returns whether the text was taken */
  #keep(bytes: Uint8Array, number: number, from: number, to: number, depth: number): boolean {
    let [start, end] = [from, to];
    while (start < end && isBlank(bytes[start] as number)) start += 1;
    while (end > start && isBlank(bytes[end - 1] as number)) end -= 1;
    if (start === end) return true;
    if (mayBeSpace(bytes[start] as number) || endsInSpace(bytes, end)) return false;
    if (number === remittanceLine) {
      if (this.lines === linesMax) return false;
      this.lineStarts[this.lines] = start;
      this.lineEnds[this.lines] = end;
      this.lines += 1;
      return true;
    }
    this.starts[number] = start;
    this.ends[number] = end;
    this.currencies[number] = this.#currencies[depth] as number;
    return true;
  }

  /** @returns the offset behind the start tag */
  #start(bytes: Uint8Array, from: number, to: number, depth: number): number {
    const prefix = this.#prefix;
    for (let place = 0; place < prefix.length; place += 1) {
      if (from + place >= to) return incomplete;
      if (bytes[from + place] !== prefix[place]) return unsure;
    }
    const name = from + prefix.length;
    let end = name;
    while (end < to && isNamePart[bytes[end] as number] === 1) end += 1;
    if (end >= to) return incomplete;
    // A digit, dot or dash begins no name.
    if (end === name || (bytes[name] as number) < 0x41) return unsure;
    const above = depth - 1;
    if (this.#hasAlone[above] === 1) return unsure;
    const node = depth === 1 ? 0 : this.#find(bytes, name, end, above);
    if (node >= 0 && !this.#see(node, above)) return unsure;
    this.#children[above] = (this.#children[above] as number) + 1;
    this.#nodes[depth] = node;
    this.#nameStarts[depth] = from;
    this.#nameEnds[depth] = end;
    this.#children[depth] = 0;
    this.#expected[depth] = 0;
    this.#hasAlone[depth] = 0;
    this.#currencies[depth] = -1;
    const behind = bytes[end] === space ? this.#currency(bytes, end, to, depth) : end;
    if (behind < 0) return behind;
    return this.#startEnd(bytes, behind, to, depth);
  }

  #startEnd(bytes: Uint8Array, at: number, to: number, depth: number): number {
    if (at + 1 >= to) return incomplete;
    if (bytes[at] === slash) return bytes[at + 1] === greaterThan ? at + 2 : unsure;
    if (bytes[at] !== greaterThan) return unsure;
    this.#textStarts[depth] = at + 1;
    return at + 1;
  }

  /** Elements mostly come in the standard's order, so the next one is looked for behind the last. */
  #find(bytes: Uint8Array, from: number, to: number, above: number): number {
    const parent = this.#nodes[above] as number;
    if (parent < 0) return -1;
    const { children } = nodes[parent] as (typeof nodes)[number];
    for (let tried = 0, place = this.#expected[above] as number; tried < children.length; tried += 1, place += 1) {
      if (place >= children.length) place = 0;
      const child = children[place] as number;
      if (!isNamed(child, bytes, from, to)) continue;
      this.#expected[above] = place;
      return child;
    }
    return -1;
  }

  /** @returns whether an element of the table may stand there */
  #see(node: number, above: number): boolean {
    if (isRefused[node] === 1) return false;
    if (this.#seen[node] === this.#entry && slotOf[node] !== remittanceLine) return false;
    this.#seen[node] = this.#entry;
    if (isAlone[node] === 0) return true;
    this.#hasAlone[above] = 1;
    return this.#children[above] === 0;
  }

  #currency(bytes: Uint8Array, at: number, to: number, depth: number): number {
    const end = at + currencyAttribute.length + currencyLength;
    if (end >= to) return incomplete;
    for (let place = 0; place < currencyAttribute.length; place += 1)
      if (bytes[at + place] !== currencyAttribute[place]) return unsure;
    for (let place = at + currencyAttribute.length; place < end; place += 1)
      if ((bytes[place] as number) < 0x41 || (bytes[place] as number) > 0x5a) return unsure;
    if (bytes[end] !== quote) return unsure;
    this.#currencies[depth] = at + currencyAttribute.length;
    return end + 1;
  }

  /** @returns where the next tag begins */
  #text(bytes: Uint8Array, from: number, to: number, depth: number): number {
    let isText = false;
    let at = from;
    for (; at < to; at += 1) {
      const byte = bytes[at] as number;
      const kind = kinds[byte];
      if (kind === 0) isText = true;
      else if (kind === 2) {
        if (byte === lessThan) break;
        if (byte === lineFeed) {
          this.lineFeeds += 1;
          continue;
        }
        if (byte === carriageReturn) {
          // Lines may end as on Windows between elements; a text has line feeds alone.
          if (isText || bytes[at + 1] !== lineFeed) return unsure;
          continue;
        }
        if (!isAllowed(bytes, at)) return unsure;
        isText = true;
      }
    }
    if (at + 1 >= to) return incomplete;
    // Text between elements is nobody's.
    if (isText && !(from === this.#textStarts[depth] && bytes[at + 1] === slash)) return unsure;
    return at;
  }
}

function isNamed(node: number, bytes: Uint8Array, from: number, to: number): boolean {
  const { name } = nodes[node] as (typeof nodes)[number];
  if (name.length !== to - from) return false;
  for (let place = 0; place < name.length; place += 1) if (bytes[from + place] !== name[place]) return false;
  return true;
}

/** Null: there is none of XML's own five. */
export function entityAt(bytes: Uint8Array, at: number): { name: Uint8Array; code: number } | null {
  return entities.find(({ name }) => startsWith(bytes, at, name)) ?? null;
}

function startsWith(source: Uint8Array, at: number, text: Uint8Array): boolean {
  for (let place = 0; place < text.length; place += 1) if (source[at + place] !== text[place]) return false;
  return true;
}

/**
 * No character by its number, no end of a section that none began, no control character, none of the two last ones of
 * Unicode's first plane.
 */
function isAllowed(bytes: Uint8Array, at: number): boolean {
  const byte = bytes[at] as number;
  if (byte === ampersand) return entityAt(bytes, at) !== null;
  if (byte === bracket) return bytes[at + 1] !== bracket;
  return byte === 0xef && !(bytes[at + 1] === 0xbf && (bytes[at + 2] as number) >= 0xbe);
}

function isBlank(byte: number): boolean {
  return byte === space || byte === lineFeed || byte === carriageReturn || byte === tab;
}

/** Whether a character that begins so may be one of the spaces beyond ASCII, which are trimmed too. */
function mayBeSpace(byte: number): boolean {
  return byte === 0xc2 || byte === 0xe1 || byte === 0xe2 || byte === 0xe3 || byte === 0xef;
}

function endsInSpace(bytes: Uint8Array, end: number): boolean {
  let at = end - 1;
  while (((bytes[at] as number) & 0xc0) === 0x80) at -= 1;
  return mayBeSpace(bytes[at] as number);
}
