/** Stray payments under another name continue an obligation at its ends, and never in its midst. */
import test from "ava";
import type { Day } from "../../../src/time/calendar.ts";
import type { Payment } from "../../../src/payments/payment.ts";
import type { Obligation } from "../../../src/recognition/search/obligation.ts";
import type { HistoryTransaction } from "../../../src/recognition/recognise.ts";
import { kinshipOf } from "../../../src/recognition/search/kinship.ts";
import { adoptRenamed, type Strays } from "../../../src/recognition/search/rename.ts";
import { daysOf, obligationWith, paid, paidAmounts, payeeWith } from "../obligations.ts";
import { everyDays, monthly } from "../payments.ts";

/** Payments in no series, to a payee of their own. */
const strays = (
  days: Day[],
  minor: number,
  name: string,
  more: Partial<HistoryTransaction> & { product?: string } = {},
): Strays => {
  const { product, ...row } = more;
  const rest = paid(days, minor, name, row);
  return { payee: payeeWith(rest, product === undefined ? {} : { product, key: product }), rest };
};

/** Due on the 12th at DKK 199.51, from October to April. */
const gym = obligationWith(paid(monthly("2025-10-12", 7), 19_951));
/** With what the names of all these payees tell. */
const renamed = (obligations: Obligation[], others: Strays[]): Obligation[] => {
  const payees = [...obligations, ...others].map(({ payee }) => payee);
  return adoptRenamed(obligations, others, kinshipOf(payees), "DK");
};
const adopted = (obligation: Obligation, ...others: Strays[]): Obligation => renamed([obligation], others)[0]!;
const added = (obligation: Obligation, ...others: Strays[]): Day[] => {
  const own = new Set(daysOf(obligation.payments));
  return daysOf(adopted(obligation, ...others).payments).filter((day) => !own.has(day));
};

test("payments at the price under another name, when it was due, continue an obligation, which is named anew", (t) => {
  const one = adopted(gym, strays(["2026-05-12", "2026-06-12"], 19_951, "Puls Form"));
  t.like(one, { title: "Puls Form", payee: { key: "PULS FORM" }, schedule: { anchor: 12 } });
  t.deepEqual(one.aliases, ["SUNDBY MOTION"]);
  t.deepEqual(daysOf(one.payments), monthly("2025-10-12", 9));
});

test("payments before the first one are of it too, and change no name", (t) => {
  const one = adopted(gym, strays(["2025-08-12", "2025-09-12"], 19_951, "Puls Form"));
  t.like(one, { title: "Sundby Motion", payee: { key: "SUNDBY MOTION" } });
  t.deepEqual(one.aliases, ["PULS FORM"]);
  t.deepEqual(daysOf(one.payments), monthly("2025-08-12", 9));
});

test("names that it had before stay known", (t) => {
  const renamed = { ...gym, aliases: ["KROP OG KRAFT"] };
  t.deepEqual(adopted(renamed, strays(["2026-05-12"], 19_951, "Puls Form")).aliases, [
    "KROP OG KRAFT",
    "SUNDBY MOTION",
  ]);
  t.deepEqual(
    adopted({ ...gym, aliases: ["PULS FORM"] }, strays(["2026-05-12"], 19_951, "Puls Form")).aliases,
    ["SUNDBY MOTION"],
    "but not as earlier ones when they are back",
  );
});

test("without strays, or with none that fit, the obligation stays the very same", (t) => {
  t.is(adopted(gym), gym);
  t.is(adopted(gym, strays(["2026-05-25"], 19_951, "Puls Form")), gym, "not due");
  t.is(adopted(gym, strays(["2026-05-12"], 19_952, "Puls Form")), gym, "another price");
  t.is(adopted(gym, strays(["2026-05-12"], -19_951, "Puls Form")), gym, "money that came in");
});

