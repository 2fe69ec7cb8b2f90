/** Where no merchant's category is told, a name that is known, or a word in it, tells what is owed there and what is bought. */
import test from "ava";
import { explain } from "../../../src/recognition/explain/explain.ts";
import { knownByName, type PriorReason, priorByName } from "../../../src/recognition/search/prior.ts";
import type { HistoryTransaction } from "../../../src/recognition/recognise.ts";
import type { Day } from "../../../src/time/calendar.ts";
import { paid, payeeWith } from "../obligations.ts";
import { monthly, row, services } from "../payments.ts";

const known = (name: string, more: Partial<HistoryTransaction> = {}, country = "DK"): number | null =>
  knownByName(payeeWith(paid(monthly("2026-01-12", 2), 9_900, name, more)), country)?.logOdds ?? null;

test("an insurer and a pension are owed, as surely as their names are known", (t) => {
  t.is(known("GF Forsikring"), 3.2 * 0.92);
  t.is(known("Husleje Havnsted"), 1.5 * 0.8);
});

test("a short name may be a person's, and what also sells in passing is owed no more surely than bought", (t) => {
  t.is(known("IDA Holm"), 1.5 * 0.92);
  t.is(known("Skistar"), 1.5 * 0.92);
  t.is(known("Henner Raabe", {}, "DE"), 1.5 * 0.7, "an insurer in France");
});

test("members' fees are owed", (t) => {
  t.is(known("Havnsted Medlemskontingent"), 1.5 * 0.8);
});

test("a fitness club is owed by its name, and not by a word that others have", (t) => {
  t.is(known("Loop Fitness"), 1.5 * 0.92);
  t.is(known("Havnsted Fitnesscenter"), null);
});

test("a furniture shop and a timber yard are bought at", (t) => {
  t.is(known("Ikea"), -1.5 * 0.92);
  t.is(known("Havnsted Tømmerhandel"), -1.5 * 0.8);
});

test("groceries are bought again and again, which a word says half as surely as a name", (t) => {
  t.is(known("Netto"), -3 * 0.92);
  t.is(known("Havnsted Pizzeria"), -1.5 * 0.8);
});

test("who is not known, or for what may be either, says nothing", (t) => {
  t.is(known("Sundby Motion"), null);
  t.is(known("DSB"), null);
});

test("who is not known by all that the line says is by what is left of it once the user's usual endings are off", (t) => {
  const payments = paid(monthly("2026-01-12", 2), 9_900, "Spectrum CA Card");
  t.is(knownByName(payeeWith(payments), "US"), null);
  t.is(knownByName(payeeWith(payments, { key: "SPECTRUM" }), "US")?.logOdds, 3.2 * 0.92);
});

test("a short word may be an abbreviation", (t) => {
  t.is(known("Bet Havnsted", {}, "GB"), null);
});

test("a short word that is the whole name is none", (t) => {
  t.is(known("Luz", {}, "ES"), 1.5 * 0.8);
  t.is(known("Luz Havnsted", {}, "ES"), null);
});

test("a merchant's category is not told twice, and a product's is known", (t) => {
  t.is(known("Netto", { mcc: 5411 }), null);
  t.is(knownByName(payeeWith(paid(["2026-01-12"], 9_900, "Tryg"), { product: "tryg", key: "tryg" }), "DK"), null);
});

test("names are read in the user's country", (t) => {
  t.is(known("Husleje Havnsted", {}, "GB"), null);
  t.is(known("Havnsted Waterworks", {}, "US"), 1.5 * 0.8);
});

test("what is known by the name is one more reason; who pays us is not looked up", (t) => {
  const reasons = (minor: number): string[] =>
    priorByName(payeeWith(paid(["2026-01-12", "2026-02-12"], minor, "Netto")), "DK").map(({ reason }) => reason);
  t.deepEqual(reasons(9_900), ["BASE", "PAYMENT_KIND", "MERCHANT_CATEGORY"]);
  t.deepEqual(reasons(-9_900), ["BASE", "PAYMENT_KIND"]);
});

/** Risen by four in a hundred and two days later in the year. */
const yearly = (name: string): HistoryTransaction[] =>
  (["2025-03-10", "2026-03-12"] as Day[]).map((day, index) =>
    row(day, name, index === 0 ? -118_400 : -123_100, { rawType: "CARD_PURCHASE" }),
  );

