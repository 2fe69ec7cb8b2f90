/** Words for what is owed again and again, in the lines of the two latest payments. */
import test from "ava";
import { nameDues } from "../../src/payments/line-day/dues.ts";
import { paid } from "../recognition/obligations.ts";

const dues = (first: string, second = first): boolean =>
  nameDues([...paid(["2025-03-10"], 9_900, first), ...paid(["2026-03-10"], 9_900, second)]);

test("dues, rent, subscriptions and parts of a loan are owed again and again, in any language and case", (t) => {
  for (const line of [
    "Vestkreds MEMBERSHIP Nordby",
    "Transfer Vestkreds rent june",
    "VESTKREDS AUTOLOAD",
    "IC* VESTKREDS*SUBSCRIP NORDBY",
    "VESTKREDS *PLUS SUBSCR",
    "Vestkreds auto pay 114",
    "SDD Vestkreds 3. Rate 26",
    "Vestkreds e.V. Mitgliedsbeitrag",
    "/NAME/Vestkreds/REMI/Huur mei",
    "VIR Vestkreds LOYER",
    "Vestkreds cotisation",
    "Vestkreds årsavgift",
    "Vestkreds yhtiövastike",
    "Canone vestkreds",
    "Vestkreds CUOTA",
    "Vestkreds mensalidade",
    "Vestkreds taksit",
    "Vestkreds rate 3 af 12",
  ])
    t.true(dues(line), line);
});

test("what has such a word as a part, and who rents out cars, sell in passing", (t) => {
  for (const line of [
    "Vestkreds RENT A CAR",
    "Vestkreds car rent",
    "Rent GmbH Vestkreds",
    "Vestkreds Brentwood",
    "Exchange rate 12.50",
    "Alquiler de coches Vestkreds",
    "Vestkreds Åbo",
    "Kira Vestkreds",
  ])
    t.false(dues(line), line);
});

test("one line alone says little", (t) => {
  t.false(dues("Vestkreds", "Vestkreds membership"));
  t.false(dues("Vestkreds membership", "Vestkreds"));
  t.false(nameDues(paid(["2026-03-10"], 9_900, "Vestkreds membership")));
  t.true(dues("Vestkreds membership", "Vestkreds subscription"));
});
