/** What became of a service that is paid no more: missing for how long, paid off, replaced, left with a home, or stopped. */
import test from "ava";
import type { Counted } from "../../../src/budgets/engine/counted.ts";
import { type Lapsed, lapsesOf, type Paying, remainingInstalments } from "../../../src/budgets/engine/lapse.ts";

/** A payment in kroner to a payee, for a category. */
const paid = (day: string, kroner: number, payeeKey: string, categoryId: string | null, description = payeeKey) =>
  ({
    row: { day, description, txid: `${payeeKey} ${day}` },
    minor: -100 * kroner,
    categorised: { payeeKey, categoryId },
  }) as unknown as Counted;
const service = (payments: readonly Counted[], since: string, frequency = "MONTHLY", status = "INACTIVE"): Paying => ({
  document: { status, paymentFrequency: frequency, nextExpectedTransactionDate: since } as Paying["document"],
  payments,
});
/** Of the first of the services. */
const lapse = (services: readonly Paying[], ...others: Counted[]): Lapsed | null =>
  lapsesOf(services, [...services.flatMap(({ payments }) => payments), ...others])[0] ?? null;
const reason = (lapsed: Lapsed | null) => (lapsed !== null && "ended" in lapsed ? lapsed.ended.reason : null);
const thrice = (payee: string, categoryId: string, kroner = 1000) =>
  ["2026-01-10", "2026-02-10", "2026-03-10"].map((day) => paid(day, kroner, payee, categoryId));

test("a payment that is due stays expected for the grace of its frequency and one period more", (t) => {
  const until = (frequency: string) => {
    const lapsed = lapse([service(thrice("Fitness", "LEISURE_FITNESS_SPORT"), "2026-04-01", frequency)]);
    return lapsed !== null && "missing" in lapsed ? lapsed.missing.staysUntil : null;
  };
  t.deepEqual(
    ["DAILY", "WEEKLY", "BIWEEKLY", "MONTHLY", "BIMONTHLY", "QUARTERLY", "HALFYEARLY", "YEARLY"].map(until),
    // 4 + 1, 5 + 7, 7 + 14, 12 + 31, 16 + 61, 20 + 92, 30 + 183 and 40 + 366 days after 1 April.
    ["2026-04-06", "2026-04-13", "2026-04-22", "2026-05-14", "2026-06-17", "2026-07-22", "2026-10-31", "2027-05-12"],
  );
});

test("what runs has not lapsed, what was cancelled ended so, and what has no frequency just stopped", (t) => {
  const payments = thrice("Avis", "LEISURE_NEWS_BOOKS");
  t.is(lapse([service(payments, "2026-04-10", "MONTHLY", "ACTIVE")]), null);
  t.deepEqual(lapse([service(payments, "2026-04-10", "MONTHLY", "CANCELLED")]), {
    ended: { reason: "CANCELLED", since: "2026-04-10" },
  });
  t.deepEqual(lapse([service(payments, "2026-04-10", "UNKNOWN")]), {
    ended: { reason: "STOPPED", since: "2026-04-10" },
  });
});

test("a counter that was seen counting tells what is left, and its last instalment ends the obligation", (t) => {
  const counted = (...texts: string[]) =>
    texts.map((text, at) => paid(`2026-0${at + 1}-10`, 500, "Møbler", "DEBT_PAY_LATER", text));
  t.is(remainingInstalments(counted("Rate 6/12", "Rate 7/12")), 5);
  t.is(remainingInstalments(counted("Rate 7 af 12", "Rate 8 av 12")), 4);
  t.is(remainingInstalments(counted("Rate 7/12")), null);
  // It does not count: another number of instalments, no step, or a day.
  t.is(remainingInstalments(counted("Rate 6/12", "Rate 7/24")), null);
  t.is(remainingInstalments(counted("Rate 6/12", "Rate 8/12")), null);
  t.is(remainingInstalments(counted("Købt 06/12-2025", "Købt 07/12-2025")), null);
  t.is(reason(lapse([service(counted("Rate 11/12", "Rate 12/12"), "2026-03-10")])), "PAID_OFF");
  t.is(reason(lapse([service(counted("Rate 10/12", "Rate 11/12"), "2026-03-10")])), null);
});

test("a loan is settled by a payment of three instalments within 45 days before its last one or later", (t) => {
  const loan = [service(thrice("Bank", "DEBT_CONSUMER_LOAN"), "2026-04-10")];
  const settled = (day: string, kroner: number, payee = "Bank") =>
    reason(lapse(loan, paid(day, kroner, payee, "DEBT_CONSUMER_LOAN")));
  t.deepEqual([settled("2026-03-20", 3000), settled("2026-03-20", 2999)], ["PAID_OFF", null]);
  // 45 days before 10 March is 24 January.
  t.deepEqual([settled("2026-01-24", 3000), settled("2026-01-23", 3000)], ["PAID_OFF", null]);
  t.is(settled("2026-03-20", 9000, "Biler"), null);
  // Three gym fees at once settle nothing.
  const gym = [service(thrice("Gym", "LEISURE_FITNESS_SPORT"), "2026-04-10")];
  t.is(reason(lapse(gym, paid("2026-03-20", 3000, "Gym", "LEISURE_FITNESS_SPORT"))), null);
});

test("what an ordinary instalment is tell the last six", (t) => {
  const months = ["2025-07", "2025-08", "2025-09", "2025-10", "2025-11", "2025-12", "2026-01", "2026-02", "2026-03"];
  // Of all nine the middle one is 1,000.00; of the last six 400.00, so that 1,200.00 settles the loan.
  const payments = months.map((month, at) => paid(`${month}-10`, at < 5 ? 1000 : 400, "Bank", "DEBT_CONSUMER_LOAN"));
  const loan = [service(payments, "2026-04-10")];
  t.is(reason(lapse(loan, paid("2026-03-20", 1200, "Bank", "DEBT_CONSUMER_LOAN"))), "PAID_OFF");
});