test("a yearly bill that is seen twice is asked about where the name says that it is owed", (t) => {
  const found = (name: string): string[] => services(yearly(name)).map((one) => one.paymentFrequency);
  t.deepEqual(found("GF Forsikring"), ["YEARLY"]);
  t.deepEqual(found("Sundby Motion"), []);
  t.deepEqual(found("Ikea"), []);
});

test("what is bought on nearly one day of the month is asked about, and at a grocer's not", (t) => {
  const days: Day[] = ["2026-01-12", "2026-02-12", "2026-03-13", "2026-04-12", "2026-05-12", "2026-06-11"];
  const found = (name: string): number =>
    services(
      days.map((day, index) => row(day, name, -20_000 - ((index * 7_919) % 5) * 2_450, { rawType: "CARD_PURCHASE" })),
    ).length;
  t.is(found("Sundby Motion"), 1);
  t.is(found("Netto"), 0);
});

const contract = "Sundby Motion Kundenr 4471982";

test("a contract's number speaks for an agreement, but where the kind of payment says so already", (t) => {
  const reasons = (rawType: string): (string | number)[][] =>
    priorByName(payeeWith(paid(["2025-03-10", "2026-03-10"], 9_900, contract, { rawType })), "DK").map(
      ({ reason, logOdds }) => [reason, logOdds],
    );
  t.deepEqual(reasons("PAYMENT").at(-1), ["AGREEMENT", 1.5]);
  t.deepEqual(reasons("CARD_PURCHASE").at(-1), ["AGREEMENT", 1.5]);
  for (const told of ["DIRECT_DEBIT", "BANK_FEE", "CASH_WITHDRAWAL", "INTEREST"])
    t.is(reasons(told).at(-1)?.[0], "PAYMENT_KIND", told);
});

test("a yearly bill that rises is asked about at its second payment where both lines name one contract", (t) => {
  const found = (...names: string[]): string[] => services(names.flatMap((name, at) => yearly(name)[at]!)).map(explain);
  t.regex(found(contract, contract).join(), /every year.*a contract's number in the lines/);
  t.deepEqual(found("Sundby Motion Kundenr 4471982", "Sundby Motion Kundenr 4471983"), []);
});

test("a year that the lines count on does too, however it is paid", (t) => {
  const reasons = (first: string, second: string, rawType: string): (string | number)[] => {
    const payments = [
      ...paid(["2025-03-10"], 9_900, first, { rawType }),
      ...paid(["2026-03-10"], 9_900, second, { rawType }),
    ];
    const { reason, logOdds } = priorByName(payeeWith(payments), "DK").at(-1)!;
    return [reason, logOdds];
  };
  for (const rawType of ["PAYMENT", "CARD_PURCHASE", "DIRECT_DEBIT"])
    t.deepEqual(reasons("Sundby Motion for 2025", "Sundby Motion for 2026", rawType), ["COUNTER", 1.5]);
  t.not(reasons("Sundby Motion for 2025", "Sundby Motion for 2025", "PAYMENT")[0], "COUNTER");
});

test("a yearly bill that rises is asked about at its second payment where its lines count the year", (t) => {
  const found = (...names: string[]): string[] => services(names.flatMap((name, at) => yearly(name)[at]!)).map(explain);
  t.regex(found("Sundby Motion for 2025", "Sundby Motion for 2026").join(), /every year.*a year in the lines/);
  t.deepEqual(found("Sundby Motion for 2025", "Sundby Motion for 2025"), []);
});

test("a word for what is owed again and again speaks for an agreement, however it is paid", (t) => {
  const last = (name: string, rawType: string): PriorReason | undefined =>
    priorByName(payeeWith(paid(["2025-03-10", "2026-03-10"], 9_900, name, { rawType })), "DK").at(-1);
  for (const rawType of ["PAYMENT", "CARD_PURCHASE", "DIRECT_DEBIT"])
    t.deepEqual(last("Vestkreds membership", rawType), { reason: "DUES", logOdds: 1.5 });
  t.is(last("Vestkreds", "PAYMENT")?.reason, "PAYMENT_KIND");
});

test("a fee of once a year is shown at its second payment where both lines call it one", (t) => {
  const shown = (name: string): string[] =>
    services(
      (["2025-03-10", "2026-03-13"] as Day[]).map((day) => row(day, name, -15_500, { rawType: "CARD_PURCHASE" })),
    ).map((service) => `${service.visibility} ${explain(service)}`);
  t.regex(shown("Canone Vestkreds").join(), /^VISIBLE .*a word in the lines for what is owed/);
  t.notRegex(shown("Carta Vestkreds").join(), /VISIBLE/);
});
