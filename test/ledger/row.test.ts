import test from "ava";
import { digestOf, type LedgerRow } from "../../src/ledger/row.ts";

const row: LedgerRow = {
  txid: "t1", bookedOn: "2026-01-31", txTime: "2026-01-31T10:00:00Z", rawType: "CARD_PURCHASE", description: "NETFLIX", amount: "-79", currency: "DKK",
  originalAmount: null, originalCurrency: null, merchantName: "Netflix", merchantCid: null, merchantAddress: null, merchantCity: null,
  merchantPostCode: null, merchantCountry: null, merchantMcc: 5968, accountId: "a1", cardId: null,
};

test("a digest is 128 bits in hexadecimal and never changes between releases", (t) => {
  t.is(digestOf(row), "7306eab07fd664221d32f8d683cdb5d8");
});

test("the time of day does not count", (t) => {
  t.is(digestOf({ ...row, txTime: "2026-01-31" }), digestOf(row));
});

test("an empty field counts as absent, since tables cannot tell the two apart", (t) => {
  t.is(digestOf({ ...row, merchantCid: "", merchantAddress: "", merchantCity: "", merchantPostCode: "", merchantCountry: "" }), digestOf(row));
});

test("every other field counts", (t) => {
  const changes: Partial<LedgerRow>[] = [
    { bookedOn: "2026-02-01" }, { rawType: "OTHER" }, { description: "NETFLIX " }, { amount: "-79.01" }, { currency: "SEK" }, { originalAmount: "-79" },
    { originalCurrency: "DKK" }, { merchantName: null }, { merchantCid: "x" }, { merchantAddress: "x" }, { merchantCity: "x" }, { merchantPostCode: "x" },
    { merchantCountry: "x" }, { merchantMcc: null }, { accountId: null }, { cardId: "x" },
  ];
  const digests = [row, ...changes.map((change) => ({ ...row, ...change }))].map(digestOf);
  t.is(new Set(digests).size, changes.length + 1);
});

test("neighbouring fields do not run into each other", (t) => {
  t.not(digestOf({ ...row, rawType: "A", description: "BC" }), digestOf({ ...row, rawType: "AB", description: "C" }));
});
