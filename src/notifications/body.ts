/** The body of a message as the interface defines it: Notification, with texts in every language there is. */
import { exponentOf } from "../money.ts";
import type { OutgoingNotification } from "./outbox.ts";
import type { Texts } from "./texts.ts";

/** The published schema wraps texts in an array, its example does not: a partner says which its receiver reads. */
export type TextsShape = "map" | "array";

/** JSON text of ReceiveNotificationRequest. */
export function bodyOf(outgoing: OutgoingNotification, texts: Texts, shape: TextsShape): string {
  const { type, content, bankUserId, locale } = outgoing;
  const written = Object.fromEntries([...texts].map(([language, of]) => [language, fill(of[type], content, language)]));
  const [spoken, kept] = [languageOf(locale), keptLanguage(languageOf(locale), texts)];
  if (kept !== undefined) written[spoken] ??= written[kept]!;
  const data = dataOf(outgoing);
  return JSON.stringify({
    notification: {
      type,
      country: countryOf(outgoing),
      userId: bankUserId,
      suggestedLocale: locale.toLowerCase().replace("_", "-"),
      payload: [payloadOf(outgoing)],
      texts: shape === "map" ? written : [written],
      ...(data === null ? {} : { data }),
    },
  });
}

function languageOf(locale: string): string {
  return locale.toLowerCase().split(/[-_]/, 1)[0]!;
}

/** ISO 639: the language, and its two written forms. */
const norwegian: readonly string[] = ["no", "nb", "nn"];

/** The language in which texts are kept for what a locale calls otherwise: nb by no, dan by da. */
function keptLanguage(spoken: string, texts: Texts): string | undefined {
  const { language } = new Intl.Locale(spoken);
  return [language, ...(norwegian.includes(language) ? norwegian : [])].find((one) => texts.has(one));
}

/** The brand's, else the region of the user's locale. */
function countryOf({ country, locale }: OutgoingNotification): string {
  return country !== "" ? country : locale.slice(-2).toUpperCase();
}

function payloadOf({ id, type, content, deepLink }: OutgoingNotification): {
  name: string;
  params: Record<string, string>;
} {
  const params: Record<string, string> = { notificationType: type, notificationId: id };
  if (content.serviceId !== undefined) params["serviceId"] = content.serviceId;
  if (content.budgetId !== undefined) params["budgetId"] = content.budgetId;
  if (content.budgetStatus !== undefined) params["status"] = content.budgetStatus;
  if (content.consentId !== undefined) params["consentId"] = content.consentId;
  if (deepLink !== null)
    params["url"] = deepLink.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  return { name: nameOf(content, type), params };
}

function nameOf(content: OutgoingNotification["content"], type: string): string {
  if (content.serviceId !== undefined) return "SUBSCRIPTION";
  if (content.budgetId !== undefined) return "BUDGET";
  return type === "TEST_NOTIFICATION" ? "TEST" : "ACCOUNT";
}

function dataOf({ content: { product, amount, currency, subscriptionCount } }: OutgoingNotification): object | null {
  if (product === undefined) return null;
  return {
    productTitle: product.title,
    productImageUrl: product.imageUrl,
    productType: product.type,
    product,
    ...(subscriptionCount === undefined ? {} : { subscriptionCount }),
    ...(amount === undefined ? {} : { amount, currency }),
  };
}

function fill(
  text: { title: string; body: string },
  content: OutgoingNotification["content"],
  language: string,
): { title: string; body: string } {
  const { amount, currency } = content;
  const values: Record<string, string> = {
    product: content.product?.title ?? content.bankName ?? "",
    amount: amount === undefined || currency === undefined ? "" : formatMoney(amount, currency, language),
  };
  const filled = (template: string): string =>
    template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
  return { title: filled(text.title), body: filled(text.body) };
}

function formatMoney(amount: number, currency: string, language: string): string {
  const digits = exponentOf(currency);
  return new Intl.NumberFormat(language, {
    style: "currency",
    currency,
    currencyDisplay: "code",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount);
}
