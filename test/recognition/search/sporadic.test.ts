/** One or few payments make an undecided service where the product or the payee sells subscriptions only. */
import test from "ava";
import { addDays, type Day, dayFromNumber } from "../../../src/time/calendar.ts";
import type { PaymentFrequency } from "../../../src/interface/payment-frequency.ts";
import { productById } from "../../../src/payments/catalogue.ts";
import type { Payment } from "../../../src/payments/payment.ts";
import type { Payee } from "../../../src/payments/payee.ts";
import { sporadicService } from "../../../src/recognition/search/sporadic.ts";
import { at, paid, payeeWith } from "../obligations.ts";
import { row, services } from "../payments.ts";

test("a first payment for a product sold by subscription is an undecided service", (t) => {
  const found = services([row("2026-06-09", "NETFLIX.COM 2042367", -12_900)]);
  t.is(found.length, 1);
  t.like(found[0], {
    paymentFrequency: "MONTHLY",
    visibility: "UNDECIDED",
    status: "ACTIVE",
    nextExpectedDay: "2026-07-09",
  });
});

test("long after a single payment there is nothing to show", (t) => {
  t.deepEqual(services([row("2026-01-09", "NETFLIX.COM", -12_900)]), []);
});

test("payments of one price to an insurer without a cadence are one service of unknown frequency", (t) => {
  const days = ["2025-08-03", "2025-11-28", "2026-01-09", "2026-06-02"];
  const found = services(days.map((day) => row(day, "Kystens Assurance", -90_000, { mcc: 6300 })));
  t.is(found.length, 1);
  t.like(found[0], {
    paymentFrequency: "UNKNOWN",
    visibility: "UNDECIDED",
    status: "ACTIVE",
    nextExpectedDay: "2026-09-27",
  });
  const changing = days.map((day, index) => row(day, "Kystens Assurance", -(90_000 + index * 71_000), { mcc: 6300 }));
  t.deepEqual(services(changing), [], "at another price each time they may be anything");
});

test("a first payment to a merchant that sells only subscriptions is an undecided service", (t) => {
  const [found] = services([row("2026-06-09", "Bladet Lyset", -9_900, { mcc: 5968 })]);
  t.like(found, {
    paymentFrequency: "MONTHLY",
    visibility: "UNDECIDED",
    status: "ACTIVE",
    nextExpectedDay: "2026-07-09",
  });
  t.deepEqual(services([row("2026-06-09", "Bladet Lyset", -9_900, { mcc: 5942 })]), []);
});

test("a year after a trial the full price shows a yearly service, still to be confirmed", (t) => {
  const [found] = services([
    row("2024-11-09", "Bladet Lyset", -900, { mcc: 5968 }),
    row("2025-11-10", "Bladet Lyset", -140_900, { mcc: 5968 }),
  ]);
  t.like(found, { paymentFrequency: "YEARLY", visibility: "UNDECIDED", status: "ACTIVE" });
  t.is(found?.payments.length, 2);
});

/** Frequency, payments, next day and status of what the strays make, as of a day. */
function made(
  payments: Payment[],
  asOf: Day = "2026-06-30",
  payee: Payee = payeeWith(payments),
): [string, number, Day, string] | null {
  const found = sporadicService(payee, payments, 0, at(asOf), "DK");
  return found === null
    ? null
    : [found.frequency, found.payments.length, dayFromNumber(found.prediction.nextAt), found.prediction.status];
}

const insured = { mcc: 6300 };

test("three payments to a kind of merchant that surely recurs are a service, two are none", (t) => {
  const days: Day[] = ["2026-01-09", "2026-03-02", "2026-06-02"];
  t.deepEqual(made(paid(days, 9_900, "Kystens", insured)), ["UNKNOWN", 3, "2026-09-02", "ACTIVE"]);
  t.is(made(paid(days.slice(1), 9_900, "Kystens", insured)), null);
  t.is(
    made(paid(days, 9_900, "Kystens", { mcc: 4900 })),
    null,
    "utilities recur with a confidence of 0.7, less than the 0.75 asked for",
  );
  t.is(made(paid(days, 9_900, "Kystens", { mcc: 5411 })), null);
  t.is(made(paid(days, 9_900, "Kystens")), null);
});

test("without a cadence it is over when nothing came for two more of the usual gaps", (t) => {
  // Gaps of 10, 20 and 40 days: the middle one is the usual.
  const payments = paid(["2026-01-01", "2026-01-11", "2026-02-20", "2026-03-12"], 9_900, "Kystens", insured);
  t.deepEqual(made(payments, "2026-05-11"), ["UNKNOWN", 4, "2026-04-01", "ACTIVE"]);
  t.deepEqual(made(payments, "2026-05-12"), ["UNKNOWN", 4, "2026-04-01", "INACTIVE"]);
});