test("nothing is taken from the midst of an obligation", (t) => {
  const gap = obligationWith(paid(["2025-10-12", "2025-11-12", "2026-01-12", "2026-02-12"], 19_951));
  t.is(adopted(gap, strays(["2025-12-12"], 19_951, "Puls Form")), gap);
  t.is(adopted(gap, strays(["2025-12-12"], 19_951, "Sundby Fitness")), gap);
});

test("a stray to the same payee is no rename", (t) => {
  const rest = paid(["2026-05-12"], 19_951);
  t.is(adopted(gym, { payee: gym.payee, rest }), gym);
});

test("a price of whole tens many ask for; one to the krone few do", (t) => {
  const at = (minor: number): Day[] =>
    added(obligationWith(paid(monthly("2025-10-12", 7), minor)), strays(["2026-05-12"], minor, "Puls Form"));
  t.deepEqual(at(20_000), []);
  const twice = (minor: number): Day[] =>
    added(
      obligationWith(paid(monthly("2025-10-12", 7), minor)),
      strays(["2026-05-12", "2026-06-12"], minor, "Puls Form"),
    );
  t.deepEqual(twice(20_000), [], "however often");
  t.deepEqual(twice(19_900), ["2026-05-12", "2026-06-12"]);
  t.deepEqual(at(19_913), ["2026-05-12"]);
});

test("under a related name a due payment may cost something else", (t) => {
  t.deepEqual(added(gym, strays(["2026-05-12"], 21_900, "Sundby Fitness")), ["2026-05-12"]);
  t.deepEqual(added(gym, strays(["2026-05-12"], 39_900, "Sundby Fitness")), [], "but not twice as much");
});

test("a related name that is paid on the obligation's own days is another agreement's", (t) => {
  const savings = (days: Day[]) => strays(days, 21_900, "Sundby Motion Opsparing");
  t.is(adopted(gym, savings(["2025-12-12", "2026-02-12", "2026-05-12"])), gym);
  t.deepEqual(added(gym, savings(["2025-12-12", "2025-12-13", "2026-05-12"])), ["2026-05-12"], "once may be chance");
});

test("a price that follows use goes on under related names only", (t) => {
  const bills = obligationWith(paidAmounts(monthly("2025-10-12", 4), [20_013, 24_017, 21_019, 20_011], "Sundby Varme"));
  t.deepEqual(added(bills, strays(["2026-02-12"], 20_011, "Puls Form")), []);
  t.deepEqual(added(bills, strays(["2026-02-12"], 22_222, "Sundby Fjernvarme")), ["2026-02-12"]);
});

test("what it cost at that end counts: with a price of long ago nobody goes on", (t) => {
  const risen = obligationWith(
    paidAmounts(monthly("2025-10-12", 8), [19_951, 19_951, 19_951, 19_951, 23_951, 23_951, 23_951, 23_951]),
  );
  t.deepEqual(added(risen, strays(["2026-06-12"], 19_951, "Puls Form")), []);
  t.deepEqual(added(risen, strays(["2026-06-12"], 23_951, "Puls Form")), ["2026-06-12"]);
  t.deepEqual(added(risen, strays(["2025-09-12"], 19_951, "Puls Form")), ["2025-09-12"]);
  t.deepEqual(added(risen, strays(["2025-09-12"], 23_951, "Puls Form")), []);
});

test("what more than twenty-four strays cost tells nothing", (t) => {
  const others = (count: number): Strays => strays(everyDays("2024-01-03", count, 9), 19_951, "Torvets Bageri");
  t.deepEqual(added(gym, strays(["2026-05-12"], 19_951, "Puls Form"), others(23)).includes("2026-05-12"), true);
  t.is(adopted(gym, strays(["2026-05-12"], 19_951, "Puls Form"), others(24)), gym);
});

