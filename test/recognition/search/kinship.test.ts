/** Which of a user's payees may be one: by names that few share, and by customer numbers that return. */
import test from "ava";
import type { Day } from "../../../src/time/calendar.ts";
import { type Kinship, kinshipOf } from "../../../src/recognition/search/kinship.ts";
import type { Payee } from "../../../src/payments/payee.ts";
import type { Payment } from "../../../src/payments/payment.ts";
import { payeeWith, prepared } from "../obligations.ts";
import { monthly, row } from "../payments.ts";

/** A payee of payments a month apart with these texts. */
const payee = (...texts: string[]): Payee =>
  payeeWith(prepared(texts.map((text, index) => row(monthly("2026-01-12", texts.length)[index]!, text, -20_000))));
const kin = (a: Payee, b: Payee, ...others: Payee[]): boolean => {
  const { areKin } = kinshipOf([a, b, ...others]);
  return areKin(a, b) && areKin(b, a);
};

test("payees with related names may be one", (t) => {
  t.true(kin(payee("Nordkraft"), payee("Nordkraft Elnet")));
  t.false(kin(payee("Nordkraft"), payee("Puls Form")));
});

test("a word that more than four payees have is a place's or a bank's", (t) => {
  const towns = ["Havnsted Kro", "Havnsted Bageri", "Havnsted Taxa", "Havnsted Optik", "Havnsted Cykler"].map((name) =>
    payee(name),
  );
  const [first, second, ...others] = towns as [Payee, Payee, ...Payee[]];
  t.true(kin(first, second, ...others.slice(0, 2)));
  t.false(kin(first, second, ...others));
});

/** Payments of one price on these days. */
const paidOn = (name: string, ...days: Day[]): Payee => payeeWith(prepared(days.map((day) => row(day, name, -20_000))));

test("what parts in its last word and is paid while the other is, is another bill", (t) => {
  const water = paidOn("Sundby Kommune Vand", ...monthly("2026-01-12", 4, 2));
  t.false(kin(water, paidOn("Sundby Kommune Skat", "2026-02-10", "2026-08-10")));
  t.false(kin(water, paidOn("Sundby Kommune Skat", "2026-02-10")), "once");
  t.true(kin(water, paidOn("Sundby Kommune Skat", "2026-07-13", "2026-09-14")), "later: a new name");
  t.true(kin(water, paidOn("Sundby Kommune Skat", "2025-11-12", "2026-01-12")), "earlier: an old name");
  t.true(kin(water, paidOn("Kommune Sundby Skat", "2026-02-10", "2026-08-10")), "other names may be another spelling");
});

test("what comes at most once or twice a year under either name may be told by the season", (t) => {
  const spring = paidOn("Sundby Kommune Foraar", "2025-05-01", "2026-05-01");
  t.true(kin(spring, paidOn("Sundby Kommune Sommer", "2024-06-01", "2025-06-01", "2026-06-01")));
  t.true(kin(spring, paidOn("Sundby Kommune Sommer", "2025-06-01", "2025-12-20")), "202 days apart");
  t.false(kin(spring, paidOn("Sundby Kommune Sommer", "2025-06-01", "2025-12-18")), "200 days apart");
});

test("a customer number tells more than the last word", (t) => {
  const [water, tax] = ["Vand", "Skat"].map((word, index) =>
    paidOn(`Sundby Kommune ${word} kundenr 4471982`, `2026-01-${12 + index}`, "2026-03-12", "2026-05-12"),
  ) as [Payee, Payee];
  t.true(kin(water, tax));
});

test("other names may be given than those of the latest payments", (t) => {
  const [a, b] = [payee("Nordkraft"), payee("Puls Form")];
  t.true(kinshipOf([a, b]).areKin(a, b, "Nordkraft", "Nordkraft Elnet"));
});

/** The number in each of the texts. */
const withNumber = (name: string, number: string, count = 2): Payee =>
  payee(...Array.from({ length: count }, () => `${name} kundenr ${number}`));

const shared = (a: Payee, b: Payee, ...others: Payee[]): boolean => {
  const kinship: Kinship = kinshipOf([a, b, ...others]);
  t2(kinship, a, b);
  return kinship.shareReference(a, b);
};
/** Whoever shares a number is kin, and found by it. */
function t2(kinship: Kinship, a: Payee, b: Payee): void {
  const is = kinship.shareReference(a, b);
  if (
    kinship.shareReference(b, a) !== is ||
    kinship.withReferenceOf(a).includes(b) !== is ||
    (is && !kinship.areKin(a, b))
  )
    throw new Error("a shared number is told differently");
}

test("one customer number makes payees kin, whatever they are called", (t) => {
  t.true(shared(withNumber("Nordkraft", "4471982"), withNumber("Puls Form", "4471982")));
  t.false(shared(withNumber("Nordkraft", "4471982"), withNumber("Puls Form", "4471983")));
  t.true(shared(withNumber("Nordkraft", "K44719B"), withNumber("Puls Form", "K44719B")), "letters beside five digits");
});

test("a number that others share relates nobody else", (t) => {
  const [nordkraft, puls] = [withNumber("Nordkraft", "4471982"), withNumber("Puls Form", "5582093")];
  t.false(shared(nordkraft, puls, withNumber("Lydbogen", "4471982"), withNumber("Havnsted Kro", "5582093")));
});

