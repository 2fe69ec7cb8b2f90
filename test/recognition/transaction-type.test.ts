import test from "ava";
import { typeOf } from "../../src/recognition/transaction-type.ts";

test("the interface's own names are kept, whatever their case and separators", (t) => {
  t.deepEqual(["CARD_PURCHASE", "card purchase", " Direct-Debit ", "ACCOUNT_TRANSFER", "INVOICE", "CASH_DEPOSIT"].map(typeOf), ["CARD_PURCHASE", "CARD_PURCHASE", "DIRECT_DEBIT", "ACCOUNT_TRANSFER", "INVOICE", "CASH_DEPOSIT"]);
});

test("what banks also call their transactions is another type, a name nobody knows is unknown", (t) => {
  t.deepEqual(["SALARY", "standing order", "BANK_FEE", "OTHER"].map(typeOf), ["OTHER", "OTHER", "OTHER", "OTHER"]);
  t.deepEqual(["", "XYZ", "UNKNOWN"].map(typeOf), ["UNKNOWN", "UNKNOWN", "UNKNOWN"]);
});
