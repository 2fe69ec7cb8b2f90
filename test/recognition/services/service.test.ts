/** A service's document follows the interface, with its type, visibility, costs and the user's decision. */
import test from "ava";
import { Value } from "typebox/value";
import type { HistoryTransaction, RecognisedService } from "../../../src/recognition/recognise.ts";
import { buildServiceResponse, buildUpcomingPayments } from "../../../src/recognition/services/overview.ts";
import { ServiceResponseSchema, ServiceSchema, UpcomingPaymentSchema } from "../../../src/interface/services.ts";
import {
  type CancellationCase,
  type ServiceContext,
  type ServiceState,
  buildService,
} from "../../../src/recognition/services/service.ts";
import { everyDays, monthly, row, rows, services } from "../payments.ts";

const context: ServiceContext = {
  asOf: "2026-06-30",
  country: "DK",
  currency: "DKK",
  importCompletedDay: "2026-06-01",
  imageBaseUrl: "https://api.example",
  convert: () => null,
  paymentId: ({ txid }) => [...txid].reduce((sum, letter) => sum + letter.charCodeAt(0), 0),
  hiddenProductIds: new Set(),
};
const state: ServiceState = {
  id: "2ed6657d-e927-568b-95e1-2665a8aea6a2",
  hidden: null,
  firstDetectedDay: "2026-03-01",
  newsAfter: null,
  cancellation: null,
  predecessorId: null,
};
const openCase: CancellationCase = {
  state: "OPEN",
  needsMoreInformation: false,
  changedDay: "2026-06-20",
  equipmentBack: null,
  moneyBack: null,
  confirmationContent: null,
  freeTextMessage: null,
  endDate: null,
  abortReason: null,
};

function only(history: readonly HistoryTransaction[], asOf = context.asOf): RecognisedService {
  const [service, ...others] = services(history, asOf);
  if (service === undefined || others.length > 0) throw new Error(`${others.length + 1} services where one was meant`);
  return service;
}

const spotify = only(
  rows(monthly("2026-01-09", 6), "SPOTIFY P0193482", -10_900, { iban: "DK5000400440116243", cardId: "card-1" }),
);
const rent = only(rows(monthly("2025-07-01", 12), "Havnens Husleje", -850_000));

test("a service's document follows the interface", (t) => {
  const service = buildService(spotify, state, context);
  t.true(Value.Check(ServiceSchema, service));
  t.like(service, {
    id: state.id,
    amount: 109,
    currency: "DKK",
    paymentFrequency: "MONTHLY",
    accountId: "account-1",
    cardId: "card-1",
    iban: "DK5000400440116243",
    status: "ACTIVE",
    visibility: "VISIBLE",
    visibilityOption: "ASK_TO_HIDE",
    yearlyCost: 1308,
    totalAmountLastTwelveMonths: 654,
    amountToDisplay: "AMOUNT",
    cancellationOption: "POSSIBLE",
    userActionsRequired: [],
    nextExpectedTransactionDate: "2026-07-09",
  });
  t.deepEqual(service.product, {
    title: "Spotify",
    imageUrl: "https://api.example/assets/products/spotify.svg",
    type: "SUBSCRIPTION",
    isGateway: false,
    isUnknownStoreSubscription: false,
  });
  t.deepEqual(
    service.payments.map(({ date }) => date),
    ["2026-06-09", "2026-05-09", "2026-04-09", "2026-03-09", "2026-02-09", "2026-01-09"],
  );
  t.false("store" in service);
});

test("what the bank did not tell is null", (t) => {
  const service = buildService(
    only(rows(monthly("2026-01-09", 6), "Lydbogen", -7_900, { accountId: null })),
    state,
    context,
  );
  t.is(service.accountId, null);
  t.is(service.cardId, null);
  t.is(service.iban, null);
});

test("the user's decision stands above everything, and showing confirms", (t) => {
  const undecided = { ...spotify, visibility: "UNDECIDED" as const };
  t.like(buildService(undecided, state, context), {
    visibility: "UNDECIDED",
    visibilityOption: "ASK_BOTH",
    cancellationOption: "HIDE",
  });
  t.like(buildService(undecided, { ...state, hidden: false }, context), {
    visibility: "VISIBLE",
    visibilityOption: "ASK_TO_HIDE",
  });
  t.like(buildService(spotify, { ...state, hidden: true }, context), {
    visibility: "HIDDEN",
    visibilityOption: "ASK_TO_SHOW",
    cancellationOption: "HIDE",
  });
});

test("a product that the brand hides is hidden until the user wants to see it", (t) => {
  const hiding = { ...context, hiddenProductIds: new Set(["spotify"]) };
  t.is(buildService(spotify, state, hiding).visibility, "HIDDEN");
  t.is(buildService(spotify, { ...state, hidden: false }, hiding).visibility, "VISIBLE");
});

test("rent is a fixed expense, and not ours to cancel", (t) => {
  const service = buildService(rent, state, context);
  t.like(service, { cancellationOption: "HIDE", yearlyCost: 102_000, totalAmountLastTwelveMonths: 102_000 });
  t.is(service.product.type, "OTHER_RECURRING");
});

