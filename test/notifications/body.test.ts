/** What a message to a receiver holds, type by type and language by language. */
import test from "ava";
import {
  brandSettingFor,
  type ContentAbout,
  type Message,
  notificationTypeNames,
  notificationTypes,
} from "../../src/interface/notification.ts";
import { bodyOf } from "../../src/notifications/body.ts";
import { brandSettings } from "../../src/partners/settings/brand-settings.ts";

const subscription: ContentAbout<"SUBSCRIPTION"> = {
  serviceId: "s-1",
  product: { title: "Music", imageUrl: "https://x/m.svg", type: "SUBSCRIPTION" },
  amount: 1234.5,
  currency: "DKK",
  subscriptionCount: 3,
};
const rent: ContentAbout<"SUBSCRIPTION"> = {
  ...subscription,
  product: { ...subscription.product, type: "OTHER_RECURRING" },
};

type Notification = {
  payload: { name: string; params: Record<string, string> }[];
  texts: Record<string, { title: string; body: string }>;
  data?: object;
};

function notificationOf(message: Message): Notification {
  const body = bodyOf(
    {
      ...message,
      id: "n-1",
      partnerId: "north",
      correlationId: null,
      traceparent: null,
      bankUserId: "anna",
      locale: "nb-NO",
      country: "",
      deepLink: null,
      createdAt: new Date(0),
      firstAttemptAt: new Date(0),
      attempts: 1,
    },
    "map",
  );
  return (JSON.parse(body) as { notification: Notification }).notification;
}

test("a message's payload is named after what its type is about, with the ids of that", (t) => {
  const payloads = (
    [
      { type: "CANCELLATION_COMPLETED", content: subscription },
      { type: "BUDGET_CHANGED", content: { budgetId: "b-1", budgetStatus: "READY" } },
      { type: "USER_UPDATE_REQUIRED", content: { consentId: "c-1", bankName: "Sandbox Bank" } },
      { type: "TEST_NOTIFICATION", content: {} },
    ] satisfies Message[]
  ).map((message) => notificationOf(message).payload);
  const common = { notificationId: "n-1" };
  t.deepEqual(payloads, [
    [
      {
        name: "SUBSCRIPTION",
        params: { notificationType: "CANCELLATION_COMPLETED", ...common, serviceId: "s-1" },
      },
    ],
    [
      {
        name: "BUDGET",
        params: { notificationType: "BUDGET_CHANGED", ...common, budgetId: "b-1", status: "READY" },
      },
    ],
    [{ name: "ACCOUNT", params: { notificationType: "USER_UPDATE_REQUIRED", ...common, consentId: "c-1" } }],
    [{ name: "TEST", params: { notificationType: "TEST_NOTIFICATION", ...common } }],
  ]);
});

test("data tells of a product only", (t) => {
  t.deepEqual(notificationOf({ type: "NEW_PAYMENT", content: subscription }).data, {
    productTitle: "Music",
    productImageUrl: "https://x/m.svg",
    productType: "SUBSCRIPTION",
    product: { title: "Music", imageUrl: "https://x/m.svg", type: "SUBSCRIPTION" },
    subscriptionCount: 3,
    amount: 1234.5,
    currency: "DKK",
  });
  t.false("data" in notificationOf({ type: "BUDGET_CHANGED", content: { budgetId: "b", budgetStatus: "READY" } }));
  t.false("data" in notificationOf({ type: "USER_UPDATE_REQUIRED", content: { consentId: "c", bankName: "Bank" } }));
});

test("texts come in every language, English first, Norwegian as no and as the user's locale calls it, with amounts as each writes them", (t) => {
  const { texts } = notificationOf({ type: "PAYMENT_CHANGED", content: subscription });
  t.deepEqual(
    Object.entries(texts).map(([language, { body }]) => `${language}: ${body.replace(/[\u00a0\u202f]/g, " ")}`),
    [
      "en: Music now costs DKK 1,234.50.",
      "da: Music koster nu 1.234,50 DKK.",
      "no: Music koster nå 1 234,50 DKK.",
      "sv: Music kostar nu 1 234,50 DKK.",
      "nb: Music koster nå 1 234,50 DKK.",
    ],
  );
  t.is(
    notificationOf({ type: "USER_UPDATE_REQUIRED", content: { consentId: "c", bankName: "Nordbanken" } }).texts["en"]
      ?.body,
    "The connection to Nordbanken ends. Connect it again to stay up to date.",
  );
});

test("payments of fixed expenses alone wait for a setting of the brand, which there is", (t) => {
  t.is(brandSettingFor({ type: "NEW_PAYMENT", content: rent }), "fixedExpenseNotifications");
  t.is(brandSettingFor({ type: "NEW_PAYMENT", content: subscription }), null);
  t.is(brandSettingFor({ type: "PAYMENT_CHANGED", content: rent }), null);
  t.is(brandSettingFor({ type: "TEST_NOTIFICATION", content: {} }), null);
  const asked = notificationTypeNames.flatMap((type) => {
    const entry = notificationTypes[type];
    return "onlyIf" in entry ? [entry.onlyIf.brandSetting] : [];
  });
  t.deepEqual(asked, ["fixedExpenseNotifications"]);
  t.deepEqual(
    asked.filter((setting) => !Object.hasOwn(brandSettings, setting)),
    [],
  );
});
