/** Cancelling users' services in the console: each step as the command takes it, masked until shown, with its trace. */
import test from "ava";
import type { Database } from "../../src/database/database.ts";
import { listAudit } from "../../src/partners/audit.ts";
import { createUser } from "../../src/partners/users.ts";
import { openWorld } from "./world.ts";

const serviceId = "5e000000-0000-4000-8000-000000000002";

/** A user with a running service. @returns the address of the service's cancellation */
async function serviceOf(database: Database, partnerId: string): Promise<string> {
  const details = { partnerId, brandId: `${partnerId}-dk`, locale: "da-DK", details: {} };
  await createUser(database, { ...details, bankUserId: "anna" });
  const { rows } = await database.query<{ id: number; subject: string }>("select id, subject from users");
  const document = {
    id: serviceId,
    amount: 199,
    currency: "DKK",
    paymentFrequency: "MONTHLY",
    product: { title: "Sundby Motion", type: "SUBSCRIPTION" },
    status: "ACTIVE",
    visibility: "VISIBLE",
    yearlyCost: 2388,
    nextExpectedTransactionDate: "2026-12-01",
    payments: [{ id: 1, sourceTransactionId: "t-1", amount: 199, currency: "DKK", date: "2026-11-01" }],
  };
  await database.query(
    `insert into services (id, user_id, key, txids, first_detected_on, document, status)
     values ($1, $2, 'k', '{t-1}', '2026-11-01', $3, 'ACTIVE')`,
    [serviceId, rows[0]?.id, JSON.stringify(document)],
  );
  await database.query(
    `insert into read_models (user_id, services_visible, services_hidden, upcoming, import_complete, computed_for, algorithm_version)
     values ($1, '[]', '[]', '[]', true, '2026-11-20', 1)`,
    [rows[0]?.id],
  );
  return `/console/users/${rows[0]?.subject}/services/${serviceId}/cancellation`;
}

const ofCases = { partnerId: null, since: null, until: null, event: "cancellation", sessionId: null };

test("an operator opens a case, asks, has it answered and confirms it; the trail has each step and no text", async (t) => {
  const world = await openWorld(t);
  const at = await serviceOf(world.database, "north");
  const ann = await world.signedIn("ann", "operator");
  t.regex((await ann.get("/console/cancellations")).html, /No cancellation is open/);
  t.regex((await ann.get(at)).html, /Open a case/);
  t.is((await ann.post(`${at}/open`, { "open-message": "Letter to Anna", "open-equipmentBack": "yes" })).location, at);
  const list = await ann.get("/console/cancellations");
  t.regex(list.html, /1 cancellation open/);
  t.false(/Sundby|Letter to Anna/.test(list.html));
  const page = await ann.get(at);
  t.false(/Sundby|Letter to Anna/.test(page.html), "masked until it is shown");
  t.is((await ann.post(`${at}/ask`, {})).status, 400);
  await ann.get(at);
  t.is((await ann.post(`${at}/ask`, { "ask-message": "Which number?" })).location, at);
  t.regex((await ann.get("/console/cancellations")).html, /0 are for you to do, 1 waits for the user\./);
  t.regex((await ann.get(at)).html, /<a href="\/console\/cancellations" {2}aria-current="page">/);
  await ann.get(at);
  t.is((await ann.post(`${at}/answer`, {})).location, at);
  await ann.get(at);
  t.is((await ann.post(`${at}/confirm`, { "confirm-endDate": "2026-11-30" })).location, at);
  t.regex((await ann.get("/console/cancellations?which=all")).html, /cancelled/);
  const traced = await listAudit(world.database, ofCases, 10);
  t.deepEqual(
    traced.map(({ event, actor, partnerId }) => `${event} ${actor} ${partnerId}`),
    [
      "cancellation.opened console:ann north",
      "cancellation.information-asked console:ann north",
      "cancellation.information-given console:ann north",
      "cancellation.confirmed console:ann north",
    ],
  );
  t.deepEqual(traced[3]?.details, { serviceId, endDate: "2026-11-30" });
});

test("a step that the service does not allow is told, and nothing is written", async (t) => {
  const world = await openWorld(t);
  const at = await serviceOf(world.database, "north");
  const ann = await world.signedIn("ann", "operator");
  await ann.get(at);
  const answer = await ann.post(`${at}/confirm`, {});
  t.is(answer.status, 409);
  t.regex(answer.html, /The service is ACTIVE: confirm needs one that is UNDER_CANCELLATION\./);
  t.is((await ann.post(`${at}/abort`, { "abort-reason": "NONSENSE" })).status, 400);
  t.is((await listAudit(world.database, ofCases, 10)).length, 0);
});

test("the page offers the steps that the service allows, and none once it is cancelled", async (t) => {
  const world = await openWorld(t);
  const at = await serviceOf(world.database, "north");
  const ann = await world.signedIn("ann", "operator");
  const offered = async () =>
    [...(await ann.get(at)).html.matchAll(/cancellation\/(\w+)"/g)].map(([, step]) => step).join(" ");
  t.is(await offered(), "open");
  await ann.post(`${at}/open`, {});
  t.is(await offered(), "confirm ask abort");
  await ann.post(`${at}/ask`, { "ask-message": "Which number?" });
  t.is(await offered(), "answer confirm abort");
  await ann.post(`${at}/confirm`, {});
  // As the next run has it.
  await world.database.query(
    `update services set status = 'CANCELLED', document = jsonb_set(document::jsonb, '{status}', '"CANCELLED"')`,
  );
  t.is(await offered(), "");
});

test("names and texts come with the user's, once they are shown", async (t) => {
  const world = await openWorld(t);
  const at = await serviceOf(world.database, "north");
  const ann = await world.signedIn("ann", "operator");
  await ann.get(at);
  await ann.post(`${at}/open`, { "open-message": "Letter <i>sent</i>" });
  const user = at.replace(/\/services.*/, "");
  await ann.get(user);
  await ann.post(`${user}/show`, { reason: "a call of the customer" });
  const { html } = await ann.get(at);
  t.regex(html, /Sundby Motion/);
  t.regex(html, /Letter &lt;i&gt;sent/);
  t.regex((await ann.get("/console/cancellations")).html, /Sundby Motion/);
});

test("a viewer sees the cases and takes no step; another partner's account finds nothing", async (t) => {
  const world = await openWorld(t);
  const at = await serviceOf(world.database, "north");
  const vera = await world.signedIn("vera", "viewer");
  t.false((await vera.get(at)).html.includes(`${at}/open`));
  t.is((await vera.get("/console/cancellations")).status, 200);
  for (const step of ["open", "ask", "answer", "confirm", "abort"])
    t.is((await vera.post(`${at}/${step}`, { "ask-message": "why" })).status, 403, step);
  const other = await world.signedIn("bob", "admin", ["south"]);
  t.is((await other.get(at)).status, 404);
  await other.get("/console/cancellations");
  t.is((await other.post(`${at}/open`, {})).status, 404);
  t.is((await world.database.query("select 1 from cancellation_cases")).rows.length, 0);
});
