/** Which payments are budgeted together: a service's, an income's, a payee's, each once; and what is before or after the window. */
import test from "ava";
import type { Counted } from "../../../src/budgets/engine/counted.ts";
import { partsOf } from "../../../src/budgets/engine/parts.ts";
import type { Part } from "../../../src/budgets/engine/snapshot.ts";
import { windowOf } from "../../../src/budgets/window.ts";
import { ledgerOf, monthly, snapshotOf } from "../household.ts";

/** Of 2025-06 to 2026-05. */
const window = windowOf("2026-06-10", "2025-01-02");
const context = {
  currency: "DKK",
  baseUrl: "https://bank.example",
  from: "2025-06-01",
  excluded: new Set<string>(),
  window,
};
type Services = Parameters<typeof partsOf>[1];
type Income = Parameters<typeof partsOf>[2];

/** An amount in kroner with the bank's sign. The transaction is named by payee and day. */
const moved = (day: string, kroner: number, payeeKey: string, categoryId: string | null): Counted =>
  ({
    row: {
      id: 1,
      txid: `${payeeKey} ${day}`,
      day,
      description: payeeKey,
      rawType: "PAYMENT",
      merchantName: null,
      originalAmountMinor: null,
    },
    minor: 100 * kroner,
    categorised: { payeeKey, categoryId, rule: "TEXT", confidence: 0.8, candidates: [], exclusion: null },
  }) as unknown as Counted;
const months = ["2025-12", "2026-01", "2026-02", "2026-03", "2026-04", "2026-05"];
const each = (kroner: number, payee: string, categoryId: string | null) =>
  months.map((month) => moved(`${month}-10`, kroner, payee, categoryId));
const service = (payments: readonly Counted[], more: Record<string, unknown> = {}): Services[number] =>
  ({
    id: "s1",
    txids: payments.map(({ row }) => row.txid),
    document: {
      visibility: "VISIBLE",
      status: "ACTIVE",
      paymentFrequency: "MONTHLY",
      nextExpectedTransactionDate: "2026-06-10",
      totalAmountLastTwelveMonths: 600,
      product: { title: "Product", imageUrl: "https://bank.example/product.svg" },
      ...more,
    },
  }) as unknown as Services[number];
const income = (payments: readonly Counted[], more: Record<string, unknown> = {}): Income[number] =>
  ({
    key: "i1",
    title: "Works Ltd",
    visibility: "VISIBLE",
    status: "ACTIVE",
    paymentFrequency: "MONTHLY",
    nextExpectedDay: "2026-06-10",
    payments: payments.map(({ row }) => ({ txid: row.txid })),
    ...more,
  }) as unknown as Income[number];
const told = (parts: readonly Part[]) =>
  parts.map(({ key, standing, side, transactions }) => [key, standing, side, transactions.length]);
const phone = each(-100, "Phone", "COMMUNICATION_MOBILE");

test("a service has its payments, at the price of the latest, and no other part has them", (t) => {
  const parts = partsOf(phone, [service(phone)], [], context);
  t.deepEqual(told(parts), [["service:s1", "SERVICE", "EXPENSE", 6]]);
  t.like(parts[0], { paymentCostMinor: 10_000, missing: null, ended: null, title: "Product" });
  t.like(parts[0]?.service, { status: "ACTIVE", totalPastYearMinor: 60_000, nextExpectedOn: "2026-06-10" });
  const leaving = partsOf(phone, [service(phone, { status: "UNDER_CANCELLATION" })], [], context);
  t.is(leaving[0]?.service?.status, "UNDER_CANCELLATION");
});

test("what a user may still decline is budgeted as the purchases that it is", (t) => {
  t.deepEqual(told(partsOf(phone, [service(phone, { visibility: "PENDING" })], [], context)), [
    ["payee:Phone:COMMUNICATION_MOBILE", "PAYEE", "EXPENSE", 6],
  ]);
});

test("a series is none where half of its payments are neither spent nor earned", (t) => {
  const without = (count: number) =>
    told(
      partsOf(phone, [service(phone)], [], {
        ...context,
        excluded: new Set(phone.slice(0, count).map(({ row }) => row.txid)),
      }),
    )[0]?.[1];
  t.deepEqual([without(2), without(3)], ["SERVICE", "PAYEE"]);
});

test("a service that is missing keeps its place, one whose end is known tells it", (t) => {
  const lapsed = (more: Record<string, unknown>) =>
    partsOf(phone, [service(phone, { status: "INACTIVE", ...more })], [], context)[0];
  t.like(lapsed({}), {
    standing: "MISSING",
    ended: null,
    // Due on 10 June; 12 days of grace and 31 of a period.
    missing: { since: "2026-06-10", staysUntil: "2026-07-23" },
  });
  t.truthy(lapsed({})?.service);
  t.like(lapsed({ paymentFrequency: "UNKNOWN" }), {
    standing: "ENDED",
    service: null,
    missing: null,
    ended: { reason: "STOPPED", since: "2026-06-10" },
  });
  const cancelled = partsOf(phone, [service(phone, { status: "CANCELLED" })], [], context)[0];
  t.like(cancelled, { standing: "ENDED", missing: null, ended: { reason: "CANCELLED", since: "2026-06-10" } });
  // A status that neither runs nor lapses is over, too.
  t.like(partsOf(phone, [service(phone, { status: "DECLINED" })], [], context)[0], {
    standing: "ENDED",
    ended: { reason: "STOPPED", since: "2026-06-10" },
  });
});

