/**
 * Reads what the service writes as PDF: its text in the order of the content, what is marked as what, and the
 * structure.
 */
import { inflateSync } from "node:zlib";

export type TextItem = { text: string; x: number; y: number; tag: string; mcid: number | null };
export type ReadPage = {
  items: TextItem[];
  /** Painting operators outside of any marked content. */ unmarked: number;
  height: number;
};
export type StructureElement = {
  type: string;
  alt: string | null;
  scope: string | null;
  children: StructureElement[];
  /** Text of the element itself and below it. */ text: string;
};
export type ReadPdf = {
  pages: ReadPage[];
  root: StructureElement;
  catalog: string;
  info: string;
  metadata: string;
  fonts: string[];
  /** Text of all pages, an item a line. */ text: string;
};

type PdfObject = { dictionary: string; stream: Buffer | null };

export function readPdf(bytes: Buffer): ReadPdf {
  const objects = readObjects(bytes);
  const of = (id: string | undefined): PdfObject => objects.get(Number(id)) ?? { dictionary: "", stream: null };
  const trailer = bytes.toString("latin1", bytes.lastIndexOf("trailer"));
  const catalog = of(/\/Root (\d+) 0 R/.exec(trailer)?.[1]).dictionary;
  const pageIds = idsIn(/\/Kids \[([^\]]*)\]/.exec(of(/\/Pages (\d+) 0 R/.exec(catalog)?.[1]).dictionary)?.[1] ?? "");
  const pages = pageIds.map((id) => readPage(of(id), of));
  const marked = new Map(
    pageIds
      .flatMap((id, index) => pages[index]!.items.map((item) => [`${id} ${item.mcid}`, item] as const))
      .reduce(joinText, new Map<string, string>()),
  );
  const root = readElement(
    of(/\/K \[(\d+) 0 R\]/.exec(of(/\/StructTreeRoot (\d+) 0 R/.exec(catalog)?.[1]).dictionary)?.[1]),
    of,
    marked,
  );
  const fonts = [...objects.values()]
    .filter(({ dictionary }) => /\/Type \/FontDescriptor/.test(dictionary))
    .map(({ dictionary }) => dictionary);
  const metadata = of(/\/Metadata (\d+) 0 R/.exec(catalog)?.[1]).stream?.toString("utf8") ?? "";
  const info = idsIn(of(/\/Info (\d+) 0 R/.exec(trailer)?.[1]).dictionary)
    .map((id) => of(id).dictionary)
    .join("\n");
  return {
    pages,
    root,
    catalog,
    info,
    metadata,
    fonts,
    text: pages.flatMap(({ items }) => items.map(({ text }) => text.trimEnd())).join("\n"),
  };
}

/** Every element of a type, in reading order. */
export function elementsOf(element: StructureElement, type: string): StructureElement[] {
  return [...(element.type === type ? [element] : []), ...element.children.flatMap((child) => elementsOf(child, type))];
}

function joinText(texts: Map<string, string>, [key, item]: readonly [string, TextItem]): Map<string, string> {
  return texts.set(key, (texts.get(key) ?? "") + item.text);
}

function readObjects(bytes: Buffer): Map<number, PdfObject> {
  const text = bytes.toString("latin1");
  const objects = new Map<number, PdfObject>();
  for (const match of text.matchAll(/(?:^|\n)(\d+) 0 obj\n/g)) {
    const start = match.index + match[0].length;
    const end = text.indexOf("\nendobj", start);
    const at = text.indexOf("stream\n", start);
    if (at < 0 || at > end) {
      objects.set(Number(match[1]), { dictionary: text.slice(start, end), stream: null });
      continue;
    }
    const dictionary = text.slice(start, at);
    const raw = bytes.subarray(at + 7, at + 7 + Number(/\/Length (\d+)/.exec(dictionary)?.[1]));
    objects.set(Number(match[1]), { dictionary, stream: dictionary.includes("/FlateDecode") ? inflateSync(raw) : raw });
  }
  return objects;
}

function idsIn(text: string): string[] {
  return [...text.matchAll(/(\d+) 0 R/g)].map((match) => match[1] ?? "");
}

