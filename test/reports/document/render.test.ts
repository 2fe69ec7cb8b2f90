/** A rendered PDF is tagged, numbered and the same for the same document, so that screen readers read it in order. */
import test from "ava";
import type { Block, Document, Row } from "../../../src/reports/document/blocks.ts";
import { renderDocument } from "../../../src/reports/document/render.ts";
import { elementsOf, readPdf, type StructureElement } from "../pdf.ts";

const longName =
  "Boligselskabet Længstenavn Ældrebyggeri Øresundsvejens Andelsboligforening af 1897 A.M.B.A. (tidligere Fællesforeningen-for-Danmarks-Brugsforeninger)";

function documentOf(...blocks: Block[]): Document {
  return {
    language: "da-DK",
    title: "Økonomisk rapport",
    subtitle: "Til sagen",
    brand: "Nordbanken",
    logo: null,
    customer: "kunde-4711",
    identifier: "REF-1",
    footer: "Udarbejdet af kontodata",
    pageNumber: "Side {page} af {pages}",
    madeOn: "2026-06-15",
    blocks,
  };
}

function tableOf(rows: readonly Row[]): Block {
  return {
    kind: "section",
    title: "Betalinger",
    blocks: [
      {
        kind: "table",
        summary: "Betalinger",
        rows,
        columns: [{ title: "Produkt", weight: 2 }, { title: "Hyppighed" }, { title: "Beløb", align: "right" }],
      },
    ],
  };
}

function rowsOf(count: number, nameOf: (index: number) => string = (index) => `Betaling ${index}`): Row[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: "data",
    cells: [{ text: nameOf(index) }, { text: "hver måned" }, { text: `${index},00` }],
  }));
}

test("the same document gives the same bytes, and another one others", async (t) => {
  const first = await renderDocument(documentOf(tableOf(rowsOf(80))));
  const again = await renderDocument(documentOf(tableOf(rowsOf(80))));
  const other = await renderDocument(documentOf(tableOf(rowsOf(81))));
  t.is(first.sha256, again.sha256);
  t.true(first.bytes.equals(again.bytes));
  t.not(first.sha256, other.sha256);
});

test("the file says its language, its title and that it is tagged, and embeds its fonts", async (t) => {
  const { bytes } = await renderDocument(documentOf(tableOf(rowsOf(3))));
  const pdf = readPdf(bytes);
  t.regex(bytes.toString("latin1", 0, 12), /^%PDF-1\.7/);
  t.regex(pdf.catalog, /\/Lang \(da-DK\)/);
  t.regex(pdf.metadata, /<pdfuaid:part>1<\/pdfuaid:part>/);
  t.regex(pdf.metadata, /Økonomisk rapport/);
  t.regex(bytes.toString("latin1"), /\/DisplayDocTitle true/);
  t.regex(bytes.toString("latin1"), /\/Marked true/);
  t.regex(pdf.info, /D:20260615000000Z/);
  t.true(pdf.fonts.length >= 2);
  t.true(pdf.fonts.every((font) => /\/FontFile2 /.test(font) && /\+SourceSans3-/.test(font)));
});

test("everything on every page is content of an element or an artifact", async (t) => {
  const { bytes } = await renderDocument(
    documentOf(
      { kind: "notice", text: "Ikke en kreditbeslutning." },
      { kind: "facts", facts: [{ label: "Konto", value: longName }] },
      { kind: "contents", title: "Indhold" },
      {
        kind: "section",
        title: "Tal",
        startsPage: true,
        blocks: [{ kind: "figures", figures: [{ label: "Indtægt", value: "32.500,00", detail: "bruger 1,00" }] }],
      },
      { kind: "section", title: "Måneder", blocks: [barsOf()] },
      tableOf(rowsOf(120)),
    ),
  );
  const pdf = readPdf(bytes);
  t.true(pdf.pages.length > 3);
  for (const page of pdf.pages) t.is(page.unmarked, 0);
  t.true(pdf.pages.every(({ items }) => items.every(({ tag, mcid }) => tag === "Artifact" || mcid !== null)));
});

