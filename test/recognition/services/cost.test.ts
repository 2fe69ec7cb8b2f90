/** A payment's cost is told in the brand's currency at the day's rate, beside the price that was asked. */
import test from "ava";
import { recognise, type HistoryTransaction, type RecognisedService } from "../../../src/recognition/recognise.ts";
import {
  expectedAmount,
  expectedOriginal,
  originalOf,
  type ServiceContext,
  servicePayment,
  totalLastTwelveMonths,
  yearlyCost,
} from "../../../src/recognition/services/cost.ts";
import { context as brand, everyDays, monthly, row, rows } from "../payments.ts";

/** DKK 7.50 for a euro; for a dollar 6.50 up to May and 7.00 later; nobody knows a rate of the pound. */
const context: ServiceContext = {
  asOf: "2026-06-30",
  country: "DK",
  currency: "DKK",
  importCompletedDay: null,
  imageBaseUrl: "https://bank.example",
  hiddenProductIds: new Set(),
  convert: ({ minor, currency: from }, currency, day) => {
    const rate = { EUR: 7.5, USD: day <= "2026-05-31" ? 6.5 : 7 }[from];
    return rate === undefined ? null : { minor: Math.round(minor * rate), currency };
  },
  paymentId: ({ txid }) => txid.length,
};

const service = (history: readonly HistoryTransaction[]): RecognisedService => recognise(history, brand).services[0]!;
const dollars = { originalAmountMinor: -900, originalCurrency: "USD" };

test("a payment is told as a cost, with its ids and its day", (t) => {
  t.deepEqual(servicePayment(row("2026-06-12", "Sundby Motion", -19_900, { txid: "tx-1" }), context), {
    id: 4,
    sourceTransactionId: "tx-1",
    amount: 199,
    currency: "DKK",
    originalAmount: 199,
    originalCurrency: "DKK",
    date: "2026-06-12",
  });
});

test("what comes in is a negative cost", (t) => {
  t.like(servicePayment(row("2026-06-12", "Sundby Motion", 5_000), context), { amount: -50, originalAmount: -50 });
});

test("a foreign price is told beside what the account paid, whatever sign the bank wrote it with", (t) => {
  t.like(servicePayment(row("2026-06-12", "Cloudbase", -6_512, dollars), context), {
    amount: 65.12,
    currency: "DKK",
    originalAmount: 9,
    originalCurrency: "USD",
  });
  t.deepEqual(
    originalOf(row("2026-06-12", "Cloudbase", -6_512, { originalAmountMinor: 900, originalCurrency: "USD" })),
    { minor: 900, currency: "USD" },
  );
  t.deepEqual(
    originalOf(row("2026-06-12", "Cloudbase", 6_512, { originalAmountMinor: -900, originalCurrency: "USD" })),
    { minor: -900, currency: "USD" },
  );
});

test("an original amount without a currency, or a currency without an amount, is none", (t) => {
  t.deepEqual(originalOf(row("2026-06-12", "Cloudbase", -6_512, { originalAmountMinor: -900 })), {
    minor: 6_512,
    currency: "DKK",
  });
  t.deepEqual(originalOf(row("2026-06-12", "Cloudbase", -6_512, { originalCurrency: "USD" })), {
    minor: 6_512,
    currency: "DKK",
  });
});

test("an account in another currency is told in the brand's at the rate of the payment's day", (t) => {
  t.like(servicePayment(row("2026-05-12", "Cloudbase", -1_000, { currency: "USD" }), context), {
    amount: 65,
    currency: "DKK",
    originalAmount: 10,
    originalCurrency: "USD",
  });
  t.like(servicePayment(row("2026-06-12", "Cloudbase", -1_000, { currency: "USD" }), context), {
    amount: 70,
    currency: "DKK",
  });
});

test("what no rate is known for stays in its own currency", (t) => {
  t.like(servicePayment(row("2026-05-12", "Cloudbase", -1_000, { currency: "GBP" }), context), {
    amount: 10,
    currency: "GBP",
  });
});

test("a foreign price is expected as it was last converted, for forty days", (t) => {
  const abroad = service(monthly("2026-01-21", 5).map((day) => row(day, "Cloudbase", -6_200, dollars)));
  t.is(abroad.payments.at(-1)?.day, "2026-05-21");
  t.deepEqual(expectedAmount(abroad, { ...context, asOf: "2026-06-29" }), { minor: 6_200, currency: "DKK" });
  t.deepEqual(
    expectedAmount(abroad, context),
    { minor: 6_300, currency: "DKK" },
    "on the fortieth day nine dollars at seven kroner",
  );
});

