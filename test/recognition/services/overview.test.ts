/** The overview adds up what running subscriptions cost and what is expected next. */
import test from "ava";
import {
  buildServiceResponse,
  buildUpcomingPayments,
  responseText,
} from "../../../src/recognition/services/overview.ts";
import type { RecognisedService } from "../../../src/recognition/recognise.ts";
import type { Service } from "../../../src/interface/services.ts";
import {
  buildService,
  type CancellationCase,
  type ServiceContext,
  type ServiceState,
} from "../../../src/recognition/services/service.ts";
import { monthly, row, rows, services } from "../payments.ts";

const context: ServiceContext = {
  asOf: "2026-06-30",
  country: "DK",
  currency: "DKK",
  importCompletedDay: null,
  imageBaseUrl: "https://bank.example",
  convert: () => null,
  paymentId: () => 1,
  hiddenProductIds: new Set(),
};
const state: ServiceState = {
  id: "a",
  hidden: null,
  firstDetectedDay: "2026-03-01",
  newsAfter: null,
  cancellation: null,
  predecessorId: null,
};
const netflix = services(rows(monthly("2026-01-09", 6), "NETFLIX.COM", -12_900))[0]!;
const cancelled = (more: Partial<CancellationCase>): CancellationCase => ({
  state: "OPEN",
  needsMoreInformation: false,
  changedDay: "2026-06-20",
  equipmentBack: null,
  moneyBack: null,
  confirmationContent: null,
  freeTextMessage: null,
  endDate: null,
  abortReason: null,
  ...more,
});
const upcoming = (recognised: RecognisedService, more: Partial<ServiceState> = {}) =>
  buildUpcomingPayments([{ recognised, service: buildService(recognised, { ...state, ...more }, context) }]);

test("a month's average is a twelfth of what the running subscriptions cost a year, to the hundredth", (t) => {
  const service = buildService(netflix, state, context);
  t.is(service.yearlyCost, 1_548);
  const average = (...listed: Partial<Service>[]): number =>
    buildServiceResponse(
      listed.map((one) => ({ ...service, ...one })),
      "VISIBLE",
      [],
      "DKK",
    ).averageTotalAmount;
  t.is(average({}), 129);
  t.is(average({ yearlyCost: 100 }, { yearlyCost: 0.1 }), 8.34);
  t.is(average({}, { status: "UNDER_CANCELLATION" }), 258, "until it ends it costs");
  t.is(
    average({}, { status: "CANCELLED" }, { status: "INACTIVE" }, { visibility: "UNDECIDED" }, { currency: "EUR" }),
    129,
  );
  t.is(average({ product: { ...service.product, type: "OTHER_RECURRING" } }), 0);
});

test("a sum is rounded to the currency's own unit", (t) => {
  const service = { ...buildService(netflix, state, context), totalAmountLastTwelveMonths: 0.1 };
  t.is(
    buildServiceResponse([service, { ...service, totalAmountLastTwelveMonths: 0.2 }], "VISIBLE", [], "DKK")
      .totalAmountLastTwelveMonths,
    0.3,
  );
  t.is(
    buildServiceResponse([{ ...service, totalAmountLastTwelveMonths: 1_000.4 }], "VISIBLE", [], "JPY")
      .totalAmountLastTwelveMonths,
    1_000,
  );
});

test("the list as text is its services' own texts in a frame", (t) => {
  const service = buildService(netflix, state, context);
  const list = buildServiceResponse([service, { ...service, id: "b" }], "VISIBLE", [], "DKK");
  t.is(
    responseText(list, (one) => JSON.stringify(one)),
    JSON.stringify(list),
  );
  t.is(
    responseText({ ...list, services: [] }, () => "never"),
    '{"averageTotalAmount":258,"services":[],"totalAmountLastTwelveMonths":1548}',
  );
  t.is(
    responseText(list, ({ id }) => `"${id}"`),
    '{"averageTotalAmount":258,"services":["a","b"],"totalAmountLastTwelveMonths":1548}',
  );
});

test("a next payment is told with its product and the account and card that paid the last", (t) => {
  const carded = services(rows(monthly("2026-01-09", 6), "NETFLIX.COM", -12_900, { cardId: "card-1" }))[0]!;
  t.like(upcoming(carded)[0], {
    serviceId: "a",
    expectedPaymentDate: "2026-07-09",
    expectedPaymentCost: 129,
    currency: "DKK",
    accountId: "account-1",
    cardId: "card-1",
    product: { title: "Netflix" },
  });
});

test("what is being cancelled is expected up to its end", (t) => {
  t.is(upcoming(netflix, { cancellation: cancelled({}) }).length, 1);
  t.is(upcoming(netflix, { cancellation: cancelled({ endDate: "2026-07-09" }) }).length, 1);
  t.is(upcoming(netflix, { cancellation: cancelled({ endDate: "2026-07-08" }) }).length, 0);
  t.is(upcoming(netflix, { cancellation: cancelled({ state: "CONFIRMED", endDate: "2026-07-31" }) }).length, 0);
});

test("a foreign price is expected as it was asked for, in proportion where it follows use", (t) => {
  const fixed = services(
    rows(monthly("2026-01-09", 6), "Cloudbase", -6_500, { originalAmountMinor: -900, originalCurrency: "USD" }),
  )[0]!;
  t.like(upcoming(fixed)[0], { expectedPaymentCost: 65, expectedOriginalPaymentCost: 9, originalCurrency: "USD" });
  const use = { ...fixed, expectedAmountMinor: 13_000 };
  t.like(upcoming(use)[0], { expectedPaymentCost: 130, expectedOriginalPaymentCost: 18, originalCurrency: "USD" });
});

test("what is expected on one day is told in the order of the services' ids", (t) => {
  const service = buildService(netflix, state, context);
  const built = ["b", "c", "a"].map((id) => ({ recognised: netflix, service: { ...service, id } }));
  t.deepEqual(
    buildUpcomingPayments([
      ...built,
      { recognised: netflix, service: { ...service, id: "d", nextExpectedTransactionDate: "2026-07-01" } },
    ]).map(({ serviceId }) => serviceId),
    ["d", "a", "b", "c"],
  );
  t.deepEqual(buildUpcomingPayments([]), []);
});

test("refunds and what was paid more than a year ago are not in the year's total of a list", (t) => {
  const [gym] = services([
    ...rows(monthly("2025-05-12", 14), "Sundby Motion", -10_000),
    row("2026-03-20", "Sundby Motion", 4_000),
  ]);
  t.is(
    buildServiceResponse([buildService(gym!, state, context)], "VISIBLE", [], "DKK").totalAmountLastTwelveMonths,
    1_160,
  );
});
