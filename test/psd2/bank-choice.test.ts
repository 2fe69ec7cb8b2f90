/** Which of many banks a user is shown. */
import test from "ava";
import { chooseFrom, fewBanksMax } from "../../src/psd2/bank-choice.ts";
import type { BankName } from "../../src/psd2/banks.ts";

const bank = (id: string, name: string, country: string): BankName => ({ id, name, country, hasLogo: false });
const many = [
  ...Array.from({ length: fewBanksMax }, (_, n) => bank(`n${n}`, `Norsk ${n}`, "NO")),
  bank("aeroe", "Ærø Andelskasse", "DK"),
  bank("zeta", "Zeta", "DK"),
  bank("strasse", "Bank der Straße", "DE"),
];
const namesOf = (search: string) =>
  chooseFrom(many, "DK", search).groups.flatMap(({ banks }) => banks.map(({ name }) => name));

test("a few banks are all shown, many only the own country's until others are asked for", (t) => {
  const few = chooseFrom(many.slice(-3), "NO", "");
  t.deepEqual(
    few.groups.map(({ country, isOpen }) => [country, isOpen]),
    [
      ["DE", true],
      ["DK", true],
    ],
  );
  t.deepEqual(
    chooseFrom(many, "DK", "").groups.map(({ country, isOpen, banks }) => [country, isOpen, banks.length]),
    [
      ["DK", true, 2],
      ["DE", false, 1],
      ["NO", false, fewBanksMax],
    ],
  );
});

test("words that begin words of the name find it, whatever their case, accents and letters", (t) => {
  t.deepEqual(namesOf("aero"), ["Ærø Andelskasse"]);
  t.deepEqual(namesOf("ÆRØ andels"), ["Ærø Andelskasse"]);
  t.deepEqual(namesOf("strasse"), ["Bank der Straße"]);
  t.deepEqual(namesOf("kasse"), []);
  t.deepEqual(namesOf("zet nobody"), []);
  t.is(namesOf(" ").length, many.length);
});

test("what is found is open, in whatever country", (t) => {
  t.deepEqual(
    chooseFrom(many, "DK", "norsk").groups.map(({ country, isOpen }) => [country, isOpen]),
    [["NO", true]],
  );
});
