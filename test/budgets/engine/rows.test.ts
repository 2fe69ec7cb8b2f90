/** What single rows tell: balances walked back, prices, who pays, what gambling paid out, how an account is run. */
import test from "ava";
import { accountEventsOf } from "../../../src/budgets/engine/account-events.ts";
import { balancesOf } from "../../../src/budgets/engine/balances.ts";
import type { Counted } from "../../../src/budgets/engine/counted.ts";
import { extraOf } from "../../../src/budgets/engine/extra-pay.ts";
import { isSamePayer } from "../../../src/budgets/engine/payer-name.ts";
import { priceOf } from "../../../src/budgets/engine/price.ts";
import { winningsOf } from "../../../src/budgets/engine/winnings.ts";
import { windowOf } from "../../../src/budgets/window.ts";
import { categorise } from "../../../src/categories/categorised.ts";
import { history, row, type Row } from "../../categories/history.ts";

const counted = (fields: Row): Counted => {
  const one = row(fields);
  const [categorised] = categorise(history([one]));
  return { row: { ...one, id: 1 } as Counted["row"], minor: one.amountMinor, categorised: categorised! };
};
/** Of 2025-06 to 2026-05. */
const year = windowOf("2026-06-10", "2025-01-02");

test("a balance is walked back through its account's rows, to the month's ends and its lowest day", (t) => {
  const moved = [
    { accountId: "main", day: "2026-03-31", minor: -500 },
    { accountId: "main", day: "2026-04-10", minor: -2_000 },
    { accountId: "main", day: "2026-04-20", minor: 3_000 },
    { accountId: "other", day: "2026-04-15", minor: 90_000 },
    { accountId: "main", day: "2026-06-05", minor: 7_000 },
  ];
  const account = { id: "main", name: "Main", isRemoved: false } as Parameters<typeof balancesOf>[0][number];
  const gone = { ...account, id: "gone", isRemoved: true };
  const observed = new Map([
    [
      "main",
      [
        { day: "2026-04-10", minor: -1_500 },
        { day: "2026-06-05", minor: 8_600 },
      ],
    ],
    ["gone", [{ day: "2026-06-05", minor: 1 }]],
  ]);
  const window = windowOf("2026-06-10", "2026-03-31");
  const [balance, ...more] = balancesOf([account, gone, { ...account, id: "blank" }], observed, moved, window);
  t.deepEqual(more, []);
  // 8,600 − 7,000 = 1,600 at the end of May and April; − 3,000 = −1,400 from 10 to 19 April; + 2,000 = 600 before.
  t.deepEqual(balance, {
    name: "Main",
    observedOn: "2026-06-05",
    observedMinor: 8_600,
    monthEndsMinor: [null, null, null, null, null, null, null, null, null, 600, 1_600, 1_600],
    openingMinor: 600,
    daysBelowZero: 10,
    lowestMinor: -1_400,
    // Of 10,100 more the rows after 10 April tell 10,000.
    check: { from: "2026-04-10", missingMinor: 100 },
  });
});

test("one observation checks nothing, and an account without rows has only what was observed", (t) => {
  const account = { id: "main", name: "Main", isRemoved: false } as Parameters<typeof balancesOf>[0][number];
  const [balance] = balancesOf([account], new Map([["main", [{ day: "2026-06-05", minor: 50 }]]]), [], year);
  t.is(balance?.check, null);
  t.deepEqual(new Set(balance?.monthEndsMinor), new Set([null]));
  t.deepEqual([balance?.openingMinor, balance?.daysBelowZero, balance?.lowestMinor], [50, 0, 50]);
  const early = new Map([["main", [{ day: "2025-05-31", minor: 50 }]]]);
  t.is(balancesOf([account], early, [], year)[0]?.openingMinor, null);
  t.is(balancesOf([account], early, [], { ...year, covered: 0 })[0]?.openingMinor, null);
});

test("a price that stands or has just changed is the latest; one that varies is the year spread, or the middle one", (t) => {
  const paid = (...costs: number[]) => costs.map((costMinor, at) => ({ day: `2026-0${at + 1}-05`, costMinor }));
  const price = (costs: readonly number[], window = year) => priceOf(paid(...costs), "MONTHLY", window, false);
  t.deepEqual(price([100, 100]), { paymentCostMinor: 100, monthlyMinor: null });
  t.deepEqual(price([100, 100, 150]), { paymentCostMinor: 150, monthlyMinor: null });
  // Two prices are no step: the middle of both.
  t.deepEqual(price([100, 200]), { paymentCostMinor: 150, monthlyMinor: null });
  t.deepEqual(price([100, 120, 150]), { paymentCostMinor: 120, monthlyMinor: null });
  // Of seven only the last six are asked: 20 to 70 have 45 in their middle.
  t.deepEqual(price([1000, 20, 30, 40, 50, 60, 70].slice(0, 7)), { paymentCostMinor: 45, monthlyMinor: null });
  const whole = Array.from({ length: 12 }, (_, at) => ({
    day: at < 7 ? `2025-${String(at + 6).padStart(2, "0")}-05` : `2026-0${at - 6}-05`,
    costMinor: 100 + at,
  }));
  t.deepEqual(priceOf(whole, "MONTHLY", year, false), { paymentCostMinor: 106, monthlyMinor: 106 });
  t.deepEqual(priceOf(whole.slice(2), "MONTHLY", year, false).monthlyMinor, null);
  t.deepEqual(priceOf(whole, "UNKNOWN", year, false).monthlyMinor, null);
  t.deepEqual(priceOf(whole, "YEARLY", year, false), { paymentCostMinor: 111, monthlyMinor: null });
  // What was not paid makes nothing cheaper: the year is the one to the last payment.
  // (99 + 100 + … + 110) / 12 is 104.5.
  const missed = [{ day: "2025-05-05", costMinor: 99 }, ...whole.slice(0, 11)];
  t.is(priceOf(missed, "MONTHLY", year, true).monthlyMinor, 105);
  t.is(priceOf(whole.slice(0, 10).slice(-4), "MONTHLY", year, true).monthlyMinor, null);
});