test("a screen reader hears headings, lists, figures and tables in order", async (t) => {
  const { bytes } = await renderDocument(
    documentOf(
      { kind: "facts", facts: [{ label: "Konto", value: "DK12" }] },
      {
        kind: "section",
        title: "Måneder",
        blocks: [{ kind: "heading", text: "Ind og ud" }, barsOf(), { kind: "list", items: ["et", "to"] }],
      },
      tableOf([
        { kind: "group", cells: [{ text: "Bolig" }, { text: "" }, { text: "9,00" }] },
        ...rowsOf(2),
        { kind: "total", cells: [{ text: "I alt" }, { text: "" }, { text: "1,00" }] },
      ]),
    ),
  );
  const { root } = readPdf(bytes);
  t.is(root.type, "Document");
  t.deepEqual(
    root.children.map(({ type }) => type),
    ["P", "H1", "P", "Table", "Sect", "Sect"],
  );
  t.deepEqual(
    elementsOf(root, "H2").map(({ text }) => text),
    ["1. Måneder", "2. Betalinger"],
  );
  t.deepEqual(
    elementsOf(root, "H3").map(({ text }) => text),
    ["Ind og ud"],
  );
  t.deepEqual(
    elementsOf(root, "LI").map(({ children }) => children.map(({ type, text }) => [type, text])),
    [
      [
        ["Lbl", "•"],
        ["LBody", "et"],
      ],
      [
        ["Lbl", "•"],
        ["LBody", "to"],
      ],
    ],
  );
  t.is(elementsOf(root, "Figure")[0]?.alt, "Indtægter og udgifter i tolv måneder.");
  const table = elementsOf(root, "Table")[1]!;
  t.deepEqual(
    table.children.map(({ type }) => type),
    ["THead", "TBody"],
  );
  t.deepEqual(
    elementsOf(table, "TR").map(({ children }) => children.map(({ type, scope, text }) => `${type} ${scope} ${text}`)),
    [
      ["TH Column Produkt", "TH Column Hyppighed", "TH Column Beløb"],
      ["TH Row Bolig", "TD null ", "TD null 9,00"],
      ["TH Row Betaling 0", "TD null hver måned", "TD null 0,00"],
      ["TH Row Betaling 1", "TD null hver måned", "TD null 1,00"],
      ["TH Row I alt", "TD null ", "TD null 1,00"],
    ],
  );
});

test("headings skip no level, wherever they stand, and a key figure is heard with its name", async (t) => {
  const { bytes } = await renderDocument(
    documentOf(
      { kind: "heading", text: "Konti" },
      { kind: "contents", title: "Indhold" },
      {
        kind: "section",
        title: "Tal",
        blocks: [
          { kind: "heading", text: "Mere" },
          { kind: "figures", figures: [{ label: "Indtægt", value: "32.500,00", detail: "program: 1,00" }] },
        ],
      },
    ),
  );
  const { root } = readPdf(bytes);
  const headings = (element: StructureElement): string[] => [
    ...(/^H\d$/.test(element.type) ? [`${element.type} ${element.text}`] : []),
    ...element.children.flatMap(headings),
  ];
  t.deepEqual(headings(root), ["H1 Økonomisk rapport", "H2 Konti", "H2 Indhold", "H2 1. Tal", "H3 Mere"]);
  t.deepEqual(
    elementsOf(root, "LI").map(({ children }) => children.map(({ type, text }) => `${type} ${text.trim()}`)),
    [["Lbl Indtægt", "LBody 32.500,00 program: 1,00"]],
  );
});

test("pages are numbered, and the contents name the page of each section", async (t) => {
  const { bytes, pages } = await renderDocument(
    documentOf({ kind: "contents", title: "Indhold" }, tableOf(rowsOf(100)), {
      kind: "section",
      title: "Til sidst",
      startsPage: true,
      blocks: [{ kind: "paragraph", text: "Slut." }],
    }),
  );
  const pdf = readPdf(bytes);
  t.is(pdf.pages.length, pages);
  for (const [index, { items }] of pdf.pages.entries())
    t.true(items.some(({ text, tag }) => tag === "Artifact" && text === `Side ${index + 1} af ${pages}`));
  t.deepEqual(
    elementsOf(pdf.root, "TOCI").map(({ text }) => text),
    ["1. Betalinger 1", `2. Til sidst ${pages}`],
  );
});

