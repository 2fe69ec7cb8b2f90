/** What a payee is offered to be, by how, how often, how evenly and how much of the expenses is paid. */
import test from "ava";
import type { Item } from "../../../src/budgets/budget.ts";
import { type PotentialContext, potentialCategories } from "../../../src/budgets/fold/potential-categories.ts";
import type { PaymentFrequency } from "../../../src/interface/payment-frequency.ts";
import { itemWith, paid, phone } from "./parts.ts";

/** 25,000 kroner a month are spent. */
const household: PotentialContext = {
  country: "DK",
  averageMinor: 2_500_000,
  currency: "DKK",
  scale: 100,
  filled: new Set(),
  expected: new Set(),
  unexpected: new Set(),
};
type Kind = "CARD_PURCHASE" | "DIRECT_DEBIT" | "ACCOUNT_TRANSFER" | "OTHER";
/** A payee of which only its payments are known; amounts in kroner. */
const payee = (type: Kind, payments: readonly (readonly [string, number])[], more: Partial<Item> = {}): Item =>
  itemWith({
    categories: [],
    candidates: [],
    rule: "NONE",
    confidence: 0,
    transactions: payments.map(([day, amount]) => ({ ...paid(day, -100 * amount).document, type })),
    ...more,
  });
const recurring = (paymentFrequency: PaymentFrequency): Partial<Item> => ({ service: phone, paymentFrequency });
const each = (days: readonly string[], amount: number) => days.map((day) => [day, amount] as const);
const firsts = ["2025-12-01", "2026-01-01", "2026-02-01", "2026-03-01", "2026-04-01", "2026-05-01"];
const quarters = ["2025-08-15", "2025-11-17", "2026-02-16", "2026-05-15"];
const offered = (item: Item, more: Partial<PotentialContext> = {}) =>
  potentialCategories(item, { ...household, ...more });

test("the same sum each month that takes a third of the expenses is a home", (t) => {
  const debit = offered(payee("DIRECT_DEBIT", each(firsts, 8250), recurring("MONTHLY")));
  t.deepEqual(debit.slice(0, 2).sort(), ["HOUSING_MORTGAGE", "HOUSING_RENT"]);
  t.is(offered(payee("ACCOUNT_TRANSFER", each(firsts, 8250), recurring("MONTHLY")))[0], "HOUSING_RENT");
});

test("a twelfth of the expenses each month, unchanged, is a loan or a child's care", (t) => {
  const list = offered(payee("DIRECT_DEBIT", each(firsts, 2145.5), recurring("MONTHLY")));
  for (const id of ["DEBT_CONSUMER_LOAN", "TRANSPORT_VEHICLE_FINANCE", "CHILDREN_DAYCARE"])
    t.true(list.includes(id), `${id} in ${list.join()}`);
});

test("what a meter measures is power or heating, every quarter water, too", (t) => {
  const measured = firsts.map((day, at) => [day, [812.4, 1043.15, 988.6, 702.35, 512.8, 441.05][at] ?? 0] as const);
  t.deepEqual(
    offered(payee("DIRECT_DEBIT", measured, recurring("MONTHLY")))
      .slice(0, 2)
      .sort(),
    ["UTILITIES_ELECTRICITY", "UTILITIES_HEATING"],
  );
  const water = quarters.map((day, at) => [day, [1103.4, 987.15, 1240.6, 1011.35][at] ?? 0] as const);
  t.true(offered(payee("DIRECT_DEBIT", water, recurring("QUARTERLY"))).includes("UTILITIES_WATER_WASTE"));
});

test("a fixed bill of every quarter is an insurance or a tax on the car", (t) => {
  const list = offered(payee("DIRECT_DEBIT", each(quarters, 1480), recurring("QUARTERLY")));
  t.true(list.includes("INSURANCE_OTHER") && list.includes("TRANSPORT_VEHICLE_TAX"), list.join());
});

test("what is billed twice the same half a year apart comes by a calendar, and is known by its cost a month", (t) => {
  const halfYears = offered(payee("DIRECT_DEBIT", each(["2025-12-30", "2026-06-30"], 3461.05)));
  t.true(halfYears.includes("INSURANCE_VEHICLE"), halfYears.join());
  const club = offered(payee("CARD_PURCHASE", each(["2025-11-18", "2026-05-18"], 1909)));
  t.true(club.includes("LEISURE_FITNESS_SPORT"), club.join());
});

test("a pass for a month is paid like no single tickets, and is offered as well", (t) => {
  const pass = offered(payee("CARD_PURCHASE", each(firsts, 690), recurring("MONTHLY")));
  t.true(pass.includes("TRANSPORT_PUBLIC"), pass.join());
  const tickets = ["2026-05-02", "2026-05-05", "2026-05-11", "2026-05-13", "2026-05-20", "2026-05-27"];
  const single = tickets.map((day, at) => [day, [24, 36, 24, 48, 24, 36][at] ?? 0] as const);
  t.true(offered(payee("CARD_PURCHASE", single)).includes("TRANSPORT_PUBLIC"));
});

