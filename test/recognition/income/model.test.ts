/** Income is told with ids that outlive what a run finds, and added up in the brand's currency. */
import test from "ava";
import type { IncomeResponse } from "../../../src/interface/income.ts";
import { type HistoryTransaction, recognise } from "../../../src/recognition/recognise.ts";
import { isSameIncome, modelIncome } from "../../../src/recognition/income/model.ts";
import type { KnownService } from "../../../src/recognition/services/identity.ts";
import type { ServiceContext } from "../../../src/recognition/services/cost.ts";
import { context, everyDays, monthly, rows } from "../payments.ts";

const told: ServiceContext = {
  ...context,
  importCompletedDay: null,
  imageBaseUrl: "https://bank.example",
  convert: () => null,
  paymentId: () => 1,
  hiddenProductIds: new Set(),
};
const subject = "3f0d1c2a-5b7e-4d1f-9a36-0c8e5b2f7d41";
const yard = rows(monthly("2025-10-30", 9), "Havnens Værft", 3_100_000, { rawType: "SALARY" });
const school = rows(monthly("2025-10-15", 9), "Bakken Skole", 900_000, { rawType: "SALARY" });

function modelOf(
  history: readonly HistoryTransaction[],
  known: readonly KnownService[] = [],
  more: Partial<ServiceContext> = {},
): IncomeResponse & { series: KnownService[] } {
  const { document, series } = modelIncome(subject, recognise(history, context).income, known, { ...told, ...more });
  return { ...(JSON.parse(document) as IncomeResponse), series: JSON.parse(series) as KnownService[] };
}

test("what runs comes first, by its next date, and makes the month's average", (t) => {
  const ended = rows(monthly("2024-10-10", 8), "Kajens Fragt", 2_000_000, { rawType: "SALARY" });
  const { income, averageTotalAmount, totalAmountLastTwelveMonths } = modelOf([...ended, ...yard, ...school]);
  t.deepEqual(
    income.map(({ title, status, nextExpectedTransactionDate: next }) => [title, status, next]),
    [
      ["Bakken Skole", "ACTIVE", "2026-07-15"],
      ["Havnens Værft", "ACTIVE", "2026-07-30"],
      ["Kajens Fragt", "INACTIVE", "2025-06-10"],
    ],
  );
  t.is(averageTotalAmount, 40_000);
  t.is(totalAmountLastTwelveMonths, 360_000);
});

test("money is positive where it came", (t) => {
  const [one] = modelOf(yard).income;
  t.deepEqual(
    [one?.amount, one?.lastAmount, one?.yearlyAmount, one?.payments[0]?.amount, one?.payments[0]?.originalAmount],
    [31_000, 31_000, 372_000, 31_000, 31_000],
  );
});

test("an id stays when more is paid, and comes back with what was lost meanwhile", (t) => {
  const first = modelOf([...yard.slice(0, 6), ...school]);
  const idOf = (model: IncomeResponse, title: string) => model.income.find((one) => one.title === title)?.id;
  const later = modelOf(yard, first.series);
  t.is(idOf(later, "Havnens Værft"), idOf(first, "Havnens Værft"));
  t.is(idOf(later, "Bakken Skole"), undefined, "the account is not read any more");
  const again = modelOf([...yard, ...school], later.series);
  t.is(idOf(again, "Bakken Skole"), idOf(first, "Bakken Skole"));
  t.is(again.series.length, 2);
  t.is(again.series.find(({ id }) => id === idOf(again, "Havnens Værft"))?.txids.length, 9);
});

test("two series that turn out to be one keep the older id", (t) => {
  const txids = yard.map(({ txid }) => txid);
  const known = [
    { id: "00000000-0000-5000-8000-000000000002", key: "one", txids: txids.slice(0, 5) },
    { id: "00000000-0000-5000-8000-000000000001", key: "two", txids: txids.slice(5) },
  ];
  const { income, series } = modelOf(yard, known);
  t.deepEqual(
    income.map(({ id }) => id),
    ["00000000-0000-5000-8000-000000000002"],
  );
  t.deepEqual(
    series.map(({ id }) => id),
    ["00000000-0000-5000-8000-000000000002"],
  );
});

test("what nothing converts is counted, and is in no sum", (t) => {
  const abroad = rows(everyDays("2026-03-06", 9, 14), "Fjord Shipping", 150_000, {
    currency: "EUR",
    rawType: "SALARY",
  });
  const strange = modelOf([...yard, ...abroad]);
  t.like(strange, { averageTotalAmount: 31_000, totalAmountLastTwelveMonths: 279_000, unconvertedPayments: 9 });
  t.like(
    strange.income.find(({ currency }) => currency === "EUR"),
    { amount: 1_500, unconvertedPayments: 9, totalAmountLastTwelveMonths: 0 },
  );
  const converted = modelOf([...yard, ...abroad], [], {
    convert: ({ minor }, currency) => ({ minor: minor * 7, currency }),
  });
  t.is(converted.unconvertedPayments, undefined);
  t.like(
    converted.income.find(({ paymentFrequency }) => paymentFrequency === "BIWEEKLY"),
    { amount: 10_500, currency: "DKK", totalAmountLastTwelveMonths: 94_500 },
  );
});

test("what stays the same need not be written, and what no run wrote is written", (t) => {
  const model = modelIncome(subject, recognise(yard, context).income, [], told);
  // md5 of the two texts, as the database makes it.
  t.false(isSameIncome(model, { series: [], digest: null }));
  t.true(isSameIncome({ document: "a", series: "b" }, { series: [], digest: "187ef4436122d1cc2f40dc2b92f0eba0" }));
  t.false(isSameIncome({ document: "a", series: "c" }, { series: [], digest: "187ef4436122d1cc2f40dc2b92f0eba0" }));
});
