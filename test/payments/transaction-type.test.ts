/** Banks' names of transaction types in the interface's words. */
import test from "ava";
import { type TransactionType, typeOf } from "../../src/payments/transaction-type.ts";

const own: readonly TransactionType[] = [
  "CARD_PURCHASE",
  "CASH_WITHDRAWAL",
  "OTHER",
  "ACCOUNT_TRANSFER",
  "DIRECT_DEBIT",
  "INVOICE",
  "CASH_DEPOSIT",
  "UNKNOWN",
];

for (const type of own) {
  test(`the interface's own name ${type} stays what it is`, (t) => {
    t.is(typeOf(type), type);
  });
}

for (const name of [
  "BANK_FEE",
  "CARD_PAYMENT",
  "CARD_REFUND",
  "CHEQUE",
  "CREDIT_TRANSFER",
  "CURRENCY_EXCHANGE",
  "DIVIDEND",
  "FEE",
  "INTEREST",
  "LOAN",
  "LOAN_PAYMENT",
  "MOBILE_PAYMENT",
  "PAYMENT",
  "PENALTY",
  "PENSION",
  "REFUND",
  "SALARY",
  "SECURITIES",
  "STANDING_ORDER",
  "TAX",
  "TRANSFER_IN",
  "TRANSFER_OUT",
]) {
  test(`${name}, which banks also say, is OTHER`, (t) => {
    t.is(typeOf(name), "OTHER");
  });
}

test("neither case, spaces, hyphens nor several of them make another name", (t) => {
  t.is(typeOf("direct-debit"), "DIRECT_DEBIT");
  t.is(typeOf(" Cash  withdrawal\n"), "CASH_WITHDRAWAL");
  t.is(typeOf("CARD - PURCHASE"), "CARD_PURCHASE");
  t.is(typeOf("standing\torder"), "OTHER");
});

test("what is no name of a type is unknown, so that a new one is noticed", (t) => {
  t.is(typeOf("GIFT"), "UNKNOWN");
  t.is(typeOf("FEES"), "UNKNOWN");
  t.is(typeOf("INVOICEX"), "UNKNOWN");
  t.is(typeOf("DIRECTDEBIT"), "UNKNOWN");
  t.is(typeOf(""), "UNKNOWN");
});
