/** What users are told in notifications, in Swedish. Names in braces are filled in. */
import type { NotificationTexts } from "../wording.ts";

export const notifications: NotificationTexts = {
  NEW_SUBSCRIPTION: { title: "Nytt abonnemang", body: "Du har börjat betala {amount} till {product}." },
  NEW_PAYMENT: { title: "Ny betalning", body: "{amount} har betalats till {product}." },
  PAYMENT_CHANGED: { title: "Priset har ändrats", body: "{product} kostar nu {amount}." },
  NEW_PAYMENT_CANCELLED_SUBSCRIPTION: {
    title: "Betalning till ett uppsagt abonnemang",
    body: "{product} är uppsagt, men {amount} har betalats igen.",
  },
  CANCELLATION_COMPLETED: { title: "Abonnemanget är uppsagt", body: "{product} har sagts upp." },
  CANCELLATION_ABORTED: { title: "Inte uppsagt", body: "{product} kunde inte sägas upp." },
  CANCELLATION_MOREINFOREQUIRED: {
    title: "Vi behöver veta mer",
    body: "För att säga upp {product} behöver vi fler uppgifter från dig.",
  },
  USER_UPDATE_REQUIRED: {
    title: "Anslut banken igen",
    body: "Anslutningen till {product} upphör. Anslut den igen för att hålla översikten aktuell.",
  },
  BUDGET_CHANGED: { title: "Din budget", body: "Din budget har fått en ny status." },
  TEST_NOTIFICATION: { title: "Test", body: "Det här är ett testmeddelande." },
};
