/** What tells two payees apart, and when one takes the other's place. */
import test from "ava";
import { sellDifferently, takesOver } from "../../../src/recognition/search/continuation.ts";
import type { Payee } from "../../../src/payments/payee.ts";
import { paid, payeeWith } from "../obligations.ts";
import { monthly } from "../payments.ts";

test("two catalogued products are two, whatever they cost", (t) => {
  const differ = (minor: number, then: number): boolean =>
    sellDifferently(
      payeeWith(paid(["2026-01-12"], minor), { product: "netflix" }),
      payeeWith(paid(["2026-02-12"], then), { product: "spotify" }),
    );
  t.true(differ(10_000, 10_000));
  t.true(differ(10_950, 10_950));
  t.true(differ(10_950, 10_951));
  t.false(
    sellDifferently(
      payeeWith(paid(["2026-01-12"], 100), { product: "netflix" }),
      payeeWith(paid(["2026-02-12"], 200), { product: "netflix" }),
    ),
  );
  t.false(
    sellDifferently(payeeWith(paid(["2026-01-12"], 100), { product: "netflix" }), payeeWith(paid(["2026-02-12"], 200))),
  );
});

test("two merchant categories are two payees, where both are told", (t) => {
  const differ = (mcc: number | null, then: number | null): boolean =>
    sellDifferently(
      payeeWith(paid(["2026-01-12"], 100, "A", { mcc })),
      payeeWith(paid(["2026-02-12"], 100, "B", { mcc: then })),
    );
  t.true(differ(6300, 5411));
  t.deepEqual(
    [differ(6300, 6300), differ(6300, null), differ(null, 5411), differ(null, null)],
    [false, false, false, false],
  );
});

test("the payments that would follow each other are looked at, else the latest of each", (t) => {
  const coded = payeeWith([
    ...paid(["2026-01-12"], 100, "A", { mcc: 6300 }),
    ...paid(["2026-02-12"], 100, "A", { mcc: 5411 }),
  ]);
  const other = payeeWith(paid(["2026-03-12"], 100, "B", { mcc: 6300 }));
  t.true(sellDifferently(coded, other));
  t.false(sellDifferently(coded, other, coded.payments[0], other.payments[0]));
});

test("a payee takes another's place where the old one is heard of no more and the new one never was before", (t) => {
  const old = payeeWith(paid(monthly("2025-10-12", 6), 19_951));
  const newer = payeeWith(paid(monthly("2026-04-12", 3), 19_951, "Puls Form"));
  const takes = (a: Payee, b: Payee): boolean => takesOver(a, b, a.payments[5]!, b.payments[0]!);
  t.true(takes(old, newer));
  const stillPaid = payeeWith([...old.payments, ...paid(["2026-06-20"], 5_000)]);
  t.false(takes(stillPaid, newer), "the old one is paid once more");
  const known = payeeWith([...paid(["2025-12-01"], 5_000, "Puls Form"), ...newer.payments]);
  t.false(takesOver(old, known, old.payments[5]!, newer.payments[0]!), "something was bought there before");
});

test("who is paid for several things changes his name between two payments of each", (t) => {
  const [a, b] = [paid(monthly("2025-10-12", 6), 19_951), paid(monthly("2025-10-20", 6), 5_000)];
  const old = payeeWith([...a, ...b].sort((one, other) => one.at - other.at));
  const since = [
    ...paid(monthly("2026-04-12", 3), 19_951, "Puls Form"),
    ...paid(monthly("2026-04-20", 3), 5_000, "Puls Form"),
  ].sort((one, other) => one.at - other.at);
  t.true(takesOver(old, payeeWith(since), a[5]!, since[0]!));
});

test("what the catalogue knows by its name takes nobody's place, and nobody its", (t) => {
  const [old, newer] = [paid(monthly("2025-10-12", 6), 19_951), paid(monthly("2026-04-12", 3), 19_951, "Puls Form")];
  const takes = (a?: string, b?: string): boolean =>
    takesOver(
      payeeWith(old, a === undefined ? {} : { product: a }),
      payeeWith(newer, b === undefined ? {} : { product: b }),
      old[5]!,
      newer[0]!,
    );
  t.deepEqual(
    [takes("netflix"), takes(undefined, "netflix"), takes("netflix", "spotify"), takes("netflix", "netflix")],
    [false, false, false, true],
  );
});

test("a gateway of which no more is told takes nobody's place", (t) => {
  const [old, newer] = [paid(monthly("2025-10-12", 6), 19_951), paid(monthly("2026-04-12", 3), 19_951, "Puls Form")];
  const gateway = { product: "paypal", key: "paypal" };
  t.false(takesOver(payeeWith(old), payeeWith(newer, gateway), old[5]!, newer[0]!));
  t.false(takesOver(payeeWith(old, gateway), payeeWith(newer), old[5]!, newer[0]!));
  const behindIt = payeeWith(old, { product: "paypal" });
  t.true(takesOver(behindIt, payeeWith(newer), old[5]!, newer[0]!), "but one who is told behind it does");
});
