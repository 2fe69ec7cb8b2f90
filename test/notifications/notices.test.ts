/** What is new in a user's services is told once: a first payment, a new price or cadence, never history. */
import test from "ava";
import {
  type EarlierService,
  type NewsContext,
  noticesOf,
  type ServiceInNews,
} from "../../src/notifications/notices.ts";
import { brandSettingFor } from "../../src/interface/notification.ts";

const context: NewsContext = { userId: 7, today: "2026-06-15", importCompletedOn: "2026-05-01", arrived: null };
const id = "3f6a7c1e-58f1-5b0f-9a53-0d8c6f1f2a44";

/** Payments newest first, as [day, amount]. */
function service(payments: [string, number][], more: Partial<ServiceInNews> = {}): ServiceInNews {
  return {
    id,
    currency: "DKK",
    paymentFrequency: "MONTHLY",
    product: {
      title: "Music",
      imageUrl: "https://x/m.svg",
      type: "SUBSCRIPTION",
      isGateway: false,
      isUnknownStoreSubscription: false,
    },
    status: "ACTIVE",
    notifications: [],
    visibility: "VISIBLE",
    payments: payments.map(([date, amount], at) => ({
      id: at,
      sourceTransactionId: `t-${date}`,
      amount,
      currency: "DKK",
      originalAmount: amount,
      originalCurrency: "DKK",
      date,
    })),
    ...more,
  };
}

function earlier(...days: string[]): EarlierService[] {
  return [{ id, txids: days.map((day) => `t-${day}`), status: "ACTIVE", paymentFrequency: "MONTHLY" }];
}

function told(before: readonly EarlierService[], after: ServiceInNews, more: Partial<typeof context> = {}) {
  return noticesOf(before, [after], { ...context, ...more }).map(({ type, content }) => [type, content.amount]);
}

test("a subscription whose first payment came after the import is new, with what was paid", (t) => {
  const [notice, ...more] = noticesOf(
    [],
    [
      service([
        ["2026-06-10", 99],
        ["2026-05-10", 99],
      ]),
    ],
    context,
  );
  t.deepEqual(more, []);
  t.deepEqual(notice, {
    userId: 7,
    type: "NEW_SUBSCRIPTION",
    subject: id,
    txid: "t-2026-06-10",
    content: {
      product: { title: "Music", imageUrl: "https://x/m.svg", type: "SUBSCRIPTION" },
      amount: 99,
      currency: "DKK",
      subscriptionCount: 1,
      serviceId: id,
    },
  });
});

test("nothing is told of history: before the import, from before it, or long ago", (t) => {
  const recent = service([
    ["2026-06-10", 99],
    ["2026-05-10", 99],
  ]);
  t.deepEqual(noticesOf([], [recent], { ...context, importCompletedOn: null }), []);
  t.deepEqual(
    told(
      [],
      service([
        ["2026-06-10", 99],
        ["2026-04-10", 99],
      ]),
    ),
    [],
  );
  t.deepEqual(told([], recent, { today: "2026-08-01" }), []);
  t.deepEqual(
    told(
      earlier("2026-04-01"),
      service([
        ["2026-05-01", 99],
        ["2026-04-01", 99],
      ]),
    ),
    [],
  );
});

test("a fixed expense is no new subscription, and its payments are marked for the brand to decide", (t) => {
  const rent = service(
    [
      ["2026-06-10", 9000],
      ["2026-05-10", 9000],
    ],
    { product: { ...service([["2026-06-10", 1]]).product, type: "OTHER_RECURRING" } },
  );
  t.deepEqual(told([], rent), []);
  const [notice] = noticesOf(earlier("2026-05-10"), [rent], context);
  t.is(notice?.type, "NEW_PAYMENT");
  t.is(brandSettingFor(notice!), "fixedExpenseNotifications");
});

test("each new payment of a known service is told once, oldest first", (t) => {
  const after = service([
    ["2026-06-10", 99],
    ["2026-06-01", 99],
    ["2026-05-10", 99],
    ["2026-04-10", 99],
  ]);
  const notices = noticesOf(earlier("2026-05-10", "2026-04-10"), [after], context);
  t.deepEqual(
    notices.map(({ type, subject }) => [type, subject]),
    [
      ["NEW_PAYMENT", `${id} t-2026-06-01`],
      ["NEW_PAYMENT", `${id} t-2026-06-10`],
    ],
  );
  t.deepEqual(noticesOf(earlier("2026-06-10", "2026-06-01", "2026-05-10", "2026-04-10"), [after], context), []);
});

