/** *What ends when*, and who is connected: for those who may see the partner, and ended by those who may do that. */
import { generateKeyPairSync } from "node:crypto";
import test from "ava";
import type { Database } from "../../src/database/database.ts";
import { listSessions, writeSessions } from "../../src/landing/sftp/open-sessions.ts";
import { listAudit } from "../../src/partners/audit.ts";
import { addLoginKey } from "../../src/partners/keys/login-keys.ts";
import { suspendPartner } from "../../src/partners/provisioning.ts";
import { applySettings } from "../../src/partners/settings/settings.ts";
import { openWorld } from "./world.ts";

const pem = () => generateKeyPairSync("ed25519").publicKey.export({ format: "pem", type: "spki" }).toString();

async function addKey(database: Database, partnerId: string, kid: string, days: number | null): Promise<void> {
  const expiresAt = days === null ? null : new Date(Date.now() + days * 86_400_000 + 3_600_000);
  await addLoginKey(database, { partnerId, algorithm: "EdDSA", kid, publicKeyPem: pem(), expiresAt });
}

/** A row as its words. */
function rowOf(html: string, word: string): string {
  const row = html.split("<tr>").find((one) => one.includes(word)) ?? "";
  return row.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
}

test("one calendar has every partner's keys and our certificate, and says which nothing follows", async (t) => {
  const { database, signedIn } = await openWorld(t);
  await addKey(database, "north", "lonely <b>", 5);
  await addKey(database, "south", "first", 6);
  await addKey(database, "south", "second", 400);
  await addKey(database, "south", "long-gone", -40);
  const { html } = await (await signedIn("vera", "viewer")).get("/console/endings");
  t.regex(html, /<h1>\s*1 key or certificate has to be renewed\s*<\/h1>/);
  t.regex(html, /<a href="\/console\/partners" {2}aria-current="page">/);
  t.regex(rowOf(html, "lonely &lt;b&gt;"), / 5 days left north login key lonely &lt;b&gt;, EdDSA [0-9a-f]{64} /);
  t.regex(rowOf(html, "first, EdDSA"), / another goes on south login key /);
  t.regex(rowOf(html, "second, EdDSA"), / 400 days left /);
  t.regex(rowOf(html, "certificate of the HTTPS doors"), /1 Jan 2099 .* this service /);
  t.false(html.includes("long-gone"));
  t.true(
    html.indexOf("lonely") < html.indexOf("first, EdDSA") && html.indexOf("first, EdDSA") < html.indexOf("second,"),
  );
  await suspendPartner(database, "north");
  const later = await (await signedIn("vero", "viewer")).get("/console/endings");
  t.false(later.html.includes("lonely"));
});

test("an account that is limited to partners sees their ends alone", async (t) => {
  const { database, signedIn } = await openWorld(t);
  await addKey(database, "north", "own", 5);
  await addKey(database, "south", "theirs", 6);
  const { html } = await (await signedIn("ann", "viewer", ["north"])).get("/console/endings");
  t.true(html.includes("own, EdDSA"));
  t.false(html.includes("theirs"));
  t.false(html.includes("HTTPS doors"));
});

const door = { id: "00000000-0000-4000-8000-00000000000d", machine: "m1" };
const session = (id: number, partnerId: string) => ({
  id: `00000000-0000-4000-8000-00000000000${id}`,
  partnerId,
  address: "192.0.2.7",
  since: new Date(),
  bytesReceived: 5_000_000_000,
  bytesSent: 7,
  filesDelivered: 2,
  uploads: [{ name: "inbox/<i>night</i>.jwe", bytes: 1200 }],
});

test("who is connected and what is used stand on the partner's page, and an operator ends a connection", async (t) => {
  const { database, signedIn } = await openWorld(t);
  await applySettings(database, "north", ["quota.sessions=1"], async () => undefined);
  await writeSessions(database, door, [session(1, "north"), session(2, "south")]);
  const viewer = await signedIn("vera", "viewer");
  const { html } = await viewer.get("/console/partners/north");
  t.regex(rowOf(html, "192.0.2.7"), /192\.0\.2\.7 .* m1 5\.0 GB 7 B 2 inbox\/&lt;i&gt;night&lt;\/i&gt;\.jwe 1\.2 kB/);
  t.regex(html, /SFTP connections\s*<span class="badge bad">100 %<\/span>/);
  t.false(html.includes("/disconnect"));
  t.is((await viewer.post("/console/partners/north/disconnect", { session: session(1, "north").id })).status, 403);

  const limited = await signedIn("ann", "operator", ["north"]);
  await limited.get("/console/partners/north");
  const foreign = await limited.post("/console/partners/north/disconnect", { session: session(2, "south").id });
  t.is(foreign.location, "/console/partners/north?disconnected=0");
  t.is((await limited.post("/console/partners/south/disconnect", { session: session(2, "south").id })).status, 404);
  t.true((await listSessions(database, null, 9)).every(({ endedBy }) => endedBy === null));

  const own = await limited.post("/console/partners/north/disconnect", { session: session(1, "north").id });
  t.regex((await limited.get(own.location ?? "")).html, /The door ends the connection within seconds\./);
  t.regex((await viewer.get("/console/partners/north")).html, /is being ended by console:ann/);
  const filter = { partnerId: "north", since: null, until: null, event: "sftp", sessionId: null };
  const [trace] = await listAudit(database, filter, 5);
  t.deepEqual(
    [trace?.actor, trace?.event, trace?.details.sessionId],
    ["console:ann", "sftp.disconnect-asked", session(1, "north").id],
  );
});
