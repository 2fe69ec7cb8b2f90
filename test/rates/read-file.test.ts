/** Each of the publisher's files is read by what it is, and nothing that is none passes for one. */
import { gzipSync } from "node:zlib";
import test from "ava";
import { strToU8, zipSync } from "fflate";
import { Fault } from "../../src/errors.ts";
import { readRatesFile } from "../../src/rates/read-file.ts";

const xml = (days: string) => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
	<Cube>${days}</Cube>
</gesmes:Envelope>`;
const ninety = xml(
  `<Cube time="2026-08-11"><Cube currency="USD" rate="1.1702"/><Cube currency="DKK" rate="7.4611"/></Cube>
   <Cube time="2026-08-10"><Cube currency="USD" rate="1.1688"/></Cube>`,
);
const historical = `Date,USD,JPY,RUB,DKK,
2026-08-11,1.1702,172.5,N/A,7.4611,
2026-08-10,1.1688,,N/A,7.461,
`;
const daily = "Date, USD, DKK, \n11 August 2026, 1.1702, 7.4611, \n";
const expected = [
  { day: "2026-08-10", perEuro: { USD: 1.1688 } },
  { day: "2026-08-11", perEuro: { USD: 1.1702, DKK: 7.4611 } },
];

test("the daily and the longer XML files", (t) => {
  t.deepEqual(readRatesFile(strToU8(ninety)), expected);
  t.deepEqual(readRatesFile(strToU8(xml(`<Cube time='2026-08-11'><Cube currency='USD' rate='1.1702'/></Cube>`))), [
    { day: "2026-08-11", perEuro: { USD: 1.1702 } },
  ]);
});

test("the historical CSV, plain and in its zip: N/A and empty cells are no rates", (t) => {
  const days = [
    { day: "2026-08-10", perEuro: { USD: 1.1688, DKK: 7.461 } },
    { day: "2026-08-11", perEuro: { USD: 1.1702, JPY: 172.5, DKK: 7.4611 } },
  ];
  t.deepEqual(readRatesFile(strToU8(historical)), days);
  t.deepEqual(readRatesFile(strToU8(`\uFEFF${historical.replaceAll("\n", "\r\n")}`)), days);
  t.deepEqual(readRatesFile(zipSync({ "eurofxref-hist.csv": strToU8(historical) })), days);
});

test("the daily zip writes its day in words", (t) => {
  t.deepEqual(readRatesFile(zipSync({ "eurofxref.csv": strToU8(daily) })), [
    { day: "2026-08-11", perEuro: { USD: 1.1702, DKK: 7.4611 } },
  ]);
});

const refused: Readonly<Record<string, Uint8Array>> = {
  "nothing at all": strToU8(""),
  "a page": strToU8("<!doctype html><html><body>Not found</body></html>"),
  "another table": strToU8("Day;Rate\n2026-08-11;1.17\n"),
  "a head without days": strToU8("Date,USD,\n"),
  "days without rates": strToU8("Date,USD,\n2026-08-11,N/A,\n"),
  "a day that does not exist": strToU8("Date,USD,\n2026-02-30,1.17,\n"),
  "a month that does not exist": strToU8("Date, USD, \n11 Augustus 2026, 1.17, \n"),
  "a rate of nothing": strToU8("Date,USD,\n2026-08-11,0.000,\n"),
  "a negative rate": strToU8("Date,USD,\n2026-08-11,-1.17,\n"),
  "a rate with a decimal comma": strToU8('Date,USD,\n2026-08-11,"1,17",\n'),
  "a rate under no currency": strToU8("Date,US,\n2026-08-11,1.17,\n"),
  "more cells than the head has": strToU8("Date,USD,\n2026-08-11,1.17,7.46\n"),
  "XML that is cut off": strToU8(ninety.slice(0, -20)),
  "XML with a rate in words": strToU8(xml(`<Cube time="2026-08-11"><Cube currency="USD" rate="one"/></Cube>`)),
  "XML that is no UTF-8": Uint8Array.from([...strToU8("<a>"), 0xff, ...strToU8("</a>")]),
  "a zip without a table": zipSync({ "readme.txt": strToU8(historical) }),
  "a zip that is cut off": zipSync({ "eurofxref-hist.csv": strToU8(historical) }).slice(0, 60),
  "a zip that unpacks to more than any table": zipSync({ "a.csv": new Uint8Array(65 * 1024 * 1024) }),
  "another compression": new Uint8Array(gzipSync(historical)),
  "a file larger than all rates": new Uint8Array(65 * 1024 * 1024),
};

for (const [what, bytes] of Object.entries(refused)) {
  test(`refused: ${what}`, (t) => {
    const fault = t.throws(() => readRatesFile(bytes), { instanceOf: Fault });
    t.is(fault?.code, "RATES_UNREADABLE");
  });
}

test("a document that declares entities of its own is refused", (t) => {
  const bomb = ninety.replace("?>", `?><!DOCTYPE a [<!ENTITY day "2026-08-11">]>`).replace('"2026-08-11"', '"&day;"');
  t.is(t.throws(() => readRatesFile(strToU8(bomb)), { instanceOf: Fault })?.code, "RATES_UNREADABLE");
});
