/** The inside of pdfkit as `pdfkit-inside.ts` reaches for it: whoever upgrades pdfkit reads here what has changed. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import test from "ava";
import PDFDocument from "pdfkit";
import { glyphsOf, markPagination, noFont } from "../../../src/reports/document/pdfkit-inside.ts";
import { shapeOf } from "../../shape.ts";

const require = createRequire(import.meta.url);
const sourceSans = readFileSync(
  require.resolve("@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf"),
);
const facts = { Title: "A report", CreationDate: new Date("2026-06-15"), ModDate: new Date("2026-06-15") };

type Inside = { _font: { font: object } | null };

function open(info: PDFKit.DocumentInfo = facts): PDFKit.PDFDocument {
  return new PDFDocument({ font: noFont, compress: false, info });
}

async function bytesOf(document: PDFKit.PDFDocument): Promise<string> {
  const chunks: Buffer[] = [];
  document.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve) => document.once("end", () => resolve()));
  document.end();
  await ended;
  return Buffer.concat(chunks).toString("latin1");
}

test("a document without a font's name starts with none, and embeds none", async (t) => {
  const document = open();
  t.is((document as unknown as Inside)["_font"], null);
  t.notRegex(await bytesOf(document), /Helvetica/);
});

test("the font in use tells which characters it has", (t) => {
  const document = open().registerFont("regular", sourceSans).font("regular");
  t.deepEqual(shapeOf((document as unknown as Inside)["_font"]?.font ?? {}, ["hasGlyphForCodePoint"]), {
    hasGlyphForCodePoint: "function/1",
  });
  const hasGlyph = glyphsOf(document);
  t.deepEqual(
    [..."Åß€→漢"].map((character) => hasGlyph(character.codePointAt(0) ?? 0)),
    [true, true, true, true, false],
  );
});

test("what is drawn as a header is an artifact with that subtype", async (t) => {
  const document = open();
  markPagination(document, "Header", () => document.rect(1, 2, 3, 4).fill("black"));
  t.regex(
    await bytesOf(document),
    /\n\/Artifact <<\/Type \/Pagination \/Subtype \/Header>> BDC\n(?:.+\n)*1 2 3 4 re\n(?:.+\n)*EMC\n/,
  );
});

test("the id of a file comes of its facts alone", async (t) => {
  const idOf = async (info: PDFKit.DocumentInfo) => /\/ID \[<(\w+)>/.exec(await bytesOf(open(info)))?.[0];
  const id = await idOf(facts);
  t.regex(id ?? "", /\/ID \[<[0-9a-f]{32}>/);
  t.is(await idOf({ ...facts }), id);
  t.not(await idOf({ ...facts, Title: "Another" }), id);
});