test("what comes in, and no payment at all, make no service", (t) => {
  t.is(made(paid(["2026-01-09", "2026-03-02", "2026-06-02"], -9_900, "Kystens", insured)), null);
  t.is(sporadicService(payeeWith(paid(["2026-06-09"], 9_900)), [], 0, at("2026-06-30"), "DK"), null);
});

test("a product's first payment comes again at its usual frequency, that of one without a frequency monthly", (t) => {
  const first = paid(["2026-06-09"], 9_900);
  const product = (frequencies: readonly PaymentFrequency[]): Payee => ({
    ...payeeWith(first),
    product: { ...productById("netflix")!, frequencies },
  });
  t.deepEqual(made(first, "2026-06-30", product(["QUARTERLY"])), ["QUARTERLY", 1, "2026-09-09", "ACTIVE"]);
  t.deepEqual(made(first, "2026-06-30", product([])), ["MONTHLY", 1, "2026-07-09", "ACTIVE"]);
});

test("of a gateway or a store nothing says that it sells by subscription", (t) => {
  const first = paid(["2026-06-09"], 9_900, "PAYPAL *");
  t.is(made(first, "2026-06-30", payeeWith(first, { product: "paypal", key: "paypal" })), null);
  const coded = paid(["2026-06-09"], 9_900, "PAYPAL *", { mcc: 5968 });
  t.deepEqual(made(coded, "2026-06-30", payeeWith(coded, { product: "paypal", key: "paypal" }))?.slice(0, 2), [
    "MONTHLY",
    1,
  ]);
});

test("two payments one period apart show their cadence, up to three days off", (t) => {
  const two = (later: Day, asOf: Day): unknown =>
    made(
      [...paid(["2026-03-10"], 100, "Bladet", { mcc: 5968 }), ...paid([later], 9_900, "Bladet", { mcc: 5968 })],
      asOf,
    )?.[0];
  t.is(two("2026-04-13", "2026-04-20"), "MONTHLY");
  t.is(two("2026-03-27", "2026-04-02"), "BIWEEKLY");
  t.is(two("2026-06-07", "2026-06-20"), "QUARTERLY");
  t.is(two("2026-05-03", "2026-05-20"), "MONTHLY", "54 days are no period: as most things it is taken to be monthly");
});

test("what was paid once and did not come again within the grace is nothing to show", (t) => {
  const payments = paid(["2026-05-18"], 9_900, "Bladet", { mcc: 5968 });
  t.deepEqual(made(payments, "2026-06-30"), ["MONTHLY", 1, "2026-07-01", "ACTIVE"]);
  t.is(made(payments, "2026-07-01"), null);
});

test("payments of one price for a product sold by subscription are a service, whatever the kind of merchant", (t) => {
  const payments = paid(["2026-01-09", "2026-03-02", "2026-06-02"], 9_900, "NETFLIX.COM", { mcc: 5411 });
  t.deepEqual(made(payments, "2026-06-30", payeeWith(payments, { product: "netflix" })), [
    "UNKNOWN",
    3,
    "2026-09-02",
    "ACTIVE",
  ]);
});

test("gaps that vary by more than three fifths of their mean keep no pace", (t) => {
  const gaps = (first: number, second: number) =>
    made(
      paid(
        ["2025-06-01", addDays("2025-06-01", first), addDays("2025-06-01", first + second)],
        9_900,
        "Kystens",
        insured,
      ),
      "2026-06-01",
    );
  // Of two gaps: half their difference over half their sum.
  t.not(gaps(160, 40), null);
  t.is(gaps(161, 39), null);
});

/** Eight payments of one price with these gaps. */
const byHand = (gaps: readonly number[], minor = 25_400): Payment[] => {
  let day: Day = "2026-01-05";
  return paid([day, ...gaps.map((gap) => (day = addDays(day, gap)))], minor, "Pilates Wilma");
};
const around = [5, 9, 12, 2, 8, 7, 6];

test("eight payments of just one price at gaps around a week's are one, on whatever days", (t) => {
  const payments = byHand(around);
  t.is(payments.at(-1)?.transaction.day, "2026-02-23");
  t.deepEqual(made(payments, "2026-02-24"), ["WEEKLY", 8, "2026-03-02", "ACTIVE"]);
  t.is(made(payments.slice(1), "2026-02-24"), null, "seven are too few");
});

