/** What users are told in notifications, in English. Names in braces are filled in. */
import type { NotificationType } from "../../interface/notification.ts";

export const notifications = {
  NEW_SUBSCRIPTION: { title: "New subscription", body: "You have started paying {amount} to {product}." },
  NEW_PAYMENT: { title: "New payment", body: "{amount} was paid to {product}." },
  PAYMENT_CHANGED: { title: "The price has changed", body: "{product} now costs {amount}." },
  NEW_PAYMENT_CANCELLED_SUBSCRIPTION: {
    title: "Payment to a cancelled subscription",
    body: "{product} was cancelled, and {amount} was paid to it again.",
  },
  CANCELLATION_COMPLETED: { title: "Subscription cancelled", body: "{product} has been cancelled." },
  CANCELLATION_ABORTED: { title: "Not cancelled", body: "{product} could not be cancelled." },
  CANCELLATION_MOREINFOREQUIRED: {
    title: "We need to know more",
    body: "To cancel {product} we need more information from you.",
  },
  USER_UPDATE_REQUIRED: {
    title: "Connect your bank again",
    body: "The connection to {product} ends. Connect it again to stay up to date.",
  },
  BUDGET_CHANGED: { title: "Your budget", body: "The status of your budget has changed." },
  TEST_NOTIFICATION: { title: "Test", body: "This is a test message." },
} satisfies Record<NotificationType, { title: string; body: string }>;
