/** Signing in through a real identity provider: whom it lets in, as what, and what an attacker's answer is worth. */
import type { ExecutionContext } from "ava";
import test from "ava";
import { listAudit } from "../../src/partners/audit.ts";
import { lacks, readClaims } from "../../src/console/access/claims.ts";
import { clientId, clientSecret, type People, startProvider } from "./identity-provider.ts";
import { openWorld, origin, type Visitor, type World } from "./world.ts";

const rules = {
  roleClaim: "groups",
  roles: { desk: "operator", leads: "admin", "cn=all=b": "viewer" },
  partnerClaim: "partners",
  nameClaim: "preferred_username",
} as const;

const everything = { partnerId: null, since: null, until: null, event: null, sessionId: null };

async function openBoth(t: ExecutionContext, people: People): Promise<World> {
  const provider = await startProvider(people);
  await provider.serve(origin);
  t.teardown(() => provider.close());
  const settings = { ...rules, issuer: provider.issuer, clientId, clientSecret, scope: "openid profile" };
  return await openWorld(t, { provider: settings });
}

/** As a browser does at the provider: from its first address to the one that leads back to the console. */
async function atProvider(address: string, name: string): Promise<string> {
  const cookies = new Map<string, string>();
  const ask = async (url: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([key, value]) => `${key}=${value}`).join("; ");
    const answer = await fetch(url, { ...init, redirect: "manual", headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, key = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(key, value);
    }
    const location = answer.headers.get("location");
    return location === null ? url : new URL(location, url).href;
  };
  let at = await ask(await ask(address));
  at = await ask(at, { method: "POST", body: new URLSearchParams({ name }) });
  while (!at.startsWith(origin)) at = await ask(at);
  return at.slice(origin.length);
}

async function begin(visitor: Visitor, to = "/console"): Promise<string> {
  const begun = await visitor.get(`/console/sign-in/provider?to=${encodeURIComponent(to)}`);
  return begun.location ?? "";
}

test("the provider's people come in with the role and the partners of their claims, each time as they are then", async (t) => {
  const people = {
    ann: { preferred_username: "ann@bank.example", groups: ["desk", "canteen"], partners: ["north"] },
    bo: { groups: ["leads", "desk"], partners: "*" },
  } satisfies People as Record<string, Record<string, unknown>>;
  const world = await openBoth(t, people);
  const ann = world.visitor();
  t.regex((await ann.get("/console/sign-in?to=/console/deliveries")).html, /Sign in with 127\.0\.0\.1:\d+/);
  const asked = new URL(await begin(ann, "/console/account"));
  t.is(asked.searchParams.get("code_challenge_method"), "S256");
  t.is(asked.searchParams.get("redirect_uri"), `${origin}/console/sign-in/provider/end`);
  const before = ann.cookie;
  const back = await ann.get(await atProvider(asked.href, "ann"));
  t.is(back.location, "/console/account");
  t.not(ann.cookie, before);
  const account = (await ann.get("/console/account")).html;
  t.true(account.includes("ann@bank.example"));
  t.regex(account, /operator[^]*Partners: north\./);
  t.is((await ann.get("/console/partners/south")).status, 404);

  const bo = world.visitor();
  await bo.get(await atProvider(await begin(bo), "bo"));
  t.regex((await bo.get("/console/account")).html, /admin[^]*All partners\./);

  // Less from now on, in the session that is open too.
  people.ann = { preferred_username: "boss", groups: "cn=all=b", partners: ["north"] };
  const again = world.visitor();
  await again.get(await atProvider(await begin(again), "ann"));
  t.is((await ann.get("/console/audit")).status, 403);
  t.true((await again.get("/console/account")).html.includes("ann@bank.example"));
  const [signedIn] = await listAudit(world.database, everything, 1);
  t.like(signedIn, { actor: "console:ann@bank.example", event: "console.signed-in", details: { by: "oidc" } });
});

test("nobody without a role, a partner or a name of his own gets in", async (t) => {
  const world = await openBoth(t, {
    cid: { preferred_username: "cid", groups: ["canteen"], partners: "*" },
    dan: { preferred_username: "dan", groups: ["leads"] },
    eve: { preferred_username: "admin2", groups: ["leads"], partners: "*" },
  });
  await world.signedIn("admin2", "viewer");
  for (const [name, reason] of [
    ["cid", "role"],
    ["dan", "partners"],
    ["eve", "name-taken"],
    ["nobody", "access_denied"],
  ] as const) {
    const one = world.visitor();
    const answer = await one.get(await atProvider(await begin(one), name));
    t.is(answer.status, 403, name);
    t.is((await one.get("/console")).status, 303, name);
    const [refused] = await listAudit(world.database, everything, 1);
    t.is(refused?.event, "console.sign-in-refused");
    t.is(refused?.details.reason, reason);
  }
});

