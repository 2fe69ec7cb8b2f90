/** What a user submits makes or confirms a service, and its word counts where the dates show nothing. */
import test from "ava";
import type { PaymentFrequency } from "../../../src/interface/payment-frequency.ts";
import type { HistoryTransaction } from "../../../src/recognition/recognise.ts";
import { applySubmissions, type Submission } from "../../../src/recognition/services/submission.ts";
import { context, everyDays, monthly, row, rows, services } from "../payments.ts";

const submission = (
  txid: string,
  paymentFrequency: PaymentFrequency | null = null,
  more: Partial<Submission> = {},
): Submission => ({
  id: txid,
  txid,
  paymentFrequency,
  outcome: null,
  submittedAt: new Date("2026-06-20T10:00:00Z"),
  seen: false,
  ...more,
});
const hear = (history: readonly HistoryTransaction[], ...submissions: Submission[]) =>
  applySubmissions(submissions, services(history), history, context);
const outcome = (payment: HistoryTransaction, others: readonly HistoryTransaction[] = []) => {
  const {
    verdicts: [verdict],
    services: made,
  } = hear([payment, ...others], submission(payment.txid));
  return [verdict?.outcome, verdict?.payeeKey, made.length];
};

test("without submissions what was found stands", (t) => {
  const found = services(rows(monthly("2026-01-12", 6), "Sundby Motion", -19_900));
  t.deepEqual(applySubmissions([], found, [], context), { services: found, verdicts: [] });
});

test("a payment that nobody recognised becomes a service with the payee's others at its price", (t) => {
  const history = [
    row("2026-02-12", "Klub Havn", -24_000),
    row("2026-03-01", "Klub Havn", -9_900),
    row("2026-06-14", "Klub Havn", -24_000),
  ];
  const {
    services: [made],
    verdicts,
  } = hear(history, submission(history[2]!.txid, "HALFYEARLY"));
  t.like(made, {
    title: "Klub Havn",
    paymentFrequency: "HALFYEARLY",
    visibility: "UNDECIDED",
    status: "ACTIVE",
    evidence: { dueDayOfMonth: 14 },
  });
  t.deepEqual(
    made?.payments.map(({ day }) => day),
    ["2026-02-12", "2026-06-14"],
  );
  t.deepEqual(
    verdicts.map(({ outcome: told, isNew, payeeKey }) => [told, isNew, payeeKey]),
    [["SUCCESS", true, "KLUB HAVN"]],
  );
});

test("without a frequency it is the product's usual one, else the likeliest by its dates", (t) => {
  const weekly = [row("2026-06-05", "Ugekassen", -9_000), row("2026-06-12", "Ugekassen", -9_000)];
  t.is(hear(weekly, submission(weekly[1]!.txid)).services[0]?.paymentFrequency, "WEEKLY");
  const yearly = rows(["2024-06-12", "2026-06-12"], "SPOTIFY", -9_000);
  t.is(hear(yearly, submission(yearly[1]!.txid)).services[0]?.paymentFrequency, "MONTHLY");
});

test("a payment of a service confirms it, and its frequency stands where its dates show it", (t) => {
  const history = rows(monthly("2026-01-12", 6), "Sundby Motion", -19_900);
  const {
    services: [one, ...others],
    verdicts: [verdict],
  } = hear(history, submission(history[3]!.txid, "WEEKLY"));
  t.deepEqual(others, []);
  t.like(one, { paymentFrequency: "MONTHLY", visibility: "VISIBLE" });
  t.like(verdict, { outcome: "SUCCESS", isNew: true, payeeKey: "SUNDBY MOTION" });
});

test("where the dates do not show a frequency, the user's word holds", (t) => {
  const netflix = [row("2026-06-09", "NETFLIX.COM", -12_900)];
  t.like(hear(netflix, submission(netflix[0]!.txid, "YEARLY")).services[0], {
    paymentFrequency: "YEARLY",
    nextExpectedDay: "2027-06-09",
  });
  t.is(hear(netflix, submission(netflix[0]!.txid)).services[0]?.paymentFrequency, "MONTHLY");
});

