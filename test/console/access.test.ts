/** Signing in and out, what a form must have, what a role may do, and whose deliveries an account sees. */
import { randomUUID } from "node:crypto";
import test from "ava";
import { addAccount, makeToken } from "../../src/console/access/accounts.ts";
import { formToken } from "../../src/console/access/sessions.ts";
import type { Database } from "../../src/database/database.ts";
import { insertDelivery, type NewDelivery } from "../../src/deliveries/deliveries.ts";
import { listAudit } from "../../src/partners/audit.ts";
import { openWorld, origin } from "./world.ts";

async function land(database: Database, partnerId: string, changes: Partial<NewDelivery> = {}): Promise<string> {
  const id = randomUUID();
  await insertDelivery(database, {
    id,
    partnerId,
    door: "sftp",
    format: "jsonl",
    name: `${partnerId}.jsonl`,
    requestId: null,
    correlationId: `c-${id}`,
    sizeBytes: 10,
    sha256: Buffer.alloc(32, id),
    vaultReference: `day/${id}`,
    refusal: null,
    ...changes,
  });
  return id;
}

const everything = { partnerId: null, since: null, until: null, event: null, sessionId: null };

test("who is not signed in is asked to, and comes back to where he wanted", async (t) => {
  const { visitor } = await openWorld(t);
  const answer = await visitor().get("/console/deliveries?state=refused");
  t.is(answer.status, 303);
  t.is(answer.location, "/console/sign-in?to=%2Fconsole%2Fdeliveries%3Fstate%3Drefused");
  const page = await visitor().get("/console/sign-in?to=%2Fconsole%2Fdeliveries%3Fstate%3Drefused");
  t.regex(page.html, /name="to"\s+value="\/console\/deliveries\?state=refused"/);
  const elsewhere = await visitor().get("/console/sign-in?to=https%3A%2F%2Fevil.example");
  t.regex(elsewhere.html, /name="to"\s+value="\/console"/);
});

test("a token signs in under a new cookie, whatever cookie was there before", async (t) => {
  const world = await openWorld(t);
  const one = await world.signedIn("ann", "viewer");
  t.is((await one.get("/console")).status, 200);
  const cookie = one.cookie;

  const victim = world.visitor();
  victim.cookie = `__Host-tideline-console=${"A".repeat(43)}`;
  await victim.get("/console/sign-in");
  t.is(victim.cookie, `__Host-tideline-console=${"A".repeat(43)}`);
  const fixed = world.visitor();
  fixed.cookie = victim.cookie;
  t.is((await fixed.get("/console")).status, 303);
  t.not(cookie, victim.cookie);
  const { rows } = await world.database.query<{ kept: string }>(
    "select encode(cookie_sha256, 'escape') as kept from console_sessions",
  );
  t.false(rows.some(({ kept }) => kept.includes(cookie?.split("=")[1] ?? "none")));
});

test("the cookie is the console's alone: secure, not for scripts, not for others' forms", async (t) => {
  const { visitor } = await openWorld(t);
  const { cookies } = await visitor().get("/console/sign-in");
  t.regex(cookies[0] ?? "", /^__Host-tideline-console=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
});

test("a wrong token is refused and traced, without the token", async (t) => {
  const world = await openWorld(t);
  const one = world.visitor();
  await one.get("/console/sign-in");
  const answer = await one.post("/console/sign-in", { token: "tlc_secretsecret" });
  t.is(answer.status, 403);
  t.regex(answer.html, /No account has this token\./);
  const [traced] = await listAudit(world.database, everything, 10);
  t.is(traced?.event, "console.sign-in-refused");
  t.deepEqual(traced?.details, { address: "127.0.0.1" });
});

test("a form from another page, without its token or with another's, changes nothing", async (t) => {
  const world = await openWorld(t);
  const id = await land(world.database, "north");
  const [ann, bob] = [await world.signedIn("ann", "operator"), await world.signedIn("bob", "operator")];
  const at = `/console/deliveries/${id}`;
  await ann.get(at);
  const form = /name="form"\s+value="([^"]*)"/.exec((await bob.get(at)).html)?.[1] ?? "";
  t.is((await ann.post(`${at}/cancel`, {}, { origin: "https://evil.example" })).status, 403);
  t.is((await ann.post(`${at}/cancel`, {}, { origin: "null" })).status, 403);
  t.is((await ann.post(`${at}/cancel`, {}, { "sec-fetch-site": "cross-site" })).status, 403);
  t.is((await ann.post(`${at}/cancel`, { form: "" })).status, 403);
  t.is((await ann.post(`${at}/cancel`, { form })).status, 403);
  const { rows } = await world.database.query("select 1 from deliveries where state = 'accepted'");
  t.is(rows.length, 1);
  const fresh = await ann.get(at);
  const own = /name="form"\s+value="([^"]*)"/.exec(fresh.html)?.[1] ?? "";
  t.is((await ann.post(`${at}/cancel`, { form: own }, { origin })).location, `${at}?done=cancelled&n=0`);
});

