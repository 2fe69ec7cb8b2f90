/** Every report keeps the rules of PDF/UA that a program can check, in every language; and a broken file is found out. */
import { deflateSync } from "node:zlib";
import { PDFArray, PDFBool, PDFDict, PDFDocument, PDFName, PDFRawStream, PDFString } from "@cantoo/pdf-lib";
import test from "ava";
import type { BudgetEvent } from "../../../src/budgets/budget.ts";
import { customerDocument } from "../../../src/reports/budget/customer.ts";
import { budgetReportDocument } from "../../../src/reports/budget/document.ts";
import type { Document } from "../../../src/reports/document/blocks.ts";
import { renderDocument } from "../../../src/reports/document/render.ts";
import { nextOfKinDocument } from "../../../src/reports/next-of-kin/document.ts";
import { languageCodes } from "../../../src/texts/languages.ts";
import { monthly, type Paid } from "../../budgets/household.ts";
import { foldedOf, reportOf } from "../budget/reports.ts";
import { emptyEstate, estate } from "../next-of-kin/estates.ts";
import { drawnLogo } from "../logo.ts";
import { brokenRules, contrast, problemsOf } from "./accessibility.ts";

const paid: Paid[] = [
  ...monthly("2025-05", "2026-05", "28", { name: "Løn Nordfirma A/S", amount: "30000.00", type: "ACCOUNT_TRANSFER" }),
  ...monthly("2025-05", "2026-04", "01", {
    name: "Husleje Boligselskabet Nord",
    amount: "-8000.00",
    type: "DIRECT_DEBIT",
  }),
  ...monthly("2025-05", "2026-05", "05", { name: "Købmand Żółć Ðá", amount: "-3500.00", mcc: 5411 }),
  ...monthly("2025-05", "2026-02", "10", { name: "Fjordtel", amount: "-149.00", mcc: 4814 }),
  ...monthly("2025-06", "2026-05", "07", { name: "Bet365", amount: "-700.00", mcc: 7995 }),
  { day: "2025-08-12", name: "Udbetaling af lån Santander", amount: "60000.00", type: "OTHER" },
];
const debts: BudgetEvent = {
  type: "DEBTS_SET",
  debts: [{ title: "Boliglån", remainingMinor: 100_000_000, rateHundredths: 450, termMonths: 240 }],
};

test("every report in every language, with and without data and a logo, breaks no rule", async (t) => {
  for (const language of languageCodes) {
    const [full, empty] = [foldedOf(paid, [debts], { language }), foldedOf([], [], { language })];
    const documents: Document[] = [
      budgetReportDocument(reportOf(full, { logo: drawnLogo, customerName: "Anna Holm" })),
      customerDocument(reportOf(full, { logo: drawnLogo })),
      budgetReportDocument(reportOf(empty)),
      customerDocument(reportOf(empty)),
      nextOfKinDocument({ ...estate, logo: drawnLogo }, language),
      nextOfKinDocument(emptyEstate, language),
    ];
    for (const document of documents)
      t.deepEqual(await problemsOf((await renderDocument(document)).bytes), [], `${language} ${document.title}`);
  }
});

type Break = (file: PDFDocument) => void;

