/** Bank transaction codes become the types that the rest of the product knows. */
import test from "ava";
import { typeOfCodes } from "../../../workers/camt/codes.ts";
import type { Element } from "../../../workers/camt/elements.ts";

const one = (name: string, text: string, ...children: Element[]): Element => ({
  name,
  text,
  currency: null,
  line: 1,
  children,
});

function codes(standard: string, own = ""): Element {
  const [domain = "", family = "", subFamily = ""] = standard.split(" ");
  const below = one("Fmly", "", one("Cd", family), one("SubFmlyCd", subFamily));
  return one("BkTxCd", "", one("Domn", "", one("Cd", domain), below), one("Prtry", "", one("Cd", own)));
}

const out = { isOut: true, purpose: "", hasCard: false };
const incoming = { ...out, isOut: false };

test("the standard's codes say how money moved", (t) => {
  const told = Object.fromEntries(
    [
      "PMNT CCRD POSD",
      "PMNT CCRD CWDL",
      "PMNT CNTR CDPT",
      "PMNT RDDT ESDD",
      "PMNT ICDT STDO",
      "PMNT ICDT ESCT",
      "PMNT ICDT BOOK",
      "ACMT MCOP CHRG",
      "ACMT MCOP INTR",
      "LDAS CSLN PPAY",
      "SECU SETT TRAD",
    ].map((standard) => [standard, typeOfCodes(codes(standard), out)]),
  );
  t.deepEqual(told, {
    "PMNT CCRD POSD": "CARD_PURCHASE",
    "PMNT CCRD CWDL": "CASH_WITHDRAWAL",
    "PMNT CNTR CDPT": "CASH_DEPOSIT",
    "PMNT RDDT ESDD": "DIRECT_DEBIT",
    "PMNT ICDT STDO": "STANDING_ORDER",
    "PMNT ICDT ESCT": "CREDIT_TRANSFER",
    "PMNT ICDT BOOK": "ACCOUNT_TRANSFER",
    "ACMT MCOP CHRG": "FEE",
    "ACMT MCOP INTR": "INTEREST",
    "LDAS CSLN PPAY": "LOAN",
    "SECU SETT TRAD": "SECURITIES",
  });
});

test("money back on a card is a refund, and a transfer in is what its purpose says", (t) => {
  t.is(typeOfCodes(codes("PMNT CCRD POSD"), incoming), "CARD_REFUND");
  t.is(typeOfCodes(codes("PMNT RCDT ESCT"), { ...incoming, purpose: "SALA" }), "SALARY");
  t.is(typeOfCodes(codes("PMNT RCDT ESCT"), { ...incoming, purpose: "PENS" }), "PENSION");
  t.is(typeOfCodes(codes("PMNT RCDT ESCT"), { ...incoming, purpose: "GDDS" }), "CREDIT_TRANSFER");
});

test("what the standard does not say stays the bank's own code, and a card without codes is a purchase", (t) => {
  t.is(typeOfCodes(codes("XTND NTAV NTAV", "714"), out), "714");
  t.is(typeOfCodes(codes("XTND NTAV NTAV"), out), "XTND-NTAV-NTAV");
  t.is(typeOfCodes(null, out), "UNKNOWN");
  t.is(typeOfCodes(null, { ...out, hasCard: true }), "CARD_PURCHASE");
});
