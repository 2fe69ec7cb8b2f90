/** Recurring income is read as services are: once it was recognised, by its owner alone, and under ids that stay. */
import test from "ava";
import { inTransaction } from "../../../src/database/database.ts";
import { exportUser } from "../../../src/data-subjects/export.ts";
import { eraseDeleted } from "../../../src/data-subjects/erase.ts";
import { createEvents } from "../../../src/events.ts";
import type { IncomeResponse } from "../../../src/interface/income.ts";
import { markOutdated } from "../../../src/recognition/run.ts";
import { firstOf } from "../../../src/present.ts";
import { type Customer, monthlyPaid, openRecognised, type RecognisedWorld, recogniserOf } from "../recognised.ts";
import { partnerPath } from "../world.ts";

const salary = { type: "SALARY", description: "Løn Havnens Værft" };
const months = ["2026-01", "2026-02", "2026-03", "2026-04", "2026-05"];
const paid = monthlyPaid("Havnens Værft", 31_250.5, months, salary);
const june = monthlyPaid("Havnens Værft", 31_250.5, ["2026-06"], salary);
const path = `${partnerPath}/income`;

async function incomeOf({ call }: RecognisedWorld, { token }: Customer): Promise<IncomeResponse> {
  return (await call("GET", path, { token })).json as IncomeResponse;
}

