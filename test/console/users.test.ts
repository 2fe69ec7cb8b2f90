/** A user's amounts and names: masked until somebody with the role shows them, with a reason, which the trail keeps. */
import test from "ava";
import type { Database } from "../../src/database/database.ts";
import { listAudit, recordAuditGroup } from "../../src/partners/audit.ts";
import { createUser } from "../../src/partners/users.ts";
import { openWorld } from "./world.ts";

const serviceId = "5e000000-0000-4000-8000-000000000001";

/** With one service that has markup in its name. @returns the address of its page */
async function recognised(database: Database, partnerId: string): Promise<string> {
  await createUser(database, {
    partnerId,
    brandId: `${partnerId}-dk`,
    bankUserId: "anna<i>",
    locale: "da-DK",
    details: {},
  });
  const { rows } = await database.query<{ id: number; subject: string }>(
    "select id, subject from users where partner_id = $1",
    [partnerId],
  );
  const [user] = rows;
  const payment = { id: 1, sourceTransactionId: "t-1", amount: 114.5, currency: "DKK", date: "2026-11-01" };
  const document = {
    id: serviceId,
    amount: 114.5,
    currency: "DKK",
    paymentFrequency: "MONTHLY",
    product: { title: "<b>Fitness</b> Club" },
    status: "ACTIVE",
    visibility: "VISIBLE",
    yearlyCost: 1374,
    nextExpectedTransactionDate: "2026-12-01",
    payments: [payment],
  };
  await database.query(
    "insert into services (id, user_id, key, txids, first_detected_on, document) values ($1, $2, 'k', '{t-1}', '2026-11-01', $3)",
    [serviceId, user?.id, JSON.stringify(document)],
  );
  return `/console/users/${user?.subject}`;
}

const ofUsers = { partnerId: null, since: null, until: null, event: "user", sessionId: null };

test("a user is found by the partner's id, whole, and by nobody who is limited to others", async (t) => {
  const world = await openWorld(t);
  const at = await recognised(world.database, "north");
  const ann = await world.signedIn("ann", "viewer");
  t.is((await ann.get(`/console/users?id=${encodeURIComponent("anna<i>")}`)).location, at);
  t.regex((await ann.get("/console/users?id=anna")).html, /No user of a partner has this id\./);
  const other = await world.signedIn("bob", "admin", ["south"]);
  t.regex(
    (await other.get(`/console/users?id=${encodeURIComponent("anna<i>")}`)).html,
    /No user of a partner has this id\./,
  );
  t.is((await other.get(at)).status, 404);
  t.is((await other.get(`${at}/services/${serviceId}`)).status, 404);
  await other.get("/console/users");
  await other.get("/console/account");
  t.is((await other.post(`${at}/show`, { reason: "because I can" })).status, 404);
});

test("amounts and names are masked, for a viewer always", async (t) => {
  const world = await openWorld(t);
  const at = await recognised(world.database, "north");
  for (const role of ["viewer", "operator", "admin"] as const) {
    const one = await world.signedIn(role, role);
    const { html } = await one.get(at);
    t.false(/Fitness|114\.50|1,374\.00/.test(html), role);
    t.true(html.includes("Service 1"), role);
    t.is(html.includes(`${at}/show`), role !== "viewer", role);
    t.is((await one.get(`${at}/services/${serviceId}`)).status, 403, role);
  }
  const viewer = await world.signedIn("vera", "viewer");
  await viewer.get(at);
  t.is((await viewer.post(`${at}/show`, { reason: "curiosity" })).status, 403);
});

test("an operator shows them with a reason, to himself, for a quarter of an hour, and masks them again", async (t) => {
  const world = await openWorld(t);
  const at = await recognised(world.database, "north");
  const [ann, bob] = [await world.signedIn("ann", "operator"), await world.signedIn("bob", "operator")];
  await ann.get(at);
  t.is((await ann.post(`${at}/show`, { reason: "" })).status, 400);
  t.deepEqual(await listAudit(world.database, ofUsers, 10), []);
  await ann.get(at);
  t.is((await ann.post(`${at}/show`, { reason: "call 17 <b>" })).location, at);
  const { html } = await ann.get(at);
  t.true(html.includes("114.50 DKK"));
  t.true(html.includes("&lt;b&gt;Fitness&lt;/b&gt; Club"));
  t.false(html.includes("<b>Fitness"));
  t.false((await bob.get(at)).html.includes("114.50"));
  const [shown] = await listAudit(world.database, ofUsers, 10);
  t.is(shown?.actor, "console:ann");
  t.is(shown?.partnerId, "north");
  t.is(shown?.details.reason, "call 17 <b>");

  await ann.post(`${at}/hide`);
  t.false((await ann.get(at)).html.includes("114.50"));
  const at16 = new Date(Date.now() - 16 * 60_000);
  const entry = { partnerId: "north", event: "user.shown", details: { ...shown?.details } };
  await recordAuditGroup(world.database, [{ at: at16, actor: "console:bob", entry }]);
  t.false((await bob.get(at)).html.includes("114.50"));
});

test("who is an operator no more sees nothing that he had shown", async (t) => {
  const world = await openWorld(t);
  const at = await recognised(world.database, "north");
  const ann = await world.signedIn("ann", "operator");
  await ann.get(at);
  await ann.post(`${at}/show`, { reason: "call 17" });
  t.true((await ann.get(at)).html.includes("114.50"));
  await world.database.query("update console_accounts set role = 'viewer'");
  t.false((await ann.get(at)).html.includes("114.50"));
});

