/** Two names that leave no gap in one series are one payee, and others are not. */
import test from "ava";
import type { Day } from "../../../src/time/calendar.ts";
import { chronologically } from "../../../src/payments/history.ts";
import type { Payment } from "../../../src/payments/payment.ts";
import type { Payee } from "../../../src/payments/payee.ts";
import type { HistoryTransaction } from "../../../src/recognition/recognise.ts";
import { outgoingOf } from "../../../src/recognition/search/follower.ts";
import { kinshipOf } from "../../../src/recognition/search/kinship.ts";
import { type Searched, searchAll } from "../../../src/recognition/search/search.ts";
import { paid, paidAmounts, payeeWith } from "../obligations.ts";
import { everyDays, monthly } from "../payments.ts";

/** Searched as one user's. */
const searchedAll = (payees: readonly Payee[]): Searched[] =>
  searchAll(payees, outgoingOf(payees.flatMap(({ payments }) => payments)), kinshipOf(payees), "DK");

/** What each payee's search found, as "KEY payments/in series aliases". */
const searched = (...payees: Payee[]): string[] =>
  searchedAll(payees)
    .map(({ payee, obligations }) =>
      [
        payee.key,
        `${obligations.flatMap(({ payments }) => payments).length}/${payee.payments.length}`,
        ...obligations.flatMap(({ aliases }) => aliases),
      ].join(" "),
    )
    .toSorted();

const year = monthly("2025-01-15", 16);
/** Paid in twelve of sixteen months under the one name, and in the other four under the other. */
const inTurn = (name: string, minor = 40_000, more: Partial<HistoryTransaction> = {}): Payment[] =>
  paid(
    year.filter((_, index) => index % 3 !== 1 || index > 12),
    minor,
    name,
    more,
  );
const missing = year.filter((_, index) => index % 3 === 1 && index <= 12);

test("a payee's obligations are told with what is left over, a single payment is left over whole", (t) => {
  const [one] = searchedAll([payeeWith([...paid(year, 19_900), ...paid(["2026-06-01"], 3_330)])]);
  t.deepEqual(
    one?.obligations.map(({ payments, title, aliases }) => [payments.length, title, aliases]),
    [[16, "Sundby Motion", []]],
  );
  t.deepEqual(
    one?.rest.map(({ cost }) => cost),
    [3_330],
  );
  const single = payeeWith(paid(["2026-06-01"], 3_330));
  t.deepEqual(searchedAll([single]), [{ payee: single, obligations: [], rest: single.payments }]);
});

test("two names that only together leave no gaps are one payee, that of the latest payment", (t) => {
  t.deepEqual(searched(payeeWith(inTurn("NORDKRAFT")), payeeWith(paid(missing, 40_000, "NORDKRAFT NET"))), [
    "NORDKRAFT 16/16 NORDKRAFT NET",
  ]);
  t.deepEqual(
    searched(
      payeeWith(
        paid(
          year.slice(0, -1).filter((day) => !missing.includes(day)),
          40_000,
          "NORDKRAFT",
        ),
      ),
      payeeWith(paid([...missing, year.at(-1)!], 40_000, "NORDKRAFT NET")),
    ),
    ["NORDKRAFT NET 16/16 NORDKRAFT"],
  );
});

test("a payee of whose payments less than half belong to the joined series is somebody else", (t) => {
  // Four of its purchases fall into the gaps of the bill, at the bill's price.
  const strays = (count: number): Payment[] => paid(everyDays("2025-01-02", count, 73), 71_300, "NORDKRAFT NET");
  const both = (count: number): string[] =>
    searched(
      payeeWith(inTurn("NORDKRAFT")),
      payeeWith([...paid(missing, 40_000, "NORDKRAFT NET"), ...strays(count)].sort(chronologically)),
    );
  t.deepEqual(both(4), ["NORDKRAFT 16/20 NORDKRAFT NET"]);
  t.is(both(5).length, 2);
});

test("the payee that has the series is held to that as well", (t) => {
  const strays = (count: number): Payment[] =>
    paidAmounts(
      everyDays("2025-01-02", count, 37),
      Array.from({ length: count }, (_, index) => 171_301 + ((index * 7_919) % 13) * 90_000),
      "NORDKRAFT",
    );
  const both = (count: number): number =>
    searched(
      payeeWith([...inTurn("NORDKRAFT"), ...strays(count)].sort(chronologically)),
      payeeWith(paid(missing, 40_000, "NORDKRAFT NET")),
    ).length;
  t.is(both(12), 1);
  t.is(both(13), 2);
});

