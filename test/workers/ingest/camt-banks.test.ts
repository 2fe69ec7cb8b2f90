/**
 * Files in the words of banks' own guidelines, version by version: what each says, row by row. Written for these tests
 * from the message definitions and public implementation guides; all names and numbers are invented.
 */
import test from "ava";
import type { LoadingWorld } from "../world.ts";
import { countsOf, csv, openLoading } from "../world.ts";
import { buildReceipt } from "../../../src/landing/receipt.ts";

async function openBank(t: Parameters<typeof openLoading>[0], bank: string, numbers: readonly string[]) {
  const world = await openLoading(t);
  const rows = numbers.map((number) => [bank, number, "u1"]);
  await world.loadCsv("accounts", csv(["bank_id", "account_number", "user_id"], rows));
  return world;
}

/** As one line each: day, amount, what was ordered, type, other party, text. */
async function ledger(world: LoadingWorld): Promise<string[]> {
  const { rows } = await world.database.query<Record<string, string | null>>(
    `select booked_on::text as day, amount::text, currency, original_amount::text as ordered, original_currency as unit,
            raw_type as type, merchant_name as party, description as text, account_id as account
       from transactions order by booked_on, id`,
  );
  return rows
    .map(({ day, amount, currency, ordered, unit, type, party, text, account }) =>
      [
        account,
        day,
        `${amount} ${currency}${ordered === null ? "" : ` (${ordered} ${unit})`}`,
        type,
        party ?? "-",
        text,
      ].join(" | "),
    )
    .toSorted();
}

const envelope = (version: string, message: string, content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message === "BkToCstmrStmt" ? "camt.053" : "camt.054"}.001.${version}">
<${message}><GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-03-02T01:00:00</CreDtTm></GrpHdr>
${content}
</${message}></Document>
`;

const balance = (code: string, amount: string, side = "CRDT", currency = "EUR") =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd><Dt><Dt>2026-03-01</Dt></Dt></Bal>`;

const german = "DE02120300000000202051";

/** Version 2: a status that is a text, parties without a level between, amounts of details in AmtDtls alone. */
const versionTwo = envelope(
  "02",
  "BkToCstmrStmt",
  `<Stmt><Id>00026</Id><ElctrncSeqNb>26</ElctrncSeqNb><Acct><Id><IBAN>${german}</IBAN></Id><Svcr><FinInstnId><BIC>BYLADEM1001</BIC></FinInstnId></Svcr></Acct>
${balance("PRCD", "1000.00")}${balance("CLBD", "827.51")}
<Ntry><Amt Ccy="EUR">49.49</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-03-01</Dt></BookgDt><ValDt><Dt>2026-03-01</Dt></ValDt>
<AcctSvcrRef>2026030100001</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RDDT</Cd><SubFmlyCd>ESDD</SubFmlyCd></Fmly></Domn><Prtry><Cd>NDDT+105</Cd><Issr>DK</Issr></Prtry></BkTxCd>
<NtryDtls><TxDtls><Refs><EndToEndId>E2E-1</EndToEndId><MndtId>MANDAT-7</MndtId></Refs><AmtDtls><TxAmt><Amt Ccy="EUR">49.49</Amt></TxAmt></AmtDtls>
<RltdPties><Dbtr><Nm>Erika Muster</Nm></Dbtr><Cdtr><Nm>Stadtwerke</Nm><Id><PrvtId><Othr><Id>DE98ZZZ09999999999</Id></Othr></PrvtId></Id></Cdtr></RltdPties>
<RmtInf><Ustrd>Strom 03/2026</Ustrd><Ustrd>Kd-Nr 4711</Ustrd></RmtInf></TxDtls></NtryDtls><AddtlNtryInf>SEPA-Basislastschrift</AddtlNtryInf></Ntry>
<Ntry><Amt Ccy="EUR">123.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-03-01</Dt></BookgDt><ValDt><Dt>2026-03-01</Dt></ValDt>
<AcctSvcrRef>2026030100002</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>
<NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch>
<TxDtls><AmtDtls><TxAmt><Amt Ccy="EUR">100.00</Amt></TxAmt></AmtDtls><RltdPties><Cdtr><Nm>Vermieter</Nm></Cdtr></RltdPties><RmtInf><Ustrd>Miete</Ustrd></RmtInf></TxDtls>
<TxDtls><AmtDtls><TxAmt><Amt Ccy="EUR">23.00</Amt></TxAmt></AmtDtls><RltdPties><Cdtr><Nm>Verein</Nm></Cdtr></RltdPties><RmtInf><Ustrd>Beitrag</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="EUR">9.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>PDNG</Sts><BookgDt><Dt>2026-03-01</Dt></BookgDt></Ntry>
<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>INFO</Sts><BookgDt><Dt>2026-03-01</Dt></BookgDt></Ntry>
</Stmt>`,
);

