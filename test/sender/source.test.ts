/** Records are read from JSON Lines, arrays and tables, gzipped or not, and what cannot be read is named by place. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import test, { type ExecutionContext } from "ava";
import { countRecords, readRecords } from "../../src/sender/source.ts";
import { collect, purchases, temporaryFolder } from "./records.ts";

async function file(t: ExecutionContext, name: string, content: string | Buffer): Promise<string> {
  const at = path.join(await temporaryFolder(t), name);
  await writeFile(at, content);
  return at;
}

const three = purchases(3);
const lines = three.map((record) => JSON.stringify(record)).join("\n");

test("JSON Lines, a JSON array and both gzipped read the same", async (t) => {
  const array = JSON.stringify(three, null, 2);
  for (const [name, content] of [
    ["a.jsonl", `${lines}\n`],
    ["b.jsonl", `\n${lines}\n\n`],
    ["c.json", array],
    ["d.jsonl.gz", gzipSync(lines)],
    ["e.json.gz", gzipSync(array)],
  ] as const) {
    t.deepEqual(await collect(readRecords(await file(t, name, content))), three, name);
  }
});

test("an empty file holds nothing", async (t) => {
  t.deepEqual(await collect(readRecords(await file(t, "a.jsonl", "\n"))), []);
});

test("records are counted without being parsed, where lines tell", async (t) => {
  t.is(await countRecords(await file(t, "a.jsonl", `${lines}\n`)), 3);
  t.is(await countRecords(await file(t, "b.jsonl.gz", gzipSync(lines))), 3);
  t.is(await countRecords(await file(t, "c.json", JSON.stringify(three))), null);
  t.is(await countRecords("/nowhere"), null);
});

const header = "user_id;transaction_id;transaction_date;type;currency;amount;description";

test("a CSV table is read by its header, in any order, with decimal comma or point", async (t) => {
  const table = [
    '"amount";"user_id";"transaction_id";"transaction_date";"type";"currency";"description";"merchant_name";"mcc";"account_number";"iban";"account_name";"card_id";"card_pan4";"original_amount";"original_currency";"something_else"',
    '"-12,50";"anna";"t1";"2024-01-05";"CARD_PURCHASE";"DKK";"Netto; ""Nørrebro""";"Netto";"5411";"123";"DK50";"Løn";"c1";"4242";"-1.80";"USD";"x"',
    '"7";"bo";"t2";"2024-01-06";"ACCOUNT_TRANSFER";"DKK";"Renter";"";"";"";"";"";"";"";"";"";""',
  ].join("\r\n");
  t.deepEqual(await collect(readRecords(await file(t, "t.csv", table))), [
    {
      uid: "anna",
      type: "TX",
      card: { id: "c1", pan4: "4242" },
      account: { id: "123", name: "Løn", iban: "DK50" },
      tx: {
        txid: "t1",
        description: 'Netto; "Nørrebro"',
        txTime: "2024-01-05",
        type: "CARD_PURCHASE",
        amount: -12.5,
        currency: "DKK",
        originalAmount: -1.8,
        originalCurrency: "USD",
        merchant: { name: "Netto", mcc: 5411 },
      },
    },
    {
      uid: "bo",
      type: "TX",
      tx: {
        txid: "t2",
        description: "Renter",
        txTime: "2024-01-06",
        type: "ACCOUNT_TRANSFER",
        amount: 7,
        currency: "DKK",
      },
    },
  ]);
  t.is(await countRecords(await file(t, "u.csv", table)), 2);
});

test("a table may be separated by commas, and gzipped", async (t) => {
  const table = `${header.replaceAll(";", ",")}\nanna,t1,2024-01-05,CARD_PURCHASE,DKK,-1.5,Netto\n`;
  const [record] = await collect(readRecords(await file(t, "t.csv.gz", gzipSync(table))));
  t.is(record?.tx?.amount, -1.5);
});

test("what cannot be read is refused with its place", async (t) => {
  const refusals: [string, string | Buffer, RegExp][] = [
    ["a.jsonl", `${lines}\n{"uid":`, /line 4 is not JSON/],
    ["b.jsonl", `${lines}\n{"type":"TX"}`, /line 4 is not a RawTransaction: it has no uid/],
    ["c.json", '[{"uid":"anna"}, 5]', /element 1 is not a RawTransaction/],
    ["d.json", '[{"uid":"anna"}', /is not a JSON array/],
    ["e.jsonl.gz", gzipSync(lines.repeat(50)).subarray(0, 60), /cannot be read/],
    ["f.csv", "a;b\n1;2", /columns: user_id, .* missing/],
    [
      "g.csv",
      `${header}\nanna;t1;2024-01-05;CARD_PURCHASE;DKK;1.234,50;Netto`,
      /line 2, column amount is not a number/,
    ],
    ["h.csv", `${header}\nanna;t1`, /is not a CSV table/],
  ];
  for (const [name, content, message] of refusals) {
    const source = readRecords(await file(t, name, content));
    await t.throwsAsync(collect(source), { code: "SOURCE_INVALID", message }, name);
  }
  await t.throwsAsync(collect(readRecords("/nowhere/at/all")), { code: "SOURCE_INVALID", message: /no such file/ });
});