test("what is owed is a fixed expense whoever it is owed to, and what is chosen is a subscription", (t) => {
  const typeOf = (description: string, country: string, mcc: number | null = null): string =>
    buildService(only(rows(monthly("2026-01-09", 6), description, -85_000, { mcc, rawType: "CARD" })), state, {
      ...context,
      country,
    }).product.type;
  for (const [name, country] of [
    ["DNB Boliglån", "NO"],
    ["Stockholmshem", "SE"],
    ["Statens Lånekasse", "NO"],
    ["Ejendomsskat 1. rate", "DK"],
    ["Fennia Liikennevakuutus", "FI"],
    ["Overførsel husleje", "DK"],
  ] as const) {
    t.is(typeOf(name, country), "OTHER_RECURRING", name);
  }
  for (const [name, country] of [
    ["Filmklubben Nord", "NO"],
    ["Kaffeklubben", "DK"],
  ] as const)
    t.is(typeOf(name, country), "SUBSCRIPTION", name);
  t.is(typeOf("Boligselskabet Havnen", "DK", 5968), "SUBSCRIPTION", "the merchant category counts before the name");
});

test("what is due every four weeks costs thirteen times a year", (t) => {
  const weekly = only(rows(everyDays("2025-12-03", 8, 28), "Ugebladet Fjorden", -20_000));
  t.like(buildService(weekly, state, context), {
    paymentFrequency: "MONTHLY",
    yearlyCost: 2608.93,
    nextExpectedTransactionDate: "2026-07-15",
  });
});

test("a mandate has to be ended at the bank, an invoice and a standing order need not be paid", (t) => {
  const isDirectDebit = (rawType: string): boolean =>
    buildService(only(rows(monthly("2026-01-09", 6), "Nordlys Fitness", -24_900, { rawType })), state, context)
      .cancellation.directDebit;
  t.true(isDirectDebit("DIRECT_DEBIT"));
  t.true(isDirectDebit("SEPA Lastschrift"));
  for (const rawType of ["INVOICE", "STANDING_ORDER", "CARD_PURCHASE"]) t.false(isDirectDebit(rawType), rawType);
});

test("a store's subscription is cancelled in the store", (t) => {
  const service = buildService(only(rows(monthly("2026-02-09", 5), "APPLE.COM/BILL", -2_900)), state, context);
  t.is(service.cancellationOption, "STORE");
  t.deepEqual(service.store, { type: "STORE_A", url: "https://apps.apple.com/account/subscriptions" });
  t.true(service.product.isUnknownStoreSubscription);
});

test("a cancellation case decides the status", (t) => {
  t.like(buildService(spotify, { ...state, cancellation: { ...openCase, needsMoreInformation: true } }, context), {
    status: "UNDER_CANCELLATION",
    visibilityOption: "HIDE",
    userActionsRequired: ["CANCELLATION_NEED_MORE_INFO"],
    notifications: ["CANCELLATION_MORE_INFORMATION_REQUIRED"],
  });
  const confirmed: CancellationCase = { ...openCase, state: "CONFIRMED", endDate: "2026-06-12" };
  t.like(buildService(spotify, { ...state, cancellation: confirmed }, context), {
    status: "CANCELLED",
    notifications: ["CANCELLATION_CONFIRMED"],
  });
  const ignored: CancellationCase = { ...confirmed, endDate: "2026-05-20" };
  t.like(buildService(spotify, { ...state, cancellation: ignored }, context), {
    status: "CANCELLED",
    notifications: ["NEW_PAYMENT_CANCELLED_SUBSCRIPTION", "CANCELLATION_CONFIRMED"],
  });
  t.is(
    buildService(spotify, { ...state, cancellation: { ...confirmed, endDate: "2026-04-20" } }, context).status,
    "ACTIVE",
  );
});

test("badges tell of news, never of what was imported", (t) => {
  const young = only(rows(monthly("2026-06-02", 3), "SPOTIFY", -10_900), "2026-08-05");
  const later = { ...context, asOf: "2026-08-05" };
  t.deepEqual(buildService(young, { ...state, firstDetectedDay: "2026-08-02" }, later).notifications, [
    "NEW_SUBSCRIPTION",
    "NEW_PAYMENT",
  ]);
  t.deepEqual(
    buildService(young, { ...state, firstDetectedDay: "2026-08-02" }, { ...later, importCompletedDay: "2026-08-04" })
      .notifications,
    [],
  );
  t.deepEqual(
    buildService(young, { ...state, firstDetectedDay: "2026-06-02" }, { ...later, asOf: "2026-08-20" }).notifications,
    [],
  );
});