test("version 2 as German banks write it: direct debit, a bundle with amounts below, pending entries left out", async (t) => {
  const world = await openBank(t, "IBAN", [german]);
  const delivery = await world.loadXml(versionTwo);
  t.deepEqual(countsOf(delivery), { batches: 1, records: 3, new: 3 });
  t.deepEqual(await ledger(world), [
    `${german} | 2026-03-01 | -100 EUR | CREDIT_TRANSFER | Vermieter | Miete`,
    `${german} | 2026-03-01 | -23 EUR | CREDIT_TRANSFER | Verein | Beitrag`,
    `${german} | 2026-03-01 | -49.49 EUR | DIRECT_DEBIT | Stadtwerke | Strom 03/2026 Kd-Nr 4711`,
  ]);
  t.like((await buildReceipt(world.database, delivery)).statements?.[0], {
    sequence: 26,
    entries: 2,
    notBooked: 2,
    balances: "agree",
  });
});

const swiss = "CH9300762011623852957";

/** Version 4: amounts of details of their own, what was ordered abroad, money that comes back. */
const versionFour = envelope(
  "04",
  "BkToCstmrStmt",
  `<Stmt><Id>CH-1</Id><ElctrncSeqNb>1</ElctrncSeqNb><Acct><Id><IBAN>${swiss}</IBAN></Id><Ccy>CHF</Ccy></Acct>
${balance("OPBD", "500.00", "CRDT", "CHF")}${balance("CLBD", "479.30", "CRDT", "CHF")}
<Ntry><NtryRef>1</NtryRef><Amt Ccy="CHF">20.70</Amt><CdtDbtInd>DBIT</CdtDbtInd><RvslInd>false</RvslInd><Sts>BOOK</Sts><BookgDt><DtTm>2026-03-02T09:15:00+01:00</DtTm></BookgDt><AcctSvcrRef>CH1</AcctSvcrRef>
<AmtDtls><InstdAmt><Amt Ccy="EUR">21.90</Amt></InstdAmt><TxAmt><Amt Ccy="CHF">20.70</Amt><CcyXchg><SrcCcy>EUR</SrcCcy><TrgtCcy>CHF</TrgtCcy><XchgRate>0.9452</XchgRate></CcyXchg></TxAmt></AmtDtls>
<NtryDtls><TxDtls><Amt Ccy="CHF">20.70</Amt><CdtDbtInd>DBIT</CdtDbtInd><RltdPties><Cdtr><Nm>Buchladen</Nm></Cdtr></RltdPties></TxDtls></NtryDtls><AddtlNtryInf>Zahlung Ausland</AddtlNtryInf></Ntry>
<Ntry><NtryRef>2</NtryRef><Amt Ccy="CHF">80.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><RvslInd>true</RvslInd><Sts>BOOK</Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt><AcctSvcrRef>CH2</AcctSvcrRef>
<NtryDtls><TxDtls><Amt Ccy="CHF">80.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><RltdPties><Dbtr><Nm>Ich</Nm></Dbtr><Cdtr><Nm>Turnverein</Nm></Cdtr></RltdPties><RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf></TxDtls></NtryDtls></Ntry>
<Ntry><NtryRef>3</NtryRef><Amt Ccy="CHF">80.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><RvslInd>true</RvslInd><Sts>BOOK</Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt><AcctSvcrRef>CH3</AcctSvcrRef>
<NtryDtls><TxDtls><Amt Ccy="CHF">80.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><RltdPties><Dbtr><Nm>Arbeitgeber</Nm></Dbtr><Cdtr><Nm>Ich</Nm></Cdtr></RltdPties></TxDtls></NtryDtls></Ntry>
</Stmt>`,
);

