/** A service that the user confirmed or cancels is kept when it is no longer found, and no other is. */
import test from "ava";
import { keepDecided } from "../../../src/recognition/services/kept.ts";
import type { HistoryTransaction, RecognisedService } from "../../../src/recognition/recognise.ts";
import type { StoredService } from "../../../src/recognition/remembered.ts";
import { context, monthly, row, rows, services } from "../payments.ts";

const stored = (payments: readonly HistoryTransaction[], more: Partial<StoredService> = {}): StoredService => ({
  id: "one",
  userId: 1,
  key: "OUT:SUNDBY MOTION:x",
  txids: payments.map(({ txid }) => txid),
  firstDetectedOn: "2026-01-12",
  newsAfter: null,
  hidden: false,
  status: "ACTIVE",
  paymentFrequency: "MONTHLY",
  digest: null,
  cancellation: null,
  ...more,
});
const cancellation = {
  state: "OPEN",
  needsMoreInformation: false,
  changedDay: "2026-06-10",
  equipmentBack: null,
  moneyBack: null,
  confirmationContent: null,
  freeTextMessage: null,
  endDate: null,
  abortReason: null,
} as const;

const kept = (
  services: readonly StoredService[],
  history: readonly HistoryTransaction[],
  found: readonly RecognisedService[] = [],
) =>
  keepDecided(services, found, history, context).map(
    ({ title, paymentFrequency, payments, status }) => `${title} ${paymentFrequency} ${payments.length} ${status}`,
  );

const one = row("2026-06-12", "Sundby Motion", -19_900);

test("what the user confirmed or cancels is kept, made of its payments and its frequency", (t) => {
  t.deepEqual(kept([stored([one])], [one]), ["Sundby Motion MONTHLY 1 ACTIVE"]);
  t.deepEqual(kept([stored([one], { hidden: null, cancellation })], [one]), ["Sundby Motion MONTHLY 1 ACTIVE"]);
  const [service] = keepDecided([stored([one])], [], [one], context);
  t.like(service, {
    nextExpectedDay: "2026-07-13",
    visibility: "UNDECIDED",
    confidence: 0.5,
    evidence: { payeeKey: "SUNDBY MOTION", dueDayOfMonth: 12, habit: "NEXT_BANKING_DAY", spreadDays: 0 },
  });
});

test("what nobody decided about, and what the user hid, is let go", (t) => {
  t.deepEqual(kept([stored([one], { hidden: null })], [one]), []);
  t.deepEqual(kept([stored([one], { hidden: true })], [one]), []);
});

test("what is still found is not kept besides", (t) => {
  const history = rows(monthly("2026-01-12", 6), "Sundby Motion", -19_900);
  t.deepEqual(kept([stored(history.slice(0, 2))], history, services(history)), []);
});

test("a service of which no payment is there any more is gone", (t) => {
  t.deepEqual(kept([stored([one])], [row("2026-06-13", "Torvets Bageri", -4_100)]), []);
  t.deepEqual(kept([stored([], { txids: [] })], [one]), []);
});

test("what was paid to its latest payee at its latest price since is of it too", (t) => {
  const earlier = row("2026-02-12", "Sundby Motion", -17_900);
  const since = row("2026-06-26", "Sundby Motion", -19_900);
  const [service] = keepDecided(
    [stored([earlier, one])],
    [],
    [
      row("2026-03-01", "Sundby Motion", -19_900),
      earlier,
      one,
      since,
      row("2026-06-28", "Sundby Motion", -4_000),
      row("2026-06-27", "Puls Fitness", -19_900),
    ],
    context,
  );
  t.deepEqual(
    service?.payments.map(({ day }) => day),
    ["2026-02-12", "2026-06-12", "2026-06-26"],
  );
});

test("a payment that another service has is not taken from it", (t) => {
  const since = row("2026-06-26", "Sundby Motion", -19_900);
  const other = { ...services(rows(monthly("2026-01-12", 6), "Sundby Motion", -5_000))[0]!, payments: [since] };
  t.deepEqual(kept([stored([one])], [one, since], [other]), ["Sundby Motion MONTHLY 1 ACTIVE"]);
  t.deepEqual(
    kept(
      [stored([one]), stored([row("2026-06-11", "Sundby Motion", -19_900)], { id: "two" })],
      [one, row("2026-06-11", "Sundby Motion", -19_900), since],
    ),
    ["Sundby Motion MONTHLY 2 ACTIVE", "Sundby Motion MONTHLY 1 ACTIVE"],
  );
});

test("payments under an earlier name stay with it", (t) => {
  const before = row("2026-05-12", "Puls Fitness", -19_900);
  const [service] = keepDecided([stored([before, one])], [], [before, one], context);
  t.deepEqual([service?.title, service?.payments.length], ["Puls Fitness", 2]);
});

test("without a frequency remembered the likeliest is told", (t) => {
  const two = rows(["2026-03-12", "2026-06-12"], "Sundby Motion", -19_900);
  t.deepEqual(kept([stored(two, { paymentFrequency: null })], two), ["Sundby Motion QUARTERLY 2 ACTIVE"]);
});