test("where no rate is known for the foreign price, the last conversion stands", (t) => {
  const abroad = service(
    monthly("2026-01-21", 5).map((day) =>
      row(day, "Cloudbase", -6_200, { originalAmountMinor: -700, originalCurrency: "GBP" }),
    ),
  );
  t.deepEqual(expectedAmount(abroad, context), { minor: 6_200, currency: "DKK" });
});

test("a foreign bill that follows use is expected as the account paid it, for forty days, and then at the latest rate", (t) => {
  const abroad = service(
    monthly("2026-01-21", 5).map((day, index) =>
      row(day, "Cloudbase", -(6_200 + (index % 2) * 900 + index), {
        originalAmountMinor: -(900 + (index % 2) * 130 + index),
        originalCurrency: "USD",
      }),
    ),
  );
  t.false(abroad.evidence.isFixedPrice);
  t.deepEqual(expectedAmount(abroad, { ...context, asOf: "2026-06-29" }), {
    minor: abroad.expectedAmountMinor,
    currency: "DKK",
  });
  t.deepEqual(expectedOriginal(abroad), { minor: 904, currency: "USD" });
  t.deepEqual(expectedAmount(abroad, context), { minor: 6_328, currency: "DKK" });
});

test("an account in another currency is expected at the rate of the last payment's day, for forty days, and then at the latest", (t) => {
  const dollarAccount = service(rows(monthly("2026-01-12", 5), "Cloudbase", -1_000, { currency: "USD" }));
  t.deepEqual(expectedAmount(dollarAccount, { ...context, asOf: "2026-06-20" }), { minor: 6_500, currency: "DKK" });
  t.deepEqual(expectedAmount(dollarAccount, context), { minor: 7_000, currency: "DKK" });
});

test("a price in the brand's currency stands, whatever the account's", (t) => {
  const priced = { currency: "EUR", originalAmountMinor: -7_000, originalCurrency: "DKK" };
  const krones = service(rows(monthly("2026-01-12", 5), "Cloudbase", -1_000, priced));
  t.deepEqual(expectedAmount(krones, context), { minor: 7_000, currency: "DKK" });
  t.like(servicePayment(row("2026-06-12", "Cloudbase", -1_000, priced), context), { amount: 70, currency: "DKK" });
});

test("a payment from an account whose currency nobody quotes counts by the price that it tells", (t) => {
  const inHryvnia = { currency: "UAH", originalAmountMinor: -900, originalCurrency: "USD" };
  t.like(servicePayment(row("2026-06-12", "Cloudbase", -40_000, inHryvnia), context), {
    amount: 63,
    currency: "DKK",
    originalAmount: 9,
    originalCurrency: "USD",
  });
});

test("an amount that an old rate made is marked with the rate's day", (t) => {
  const old: ServiceContext = {
    ...context,
    convert: ({ minor }, currency) => ({ minor: minor * 7, currency, rateDate: "2026-02-27" }),
  };
  t.like(servicePayment(row("2026-06-12", "Cloudbase", -1_000, { currency: "EUR" }), old), {
    amount: 70,
    currency: "DKK",
    rateDate: "2026-02-27",
  });
  const euros = service(rows(monthly("2026-01-12", 5), "Cloudbase", -1_000, { currency: "EUR" }));
  t.deepEqual(expectedAmount(euros, old), { minor: 7_000, currency: "DKK", rateDate: "2026-02-27" });
});

test("the last twelve months are the payments of 365 days, less what came back", (t) => {
  const gym = service([
    ...rows(monthly("2025-05-30", 14), "Sundby Motion", -10_000),
    row("2026-03-05", "Sundby Motion", 2_500),
  ]);
  // Of the fourteen, 30 May and 30 June 2025 are a year ago.
  t.is(gym.payments.length, 14);
  t.deepEqual(totalLastTwelveMonths(gym, context), {
    total: { minor: 12 * 10_000 - 2_500, currency: "DKK" },
    unconverted: 0,
  });
  t.deepEqual(
    totalLastTwelveMonths(gym, { ...context, asOf: "2026-06-29" }).total,
    { minor: 12 * 10_000 - 2_500, currency: "DKK" },
    "30 June 2025 comes in, 30 June 2026 is not yet",
  );
});

