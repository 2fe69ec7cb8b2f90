/** The audit trail: found by what is asked, of one's own partners alone, and exported with a trace of that. */
import test from "ava";
import { chainAudit, lastBatch } from "../../src/partners/audit-chain.ts";
import { listAudit, recordAudit } from "../../src/partners/audit.ts";
import { createUser } from "../../src/partners/users.ts";
import { chainKey, openWorld } from "./world.ts";

async function openTrail(t: Parameters<typeof openWorld>[0]) {
  const world = await openWorld(t);
  const write = (partnerId: string | null, event: string, actor: string, details: Record<string, unknown>) =>
    recordAudit(world.database, actor, { partnerId, event, details });
  await write("north", "sftp.file-renamed", "north", { from: "<script>alert(1)</script>" });
  await write("south", "partner.suspended", "cli:root", { why: "southern-secret" });
  await write(null, "keys.rotated", "cli:root", { kid: "of-the-service" });
  return world;
}

test("events are found by name, beginning, partner, actor and time, and shown as text", async (t) => {
  const world = await openTrail(t);
  const one = await world.signedIn("ann", "operator");
  const found = async (query: string) =>
    [...(await one.get(`/console/audit?${query}`)).html.matchAll(/<th scope="row">([^<]+)<\/th>/g)].map(
      ([, name]) => name,
    );
  t.deepEqual(await found("event=sftp"), ["sftp.file-renamed"]);
  t.deepEqual(await found("event=sft"), []);
  t.deepEqual(await found("partner=south"), ["partner.suspended"]);
  t.deepEqual(await found("actor=cli%3Aroot"), ["keys.rotated", "partner.suspended"]);
  t.deepEqual(await found("since=2099-01-01"), []);
  const { html } = await one.get("/console/audit?event=%3Cb%3E");
  t.false(html.includes("<b>"));
  t.true((await one.get("/console/audit")).html.includes("&lt;script&gt;alert(1)"));
  t.regex((await one.get("/console/audit?since=yesterday")).html, /A day is written/);
});

test("an account that is limited to partners sees their events alone", async (t) => {
  const world = await openTrail(t);
  const one = await world.signedIn("ann", "admin", ["north"]);
  const page = await one.get("/console/audit");
  const exported = await one.post("/console/audit/export");
  for (const text of [page.html, exported.html]) {
    t.true(text.includes("sftp.file-renamed"));
    t.false(/southern-secret|of-the-service/.test(text));
  }
});

test("an admin exports what fits, which the trail says; an operator does not, and a viewer sees none of it", async (t) => {
  const world = await openTrail(t);
  const admin = await world.signedIn("ada", "admin");
  await admin.get("/console/audit?event=partner");
  const { html } = await admin.post("/console/audit/export", { event: "partner" });
  t.deepEqual(
    html
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { event: string }).event),
    ["partner.suspended"],
  );
  const latest = (
    await listAudit(world.database, { partnerId: null, since: null, until: null, event: "audit", sessionId: null }, 5)
  ).at(-1);
  t.is(latest?.actor, "console:ada");
  t.deepEqual([latest?.event, latest?.details.events], ["audit.exported", 1]);
  const operator = await world.signedIn("oda", "operator");
  t.false((await operator.get("/console/audit")).html.includes("audit/export"));
  t.is((await operator.post("/console/audit/export")).status, 403);
  const viewer = await world.signedIn("vera", "viewer");
  t.is((await viewer.get("/console/audit")).status, 403);
  t.false((await viewer.get("/console")).html.includes("/console/audit"));
});

