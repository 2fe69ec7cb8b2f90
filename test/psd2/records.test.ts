/** A bank's booking becomes a record of the interface, under an account id that outlives the consent. */
import test from "ava";
import { recordOf } from "../../src/psd2/records.ts";
import { accountIdOf } from "../../src/ledger/account-id.ts";

const account = { resourceId: "r-1", iban: "DK5000400440116243", name: "Lønkonto", currency: "DKK", balance: null };
const payment = {
  id: "b-1",
  bookedOn: "2026-06-01",
  amount: "-99.50",
  currency: "DKK",
  originalAmount: null,
  originalCurrency: null,
  counterparty: "Music",
  text: "MUSIC 123",
  mcc: null,
  code: null,
};

test("a booking becomes a record of its user and account", (t) => {
  const id = accountIdOf("sandbox", account);
  t.regex(id, /^psd2-sandbox-[0-9a-f]{24}$/);
  t.deepEqual(recordOf("anna", "sandbox", account, payment), {
    uid: "anna",
    type: "TX",
    account: { id, name: "Lønkonto", iban: "DK5000400440116243" },
    tx: {
      txid: `${id}-b-1`,
      description: "MUSIC 123",
      txTime: "2026-06-01",
      type: "OTHER",
      amount: -99.5,
      currency: "DKK",
      merchant: { name: "Music" },
    },
  });
});

test("an account keeps its id over consents, and by the bank's id where it has no number", (t) => {
  t.is(accountIdOf("sandbox", account), accountIdOf("sandbox", { ...account, resourceId: "r-2" }));
  t.not(
    accountIdOf("sandbox", { ...account, iban: "" }),
    accountIdOf("sandbox", { ...account, iban: "", resourceId: "r-2" }),
  );
  t.not(accountIdOf("sandbox", account), accountIdOf("other", account));
});

test("bank transaction codes name the type, a merchant's category a card purchase", (t) => {
  const typeOf = (more: Partial<typeof payment> | { mcc: number }) =>
    recordOf("u", "b", account, { ...payment, ...more })?.tx?.type;
  t.is(typeOf({ code: "PMNT-CCRD-POSD" } as never), "CARD_PURCHASE");
  t.is(typeOf({ code: "PMNT-RDDT-ESDD" } as never), "DIRECT_DEBIT");
  t.is(typeOf({ code: "PMNT-CCRD-CWDL" } as never), "CASH_WITHDRAWAL");
  t.is(typeOf({ code: "PMNT-RCDT-ESCT" } as never), "ACCOUNT_TRANSFER");
  t.is(typeOf({ mcc: 5411 }), "CARD_PURCHASE");
});

test("an amount that cannot be counted makes no record", (t) => {
  t.is(recordOf("u", "b", account, { ...payment, amount: "-99999999999999999999" }), null);
});
