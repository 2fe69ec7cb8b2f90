/** Entries that are read where they stand become the rows that the parser's way makes of them. */
import test from "ava";
import { deliveryPositionAt, RowBlock } from "../../../src/ledger/row-block.ts";
import { NoStatement } from "../../../workers/camt/elements.ts";
import type { StatedRecord } from "../../../workers/camt/statement.ts";
import { type Read, StatementRecords } from "../../../workers/camt/statement-records.ts";
import { checkStated } from "../../../workers/formats/camt.ts";
import fc, { runs } from "../../property.ts";
import { detail, details, element, type EntryFields, notifications, statements } from "../statements.ts";

const position = 7;

/** A record as far as the loader sees it. */
type Seen = { line: number; owner: unknown; row: string } | { line: number; problems: unknown };
type Outcome = { records: Seen[]; statements: unknown; balances: unknown; rows: number } | { refused: string };

function readAll(file: Buffer, asRows: boolean, cuts: readonly number[] = []): Outcome {
  const records = new StatementRecords({}, position);
  const at = [0, ...cuts.toSorted((a, b) => a - b), file.length];
  const seen: Seen[] = [];
  const reads: Read[] = [];
  try {
    for (const [place, end] of at.slice(1).entries()) {
      // A piece is only lent.
      const read = records.push(Buffer.from(file.subarray(at[place], end)), asRows);
      if (read !== null) reads.push(read);
    }
    reads.push(records.end());
  } catch (error) {
    if (error instanceof NoStatement) return { refused: error.message };
    throw error;
  }
  let rows = 0;
  for (const { parts } of reads) {
    for (const part of parts) {
      if (part.kind === "values") seen.push(...part.values.map((value) => seenValue(value as StatedRecord)));
      else
        for (let row = 0; row < part.rows.count; row += 1, rows += 1) {
          const { block, lines, owners, ownerOf } = part.rows;
          seen.push({
            line: lines[row] ?? 0,
            owner: owners[ownerOf[row] ?? -1],
            row: withoutOwner(block.bytes.subarray(block.starts[row], block.starts[row + 1])),
          });
        }
    }
  }
  return {
    records: seen,
    statements: reads.flatMap((read) => read.statements),
    balances: [...new Set(reads.flatMap((read) => read.balances.map((one) => JSON.stringify(one))))],
    rows,
  };
}

function seenValue(value: StatedRecord): Seen {
  const checked = checkStated(value);
  if (Array.isArray(checked)) return { line: value.line, problems: checked };
  if (checked.kind !== "account-transaction") throw new Error("another kind of record");
  const block = new RowBlock();
  block.add(checked.row, position);
  return { line: value.line, owner: checked.owner, row: withoutOwner(block.bytes.subarray(0, block.end)) };
}

/** Whose a row is is written when it is posted. */
function withoutOwner(row: Buffer): string {
  return row.toString("hex", deliveryPositionAt);
}

/** The same but for how many records became rows. */
function told(outcome: Outcome): unknown {
  return "refused" in outcome ? outcome : { ...outcome, rows: 0 };
}

const within = (content: string) => element("NtryDtls", element("TxDtls", content));
const codes = (family: string, subFamily: string) =>
  element("Domn", `<Cd>PMNT</Cd>${element("Fmly", `<Cd>${family}</Cd><SubFmlyCd>${subFamily}</SubFmlyCd>`)}`);
const sepa = `<Cdtr><Pty><Nm>Stadtwerke</Nm><Id><PrvtId><Othr><Id>DE98ZZZ09999999999</Id><SchmeNm><Prtry>SEPA</Prtry></SchmeNm></Othr></PrvtId></Id></Pty></Cdtr>`;
const address =
  "<PstlAdr><StrtNm>Gade 1</StrtNm><PstCd>1620</PstCd><TwnNm>København V</TwnNm><Ctry>DK</Ctry></PstlAdr>";