test("an answer counts once, in the browser that began, within its time, and as the provider signed it", async (t) => {
  const world = await openBoth(t, { ann: { preferred_username: "ann", groups: ["desk"], partners: "*" } });
  const attacker = world.visitor();
  const answer = await atProvider(await begin(attacker), "ann");
  const victim = world.visitor();
  await victim.get("/console/sign-in");
  t.is((await victim.get(answer)).status, 403);
  t.is((await victim.get("/console")).status, 303);
  t.is((await attacker.get(answer.replace(/state=[^&]*/, "state=other"))).status, 403);
  t.is((await attacker.get(answer)).status, 303);
  t.is((await attacker.get(answer)).status, 403);

  const slow = world.visitor();
  const late = await atProvider(await begin(slow), "ann");
  await world.database.query("update console_sign_ins set created_at = now() - interval '11 minutes'");
  t.is((await slow.get(late)).status, 403);

  const forged = world.visitor();
  const stolen = await atProvider(await begin(forged), "ann");
  await world.database.query("update console_sign_ins set code_verifier = repeat('a', 43)");
  t.is((await forged.get(stolen)).status, 403);
  const other = world.visitor();
  const replayed = await atProvider(await begin(other), "ann");
  await world.database.query("update console_sign_ins set nonce = 'another'");
  t.is((await other.get(replayed)).status, 403);
  const mixed = world.visitor();
  const elsewhere = await atProvider(await begin(mixed), "ann");
  t.is((await mixed.get(elsewhere.replace(/iss=[^&]*/, "iss=https%3A%2F%2Fevil.example"))).status, 403);
});

test("signing out everywhere ends the account's sessions and leads to the provider's own end", async (t) => {
  const world = await openBoth(t, { ann: { preferred_username: "ann", groups: ["desk"], partners: "*" } });
  const [one, two] = [world.visitor(), world.visitor()];
  for (const visitor of [one, two]) await visitor.get(await atProvider(await begin(visitor), "ann"));
  const kept = two.cookie;
  await one.get("/console/account");
  const left = await one.post("/console/sign-out-everywhere");
  t.is(left.status, 200);
  const address = new URL(/href="([^"]*end[^"]*)"/.exec(left.html)?.[1]?.replaceAll("&amp;", "&") ?? "");
  t.is(address.pathname, "/session/end");
  t.is(address.searchParams.get("post_logout_redirect_uri"), `${origin}/console/sign-in`);
  t.regex(address.searchParams.get("id_token_hint") ?? "", /^ey/);
  const taken = await fetch(address, { redirect: "manual" });
  t.is(taken.status, 200);
  two.cookie = kept;
  t.is((await two.get("/console")).status, 303);
  t.is((await world.database.query("select 1 from console_sessions")).rows.length, 0);
});

test("a session that began at the provider ends by the same times as any", async (t) => {
  const world = await openBoth(t, { ann: { preferred_username: "ann", groups: ["desk"], partners: "*" } });
  const one = world.visitor();
  await one.get(await atProvider(await begin(one), "ann"));
  await world.database.query("update console_sessions set seen_at = now() - interval '31 minutes'");
  t.is((await one.get("/console")).status, 303);
  await one.get(await atProvider(await begin(one), "ann"));
  await world.database.query("update console_sessions set created_at = now() - interval '13 hours', seen_at = now()");
  t.is((await one.get("/console")).status, 303);
});

test("a provider that is away says so, and a token still opens", async (t) => {
  const provider = await startProvider({});
  await provider.close();
  const settings = { ...rules, issuer: provider.issuer, clientId, clientSecret, scope: "openid" };
  const world = await openWorld(t, { provider: settings });
  t.is((await world.visitor().get("/console/sign-in/provider")).status, 503);
  t.is((await (await world.signedIn("ann", "viewer")).get("/console")).status, 200);
});

test("claims are found by their name or along its dots, and the highest role counts", (t) => {
  const nested = { ...rules, roleClaim: "realm_access.roles", partnerClaim: null };
  t.deepEqual(readClaims({ sub: "s-1", realm_access: { roles: ["desk", "leads"] } }, nested), {
    outcome: "known",
    name: "s-1",
    role: "admin",
    partnerIds: null,
  });
  t.deepEqual(readClaims({ sub: "s", "realm_access.roles": "desk", preferred_username: "a" }, nested), {
    outcome: "known",
    name: "a",
    role: "operator",
    partnerIds: null,
  });
  t.deepEqual(readClaims({ sub: "s", realm_access: { roles: ["toString"] } }, nested), {
    outcome: "refused",
    reason: "role",
  });
  t.deepEqual(readClaims({ sub: "<b>", groups: "desk", partners: ["north"] }, rules), {
    outcome: "refused",
    reason: "name",
  });
  t.true(lacks({ sub: "s" }, rules));
  t.false(lacks({ groups: "a", partners: "b", preferred_username: "c" }, rules));
});
