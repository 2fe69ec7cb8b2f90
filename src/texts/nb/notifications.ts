/** What users are told in notifications, in Norwegian (bokmål). Names in braces are filled in. */
import type { NotificationTexts } from "../wording.ts";

export const notifications: NotificationTexts = {
  NEW_SUBSCRIPTION: { title: "Nytt abonnement", body: "Du har begynt å betale {amount} til {product}." },
  NEW_PAYMENT: { title: "Ny betaling", body: "{amount} er betalt til {product}." },
  PAYMENT_CHANGED: { title: "Prisen er endret", body: "{product} koster nå {amount}." },
  NEW_PAYMENT_CANCELLED_SUBSCRIPTION: {
    title: "Betaling til et oppsagt abonnement",
    body: "{product} er sagt opp, men {amount} er betalt på nytt.",
  },
  CANCELLATION_COMPLETED: { title: "Abonnementet er sagt opp", body: "{product} er sagt opp." },
  CANCELLATION_ABORTED: { title: "Ikke sagt opp", body: "{product} kunne ikke sies opp." },
  CANCELLATION_MOREINFOREQUIRED: {
    title: "Vi mangler opplysninger",
    body: "For å si opp {product} trenger vi flere opplysninger fra deg.",
  },
  USER_UPDATE_REQUIRED: {
    title: "Koble til banken igjen",
    body: "Tilkoblingen til {product} utløper. Koble til igjen for å holde oversikten oppdatert.",
  },
  BUDGET_CHANGED: { title: "Budsjettet ditt", body: "Budsjettet ditt har fått ny status." },
  TEST_NOTIFICATION: { title: "Test", body: "Dette er en testmelding." },
};