/** What banks write. */
const ordinary: readonly EntryFields[] = [
  { amount: "125.50", reference: "R1", codes: codes("CCRD", "POSD"), more: details(detail("125.50", "Netto")) },
  { amount: "30000", side: "CRDT", reference: "R2", more: element("AddtlNtryInf", "Løn &amp; tillæg") },
  { amount: "1.2", reference: "R3", status: "BOOK", more: "<ValDt><Dt>2026-02-01</Dt></ValDt>" },
  { amount: "28", more: within("<Refs><EndToEndId>E-1</EndToEndId></Refs><RmtInf><Ustrd>Kaffe</Ustrd></RmtInf>") },
  { amount: "28", more: within("<Refs><EndToEndId>E-1</EndToEndId></Refs><RmtInf><Ustrd>Kaffe</Ustrd></RmtInf>") },
  { amount: "49", reference: "R4", codes: codes("RDDT", "ESDD"), more: within(element("RltdPties", sepa)) },
  {
    amount: "75",
    reference: "R5",
    more: within(
      `<AmtDtls><InstdAmt><Amt Ccy="EUR">10.05</Amt></InstdAmt></AmtDtls><RltdPties><UltmtCdtr><Nm>H&amp;M</Nm>${address}</UltmtCdtr><Cdtr><Nm>Gateway</Nm></Cdtr></RltdPties><RmtInf><Ustrd>Faktura 12</Ustrd><Ustrd>af maj</Ustrd></RmtInf>`,
    ),
  },
  {
    amount: "12",
    side: "CRDT",
    reference: "R6",
    more: `<RvslInd>true</RvslInd>${within("<RltdPties><Dbtr><Nm>Me</Nm></Dbtr><Cdtr><Nm>Gym</Nm></Cdtr></RltdPties>")}`,
  },
  {
    amount: "99",
    reference: "R7",
    more: within("<RmtInf><Strd><CdtrRefInf><Ref>RF18</Ref></CdtrRefInf></Strd></RmtInf>"),
  },
];

test("what banks write is read where it stands, all but the first entry of a file", (t) => {
  const file = Buffer.from(statements({ entries: ordinary, balances: ["0.00", "29606.30"], sequence: 3 }));
  const asRows = readAll(file, true);
  t.deepEqual(told(asRows), told(readAll(file, false)));
  t.like(asRows, { rows: ordinary.length - 1 });
  t.like(asRows, { statements: [{ entries: 9, notBooked: 0, balances: "agree", line: 3 }] });
});

test("the order of the file is kept where some entries are read in the other way", (t) => {
  const bundle = { amount: "3", more: details(detail("1", "a", "D1"), detail("2", "b", "D2")) };
  const card = { amount: "4", reference: "C", more: within("<CardTx/>") };
  const pending = { amount: "5", status: "<Cd>PDNG</Cd>" };
  const entries = [...ordinary, bundle, ...ordinary, card, pending, ...ordinary, card, ...ordinary, card, ...ordinary];
  const file = Buffer.from(statements({ entries }, { entries: [pending] }, { entries }));
  t.deepEqual(told(readAll(file, true)), told(readAll(file, false)));
});

test("a prefix, line ends as on Windows and a mark before the text make no difference", (t) => {
  const plain = statements({ entries: ordinary });
  const files = [
    plain.replaceAll(/<(\/?)([A-Z])/g, "<$1ns2:$2").replace("xmlns=", "xmlns:ns2="),
    plain.replaceAll("\n", "\r\n"),
    `\uFEFF${plain}`,
  ];
  for (const file of files) {
    const asRows = readAll(Buffer.from(file), true);
    t.deepEqual(told(asRows), told(readAll(Buffer.from(file), false)));
    t.like(asRows, { rows: ordinary.length - 1 });
  }
});

test("an entry's tags in a comment or in a section are no entry", (t) => {
  const trap = "</AddtlNtryInf><Ntry></Ntry>";
  const files = [
    statements({ entries: ordinary }).replace("<Ntry>", `<!-- ${trap} <Ntry>--><Ntry>`),
    statements({
      entries: [{ amount: "1", more: `<AddtlNtryInf><![CDATA[${trap}<Ntry>]]></AddtlNtryInf>` }, ...ordinary],
    }),
    statements({ entries: ordinary }).replace(
      "</Stmt>",
      `<AddtlStmtInf><![CDATA[</Acct><Ntry></Ntry>]]></AddtlStmtInf></Stmt>`,
    ),
  ];
  for (const file of files)
    t.deepEqual(told(readAll(Buffer.from(file), true)), told(readAll(Buffer.from(file), false)));
});

/** Nine times in ten what banks write. */
const mostly = <Value>(good: readonly Value[], odd: readonly Value[]) =>
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: fc.constantFrom(...odd) });
const optional = (text: fc.Arbitrary<string>) => fc.oneof(fc.constant(""), text);
const words = mostly(
  ["a", " b ", "Ø", "x &amp; y", "]", "A\nB", "", "😀"],
  ["&#248;", "\u00a0z", "]]>", "<!-- -->", "A\r\nB"],
);
const tag = (name: string, content: fc.Arbitrary<string>) => content.map((text) => element(name, text));
const party = (name: string) =>
  fc
    .tuple(optional(tag("Nm", words)), optional(fc.constant(address)), fc.boolean())
    .map(([own, place, isBelow]) => element(name, isBelow ? element("Pty", own + place) : own + place));