test("version 4 as Swiss banks write it: what was ordered abroad, and reversals of both sides with the side told", async (t) => {
  const world = await openBank(t, "IBAN", [swiss]);
  const delivery = await world.loadXml(versionFour);
  t.deepEqual(await ledger(world), [
    `${swiss} | 2026-03-02 | -20.7 CHF (-21.9 EUR) | UNKNOWN | Buchladen | Zahlung Ausland`,
    `${swiss} | 2026-03-02 | -80 CHF | UNKNOWN | Arbeitgeber | `,
    `${swiss} | 2026-03-02 | 80 CHF | UNKNOWN | Turnverein | `,
  ]);
  t.like((await buildReceipt(world.database, delivery)).statements?.[0], { entries: 3, balances: "agree" });
});

/** From version 8 on: a code below the status, parties one level below, two accounts with the bank's own numbers. */
const nordic = (version: string) =>
  envelope(
    version,
    "BkToCstmrStmt",
    `<Stmt><Id>A</Id><Acct><Id><Othr><Id>96660000001</Id><SchmeNm><Cd>BBAN</Cd></SchmeNm></Othr></Id><Svcr><FinInstnId><BICFI>FJORNOKK</BICFI></FinInstnId></Svcr></Acct>
<Ntry><Amt Ccy="NOK">12000.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-03-03</Dt></BookgDt><AcctSvcrRef>N1</AcctSvcrRef>
<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>STDO</SubFmlyCd></Fmly></Domn></BkTxCd>
<NtryDtls><TxDtls><RltdPties><Cdtr><Pty><Nm>Utleier AS</Nm><PstlAdr><TwnNm>Bergen</TwnNm><Ctry>NO</Ctry></PstlAdr></Pty></Cdtr></RltdPties>
<RmtInf><Strd><CdtrRefInf><Ref>000123456785</Ref></CdtrRefInf></Strd></RmtInf></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="NOK">35.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-03-03</Dt></BookgDt><AcctSvcrRef>N2</AcctSvcrRef>
<BkTxCd><Domn><Cd>ACMT</Cd><Fmly><Cd>MDOP</Cd><SubFmlyCd>CHRG</SubFmlyCd></Fmly></Domn></BkTxCd><AddtlNtryInf>Gebyr &lt;kort&gt; &amp; nettbank</AddtlNtryInf></Ntry>
<Ntry><Amt Ccy="NOK">49</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-03-03</Dt></BookgDt><AddtlNtryInf>Automat</AddtlNtryInf></Ntry>
<Ntry><Amt Ccy="NOK">49</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-03-03</Dt></BookgDt><AddtlNtryInf>Automat</AddtlNtryInf></Ntry>
</Stmt>
<Stmt><Id>B</Id><Acct><Id><Othr><Id>96660000002</Id></Othr></Id><Svcr><FinInstnId><BICFI>FJORNOKK</BICFI></FinInstnId></Svcr></Acct></Stmt>
<Stmt><Id>C</Id><Acct><Id><Othr><Id>96660000003</Id></Othr></Id><Svcr><FinInstnId><BICFI>FJORNOKK</BICFI></FinInstnId></Svcr></Acct>
<Ntry><Amt Ccy="EUR">10.50</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><ValDt><Dt>2026-03-04</Dt></ValDt><AcctSvcrRef>N1</AcctSvcrRef>
<BkTxCd><Prtry><Cd>RENTE</Cd></Prtry></BkTxCd><AddtlNtryInf><![CDATA[Renter <2026>]]></AddtlNtryInf></Ntry></Stmt>`,
  );