test("a steady price that changes by a twentieth and by five kroner is told instead of the payment", (t) => {
  const paid = (amount: number) =>
    told(
      earlier("2026-05-10", "2026-04-10"),
      service([
        ["2026-06-10", amount],
        ["2026-05-10", 100],
        ["2026-04-10", 100],
      ]),
    );
  t.deepEqual(paid(105), [["PAYMENT_CHANGED", 105]]);
  t.deepEqual(paid(95), [["PAYMENT_CHANGED", 95]]);
  t.deepEqual(paid(104.99), [["NEW_PAYMENT", 104.99]]);
  const cheap = told(
    earlier("2026-05-10", "2026-04-10"),
    service([
      ["2026-06-10", 14],
      ["2026-05-10", 10],
      ["2026-04-10", 10],
    ]),
  );
  t.deepEqual(cheap, [["NEW_PAYMENT", 14]]);
});

test("a price that was never steady does not change", (t) => {
  t.deepEqual(
    told(
      earlier("2026-05-10", "2026-04-10"),
      service([
        ["2026-06-10", 150],
        ["2026-05-10", 100],
        ["2026-04-10", 80],
      ]),
    ),
    [["NEW_PAYMENT", 150]],
  );
});

test("another cadence is told with the payment that shows it", (t) => {
  const after = service(
    [
      ["2026-06-10", 100],
      ["2026-05-10", 100],
    ],
    { paymentFrequency: "QUARTERLY" },
  );
  t.deepEqual(told(earlier("2026-05-10"), after), [["PAYMENT_CHANGED", 100]]);
});

test("a payment to a cancelled subscription is told as that, and only where the service says so", (t) => {
  const paid: [string, number][] = [
    ["2026-06-10", 99],
    ["2026-05-10", 99],
  ];
  t.deepEqual(
    told(
      earlier("2026-05-10"),
      service(paid, { status: "CANCELLED", notifications: ["NEW_PAYMENT_CANCELLED_SUBSCRIPTION"] }),
    ),
    [["NEW_PAYMENT_CANCELLED_SUBSCRIPTION", 99]],
  );
  t.deepEqual(told(earlier("2026-05-10"), service(paid, { status: "CANCELLED" })), []);
  t.deepEqual(told(earlier("2026-05-10"), service(paid, { status: "UNDER_CANCELLATION" })), []);
});

test("hidden services and refunds are not told", (t) => {
  t.deepEqual(
    told(
      earlier("2026-05-10"),
      service(
        [
          ["2026-06-10", 99],
          ["2026-05-10", 99],
        ],
        { visibility: "HIDDEN" },
      ),
    ),
    [],
  );
  t.deepEqual(
    told(
      earlier("2026-05-10"),
      service([
        ["2026-06-10", -99],
        ["2026-05-10", 99],
      ]),
    ),
    [],
  );
});

test("where an earlier algorithm made the last run, only what came since is news", (t) => {
  const after = service([
    ["2026-06-10", 99],
    ["2026-06-01", 99],
    ["2026-05-10", 99],
  ]);
  const came = (...days: string[]) => ({ arrived: new Set(days.map((day) => `t-${day}`)) });
  t.deepEqual(told([], after), [["NEW_SUBSCRIPTION", 99]]);
  t.deepEqual(told([], after, came()), [], "seen by the new algorithm alone");
  t.deepEqual(told([], after, came("2026-06-10")), [], "its first payment was there before");
  t.deepEqual(told([], after, came("2026-06-10", "2026-06-01", "2026-05-10")), [["NEW_SUBSCRIPTION", 99]]);
  t.deepEqual(told(earlier("2026-05-10"), after, came()), []);
  t.deepEqual(told(earlier("2026-05-10"), after, came("2026-06-10")), [["NEW_PAYMENT", 99]]);
});

test("a frequency that another algorithm sees is no change of the agreement", (t) => {
  const after = service([["2026-06-10", 99]], { paymentFrequency: "QUARTERLY" });
  t.deepEqual(told(earlier("2026-05-10"), after), [["PAYMENT_CHANGED", 99]]);
  t.deepEqual(told(earlier("2026-05-10"), after, { arrived: new Set(["t-2026-06-10"]) }), [["NEW_PAYMENT", 99]]);
});
