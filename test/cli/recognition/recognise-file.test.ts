/** A file of transactions is recognised without a service, each user as of a day that is given or its last. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { gzipSync } from "node:zlib";
import test from "ava";
import { recogniseFile } from "../../../src/cli/recognition/recognise-file.ts";

const records = [
  ...["2026-01-15", "2026-02-15", "2026-03-15", "2026-04-15"].map((day, index) => ({
    uid: "user-1",
    type: "TX",
    account: { id: "account-1", name: "Løn", iban: "DK5000400440116243" },
    tx: {
      txid: `tx-${index}`,
      description: "Lydbogen",
      txTime: `${day}T00:00:00Z`,
      type: "PAYMENT",
      amount: -79,
      currency: "DKK",
    },
  })),
  { uid: "user-1", type: "IMPORT_COMPLETED" },
  {
    uid: "user-2",
    type: "TX",
    tx: { txid: "tx-9", description: "Lydbogen", txTime: "no day", type: "PAYMENT", amount: -79, currency: "DKK" },
  },
];

/** The lines written and told for a file of the given content. */
async function recognised(name: string, content: string | Buffer, asOf?: string | Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), "recognise-file-"));
  try {
    const file = join(folder, name);
    const days = join(folder, "asof.json");
    await writeFile(file, content);
    if (typeof asOf === "object") await writeFile(days, JSON.stringify(asOf));
    let written = "";
    const told: string[] = [];
    const out = new Writable({ write: (chunk, _, done) => ((written += String(chunk)), done()) });
    await recogniseFile({
      file,
      ...(asOf === undefined ? {} : { asOf: typeof asOf === "string" ? asOf : days }),
      out,
      progress: (line) => told.push(line),
    });
    return {
      services: written
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
      told,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const lines = records.map((record) => JSON.stringify(record)).join("\n");

for (const [name, content] of [
  ["history.jsonl", lines],
  ["history.jsonl.gz", gzipSync(lines)],
  ["history.json", JSON.stringify(records)],
  ["history.json.gz", gzipSync(JSON.stringify(records))],
] as const) {
  test(`${name} is read, a service a line comes out with the bank's sign`, async (t) => {
    const { services, told } = await recognised(name, content, "2026-04-30");
    t.is(services.length, 1);
    t.like(services[0], {
      uid: "user-1",
      title: "Lydbogen",
      status: "ACTIVE",
      paymentFrequency: "MONTHLY",
      nextExpectedTransactionDate: "2026-05-15",
      nextExpectedAmount: -79,
    });
    t.deepEqual(services[0].payments[0], { sourceTransactionId: "tx-0", date: "2026-01-15", amount: -79 });
    t.deepEqual(told, ["1 user, 1 service, 1 record left out (record 6 has a tx.txTime that is no day)"]);
  });
}

test("each user may have a day of their own", async (t) => {
  const { services } = await recognised("history.jsonl", lines, { "user-1": "2026-03-31" });
  t.is(services[0].payments.length, 3);
});

test("without a day it is the user's last transaction's", async (t) => {
  const { services } = await recognised("history.jsonl", lines);
  t.is(services[0].payments.length, 4);
});
