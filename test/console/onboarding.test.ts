/** A new partner by a form: all of it or nothing, each part traced, by whoever may. */
import { generateKeyPairSync } from "node:crypto";
import test from "ava";
import { listAudit } from "../../src/partners/audit.ts";
import { readPartnerOverview } from "../../src/partners/overview.ts";
import { openWorld } from "./world.ts";

const sftpKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFQ5XyPJSJ0cvBVJxGzCVVYgMyaDXwXkxWqUCXPGSVLQ desk";
const loginKey = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ format: "pem", type: "spki" });
const plan = {
  id: "west",
  name: "West <b>Bank</b>",
  brand: "west-dk",
  country: "DK",
  currency: "DKK",
  timeZone: "Europe/Copenhagen",
  locale: "da-DK",
  loginKey: String(loginKey),
  algorithm: "RS256",
  loginKeyExpires: "2027-06-30",
  sftpKey,
  httpsNetworks: "192.0.2.0/24\n198.51.100.7",
  pattern: "tx-{YYYY}{MM}{DD}.jwe",
  cutoff: "06:00",
  days: "banking-days",
};

test("a partner is made whole, and its page waits for the first file", async (t) => {
  const world = await openWorld(t);
  const ann = await world.signedIn("ann", "admin");
  await ann.get("/console/partners/new");
  const made = await ann.post("/console/partners/new", plan);
  t.is(made.location, "/console/partners/west/onboarding");
  const partner = await readPartnerOverview(world.database, "west");
  t.like(partner, {
    brands: [{ id: "west-dk", timeZone: "Europe/Copenhagen" }],
    allowedNetworks: [
      { door: "https", network: "192.0.2.0/24" },
      { door: "https", network: "198.51.100.7/32" },
    ],
    settings: { expectedFiles: [{ name: "nightly", pattern: "tx-{YYYY}{MM}{DD}.jwe", country: "DK" }] },
  });
  t.is(partner?.loginKeys[0]?.expiresAt?.toISOString(), "2027-06-30T00:00:00.000Z");
  t.is(partner?.sftpKeys.length, 1);
  t.is(partner?.batchKeys.filter(({ isNext }) => !isNext).length, 1);
  const page = await ann.get("/console/partners/west/onboarding");
  t.regex(page.html, /Waiting for the first file/);
  t.true(page.html.includes("West &lt;b&gt;Bank&lt;/b&gt;"));
  const events = await listAudit(
    world.database,
    { partnerId: "west", since: null, until: null, event: null, sessionId: null },
    20,
  );
  t.deepEqual(
    events.map(({ event, actor }) => `${event} by ${actor}`),
    [
      "partner.added",
      "partner.brand-added",
      "partner.login-key-added",
      "partner.sftp-key-added",
      "partner.network-allowed",
      "partner.settings-changed",
    ].map((event) => `${event} by console:ann`),
  );
});

test("what is wrong is told by its field, what was typed stays, and nothing is made", async (t) => {
  const world = await openWorld(t);
  const ann = await world.signedIn("ann", "admin");
  await ann.get("/console/partners/new");
  for (const [field, value] of [
    ["id", "north"],
    ["id", "../etc"],
    ["country", "Denmark"],
    ["timeZone", "Mars/Base"],
    ["loginKey", "-----BEGIN PRIVATE KEY-----"],
    ["sftpKey", "ssh-rsa nonsense"],
    ["httpsNetworks", "192.0.2.0/24 everywhere"],
    ["pattern", "inbox/tx.jwe"],
  ] as const) {
    const answer = await ann.post("/console/partners/new", { ...plan, [field]: value });
    t.is(answer.status, 422, field);
    t.regex(answer.html, new RegExp(`role="alert"[^]*href="#f-${field}"`), field);
    t.true(answer.html.includes("West &lt;b&gt;Bank&lt;/b&gt;"), field);
    t.is(await readPartnerOverview(world.database, "west"), null, field);
  }
});

test("only an admin who sees all partners makes one, and hands over only those it sees", async (t) => {
  const world = await openWorld(t);
  for (const [name, role, partners] of [
    ["oda", "operator", null],
    ["nora", "admin", ["north"]],
  ] as const) {
    const one = await world.signedIn(name, role, partners);
    await one.get("/console/account");
    t.is((await one.get("/console/partners/new")).status, 403, name);
    t.is((await one.post("/console/partners/new", plan)).status, 403, name);
    t.not((await one.post("/console/partners/south/handover")).status, 200, name);
  }
  const nora = await world.signedIn("nina", "admin", ["north"]);
  await nora.get("/console/partners/north/onboarding");
  t.is((await nora.get("/console/partners/south/onboarding")).status, 404);
  t.is((await nora.post("/console/partners/north/handover")).status, 200);
});

test("a handover by which clients would refuse the door is not given, and why is said", async (t) => {
  const baseUrl = "https://api.test";
  const world = await openWorld(t, { handover: { kind: "refused", baseUrl, reason: "self-signed" } });
  const ada = await world.signedIn("ada", "admin");
  await ada.get("/console/partners/north/onboarding");
  const { status, html } = await ada.post("/console/partners/north/handover");
  t.is(status, 409);
  t.regex(html, /would refuse the door at https:\/\/api\.test \(self-signed\)/);
  const { rows } = await world.database.query(
    "select event from audit_events where event = 'partner.handover-downloaded'",
  );
  t.deepEqual(rows, []);
});
