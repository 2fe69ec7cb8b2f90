/** Payments become services with their cadence, price and state, through gaps, changed prices and odd names. */
import test from "ava";
import type { Day } from "../../src/time/calendar.ts";
import type { HistoryTransaction } from "../../src/recognition/recognise.ts";
import { recognise } from "../../src/recognition/recognise.ts";
import fc, { runs } from "../property.ts";
import { context, everyDays, monthly, row, rows, services } from "./payments.ts";

const gym = rows(monthly("2026-01-12", 6), "Sundby Motion", -19_900);

test("six equal monthly payments are one active monthly service", (t) => {
  const [service, ...others] = services(gym);
  t.deepEqual(others, []);
  t.like(service, {
    title: "Sundby Motion",
    direction: "OUT",
    paymentFrequency: "MONTHLY",
    status: "ACTIVE",
    visibility: "VISIBLE",
    expectedAmountMinor: 19_900,
    nextExpectedDay: "2026-07-12", // a Sunday, but so was 12 April
  });
  t.is(service?.payments.length, 6);
});

test("neither order nor repetition of the rows matters", (t) => {
  const history = [
    ...gym,
    ...rows(monthly("2025-08-01", 11), "Nordhavn El", -31_250),
    ...rows(everyDays("2026-01-02", 20, 5), "Torvets Bageri", -4_100),
  ];
  const expected = JSON.stringify(recognise(history, context));
  fc.assert(
    fc.property(
      fc.shuffledSubarray(history, { minLength: history.length }),
      fc.subarray(history),
      (shuffled, repeated) => JSON.stringify(recognise([...shuffled, ...repeated], context)) === expected,
    ),
    runs(30),
  );
  t.pass();
});

test("rows after the day asked for are not seen", (t) => {
  t.is(services(gym, "2026-03-31")[0]?.payments.length, 3);
});

const cadence = test.macro({
  exec(t, days: string[], frequency: string, next: string) {
    t.like(services(rows(days, "Kanalvejens Service", -24_500))[0], {
      paymentFrequency: frequency,
      status: "ACTIVE",
      nextExpectedDay: next,
    });
  },
  title: (_, __, frequency) => `a ${frequency} series is found with its next day`,
});

test(cadence, everyDays("2026-05-01", 61, 1), "DAILY", "2026-07-01");
test(cadence, everyDays("2026-04-01", 13, 7), "WEEKLY", "2026-07-01");
test(cadence, everyDays("2026-03-04", 9, 14), "BIWEEKLY", "2026-07-08");
test(cadence, monthly("2025-09-15", 5, 2), "BIMONTHLY", "2026-07-15");
test(cadence, monthly("2025-05-20", 5, 3), "QUARTERLY", "2026-08-20");
test(cadence, monthly("2024-12-09", 4, 6), "HALFYEARLY", "2026-12-09");
test(cadence, ["2024-06-10", "2025-06-10", "2026-06-10"], "YEARLY", "2027-06-10");

test("a month end stays the month end", (t) => {
  const days = ["2026-01-30", "2026-02-27", "2026-03-31", "2026-04-30", "2026-05-29"];
  t.is(services(rows(days, "Havnens Udlejning", -850_000), "2026-06-15")[0]?.nextExpectedDay, "2026-06-30");
});

test("a changed price does not end the series, and is the price expected", (t) => {
  const history = [
    ...rows(monthly("2025-09-05", 6), "Streamhuset", -9_900),
    ...rows(monthly("2026-03-05", 4), "Streamhuset", -12_900),
  ];
  const found = services(history);
  t.is(found.length, 1);
  t.like(found[0], { status: "ACTIVE", expectedAmountMinor: 12_900 });
  t.is(found[0]?.payments.length, 10);
});

test("a missed month does not end the series", (t) => {
  const days = monthly("2025-10-08", 9).filter((day) => day !== "2026-02-08");
  const found = services(rows(days, "Ugens Avis", -7_900));
  t.is(found.length, 1);
  t.is(found[0]?.payments.length, 8);
  t.is(found[0]?.evidence.misses, 1);
});

test("order numbers, cities and gateways in the name do not split the series", (t) => {
  const names = [
    "PAYPAL *LYDBIBLIO 40293",
    "PAYPAL *LYDBIBLIO 88121",
    "Lydbiblio 7711203",
    "Kortkøb Lydbiblio",
    "LYDBIBLIO KOBENHAVN",
  ];
  const days = monthly("2026-02-14", 5);
  const found = services(days.map((day, index) => row(day, names[index]!, -5_900)));
  t.is(found.length, 1);
  t.is(found[0]?.payments.length, 5);
});

test("a renamed payee goes on as the same service under the new name", (t) => {
  const history = [
    ...rows(monthly("2025-10-03", 5), "Vesterbro Fitness", -24_900),
    ...rows(monthly("2026-03-03", 4), "Puls og Form", -24_900),
  ];
  const found = services(history);
  t.is(found.length, 1);
  t.like(found[0], { status: "ACTIVE", title: "Puls Og Form" });
  t.deepEqual(found[0]?.evidence.aliases, ["VESTERBRO FITNESS"]);
});

test("a payment under a new name keeps the service from ending, at a price of shops the second one does", (t) => {
  const renamed = (minor: number, ...days: Day[]) =>
    services([...rows(monthly("2025-10-03", 7), "Vesterbro Fitness", -minor), ...rows(days, "Puls og Form", -minor)]);
  t.like(renamed(24_913, "2026-05-03", "2026-06-03")[0], { status: "ACTIVE", nextExpectedDay: "2026-07-03" });
  t.like(renamed(24_913, "2026-05-03")[0], { status: "INACTIVE", nextExpectedDay: "2026-06-03" });
  t.is(renamed(24_913, "2026-05-03").length, 1);
  t.like(renamed(24_900, "2026-05-03", "2026-06-03")[0], { status: "ACTIVE", nextExpectedDay: "2026-07-03" });
  t.is(renamed(24_900, "2026-05-03", "2026-06-03").length, 1);
  t.like(renamed(24_900, "2026-05-03")[0], { status: "INACTIVE", nextExpectedDay: "2026-05-03" });
});

