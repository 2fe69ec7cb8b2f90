/** Numbers, days and characters of a table mean what the partner's dialect says, and nothing is guessed. */
import test from "ava";
import { readCsvDialect, parseCsvColumns, plainDialect } from "../../../src/partners/settings/csv-rules.ts";
import { asUtf8, inDialect, toNumber, toTime } from "../../../workers/formats/csv-dialect.ts";

test("an amount has the dialect's decimal sign and no thousands separators", (t) => {
  for (const [text, decimal, expected] of [
    ["-12.50", "point", -12.5],
    ["-12,50", "comma", -12.5],
    ["12", "comma", 12],
    ["", "comma", null],
    ["1,234", "comma", 1.234],
    ["1.234", "comma", "1.234"],
    ["1,5", "point", "1,5"],
    ["1.234,50", "comma", "1.234,50"],
    ["1 234,50", "comma", "1 234,50"],
    ["1,2,3", "comma", "1,2,3"],
  ] as const)
    t.is(toNumber(text, decimal), expected, `${text} ${decimal}`);
});

test("a day is written as the dialect says, with the time behind it", (t) => {
  t.is(toTime("2026-01-31", "YYYY-MM-DD"), "2026-01-31");
  t.is(toTime("31.01.2026", "DD.MM.YYYY"), "2026-01-31");
  t.is(toTime("31.01.2026 18:04", "DD.MM.YYYY"), "2026-01-31 18:04");
  t.is(toTime("31-01-2026", "DD-MM-YYYY"), "2026-01-31");
  t.is(toTime("31/01/2026", "DD/MM/YYYY"), "2026-01-31");
  t.is(toTime("01/31/2026T10:00:00Z", "MM/DD/YYYY"), "2026-01-31T10:00:00Z");
  t.is(toTime("20260131", "YYYYMMDD"), "2026-01-31");
});

test("a day that is written otherwise is none", (t) => {
  for (const [text, dates] of [
    ["2026-01-31", "DD.MM.YYYY"],
    ["31.1.2026", "DD.MM.YYYY"],
    ["31.01.20261", "DD.MM.YYYY"],
    ["2026013112", "YYYYMMDD"],
  ] as const)
    t.notRegex(toTime(text, dates), /^\d{4}-\d{2}-\d{2}/, `${text} ${dates}`);
});

test("what is wrong is told in the dialect's words", (t) => {
  const german = { ...plainDialect, decimal: "comma", dates: "DD.MM.YYYY" } as const;
  t.is(inDialect("is not a number", german), "is not a number with a decimal comma");
  t.is(
    inDialect("does not start with a calendar day (YYYY-MM-DD)", german),
    "does not start with a calendar day (DD.MM.YYYY)",
  );
  t.is(inDialect("is too large", german), "is too large");
  t.is(inDialect("is not a number", plainDialect), "is not a number");
});

async function decode(bytes: Buffer, encoding: "utf-8" | "iso-8859-1" | "windows-1252"): Promise<string> {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 3) yield bytes.subarray(at, at + 3);
  }
  return Buffer.concat(await Array.fromAsync(asUtf8(pieces(), encoding))).toString();
}

test("characters come out as UTF-8, wherever the stream is cut", async (t) => {
  const latin = Buffer.from([0x52, 0xf8, 0x64, 0x67, 0x72, 0xf8, 0x64, 0x20, 0xe5, 0xe4]);
  t.is(await decode(latin, "iso-8859-1"), "Rødgrød åä");
  t.is(await decode(Buffer.from([0x80, 0x93, 0x94, 0xf8]), "windows-1252"), "€“”ø");
  t.is(await decode(Buffer.from([0x80, 0xf8]), "iso-8859-1"), "\u0080ø");
  t.is(await decode(Buffer.from("Rødgrød €😀"), "utf-8"), "Rødgrød €😀");
});

test("settings name the dialect; without any it is the plain one, and what no command writes changes nothing", (t) => {
  t.deepEqual(readCsvDialect(undefined), plainDialect);
  t.deepEqual(readCsvDialect({ unencrypted: true, decimal: "comma", columns: { konto: "account_number" } }), {
    ...plainDialect,
    decimal: "comma",
    columns: { konto: "account_number" },
  });
  for (const unusable of [
    { decimal: "semicolon" },
    { dates: "YYYY-MM-DD", encoding: "utf-16" },
    { unquoted: "yes" },
    { columns: { konto: 1 } },
    { columns: ["konto"] },
    [],
    "comma",
    null,
  ])
    t.deepEqual(readCsvDialect(unusable), plainDialect, JSON.stringify(unusable));
});

test("a bank's own names of columns are told with what they mean", (t) => {
  t.deepEqual(parseCsvColumns("Kontonummer:account_number, Beløb i kr. : amount,a:b:currency"), {
    kontonummer: "account_number",
    "beløb i kr.": "amount",
    "a:b": "currency",
  });
  for (const text of ["", "Kontonummer", ":amount", "Konto:", "Konto:account number"])
    t.throws(() => parseCsvColumns(text), { message: /^a list of OWN NAME:COLUMN/ }, text);
});
