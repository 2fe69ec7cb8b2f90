/** Four eyes: what is guarded one operator asks for and another confirms or refuses; and erasing a user. */
import { randomUUID } from "node:crypto";
import test from "ava";
import type { Database } from "../../src/database/database.ts";
import { findDelivery, insertDelivery } from "../../src/deliveries/deliveries.ts";
import { askApproval, decide, expireApprovals, findApproval, listApprovals } from "../../src/operations/approvals.ts";
import { carryOut } from "../../src/operations/carry-out.ts";
import { withdrawDelivery } from "../../src/operations/deliveries.ts";
import { listAudit } from "../../src/partners/audit.ts";
import { createUser } from "../../src/partners/users.ts";
import { openWorld } from "./world.ts";

async function land(database: Database, partnerId = "north"): Promise<string> {
  const id = randomUUID();
  await insertDelivery(database, {
    id,
    partnerId,
    door: "sftp",
    format: "jsonl",
    name: `<b>${partnerId}</b>.jsonl`,
    requestId: null,
    correlationId: `c-${id}`,
    sizeBytes: 10,
    sha256: Buffer.alloc(32, id),
    vaultReference: `day/${id}`,
    refusal: null,
  });
  return id;
}

async function addUser(database: Database, bankUserId: string): Promise<string> {
  await createUser(database, { partnerId: "north", brandId: "north-dk", bankUserId, locale: "da-DK", details: {} });
  const { rows } = await database.query<{ subject: string }>(
    "select subject from users where bank_user_id = $1 and deleted_at is null",
    [bankUserId],
  );
  return rows[0]?.subject ?? "";
}

async function eventsOf(database: Database): Promise<string[]> {
  const filter = { partnerId: null, since: null, until: null, event: null, sessionId: null };
  const events = await listAudit(database, filter, 100);
  return events.filter(({ event }) => !event.startsWith("console.")).map(({ event, actor }) => `${event} by ${actor}`);
}

const reason = "sent by mistake";

test("what is guarded is done when another operator confirms it, and every step is in the trail", async (t) => {
  const world = await openWorld(t);
  const id = await land(world.database);
  const [ann, bo] = [await world.signedIn("ann", "admin"), await world.signedIn("bo", "admin")];
  await ann.get("/console/approvals");
  t.is((await ann.post("/console/approvals/guard", { about: "withdraw" })).location, "/console/approvals");

  await ann.get(`/console/deliveries/${id}/withdraw`);
  const turned = await ann.post(`/console/deliveries/${id}/withdraw`);
  t.is(turned.location, `/console/approvals/new?action=withdraw&delivery=${id}`);
  const form = await ann.get(turned.location ?? "");
  t.true(form.html.includes("&lt;b&gt;north&lt;/b&gt;.jsonl"));
  t.is((await ann.post("/console/approvals/ask", { action: "withdraw", delivery: id, reason: "no" })).status, 409);
  t.is((await ann.post("/console/approvals/ask", { action: "withdraw", delivery: id, reason })).status, 303);
  t.is((await ann.post("/console/approvals/ask", { action: "withdraw", delivery: id, reason })).status, 409);
  t.is((await findDelivery(world.database, id))?.state, "accepted");

  const [request] = await listApprovals(world.database, null, "open");
  const at = `/console/approvals/${request?.id}`;
  const own = await ann.get("/console/approvals");
  t.false(own.html.includes(`${at}/confirm`));
  t.is((await ann.post(`${at}/confirm`)).status, 409);
  const seen = await bo.get("/console/approvals");
  t.regex(seen.html, /1 request waits for a second operator[^]*sent by mistake/);
  t.is((await bo.post(`${at}/recall`)).status, 409);
  const done = await bo.post(`${at}/confirm`);
  t.regex(done.html, /Confirmed and done/);
  t.is((await findDelivery(world.database, id))?.state, "withdrawn");
  t.is((await bo.post(`${at}/confirm`)).status, 409);
  t.deepEqual(await eventsOf(world.database), [
    "approval.guarded by console:ann",
    "approval.requested by console:ann",
    "approval.confirmed by console:bo",
    "delivery.withdrawn by console:bo",
    "approval.done by console:bo",
  ]);
});