/** A report's file with one thing made wrong in it, and which rules it is told to break. */
const breaks: readonly [what: string, rules: readonly string[], change: Break][] = [
  ["nothing", [], () => undefined],
  ["no mark that it is tagged", ["6.2"], ({ catalog }) => catalog.delete(PDFName.of("MarkInfo"))],
  ["no language", ["7.2"], ({ catalog }) => catalog.delete(PDFName.of("Lang"))],
  ["a language that is none", ["7.2"], ({ catalog }) => catalog.set(PDFName.of("Lang"), PDFString.of("dansk sprog"))],
  ["no title in the metadata", ["5", "7.1 title"], ({ catalog }) => catalog.delete(PDFName.of("Metadata"))],
  [
    "the file's name in the window",
    ["7.1 title"],
    ({ catalog }) =>
      catalog.lookup(PDFName.of("ViewerPreferences"), PDFDict).set(PDFName.of("DisplayDocTitle"), PDFBool.False),
  ],
  ["no bookmarks", ["7.17"], ({ catalog }) => catalog.delete(PDFName.of("Outlines"))],
  [
    "no structure",
    ["7.1 parents", "7.1 owned", "7.1 tree"],
    ({ catalog }) => catalog.delete(PDFName.of("StructTreeRoot")),
  ],
  ["a page that is in no tree", ["7.1 parents"], (file) => file.getPage(1).node.delete(PDFName.of("StructParents"))],
  ["a text that is in nothing", ["7.1 marked"], (file) => paint(file, "BT /F1 9 Tf 1 0 0 1 60 60 Tm [<0003>] TJ ET")],
  ["a line that is in nothing", ["7.1 marked"], (file) => paint(file, "60 60 m 90 60 l S")],
  [
    "content in an artifact",
    ["7.1 nested"],
    (file) => paint(file, "/Artifact BMC /P <</MCID 0>> BDC 60 60 m 90 60 l S EMC EMC"),
  ],
  ["content of nobody", ["7.1 owned"], (file) => paint(file, "/P <</MCID 999>> BDC 60 60 m 90 60 l S EMC")],
  [
    "a running text that is no header",
    ["7.8"],
    (file) => paint(file, "/Artifact <</Type /Pagination>> BDC 60 60 m 90 60 l S EMC"),
  ],
  [
    "pale text",
    ["1.4.3"],
    (file) => paint(file, "/Artifact BMC 0.7 0.7 0.7 rg BT /F1 9 Tf 1 0 0 1 60 60 Tm [<0003>] TJ ET EMC"),
  ],
  ["a head without a scope", ["7.5"], (file) => first(file, "TH").delete(PDFName.of("A"))],
  ["a figure without words", ["7.3"], (file) => first(file, "Figure").delete(PDFName.of("Alt"))],
  ["a figure without bounds", ["7.3"], (file) => first(file, "Figure").delete(PDFName.of("A"))],
  ["a heading that skips a level", ["7.4.2"], (file) => first(file, "H2").set(PDFName.of("S"), PDFName.of("H4"))],
  ["a cell outside of a row", ["7.1 nesting"], (file) => first(file, "LBody").set(PDFName.of("S"), PDFName.of("TD"))],
  ["an unknown type", ["7.1 type"], (file) => first(file, "P").set(PDFName.of("S"), PDFName.of("Absatz"))],
  ["a row with a cell less", ["7.1 owned", "7.2 table"], (file) => kidsOf(first(file, "TR")).remove(0)],
  ["a font that is not in the file", ["7.21.4"], (file) => descriptor(file).delete(PDFName.of("FontFile2"))],
  ["a font without characters", ["7.21.7"], (file) => font(file).delete(PDFName.of("ToUnicode"))],
  [
    "a character that the font lacks",
    ["7.21.8"],
    (file) => paint(file, "/Artifact BMC BT /F1 9 Tf 1 0 0 1 60 60 Tm [<0000>] TJ ET EMC"),
  ],
  ["another order of steps", ["7.18.3"], (file) => file.getPage(0).node.set(PDFName.of("Tabs"), PDFName.of("R"))],
  ["an empty element", ["7.1 empty"], (file) => first(file, "LBody").delete(PDFName.of("K"))],
];

test("a file in which one thing is wrong is told to break that rule", async (t) => {
  const report = reportOf(foldedOf(paid, [debts]), { logo: drawnLogo });
  const { bytes } = await renderDocument(budgetReportDocument(report));
  for (const [what, rules, change] of breaks) {
    const file = await PDFDocument.load(bytes, { updateMetadata: false });
    change(file);
    const found = await brokenRules(await file.save({ useObjectStreams: false }));
    t.true(
      rules.length === 0 ? found.length === 0 : rules.every((rule) => found.includes(rule)),
      `${what}: ${found.join(", ")}`,
    );
  }
});

test("contrast is that of WCAG: black on white 21, one colour on itself 1", (t) => {
  t.is(contrast([0, 0, 0], [1, 1, 1]), 21);
  t.is(contrast([0.5, 0.2, 0.1], [0.5, 0.2, 0.1]), 1);
  // #767676 is the palest grey that passes on white.
  const grey = 0x76 / 255;
  t.is(contrast([grey, grey, grey], [1, 1, 1]).toFixed(2), "4.54");
});

/** Adds to what the second page paints. */
function paint(file: PDFDocument, operators: string): void {
  const { node } = file.getPage(1);
  const packed = deflateSync(Buffer.from(operators, "latin1"));
  const stream = PDFRawStream.of(file.context.obj({ Length: packed.length, Filter: "FlateDecode" }), packed);
  const contents = node.get(PDFName.of("Contents"));
  node.set(PDFName.of("Contents"), file.context.obj([contents!, file.context.register(stream)]));
}

/** The first structure element of a type. */
function first(file: PDFDocument, type: string): PDFDict {
  const found = file.context
    .enumerateIndirectObjects()
    .map(([, object]) => object)
    .find((object) => object instanceof PDFDict && object.get(PDFName.of("S"))?.toString() === `/${type}`);
  if (!(found instanceof PDFDict)) throw new RangeError(`the file has no ${type}`);
  return found;
}

function kidsOf(element: PDFDict): PDFArray {
  return element.lookup(PDFName.of("K"), PDFArray);
}

function font(file: PDFDocument): PDFDict {
  const resources = file.getPage(1).node.lookup(PDFName.of("Resources"), PDFDict);
  const fonts = resources.lookup(PDFName.of("Font"), PDFDict);
  return fonts.lookup(fonts.keys()[0]!, PDFDict);
}

function descriptor(file: PDFDocument): PDFDict {
  const [descendant] = font(file).lookup(PDFName.of("DescendantFonts"), PDFArray).asArray();
  return file.context.lookup(descendant, PDFDict).lookup(PDFName.of("FontDescriptor"), PDFDict);
}
