/** A user's rows come out of their packed form as the ledger has them. */
import test from "ava";
import type { LedgerTransaction } from "../../../src/ledger/history.ts";
import { merchantOf } from "../../../src/payments/merchant.ts";
import { ledgerRow } from "../../../src/recognition/past/kept-row.ts";
import { packRows, unpackRows } from "../../../src/recognition/past/packed-rows.ts";
import { dayFromNumber } from "../../../src/time/calendar.ts";
import fc from "../../property.ts";

const row: LedgerTransaction = {
  id: 1_001,
  txid: "tx-00ff",
  day: "2026-06-30",
  rawType: "CARD_PURCHASE",
  description: "Streamly 0815",
  amountMinor: -7_900,
  currency: "DKK",
  originalAmountMinor: null,
  originalCurrency: null,
  merchantName: "Streamly",
  merchantCid: null,
  merchantCountry: "DK",
  mcc: 4899,
  accountId: "account-1",
  cardId: null,
  iban: "DK5000400440116243",
};

const ibanOf = (accountId: string): string | null => (accountId === "account-1" ? "DK5000400440116243" : null);

test("a row comes out with every field, and the IBAN that its account has now", (t) => {
  t.deepEqual(unpackRows(packRows([row]), ibanOf).map(ledgerRow), [row]);
  t.deepEqual(unpackRows(packRows([row]), () => null).map(ledgerRow), [{ ...row, iban: null }]);
  t.deepEqual(unpackRows(packRows([]), ibanOf), []);
});

test("rows come out by day and txid, however they went in", (t) => {
  const rows = [
    { ...row, txid: "b", day: "2026-06-02" },
    { ...row, txid: "c", day: "2026-06-01" },
    { ...row, txid: "a", day: "2026-06-02" },
  ];
  t.deepEqual(
    unpackRows(packRows(rows), ibanOf).map(({ txid }) => txid),
    ["c", "a", "b"],
  );
});

test("identifiers of any kind come out letter by letter", (t) => {
  const txids = [
    "367a5ef6-f172b3e57627789b",
    "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
    "6BA7B810-9DAD-11D1-80B4-00C04FD430C8",
    "367a5ef6-f172b3e57627789",
    "Å/2026 0001",
    "",
    "00",
  ];
  for (const some of [
    txids,
    ...txids.map((txid) => [txid]),
    ["p-00ff", "p-0aff"],
    ["p-00ff", "p-00FF"],
    ["p-", "p-00"],
  ])
    t.deepEqual(
      unpackRows(packRows(some.map((txid) => ({ ...row, txid }))), ibanOf)
        .map(({ txid }) => txid)
        .toSorted(),
      some.toSorted(),
    );
});

test("rows of any content come out as they went in", (t) => {
  const text = fc.oneof(fc.constantFrom("Streamly", "A/S", "Blåbær", ""), fc.string({ unit: "binary", maxLength: 40 }));
  const minor = fc.maxSafeInteger();
  const rows = fc.uniqueArray(
    fc.record({
      id: fc.maxSafeNat(),
      txid: fc.oneof(fc.uuid(), fc.stringMatching(/^tx-[0-9a-f]{1,16}$/), text),
      day: fc.integer({ min: -20_000, max: 60_000 }).map(dayFromNumber),
      rawType: text,
      description: text,
      amountMinor: minor,
      currency: fc.constantFrom("DKK", "EUR"),
      originalAmountMinor: fc.option(minor),
      originalCurrency: fc.option(fc.constantFrom("USD", "")),
      merchantName: fc.option(text),
      merchantCid: fc.option(text),
      merchantCountry: fc.option(text),
      mcc: fc.option(fc.nat({ max: 9_999 })),
      accountId: fc.option(fc.constantFrom("account-1", "account-2")),
      cardId: fc.option(text),
    }),
    { selector: ({ txid }) => txid, maxLength: 80 },
  );
  fc.assert(
    fc.property(rows, (some) => {
      const expected = some
        .map((one) => ({ ...one, iban: one.accountId === null ? null : ibanOf(one.accountId) }))
        .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : a.txid < b.txid ? -1 : 1));
      t.deepEqual(unpackRows(packRows(some), ibanOf).map(ledgerRow), expected);
      const withReadings = unpackRows(packRows(some, "DK"), ibanOf);
      t.deepEqual(withReadings.map(ledgerRow), expected);
      t.true(
        withReadings.every(
          ({ read, merchantName, description }) =>
            (read?.merchant.text ?? null) === merchantOf(merchantName, description).text,
        ),
      );
    }),
  );
});

test("many rows take few bytes, and broken ones are noticed", (t) => {
  const rows = Array.from({ length: 2_000 }, (_, n) => ({
    ...row,
    id: 1_000 + n,
    txid: `tx-${String(n).padStart(16, "0")}`,
    amountMinor: -100 * (n % 90),
  }));
  const packed = packRows(rows);
  t.is(unpackRows(packed, ibanOf).length, 2_000);
  t.true(packed.length < 16_000, `${packed.length} bytes`);
  for (const broken of [
    Buffer.of(),
    Buffer.of(7),
    packRows([row]).subarray(0, 40),
    Buffer.concat([packRows([row]), Buffer.of(0)]),
  ])
    t.throws(() => unpackRows(broken, ibanOf), { instanceOf: RangeError });
});