test("a session ends after half an hour without a page, after twelve in any case, and with its account", async (t) => {
  const world = await openWorld(t);
  const one = await world.signedIn("ann", "viewer");
  await world.database.query("update console_sessions set seen_at = now() - interval '31 minutes'");
  t.is((await one.get("/console")).status, 303);
  const two = await world.signedIn("bob", "viewer");
  await world.database.query("update console_sessions set created_at = now() - interval '13 hours', seen_at = now()");
  t.is((await two.get("/console")).status, 303);
  const three = await world.signedIn("cid", "viewer");
  await world.database.query("delete from console_accounts where name = 'cid'");
  t.is((await three.get("/console")).status, 303);
});

test("what a script asks for a live part keeps no session alive", async (t) => {
  const world = await openWorld(t);
  const one = await world.signedIn("ann", "viewer");
  const seen = async () =>
    (
      await world.database.query<{ old: boolean }>(
        "select seen_at < now() - interval '1 minute' as old from console_sessions",
      )
    ).rows[0]?.old;
  await world.database.query("update console_sessions set seen_at = now() - interval '20 minutes'");
  t.is((await one.get("/console", { "x-console-live": "1" })).status, 200);
  t.true(await seen());
  t.is((await one.get("/console")).status, 200);
  t.false(await seen());
});

test("signing out ends this session, everywhere all of them", async (t) => {
  const world = await openWorld(t);
  const one = await world.signedIn("ann", "viewer");
  const cookie = one.cookie;
  await one.get("/console/account");
  t.is((await one.post("/console/sign-out")).location, "/console/sign-in");
  one.cookie = cookie;
  t.is((await one.get("/console")).status, 303);

  const two = await world.signedIn("bob", "viewer");
  const left = two.cookie;
  await world.database.query(
    "insert into console_sessions (cookie_sha256, account_id, address) select '\\x00', account_id, 'x' from console_sessions limit 1",
  );
  await two.get("/console/account");
  await two.post("/console/sign-out-everywhere");
  two.cookie = left;
  t.is((await two.get("/console")).status, 303);
  t.is((await world.database.query("select 1 from console_sessions")).rows.length, 0);
});

test("whoever signs in where somebody is signed in takes that one's place", async (t) => {
  const world = await openWorld(t);
  const one = await world.signedIn("ann", "viewer");
  const before = one.cookie;
  const token = makeToken();
  await addAccount(world.database, { name: "bob", role: "viewer", partnerIds: null }, token);
  await one.get("/console/account");
  t.is((await one.post("/console/sign-in", { token })).status, 303);
  t.regex((await one.get("/console/account")).html, /<h1>bob<\/h1>/);
  one.cookie = before;
  t.is((await one.get("/console")).status, 303);
  t.is((await world.database.query("select 1 from console_sessions")).rows.length, 1);
});

test("a role does what it may, and what it may not is neither shown nor done", async (t) => {
  const world = await openWorld(t);
  const id = await land(world.database, "north");
  const at = `/console/deliveries/${id}`;
  const may: Record<string, string[]> = { viewer: [], operator: ["cancel"], admin: ["cancel", "withdraw", "original"] };
  for (const role of ["viewer", "operator", "admin"] as const) {
    const one = await world.signedIn(role, role);
    const { html } = await one.get(at);
    for (const name of ["cancel", "withdraw", "original"])
      t.is(html.includes(`${at}/${name}`), may[role]?.includes(name) ?? false, `${role} ${name}`);
  }
  const viewer = await world.signedIn("vic", "viewer");
  await viewer.get(at);
  for (const name of ["retry", "cancel", "release", "drop", "withdraw", "original"])
    t.is((await viewer.post(`${at}/${name}`)).status, 403, name);
  const operator = await world.signedIn("oda", "operator");
  await operator.get(at);
  for (const name of ["drop", "withdraw", "original"]) t.is((await operator.post(`${at}/${name}`)).status, 403, name);
  t.is((await world.database.query("select 1 from deliveries where state = 'accepted'")).rows.length, 1);
});

