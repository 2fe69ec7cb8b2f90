/** What the texts of rows were read as comes out as it would be read again, whatever bank wrote them. */
import test from "ava";
import { generatePopulation } from "../../../fixtures/population.ts";
import { findProduct, productIfAsked, useEdits } from "../../../src/payments/catalogue.ts";
import { historyTransaction } from "../../../src/payments/history-file.ts";
import { readingOf } from "../../../src/payments/history.ts";
import { merchantBehind, merchantOf } from "../../../src/payments/merchant.ts";
import { type KeptRow, ledgerRow } from "../../../src/recognition/past/kept-row.ts";
import { packRows, unpackRows } from "../../../src/recognition/past/packed-rows.ts";
import { recognise } from "../../../src/recognition/recognise.ts";

const until = "2026-06-30";

test.afterEach(() => useEdits(0, []));

for (const country of ["DE", "GB", "FR", "SE"])
  test.serial(`lines of ${country} are read once, and services stay the same letter by letter`, (t) => {
    for (const rows of histories(country)) {
      const context = { asOf: until, country, currency: rows[0]!.currency };
      const found = withoutReadings(recognise(rows, context));
      const kept = unpackRows(packRows(rows, country), () => null);
      t.is(kept.length, rows.length);
      for (const row of kept) {
        const { merchant, kind } = row.read!;
        const again = readingOf(ledgerRow(row));
        t.is(kind, again.kind);
        t.deepEqual(
          [merchant.text, merchant.key, merchant.gateway, merchant.title, merchant.searchText],
          [
            again.merchant.text,
            again.merchant.key,
            again.merchant.gateway,
            again.merchant.title,
            again.merchant.searchText,
          ],
        );
        t.is(findProduct(merchant, country), findProduct(again.merchant, country));
      }
      t.deepEqual(withoutReadings(recognise(kept, context)), found);
    }
  });

test.serial("a product that was found is not looked for again, but among other products or in another country", (t) => {
  const rows: KeptRow[] = [{ ...line, description: "SPOTIFY P2F6D1" }];
  findProduct(merchantOf(null, "SPOTIFY P2F6D1"), "DK");
  const packed = packRows(rows, "DK");
  const merchant = () => unpackRows(packed, () => null)[0]!.read!.merchant;
  t.is(productIfAsked(merchant(), "DK"), findProduct(merchantOf(null, "SPOTIFY P2F6D1"), "DK"));
  t.not(productIfAsked(merchant(), "DK"), undefined);
  t.is(productIfAsked(merchant(), "SE"), undefined);
  const one = findProduct(merchant(), "DK")!;
  useEdits(1, [{ id: one.id, product: null, words: [] }]);
  t.is(productIfAsked(merchant(), "DK"), undefined);
  t.is(findProduct(merchant(), "DK"), null);
});

test.serial("what was found of a line with a code in it, which no other is like, is kept", (t) => {
  const rows: KeptRow[] = [{ ...line, description: "KLARNA BANK AB (PUBL) SSWFKTN-57 QUINLUNDINGEN" }];
  recognise(rows, { asOf: until, country: "DE", currency: "EUR" });
  const [row] = unpackRows(packRows(rows, "DE"), () => null);
  t.not(productIfAsked(row!.read!.merchant, "DE"), undefined);
});

test.serial("who stands behind a bank's opening words is kept, with the product that was found", (t) => {
  const rows: KeptRow[] = ["ALPHA", "BRAVO", "CHARLIE", "DELTA", "ECHO", "FOXTROT", "GOLF"].flatMap((name, at) =>
    ["2026-05-04", "2026-06-04"].map((day, time) => ({
      ...line,
      id: 2 * at + time,
      txid: `tx-${2 * at + time}`,
      day,
      description: `Zahlungsbeleg ${name} Werk ${100 * at + time}`,
    })),
  );
  recognise(rows, { asOf: until, country: "DE", currency: "EUR" });
  const kept = unpackRows(packRows(rows, "DE"), () => null);
  for (const row of kept) {
    const { merchant } = row.read!;
    const { opening } = merchant.alike.behind!;
    t.is(opening, "ZAHLUNGSBELEG");
    t.is(merchantBehind(merchant, opening).alike, merchant.alike.behind!.merchant.alike);
    const behind = merchantBehind(merchant, opening);
    const again = merchantBehind(readingOf(ledgerRow(row)).merchant, opening);
    t.deepEqual(
      [behind.text, behind.key, behind.gateway, behind.title, behind.searchText],
      [again.text, again.key, again.gateway, again.title, again.searchText],
    );
    t.not(productIfAsked(behind, "DE"), undefined);
  }
});

test.serial("nothing is read where nothing was kept", (t) => {
  const [row] = unpackRows(packRows([line]), () => null);
  t.false("read" in row!);
});

const line: KeptRow = {
  id: 1,
  txid: "tx-00ff",
  day: until,
  rawType: "CARD_PURCHASE",
  description: "Streamly 0815",
  amountMinor: -7_900,
  currency: "DKK",
  originalAmountMinor: null,
  originalCurrency: null,
  merchantName: null,
  merchantCid: null,
  merchantCountry: null,
  mcc: null,
  accountId: null,
  cardId: null,
  iban: null,
};

function histories(messy: string): KeptRow[][] {
  return [...generatePopulation({ users: 2, months: 14, seed: 31_415, until, messy })].map(({ transactions }) =>
    transactions.flatMap((record, id) => {
      const row = record.tx ? historyTransaction(record, record.tx) : null;
      return row ? { id, ...row, iban: null } : [];
    }),
  );
}

/** As what is found crosses from one thread to another. */
function withoutReadings(found: unknown): unknown {
  return JSON.parse(JSON.stringify(found, (name, value: unknown) => (name === "read" ? undefined : value)));
}