test("a refused, recalled or expired request does nothing, and can be asked for again", async (t) => {
  const world = await openWorld(t);
  const { database } = world;
  const id = await land(database);
  const [ann, bo] = [await world.signedIn("ann", "admin"), await world.signedIn("bo", "admin")];
  await ann.get("/console/approvals");
  await bo.get("/console/approvals");
  await ann.post("/console/approvals/guard", { about: "withdraw" });
  const ask = async () => {
    await ann.post("/console/approvals/ask", { action: "withdraw", delivery: id, reason });
    return (await listApprovals(database, null, "open"))[0]?.id ?? "";
  };
  const refused = await ask();
  t.is((await bo.post(`/console/approvals/${refused}/refuse`)).status, 303);
  const recalled = await ask();
  t.is((await ann.post(`/console/approvals/${recalled}/recall`)).status, 303);
  const late = await ask();
  await database.query("update approvals set expires_at = now() where id = $1", [late]);
  t.is((await bo.post(`/console/approvals/${late}/confirm`)).status, 409);
  t.deepEqual(
    await Promise.all([refused, recalled, late].map(async (one) => (await findApproval(database, one))?.state)),
    ["refused", "recalled", "expired"],
  );
  t.is((await findDelivery(database, id))?.state, "accepted");
  t.true((await eventsOf(database)).includes("approval.expired by service"));
  t.is(await expireApprovals(database), 0);
});

test("an approval is good for what it is about, once, and while it lasts", async (t) => {
  const { database } = await openWorld(t);
  const [one, two] = [await land(database), await land(database, "south")];
  await database.query("insert into guarded_actions (action, guarded_by) values ('withdraw', 'x')");
  const request = { action: "withdraw", partnerId: "north", subject: { deliveryId: one }, reason } as const;
  const asked = await askApproval(database, "cli:ann", request);
  const id = asked.outcome === "asked" ? asked.approval.id : "";
  const deliveries = [await findDelivery(database, one), await findDelivery(database, two)];
  const withdraw = async (at: number) => {
    const delivery = deliveries[at];
    return delivery ? (await withdrawDelivery(database, "cli:bo", delivery, id)).outcome : "missing";
  };
  t.is(await withdraw(0), "guarded");
  t.is((await decide(database, "cli:ann", { id, verdict: "confirm" })).outcome, "declined");
  await t.throwsAsync(
    database.query("update approvals set state = 'confirmed', decided_by = requested_by where id = $1", [id]),
    { message: /approvals_by_another/ },
  );
  const decided = await decide(database, "cli:bo", { id, verdict: "confirm" });
  if (decided.outcome !== "decided") return t.fail(decided.why);
  t.is(await withdraw(1), "guarded");
  const work = { database, actor: "cli:bo", enqueue: async () => {}, ring: async () => Buffer.alloc(32) };
  t.is((await carryOut(work, decided.approval)).outcome, "done");
  t.is((await findApproval(database, id))?.state, "done");
  t.is(await withdraw(0), "guarded");
});

test("to need only one again takes two; key rotation and release are guarded alike", async (t) => {
  const world = await openWorld(t);
  const [ann, bo] = [await world.signedIn("ann", "admin"), await world.signedIn("bo", "admin")];
  for (const visitor of [ann, bo]) await visitor.get("/console/approvals");
  for (const about of ["rotate-keys", "release"]) await ann.post("/console/approvals/guard", { about });
  t.is(
    (await ann.post("/console/keys/rotate", { about: "tokens" })).location,
    "/console/approvals/new?action=rotate-keys&about=tokens",
  );
  await ann.post("/console/approvals/ask", { action: "rotate-keys", about: "tokens", reason });
  await ann.post("/console/approvals/ask", { action: "unguard", about: "rotate-keys", reason });
  for (const { id } of await listApprovals(world.database, null, "open"))
    t.regex((await bo.post(`/console/approvals/${id}/confirm`)).html, /Confirmed and done/);
  const { rows } = await world.database.query<{ action: string }>("select action from guarded_actions");
  t.deepEqual(rows, [{ action: "release" }]);
  t.is((await ann.post("/console/keys/rotate", { about: "receipts" })).status, 200);
  const tokenKeys = await world.database.query("select 1 from audit_events where event = 'token-key.rotated'");
  t.is(tokenKeys.rows.length, 1);
});

