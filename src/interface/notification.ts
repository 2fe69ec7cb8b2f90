/**
 * What partners are told about their users, in the interface's words (Events). A further type is one line here and its
 * text in each language (src/texts): without one it does not compile.
 */
import type { Service } from "./services.ts";

type ProductType = Service["product"]["type"];

/** What a message may be about: the name in its payload. */
export const notificationSubjects = ["SUBSCRIPTION", "BUDGET", "ACCOUNT", "TEST"] as const;
export type NotificationSubject = (typeof notificationSubjects)[number];

/** What a message is made of, by what it is about. */
type Contents = {
  SUBSCRIPTION: {
    serviceId: string;
    product: { title: string; imageUrl: string; type: ProductType };
    /** A JSON number in `currency`, positive. */
    amount?: number;
    currency?: string;
    /** Running subscriptions that the user is shown. */
    subscriptionCount?: number;
  };
  BUDGET: { budgetId: string; budgetStatus: string };
  /** A connection to a bank. */
  ACCOUNT: { consentId: string; bankName: string };
  TEST: Readonly<Record<string, never>>;
};
export type ContentAbout<Subject extends NotificationSubject> = Contents[Subject];

type TypeEntry = {
  about: NotificationSubject;
  /** About products of this type it is told only where the brand's setting is on. */
  onlyIf?: { productType: ProductType; brandSetting: string };
};

/** In the order of the interface's table. */
export const notificationTypes = {
  CANCELLATION_COMPLETED: { about: "SUBSCRIPTION" },
  CANCELLATION_ABORTED: { about: "SUBSCRIPTION" },
  CANCELLATION_MOREINFOREQUIRED: { about: "SUBSCRIPTION" },
  NEW_SUBSCRIPTION: { about: "SUBSCRIPTION" },
  NEW_PAYMENT_CANCELLED_SUBSCRIPTION: { about: "SUBSCRIPTION" },
  NEW_PAYMENT: {
    about: "SUBSCRIPTION",
    onlyIf: { productType: "OTHER_RECURRING", brandSetting: "fixedExpenseNotifications" },
  },
  PAYMENT_CHANGED: { about: "SUBSCRIPTION" },
  USER_UPDATE_REQUIRED: { about: "ACCOUNT" },
  BUDGET_CHANGED: { about: "BUDGET" },
  TEST_NOTIFICATION: { about: "TEST" },
} as const satisfies Readonly<Record<string, TypeEntry>>;

export type NotificationType = keyof typeof notificationTypes;
export const notificationTypeNames = Object.keys(notificationTypes) as readonly NotificationType[];

/** The types of messages about a subject. */
export type TypeAbout<Subject extends NotificationSubject> = {
  [Type in NotificationType]: (typeof notificationTypes)[Type]["about"] extends Subject ? Type : never;
}[NotificationType];

/** A type with what a message of it is made of. */
export type Message<Subject extends NotificationSubject = NotificationSubject> = {
  [About in Subject]: { type: TypeAbout<About>; content: ContentAbout<About> };
}[Subject];

/** The call that gave a message. */
export type Origin = {
  correlationId: string;
  /** As it came (W3C Trace Context); null: none. */ traceparent: string | null;
};

/** Something to tell a user. `subject` with user and type is told once. */
export type Notice<Subject extends NotificationSubject = NotificationSubject> = Message<Subject> & {
  userId: number;
  subject: string;
  /** Of the payment it tells: the delivery that brought it is what gave the message. */
  txid?: string;
};

/** The setting of the user's brand that must be on for the message to be told; null: it is told anyway. */
export function brandSettingFor({ type, content }: Message): string | null {
  const { onlyIf }: TypeEntry = notificationTypes[type];
  return onlyIf !== undefined && "product" in content && content.product?.type === onlyIf.productType
    ? onlyIf.brandSetting
    : null;
}
