/** The kind of payment and what is known of the payee weigh whether there is an obligation at all. */
import test from "ava";
import type { PriorReason } from "../../../src/recognition/search/prior.ts";
import { priorOf, seriesPrior } from "../../../src/recognition/search/prior.ts";
import type { HistoryTransaction } from "../../../src/recognition/recognise.ts";
import type { Day } from "../../../src/time/calendar.ts";
import type { Payee } from "../../../src/payments/payee.ts";
import { changedPayment, type Payment } from "../../../src/payments/payment.ts";
import { paid, payeeWith } from "../obligations.ts";
import { monthly } from "../payments.ts";

type Given = Partial<HistoryTransaction> & { product?: string; gateway?: string };

const payee = ({ product, gateway, ...row }: Given) =>
  payeeWith(paid(monthly("2026-01-12", 3), 9_900, "Lydbogen", row), {
    ...(product === undefined ? {} : { product, key: product }),
    ...(gateway === undefined ? {} : { gateway }),
  });

const reasons = test.macro({
  exec(t, given: Given, ...expected: [PriorReason["reason"], number][]) {
    t.deepEqual(
      priorOf(payee(given)).map(({ reason, logOdds }) => [reason, logOdds]),
      [["BASE", -2], ...expected],
    );
  },
  title: (title) => `beforehand, ${title}`,
});

test("a direct debit is rather an obligation", reasons, { rawType: "DIRECT_DEBIT" }, ["PAYMENT_KIND", 3]);
test("a line that is only worded as what is collected says a little less", (t) => {
  const worded = payee({ rawType: "XYZ" });
  const payments = worded.payments.map((one) => changedPayment(one, { merchant: one.merchant, kind: "DIRECT_DEBIT" }));
  t.deepEqual(priorOf({ ...worded, payments })[1], { reason: "PAYMENT_KIND", logOdds: 2.7 });
});
test("a fee is rather none: most follow something else", reasons, { rawType: "BANK_FEE" }, ["PAYMENT_KIND", -2]);
test("a transfer and interest are half as much", reasons, { rawType: "TRANSFER_OUT" }, ["PAYMENT_KIND", 0.5]);
test("interest is one like a transfer", reasons, { rawType: "INTEREST" }, ["PAYMENT_KIND", 0.5]);
test("a card payment says nothing by its kind", reasons, { rawType: "CARD_PURCHASE" }, ["PAYMENT_KIND", 0]);
test("of what the bank does not say how it was paid more is owed", reasons, { rawType: "XYZ" }, ["PAYMENT_KIND", 0.7]);
test("cash is none", reasons, { rawType: "CASH_WITHDRAWAL" }, ["PAYMENT_KIND", -4]);

test(
  "an insurer recurs, as surely as the category is sure",
  reasons,
  { rawType: "CARD_PURCHASE", mcc: 6300 },
  ["PAYMENT_KIND", 0],
  ["MERCHANT_CATEGORY", 1.5 * 0.8],
);
test(
  "groceries do not",
  reasons,
  { rawType: "CARD_PURCHASE", mcc: 5411 },
  ["PAYMENT_KIND", 0],
  ["MERCHANT_CATEGORY", -4 * 0.9],
);
test(
  "furniture is bought once",
  reasons,
  { rawType: "CARD_PURCHASE", mcc: 5021 },
  ["PAYMENT_KIND", 0],
  ["MERCHANT_CATEGORY", -1.5 * 0.8],
);
test(
  "games may or may not recur",
  reasons,
  { rawType: "CARD_PURCHASE", mcc: 5816 },
  ["PAYMENT_KIND", 0],
  ["MERCHANT_CATEGORY", 0],
);
test("a category that nobody knows says nothing", reasons, { rawType: "CARD_PURCHASE", mcc: 1 }, ["PAYMENT_KIND", 0]);

test(
  "a product of the catalogue counts, and its category no more",
  reasons,
  { rawType: "CARD_PURCHASE", product: "netflix", mcc: 5411 },
  ["PAYMENT_KIND", 0],
  ["CATALOGUE", 3],
);
test(
  "behind a gateway may be anything, so its category counts",
  reasons,
  { rawType: "CARD_PURCHASE", product: "paypal", mcc: 6300 },
  ["PAYMENT_KIND", 0],
  ["MERCHANT_CATEGORY", 1.5 * 0.8],
  ["GATEWAY", 0.5],
);
test(
  "in an application store may be anything",
  reasons,
  { rawType: "CARD_PURCHASE", product: "app-store-subscription-store-a" },
  ["PAYMENT_KIND", 0],
  ["GATEWAY", 0.5],
);

test(
  "through a wallet people pay each other",
  reasons,
  { rawType: "CARD_PURCHASE", gateway: "MOBILEPAY" },
  ["PAYMENT_KIND", 0],
  ["WALLET", -1.5],
);
test(
  "through Swish and Vipps too",
  reasons,
  { rawType: "CARD_PURCHASE", gateway: "SWISH" },
  ["PAYMENT_KIND", 0],
  ["WALLET", -1.5],
);
test(
  "a merchant paid through a wallet is a merchant",
  reasons,
  { rawType: "CARD_PURCHASE", gateway: "VIPPS", mcc: 6300 },
  ["PAYMENT_KIND", 0],
  ["MERCHANT_CATEGORY", 1.5 * 0.8],
);
test(
  "a product paid through a wallet is a product",
  reasons,
  { rawType: "CARD_PURCHASE", gateway: "VIPPS", product: "netflix" },
  ["PAYMENT_KIND", 0],
  ["CATALOGUE", 3],
);
test("another gateway is no wallet", reasons, { rawType: "CARD_PURCHASE", gateway: "PAYPAL" }, ["PAYMENT_KIND", 0]);

