/** What is surely a whole document is one for the parser too; banks' own documents are surely whole. */
import test from "ava";
import { elementDepthMax } from "../../../config/camt.ts";
import { recordBytesMax } from "../../../config/limits.ts";
import fc, { runs } from "../../property.ts";
import { NoStatement, StatementElements } from "../../../workers/camt/elements.ts";
import { WellFormed } from "../../../workers/camt/well-formed.ts";
import { detail, details, element, notifications, statements } from "../statements.ts";

function isSurelyWhole(pieces: readonly string[]): boolean {
  const document = new WellFormed();
  return pieces.every((piece) => document.push(piece)) && document.end();
}

function isParsed(file: string): boolean {
  try {
    const elements = new StatementElements();
    elements.push(file);
    elements.end();
    return true;
  } catch (error) {
    if (error instanceof NoStatement) return false;
    throw error;
  }
}

const ordinary = statements({
  entries: [
    { amount: "1", more: "<AddtlNtryInf>a &amp; b &#xF8; &#248; > 😀 Ø] </AddtlNtryInf>" },
    { amount: "3", more: details(detail("1", "x", "R-1"), detail("2", "y")) },
  ],
  balances: ["4.00", "0.00"],
});
const fromBank = ordinary
  .replace(
    "<Document ",
    '<!-- by the core system -->\n<Document xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ',
  )
  .replaceAll("<Amt Ccy=", "<Amt\n  Ccy=")
  .replace("</Document>", "<Empty/><Empty  /></Document >\n<!-- end -->\n");

test("documents as banks write them are surely whole", (t) => {
  t.true(isSurelyWhole([ordinary]));
  t.true(isSurelyWhole([fromBank]));
  t.true(isSurelyWhole([notifications({ entries: [] })]));
  t.true(isSurelyWhole([ordinary.replaceAll('"', "'").replaceAll("\n", "\r\n")]));
  t.true(isSurelyWhole([ordinary.replaceAll(/<(\/?)([A-Z])/g, "<$1ns2:$2").replace("xmlns=", "xmlns:ns2=")]));
});

test("a statement whose entries stand on lines of their own is surely whole, and read, however many they are", (t) => {
  const entries = Array.from({ length: 100 }, () => ({ amount: "1" }));
  const airy = statements({ entries }).replaceAll("<Ntry>", `${" ".repeat(recordBytesMax / 50)}\n<Ntry>`);
  t.true(airy.length > recordBytesMax * 2);
  t.true(isSurelyWhole([airy]));
  t.true(isParsed(airy));
});

test("how a document is cut makes no difference", (t) => {
  fc.assert(
    fc.property(fc.array(fc.nat(fromBank.length), { maxLength: 30 }), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), fromBank.length];
      t.true(isSurelyWhole(at.slice(1).map((end, place) => fromBank.slice(at[place], end))));
    }),
    runs(200),
  );
});

test("what is not whole, or is another document, is never sure", (t) => {
  const broken: Record<string, string> = {
    "cut off": ordinary.slice(0, -3),
    nothing: "",
    "another message": "<Document><Other/></Document>",
    "an end too many": `${ordinary}</Document>`,
    "two roots": `${ordinary}<Document/>`,
    "text behind the root": `${ordinary}x`,
    "an end of another element": ordinary.replace("</Ntry>", "</Ntrx>"),
    "an end of a longer name": ordinary.replace("</Ntry>", "</Ntryx>"),
    "an unknown entity": ordinary.replace("&amp;", "&x;"),
    "a lone ampersand": ordinary.replace("&amp;", "&"),
    "a character that none may hold": ordinary.replace("a &amp;", "\u0001"),
    "the number of such a character": ordinary.replace("&#248;", "&#11;"),
    "the end of a section that none began": ordinary.replace("] ", "]]> "),
    "an attribute twice": ordinary.replace("<Amt ", '<Amt Ccy="DKK" '),
    "attributes without space": ordinary.replace('Ccy="DKK"', 'Ccy="DKK"Other="x"'),
    "an attribute without quotes": ordinary.replace('Ccy="DKK"', "Ccy=DKK"),
    "a comment with dashes": `<!-- a -- b -->${ordinary.replace(/<\?xml.*\n/, "")}`,
    "a document type": ordinary.replace("<Document", "<!DOCTYPE a><Document"),
    "too deep": `${"<A>".repeat(elementDepthMax)}<BkToCstmrStmt/>${"</A>".repeat(elementDepthMax)}`,
    "a text too long": statements({
      entries: [{ amount: "1", more: element("AddtlNtryInf", "x".repeat(recordBytesMax + 1)) }],
    }),
  };
  for (const [what, file] of Object.entries(broken)) {
    t.false(isParsed(file), what);
    t.false(isSurelyWhole([file]), what);
  }
});

test("whatever is done to a document, what is sure is read", (t) => {
  const snippets = ["<", ">", "/", "&", "]]>", "<!--", "-->", "--", "<?a?>", '"', "'", "=", " ", "\n", "\u0000", "é"];
  const tags = [
    "<Ntry>",
    "</Ntry>",
    "<a b='1'/>",
    "<a b='1' b=\"2\"/>",
    "&#1;",
    "&#xD800;",
    "&lt;",
    "<![CDATA[x]]>",
    "x",
  ];
  const change = fc.record({
    at: fc.nat(fromBank.length),
    removed: fc.nat(4),
    added: fc.constantFrom("", ...snippets, ...tags),
  });
  let sure = 0;
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      // By characters: a decoder hands on no half of one.
      const characters = [...fromBank];
      for (const { at, removed, added } of changes) characters.splice(at, removed, added);
      const file = characters.join("");
      if (!isSurelyWhole([file])) return;
      sure += 1;
      t.true(isParsed(file), file);
    }),
    runs(3000),
  );
  t.true(sure > 100, `${sure}`);
});
