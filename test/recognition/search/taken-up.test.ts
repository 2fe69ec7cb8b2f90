/** At one payee an obligation goes on that was taken up again, or whose offer is over, though nothing else fits. */
import test from "ava";
import type { Day } from "../../../src/time/calendar.ts";
import { joinContinuations } from "../../../src/recognition/search/continuation.ts";
import { kinshipOf } from "../../../src/recognition/search/kinship.ts";
import type { Obligation } from "../../../src/recognition/search/obligation.ts";
import type { Payment } from "../../../src/payments/payment.ts";
import { obligationWith, paid, payeeWith } from "../obligations.ts";
import { monthly } from "../payments.ts";

const joined = (...obligations: Obligation[]): string[] =>
  joinContinuations(obligations, kinshipOf([...new Set(obligations.map(({ payee }) => payee))]), "DK")
    .map(({ title, payments }) => `${title} ${payments.length}`)
    .toSorted();

test("what was cancelled and is taken up again at its price, on another day, is the same obligation", (t) => {
  const payments = [...paid(monthly("2025-06-17", 6), 8_000), ...paid(monthly("2026-02-09", 3), 8_000)];
  const strays = paid(["2025-07-01", "2025-08-03", "2025-10-05"], 21_300);
  const payee = payeeWith([...payments, ...strays]);
  const runs = (later: Payment[]): string[] =>
    joined(obligationWith(payments.slice(0, 6), "MONTHLY", payee), obligationWith(later, "MONTHLY", payee));
  t.deepEqual(runs(payments.slice(6)), ["Sundby Motion 9"]);
  t.is(runs(payments.slice(6, 8)).length, 2, "two payments may be two purchases");
  t.is(runs(paid(monthly("2026-02-09", 3), 12_900)).length, 2, "another price is another agreement's");
  t.is(runs(paid(monthly("2026-05-09", 3), 8_000)).length, 2, "half a year later anything may begin");
});

test("what is sold by agreement alone goes on at its full price once an offer is over", (t) => {
  const offer = paid(monthly("2025-06-12", 6), 3_900);
  const full = paid(monthly("2025-12-12", 3), 14_900);
  const runs = (product: string | undefined, later: Payment[]): number => {
    const payee = payeeWith([...offer, ...later, ...paid(["2025-07-03", "2025-08-20"], 99_900)], product === undefined ? {} : { product }); // prettier-ignore
    return joined(obligationWith(offer, "MONTHLY", payee), obligationWith(later, "MONTHLY", payee)).length;
  };
  t.is(runs("netflix", full), 1);
  t.is(runs(undefined, full), 2, "a shop sells other things");
  t.is(runs("netflix", paid(monthly("2025-12-12", 3), 24_900)), 2, "six times as much");
  t.is(runs("netflix", paid(monthly("2025-12-29", 3), 14_900)), 2, "not when it was due");
  const inDollars = paid(monthly("2025-12-12", 3), 14_900, "Sundby Motion", { originalAmountMinor: -2_100, originalCurrency: "USD" }); // prettier-ignore
  t.is(runs("netflix", inDollars), 1, "by what the account paid, whatever the price's currency");
});

test("with a new card or account the name and the day may change together, of one who was paid no more and one who never was", (t) => {
  const old = paid(monthly("2025-06-16", 7), 10_059, "Kystens Tele Loebende");
  const runs = (name: string, first: Day, minor = 8_059, more: Payment[] = []): number => {
    const later = paid(monthly(first, 4), minor, name);
    return joined(
      obligationWith(old, "MONTHLY", payeeWith(old)),
      obligationWith(later, "MONTHLY", payeeWith([...more, ...later])),
    ).length;
  };
  t.is(runs("Kystens Tele Opkraevning", "2026-01-27"), 1);
  t.is(runs("Puls Form", "2026-01-27"), 2, "another name");
  t.is(runs("Kystens Tele Opkraevning", "2026-03-27"), 2, "three periods later");
  t.is(runs("Kystens Tele Opkraevning", "2026-01-27", 80_059), 2, "a price that is none of the same");
  const before = paid(["2025-09-03"], 8_059, "Kystens Tele Opkraevning");
  t.is(runs("Kystens Tele Opkraevning", "2026-01-27", 8_059, before), 2, "who was paid beside it");
});
