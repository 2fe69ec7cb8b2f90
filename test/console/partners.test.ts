/** *Partners*: what holds for one, with defaults, units and who changed it, its keys' ends, and dead letters sent again. */
import { generateKeyPairSync } from "node:crypto";
import test from "ava";
import type { Database } from "../../src/database/database.ts";
import { listAudit, recordAudit } from "../../src/partners/audit.ts";
import { addLoginKey } from "../../src/partners/keys/login-keys.ts";
import { allowNetwork } from "../../src/partners/provisioning.ts";
import { applySettings } from "../../src/partners/settings/settings.ts";
import { createUser } from "../../src/partners/users.ts";
import { openWorld } from "./world.ts";

const change = (database: Database, actor: string, ...assignments: string[]) =>
  applySettings(database, "north", assignments, (transaction, details) =>
    recordAudit(transaction, actor, { partnerId: "north", event: "partner.settings-changed", details }),
  );

/** The row of a setting, its spaces as one. */
function rowOf(html: string, name: string): string {
  const row = html.split("<tr>").find((one) => one.includes(`<code>${name}</code>`)) ?? "";
  return row.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
}

test("a setting tells its value, default, unit and who changed it, and not who changed its neighbour", async (t) => {
  const { database, signedIn } = await openWorld(t);
  await change(database, "cli:olga", "quota.inboxFiles=17");
  await change(database, "cli:per", "quota.sessions=3", "login.issuer=<b>bank</b>");
  const { html } = await (await signedIn("vera", "viewer")).get("/console/partners/north");
  t.regex(rowOf(html, "quota.inboxFiles"), / 17 [\d,]+ number cli:olga /);
  t.regex(rowOf(html, "quota.sessions"), / 3 [\d,]+ number cli:per /);
  t.regex(rowOf(html, "retention.landedDays"), / default \d+ days – /);
  t.true(html.includes("&lt;b&gt;bank&lt;/b&gt;"));
  await change(database, "cli:quinn", "quota.inboxFiles=");
  const later = await (await signedIn("vero", "viewer")).get("/console/partners/north");
  t.regex(rowOf(later.html, "quota.inboxFiles"), / default [\d,]+ number cli:quinn /);
  t.regex(rowOf(later.html, "quota.sessions"), / 3 [\d,]+ number cli:per /);
});

test("keys stand in the order of their ends, with fingerprint and what is left", async (t) => {
  const { database, signedIn } = await openWorld(t);
  const pem = () => generateKeyPairSync("ed25519").publicKey.export({ format: "pem", type: "spki" }).toString();
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000 + 60_000);
  const key = { partnerId: "north", algorithm: "EdDSA" as const };
  await addLoginKey(database, { ...key, kid: "for-ever", publicKeyPem: pem(), expiresAt: null });
  await addLoginKey(database, { ...key, kid: "next-year", publicKeyPem: pem(), expiresAt: inDays(400) });
  await addLoginKey(database, { ...key, kid: "this-week", publicKeyPem: pem(), expiresAt: inDays(5) });
  await addLoginKey(database, { ...key, kid: "gone", publicKeyPem: pem(), expiresAt: inDays(-3) });
  const { html } = await (await signedIn("vera", "viewer")).get("/console/partners/north");
  const at = ["gone", "this-week", "next-year", "for-ever"].map((kid) => html.indexOf(`${kid}, EdDSA`));
  t.deepEqual(
    at,
    at.toSorted((a, b) => a - b),
  );
  t.true(at[0] !== undefined && at[0] > 0);
  t.regex(html, /badge bad">ended[\s\S]*badge warn">5 days left[\s\S]*badge good">in force/);
  t.is([...html.matchAll(/<code>[0-9a-f]{64}<\/code>/g)].length, 4);
});

