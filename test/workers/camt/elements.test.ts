/** A document is cut into the same statements and entries however its bytes come, and bounded whatever it holds. */
import test from "ava";
import { detailsMax, elementDepthMax } from "../../../config/camt.ts";
import { recordBytesMax } from "../../../config/limits.ts";
import fc, { runs } from "../../property.ts";
import { type Item, NoStatement, StatementElements } from "../../../workers/camt/elements.ts";
import { element, notifications, statements } from "../statements.ts";

function readAll(pieces: readonly string[]): Item[] {
  const elements = new StatementElements();
  const items = pieces.flatMap((piece) => elements.push(piece));
  elements.end();
  return items;
}

const shapeOf = (items: readonly Item[]) => items.map(({ kind }) => kind);

test("each statement is a head, its entries and its end", (t) => {
  const file = statements({ entries: [{ amount: "1" }, { amount: "2" }] }, { entries: [] });
  t.deepEqual(shapeOf(readAll([file])), ["head", "entry", "entry", "end", "head", "end"]);
});

test("the same items come of a document however it is cut", (t) => {
  const file = statements({
    entries: [{ amount: "1", more: "<AddtlNtryInf>a &amp; b &#xF8; 😀</AddtlNtryInf>" }],
    sequence: 4,
  });
  const whole = readAll([file]);
  fc.assert(
    fc.property(fc.array(fc.nat(file.length), { maxLength: 20 }), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), file.length];
      const pieces = at.slice(1).map((end, place) => file.slice(at[place], end));
      t.deepEqual(readAll(pieces), whole);
    }),
    runs(100),
  );
});

test("namespace prefixes and what stands around the document do not matter", (t) => {
  const plain = notifications({ entries: [{ amount: "1" }] }).replace(/<\?xml[^>]*>\s*/, "");
  const prefixed = plain.replaceAll(/<(\/?)([A-Z])/g, "<$1ns2:$2").replace("xmlns=", "xmlns:ns2=");
  const wrapped = element("BizMsg", `<AppHdr><Fr/></AppHdr>${prefixed}`).replace("<BizMsg>", '<BizMsg xmlns:ns2="x">');
  t.deepEqual(shapeOf(readAll([wrapped])), ["head", "entry", "end"]);
});

test("an entry with more details than are looked at comes without any, and says so", (t) => {
  const many = (count: number) => element("NtryDtls", element("TxDtls", "").repeat(count));
  const items = readAll([
    statements({
      entries: [
        { amount: "1", more: many(detailsMax) },
        { amount: "1", more: many(detailsMax + 1) },
      ],
    }),
  ]);
  t.deepEqual(
    items.flatMap((item) =>
      item.kind === "entry" ? [[item.hasAllDetails, item.entry.children.some(({ name }) => name === "NtryDtls")]] : [],
    ),
    [
      [true, true],
      [false, false],
    ],
  );
});

test("elements too deep, texts too long, a document type and unknown entities are refused", (t) => {
  const refusedFor = (file: string) => t.throws(() => readAll([file]), { instanceOf: NoStatement })?.message;
  const deep = "<A>".repeat(elementDepthMax + 1);
  t.is(refusedFor(`<?xml version="1.0"?>${deep}`), `Elements stand in each other more than ${elementDepthMax} deep.`);
  const long = statements({
    entries: [{ amount: "1", more: element("AddtlNtryInf", "x".repeat(recordBytesMax + 1)) }],
  });
  t.is(refusedFor(long), `The text of an element is longer than ${recordBytesMax} characters.`);
  t.is(
    refusedFor('<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>'),
    "The file has a document type (DOCTYPE), which is not taken.",
  );
  t.is(
    refusedFor(statements({ entries: [{ amount: "1", more: "<AddtlNtryInf>&x;</AddtlNtryInf>" }] })),
    "The file is no whole XML document: line 13.",
  );
  t.is(refusedFor(""), "The file is no whole XML document: line 1.");
});