test("two lines of pay name one payer when what is left without words of pay is the same or part of it", (t) => {
  t.true(isSamePayer("LØN NORDFIRMA", "FERIEPENGE NORDFIRMA"));
  t.true(isSamePayer("SALARY NORDFIRMA", "NORDFIRMA DANMARK"));
  t.false(isSamePayer("LØN NORDFIRMA", "LØN SYDFIRMA"));
  t.false(isSamePayer("LØN", "SALARY"));
  t.true(isSamePayer("LØN", "LØN"));
  t.false(isSamePayer("MOLØN X", "X NORD MOL"));
});

test("what comes from whom stakes go to, or under a code of gambling, was won", (t) => {
  const stake = counted({ day: "2026-05-01", amount: "-100.00", text: "ZQXVIL", mcc: 7995 });
  const others = [
    counted({ day: "2026-05-02", amount: "900.00", text: "ZQXVIL" }),
    counted({ day: "2026-05-03", amount: "50.00", text: "WXQZ", mcc: 7801 }),
    counted({ day: "2026-05-03", amount: "50.00", text: "Danske Spil" }),
    counted({ day: "2026-05-04", amount: "70.00", text: "WXQZ", mcc: 5411 }),
    counted({ day: "2026-05-05", amount: "-80.00", text: "VQXZ", mcc: 7802 }),
  ];
  const won = winningsOf([stake, ...others], "DK");
  t.deepEqual(
    others.map(({ row: { txid } }) => won.has(txid)),
    [true, true, true, false, false],
  );
  t.false(won.has(stake.row.txid));
});

test("interest of an overdraft, fees for refused payments and debits that came back are told apart, oldest first", (t) => {
  const rows = [
    counted({ day: "2026-05-09", amount: "-45.00", text: "Overtræksrente" }),
    counted({ day: "2026-05-01", amount: "-35.00", text: "Overtræksrente" }),
    counted({ day: "2026-05-02", amount: "-99.00", text: "Overtræk Bar", mcc: 5813 }),
    counted({ day: "2026-05-03", amount: "-250.00", text: "Rykkergebyr" }),
    counted({ day: "2026-05-04", amount: "300.00", text: "Returned direct debit" }),
    counted({ day: "2026-05-05", amount: "45.00", text: "Overtræksrente" }),
  ];
  const told = accountEventsOf(rows, "DKK");
  t.deepEqual(
    [told.overdraft, told.rejected, told.returned].map((list) => list.map(({ minor }) => minor)),
    [[-3_500, -4_500], [-25_000], [30_000]],
  );
});

test("a direct debit's own amount that its payee gives back within eight weeks on the account came back", (t) => {
  const debit = { text: "ZQXVIL KLUB", rawType: "DIRECT_DEBIT" };
  const back = (day: string, more: Partial<Row> = {}) =>
    accountEventsOf(
      [
        counted({ ...debit, day: "2026-03-01", amount: "-300.00" }),
        counted({ ...debit, day, amount: "300.00", ...more }),
      ],
      "DKK",
    ).returned.length;
  t.deepEqual([back("2026-03-01"), back("2026-04-26"), back("2026-04-27"), back("2026-02-28")], [1, 1, 0, 0]);
  t.is(back("2026-03-05", { accountId: "second" }), 0);
  t.is(back("2026-03-05", { text: "WXQZ KLUB" }), 0);
  t.is(back("2026-03-05", { amount: "299.00" }), 0);
  t.is(back("2026-03-05", { rawType: "ACCOUNT_TRANSFER" }), 0);
});

test("what one payment of a pay has half above the ordinary one is extra, and is none where it is the half of them", (t) => {
  const pay = (...amounts: string[]) =>
    amounts.map((amount, at) => counted({ day: `2026-0${at + 1}-28`, amount, text: "LØN XQZV" }));
  const extra = (...amounts: string[]) =>
    extraOf(pay(...amounts), year)?.transactions.map((one) => one.extraMinor) ?? null;
  t.deepEqual(extra("100.00", "100.00", "100.00", "150.00"), [5_000]);
  t.is(extra("100.00", "100.00", "100.00", "149.99"), null);
  t.is(extra("100.00", "100.00", "150.00"), null);
  t.is(extra("100.00", "100.00", "100.00", "200.00", "200.00", "200.00"), null);
});