test("a later submission belongs to the service that an earlier one made", (t) => {
  const history = [row("2026-02-12", "Klub Havn", -24_000), row("2026-06-14", "Klub Havn", -24_000)];
  const { services: made, verdicts } = hear(
    history,
    submission(history[0]!.txid, "QUARTERLY"),
    submission(history[1]!.txid, "YEARLY"),
  );
  t.deepEqual(
    made.map(({ paymentFrequency }) => paymentFrequency),
    ["YEARLY"],
  );
  t.deepEqual(
    verdicts.map(({ outcome: told }) => told),
    ["SUCCESS", "SUCCESS"],
  );
});

test("what was judged once stays judged", (t) => {
  const club = row("2026-06-12", "Klub Havn", -24_000);
  const { services: none, verdicts } = hear([club], submission(club.txid, null, { outcome: "NOT_SUBSCRIPTION" }));
  t.deepEqual(none, []);
  t.like(verdicts[0], { outcome: "NOT_SUBSCRIPTION", isNew: false });
});

test("a transaction that is gone, or of zero, or without a name, cannot be told apart", (t) => {
  t.like(hear([], submission("gone")).verdicts[0], { outcome: "TECHNICAL_LIMITATION", payeeKey: null });
  t.deepEqual(outcome(row("2026-06-12", "Klub Havn", 0)), ["TECHNICAL_LIMITATION", null, 0]);
  t.deepEqual(outcome(row("2026-06-12", "4417 22", -24_000)), ["TECHNICAL_LIMITATION", null, 0]);
  t.deepEqual(outcome(row("2026-06-12", "PAYPAL *", -24_000)), ["TECHNICAL_LIMITATION", "paypal", 0]);
});

test("money that came in, cash, and what is never sold by subscription is none", (t) => {
  t.deepEqual(outcome(row("2026-06-12", "Klub Havn", 24_000)), ["NOT_SUBSCRIPTION", null, 0]);
  t.deepEqual(outcome(row("2026-06-12", "Kontanten", -24_000, { rawType: "CASH_WITHDRAWAL" })), [
    "NOT_SUBSCRIPTION",
    null,
    0,
  ]);
  t.deepEqual(outcome(row("2026-06-12", "Torvet", -24_000, { mcc: 5411 })), ["NOT_SUBSCRIPTION", "TORVET", 0]);
});

test("what may be a person is none, and nobody's name goes on a list", (t) => {
  t.deepEqual(outcome(row("2026-06-12", "Ida Holm", -24_000, { rawType: "TRANSFER_OUT" })), [
    "NOT_SUBSCRIPTION",
    null,
    0,
  ]);
  t.deepEqual(outcome(row("2026-06-12", "MobilePay Ida Holm", -24_000)), ["NOT_SUBSCRIPTION", null, 0]);
  t.deepEqual(
    outcome(row("2026-06-12", "Klub Havn", -24_000, { rawType: "TRANSFER_OUT", merchantName: "Klub Havn" })).slice(
      0,
      1,
    ),
    ["SUCCESS"],
    "a merchant is named",
  );
  t.deepEqual(
    outcome(row("2026-06-12", "Klub Havn", -24_000, { rawType: "TRANSFER_OUT", mcc: 7997 })).slice(0, 1),
    ["SUCCESS"],
    "a category is told",
  );
});

test("five other purchases at other prices make a shop that is gone to, unless it sells by subscription alone", (t) => {
  const at = (name: string, count: number): unknown =>
    outcome(
      row("2026-06-12", name, -24_000),
      everyDays("2026-05-02", count, 3).map((day, index) => row(day, name, -(1_100 + ((index * 7_919) % 9_001)))),
    )[0];
  t.deepEqual([at("Torvets Købmand", 4), at("Torvets Købmand", 5)], ["SUCCESS", "NOT_SUBSCRIPTION"]);
  t.is(at("SPOTIFY", 5), "SUCCESS");
});
