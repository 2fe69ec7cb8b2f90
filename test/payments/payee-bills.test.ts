/** Names that begin alike and are paid the same prices are one bill's, and titles are made of what is joined. */
import test from "ava";
import type { Day } from "../../src/time/calendar.ts";
import { productById } from "../../src/payments/catalogue.ts";
import { prepare } from "../../src/payments/history.ts";
import { type Payee, groupByPayee, isMiddleman, latestName, sellsOthers, titleOf } from "../../src/payments/payee.ts";
import { context, everyDays, monthly, row } from "../recognition/payments.ts";
import { type Line, payees, daysByKey } from "./grouped.ts";

// Names of one bill that change.

/** Twice at each of these prices. */
const twice = (description: string, ...prices: number[]): Line[] =>
  prices.flatMap(
    (price) =>
      [
        [description, -price],
        [description, -price],
      ] as const,
  );

test("names that begin alike and are paid the same prices are one bill's", (t) => {
  t.deepEqual(daysByKey(...twice("Garn Nord", 90_00), ...twice("Garn Ost", 90_00)), { "GARN NORD": [1, 2, 3, 4] });
  t.deepEqual(daysByKey(...twice("Garnet Nord", 90_00), ...twice("Garn Ost", 90_00)), { "GARNET NORD": [1, 2, 3, 4] });
  t.deepEqual(daysByKey(...twice("Garnet Nord", 90_00), ...twice("Garn Ast", 90_00)), { "GARN AST": [1, 2, 3, 4] });
});

test("names that are both paid in each month are two bills, however alike they begin and whatever they cost", (t) => {
  const keysOf = (on: readonly Day[], other: readonly Day[]): string[] =>
    groupByPayee(
      prepare(
        [...on.map((day) => row(day, "Garn Nord", -90_00)), ...other.map((day) => row(day, "Garn Ost", -90_00))],
        context.asOf,
      ),
      "DK",
    ).map(({ key }) => key);
  t.deepEqual(keysOf(monthly("2025-01-05", 8), monthly("2025-01-20", 8)), ["GARN NORD", "GARN OST"]);
  t.is(keysOf(monthly("2025-01-05", 8), monthly("2025-09-05", 8)).length, 1, "one after the other");
  t.is(keysOf(monthly("2025-01-05", 8, 2), monthly("2025-02-05", 8, 2)).length, 1, "by turns");
  t.is(keysOf(monthly("2025-01-05", 8), monthly("2025-06-20", 8)).length, 1, "three months of eight");
  t.is(keysOf(everyDays("2025-01-05", 30, 9), everyDays("2025-01-07", 30, 9)).length, 1, "a shop's, often a month");
});

test("two payments under each name must be at prices of the other, not all at one price", (t) => {
  t.deepEqual(
    Object.keys(daysByKey(["Garn Nord", -90_00], ["Garn Nord", -80_00], ["Garn Ost", -90_00], ["Garn Ost", -80_00])),
    ["GARN NORD"],
  );
  t.deepEqual(
    Object.keys(daysByKey(["Garn Nord", -90_00], ["Garn Nord", -90_00], ["Garn Ost", -90_00], ["Garn Ost", -80_00])),
    ["GARN NORD", "GARN OST"],
  );
  t.deepEqual(
    Object.keys(daysByKey(["Garn Nord", -90_00], ["Garn Nord", -80_00], ["Garn Ost", -90_00], ["Garn Ost", -90_00])),
    ["GARN NORD", "GARN OST"],
  );
});

test("payments at other prices under either name do not keep them apart", (t) => {
  const found = daysByKey(
    "Garn Nord",
    ...twice("Garn Nord", 90_00),
    "Garn Ost",
    ...twice("Garn Ost", 90_00),
    "Garn Ost",
  );
  t.deepEqual(found, { "GARN NORD": [1, 2, 3, 4, 5, 6, 7] });
});

