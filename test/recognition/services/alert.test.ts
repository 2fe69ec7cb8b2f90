/** An alert to the user tells the payment, its product and its cost, or what the user answered. */
import test from "ava";
import type { LedgerTransaction } from "../../../src/ledger/history.ts";
import { type AlertContext, crowdsourcingAlert, membershipAlert } from "../../../src/recognition/services/alert.ts";
import { buildService } from "../../../src/recognition/services/service.ts";
import type { Submission } from "../../../src/recognition/services/submission.ts";
import { monthly, row, rows, services } from "../payments.ts";

const context: AlertContext = {
  asOf: "2026-06-30",
  country: "DK",
  currency: "DKK",
  importCompletedDay: null,
  imageBaseUrl: "https://bank.example",
  paymentId: () => 1,
  hiddenProductIds: new Set(),
  convert: ({ minor, currency: from }, currency) =>
    from === "EUR" ? { minor: Math.round(minor * 7.5), currency } : null,
};
const ledgerRow = (...[day, description, minor, more]: Parameters<typeof row>): LedgerTransaction => ({
  ...row(day, description, minor, { txid: "tx-1", rawType: "CARD_PURCHASE", ...more }),
  id: 4_711,
});
const submission: Submission = {
  id: "s-1",
  txid: "tx-1",
  paymentFrequency: "QUARTERLY",
  outcome: null,
  submittedAt: new Date("2026-06-20T10:00:00Z"),
  seen: false,
};
const warning = { id: "w-1", payeeKey: "KLUB HAVN", txid: "tx-1", seen: false };
const netflix = buildService(
  services(rows(monthly("2026-01-09", 6), "NETFLIX.COM", -12_900))[0]!,
  {
    id: "service-1",
    hidden: null,
    firstDetectedDay: "2026-03-01",
    newsAfter: null,
    cancellation: null,
    predecessorId: null,
  },
  context,
);

test("a warning tells the payment, and as its product a placeholder with the payee's name", (t) => {
  t.deepEqual(membershipAlert(warning, ledgerRow("2026-06-12", "Klub Havn 4417", -1_900), null, context), {
    id: "w-1",
    source: "MEMBERSHIP",
    membershipAlertType: "WARNING",
    product: {
      title: "Klub Havn",
      imageUrl: "https://bank.example/assets/products/klub-havn.svg",
      type: "SUBSCRIPTION",
      isGateway: false,
      isUnknownStoreSubscription: false,
    },
    transaction: {
      id: membershipAlert(warning, ledgerRow("2026-06-12", "Klub Havn", -1_900), null, context).transaction.id,
      transactionDate: "2026-06-12",
      type: "CARD_PURCHASE",
      amount: -19,
      currency: "DKK",
      originalAmount: -19,
      originalCurrency: "DKK",
      merchantName: "Klub Havn",
      accountId: "account-1",
    },
  });
});

test("an answer tells the outcome, the amount as a cost, and what the user said", (t) => {
  t.like(
    crowdsourcingAlert(submission, "NOT_SUBSCRIPTION", ledgerRow("2026-06-12", "Klub Havn", -24_000), null, context),
    {
      id: "s-1",
      source: "CROWDSOURCING",
      type: "NOT_SUBSCRIPTION",
      crowdsourceTime: "2026-06-20T10:00:00.000Z",
      sourceTransactionId: "tx-1",
      paymentFrequency: "QUARTERLY",
      amount: 240,
      currency: "DKK",
      originalAmount: 240,
      originalCurrency: "DKK",
    },
  );
  t.is(
    crowdsourcingAlert(
      { ...submission, paymentFrequency: null },
      "TECHNICAL_LIMITATION",
      ledgerRow("2026-06-12", "Klub Havn", -24_000),
      null,
      context,
    ).paymentFrequency,
    "UNKNOWN",
  );
});

test("where the payment belongs to a service, that tells the product and the frequency", (t) => {
  const alert = crowdsourcingAlert(
    submission,
    "SUCCESS",
    ledgerRow("2026-06-09", "NETFLIX.COM", -12_900),
    netflix,
    context,
  );
  t.is(alert.paymentFrequency, "MONTHLY");
  t.is(alert.product, netflix.product);
  t.is(alert.transaction.serviceId, "service-1");
});

test("without a service the catalogue tells the product, of a gateway the name behind it", (t) => {
  const product = (text: string) =>
    membershipAlert(warning, ledgerRow("2026-06-12", text, -1_900), null, context).product;
  t.like(product("STORYTEL.COM 4417"), {
    title: "Storytel",
    imageUrl: "https://bank.example/assets/products/storytel.svg",
    isGateway: false,
  });
  t.like(product("PAYPAL *LYDBIBLIO 40293"), {
    title: "Lydbiblio",
    imageUrl: "https://bank.example/assets/products/paypal.svg",
    isGateway: true,
  });
  t.like(product("APPLE.COM/BILL"), { isUnknownStoreSubscription: true });
});

test("a foreign payment is told as the account paid it and as it was priced, with the signs of the list of transactions", (t) => {
  const { transaction } = membershipAlert(
    warning,
    ledgerRow("2026-06-12", "Klub Havn", -6_512, { originalAmountMinor: -900, originalCurrency: "USD" }),
    null,
    context,
  );
  t.like(transaction, { amount: -65.12, currency: "DKK", originalAmount: -9, originalCurrency: "USD" });
  const euros = membershipAlert(
    warning,
    ledgerRow("2026-06-12", "Klub Havn", -1_000, { currency: "EUR" }),
    null,
    context,
  ).transaction;
  t.like(euros, { amount: -75, currency: "DKK", originalAmount: -10, originalCurrency: "EUR" });
  t.is(membershipAlert(warning, ledgerRow("2026-06-12", "Klub Havn", 0), null, context).transaction.amount, 0);
});

test("the merchant's name comes from the bank, else from the text, else from the kind of payment", (t) => {
  const name = (text: string, more: Partial<LedgerTransaction> = {}): string | null | undefined =>
    membershipAlert(warning, ledgerRow("2026-06-12", text, -1_900, more), null, context).transaction.merchantName;
  t.is(name("Kortkøb 4417", { merchantName: "Klub Havn A/S" }), "Klub Havn A/S");
  t.is(name("KLUB HAVN 4417"), "Klub Havn");
  t.is(name(""), "CARD_PURCHASE");
});

test("an account or a card that is not told is left out", (t) => {
  const { transaction } = membershipAlert(
    warning,
    ledgerRow("2026-06-12", "Klub Havn", -1_900, { accountId: null, cardId: "card-1" }),
    null,
    context,
  );
  t.false("accountId" in transaction);
  t.false("serviceId" in transaction);
  t.is(transaction.cardId, "card-1");
});