test("by hand, too, the price is all that the payee is paid, or what a loan is: most often one, now and then arrears", (t) => {
  const payments = byHand(around);
  const others = payeeWith([...payments, ...paid(["2026-02-25"], 4_000, "Pilates Wilma")]);
  t.is(made(payments, "2026-02-26", others), null);
  /** With other prices on the days of some of the payments. */
  const late = (minors: readonly number[], minor = 25_400, more = {}): unknown =>
    made(
      byHand(around, minor).flatMap(({ transaction: { day } }, index) =>
        paid([day], minors[index] ?? minor, "Pilates Wilma", more),
      ),
      "2026-02-24",
    )?.[0] ?? null;
  t.is(late([27_600, 50_800, 14_000]), "WEEKLY");
  t.is(late([27_600, 50_800, 14_000, 26_100]), "WEEKLY", "half of them");
  t.is(late([27_600, 50_800, 14_000, 26_100, 26_200]), null, "three of eight");
  t.is(late([27_600, 76_200]), null, "three times as much is something else");
  t.is(late([27_600], 25_000), null, "whole fives are chosen anew");
  t.is(late([27_600], 25_400, { rawType: "CARD_PURCHASE" }), null, "what is bought costs what it costs");
});

test("a price that is kept for four payments may be followed by another one", (t) => {
  const days = byHand(around).map(({ transaction }) => transaction.day);
  const card = { rawType: "CARD_PURCHASE" };
  const stepped = (before: number) =>
    days.flatMap((day, index) => paid([day], index < before ? 25_400 : 26_900, "Pilates Wilma", card));
  t.is(made(stepped(4), "2026-02-24")?.[0], "WEEKLY");
  t.is(made(stepped(3), "2026-02-24"), null);
  t.is(made(stepped(5), "2026-02-24"), null, "nor fewer afterwards");
});

test("what costs no more than most is no service by hand, unless it is collected and more than a fee", (t) => {
  const dated = (usualCost: number, rawType: string): boolean => {
    const payments = byHand(around).map(({ transaction }) => transaction);
    const prepared = payments.flatMap(({ day }) => paid([day], 25_400, "Pilates Wilma", { rawType }));
    return sporadicService(payeeWith(prepared), prepared, usualCost, at("2026-02-24"), "DK") !== null;
  };
  t.deepEqual([dated(8_466, "PAYMENT"), dated(8_468, "PAYMENT")], [true, false], "three times as much");
  t.deepEqual([dated(101_600, "DIRECT_DEBIT"), dated(101_601, "DIRECT_DEBIT")], [true, false], "a quarter");
});

test("what is dear is looked at with what looked like a habit, what is collected without", (t) => {
  const payments = byHand(around);
  const from = (rawType: string): boolean => {
    const all = payments.flatMap(({ transaction: { day } }) => paid([day], 25_400, "Pilates Wilma", { rawType }));
    const usualCost = rawType === "DIRECT_DEBIT" ? 25_400 : 2_000;
    return sporadicService(payeeWith(all), all.slice(6), usualCost, at("2026-02-24"), "DK", undefined, all) !== null;
  };
  t.deepEqual([from("PAYMENT"), from("DIRECT_DEBIT")], [true, false]);
});

test("by hand, the mean gap is a cadence's within a quarter, no gap is three times it, and the gaps keep a pace", (t) => {
  const frequency = (gaps: readonly number[]) => made(byHand(gaps), "2026-02-24")?.[0] ?? null;
  t.is(frequency([9, 8, 9, 9, 9, 9, 8]), "WEEKLY", "61 days over 7");
  t.is(frequency([9, 9, 9, 9, 9, 9, 8]), null, "62 days over 7");
  t.is(frequency([5, 5, 6, 5, 6, 6, 21]), null, "three weeks are more than three times 54 over 7, nearly");
  t.is(frequency([1, 1, 14, 1, 14, 1, 14]), null);
  t.is(frequency([1, 1, 1, 1, 1, 1, 1]), null, "what comes daily is no payment by hand");
});

test("behind a gateway two gaps show no pace unless they are nearly as long", (t) => {
  const found = (days: Day[], more: Partial<Payee> = {}): boolean => {
    const payments = paid(days, 3_490);
    const payee = { ...payeeWith(payments, { product: "youtube-premium" }), ...more };
    return sporadicService(payee, payments, 0, at("2026-06-30"), "DK") !== null;
  };
  const uneven: Day[] = ["2025-12-12", "2026-01-23", "2026-06-09"];
  t.true(found(uneven));
  t.false(found(uneven, { gateway: "GOOGLE" }), "films are lent there too");
  t.true(found(["2025-12-12", "2026-03-01", "2026-06-09"], { gateway: "GOOGLE" }));
});