test("neither word need be whole, but three letters must be the same and one word the other's beginning", (t) => {
  t.deepEqual(Object.keys(daysByKey(...twice("Gar Nord", 90_00), ...twice("Garn Ost", 90_00))), ["GAR NORD"]);
  t.deepEqual(Object.keys(daysByKey(...twice("Ga Nord", 90_00), ...twice("Ga Ost", 90_00))), ["GA NORD", "GA OST"]);
  t.deepEqual(Object.keys(daysByKey(...twice("Garvet Nord", 90_00), ...twice("Garnet Ost", 90_00))), [
    "GARNET OST",
    "GARVET NORD",
  ]);
});

test("a bill that is paid and one that pays back stay apart", (t) => {
  t.deepEqual(Object.keys(daysByKey(...twice("Garn Nord", 90_00), ...twice("Garn Ost", -90_00))), [
    "GARN OST (in)",
    "GARN NORD",
  ]);
});

test("names are compared by what was last paid", (t) => {
  const lines = [...twice("Rorverde", 90_00), "Rorverdenen", ...twice("Rorverdens Ost", 90_00)];
  t.deepEqual(daysByKey(...lines), { RORVERDE: [1, 2, 3, 4, 5] });
  const found = payees(
    ["netflix nord", -90_00],
    ["Netflix", -90_00],
    ["PAYPAL *NETTET", -90_00],
    ["PAYPAL *NETTET", -90_00],
  );
  t.deepEqual(
    found.map(({ key }) => key),
    ["NETTET", "netflix"],
  );
});

/** So many names of a letter each behind the same first word, at prices of their own. */
const kin = (count: number): Line[] =>
  Array.from({ length: count }, (_, at) => [`Garn ${String.fromCodePoint(66 + at)}oj`, -at - 1] as const);

test("a name is compared with the twenty latest that begin alike", (t) => {
  t.like(daysByKey(...twice("Garn Aoj", 90_00), ...kin(19), ...twice("Garn Zoj", 90_00)), {
    "GARN AOJ": [1, 2, 22, 23],
  });
  t.like(daysByKey(...twice("Garn Aoj", 90_00), ...kin(20), ...twice("Garn Zoj", 90_00)), {
    "GARN AOJ": [1, 2],
    "GARN ZOJ": [23, 24],
  });
});

test("names that begin otherwise do not count among the twenty", (t) => {
  const others = Array.from(
    { length: 20 },
    (_, at) => [`${"QRSTUVWXYZ".charAt(at % 10)}ay${at < 10 ? "b" : "c"}oj`, -at - 1] as const,
  );
  const found = payees(...twice("Pay Nord", 90_00), ...others, ...twice("PAYPAL *", 90_00));
  t.like(
    found.find(({ key }) => key === "PAY NORD"),
    { payments: { length: 4 } },
  );
});

test("a joined bill goes through the gateway that either name tells", (t) => {
  const [first] = payees(...twice("Garn Nord", 90_00), ...twice("PAYPAL *GARN OST", 90_00));
  t.like(first, { key: "GARN NORD", product: { id: "paypal" }, gateway: "PAYPAL", payments: { length: 4 } });
  const [second] = payees(...twice("PAYPAL *GARN NORD", 90_00), ...twice("Garn Ost", 90_00));
  t.like(second, { key: "GARN NORD", product: { id: "paypal" }, gateway: "PAYPAL", payments: { length: 4 } });
});

test("of several names that share the prices the first is joined", (t) => {
  t.deepEqual(
    daysByKey(
      ["Garn Aoj", -90_00],
      ["Garn Aoj", -80_00],
      ["Garn Boj", -70_00],
      ["Garn Boj", -60_00],
      ...twice("Garn Coj", 90_00, 70_00),
    ),
    {
      "GARN AOJ": [1, 2],
      "GARN BOJ": [3, 4],
      "GARN COJ": [5, 6, 7, 8],
    },
  );
  t.deepEqual(daysByKey(...twice("Garn Aoj", 90_00), ...twice("Garn Boj", 70_00), ...twice("Garn Coj", 90_00, 70_00)), {
    "GARN AOJ": [1, 2, 5, 6, 7, 8],
    "GARN BOJ": [3, 4],
  });
});