test("a small sum that a card pays each month is a subscription", (t) => {
  t.is(offered(payee("CARD_PURCHASE", each(firsts, 99), recurring("MONTHLY")))[0], "LEISURE_STREAMING");
});

test("many small purchases are food, a single dear one is what is dear", (t) => {
  const days = ["2026-05-02", "2026-05-05", "2026-05-11", "2026-05-13", "2026-05-20", "2026-05-27"];
  const shop = days.map((day, at) => [day, [212.35, 87.5, 431.2, 65.95, 318.4, 152.1][at] ?? 0] as const);
  t.is(offered(payee("CARD_PURCHASE", shop))[0], "FOOD_GROCERIES");
  const dear = offered(payee("CARD_PURCHASE", [["2026-03-14", 6480]]));
  for (const id of ["HOME_ELECTRONICS", "HOME_FURNITURE", "LEISURE_TRAVEL"])
    t.true(dear.includes(id), `${id} in ${dear.join()}`);
});

test("round sums sent now and then go to others or are put by", (t) => {
  const sent = offered(
    payee("ACCOUNT_TRANSFER", [
      ["2025-08-03", 500],
      ["2025-11-21", 1200],
      ["2026-01-09", 300],
      ["2026-04-30", 2000],
    ]),
  );
  t.deepEqual(sent.slice(0, 2).sort(), ["OTHER_TRANSFERS", "SAVINGS_INVESTMENT"]);
});

test("a payee of which one payment is seen may have begun lately: a rent at the new home", (t) => {
  t.true(offered(payee("DIRECT_DEBIT", [["2026-05-01", 8249.9]])).includes("HOUSING_RENT"));
});

test("money in a currency without small units is as much as in one with them", (t) => {
  const whole = payee("DIRECT_DEBIT", each(firsts, 8250), recurring("MONTHLY"));
  t.deepEqual(offered(whole, { averageMinor: 25_000, scale: 1 }), offered(whole));
});

test("a card in a shop pays no rent and no loan, and a transfer buys no groceries, whatever a word says", (t) => {
  const candidates = ["HOUSING_RENT", "DEBT_CONSUMER_LOAN", "FOOD_GROCERIES"].map(
    (categoryId) => ({ categoryId, rule: "TEXT", confidence: 0.3 }) as const,
  );
  const of = (type: Kind) => offered(payee(type, each(firsts, 250), { candidates }));
  t.deepEqual(
    of("CARD_PURCHASE").filter((id) => /^(HOUSING_RENT|DEBT_|SAVINGS_|OTHER_)/.test(id)),
    [],
  );
  t.is(of("CARD_PURCHASE")[0], "FOOD_GROCERIES");
  t.deepEqual(of("ACCOUNT_TRANSFER").slice(0, 2), ["HOUSING_RENT", "DEBT_CONSUMER_LOAN"]);
  t.false(of("ACCOUNT_TRANSFER").includes("FOOD_GROCERIES"));
  // Where the bank does not say how it was paid, each may be.
  t.deepEqual(of("OTHER").slice(0, 3), ["HOUSING_RENT", "DEBT_CONSUMER_LOAN", "FOOD_GROCERIES"]);
});

test("what is known of a payee comes first, the surest before: expense leaves, each once, five at most", (t) => {
  const known = (...candidates: [string, number][]) =>
    offered(
      payee("OTHER", each(firsts, 250), {
        candidates: candidates.map(([categoryId, confidence]) => ({ categoryId, rule: "TEXT", confidence })),
      }),
    );
  t.deepEqual(known(["LEISURE_PETS", 0.2], ["HOME_FURNITURE", 0.5]).slice(0, 2), ["HOME_FURNITURE", "LEISURE_PETS"]);
  const pets = known(["LEISURE_PETS", 0.5]);
  t.is(pets[0], "LEISURE_PETS");
  t.deepEqual(known(["LEISURE_PETS", 0.2], ["LEISURE", 0.5], ["INCOME_SALARY", 0.5], ["GONE", 0.5]), pets);
  t.deepEqual(known(["LEISURE_PETS", 0.5], ["LEISURE_PETS", 0.4], ["OTHER_EXPENSES", 0.3]), pets);
  t.is(new Set(pets).size, 5);
  t.deepEqual(
    known(
      ["LEISURE_PETS", 0.6],
      ["HOME_FURNITURE", 0.5],
      ["FOOD_GROCERIES", 0.4],
      ["HEALTH_CARE", 0.3],
      ["OTHER_CASH", 0.2],
      ["FEES_TAX", 0.1],
    ),
    ["LEISURE_PETS", "HOME_FURNITURE", "FOOD_GROCERIES", "HEALTH_CARE", "OTHER_CASH"],
  );
});