const entryFields: fc.Arbitrary<EntryFields> = fc.record({
  amount: mostly(["1", "0", "12.50", "0.00001", "007"], ["1.", ".5", "+3", "1.234567", "1234567890.12", "x", ""]),
  side: fc.constantFrom("DBIT" as const, "CRDT" as const),
  currency: mostly(["DKK", "EUR"], ["dkk"]),
  booked: mostly(["2026-01-31", "2026-01-31T10:00:00+01:00"], ["2026-02-30", ""]),
  status: mostly(["BOOK", "<Cd>BOOK</Cd>", " BOOK "], ["<Cd>INFO</Cd>"]),
  reference: mostly(["", "R1", "R2", "R3", "R4", "R5"], ["R&amp;3", "Ø", "x".repeat(250)]),
  codes: fc.constantFrom("", codes("RCDT", "ESCT"), "<Prtry><Cd>NTRF</Cd></Prtry>"),
  more: fc
    .tuple(
      optional(tag("RvslInd", fc.constantFrom("true", "false"))),
      optional(
        tag(
          "NtryDtls",
          fc
            .array(
              fc
                .tuple(
                  optional(
                    tag("Refs", fc.constantFrom("", "<AcctSvcrRef>R1</AcctSvcrRef>", "<AcctSvcrRef>D</AcctSvcrRef>")),
                  ),
                  optional(
                    tag(
                      "AmtDtls",
                      fc.constantFrom(
                        "",
                        '<InstdAmt><Amt Ccy="USD">3.1</Amt></InstdAmt>',
                        '<CntrValAmt><Amt Ccy="USD">x</Amt></CntrValAmt>',
                      ),
                    ),
                  ),
                  optional(tag("BkTxCd", fc.constantFrom("<Domn/>", codes("ICDT", "SALA")))),
                  optional(
                    tag(
                      "RltdPties",
                      fc.tuple(party("Dbtr"), party("UltmtCdtr"), party("Cdtr")).map((all) => all.join("")),
                    ),
                  ),
                  optional(
                    tag(
                      "RmtInf",
                      fc.array(tag("Ustrd", words), { maxLength: 3 }).map((all) => all.join("")),
                    ),
                  ),
                  optional(tag("AddtlTxInf", words)),
                )
                .map((all) => element("TxDtls", all.join(""))),
              { maxLength: 2 },
            )
            .map((all) => all.join("")),
        ),
      ),
      optional(tag("AddtlNtryInf", words)),
    )
    .map((all) => all.join("\n")),
});

test("whatever entries say and however a file is cut, both ways tell the same", (t) => {
  let rows = 0;
  fc.assert(
    fc.property(
      fc.array(entryFields, { maxLength: 12 }),
      fc.array(entryFields, { maxLength: 4 }),
      fc.array(fc.nat(20_000), { maxLength: 6 }),
      (first, second, places) => {
        const file = Buffer.from(notifications({ entries: first }, { entries: second, balances: ["1.00", "2.00"] }));
        const asRows = readAll(
          file,
          true,
          places.map((place) => place % file.length),
        );
        t.deepEqual(told(asRows), told(readAll(file, false)));
        if ("rows" in asRows) rows += asRows.rows;
      },
    ),
    runs(300),
  );
  t.true(rows > 300, `${rows}`);
});

test("whatever is done to a file, both ways tell the same or refuse it", (t) => {
  const file = statements({ entries: [...ordinary, ...ordinary] }, { entries: ordinary });
  const added = [
    "<",
    ">",
    "/",
    "&",
    "]]>",
    "<!--",
    "-->",
    "<?a?>",
    '"',
    " ",
    "\n",
    "\r",
    "\u0000",
    "\u00e9",
    "x",
    "<a/>",
  ];
  const tags = [
    "<Ntry>",
    "</Ntry>",
    "</Stmt>",
    "<Sts/>",
    "<Pty>",
    "&lt;",
    "&#1;",
    "<![CDATA[x]]>",
    "</ Ntry>",
    "\ufffe",
  ];
  const change = fc.record({
    at: fc.nat(file.length),
    removed: fc.nat(8),
    added: fc.constantFrom("", ...added, ...tags),
  });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const characters = [...file];
      for (const one of changes) characters.splice(one.at, one.removed, one.added);
      const bytes = Buffer.from(characters.join(""));
      const [asRows, parsed] = [readAll(bytes, true), readAll(bytes, false)];
      t.deepEqual(told(asRows), told(parsed));
    }),
    runs(1000),
  );
});
