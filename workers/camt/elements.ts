/**
 * Cuts a streamed camt document into statements' heads and entries, in constant memory: what stands above an entry is
 * kept while it is open, and each entry is handed on whole. Strict XML 1.0 with no entities but XML's own five: a
 * document type is refused, since nothing that a bank writes needs one.
 */
import { SaxesParser } from "saxes";
import { recordBytesMax } from "../../config/limits.ts";
import { detailsMax, elementDepthMax, entryElementsMax } from "../../config/camt.ts";

/** An element as it is needed here: without namespace, its text without that of its children. */
export type Element = { name: string; text: string; currency: string | null; line: number; children: Element[] };

/** A statement or notification begins, with all that stands before its first entry; one of its entries; its end. */
export type Item =
  | { kind: "head"; head: Element }
  /** `hasAllDetails`: false where it held more than are looked at, and came without any. */
  | { kind: "entry"; entry: Element; hasAllDetails: boolean }
  | { kind: "end" };

export type DocumentKind = "camt.053" | "camt.054";

/** What the file is refused for. */
export class NoStatement extends Error {
  override readonly name = "NoStatement";
  /** Whether it is no whole XML; else it is another document. */
  readonly isDamaged: boolean;

  constructor(reason: string, isDamaged: boolean) {
    super(reason);
    this.isDamaged = isDamaged;
  }
}

const messages: Readonly<Record<string, DocumentKind>> = {
  BkToCstmrStmt: "camt.053",
  BkToCstmrDbtCdtNtfctn: "camt.054",
};
/** XML 1.0, production 3. */
const xmlSpaces: readonly number[] = [0x20, 0x0a, 0x0d, 0x09];
/** What stands below a message, once an account. */
const accountReports: ReadonlySet<string> = new Set(["Stmt", "Ntfctn"]);

export class StatementElements {
  /** Of the message that is open, or was last. */
  kind: DocumentKind | null = null;
  /** What the statement's own name began with, such as "ns2:". */
  prefix = "";
  /** Tags read so far. */
  tags = 0;
  readonly #parser = new SaxesParser({ xmlns: false, position: true });
  readonly #names = new Names();
  /** The elements that are open, from the statement on; empty outside of one. */
  #open: Element[] = [];
  /** All that are open, and how deep the message stands among them; −1 outside of one. */
  #depth = 0;
  #messageDepth = -1;
  #isHeadOut = false;
  /** Of the entry that is open: elements kept, details seen. */
  #elements = 0;
  #details = 0;
  #items: Item[] = [];
  /** Lines that were read elsewhere. */
  #linesPassed = 0;