const nordicRows = [
  "96660000001 | 2026-03-03 | -12000 NOK | STANDING_ORDER | Utleier AS | 000123456785",
  "96660000001 | 2026-03-03 | -35 NOK | FEE | - | Gebyr <kort> & nettbank",
  "96660000001 | 2026-03-03 | -49 NOK | UNKNOWN | - | Automat",
  "96660000001 | 2026-03-03 | -49 NOK | UNKNOWN | - | Automat",
  "96660000003 | 2026-03-04 | 10.5 EUR | RENTE | - | Renter <2026>",
];
const nordicNumbers = ["96660000001", "96660000002", "96660000003"];

for (const version of ["08", "10", "13"])
  test(`version ${Number(version)} with three accounts, one of them without entries, an equal pair and two currencies`, async (t) => {
    const world = await openBank(t, "FJORNOKK", nordicNumbers);
    const delivery = await world.loadXml(nordic(version));
    t.deepEqual(countsOf(delivery), { batches: 1, records: 5, new: 5 });
    t.deepEqual(await ledger(world), nordicRows);
    t.deepEqual(
      (await buildReceipt(world.database, delivery)).statements?.map(({ entries, balances }) => [entries, balances]),
      [
        [4, "not told"],
        [0, "not told"],
        [1, "not told"],
      ],
    );
  });

test("a file of another encoding, with prefixes, comments and line ends as on Windows says the same", async (t) => {
  const plain = nordic("08");
  const prefixed = plain.replaceAll(/<(\/?)([A-Z])(?!DATA)/g, "<$1n:$2").replace("xmlns=", "xmlns:n=");
  const files = {
    prefixed,
    windows: plain.replaceAll("\n", "\r\n"),
    commented: plain.replaceAll("<n:Ntry>", "<Ntry>").replaceAll("<Ntry>", "<!-- <Ntry> --><Ntry><?x y?>"),
    marked: `\uFEFF${plain}`,
    "UTF-16": Buffer.from(`\uFEFF${plain.replace("UTF-8", "UTF-16")}`, "utf16le"),
  };
  for (const [name, file] of Object.entries(files)) {
    const world = await openBank(t, "FJORNOKK", nordicNumbers);
    await world.loadXml(file);
    t.deepEqual(await ledger(world), nordicRows, name);
  }
});

test("a notification beside its statement, and the statement of two days later that overlaps, load nothing twice", async (t) => {
  const world = await openBank(t, "FJORNOKK", nordicNumbers);
  const notification = nordic("08").replaceAll("BkToCstmrStmt", "BkToCstmrDbtCdtNtfctn").replaceAll("Stmt>", "Ntfctn>");
  t.deepEqual(countsOf(await world.loadXml(notification)), { batches: 1, records: 5, new: 5 });
  const wider = nordic("08").replace(
    "</Stmt>",
    '<Ntry><Amt Ccy="NOK">49</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-03-03</Dt></BookgDt><AddtlNtryInf>Automat</AddtlNtryInf></Ntry></Stmt>',
  );
  t.deepEqual(countsOf(await world.loadXml(wider)), { batches: 1, records: 6, new: 1, known: 5 });
});

test("a text beyond its limit is cut, a reference beyond the id's length too, and both load", async (t) => {
  const world = await openBank(t, "IBAN", [german]);
  const long = versionTwo.replace("Strom 03/2026", "S".repeat(2500)).replace("2026030100001", `R${"9".repeat(300)}`);
  t.deepEqual(countsOf(await world.loadXml(long)), { batches: 1, records: 3, new: 3 });
  const { rows } = await world.database.query<{ text: number; id: number }>(
    "select length(description) as text, length(txid) as id from transactions order by 1 desc limit 1",
  );
  t.deepEqual(rows, [{ text: 2000, id: 255 }]);
});