test.serial("a salary is told with its payments, its facts and what it comes to", async (t) => {
  const world = await openRecognised(t);
  const anna = await world.customer("anna", "2026-06-01", [...paid, ...june]);
  const { averageTotalAmount, totalAmountLastTwelveMonths, income } = await incomeOf(world, anna);
  t.deepEqual(
    { averageTotalAmount, totalAmountLastTwelveMonths },
    {
      averageTotalAmount: 31_250.5,
      totalAmountLastTwelveMonths: 187_503,
    },
  );
  t.is(income.length, 1);
  const { id, payments, confidence, ...told } = firstOf(income);
  t.regex(id, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  t.true((confidence ?? 0) > 0.9);
  t.deepEqual(told, {
    title: "Havnens Værft",
    amount: 31_250.5,
    currency: "DKK",
    paymentFrequency: "MONTHLY",
    accountId: "account-1",
    iban: null,
    status: "ACTIVE",
    visibility: "VISIBLE",
    yearlyAmount: 375_006,
    totalAmountLastTwelveMonths: 187_503,
    nextExpectedTransactionDate: "2026-07-05",
    periodDays: 30.4,
    firstPaymentDate: "2026-01-05",
    lastPaymentDate: "2026-06-05",
    lastAmount: 31_250.5,
    amountRange: { low: 31_250.5, median: 31_250.5, high: 31_250.5 },
    priceChange: null,
    endsOn: null,
    remainingPayments: null,
    isOverdue: false,
  });
  t.deepEqual(
    payments.map(({ sourceTransactionId, amount, originalAmount, date }) => ({
      sourceTransactionId,
      amount,
      originalAmount,
      date,
    }))[0],
    { sourceTransactionId: "Havnens Værft 2026-06", amount: 31_250.5, originalAmount: 31_250.5, date: "2026-06-05" },
  );
  t.is(payments.length, 6);
});

test.serial("who has none is told of none, and of services nothing is told here", async (t) => {
  const world = await openRecognised(t);
  const anna = await world.customer("anna", "2026-06-01", monthlyPaid("Streamly", -79, months));
  t.deepEqual(await incomeOf(world, anna), { averageTotalAmount: 0, income: [], totalAmountLastTwelveMonths: 0 });
});

test.serial(
  "until it was recognised after the import it is 202; what an earlier release left is made anew",
  async (t) => {
    const world = await openRecognised(t);
    const { token, userId } = await world.newUser("early");
    const early = await world.call("GET", path, { token });
    t.is(early.status, 202);
    t.is(early.text, "");
    t.is(early.headers["retry-after"], "5");
    t.is(early.headers.location, path);

    const anna = await world.customer("anna", "2026-06-01", paid);
    // As a release leaves it that knew no income.
    await world.database.query("delete from income_models");
    await world.database.query("update read_models set algorithm_version = 6");
    t.is((await world.call("GET", `${partnerPath}/services`, { token: anna.token })).status, 200);
    t.is((await world.call("GET", path, { token: anna.token })).status, 202);
    t.is(await markOutdated(world.database, recogniserOf(world.database, "2026-06-15").clock, 10), 1);
    await world.recogniseOn("2026-06-15");
    t.is((await incomeOf(world, anna)).income.length, 1);
    t.not(userId, anna.userId);
  },
);

test.serial("where the brand shows no income there is none to read", async (t) => {
  const world = await openRecognised(t);
  const anna = await world.customer("anna", "2026-06-01", paid);
  await world.database.query(`update brands set features = features || '{"budgetIncome": false}'`);
  const off = await world.call("GET", path, { token: anna.token });
  t.is(off.status, 404);
  t.like(off.json, { code: "INCOME_DISABLED" });
  await world.database.query(`update brands set features = features || '{"budgetIncome": true}'`);
  t.is((await world.call("GET", path, { token: anna.token })).status, 200);
});

test.serial("nobody else's income is read, and nobody's without a token", async (t) => {
  const world = await openRecognised(t);
  const anna = await world.customer("anna", "2026-06-01", paid);
  const bert = await world.customer("bert", "2026-06-01", monthlyPaid("Bakken Skole", 22_000, months, salary));
  t.deepEqual(
    [(await incomeOf(world, anna)).income, (await incomeOf(world, bert)).income].map((list) =>
      list.map((one) => one.amount),
    ),
    [[31_250.5], [22_000]],
  );
  t.is((await world.call("GET", path, {})).status, 401);
});

test.serial("an id stays over the nights, when the pay rises, and when history is sent again", async (t) => {
  const world = await openRecognised(t);
  const anna = await world.customer("anna", "2026-06-01", paid.slice(0, 4));
  const [before] = (await incomeOf(world, anna)).income;
  await anna.pay([...paid, ...monthlyPaid("Havnens Værft", 32_900, ["2026-06"], salary)]);
  await world.recogniseOn("2026-06-16");
  const [after] = (await incomeOf(world, anna)).income;
  t.is(after?.id, before?.id);
  t.is(after?.payments.length, 6);
  t.deepEqual(after?.priceChange, { from: 31_250.5, to: 32_900, date: "2026-06-05" });
});

test.serial("a caller that has it is told so, until it changes", async (t) => {
  const world = await openRecognised(t);
  const anna = await world.customer("anna", "2026-06-01", paid);
  const tag = (await world.call("GET", path, { token: anna.token })).headers.etag ?? "";
  const again = () => world.call("GET", path, { token: anna.token, headers: { "if-none-match": tag } });
  t.is((await again()).status, 304);
  await world.recogniseOn("2026-06-15");
  t.is((await again()).status, 304, "a run that finds the same writes nothing");
  await anna.pay(june);
  await world.recogniseOn("2026-06-15");
  t.is((await again()).status, 200);
});

test.serial("access to an account that ends takes its income away at once", async (t) => {
  const world = await openRecognised(t);
  const anna = await world.customer("anna", "2026-06-01", paid);
  await world.database.query("insert into accounts (user_id, id, name, iban) values ($1, 'account-1', '', '')", [
    anna.userId,
  ]);
  t.is((await world.call("PUT", `${partnerPath}/accounts`, { token: anna.token, body: ["account-9"] })).status, 200);
  t.deepEqual((await incomeOf(world, anna)).income, []);
});

test.serial("it is in the user's export, and goes when the user is erased", async (t) => {
  const world = await openRecognised(t);
  const anna = await world.customer("anna", "2026-06-01", paid);
  const bert = await world.customer("bert", "2026-06-01", paid);
  const tables: string[] = [];
  await exportUser(world.database, [anna.userId], async ({ table }) => void tables.push(table));
  t.is(tables.filter((table) => table === "income_models").length, 1);
  await world.call("DELETE", `${partnerPath}/users`, { token: anna.token });
  t.is((await world.call("GET", path, { token: anna.token })).status, 401);
  await eraseDeleted(
    { database: world.database, events: createEvents({ level: "silent" }), now: new Date("2030-01-01") },
    "test",
  );
  const left = await inTransaction(world.database, (transaction) =>
    transaction.query("select user_id from income_models"),
  );
  t.deepEqual(left.rows, [{ user_id: bert.userId }]);
});