test("who is paid four hundred times under both names may be one bill's, who is paid more often is a shop", (t) => {
  const often = (count: number): number =>
    payees(...Array.from({ length: count }, () => ["Garn Nord", -90_00] as const), ...twice("Garn Ost", 90_00)).length;
  t.is(often(398), 1);
  t.is(often(399), 2);
});

test("the joined payments of one bill are in the order of their days", (t) => {
  const [found] = payees(["Garn Ost", -90_00], ["Garn Nord", -90_00], ["Garn Ost", -90_00], ["Garn Nord", -90_00]);
  t.deepEqual(
    found?.payments.map(({ dayOfMonth }) => dayOfMonth),
    [1, 2, 3, 4],
  );
});

// What a payee is called, and for whom it collects.

function payeeOf(...lines: Line[]): Payee {
  const [first, ...more] = payees(...lines);
  if (first === undefined || more.length > 0) throw new Error(`${1 + more.length} payees`);
  return first;
}

function titleFor(...lines: Line[]): string {
  const payee = payeeOf(...lines);
  return titleOf(payee, payee.payments);
}

test("a product has its own title, a gateway that of the shop", (t) => {
  t.is(titleFor("HELP.MAX.COM 4471"), "HBO Max");
  t.is(titleFor("PAYPAL *RORET"), "Roret");
});

test("the title is the name of most payments, of equally many the shortest, of equally long the first by its letters", (t) => {
  t.is(titleFor("Garn", "Garn Nord", "Garn Nord"), "Garn Nord");
  t.is(titleFor("Garn Nord", "Garn"), "Garn");
  t.is(titleFor("Ror Verdenen", "Rorverde"), "Rorverde");
  t.is(titleFor("Garn", "Garn Syd", "Garn Ost", "Garn Syd", "Garn Ost"), "Garn Ost");
  t.is(titleFor("Garn", "Garn Ost", "Garn Syd", "Garn Ost", "Garn Syd"), "Garn Ost");
});

test("the title is made of the payments that are asked about", (t) => {
  const payee = payeeOf("Garn", "Garn Nord", "Garn");
  t.is(titleOf(payee, payee.payments.slice(1, 2)), "Garn Nord");
});

test("a payee without a name has the raw type of its first payment as title", (t) => {
  t.is(titleFor(["", -5_00, { rawType: "BANK_FEE" }], ["", -6_00, { rawType: "FEE" }]), "BANK_FEE");
});

test("the latest name is that of the last payment", (t) => {
  t.is(latestName(payeeOf("Garn Nord", "Garn", "Garn Ost 4471")), "GARN OST");
});

test("a gateway and a store of applications stand between, other products and unknown payees do not", (t) => {
  t.true(isMiddleman(productById("paypal")));
  t.true(isMiddleman(productById("app-store-subscription-store-a")));
  t.false(isMiddleman(productById("netflix")));
  t.false(isMiddleman(null));
});

test("a gateway or a store that is all that is told sells others' things; a shop behind one and other products do not", (t) => {
  t.true(sellsOthers(payeeOf("PAYPAL *")));
  t.true(sellsOthers(payeeOf("GOOGLE *PLAY APPS")));
  t.false(sellsOthers(payeeOf("GOOGLE *XYZ GAMES")));
  t.false(sellsOthers(payeeOf("PAYPAL *RORET")));
  t.false(sellsOthers(payeeOf("NETFLIX")));
  t.false(sellsOthers(payeeOf("RORET")));
});

test("a subscription is no part of its company's shop, though some there costs as much", (t) => {
  const shop: Line[] = [120_00, 89_00, 35_00, 410_00, 77_00, 256_00].map((price) => ["AMAZON KOBENHAVN", -price]);
  const alike: Line[] = [["AMAZON KOBENHAVN", -59_00], ["AMAZON KOBENHAVN", -59_00]]; // prettier-ignore
  const keys = (...lines: Line[]): string[] => Object.keys(daysByKey(...lines)).toSorted();
  t.deepEqual(keys(...shop, ...alike, ...twice("AMAZON PRIME", 59_00)), ["AMAZON KOBENHAVN", "amazon-prime"]);
  t.deepEqual(keys(...alike, ...twice("AMAZON PRIME", 59_00)).length, 1, "who is paid nothing else is the same");
});
