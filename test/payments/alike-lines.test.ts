/** Texts that differ in digits alone are read once: what each of them says is what it would say by itself. */
import test from "ava";
import { hasDigits, KeptAlike } from "../../src/payments/line-day/alike.ts";
import { findProduct } from "../../src/payments/catalogue.ts";
import { merchantBehind, merchantOf } from "../../src/payments/merchant.ts";

test("what is made of a text is kept for all that differ in digits alone, and for no other", (t) => {
  const kept = new KeptAlike<string>(10);
  const made = (text: string): string => kept.of(text, (own) => own);
  t.is(made("Kiosk 12 Nord 7"), "Kiosk 12 Nord 7");
  t.is(made("Kiosk 98 Nord 1"), "Kiosk 12 Nord 7");
  for (const other of ["Kiosk 123 Nord 7", "Kiosk 1a Nord 7", "kiosk 12 Nord 7", "Kiosk 12 Nord ٧", "Kiosk 12 Nord"])
    t.is(made(other), other);
});

test("of what is met no more only the turn before is kept", (t) => {
  const kept = new KeptAlike<number>(2);
  let made = 0;
  const numberOf = (text: string): number => kept.of(text, () => ++made);
  t.deepEqual(["A1", "B1", "C1", "A2", "D1"].map(numberOf), [1, 2, 3, 1, 4]);
  t.deepEqual(["A3", "E1", "F1", "B2"].map(numberOf), [1, 5, 6, 7]);
});

test("digits are 0 to 9", (t) => {
  t.deepEqual(["A 0", "9", "", "A/:", "٧"].map(hasDigits), [true, true, false, false, false]);
});

test("lines with another day are one payee's, each with its own text", (t) => {
  const [first, second] = ["Kortkøb 12.03 Søhus Kiosk 4471", "Kortkøb 28.11 Søhus Kiosk 9902"].map((line) =>
    merchantOf(null, line),
  );
  t.like(first, { key: "SOHUS KIOSK", title: "Søhus Kiosk", text: "Kortkøb 12.03 Søhus Kiosk 4471" });
  t.like(second, { key: "SOHUS KIOSK", title: "Søhus Kiosk", text: "Kortkøb 28.11 Søhus Kiosk 9902" });
  t.is(second?.searchText, "28.11 SOHUS KIOSK 9902");
});

test("a number that is left in the name is the line's own", (t) => {
  t.deepEqual(
    ["Garage5 Nord", "Garage7 Nord", "Garage5 Nord"].map((line) => merchantOf(null, line).key),
    ["GARAGE5 NORD", "GARAGE7 NORD", "GARAGE5 NORD"],
  );
});

test("a gateway that begins with a digit is no other digit's", (t) => {
  t.like(merchantOf(null, "3CO*Fjordlys"), { gateway: null });
  t.like(merchantOf(null, "2CO*Fjordlys"), { gateway: "2CHECKOUT", key: "FJORDLYS" });
});

test("a product that is told by its digit is found by that alone", (t) => {
  const found = ["4MOBIL NORGE 12", "3MOBIL NORGE 12", "5MOBIL NORGE 34", "3MOBIL NORGE 34"].map(
    (line) => findProduct(merchantOf(null, line), "DK")?.id,
  );
  t.deepEqual(found, [undefined, "3-mobil", undefined, "3-mobil"]);
  const short = ["KONTINGENT 4F 12", "KONTINGENT 3F 12", "KONTINGENT 3F 34"].map(
    (line) => findProduct(merchantOf(null, line), "DK")?.id,
  );
  t.deepEqual(short, [undefined, "3f", "3f"]);
});

test("who stands behind the bank's opening words has the line's own number, where the name has one", (t) => {
  const behind = (line: string): string => merchantBehind(merchantOf(null, line), "KUNDEKORT").key;
  t.deepEqual(["Kundekort Lysbutik 1234", "Kundekort Lysbutik 5678"].map(behind), ["LYSBUTIK", "LYSBUTIK"]);
  t.deepEqual(["Kundekort 1 1234", "Kundekort 2 5678"].map(behind), ["KUNDEKORT 1", "KUNDEKORT 2"]);
});
