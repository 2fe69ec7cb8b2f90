/** What users are told in notifications, in Danish. Names in braces are filled in. */
import type { NotificationTexts } from "../wording.ts";

export const notifications: NotificationTexts = {
  NEW_SUBSCRIPTION: { title: "Nyt abonnement", body: "Du er begyndt at betale {amount} til {product}." },
  NEW_PAYMENT: { title: "Ny betaling", body: "Der er betalt {amount} til {product}." },
  PAYMENT_CHANGED: { title: "Prisen er ændret", body: "{product} koster nu {amount}." },
  NEW_PAYMENT_CANCELLED_SUBSCRIPTION: {
    title: "Betaling til et opsagt abonnement",
    body: "{product} er opsagt, men der er igen betalt {amount}.",
  },
  CANCELLATION_COMPLETED: { title: "Abonnementet er opsagt", body: "{product} er blevet opsagt." },
  CANCELLATION_ABORTED: { title: "Ikke opsagt", body: "{product} kunne ikke opsiges." },
  CANCELLATION_MOREINFOREQUIRED: {
    title: "Vi mangler oplysninger",
    body: "For at opsige {product} har vi brug for flere oplysninger fra dig.",
  },
  USER_UPDATE_REQUIRED: {
    title: "Forbind din bank igen",
    body: "Forbindelsen til {product} udløber. Forbind den igen for at være opdateret.",
  },
  BUDGET_CHANGED: { title: "Dit budget", body: "Dit budget har fået en ny status." },
  TEST_NOTIFICATION: { title: "Test", body: "Dette er en testbesked." },
};