test("what only a new version saw wears no badge, what came since does", (t) => {
  const young = only(rows(monthly("2026-06-02", 3), "SPOTIFY", -10_900), "2026-08-05");
  const later = { ...context, asOf: "2026-08-05" };
  const badges = (newsAfter: string | null) =>
    buildService(young, { ...state, firstDetectedDay: "2026-08-02", newsAfter }, later).notifications;
  t.deepEqual(badges("2026-08-02"), []);
  t.deepEqual(badges("2026-08-01"), ["NEW_PAYMENT"]);
  t.deepEqual(badges(null), ["NEW_SUBSCRIPTION", "NEW_PAYMENT"]);
  const ended: CancellationCase = { ...openCase, state: "CONFIRMED", endDate: "2026-07-20" };
  const after = (newsAfter: string | null) =>
    buildService(young, { ...state, cancellation: ended, newsAfter }, later).notifications;
  t.true(after(null).includes("NEW_PAYMENT_CANCELLED_SUBSCRIPTION"));
  t.false(after("2026-08-02").includes("NEW_PAYMENT_CANCELLED_SUBSCRIPTION"));
});

test("amounts are told in the brand's currency, and originals as they were paid", (t) => {
  const history = monthly("2026-03-17", 4).map((day) =>
    row(day, "Cloudbase Inc", -1_000, { currency: "EUR", originalAmountMinor: 1_150, originalCurrency: "USD" }),
  );
  const service = buildService(only(history), state, {
    ...context,
    convert: ({ minor }, currency) => ({ minor: Math.round(minor * 7.46), currency }),
  });
  t.like(service, { amount: 74.6, currency: "DKK", totalAmountLastTwelveMonths: 298.4 });
  t.like(service.payments[0], { amount: 74.6, currency: "DKK", originalAmount: 11.5, originalCurrency: "USD" });
});

test("a refund lowers the year's total, and stands beside the payments, so that the total can be made of both", (t) => {
  const refunded = only([
    ...rows(monthly("2026-01-12", 6), "Sundby Motion", -19_900),
    row("2026-04-20", "Sundby Motion", 19_900),
  ]);
  const { totalAmountLastTwelveMonths, payments, refunds } = buildService(refunded, state, context);
  t.is(totalAmountLastTwelveMonths, 995);
  t.deepEqual(
    refunds?.map(({ amount, currency, date }) => ({ amount, currency, date })),
    [{ amount: -199, currency: "DKK", date: "2026-04-20" }],
  );
  t.is(
    [...payments, ...(refunds ?? [])].reduce((sum, { amount }) => sum + amount, 0),
    995,
  );
  t.false("refunds" in buildService(spotify, state, context));
});

test("amounts that vary much are told as the year's total", (t) => {
  const costs = [41_000, 90_000, 33_000, 88_000, 40_000, 95_000];
  const varying = {
    ...rent,
    payments: monthly("2026-01-20", 6).map((day, index) => row(day, "Fjordens Varmeværk", -costs[index]!)),
  };
  t.is(buildService(varying, state, context).amountToDisplay, "TOTAL_LAST_TWELVE_MONTHS");
});

test("the list sums what is listed, and averages running subscriptions that are sure", (t) => {
  const visible = buildService(spotify, state, context);
  const undecided = buildService({ ...spotify, visibility: "UNDECIDED" }, state, context);
  const hidden = buildService(spotify, { ...state, hidden: true }, context);
  const house = buildService(rent, state, context);
  const list = buildServiceResponse([visible, undecided, hidden, house], "VISIBLE", [], "DKK");
  t.true(Value.Check(ServiceResponseSchema, list));
  t.is(list.services.length, 3);
  t.is(list.averageTotalAmount, 109);
  t.is(list.totalAmountLastTwelveMonths, 103_308);
  t.false("alerts" in list);
  t.deepEqual(buildServiceResponse([visible, hidden], "HIDDEN", [], "DKK").services, [hidden]);
});

test("a subscription in a currency that nothing converts is not averaged with the others", (t) => {
  const own = buildService(spotify, state, context);
  const foreign = buildService(
    only(rows(monthly("2026-01-09", 6), "NETFLIX.COM", -1_500, { currency: "USD" })),
    state,
    context,
  );
  t.is(foreign.currency, "USD");
  t.is(buildServiceResponse([own, foreign], "VISIBLE", [], "DKK").averageTotalAmount, 109);
});

test("upcoming payments are those of running services that are not hidden, by date", (t) => {
  const built = [
    { recognised: spotify, service: buildService(spotify, state, context) },
    {
      recognised: rent,
      service: buildService(rent, { ...state, id: "3ed6657d-e927-568b-95e1-2665a8aea6a2" }, context),
    },
    { recognised: spotify, service: buildService(spotify, { ...state, hidden: true }, context) },
    { recognised: spotify, service: buildService({ ...spotify, paymentFrequency: "UNKNOWN" }, state, context) },
    { recognised: spotify, service: buildService({ ...spotify, status: "INACTIVE" }, state, context) },
  ];
  const upcoming = buildUpcomingPayments(built);
  t.true(upcoming.every((payment) => Value.Check(UpcomingPaymentSchema, payment)));
  t.deepEqual(
    upcoming.map(({ expectedPaymentDate, expectedPaymentCost, expectedOriginalPaymentCost }) => [
      expectedPaymentDate,
      expectedPaymentCost,
      expectedOriginalPaymentCost,
    ]),
    [
      ["2026-07-01", 8500, 8500],
      ["2026-07-09", 109, 109],
    ],
  );
});