test("a section that starts a page does not leave one with only a few rows of what came before", async (t) => {
  const last: Block = {
    kind: "section",
    title: "Til sidst",
    startsPage: true,
    blocks: [{ kind: "paragraph", text: "Slut." }],
  };
  const pagesOf = async (count: number) =>
    readPdf((await renderDocument(documentOf(tableOf(rowsOf(count)), last))).bytes).pages;
  const rowsIn = (page: Awaited<ReturnType<typeof pagesOf>>[number]) =>
    page.items.filter(({ text }) => /^Betaling \d/.test(text)).length;
  const layouts = [];
  for (const count of [34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54]) {
    const pages = await pagesOf(count);
    layouts.push(pages.map(rowsIn).join(" "));
    // No page of less than a fifth goes before it, and a page that is fuller is not shared.
    const [before, at] = [pages.at(-2), pages.at(-1)];
    t.true(
      at?.items.some(({ text }) => text.includes("Til sidst")),
      `${count}`,
    );
    t.true(rowsIn(before!) >= 6, `${count}: ${layouts.at(-1)}`);
    t.true(rowsIn(at!) <= 7, `${count}: ${layouts.at(-1)}`);
  }
  // Both happen among them.
  t.true(
    layouts.some((layout) => layout.endsWith(" 0")),
    layouts.join("; "),
  );
  t.true(
    layouts.some((layout) => /^\d+ [2-7]$/.test(layout)),
    layouts.join("; "),
  );
});

test("a table over pages repeats its head, is read once, and leaves no row alone", async (t) => {
  for (const count of [36, 37, 38, 39, 40, 41, 42, 220]) {
    const { bytes } = await renderDocument(
      documentOf(
        tableOf([...rowsOf(count), { kind: "total", cells: [{ text: "I alt" }, { text: "" }, { text: "9,00" }] }]),
      ),
    );
    const pdf = readPdf(bytes);
    const table = elementsOf(pdf.root, "Table")[0]!;
    t.is(elementsOf(table, "TR").length, count + 2);
    t.deepEqual(
      elementsOf(table, "TR")
        .slice(1, -1)
        .map((row) => row.children[0]?.text),
      Array.from({ length: count }, (_, index) => `Betaling ${index}`),
    );
    for (const { items } of pdf.pages) {
      t.is(items.filter(({ text }) => text === "Hyppighed").length, 1);
      t.true(items.filter(({ text }) => text === "hver måned").length >= 2);
    }
    t.true(pdf.pages.at(-1)!.items.some(({ text }) => text === "I alt"));
  }
});

test("a group is never parted from its first row", async (t) => {
  for (const before of [30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40]) {
    const group: Row = { kind: "group", cells: [{ text: "Gruppe" }, { text: "" }, { text: "" }] };
    const { bytes } = await renderDocument(
      documentOf(tableOf([...rowsOf(before), group, ...rowsOf(3, (index) => `Medlem ${index}`)])),
    );
    const page = readPdf(bytes).pages.find(({ items }) => items.some(({ text }) => text === "Gruppe"));
    t.true(
      page?.items.some(({ text }) => text === "Medlem 0"),
      `after ${before} rows`,
    );
  }
});

test("long names wrap inside their column, and nothing leaves the page", async (t) => {
  const { bytes } = await renderDocument(
    documentOf(tableOf(rowsOf(60, (index) => (index % 3 === 0 ? longName : "Kort")))),
  );
  const pdf = readPdf(bytes);
  t.true(pdf.text.includes("Fællesforeningen-for-Danmarks-"));
  for (const { items } of pdf.pages)
    for (const { x, y, text } of items) t.true(x >= 55.9 && x < 540 && y > 20 && y < 842, text);
});

test("a row higher than a page goes on on the next one, whole", async (t) => {
  const words = Array.from({ length: 2500 }, (_, index) => `ord${index}`);
  const { bytes } = await renderDocument(documentOf(tableOf(rowsOf(1, () => words.join(" ")))));
  const pdf = readPdf(bytes);
  t.true(pdf.pages.length > 1);
  t.deepEqual(elementsOf(pdf.root, "TR")[1]?.children[0]?.text.split(" "), words);
});

test("letters of the north and east, and amounts with no-break spaces, come out as they went in", async (t) => {
  const text = "Åse Ærø Øl é ł č ő ß þ – −1\u00a0234,50\u00a0€";
  const { bytes } = await renderDocument(documentOf({ kind: "paragraph", text }, { kind: "paragraph", text: "漢字" }));
  t.deepEqual(
    elementsOf(readPdf(bytes).root, "P")
      .slice(2)
      .map((element) => element.text),
    [text.replaceAll("\u00a0", " "), "??"],
  );
});

function barsOf(): Extract<Block, { kind: "bars" }> {
  const months = Array.from({ length: 12 }, (_, index) => ({
    label: `m${index}`,
    first: 100 + index,
    second: index * 9,
  }));
  return {
    kind: "bars",
    description: "Indtægter og udgifter i tolv måneder.",
    first: "Ind",
    second: "Ud",
    months,
    axisLabel: String,
  };
}