test("another product, or a shop of another kind, does not continue it", (t) => {
  const netflix = obligationWith(
    gym.payments,
    "MONTHLY",
    payeeWith(gym.payments, { product: "netflix", key: "netflix" }),
  );
  t.is(adopted(netflix, strays(["2026-05-12"], 19_951, "Spotify", { product: "spotify" })), netflix);
  const insurer = obligationWith(paid(monthly("2025-10-12", 7), 19_951, "Kystens", { mcc: 6300 }));
  t.is(adopted(insurer, strays(["2026-05-12"], 19_951, "Puls Form", { mcc: 5411 })), insurer);
  t.deepEqual(added(insurer, strays(["2026-05-12"], 19_951, "Puls Form", { mcc: 6300 })), ["2026-05-12"]);
});

test("the kind of shop is compared at the end that the stray would join", (t) => {
  const recoded = obligationWith([
    ...paid(monthly("2025-10-12", 4), 19_951, "Kystens", { mcc: 6300 }),
    ...paid(monthly("2026-02-12", 3), 19_951, "Kystens", { mcc: 7997 }),
  ]);
  t.deepEqual(added(recoded, strays(["2025-09-12"], 19_951, "Puls Form", { mcc: 6300 })), ["2025-09-12"]);
  t.deepEqual(added(recoded, strays(["2025-09-12"], 19_951, "Puls Form", { mcc: 7997 })), []);
  t.deepEqual(added(recoded, strays(["2026-05-12"], 19_951, "Puls Form", { mcc: 7997 })), ["2026-05-12"]);
});

test("what is paid to a gateway goes on at no price", (t) => {
  const payments = paid(monthly("2025-10-12", 7), 19_951, "PAYPAL *");
  const paypal = obligationWith(payments, "MONTHLY", payeeWith(payments, { product: "paypal", key: "paypal" }));
  t.is(adopted(paypal, strays(["2026-05-12"], 19_951, "Puls Form")), paypal);
});

test("a line in which the gateway is named alone goes on with what was paid through it, and names nothing anew", (t) => {
  const own = paid(monthly("2025-10-12", 7), 12_99, "Puls Form");
  const through = obligationWith(own, "MONTHLY", payeeWith(own, { gateway: "PAYPAL" }));
  const unnamed = (minor: number, gateway = "PAYPAL"): Strays => {
    const rest = paid(["2026-05-12", "2026-06-12"], minor, "PAYPAL *");
    return { payee: payeeWith(rest, { product: "paypal", key: "paypal", gateway }), rest };
  };
  const one = adopted(through, unnamed(12_99));
  t.deepEqual(daysOf(one.payments).slice(-2), ["2026-05-12", "2026-06-12"]);
  t.like(one, { title: "Puls Form", aliases: [] });
  t.is(adopted(through, unnamed(13_99)), through, "at another price");
  t.is(adopted(through, unnamed(12_99, "KLARNA")), through, "through another gateway");
});

test("a stray continues one obligation, the first", (t) => {
  const other = obligationWith(paid(monthly("2025-10-12", 7), 19_951, "Krop Og Kraft"));
  const [first, second] = renamed([gym, other], [strays(["2026-05-12"], 19_951, "Puls Form")]);
  t.is(first?.payments.length, 8);
  t.is(second, other);
});

// Runs of strays alone

const runs = (...others: Strays[]): string[] =>
  renamed([], others).map(({ title, payments, aliases }) => `${title} ${payments.length} ${aliases.join()}`);

test("strays at one price under two names, one after the other, make a run across them", (t) => {
  t.deepEqual(
    runs(
      strays(["2026-01-12", "2026-02-12"], 19_951, "Sundby Motion"),
      strays(["2026-03-12", "2026-04-12", "2026-05-12"], 19_951, "Puls Form"),
    ),
    ["Puls Form 5 SUNDBY MOTION"],
  );
});