test("of one group no more than two are guessed", (t) => {
  const list = offered(payee("DIRECT_DEBIT", each(quarters, 650), recurring("QUARTERLY")));
  t.is(list.filter((id) => id.startsWith("INSURANCE_")).length, 2, list.join());
});

test("a weak word draws others of its group into the list", (t) => {
  const of = (candidates: Item["candidates"]) =>
    offered(payee("CARD_PURCHASE", [["2026-05-02", 340.5]], { candidates })).filter((id) => id.startsWith("LEISURE_"));
  t.true(of([{ categoryId: "LEISURE_PETS", rule: "TEXT", confidence: 0.3 }]).length > of([]).length);
});

test("who pays rent already hardly pays another, and nobody with a rented home a mortgage", (t) => {
  const home = payee("DIRECT_DEBIT", each(firsts, 8250), recurring("MONTHLY"));
  t.true(offered(home).slice(0, 2).includes("HOUSING_RENT"));
  const filled = offered(home, { filled: new Set(["HOUSING_RENT"]) });
  t.false(filled.slice(0, 2).includes("HOUSING_RENT"), filled.join());
  const rented = offered(home, { unexpected: new Set(["HOUSING_MORTGAGE"]) });
  t.false(rented.slice(0, 2).includes("HOUSING_MORTGAGE"), rented.join());
});

test("what the household should have and has not is likelier", (t) => {
  const loan = payee("DIRECT_DEBIT", each(firsts, 2145.5), recurring("MONTHLY"));
  const at = (more: Partial<PotentialContext>) => offered(loan, more).indexOf("CHILDREN_DAYCARE");
  const expected = new Set(["CHILDREN_DAYCARE"]);
  t.true(at({ expected }) < at({}));
  t.is(at({ expected, filled: expected }), at({}));
});

test("an unemployment fund is offered where the Nordic countries have one", (t) => {
  const fund = payee("DIRECT_DEBIT", each(firsts, 512), recurring("MONTHLY"));
  const isOffered = (country: string) => offered(fund, { country }).includes("WORK_UNEMPLOYMENT_FUND");
  t.deepEqual(["DK", "SE", "FI", "GB", "DE"].map(isOffered), [true, true, true, false, false]);
});

test("what a bank sends without saying how, to somebody by name, is what people do for each other", (t) => {
  const days = ["2026-03-04", "2026-04-09", "2026-05-06"];
  const list = offered(payee("OTHER", each(days, 600), { title: "Thyra Volsen" }));
  t.true(list.includes("HOUSING_MAINTENANCE"), list.join());
  t.true(list.includes("OTHER_TRANSFERS"), list.join());
  t.false(
    list.some((id) => id.startsWith("FOOD_")),
    list.join(),
  );
  t.notDeepEqual(offered(payee("OTHER", each(days, 600), { title: "Volrix" })), list);
});

test("power is brought by one company and sold by another, so a second payee of it is as likely as the first", (t) => {
  const bill = payee(
    "DIRECT_DEBIT",
    [
      ["2025-12-01", 812.4],
      ["2026-01-01", 1033.9],
      ["2026-02-01", 968.2],
      ["2026-03-01", 845.6],
    ],
    recurring("MONTHLY"),
  );
  const filled = new Set(["UTILITIES_ELECTRICITY"]);
  t.is(offered(bill, { filled }).indexOf("UTILITIES_ELECTRICITY"), offered(bill).indexOf("UTILITIES_ELECTRICITY"));
});

test("who spends four times as much pays twice as much for the same thing", (t) => {
  const bill = (amount: number) => payee("DIRECT_DEBIT", each(firsts, amount), recurring("MONTHLY"));
  t.deepEqual(offered(bill(1038), { averageMinor: 10_000_000 }), offered(bill(519), { averageMinor: 2_500_000 }));
  // Where nothing is known of a currency, as much as the household spends.
  t.deepEqual(
    offered(bill(2076), { averageMinor: 10_000_000, currency: "XXX" }),
    offered(bill(519), { averageMinor: 2_500_000, currency: "XXX" }),
  );
});

test("a bill that is far more in the cold half of the year is likelier heat than one of the warm half", (t) => {
  const days = ["2025-09-01", "2025-12-01", "2026-03-02", "2026-06-01"];
  const rankOf = (...amounts: number[]) => {
    const list = offered(
      payee(
        "DIRECT_DEBIT",
        days.map((day, at) => [day, amounts[at] ?? 0] as const),
      ),
    );
    return list.includes("UTILITIES_HEATING") ? list.indexOf("UTILITIES_HEATING") : 5;
  };
  const [winter, summer] = [rankOf(593.8, 3018.1, 2301.9, 433.5), rankOf(2301.9, 433.5, 593.8, 3018.1)];
  t.true(winter < summer, `${winter} ${summer}`);
});