test("an account that is limited to partners neither sees nor changes another's", async (t) => {
  const world = await openWorld(t);
  const [own, others] = [await land(world.database, "north"), await land(world.database, "south")];
  const one = await world.signedIn("ann", "admin", ["north"]);
  const today = await one.get("/console");
  const list = await one.get("/console/deliveries");
  for (const { html } of [today, list]) {
    t.true(html.includes("north"));
    t.false(html.includes("south"));
  }
  t.false((await one.get("/console/deliveries?partner=south")).html.includes(others));
  t.false((await one.get(`/console/deliveries?name=${others}`)).html.includes(`deliveries/${others}`));
  t.is((await one.get(`/console/deliveries/${own}`)).status, 200);
  t.is((await one.get(`/console/deliveries/${others}`)).status, 404);
  for (const name of ["receipt.json", "withdraw", "drop"])
    t.is((await one.get(`/console/deliveries/${others}/${name}`)).status, 404, name);
  for (const name of ["retry", "cancel", "release", "drop", "withdraw", "original"])
    t.is((await one.post(`/console/deliveries/${others}/${name}`)).status, 404, name);
});

test("what partners call their files is shown as text, wherever it stands", async (t) => {
  const world = await openWorld(t);
  const name = `"><script>alert(1)</script><img src=x onerror=alert(1)>\u202Egpj.exe`;
  const id = await land(world.database, "north", {
    name,
    correlationId: `"><svg onload=alert(2)>`,
    refusal: { code: "FILE_DAMAGED", reason: "<b>bad</b> & ugly", duplicateOf: null },
  });
  const one = await world.signedIn("ann", "admin");
  for (const at of ["/console", "/console/deliveries", `/console/deliveries/${id}`, `/console/deliveries/${id}/drop`]) {
    const { html } = await one.get(at);
    t.true(html.includes("&lt;script&gt;alert(1)&lt;/script&gt;"), at);
    t.false(/<script>|<img|<svg onload|<b>bad|\u202E/.test(html), at);
  }
  const searched = await one.get(
    `/console/deliveries?name=${encodeURIComponent(name)}&since=${encodeURIComponent("<i>")}`,
  );
  t.false(/<script>|<i>/.test(searched.html));
});

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

test("every answer forbids what is not the console's own, one to an address that nobody can read included", async (t) => {
  const { app } = await openWorld(t);
  for (const url of ["/console", "/console/sign-in", "/nothing", "/console/assets/x/console.css", "/console/%zz"]) {
    const { headers } = await app.inject({ url, headers: { host: "console.test" } });
    t.is(headers["content-security-policy"], policy, url);
    t.is(headers["cache-control"], "no-store", url);
    t.is(headers["x-content-type-options"], "nosniff", url);
    t.is(headers["strict-transport-security"], "max-age=31536000; includeSubDomains", url);
  }
});

test("what lives as long as a page is open has the headers of every other answer", async (t) => {
  const world = await openWorld(t);
  const one = await world.signedIn("ann", "viewer");
  const answer = await world.app.inject({
    url: "/console/live",
    headers: { host: "console.test", cookie: one.cookie ?? "" },
    payloadAsStream: true,
  });
  answer.raw.res.destroy();
  t.is(answer.statusCode, 200);
  t.is(answer.headers["content-type"], "text/event-stream; charset=utf-8");
  t.is(answer.headers["content-security-policy"], policy);
  t.is(answer.headers["cache-control"], "no-store");
  t.is(answer.headers["strict-transport-security"], "max-age=31536000; includeSubDomains");
});

test("signing out has the browser forget what it kept of the console", async (t) => {
  const world = await openWorld(t);
  const one = await world.signedIn("ann", "viewer");
  await one.get("/console/account");
  const { headers } = await world.app.inject({
    method: "POST",
    url: "/console/sign-out",
    headers: {
      host: "console.test",
      origin,
      cookie: one.cookie ?? "",
      "content-type": "application/x-www-form-urlencoded",
    },
    payload: `form=${formToken(one.cookie?.split("=")[1] ?? "")}`,
  });
  t.is(headers.location, "/console/sign-in");
  t.is(headers["clear-site-data"], '"cache", "storage"');
  t.regex(String(headers["set-cookie"]), /^__Host-tideline-console=; Max-Age=0; /);
});