test("a number of four digits is no customer's", (t) => {
  t.false(shared(withNumber("Nordkraft", "4471"), withNumber("Puls Form", "4471")));
});

test("a number may be grouped, where seven digits or more are in it and none of its parts has five", (t) => {
  const same = (a: string, b = a): boolean => shared(withNumber("Nordkraft", a), withNumber("Puls Form", b));
  for (const number of ["2775-128-86", "7043/1-128", "B2-390-4844"]) t.true(same(number), number);
  t.true(same("2775-128-86 til Nordkraft", "2775-128-86"));
  t.false(same("2775-128-86", "2775-128-87"));
  t.false(same("277-128"), "six");
  t.false(same("2775 128 86"), "words beside each other are no group");
  t.true(same("44719/22-1", "44719/23-2"), "a part that is a number by itself");
  t.false(same("2775-1289 4", "2775-1288 4"));
});

test("a day that is written with hyphens or slashes is no number", (t) => {
  for (const day of ["2026-03-14", "14/03/2026", "1-3-2026", "2026/3/14-128"])
    t.false(shared(withNumber("Nordkraft", day), withNumber("Puls Form", day)), day);
});

test("a number that does not return from one payment to the next is the payment's", (t) => {
  const changing = payee("Nordkraft 4471981", "Nordkraft 4471982");
  t.false(shared(changing, withNumber("Puls Form", "4471982")));
  t.true(shared(withNumber("Nordkraft", "4471982", 1), withNumber("Puls Form", "4471982")), "one payment may carry it");
});

test("a number that more than three payees have is the user's own", (t) => {
  const [a, b, c, d] = ["Nordkraft", "Puls Form", "Havnsted Kro", "Lydbogen"].map((name) =>
    withNumber(name, "4471982"),
  ) as [Payee, Payee, Payee, Payee];
  t.true(shared(a, b, c));
  t.false(shared(a, b, c, d));
});

test("a payee is not among those that share its number, and one that shares none has none", (t) => {
  const [a, b] = [withNumber("Nordkraft", "4471982"), withNumber("Puls Form", "4471982")];
  const kinship = kinshipOf([a, b, payee("Lydbogen")]);
  t.deepEqual(kinship.withReferenceOf(a), [b]);
  t.deepEqual(kinshipOf([a]).withReferenceOf(a), []);
  t.deepEqual(kinship.withReferenceOf(payee("Lydbogen")), []);
});

test("a payee made of several later on shares numbers by its own payments", (t) => {
  const [a, b] = [withNumber("Nordkraft", "4471982"), withNumber("Puls Form", "4471982")];
  const kinship = kinshipOf([a, b]);
  const days: Day[] = ["2026-03-12", "2026-04-12"];
  const joined = payeeWith([
    ...a.payments,
    ...prepared(days.map((day) => row(day, "Nordkraft kundenr 4471982", -100))),
  ]);
  t.true(kinship.shareReference(joined, b));
  t.true(kinship.shareReference(b, joined));
  t.deepEqual(kinship.withReferenceOf(joined), [a, b]);
});

test("lines that send to one domain are one payee's under whatever name, unless it sells others' things", (t) => {
  t.true(kin(payee("Sandvig 877-82448 SANDVIG.COM/BILL"), payee("SDV*SANDVIGPLUS sandvig.com/bill")));
  t.false(kin(payee("Sandvig 877-82448 SANDVIG.COM/BILL"), payee("SDV*PLUSKANAL plus.com/bill")));
  t.false(kin(payee("Puls Form REF.NO 41"), payee("Nordkraft REF.NO 17")), "a word's own abbreviation");
  t.false(kin(payee("PAYPAL *HUSET paypal.com"), payee("PAYPAL *MARKEN paypal.com")));
});

test("a domain that more than four payees have is a shop's, and makes none of them another's new name", (t) => {
  const [one, other, ...more] = ["Alfa", "Brig", "Corn", "Dune", "Elmo"].map((name) =>
    payee(`${name} SANDVIG.COM/BILL`),
  ) as [Payee, Payee, ...Payee[]];
  t.true(kin(one, other, ...more.slice(0, 2)));
  t.false(kin(one, other, ...more));
});

test("a contract's number is in the lines where one run ends and another begins, and is not the user's own", (t) => {
  const lines = (name: string, numbers: readonly string[]): Payee =>
    payee(...numbers.map((one) => `${name} Kd-Nr ${one}`));
  const ofTwo = ["602972355", "602861140", "602972355", "602861140"];
  const before = lines("Sandvig Fon Lastzettel", ofTwo);
  const after = lines("Sandvig Fon Zettel", ofTwo);
  const contract = ({ payments }: Payee, number: string): Payment[] =>
    payments.filter(({ transaction }) => transaction.description.includes(number));
  const { haveOneContract } = kinshipOf([before, after]);
  t.true(haveOneContract(contract(before, "602972355"), contract(after, "602972355")));
  t.false(haveOneContract(contract(before, "602972355"), contract(after, "602861140")));
  t.false(haveOneContract(before.payments, after.payments), "numbers that do not return");
  const own = ["Nordkraft", "Puls Form", "Rugbageriet", "Fjordbladet"].map((name) =>
    lines(name, ["715599001", "715599001"]),
  );
  const [one, other] = own as [Payee, Payee];
  t.false(kinshipOf(own).haveOneContract(one.payments, other.payments), "a number that many payees' lines have");
});
