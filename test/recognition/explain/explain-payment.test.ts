/** A payment that belongs to no service is explained by the first reason that holds. */
import test from "ava";
import { explainPayment } from "../../../src/recognition/explain/explain-payment.ts";
import type { HistoryTransaction } from "../../../src/recognition/recognise.ts";
import { context, everyDays, monthly, row, rows } from "../payments.ts";

const said = (payment: HistoryTransaction, others: readonly HistoryTransaction[] = []): string =>
  explainPayment(payment, [payment, ...others], context);

test("what is not looked at at all is told first", (t) => {
  t.is(
    said(row("2026-07-01", "Sundby Motion", -19_900)),
    "-199.00 DKK on 2026-07-01: it is dated after 2026-06-30, the day for which recognition ran.",
  );
  t.is(said(row("2026-06-12", "Sundby Motion", 0)), "0.00 DKK on 2026-06-12: an amount of zero is no payment.");
  t.is(
    said(row("2026-06-12", "Sundby Motion", 5_000)),
    "50.00 DKK on 2026-06-12: money that came in is no expense; it counts as income or as a refund.",
  );
  t.is(
    said(row("2026-06-12", "Kontanten", -5_000, { rawType: "ATM" })),
    "-50.00 DKK on 2026-06-12: cash follows its owner's rhythm, not a payee's.",
  );
});

test("money moved between two accounts of the user is told as that", (t) => {
  const out = row("2026-06-12", "Overførsel", -50_000, { rawType: "TRANSFER_OUT", accountId: "a" });
  const back = row("2026-06-12", "Overførsel", 50_000, { rawType: "TRANSFER_IN", accountId: "b" });
  t.is(said(out, [back]), "-500.00 DKK on 2026-06-12: money moved between the user's own accounts is no payment.");
});

test("a single payment is told as the only one of its kind, beside the payee's series", (t) => {
  const stray = row("2026-06-20", "Sundby Motion", -4_000);
  t.is(said(stray), "Sundby Motion, -40.00 DKK on 2026-06-20: it is the only payment of its kind to this payee.");
  t.is(
    said(stray, rows(monthly("2026-01-12", 6), "Sundby Motion", -19_900)),
    "Sundby Motion, -40.00 DKK on 2026-06-20: it is the only payment of its kind to this payee. A series of the payee's others was found without it.",
  );
});

test("payments that no cadence explains are told by their distances and their costs", (t) => {
  const others = [row("2026-03-01", "Boghandleren", -14_900), row("2026-03-19", "Boghandleren", -22_500)];
  t.is(
    said(row("2026-06-05", "Boghandleren", -8_000), others),
    "Boghandleren, -80.00 DKK on 2026-06-05: 3 payments lie 18 to 78 days apart and cost 80.00 to 225.00 DKK. No cadence explains them better than chance.",
  );
});

test("payments at one price and one distance are told by one figure each", (t) => {
  t.is(
    said(row("2026-06-30", "Boghandleren", -8_000, { mcc: 5942 }), [row("2026-06-10", "Boghandleren", -8_000)]),
    "Boghandleren, -80.00 DKK on 2026-06-30: 2 payments lie 20 days apart and cost 80.00 DKK. No cadence explains them better than chance.",
  );
});

test("what comes regularly as habits do is told as a habit, with what its category says", (t) => {
  const [first, ...others] = everyDays("2025-09-06", 42, 7).map((day, index) =>
    row(day, "Torvet", -(9_000 + ((index * 14_741) % 25_000)), { rawType: "CARD_PURCHASE", mcc: 5411 }),
  );
  t.is(
    said(first!, others),
    "Torvet, -90.00 DKK on 2025-09-06: it is one of 42 payments that come regularly, but as habits do: their amounts and dates follow the user, not a bill. Against: the merchant's category, Groceries and supermarkets, is paid for singly.",
  );
});

test("a category that is mostly paid for once is told as that", (t) => {
  t.regex(
    said(row("2026-06-05", "Mobelhuset", -8_000, { rawType: "CARD_PURCHASE", mcc: 5021 })),
    /Against: the merchant's category, Office and commercial furniture, is paid for mostly singly\.$/,
  );
});

test("a payment of a series that went elsewhere is told as that", (t) => {
  const [first, ...others] = rows(monthly("2026-01-12", 6), "Sundby Motion", -19_900);
  t.is(
    said(first!, others),
    "Sundby Motion, -199.00 DKK on 2026-01-12: its dates make a series, which was then given to a service under another name.",
  );
});