test("an operator has the chain verified, which is in the trail, and sees what was changed behind it", async (t) => {
  const { database, signedIn } = await openTrail(t);
  const one = await signedIn("oda", "operator");
  await one.get("/console/audit");
  await chainAudit(database, chainKey);
  const anchor = JSON.stringify(await lastBatch(database));
  const whole = await one.post("/console/audit/verify", { anchor });
  t.is(whole.status, 200);
  t.regex(whole.html, /<h1>The trail is as it was written<\/h1>/);
  t.regex(whole.html, /4 events in 1 batch/);
  const filter = { partnerId: null, since: null, until: null, event: "audit.verified", sessionId: null };
  const [trace] = await listAudit(database, filter, 5);
  t.deepEqual(
    [trace?.actor, trace?.details],
    ["console:oda", { batches: 1, events: 4, removed: 0, faults: 0, anchor: 1 }],
  );

  await database.query(
    `alter table audit_events disable trigger all;
     update audit_events set actor = '<b>' where event = 'partner.suspended';
     alter table audit_events enable trigger all`,
  );
  await one.get("/console/audit");
  const changed = await one.post("/console/audit/verify");
  t.regex(changed.html, /<h1>The trail has 1 fault<\/h1>/);
  t.regex(changed.html, /partner\.suspended[^<]* was changed/);
  await one.get("/console/audit");
  const cut = await one.post("/console/audit/verify", { anchor: anchor.replace('"number":1', '"number":9') });
  t.regex(cut.html, /the anchor knows 9/);
  await one.get("/console/audit");
  t.is((await one.post("/console/audit/verify", { anchor: "nine" })).status, 400);
});

test("the chain of all partners is not verified by who sees some, or as a viewer", async (t) => {
  const world = await openTrail(t);
  const limited = await world.signedIn("ann", "admin", ["north"]);
  t.false((await limited.get("/console/audit")).html.includes("/console/audit/verify"));
  t.is((await limited.post("/console/audit/verify")).status, 403);
  const viewer = await world.signedIn("vera", "viewer");
  await viewer.get("/console");
  t.is((await viewer.post("/console/audit/verify")).status, 403);
});

test("what an answer to a budget's question tells of money is masked until the user is shown, to each by himself", async (t) => {
  const world = await openWorld(t);
  const subject = await userOf(world, "anna");
  const { rows } = await world.database.query<{ id: number }>("select id from users where subject = $1", [subject]);
  const told = { payee: "Vimmerby Golf", amount: "150.00 DKK MONTHLY", from: "none", to: "LEISURE_FITNESS_SPORT" };
  const details = { method: "POST", path: "/budgets/b/questions/q", status: 200, userId: rows[0]?.id, ...told };
  await recordAudit(world.database, `user:${subject}`, { partnerId: "north", event: "https.changed", details });
  const [ada, bob] = [await world.signedIn("ada", "admin"), await world.signedIn("bob", "operator")];
  const secrets = /Vimmerby|150\.00|LEISURE/;
  const { html } = await ada.get("/console/audit?event=https");
  t.regex(html, /payee<\/span> ••••••/);
  t.false(secrets.test(html));
  t.false(secrets.test((await ada.post("/console/audit/export")).html));

  await ada.get(`/console/users/${subject}`);
  await ada.post(`/console/users/${subject}/show`, { reason: "complaint 17" });
  const shown = (await ada.get("/console/audit?event=https")).html;
  for (const text of Object.values(told)) t.true(shown.includes(text), text);
  t.true((await ada.post("/console/audit/export", { event: "https" })).html.includes("Vimmerby Golf"));
  t.false(secrets.test((await bob.get("/console/audit?event=https")).html));

  await ada.get(`/console/users/${subject}`);
  await ada.post(`/console/users/${subject}/hide`);
  t.false(secrets.test((await ada.get("/console/audit?event=https")).html));
});

async function userOf({ database }: Awaited<ReturnType<typeof openWorld>>, bankUserId: string): Promise<string> {
  await createUser(database, { partnerId: "north", brandId: "north-dk", bankUserId, locale: "da-DK", details: {} });
  const { rows } = await database.query<{ subject: string }>("select subject from users where bank_user_id = $1", [
    bankUserId,
  ]);
  return rows[0]?.subject ?? "";
}