test("the latest payment tells what kind it is", (t) => {
  const [first] = paid(["2026-01-12"], 9_900, "Lydbogen", { rawType: "CARD_PURCHASE", mcc: 6300 });
  const [latest] = paid(["2026-02-12"], 9_900, "Lydbogen", { rawType: "DIRECT_DEBIT" });
  t.deepEqual(
    priorOf(payeeWith([first!, latest!])).map(({ reason }) => reason),
    ["BASE", "PAYMENT_KIND"],
  );
  t.is(priorOf(payeeWith([first!, latest!]))[1]?.logOdds, 3);
});

test("against chance every reason counts, against habit all but the base rate", (t) => {
  const one = payee({ rawType: "DIRECT_DEBIT", mcc: 6300 });
  t.deepEqual(seriesPrior(priorOf(one), one), {
    againstChance: -2 + 3 + 1.5 * 0.8,
    againstHabit: 3 + 1.5 * 0.8,
    isCrowded: false,
    usualCost: 0,
    isOwed: true,
  });
  t.is(seriesPrior([], one, 1_900).usualCost, 2_048, "roughly");
  t.is(seriesPrior([], one, 2_100).usualCost, 2_048);
  t.is(seriesPrior([], { ...one, direction: "IN" }, 1_900).usualCost, 0, "what is paid says nothing of what is earned");
});

test("many obligations share the name of a gateway or a store, not that of a shop behind one", (t) => {
  t.true(seriesPrior([], payee({ product: "paypal" })).isCrowded);
  t.true(seriesPrior([], payee({ product: "app-store-subscription-store-b" })).isCrowded);
  t.false(seriesPrior([], { ...payee({ product: "paypal" }), key: "LYDBOGEN" }).isCrowded);
  t.false(seriesPrior([], payee({ product: "netflix" })).isCrowded);
});

test("who is known no surer than a word is owed as well, where seven of ten are", (t) => {
  const owed = (confidence: number): boolean | undefined =>
    seriesPrior(
      [{ reason: "MERCHANT_CATEGORY", logOdds: 1.5 * confidence }],
      payeeWith(paid(monthly("2026-01-12", 3), 19_900)),
    ).isOwed;
  t.deepEqual([owed(0.69), owed(0.71)], [false, true]);
});

test("owed by its kind is what the bank says is collected, and whose merchant category says so, but no everyday purchase", (t) => {
  const debit = { rawType: "DIRECT_DEBIT" };
  const days: Day[] = ["2026-01-12", "2026-02-12", "2026-03-12"];
  const isOwed = (one: Payee): boolean | undefined => seriesPrior(priorOf(one), one).isOwed;
  const of = (more: Partial<HistoryTransaction>, minor = 9_912): Payee =>
    payeeWith(paid(days, minor, "Lydbogen", more));
  t.true(isOwed(of(debit)));
  t.true(isOwed(of({ ...debit, mcc: 6300 })));
  t.true(isOwed(of({ rawType: "CARD_PURCHASE", mcc: 6300 })));
  t.false(isOwed(of({ rawType: "CARD_PURCHASE" })));
  t.true(isOwed(payee({ rawType: "CARD_PURCHASE", product: "telia" })), "a fixed expense of the catalogue");
  t.false(isOwed(payee({ rawType: "CARD_PURCHASE", product: "netflix" })), "a subscription has its price and day");
  t.false(isOwed(payee({ rawType: "CARD_PURCHASE", product: "paypal" })), "who collects for anybody");
  t.false(isOwed(of({ rawType: "TRANSFER" })));
  t.false(isOwed(of({ ...debit, mcc: 5411 })), "a supermarket");
  t.false(isOwed(payeeWith(paid(days, -9_912, "Lydbogen", debit))), "what comes in");
});

test("a wording that others' direct debits have, a till's signature, and amounts that somebody chose are not the bank's word", (t) => {
  const days: Day[] = ["2026-01-12", "2026-02-12", "2026-03-12", "2026-04-12"];
  const isOwed = (payments: Payment[]): boolean | undefined => seriesPrior([], payeeWith(payments)).isOwed;
  const debit = { rawType: "DIRECT_DEBIT" };
  const byWording = paid(days, 9_912, "Lydbogen", { rawType: "PAYMENT" });
  t.false(isOwed(byWording.map((one) => changedPayment(one, { merchant: one.merchant, kind: "DIRECT_DEBIT" }))));
  t.true(isOwed(paid(days, 9_912, "Lydbogen SEPA-mandate nr 12", { rawType: "PAYMENT" })));
  t.false(isOwed(paid(days, 9_912, "Lydbogen 2026-01-02T16:48", debit)));
  const mixed = [
    ...paid(days.slice(0, 2), 9_912, "Lydbogen", { rawType: "TRANSFER" }),
    ...paid(days.slice(2), 9_912, "Lydbogen", debit),
  ];
  t.false(isOwed(mixed), "all of it is collected");
  const chosen = days.flatMap((day, index) => paid([day], 20_000 + 10_000 * index, "Lydbogen", debit));
  t.false(isOwed(chosen));
});