test("a run across names is weighed by its own lines: what its two latest say belongs to two payees", (t) => {
  const reasons = (...lines: string[]): string[] =>
    renamed(
      [],
      lines.map((line, year) => strays([`${2025 + year}-03-10` as Day], 19_951, line, { rawType: "DIRECT_DEBIT" })),
    ).flatMap(({ prior }) => prior.map(({ reason }) => reason));
  t.deepEqual(reasons("Sundby Motion kontingent 2025", "Sundby Motion Nord kontingent 2026"), [
    "BASE",
    "PAYMENT_KIND",
    "COUNTER",
    "DUES",
  ]);
  t.deepEqual(reasons("Sundby Motion 14", "Sundby Motion Nord 15"), ["BASE", "PAYMENT_KIND"]);
});

test("names that take turns are no rename", (t) => {
  t.deepEqual(
    runs(
      strays(["2026-01-12", "2026-03-12", "2026-05-12"], 19_951, "Sundby Motion"),
      strays(["2026-02-12", "2026-04-12"], 19_951, "Puls Form"),
    ),
    [],
  );
});

test("strays at different prices, of either direction or in two currencies make none", (t) => {
  const [before, after] = [
    ["2026-01-12", "2026-02-12"],
    ["2026-03-12", "2026-04-12", "2026-05-12"],
  ];
  t.deepEqual(runs(strays(before, 19_951, "Sundby Motion"), strays(after, 19_952, "Puls Form")), []);
  t.deepEqual(runs(strays(before, -19_951, "Sundby Motion"), strays(after, 19_951, "Puls Form")), []);
  t.deepEqual(
    runs(strays(before, 19_951, "Sundby Motion"), strays(after, 19_951, "Puls Form", { currency: "EUR" })),
    [],
  );
});

test("one payee's strays were searched already", (t) => {
  t.deepEqual(runs(strays(monthly("2026-01-12", 5), 19_951, "Sundby Motion")), []);
});

test("two payments are a run under related names only", (t) => {
  const two = (name: string): string[] =>
    runs(strays(["2026-04-12"], 19_951, "Sundby Motion"), strays(["2026-05-12"], 19_951, name));
  t.deepEqual(two("Sundby Gym"), ["Sundby Gym 2 SUNDBY MOTION"]);
  t.deepEqual(two("Puls Form"), []);
});

test("a price of more than twenty-four strays makes no run", (t) => {
  const two = (count: number): number =>
    runs(
      strays(everyDays("2026-01-02", count - 2, 1), 19_951, "Sundby Motion"),
      strays(everyDays("2026-02-20", 2, 1), 19_951, "Puls Form"),
    ).length;
  t.is(two(25), 0);
});

test("what an obligation was given makes no run besides", (t) => {
  const found = renamed(
    [gym],
    [
      strays(["2026-05-12", "2026-06-12"], 19_951, "Puls Form"),
      strays(["2026-07-12", "2026-08-12"], 19_951, "Krop Og Kraft"),
    ],
  );
  t.is(found.length, 1);
  t.is(found[0]?.payments.length, 11);
});

test("payments of a run are told once", (t) => {
  const found = renamed(
    [],
    [
      strays(["2026-01-12", "2026-02-12"], 19_951, "Sundby Motion"),
      strays(["2026-03-12", "2026-04-12", "2026-05-12"], 19_951, "Puls Form"),
    ],
  );
  t.deepEqual(
    found.flatMap(({ payments }): Payment[] => payments).map(({ transaction }) => transaction.day),
    monthly("2026-01-12", 5),
  );
});

test("a name that was paid at the price before as well as after is nobody's new one", (t) => {
  t.is(adopted(gym, strays(["2025-09-12", "2026-05-12", "2026-06-12"], 19_951, "Puls Form")), gym);
});

test("one payment each to two who share nothing are two purchases, and those to two who are related a run", (t) => {
  const found = (other: string) =>
    renamed(
      [],
      [
        strays(["2026-01-12"], 19_951, other, { rawType: "DIRECT_DEBIT" }),
        strays(["2026-02-12"], 19_951, "Puls Form", { rawType: "DIRECT_DEBIT", product: "netflix" }),
      ],
    ).length;
  t.deepEqual(["Kafe Torvet", "Puls Form Center"].map(found), [0, 1]);
});