test("who decides needs the role and the partner that doing it needs", async (t) => {
  const world = await openWorld(t);
  const id = await land(world.database);
  const ann = await world.signedIn("ann", "admin");
  await ann.get("/console/approvals");
  await ann.post("/console/approvals/guard", { about: "withdraw" });
  await ann.post("/console/approvals/ask", { action: "withdraw", delivery: id, reason });
  const [request] = await listApprovals(world.database, null, "open");
  for (const [name, role, partners, status] of [
    ["vic", "viewer", null, 403],
    ["oda", "operator", null, 403],
    ["sue", "admin", ["south"], 404],
  ] as const) {
    const one = await world.signedIn(name, role, partners);
    await one.get("/console/account");
    t.is((await one.post(`/console/approvals/${request?.id}/confirm`)).status, status, name);
    t.not((await one.post("/console/approvals/guard", { about: "erase" })).status, 303, name);
    t.not((await one.post("/console/keys/rotate", { about: "tokens" })).status, 200, name);
    const asked = await one.post("/console/approvals/ask", { action: "withdraw", delivery: id, reason });
    t.is(asked.status, status, name);
  }
  const sue = await world.signedIn("sally", "admin", ["south"]);
  t.false((await sue.get("/console/approvals")).html.includes(id));
  t.is((await findDelivery(world.database, id))?.state, "accepted");
});

test("a user is erased after a preview by typing its id, with every registration; nothing of it is left", async (t) => {
  const world = await openWorld(t);
  const { database } = world;
  await addUser(database, "anna");
  await database.query("update users set deleted_at = now()");
  const subject = await addUser(database, "anna");
  const other = await addUser(database, "bert");
  const ann = await world.signedIn("ann", "admin");
  const preview = await ann.get(`/console/users/${subject}/erase`);
  t.regex(preview.html, /2 rows[^]*of 2 registrations/);
  t.is((await ann.post(`/console/users/${subject}/erase`, { typed: "ann" })).status, 409);
  t.regex((await ann.post(`/console/users/${subject}/erase`, { typed: "anna" })).html, /The user is erased/);
  const { rows } = await database.query<{ subject: string }>("select subject from users");
  t.deepEqual(rows, [{ subject: other }]);
  const oda = await world.signedIn("oda", "operator");
  await oda.get("/console/account");
  t.is((await oda.post(`/console/users/${other}/erase`, { typed: "bert" })).status, 403);
  const audit = await database.query<{ details: object }>(
    "select details from audit_events where event = 'user.erased'",
  );
  t.is(audit.rows.length, 1);
  t.false(JSON.stringify(audit.rows).includes("anna"));
});

test("where erasing is guarded another operator confirms it, and the page forgets the name with the user", async (t) => {
  const world = await openWorld(t);
  const subject = await addUser(world.database, "anna");
  const [ann, bo] = [await world.signedIn("ann", "admin"), await world.signedIn("bo", "admin")];
  for (const visitor of [ann, bo]) await visitor.get("/console/approvals");
  await ann.post("/console/approvals/guard", { about: "erase" });
  const turned = await ann.post(`/console/users/${subject}/erase`, { typed: "anna" });
  t.is(turned.location, `/console/approvals/new?action=erase&user=${subject}`);
  await ann.post("/console/approvals/ask", { action: "erase", user: subject, reason: "the customer's own wish" });
  t.true((await bo.get("/console/approvals")).html.includes("anna"));
  const [request] = await listApprovals(world.database, null, "open");
  t.regex((await bo.post(`/console/approvals/${request?.id}/confirm`)).html, /Confirmed and done/);
  t.is((await world.database.query("select 1 from users")).rows.length, 0);
  t.false((await bo.get("/console/approvals")).html.includes("anna"));
});
