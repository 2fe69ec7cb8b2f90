/** What payees are called in a budget. */
import test from "ava";
import { payeeTitleOf, withoutBankWords } from "../../../src/budgets/engine/payee-title.ts";
import { ledgerOf } from "../household.ts";

const called = (name: string) => {
  const [row] = ledgerOf([{ day: "2026-05-12", name, amount: "-212.00" }]);
  return payeeTitleOf(row!);
};

test("the bank's own words before a payee are no part of its name", (t) => {
  for (const text of [
    "DK-NOTA 4411 XQ ZORBO",
    "Dankort-køb XQ ZORBO",
    "MasterCard køb XQ ZORBO",
    "Visa-køb XQ ZORBO",
    "BANKAXEPT XQ ZORBO",
    "VISA VARE XQ ZORBO",
    "Reservasjon XQ ZORBO",
    "Debitkartenzahlung XQ ZORBO",
    "Basislastschrift XQ ZORBO",
    "BS: XQ ZORBO",
    "PBS-bet. XQ ZORBO",
  ])
    t.is(called(text), "XQ Zorbo", text);
});

test("a bank's word behind a name belongs to it, and nothing but a bank's words stays as it is", (t) => {
  t.is(called("XQ VISA ZORBO"), "XQ Visa Zorbo");
  t.is(withoutBankWords("Visa-Køb 4411"), "Visa-Køb 4411");
  t.is(withoutBankWords("Visa-Køb XQ Zorbo 4411"), "XQ Zorbo 4411");
  t.is(withoutBankWords("Netflix"), "Netflix");
});

test("a known name that goes on into a number is not called by the town behind it", (t) => {
  t.is(called("REMA1000 GENTOFTE"), "Rema1000 Gentofte");
  t.is(called("XQZV1000 GENTOFTE"), "Gentofte");
});