test("networks, expected files and refused logins are those of the partner alone", async (t) => {
  const { database, signedIn } = await openWorld(t);
  await allowNetwork(database, "north", "https", "10.1.0.0/16");
  await allowNetwork(database, "south", "https", "10.2.0.0/16");
  await change(
    database,
    "cli:olga",
    'expectedFiles=[{"name":"nightly","pattern":"tx-{YYYY}.jwe","cutoff":"06:00","timeZone":"Europe/Copenhagen","days":"daily"}]',
  );
  const refused = (partnerId: string, event: string, details: Record<string, unknown>) =>
    recordAudit(database, "sftp", { partnerId, event, details });
  await refused("north", "sftp.login-refused", { address: "192.0.2.1", reason: "key-unknown" });
  await refused("north", "https.refusals", { address: "192.0.2.2", path: "/v1/:partner/users/logins", status: 401 });
  await refused("north", "https.refusals", { address: "192.0.2.3", path: "/v1/:partner/transactions", status: 400 });
  await refused("south", "sftp.login-refused", { address: "192.0.2.4", reason: "key-unknown" });
  const { html } = await (await signedIn("vera", "viewer")).get("/console/partners/north");
  for (const there of ["10.1.0.0/16", "nightly", "tx-{YYYY}.jwe", "192.0.2.1", "key-unknown", "192.0.2.2"])
    t.true(html.includes(there), there);
  for (const absent of ["10.2.0.0/16", "192.0.2.3", "192.0.2.4"]) t.false(html.includes(absent), absent);
});

test("an account sees its partners alone, and no other by its address", async (t) => {
  const { database, signedIn } = await openWorld(t);
  await addDead(database, "south");
  const one = await signedIn("ann", "admin", ["north"]);
  const { html } = await one.get("/console/partners");
  t.true(html.includes("/console/partners/north"));
  t.false(html.includes("/console/partners/south"));
  t.regex(html, /1 partner with\s+0 users/);
  t.regex((await one.get("/console/partners?find=NOR")).html, /\/console\/partners\/north"/);
  t.regex((await one.get("/console/partners?find=sou")).html, /Nothing fits\./);
  t.is((await one.get("/console/partners/south")).status, 404);
  t.is((await one.get("/console/partners/nowhere")).status, 404);
  t.is((await one.post("/console/partners/south/replay")).status, 404);
  t.deepEqual(await statesOf(database), ["dead"]);
});

test("an operator sends dead letters of one partner again, which the trail says; a viewer does not", async (t) => {
  const { database, signedIn } = await openWorld(t);
  await addDead(database, "north");
  await addDead(database, "south");
  const viewer = await signedIn("vera", "viewer");
  const seen = await viewer.get("/console/partners/north");
  t.true(seen.html.includes("HTTP 410"));
  t.false(seen.html.includes("/replay"));
  t.is((await viewer.post("/console/partners/north/replay")).status, 403);
  t.deepEqual(await statesOf(database), ["dead", "dead"]);

  const operator = await signedIn("oda", "operator");
  await operator.get("/console/partners/north");
  const { location } = await operator.post("/console/partners/north/replay");
  t.is(location, "/console/partners/north?replayed=1");
  t.regex((await operator.get(location ?? "")).html, /1 message is sent again\./);
  t.deepEqual(await statesOf(database), ["pending", "dead"]);
  const filter = { partnerId: "north", since: null, until: null, event: "notifications", sessionId: null };
  const [trace] = await listAudit(database, filter, 5);
  t.deepEqual([trace?.actor, trace?.event, trace?.details.count], ["console:oda", "notifications.replayed", 1]);
});

async function addDead(database: Database, partnerId: string): Promise<void> {
  const user = { partnerId, brandId: `${partnerId}-dk`, bankUserId: "anna", locale: "da-DK", details: {} };
  await createUser(database, user);
  await database.query(
    `insert into notifications (user_id, partner_id, type, subject, content, state, attempts, last_failure)
     select id, partner_id, 'BUDGET_READY', 's', '{}', 'dead', 9, 'HTTP 410' from users where partner_id = $1`,
    [partnerId],
  );
}

async function statesOf(database: Database): Promise<string[]> {
  const { rows } = await database.query<{ state: string }>("select state from notifications order by partner_id");
  return rows.map(({ state }) => state);
}