test("a payment of which no rate is known is left out of the total, and counted", (t) => {
  const euros = service(rows(monthly("2026-01-12", 5), "Cloudbase", -1_000, { currency: "EUR" }));
  t.deepEqual(totalLastTwelveMonths(euros, context).total, { minor: 37_500, currency: "DKK" });
  const pounds = service(rows(monthly("2026-01-12", 5), "Cloudbase", -1_000, { currency: "GBP" }));
  t.deepEqual(totalLastTwelveMonths(pounds, context), { total: { minor: 0, currency: "DKK" }, unconverted: 5 });
});

const nothing = { minor: 0, currency: "DKK" };

test("a year costs as many payments as its months have periods", (t) => {
  const amount = { minor: 10_000, currency: "DKK" };
  const costs = (["MONTHLY", "BIMONTHLY", "QUARTERLY", "HALFYEARLY", "YEARLY"] as const).map((paymentFrequency) =>
    yearlyCost(
      { ...service(rows(monthly("2026-01-12", 5), "Sundby Motion", -10_000)), paymentFrequency },
      amount,
      nothing,
      "2026-06-30",
    ),
  );
  t.deepEqual(costs, [1_200, 600, 400, 200, 100]);
});

test("an amount without hundredths costs a year without them", (t) => {
  const gym = service(rows(monthly("2026-01-12", 5), "Sundby Motion", -10_000));
  t.is(yearlyCost(gym, { minor: 1_500, currency: "JPY" }, { minor: 0, currency: "JPY" }, "2026-06-30"), 18_000);
});

test("what is in the brand's currency is not converted", (t) => {
  const strict: ServiceContext = { ...context, convert: () => ({ minor: 1, currency: "DKK" }) };
  t.is(servicePayment(row("2026-06-12", "Sundby Motion", -19_900), strict).amount, 199);
});

test("what is due every so many days is due in a year of 365.25", (t) => {
  const amount = { minor: 10_000, currency: "DKK" };
  const total = { minor: 0, currency: "DKK" };
  t.is(
    yearlyCost(service(rows(everyDays("2026-04-01", 13, 7), "Sundby Motion", -10_000)), amount, total, "2026-06-30"),
    5_217.86,
  );
  const fourWeeks = service(rows(everyDays("2026-01-06", 6, 28), "Sundby Motion", -10_000));
  t.is(fourWeeks.evidence.periodDays, 28);
  t.is(yearlyCost(fourWeeks, amount, total, "2026-06-30"), 1_304.46);
});

test("without a cadence a year costs what the last one cost", (t) => {
  const sporadic = {
    ...service(rows(monthly("2026-01-12", 5), "Sundby Motion", -10_000)),
    paymentFrequency: "UNKNOWN" as const,
  };
  t.is(
    yearlyCost(sporadic, { minor: 10_000, currency: "DKK" }, { minor: 43_210, currency: "DKK" }, "2026-06-30"),
    432.1,
  );
});

test("months of pause cost nothing, and instalments no more than are left", (t) => {
  const gym = service(rows(monthly("2026-01-12", 5), "Sundby Motion", -10_000));
  const amount = { minor: 10_000, currency: "DKK" };
  t.is(yearlyCost({ ...gym, evidence: { ...gym.evidence, pausedMonths: [7] } }, amount, nothing, "2026-06-30"), 1_100);
  const left = (remaining: number) => ({ ...gym, instalments: { remaining, endsOn: "2026-09-12" } });
  t.is(yearlyCost(left(3), amount, nothing, "2026-06-30"), 300);
  t.is(yearlyCost(left(0), amount, nothing, "2026-06-30"), 0);
});

test("a bill that follows use costs a year what the last one cost, once a whole year was seen", (t) => {
  const minors = [30_010, 41_020, 33_030, 52_040, 38_050, 46_850];
  const bills = service(monthly("2026-01-12", 6).map((day, index) => row(day, "Fjordens Varmeværk", -minors[index]!)));
  t.false(bills.evidence.isFixedPrice);
  const amount = { minor: 38_000, currency: "DKK" };
  const total = { minor: 241_000, currency: "DKK" };
  t.is(yearlyCost(bills, amount, total, "2026-06-30"), 4_560, "twelve times what is expected");
  t.is(yearlyCost(bills, amount, total, "2027-01-11"), 4_560);
  t.is(yearlyCost(bills, amount, total, "2027-01-12"), 2_410);
  const fixed = { ...bills, evidence: { ...bills.evidence, isFixedPrice: true } };
  t.is(yearlyCost(fixed, amount, total, "2027-01-12"), 4_560, "a fixed price does not");
});
