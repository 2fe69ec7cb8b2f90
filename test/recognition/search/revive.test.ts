/** What went quiet is taken up again by a payment to the same payee at about its price, on whatever day it comes. */
import test from "ava";
import type { Day } from "../../../src/time/calendar.ts";
import type { Obligation } from "../../../src/recognition/search/obligation.ts";
import type { Payment } from "../../../src/payments/payment.ts";
import { revived } from "../../../src/recognition/search/revive.ts";
import { at, daysOf, obligationWith, paid, paidAmounts, payeeWith } from "../obligations.ts";
import { monthly } from "../payments.ts";

const due = monthly("2025-06-12", 6);
/** The days on which the obligation of these payments is taken up by the strays; they are the same payee's. */
function takenUp(payments: Payment[], strays: Payment[], asOf: Day = "2026-06-30"): Day[] {
  const obligation = obligationWith(payments, "MONTHLY", payeeWith([...payments, ...strays]));
  const one = revived(obligation, strays, at(asOf), "DK");
  return daysOf(one.payments.slice(payments.length));
}
const gym = paid(due, 19_900);

test("a payment long after the due date takes it up, on whatever day, and those after it", (t) => {
  t.deepEqual(takenUp(gym, paid(["2026-03-27"], 19_900)), ["2026-03-27"]);
  t.deepEqual(takenUp(gym, paid(["2026-03-27", "2026-04-30"], 19_900)), ["2026-03-27", "2026-04-30"]);
});

test("what still runs, or has nothing to take it up, stays the very same", (t) => {
  const running: Obligation = obligationWith(gym);
  t.is(revived(running, paid(["2025-12-01"], 19_900), at("2025-12-20"), "DK"), running, "not ended yet");
  t.is(revived(running, [], at("2026-06-30"), "DK"), running);
  t.is(revived(running, paid(["2025-05-20"], 19_900), at("2026-06-30"), "DK"), running, "before the last one");
});

test("a fixed price may rise by a quarter, a bill by more", (t) => {
  t.deepEqual(takenUp(gym, paid(["2026-03-27"], 25_500)), ["2026-03-27"]);
  t.deepEqual(takenUp(gym, paid(["2026-03-27"], 25_600)), []);
  const bills = paidAmounts(due, [19_000, 31_000, 22_000, 40_000, 26_000, 20_000]);
  t.deepEqual(takenUp(bills, paid(["2026-03-27"], 49_000)), ["2026-03-27"]);
  t.deepEqual(takenUp(bills, paid(["2026-03-27"], 49_500)), []);
});

test("after four hundred days it is another one", (t) => {
  t.deepEqual(takenUp(gym, paid(["2026-12-17"], 19_900), "2027-06-30"), ["2026-12-17"]);
  t.deepEqual(takenUp(gym, paid(["2026-12-18"], 19_900), "2027-06-30"), []);
});

test("payments nearer than half a period are not two dates", (t) => {
  t.deepEqual(takenUp(gym, paid(["2026-03-01", "2026-03-16", "2026-03-17"], 19_900)), ["2026-03-01", "2026-03-17"]);
});

test("at a payee of whose payments it is less than most another payment is another purchase", (t) => {
  const strays = (count: number) => paid(monthly("2026-01-20", count), 19_900);
  t.is(takenUp(gym, strays(4), "2026-12-31").length, 4);
  t.is(takenUp(gym, strays(5), "2026-12-31").length, 0);
});

test("of two memberships at one payee each may be less than most of it", (t) => {
  const strays = paid(["2026-03-27"], 19_900);
  const twin = obligationWith(gym, "MONTHLY", payeeWith([...gym, ...gym, ...strays]));
  t.is(revived(twin, strays, at("2026-06-30"), "DK").payments.length, gym.length + 1);
});

test("a gateway takes up nothing", (t) => {
  const stray = paid(["2026-03-27"], 19_900);
  const gateway = obligationWith(gym, "MONTHLY", payeeWith([...gym, ...stray], { product: "paypal", key: "paypal" }));
  t.is(revived(gateway, stray, at("2026-06-30"), "DK"), gateway);
});

test("dates that keep the rule go on under it, others begin a new one", (t) => {
  const rule = (day: Day) => {
    const strays = paid([day], 19_900);
    const { ruleFrom, schedule } = revived(
      obligationWith(gym, "MONTHLY", payeeWith([...gym, ...strays])),
      strays,
      at("2026-06-30"),
      "DK",
    );
    return { ruleFrom, anchor: schedule.anchor };
  };
  t.deepEqual(rule("2026-03-12"), { ruleFrom: at("2025-06-12"), anchor: 12 });
  t.deepEqual(rule("2026-03-27"), { ruleFrom: at("2026-03-27"), anchor: 27 });
  t.deepEqual(rule("2026-03-06"), { ruleFrom: at("2025-06-12"), anchor: 12 }, "six days early");
  t.deepEqual(rule("2026-03-05"), { ruleFrom: at("2026-03-05"), anchor: 5 }, "seven");
});

test("one payment that is only late moves no due day", (t) => {
  const strays = paid(["2025-12-22"], 19_900);
  const obligation = obligationWith(gym, "MONTHLY", payeeWith([...gym, ...strays]));
  const one = revived(obligation, strays, at("2025-12-30"), "DK");
  t.deepEqual([one.payments.length, one.schedule.anchor], [7, 12]);
});

test("what comes on its due date is the payment due, though a bill costs a fraction or a multiple of the last one", (t) => {
  const bills = paidAmounts(due, [19_000, 31_000, 22_000, 40_000, 26_000, 20_000]);
  t.deepEqual(takenUp(bills, paid(["2025-12-12"], 3_000)), ["2025-12-12"]);
  t.deepEqual(takenUp(bills, paid(["2025-12-12"], 170_000)), ["2025-12-12"]);
  t.deepEqual(takenUp(bills, paid(["2025-12-12"], 190_000)), [], "nine times as much is no bill");
  t.deepEqual(takenUp(bills, paid(["2025-12-25"], 3_000)), [], "nor is so little on another day");
  t.deepEqual(takenUp(gym, paid(["2025-12-12"], 6_100)), ["2025-12-12"]);
  t.deepEqual(takenUp(gym, paid(["2025-12-12"], 5_900)), [], "a price falls less");
});

test("so it is while nothing is late yet, and not where the payee is paid for much else", (t) => {
  const stray = paid(["2025-12-12"], 12_000);
  t.deepEqual(takenUp(gym, stray, "2025-12-14"), ["2025-12-12"]);
  const earlier = paid(["2025-07-20", "2025-08-20", "2025-09-20"], 4_000);
  t.deepEqual(takenUp(gym, [...earlier, ...stray], "2025-12-14"), []);
});
