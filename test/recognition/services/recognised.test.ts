/** An obligation becomes a recognised service with its confidence, state and next payment. */
import test from "ava";
import { confidenceOf } from "../../../src/recognition/search/confidence.ts";
import { fromObligation, fromSporadic } from "../../../src/recognition/services/recognised.ts";
import type { RegularFrequency } from "../../../src/recognition/search/cadence.ts";
import type { Obligation } from "../../../src/recognition/search/obligation.ts";
import { at, obligationWith, paid, paidAmounts, payeeWith } from "../obligations.ts";
import { monthly, row } from "../payments.ts";

const gym = obligationWith(paid(monthly("2026-01-12", 6), 19_900, "Sundby Motion", { cardId: "card-1" }));
const service = (obligation: Obligation, asOf = "2026-06-30") =>
  fromObligation(obligation, [], { asOf, country: "DK" });

test("an obligation is told with its payments, what comes next, and why it was recognised", (t) => {
  const refund = row("2026-04-20", "Sundby Motion", 5_000);
  t.deepEqual(
    fromObligation(
      { ...gym, logOdds: 3, aliases: ["PULS"], misses: 1, prior: [{ reason: "PAYMENT_KIND", logOdds: 2 }] },
      [refund],
      { asOf: "2026-06-30", country: "DK" },
    ),
    {
      key: `OUT:SUNDBY MOTION:${gym.payments[0]!.transaction.txid}`,
      direction: "OUT",
      title: "Sundby Motion",
      productId: null,
      gateway: null,
      store: null,
      payments: gym.payments.map(({ transaction }) => transaction),
      refunds: [refund],
      paymentFrequency: "MONTHLY",
      status: "ACTIVE",
      nextExpectedDay: "2026-07-12",
      isOverdue: false,
      instalments: null,
      expectedAmountMinor: 19_900,
      currency: "DKK",
      confidence: confidenceOf({ ...gym, logOdds: 3 }),
      visibility: "UNDECIDED",
      evidence: {
        payeeKey: "SUNDBY MOTION",
        aliases: ["PULS"],
        prior: [{ reason: "PAYMENT_KIND", logOdds: 2 }],
        logOdds: 3,
        misses: 1,
        isFixedPrice: true,
        habit: "AS_DUE",
        dueDayOfMonth: 12,
        periodDays: null,
        pausedMonths: [],
        spreadDays: 0,
      },
    },
  );
});

test("it is shown without asking where it is sure and three payments are there", (t) => {
  t.is(service({ ...gym, logOdds: 9 }).visibility, "VISIBLE");
  t.is(service({ ...gym, logOdds: 0 }).visibility, "UNDECIDED");
  t.true(service({ ...gym, logOdds: 9 }).confidence > 0.95);
  const count = (payments: number, frequency: RegularFrequency, months: number): string =>
    service(obligationWith(paid(monthly("2024-01-12", payments, months), 19_900), frequency)).visibility;
  t.deepEqual([count(2, "MONTHLY", 1), count(3, "MONTHLY", 1)], ["UNDECIDED", "VISIBLE"]);
  t.deepEqual([count(2, "QUARTERLY", 3), count(3, "QUARTERLY", 3)], ["UNDECIDED", "VISIBLE"]);
});

test("where payments lie half a year apart, two are enough", (t) => {
  t.is(service(obligationWith(paid(monthly("2025-06-12", 2, 6), 19_900), "HALFYEARLY")).visibility, "VISIBLE");
  t.is(service(obligationWith(paid(monthly("2025-06-12", 2, 12), 19_900), "YEARLY")).visibility, "VISIBLE");
  t.is(service(obligationWith(paid(["2025-06-12"], 19_900), "YEARLY")).visibility, "UNDECIDED");
});

test("past its grace it has ended", (t) => {
  t.like(service(gym, "2026-08-31"), { status: "INACTIVE", nextExpectedDay: "2026-07-12" });
});

test("the catalogue brings the product, its store, and the gateway is the payee's", (t) => {
  const store = {
    ...gym,
    payee: payeeWith(gym.payments, { product: "app-store-subscription-store-b", gateway: "GOOGLE" }),
  };
  t.like(service(store), { productId: "app-store-subscription-store-b", store: "STORE_B", gateway: "GOOGLE" });
});

test("the currency is that of the latest payment", (t) => {
  const moved = [
    ...paid(monthly("2026-01-12", 3), 1_000),
    ...paid(monthly("2026-04-12", 3), 1_000, "Sundby Motion", { currency: "EUR" }),
  ];
  t.is(service(obligationWith(moved)).currency, "EUR");
});

test("what recurs without a cadence is as likely as is known of it, and asked about", (t) => {
  const payments = paidAmounts(
    ["2026-01-12", "2026-03-29", "2026-06-02"],
    [61_200, 70_500, 58_300],
    "Kystens Assurance",
  );
  const sporadic = fromSporadic({
    payee: payeeWith(payments),
    payments,
    frequency: "UNKNOWN",
    prediction: { nextAt: at("2026-08-17"), status: "ACTIVE", isOverdue: false },
    confidence: 0.7,
  });
  t.like(sporadic, {
    key: `OUT:KYSTENS ASSURANCE:${payments[0]!.transaction.txid}`,
    title: "Kystens Assurance",
    paymentFrequency: "UNKNOWN",
    status: "ACTIVE",
    nextExpectedDay: "2026-08-17",
    confidence: 0.7,
    visibility: "UNDECIDED",
    evidence: {
      payeeKey: "KYSTENS ASSURANCE",
      logOdds: 0,
      misses: 0,
      isFixedPrice: false,
      habit: null,
      dueDayOfMonth: null,
      periodDays: null,
      spreadDays: null,
    },
  });
  t.deepEqual([sporadic.refunds, sporadic.evidence.aliases], [[], []]);
  t.deepEqual(
    sporadic.evidence.prior.map(({ reason }) => reason),
    ["BASE", "PAYMENT_KIND"],
  );
});