test("a gap filled by one payment alone makes no payee of two", (t) => {
  const gap = (count: number): number =>
    searched(
      payeeWith(
        paid(
          year.filter((_, index) => index < 4 || index >= 4 + count),
          40_000,
          "NORDKRAFT",
        ),
      ),
      payeeWith(paid(year.slice(4, 4 + count), 40_000, "NORDKRAFT NET")),
    ).length;
  // Each payment tells one more, and one miss less; three more are asked for.
  t.is(gap(1), 2);
  t.is(gap(2), 1);
});

test("a name that changes for good makes one payee of two, where that tells them in one series instead of two", (t) => {
  t.deepEqual(
    searched(
      payeeWith(paid(year.slice(0, 8), 40_000, "NORDKRAFT NET")),
      payeeWith(paid(year.slice(8), 40_000, "NORDKRAFT")),
    ),
    ["NORDKRAFT 16/16 NORDKRAFT NET"],
  );
  t.is(
    searched(
      payeeWith(paid(year.slice(0, 8), 40_000, "NORDKRAFT NET")),
      payeeWith(paid(monthly("2025-10-15", 8), 40_000, "NORDKRAFT")),
    ).length,
    2,
    "with an unpaid month between them one tells as much as two",
  );
});

test("what went into one payee goes into no other, and hides none", (t) => {
  const third = payeeWith(paid(missing, 40_000, "NORDKRAFT VARME"));
  t.deepEqual(searched(payeeWith(inTurn("NORDKRAFT")), payeeWith(paid(missing, 40_000, "NORDKRAFT NET")), third), [
    "NORDKRAFT 16/16 NORDKRAFT NET",
    "NORDKRAFT VARME 4/4",
  ]);
});

test("names are compared that have a word, the first letters or the initials in common", (t) => {
  const two = (a: string, b: string, minor = 40_000): number =>
    searched(payeeWith(inTurn(a)), payeeWith(paid(missing, minor, b))).length;
  t.is(two("SUNDBYMOTION", "SU NDBY"), 1);
  t.is(two("DANSKE STATS BANER", "DSB"), 1);
  t.is(two("FJERNVARME SUNDBY", "SUNDBY VARME"), 1);
  t.is(two("SUNDBYMOTION", "SULDRUP KIOSK"), 2, "but letters alone make no relation");
});

test("names are compared by the initials of their first two words, too", (t) => {
  t.deepEqual(
    searched(
      payeeWith(inTurn("ARBEJDERNES LANDSBANK")),
      payeeWith(paid(missing, 40_000, "AL FINANS")),
      payeeWith(paid(["2026-01-03"], 7_000, "ANDEN KIOSK")),
    ),
    ["ANDEN KIOSK 0/1", "ARBEJDERNES LANDSBANK 16/16 AL FINANS"],
  );
});

test("three names that only together leave no gaps are one payee, known by the two others", (t) => {
  const part = (at: number, name: string): Payee =>
    payeeWith(
      paid(
        year.filter((_, index) => index % 4 === at || (at === 3 && index % 4 === 2)),
        40_000,
        name,
      ),
    );
  t.deepEqual(searched(part(3, "NORDKRAFT"), part(0, "NORDKRAFT NET"), part(1, "NORDKRAFT VARME")), [
    "NORDKRAFT 16/16 NORDKRAFT NET NORDKRAFT VARME",
  ]);
});

test("the later of two last payments names the payee, though it came but a day later", (t) => {
  const both = (own: Day, other: Day): string[] =>
    searched(
      payeeWith(paid([...year.filter((day) => !missing.includes(day)).slice(0, -1), own], 40_000, "NORDKRAFT")),
      payeeWith(paid([...missing, other], 40_000, "NORDKRAFT NET")),
    ).map((told) => told.split("/")[0]!);
  t.deepEqual(both("2026-04-15", "2026-04-16"), ["NORDKRAFT NET 16"]);
  t.deepEqual(both("2026-04-16", "2026-04-15"), ["NORDKRAFT 16"]);
});

