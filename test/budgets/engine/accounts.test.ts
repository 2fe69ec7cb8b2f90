/** The accounts behind a budget, what hints at others, and how an account is run. */
import test from "ava";
import { accountEventsOf } from "../../../src/budgets/engine/account-events.ts";
import { accountsOf, signalsOf } from "../../../src/budgets/engine/accounts.ts";
import { balancesOf } from "../../../src/budgets/engine/balances.ts";
import { partTransaction } from "../../../src/budgets/engine/convert.ts";
import type { Counted } from "../../../src/budgets/engine/counted.ts";
import { windowOf } from "../../../src/budgets/window.ts";

type Given = { day: string; minor: number; text?: string; account?: string; currency?: string; txid?: string };
const own = ({ day, minor, text = "Overførsel", account = "main", currency = "DKK", txid = day }: Given) => ({
  row: { day, amountMinor: minor, description: text, accountId: account, currency, txid } as Counted["row"],
  categorised: { exclusion: "OWN_TRANSFER", categoryId: null } as Counted["categorised"],
});
const cardBill = (day: string, minor = -500_000) => ({
  row: own({ day, minor }).row,
  categorised: { exclusion: null, categoryId: "DEBT_CREDIT_CARD" } as Counted["categorised"],
});
const elsewhere = (...rows: Given[]) => signalsOf(rows.map(own), "2026-06-15").ownTransfersElsewhere;

test("own money that left in the three months before and arrived nowhere went to an account elsewhere", (t) => {
  const left = { day: "2026-04-10", minor: -100_000 };
  t.is(elsewhere(left), 1);
  // The last three months begin on 1 March.
  t.deepEqual([elsewhere({ ...left, day: "2026-03-01" }), elsewhere({ ...left, day: "2026-02-28" })], [1, 0]);
  const came = { day: "2026-04-13", minor: 100_000, account: "savings" };
  t.is(elsewhere(left, came), 0);
  t.deepEqual(
    [elsewhere(left, { ...came, day: "2026-04-07" }), elsewhere(left, { ...came, day: "2026-04-06" })],
    [0, 1],
  );
  t.is(elsewhere(left, { ...came, day: "2026-04-14" }), 1);
  t.is(elsewhere(left, { ...came, minor: 99_999 }), 1);
  t.is(elsewhere(left, { ...came, currency: "SEK" }), 1);
  t.is(elsewhere(left, { ...came, account: "main" }), 1);
  // What arrived three days before the window is the other end of what left on its first day.
  t.is(elsewhere({ ...left, day: "2026-03-01" }, { ...came, day: "2026-02-26" }), 0);
});

test("bills of a card whose purchases are not there are counted where they were paid in the last three months", (t) => {
  const bills = (...rows: ReturnType<typeof cardBill>[]) => signalsOf(rows, "2026-06-15").cardBillsWithoutPurchases;
  t.is(bills(cardBill("2026-03-01"), cardBill("2026-04-01"), cardBill("2026-06-14")), 3);
  t.is(bills(cardBill("2026-02-28")), 0);
  t.is(bills(cardBill("2026-04-01", 500_000)), 0);
  t.is(bills(cardBill("2026-04-01", -1)), 1);
});

test("an own account that only a transfer's text names is undecided; one that is known is listed once", (t) => {
  const account = { id: "main", name: "Løn", iban: "DK50 0040 0440 1162 43", isRemoved: false };
  const listed = accountsOf(
    [account],
    [
      own({ day: "2026-04-10", minor: -1, text: "Til DK5000400440116243" }),
      own({ day: "2026-05-10", minor: -1, text: "Til DK9120000123456789" }),
    ],
    "north-dk",
  );
  t.deepEqual(
    listed.map(({ iban, bban, selectedStatus, firstDay, lastDay }) => [iban, bban, selectedStatus, firstDay, lastDay]),
    [
      ["DK50 0040 0440 1162 43", "00400440116243", "SELECTED", "2026-04-10", "2026-05-10"],
      ["DK9120000123456789", "20000123456789", "UNDECIDED", null, null],
    ],
  );
});

const fee = (txid: string, day: string, minor: number, description: string) =>
  ({
    row: { txid, day, description, rawType: "FEE", mcc: null, merchantName: null, amountMinor: minor, id: 1 },
    minor,
    categorised: { exclusion: null, payeeKey: "bank" },
  }) as unknown as Counted;

test("an account's events stand by day, and within a day by their transactions' names, in whatever order they came", (t) => {
  const rows = [
    fee("c", "2026-05-09", -4500, "Overtræksrente"),
    fee("b", "2026-05-01", -3500, "Overtræksrente"),
    fee("a", "2026-05-09", -100, "Overtræksrente"),
    fee("d", "2026-04-30", -200, "Overtræksrente"),
  ];
  const names = (given: readonly Counted[]) => accountEventsOf(given, "DKK").overdraft.map(({ txid }) => txid);
  t.deepEqual(names(rows), ["d", "b", "a", "c"]);
  t.deepEqual(names(rows.toReversed()), ["d", "b", "a", "c"]);
});

test("a fee of a single øre is one, money that came in is none", (t) => {
  const told = (minor: number) => {
    const { overdraft, rejected } = accountEventsOf(
      [fee("a", "2026-05-01", minor, "Overtræksrente"), fee("b", "2026-05-01", minor, "Rykkergebyr")],
      "DKK",
    );
    return [overdraft.length, rejected.length];
  };
  t.deepEqual(
    [told(-1), told(0), told(1)],
    [
      [1, 1],
      [0, 0],
      [0, 0],
    ],
  );
});

test("a balance that was observed before the window's first row still checks the rows between, and no later ones", (t) => {
  const account = { id: "main", name: "Main", isRemoved: false } as Parameters<typeof balancesOf>[0][number];
  const rows = [
    { accountId: "main", day: "2026-05-10", minor: -100 },
    { accountId: "main", day: "2026-05-31", minor: -40 },
    { accountId: "main", day: "2026-06-09", minor: -7 },
  ];
  const observed = new Map([
    [
      "main",
      [
        { day: "2026-05-01", minor: 1000 },
        { day: "2026-06-01", minor: 860 },
      ],
    ],
  ]);
  const [balance] = balancesOf([account], observed, rows, windowOf("2026-06-10", "2026-05-01"));
  // 1,000 − 100 − 40 = 860; the row of 9 June comes after the second observation.
  t.deepEqual(balance?.check, { from: "2026-05-01", missingMinor: 0 });
  // The row of 31 May belongs to that day's close.
  t.is(balance?.monthEndsMinor.at(-1), 860);
});

test("a transaction tells its account, its card and a rate's day only where it has one", (t) => {
  const row = fee("a", "2026-05-01", -100, "Gebyr").row;
  const told = (more: Partial<Counted["row"]>, rateDate?: "2026-04-30") =>
    partTransaction({ row: { ...row, ...more }, minor: -100, ...(rateDate && { rateDate }) }, "DKK", null).document;
  const plain = told({ accountId: null, cardId: null });
  t.deepEqual(
    ["accountId", "cardId", "rateDate", "serviceId"].filter((key) => key in plain),
    [],
  );
  t.like(told({ accountId: "main", cardId: "card" }, "2026-04-30"), {
    accountId: "main",
    cardId: "card",
    rateDate: "2026-04-30",
  });
});
