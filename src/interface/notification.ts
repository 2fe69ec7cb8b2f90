/** What partners are told about their users, in the interface's words (Events). */

export const notificationTypes = [
  "CANCELLATION_COMPLETED",
  "CANCELLATION_ABORTED",
  "CANCELLATION_MOREINFOREQUIRED",
  "NEW_SUBSCRIPTION",
  "NEW_PAYMENT_CANCELLED_SUBSCRIPTION",
  "NEW_PAYMENT",
  "PAYMENT_CHANGED",
  "USER_UPDATE_REQUIRED",
  "BUDGET_CHANGED",
  "TEST_NOTIFICATION",
] as const;
export type NotificationType = (typeof notificationTypes)[number];

/** What a message is made of. Amounts are JSON numbers in `currency`, positive. */
export type NotificationContent = {
  product?: { title: string; imageUrl: string; type: "SUBSCRIPTION" | "OTHER_RECURRING" };
  amount?: number;
  currency?: string;
  /** Running subscriptions that the user is shown. */
  subscriptionCount?: number;
  serviceId?: string;
  budgetId?: string;
  budgetStatus?: string;
  consentId?: string;
  /** Whose connection it is about: no product, so that `data` does not tell it. */
  bankName?: string;
};

/** The call that gave a message. */
export type Origin = {
  correlationId: string;
  /** As it came (W3C Trace Context); null: none. */ traceparent: string | null;
};

/** Something to tell a user. `subject` with user and type is told once. */
export type Notice = {
  userId: number;
  type: NotificationType;
  subject: string;
  content: NotificationContent;
  /** A payment of what is no subscription: told only where the brand wants it. */
  isFixedExpense: boolean;
  /** Of the payment it tells: the delivery that brought it is what gave the message. */
  txid?: string;
};