test("two series at one payee are two services", (t) => {
  const history = [
    ...rows(monthly("2026-01-10", 6), "Trekantens Forsikring", -41_200),
    ...rows(monthly("2026-01-10", 6), "Trekantens Forsikring", -18_700),
  ];
  t.deepEqual(
    services(history)
      .map(({ expectedAmountMinor }) => expectedAmountMinor)
      .sort((a, b) => a - b),
    [18_700, 41_200],
  );
});

test("bills that follow use are found and their amount estimated from the recent ones", (t) => {
  const amounts = [61_200, 70_500, 58_300, 49_900, 54_100, 63_000];
  const [service] = services(
    monthly("2026-01-20", 6).map((day, index) => row(day, "Fjordens Varmeværk", -amounts[index]!)),
  );
  t.is(service?.evidence.isFixedPrice, false);
  t.true(service!.expectedAmountMinor > 54_000 && service!.expectedAmountMinor < 63_000);
});

test("a foreign price is one price whatever the exchange rate made of it", (t) => {
  const costs = [6_512, 6_390, 6_603, 6_471];
  const history = monthly("2026-03-17", 4).map((day, index) =>
    row(day, "Cloudbase Inc", -costs[index]!, { originalAmountMinor: -900, originalCurrency: "USD" }),
  );
  t.like(services(history)[0], { paymentFrequency: "MONTHLY", expectedAmountMinor: 6_471 });
});

test("a series that stopped is inactive", (t) => {
  t.like(services(gym, "2026-08-31")[0], { status: "INACTIVE", nextExpectedDay: "2026-07-12" });
});

test("an overdue payment is expected on the next banking day while the grace lasts", (t) => {
  t.like(services(gym, "2026-07-17")[0], { status: "ACTIVE", nextExpectedDay: "2026-07-20" });
});

test("two payments make an undecided service, not a sure one", (t) => {
  for (const service of services(gym, "2026-02-28")) t.is(service.visibility, "UNDECIDED");
});

const noService = test.macro({
  exec(t, history: HistoryTransaction[]) {
    t.deepEqual(
      services(history).map(({ title, paymentFrequency }) => `${title} ${paymentFrequency}`),
      [],
    );
  },
  title: (title) => `${title} is no service`,
});

/** Spread without a pattern, but the same in every run. */
const scattered = (count: number, first: string, spread: number): string[] =>
  everyDays(first, count, 1).map((day, index) => everyDays(day, 2, ((index * 7919) % spread) + index * 3)[1]!);

test(
  "shopping on no fixed days",
  noService,
  scattered(40, "2025-09-01", 11).map((day, index) =>
    row(day, "Købmanden 4417", -(8_000 + ((index * 4_241) % 37_000)), { rawType: "CARD_PURCHASE" }),
  ),
);
test(
  "shopping every Saturday for whatever is needed",
  noService,
  everyDays("2025-09-06", 42, 7).map((day, index) =>
    row(day, "Købmanden 4417", -(8_000 + ((index * 14_741) % 61_000)), { rawType: "CARD_PURCHASE", mcc: 5411 }),
  ),
);
test(
  "petrol",
  noService,
  scattered(30, "2025-12-01", 9).map((day, index) =>
    row(day, "Tankstationen", -(30_000 + ((index * 3_977) % 20_000)), { rawType: "CARD_PURCHASE", mcc: 5541 }),
  ),
);
test(
  "cash taken out on the first of each month",
  noService,
  rows(monthly("2025-09-01", 10), "Hævning", -100_000, { rawType: "CASH_WITHDRAWAL" }),
);
test("two purchases at one shop", noService, [
  row("2026-05-04", "Boghandleren", -14_900, { rawType: "CARD_PURCHASE" }),
  row("2026-06-17", "Boghandleren", -22_500, { rawType: "CARD_PURCHASE" }),
]);

test("salary is income, not a service", (t) => {
  const salary = rows(
    ["2026-01-30", "2026-02-27", "2026-03-31", "2026-04-30", "2026-05-29"],
    "Lønoverførsel",
    2_845_000,
  );
  const { services: none, income } = recognise(salary, { ...context, asOf: "2026-06-15" });
  t.deepEqual(none, []);
  t.like(income[0], {
    direction: "IN",
    paymentFrequency: "MONTHLY",
    nextExpectedDay: "2026-06-30",
    expectedAmountMinor: 2_845_000,
  });
});

test("a refund is no payment, and is kept with the service", (t) => {
  const [service] = services([...gym, row("2026-04-20", "Sundby Motion", 19_900)]);
  t.is(service?.payments.length, 6);
  t.deepEqual(
    service?.refunds.map(({ day }) => day),
    ["2026-04-20"],
  );
});

test("a catalogued product brings its name and store", (t) => {
  t.like(services(rows(monthly("2026-02-09", 5), "APPLE.COM/BILL 8123411", -2_900))[0], {
    productId: "app-store-subscription-store-a",
    store: "STORE_A",
  });
  t.like(services(rows(monthly("2026-02-09", 5), "PAYPAL *SPOTIFY", -10_900))[0], {
    productId: "spotify",
    title: "Spotify",
    gateway: "PAYPAL",
  });
});

test("an empty history has no services", (t) => {
  t.deepEqual(recognise([], context), { services: [], income: [] });
});