test("letters in common and a price of one's own do not make two payees one", (t) => {
  const two = (other: string): number =>
    searched(payeeWith(inTurn("SOLGARDEN", 40_051)), payeeWith(paid(missing, 40_151, other))).length;
  t.is(two("SOLGARDEN NET"), 1);
  t.is(two("SOMMERHUS"), 2);
});

test("names that share nothing are one payee at a price to the hundredth that both asked for twice", (t) => {
  const two = (minor: number, other = minor, count = missing.length): number =>
    searched(payeeWith(inTurn("SOLGARDEN", minor)), payeeWith(paid(missing.slice(-count), other, "EF PARKVEJ"))).length;
  t.is(two(40_051), 1);
  t.is(two(40_051, 40_051, 2), 1, "twice is enough");
  t.is(two(40_000), 2);
  t.is(two(40_051, 40_052), 2);
  const once = paidAmounts(missing, [40_061, 40_071, 40_061, 40_051], "EF PARKVEJ");
  t.is(searched(payeeWith(inTurn("SOLGARDEN", 40_051)), payeeWith(once)).length, 2, "once is not");
});

test("the latest price is the one that tells", (t) => {
  const risen = (days: readonly Day[]): number[] => days.map((day) => (day < "2025-10-01" ? 40_051 : 45_051));
  const own = year.filter((day) => !missing.includes(day));
  t.is(
    searched(
      payeeWith(paidAmounts(own, risen(own), "SOLGARDEN")),
      payeeWith(paidAmounts([...missing, "2026-05-15"], [...risen(missing), 45_051], "EF PARKVEJ")),
    ).length,
    1,
  );
});

test("who sells differently, is paid the other way, or through a gateway is nobody else", (t) => {
  const net = payeeWith(paid(missing, 40_000, "NORDKRAFT NET"));
  t.is(searched(payeeWith(inTurn("NORDKRAFT")), payeeWith(paid(missing, -40_000, "NORDKRAFT NET"))).length, 2);
  t.is(
    searched(
      payeeWith(inTurn("NORDKRAFT", 40_000, { mcc: 4900 })),
      payeeWith(paid(missing, 40_000, "NORDKRAFT NET", { mcc: 5411 })),
    ).length,
    2,
  );
  t.is(
    searched(payeeWith(inTurn("NORDKRAFT")), {
      ...net,
      ...payeeWith(net.payments, { product: "paypal", key: "paypal" }),
    }).length,
    2,
  );
});

test("a product that either name is known for is the joined payee's", (t) => {
  const joined = searchedAll([
    payeeWith(inTurn("NORDKRAFT")),
    payeeWith(paid(missing, 40_000, "NORDKRAFT NET"), { product: "netflix" }),
  ]);
  t.deepEqual(
    joined.map(({ payee }) => payee.product?.id),
    ["netflix"],
  );
  const newer = searchedAll([
    payeeWith(inTurn("NORDKRAFT"), { product: "netflix" }),
    payeeWith(paid(missing, 40_000, "NORDKRAFT NET")),
  ]);
  t.deepEqual(
    newer.map(({ payee }) => payee.product?.id),
    ["netflix"],
  );
});

const transfer = { rawType: "TRANSFER" };

test("payees of more than 150 payments together are shops", (t) => {
  const two = (count: number): number => {
    const weekly = everyDays("2023-01-02", count, 7);
    const [own, others] = [weekly.filter((_, index) => index % 3 !== 1), weekly.filter((_, index) => index % 3 === 1)];
    return searched(
      payeeWith(paid(own, 4_200, "NORDKRAFT", transfer)),
      payeeWith(paid(others, 4_200, "NORDKRAFT NET", transfer)),
    ).length;
  };
  t.is(two(150), 1);
  t.is(two(151), 2);
});

test("bills of one town that fill each other's gaps under another last word are two", (t) => {
  const bills = (first: Day, name: string, minor: number): Payee =>
    payeeWith(
      paidAmounts(
        monthly(first, 8, 2),
        Array.from({ length: 8 }, (_, index) => minor + ((index * 7_919) % 8) * 700),
        name,
      ),
    );
  t.deepEqual(
    searched(bills("2025-01-15", "SUNDBY KOMMUNE VAND", 40_000), bills("2025-02-15", "SUNDBY KOMMUNE SKAT", 40_100)),
    ["SUNDBY KOMMUNE SKAT 8/8", "SUNDBY KOMMUNE VAND 8/8"],
  );
});