function readPage(page: PdfObject, of: (id: string | undefined) => PdfObject): ReadPage {
  const stream = of(/\/Contents (\d+) 0 R/.exec(page.dictionary)?.[1]).stream?.toString("latin1") ?? "";
  const content = stream.replace(/<<[^<>]*>>/g, (properties) => properties.replaceAll("\n", " "));
  const resources = of(/\/Resources (\d+) 0 R/.exec(page.dictionary)?.[1]).dictionary;
  const maps = new Map(
    [...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map((match) => [
      match[1] ?? "",
      characterMap(of(/\/ToUnicode (\d+) 0 R/.exec(of(match[2]).dictionary)?.[1])),
    ]),
  );
  const read: ReadPage = {
    items: [],
    unmarked: 0,
    height: Number(/\/MediaBox \[0 0 [\d.]+ ([\d.]+)\]/.exec(page.dictionary)?.[1]),
  };
  const open: { tag: string; mcid: number | null }[] = [];
  let [x, y, font] = [0, 0, ""];
  for (const line of content.split("\n")) {
    const mark = /^\/(\w+)(?: <<(.*)>>)? B[MD]C$/.exec(line);
    if (mark) open.push({ tag: mark[1] ?? "", mcid: numberOf(/\/MCID (\d+)/.exec(mark[2] ?? "")?.[1]) });
    if (line === "EMC") open.pop();
    const place = /^1 0 0 1 (-?[\d.]+) (-?[\d.]+) Tm$/.exec(line);
    if (place) [x, y] = [Number(place[1]), Number(place[2])];
    font = /^\/(F\d+) [\d.]+ Tf$/.exec(line)?.[1] ?? font;
    const inside = open.at(-1);
    if (/(?:TJ|^f|^S|^B|^f\*)$/.test(line) && !inside) read.unmarked += 1;
    if (!line.endsWith("TJ")) continue;
    const text = [...line.matchAll(/<([0-9a-f]+)>/g)]
      .map((match) => decode(match[1] ?? "", maps.get(font) ?? []))
      .join("");
    read.items.push({ text, x, y, tag: inside?.tag ?? "", mcid: inside?.mcid ?? null });
  }
  return read;
}

function numberOf(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}

function characterMap(cmap: PdfObject): string[] {
  const ranges = [...(cmap.stream?.toString("latin1") ?? "").matchAll(/<[0-9a-f]+> <[0-9a-f]+> \[([^\]]*)\]/g)];
  return ranges.flatMap((range) =>
    [...(range[1] ?? "").matchAll(/<([^>]*)>/g)].map((match) => fromHex(match[1] ?? "")),
  );
}

function fromHex(codes: string): string {
  return String.fromCharCode(
    ...codes
      .split(" ")
      .filter((code) => code !== "")
      .map((code) => Number.parseInt(code, 16)),
  );
}

function decode(hex: string, map: readonly string[]): string {
  return (hex.match(/.{4}/g) ?? []).map((code) => map[Number.parseInt(code, 16)] ?? "\ufffd").join("");
}

function readElement(
  object: PdfObject,
  of: (id: string | undefined) => PdfObject,
  marked: ReadonlyMap<string, string>,
): StructureElement {
  const { dictionary } = object;
  const kids = /\/K \[([^\]]*)\]/.exec(dictionary)?.[1] ?? "";
  // Content on a further page names its own.
  const ownPage = /\/Pg (\d+) 0 R/.exec(dictionary.slice(2).replace(/<<[^<>]*>>/g, ""))?.[1];
  const children: StructureElement[] = [];
  let text = "";
  for (const kid of kids.matchAll(/<<([\s\S]*?)>>|(\d+) 0 R|(\d+)/g)) {
    if (kid[1] !== undefined)
      text += marked.get(`${/\/Pg (\d+)/.exec(kid[1])?.[1]} ${/\/MCID (\d+)/.exec(kid[1])?.[1]}`) ?? "";
    else if (kid[2] !== undefined) {
      const child = readElement(of(kid[2]), of, marked);
      children.push(child);
      text += child.text;
    } else text += marked.get(`${ownPage} ${kid[3]}`) ?? "";
  }
  return {
    type: /\/S \/(\w+)/.exec(dictionary)?.[1] ?? "",
    alt: textOf(/\/Alt \((.*?)\)\n/s.exec(dictionary)?.[1]),
    scope: /\/Scope \/(\w+)/.exec(dictionary)?.[1] ?? null,
    children,
    text,
  };
}

/** A string of the file, without its escapes; UTF-16 where it begins with the mark for it. */
export function textOf(raw: string | undefined): string | null {
  if (raw === undefined) return null;
  const plain = raw.replace(
    /\\([nrtbf()\\])/g,
    (_, escaped: string) => ({ n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" })[escaped] ?? escaped,
  );
  if (!plain.startsWith("\xfe\xff")) return plain;
  return Buffer.from(plain.slice(2), "latin1").swap16().toString("utf16le");
}
