/** The body of a message as the interface defines it: Notification, with texts in every language there is. */
import { exponentOf } from "../money.ts";
import {
  type ContentAbout,
  type NotificationSubject,
  type NotificationType,
  notificationTypes,
} from "../interface/notification.ts";
import type { OutgoingNotification } from "./outbox.ts";
import { type Language, languageCodes, languages } from "../texts/languages.ts";

/** The published schema wraps texts in an array, its example does not: a partner says which its receiver reads. */
export type TextsShape = "map" | "array";

type Text = { title: string; body: string };
type Payload = { name: string; params: Record<string, string> };

type Written = {
  /** Besides the message's own type and id. */
  params: Record<string, string>;
  /** What its texts name. */
  said: { product: string; amount?: number | undefined; currency?: string | undefined };
  /** Null: it has none. */
  data: object | null;
};

/** What a message tells of its subject. */
const writers: { readonly [Subject in NotificationSubject]: (content: ContentAbout<Subject>) => Written } = {
  SUBSCRIPTION: (content) => ({
    params: { serviceId: content.serviceId },
    said: { product: content.product.title, amount: content.amount, currency: content.currency },
    data: dataOf(content),
  }),
  BUDGET: ({ budgetId, budgetStatus }) => ({
    params: { budgetId, status: budgetStatus },
    said: { product: "" },
    data: null,
  }),
  ACCOUNT: ({ consentId, bankName }) => ({ params: { consentId }, said: { product: bankName }, data: null }),
  TEST: () => ({ params: {}, said: { product: "" }, data: null }),
};

/** JSON text of ReceiveNotificationRequest. */
export function bodyOf(outgoing: OutgoingNotification, shape: TextsShape): string {
  const { type, bankUserId, locale } = outgoing;
  const written = writtenOf(outgoing);
  const texts: Record<string, Text> = Object.fromEntries(
    languageCodes.map((code) => [languages[code].notifiedAs, textOf(type, written.said, code)]),
  );
  const [spoken, kept] = [languageOf(locale), keptText(languageOf(locale), texts)];
  if (kept !== null) texts[spoken] ??= kept;
  return JSON.stringify({
    notification: {
      type,
      country: countryOf(outgoing),
      userId: bankUserId,
      suggestedLocale: locale.toLowerCase().replace("_", "-"),
      payload: [payloadOf(outgoing, written)],
      texts: shape === "map" ? texts : [texts],
      ...(written.data === null ? {} : { data: written.data }),
    },
  });
}

function languageOf(locale: string): string {
  return locale.toLowerCase().replace(/[-_].*$/, "");
}

/** ISO 639: the language, and its two written forms. */
const norwegian: readonly string[] = ["no", "nb", "nn"];

/** The text in what a locale calls otherwise than it is kept: nb for no, dan for da. */
function keptText(spoken: string, texts: Readonly<Record<string, Text>>): Text | null {
  const { language } = new Intl.Locale(spoken);
  const names = [language, ...(norwegian.includes(language) ? norwegian : [])];
  return names.map((name) => texts[name]).find((text) => text !== undefined) ?? null;
}

/** The brand's, else the region of the user's locale. */
function countryOf({ country, locale }: OutgoingNotification): string {
  return country !== "" ? country : locale.slice(-2).toUpperCase();
}

function payloadOf({ id, type, deepLink }: OutgoingNotification, written: Written): Payload {
  const params: Record<string, string> = { notificationType: type, notificationId: id, ...written.params };
  if (deepLink !== null)
    params["url"] = deepLink.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  return { name: notificationTypes[type].about, params };
}

function writtenOf({ type, content }: OutgoingNotification): Written {
  // A message's content is that of its type's subject, which the compiler cannot follow through the table.
  const write = writers[notificationTypes[type].about] as (content: OutgoingNotification["content"]) => Written;
  return write(content);
}

function dataOf({ product, amount, currency, subscriptionCount }: ContentAbout<"SUBSCRIPTION">): object {
  return {
    productTitle: product.title,
    productImageUrl: product.imageUrl,
    productType: product.type,
    product,
    ...(subscriptionCount === undefined ? {} : { subscriptionCount }),
    ...(amount === undefined ? {} : { amount, currency }),
  };
}

function textOf(type: NotificationType, { product, amount, currency }: Written["said"], language: Language): Text {
  const values: Record<string, string> = {
    product,
    amount: amount === undefined || currency === undefined ? "" : formatMoney(amount, currency, language),
  };
  const filled = (template: string): string =>
    template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
  const { title, body } = languages[language].texts.notifications[type];
  return { title: filled(title), body: filled(body) };
}

function formatMoney(amount: number, currency: string, language: Language): string {
  const digits = exponentOf(currency);
  return new Intl.NumberFormat(language, {
    style: "currency",
    currency,
    currencyDisplay: "code",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount);
}