test("what another one that replaces may cost, too, is told by the last six payments", (t) => {
  // The price rose from 100.00 to 1,000.00 six payments ago; of all thirteen the middle one is 100.00.
  const payments = Array.from({ length: 13 }, (_, at) => {
    const [year, month] = [at < 10 ? 2025 : 2026, at < 10 ? at + 3 : at - 9];
    return paid(`${year}-${String(month).padStart(2, "0")}-10`, at < 7 ? 100 : 1000, "Old", "INSURANCE_HOME");
  });
  const insurance = [service(payments, "2026-04-10")];
  const replaced = (kroner: number) => reason(lapse(insurance, paid("2026-04-12", kroner, "New", "INSURANCE_HOME")));
  t.deepEqual([replaced(1000), replaced(100)], ["REPLACED", null]);
});

test("another payee of the kind replaces what a household has one of, at a price from 0.4 to 2.5 times", (t) => {
  const replaced = (categoryId: string, kroner: number, day = "2026-04-12") =>
    reason(lapse([service(thrice("Old", categoryId), "2026-04-10")], paid(day, kroner, "New", categoryId)));
  for (const id of [
    "UTILITIES_ELECTRICITY",
    "INSURANCE_HOME",
    "COMMUNICATION_MOBILE",
    "WORK_UNION",
    "CHILDREN_DAYCARE",
    "HOUSING_RENT",
  ])
    t.is(replaced(id, 1000), "REPLACED", id);
  for (const id of ["LEISURE_STREAMING", "LEISURE_FITNESS_SPORT", "FEES_DONATIONS_MEMBERSHIPS"])
    t.is(replaced(id, 1000), null, id);
  const prices = [399, 400, 2500, 2501].map((kroner) => replaced("INSURANCE_HOME", kroner));
  t.deepEqual(prices, [null, "REPLACED", "REPLACED", null]);
  // Another bank's loan costs about the same: from 0.8 to 1.25 times.
  const loans = [799, 800, 1250, 1251].map((kroner) => replaced("DEBT_CONSUMER_LOAN", kroner));
  t.deepEqual(loans, [null, "REPLACED", "REPLACED", null]);
  // A mortgage follows a rent, whatever the difference of a loan.
  t.is(replaced("HOUSING_MORTGAGE", 2500), "REPLACED");
});

test("the one that replaces begins after the last payment, and within two months of the day it was due", (t) => {
  const replaced = (...days: string[]) =>
    reason(
      lapse(
        [service(thrice("Old", "INSURANCE_HOME"), "2026-04-10")],
        ...days.map((day) => paid(day, 1000, "New", "INSURANCE_HOME")),
      ),
    );
  t.deepEqual([replaced("2026-03-10"), replaced("2026-03-11")], [null, "REPLACED"]);
  t.deepEqual([replaced("2026-06-10"), replaced("2026-06-11")], ["REPLACED", null]);
  // It was paid before, too: both ran beside each other.
  t.is(replaced("2026-04-12", "2026-02-12"), null);
});

test("a home of another kind replaces a home, and nothing else of another category does", (t) => {
  const rent = [service(thrice("Landlord", "HOUSING_RENT"), "2026-04-10")];
  t.is(reason(lapse(rent, paid("2026-04-12", 1400, "Mortgage bank", "HOUSING_MORTGAGE"))), "REPLACED");
  t.is(reason(lapse(rent, paid("2026-04-12", 1400, "Insurer", "INSURANCE_HOME"))), null);
  t.is(reason(lapse(rent, paid("2026-04-12", 1400, "Someone", null))), null);
  const power = [service(thrice("Power", "UTILITIES_ELECTRICITY"), "2026-04-10")];
  t.is(reason(lapse(power, paid("2026-04-12", 1000, "Landlord", "HOUSING_RENT"))), null);
});

test("who moves leaves what belongs to the home within 62 days of the day on which another home began", (t) => {
  const moved = (since: string, categoryId: string) => {
    const power = service(thrice("Power", categoryId), since);
    const homes = [
      paid("2026-01-01", 8000, "Landlord", "HOUSING_RENT"),
      paid("2026-02-01", 8000, "Landlord", "HOUSING_RENT"),
      // The same obligation goes on under another name from 1 March.
      paid("2026-03-01", 9000, "Other landlord", "HOUSING_RENT"),
    ];
    return reason(lapse([power, service(homes, "2026-04-01", "MONTHLY", "ACTIVE")]));
  };
  // 62 days after 1 March is 2 May.
  t.deepEqual(
    [moved("2026-05-02", "UTILITIES_ELECTRICITY"), moved("2026-05-03", "UTILITIES_ELECTRICITY")],
    ["MOVED", null],
  );
  t.is(moved("2026-04-10", "INSURANCE_HOME"), "MOVED");
  t.is(moved("2026-04-10", "HOUSING_MAINTENANCE"), "MOVED");
  t.is(moved("2026-04-10", "INSURANCE_VEHICLE"), null);
  t.is(moved("2026-04-10", "COMMUNICATION_MOBILE"), null);
});

test("a home that is missing and that nobody replaced was not left", (t) => {
  const [power, rent] = [
    service(thrice("Power", "UTILITIES_ELECTRICITY"), "2026-04-10"),
    service(thrice("Landlord", "HOUSING_RENT"), "2026-04-10"),
  ];
  t.is(reason(lapse([power, rent])), null);
  t.is(reason(lapse([power, rent], paid("2026-04-15", 1100, "Other landlord", "HOUSING_RENT"))), "MOVED");
});