const budgetId = "b0000000-0000-4000-8000-000000000001";

/** With one group, one leaf and one expense in it. */
async function budgeted(database: Database): Promise<void> {
  const node = { totalMonthlyAmountUserProvided: null, averageLastThreeMonths: 0, averageLastTwelveMonths: 0 };
  const expense = { title: "<i>Landlord</i>", paymentFrequency: "MONTHLY", paymentCostMonthly: 9000 };
  const leaf = { ...node, id: "RENT", name: "Rent", totalMonthlyAmount: 9000, expenses: [expense] };
  const home = { ...node, id: "HOME", name: "Home", totalMonthlyAmount: 9000, categories: [leaf] };
  const food = { ...node, id: "FOOD", name: "Food", totalMonthlyAmount: 4500, categories: [] };
  const document = {
    id: budgetId,
    totalMonthlyAmount: 13500,
    totalMonthlyIncome: 30000,
    disposableIncome: 16500,
    amountCategorized: 13000,
    categorizationTarget: 12150,
    categories: [home, food],
    uncategorized: [],
    income: [],
  };
  await database.query(
    `insert into budgets (id, partner_id, user_id, created_time, stale_since)
     select $1, partner_id, id, '2026-11-20T10:00:00', null from users where partner_id = 'north'`,
    [budgetId],
  );
  await database.query(
    `insert into budget_documents (budget_id, partner_id, user_id, document, details, questions)
     select $1, partner_id, id, $2, '{"expenses":[]}', '[{}, {}]' from users where partner_id = 'north'`,
    [budgetId, JSON.stringify(document)],
  );
}

test("a budget is a tree with bars for who has shown the user, and for nobody else", async (t) => {
  const world = await openWorld(t);
  const at = await recognised(world.database, "north");
  await budgeted(world.database);
  const ann = await world.signedIn("ann", "operator");
  const { html: masked } = await ann.get(at);
  t.regex(masked, /1 budget</);
  t.false(masked.includes(budgetId));
  t.is((await ann.get(`${at}/budgets/${budgetId}`)).status, 403);
  await ann.post(`${at}/show`, { reason: "call 17" });
  t.true((await ann.get(at)).html.includes(`${at}/budgets/${budgetId}`));
  const { status, html } = await ann.get(`${at}/budgets/${budgetId}`);
  t.is(status, 200);
  t.regex(html, /13,500\.00 DKK[\s\S]*30,000\.00 DKK[\s\S]*16,500\.00 DKK/);
  t.deepEqual(
    [...html.matchAll(/<rect class="known" width="([\d.]+)"/g)].map(([, width]) => width),
    ["100.0", "100.0", "50.0"],
  );
  t.true(html.includes("&lt;i&gt;Landlord"));
  t.regex(html, /2 open questions/);
  t.is((await ann.get(`${at}/budgets/${serviceId}`)).status, 404);
  const viewer = await world.signedIn("vera", "viewer");
  t.is((await viewer.get(`${at}/budgets/${budgetId}`)).status, 403);
});

test("an admin exports what is held about a user, after seeing how much it is; the trail has it first", async (t) => {
  const world = await openWorld(t);
  const at = await recognised(world.database, "north");
  const admin = await world.signedIn("ada", "admin");
  const preview = await admin.get(`${at}/export`);
  t.regex(preview.html, /2 rows<\/strong/);
  t.deepEqual(await listAudit(world.database, ofUsers, 10), []);
  const { status, html } = await admin.post(`${at}/export`);
  t.is(status, 200);
  const document = JSON.parse(html) as Record<string, { bank_user_id?: string; partner_id?: string }[]>;
  t.deepEqual(Object.keys(document), ["users", "services"]);
  t.deepEqual(
    document.users?.map((user) => [user.partner_id, user.bank_user_id]),
    [["north", "anna<i>"]],
  );
  const [trace] = await listAudit(world.database, ofUsers, 10);
  t.deepEqual([trace?.actor, trace?.event, trace?.details.rows], ["console:ada", "user.exported", 2]);

  await world.database.query(
    `insert into services (id, user_id, key, txids, first_detected_on, document)
     select gen_random_uuid(), user_id, 'k' || n, txids, first_detected_on, document
       from services, generate_series(1, 3000) as n`,
  );
  await admin.get(`${at}/export`);
  const large = JSON.parse((await admin.post(`${at}/export`)).html) as Record<string, object[]>;
  t.is(large.services?.length, 3001);
});

test("an operator exports nobody, and an admin nobody of partners that are not his", async (t) => {
  const world = await openWorld(t);
  const at = await recognised(world.database, "north");
  const operator = await world.signedIn("oda", "operator");
  t.false((await operator.get(at)).html.includes("/export"));
  t.is((await operator.get(`${at}/export`)).status, 403);
  t.is((await operator.post(`${at}/export`)).status, 403);
  const other = await world.signedIn("sam", "admin", ["south"]);
  t.is((await other.get(`${at}/export`)).status, 404);
  await other.get("/console/users");
  t.is((await other.post(`${at}/export`)).status, 404);
  t.deepEqual(await listAudit(world.database, ofUsers, 10), []);
});