  constructor() {
    this.#parser.on("doctype", () => {
      throw new NoStatement("The file has a document type (DOCTYPE), which is not taken.", false);
    });
    this.#parser.on("error", () => {
      throw new NoStatement(`The file is no whole XML document: line ${this.line}.`, true);
    });
    this.#parser.on("opentag", ({ name, attributes }) => this.#begin(name, attributes.Ccy ?? null));
    this.#parser.on("text", (text) => this.#addText(text));
    this.#parser.on("cdata", (text) => this.#addText(text));
    this.#parser.on("closetag", () => this.#finish());
  }

  /** What this piece of text completes. @throws NoStatement */
  push(text: string): Item[] {
    this.#items = [];
    this.#parser.write(text);
    return this.#items;
  }

  /** @throws NoStatement when the document is not at its end, or is none of the two. */
  end(): void {
    this.#parser.close();
    if (this.kind === null)
      throw new NoStatement(
        "The file holds neither a bank-to-customer statement (camt.053) nor a notification (camt.054).",
        false,
      );
  }

  /** Where the document is read, from 1. */
  get line(): number {
    return this.#parser.line + this.#linesPassed;
  }

  /** Whether a statement is open, and nothing within it. */
  get isInStatement(): boolean {
    return this.#open.length === 1;
  }

  /** An entry of the open statement is read elsewhere: its start tag is where push() was up to. */
  passEntry(): Item[] {
    this.#items = [];
    this.#putHead();
    return this.#items;
  }

  passLines(count: number): void {
    this.#linesPassed += count;
  }

  #begin(fullName: string, currency: string | null): void {
    const name = this.#names.local(fullName);
    this.tags += 1;
    this.#depth += 1;
    if (this.#depth > elementDepthMax)
      throw new NoStatement(`Elements stand in each other more than ${elementDepthMax} deep.`, false);
    if (this.#messageDepth < 0) {
      const kind = messages[name];
      if (kind === undefined) return;
      this.kind = kind;
      this.#messageDepth = this.#depth;
      return;
    }
    const above = this.#open.at(-1);
    if (above === undefined && !(this.#depth === this.#messageDepth + 1 && accountReports.has(name))) return;
    const element: Element = { name, text: "", currency, line: this.line, children: none };
    if (above === undefined) {
      this.prefix = fullName.slice(0, fullName.length - name.length);
      this.#beginStatement();
    } else if (name === "Ntry" && this.#open.length === 1) this.#beginEntry();
    if (above !== undefined && this.#isKept(name)) addChild(above, element);
    this.#open.push(element);
  }

  #beginStatement(): void {
    this.#isHeadOut = false;
    this.#elements = 0;
    this.#details = 0;
  }

  #beginEntry(): void {
    this.#putHead();
    this.#elements = 0;
    this.#details = 0;
  }

  #putHead(): void {
    const [head] = this.#open;
    if (this.#isHeadOut || head === undefined) return;
    this.#isHeadOut = true;
    this.#items.push({ kind: "head", head });
  }

  /** Of an entry no more than fits into memory, and nothing that stands behind a statement's entries. */
  #isKept(name: string): boolean {
    if (this.#open.length <= 1) return !this.#isHeadOut && name !== "Ntry";
    this.#elements += 1;
    if (name === "TxDtls") this.#details += 1;
    return this.#elements <= entryElementsMax && this.#details <= detailsMax;
  }

  #addText(text: string): void {
    const element = this.#open.at(-1);
    // What sets lines off between a statement's entries would add up to megabytes.
    if (element === undefined || (element.text === "" && isBlank(text))) return;
    if (element.text.length + text.length > recordBytesMax)
      throw new NoStatement(`The text of an element is longer than ${recordBytesMax} characters.`, false);
    element.text += text;
  }

  #finish(): void {
    this.tags += 1;
    if (this.#depth === this.#messageDepth) this.#messageDepth = -1;
    this.#depth -= 1;
    const element = this.#open.pop();
    if (element === undefined) return;
    if (this.#open.length === 0) {
      this.#open.push(element);
      this.#putHead();
      this.#open.pop();
      this.#items.push({ kind: "end" });
    } else if (this.#open.length === 1 && element.name === "Ntry") {
      const hasAllDetails = this.#elements <= entryElementsMax && this.#details <= detailsMax;
      if (!hasAllDetails) element.children = element.children.filter(({ name }) => name !== "NtryDtls");
      this.#items.push({ kind: "entry", entry: element, hasAllDetails });
    }
  }
}

/** Whether an element of that name is one of the two messages. */
export function isMessage(name: string): boolean {
  return Object.hasOwn(messages, localName(name));
}

function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (!xmlSpaces.includes(text.charCodeAt(at))) return false;
  return true;
}

/** Of the many elements that hold a text alone. Never changed. */
const none: Element[] = [];

/** A list that begins with one takes less room than an empty one that grows: most elements have one or none. */
function addChild(above: Element, element: Element): void {
  if (above.children === none) above.children = [element];
  else above.children.push(element);
}

/** More than the schemas have, and than a file may make one keep. */
const namesKeptMax = 2000;

/** Local names as V8 keeps the texts of a program, which are compared by where they lie: each is asked for often. */
class Names {
  readonly #kept = new Map<string, string>();

  local(name: string): string {
    const kept = this.#kept.get(name);
    if (kept !== undefined) return kept;
    const [local = ""] = Object.keys({ [localName(name)]: 0 });
    if (this.#kept.size < namesKeptMax) this.#kept.set(name, local);
    return local;
  }
}

/** Prefixes are the sender's choice. */
function localName(name: string): string {
  const colon = name.indexOf(":");
  return colon < 0 ? name : name.slice(colon + 1);
}

/** The first child element along a path of names; null when one of them is not there. */
export function find(element: Element | null, ...path: readonly string[]): Element | null {
  let found = element;
  for (const name of path) {
    if (found === null) return null;
    found = childOf(found, name);
  }
  return found;
}

/** Not by find(): this is asked some sixty times an entry. */
function childOf({ children }: Element, name: string): Element | null {
  for (const child of children) if (child.name === name) return child;
  return null;
}

/** Its text without the blanks around it; "" when there is none. */
export function textAt(element: Element | null, ...path: readonly string[]): string {
  return find(element, ...path)?.text.trim() ?? "";
}

export function all(element: Element | null, name: string): Element[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}