test("a thirteenth pay is extra beside the ordinary one, only of pay that comes monthly and still does", (t) => {
  const pay = [
    ...each(30_000, "Work", "INCOME_SALARY").slice(0, 5),
    moved("2026-05-10", 60_000, "Work", "INCOME_SALARY"),
  ];
  const of = (more: Record<string, unknown> = {}) => partsOf(pay, [], [income(pay, more)], context)[0];
  t.like(of(), { standing: "REGULAR", title: "Works Ltd", paymentCostMinor: 3_000_000, ended: null });
  t.deepEqual(
    of()?.extra?.transactions.map(({ txid, extraMinor }) => [txid, extraMinor]),
    [["Work 2026-05-10", 3_000_000]],
  );
  t.is(of({ paymentFrequency: "QUARTERLY" })?.extra, null);
  t.like(of({ status: "INACTIVE" }), {
    standing: "ENDED",
    extra: null,
    ended: { reason: "STOPPED", since: "2026-06-10" },
  });
});

test("a second line of who pays a salary is a bonus beside it, and no second salary", (t) => {
  const pay = each(30_000, "NORDFIRMA", "INCOME_SALARY");
  const beside = moved("2026-03-20", 9000, "BONUS NORDFIRMA", "INCOME_SALARY");
  const other = moved("2026-03-20", 9000, "SYDFIRMA", "INCOME_SALARY");
  const of = (more: Record<string, unknown> = {}) =>
    partsOf([...pay, beside, other], [], [income(pay, more)], context)
      .filter(({ standing }) => standing === "PAYEE")
      .map(({ payeeKey, categoryId, rule, confidence }) => [payeeKey, categoryId, rule, confidence]);
  t.deepEqual(of(), [
    ["BONUS NORDFIRMA", "INCOME_BONUS_HOLIDAY", "REGULAR", 0.75],
    ["SYDFIRMA", "INCOME_SALARY", "TEXT", 0.8],
  ]);
  // Beside a pay that stopped it is what it was taken for.
  t.deepEqual(of({ status: "INACTIVE" })[0], ["BONUS NORDFIRMA", "INCOME_SALARY", "TEXT", 0.8]);
});

test("an income of too few payments to be certain is a payer like any other", (t) => {
  const pay = each(30_000, "Work", "INCOME_SALARY");
  t.deepEqual(told(partsOf(pay, [], [income(pay, { visibility: "UNDECIDED" })], context)), [
    ["payee:Work:INCOME-", "PAYEE", "INCOME", 6],
  ]);
});

test("all that one payer pays in is one part but holiday pay; what is paid to one payee is a part a category", (t) => {
  const parts = partsOf(
    [
      moved("2026-01-10", 900, "Club", "INCOME_SALARY"),
      moved("2026-02-10", 800, "Club", null),
      moved("2026-03-10", 700, "Club", "INCOME_BONUS_HOLIDAY"),
      moved("2026-04-10", -600, "Club", "LEISURE_FITNESS_SPORT"),
      moved("2026-04-11", -500, "Club", "FOOD_RESTAURANTS"),
      moved("2026-04-12", -400, "Club", null),
      // Money back stands with what it was paid for.
      moved("2026-04-20", 100, "Club", "LEISURE_FITNESS_SPORT"),
    ],
    [],
    [],
    context,
  );
  t.deepEqual(told(parts), [
    ["payee:Club:EXPENSE-", "PAYEE", "EXPENSE", 1],
    ["payee:Club:FOOD_RESTAURANTS", "PAYEE", "EXPENSE", 1],
    ["payee:Club:INCOME-", "PAYEE", "INCOME", 2],
    ["payee:Club:INCOME_BONUS_HOLIDAY", "PAYEE", "INCOME", 1],
    ["payee:Club:LEISURE_FITNESS_SPORT", "PAYEE", "EXPENSE", 2],
  ]);
});

test("who pays in in six months of the window is a source of income, whatever it is for", (t) => {
  const payer = (count: number) => partsOf(each(700, "Anna", null).slice(-count), [], [], context)[0];
  t.like(payer(6), { categoryId: "INCOME_UNSPECIFIED", rule: "REGULAR", confidence: 0.6 });
  t.is(payer(5)?.categoryId, null);
});

test("a payee of before the window is in no part; a service's last payment is told though it lies there", (t) => {
  const old = [moved("2025-05-31", -100, "Old", "FOOD_GROCERIES"), moved("2025-06-01", -100, "New", "FOOD_GROCERIES")];
  t.deepEqual(told(partsOf(old, [], [], context)), [["payee:New:FOOD_GROCERIES", "PAYEE", "EXPENSE", 1]]);
  const yearly = [
    moved("2024-05-01", -900, "Yearly", "INSURANCE_HOME"),
    moved("2025-05-01", -900, "Yearly", "INSURANCE_HOME"),
  ];
  const [part] = partsOf(yearly, [service(yearly, { paymentFrequency: "YEARLY" })], [], context);
  t.deepEqual(
    part?.transactions.map(({ txid }) => txid),
    ["Yearly 2025-05-01"],
  );
  t.is(part?.firstPaidOn, "2024-05-01");
});

test("a snapshot knows what was booked up to the business day, and nothing after it", (t) => {
  const until = (day: string) =>
    snapshotOf(
      ledgerOf([
        ...monthly("2025-05", "2026-05", "05", { name: "Kobmand Holm", amount: "-2500.00", mcc: 5411 }),
        { day, name: "Sofahuset", amount: "-9000.00", mcc: 5712 },
      ]),
    );
  const sofas = (day: string) =>
    until(day).parts.filter(({ transactions }) => transactions.some(({ minor }) => minor === -900_000)).length;
  t.deepEqual([sofas("2026-06-15"), sofas("2026-06-16")], [1, 0]);
  t.deepEqual(
    ["2026-06-15", "2026-06-16"].map((day) => until(day).accounts[0]?.lastDay),
    ["2026-06-15", "2026-05-05"],
  );
});
