/**
 * A login is one browser's: the one from which the first form came. No other gets any further with it, and nobody's
 * payments go to who only sent a link.
 */
import { randomUUID } from "node:crypto";
import test, { type ExecutionContext } from "ava";
import { watchConsents } from "../../../src/psd2/end-notices.ts";
import { fetchDue } from "../../../src/psd2/fetch.ts";
import { giveBackEnded } from "../../../src/psd2/give-back.ts";
import { openWorld, partnerPath, type World } from "../world.ts";
import { browse, confirm, decide, done, fieldsOf, initiate, signIn, start } from "./psd2-browser.ts";

const consents = async (world: World) =>
  (await world.database.query<{ state: string }>("select state from psd2_consents order by created_at")).rows.map(
    ({ state }) => state,
  );
const outcome = async (world: World) =>
  (await world.database.query<{ outcome: string | null }>("select outcome from psd2_logins")).rows[0]?.outcome;

/** A login that nobody has opened yet. */
async function unopened(
  t: ExecutionContext,
  body: object = { redirectUrl: done },
): Promise<{ world: World; url: string; path: string }> {
  const world = await openConnecting(t, {});
  const { token } = await world.newUser("anna");
  const { url } = await initiate(t, world, token, body);
  return { world, url, path: new URL(url).pathname };
}

async function openConnecting(t: ExecutionContext, settings: object): Promise<World> {
  const world = await openWorld(t, { refreshUser: async () => undefined });
  const connecting = { psd2: { redirectPrefixes: ["https://bank.example/app"], sandbox: true } };
  await world.database.query("update partners set name = 'North & Co', settings = $1 where id = 'north'", [
    { ...connecting, ...settings },
  ]);
  return world;
}

test.serial("the first page says for whose customer it is, in the user's language, and asks", async (t) => {
  const { world, url } = await unopened(t, { redirectUrl: done, customerHint: "Anna <J.>, kunde 12••" });
  const first = await browse(world, "GET", url);
  t.is(first.status, 200);
  t.true(first.html.includes("Vil du dele en konto med North &amp; Co?"));
  t.true(first.html.includes("Kunden: Anna &lt;J.&gt;, kunde 12••"));
  t.true(first.html.includes("Ja, jeg begyndte selv"));
  t.false(first.html.includes("Sandbox Bank"), "no bank before the answer");
  t.regex(
    String(first.headers["set-cookie"]),
    /^__Host-tideline-[0-9a-f-]{36}=[A-Za-z0-9_-]{43}; Max-Age=1800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
});

test.serial("opening the page claims nothing: previews of links come first, and the user after them", async (t) => {
  const { world, url } = await unopened(t);
  for (let previews = 0; previews < 3; previews += 1)
    t.is((await browse(world, "GET", url, undefined, {}, new Map())).status, 200);
  const page = await confirm(world, url);
  t.is(page.status, 200);
  t.true(page.html.includes("Sandbox Bank"));
});

test.serial("once confirmed, no other browser opens the page or sends its forms; the first reloads it", async (t) => {
  const { world, url, path, page } = await start(t);
  const other = new Map<string, string>();
  const seen = await browse(world, "GET", url, undefined, {}, other);
  t.is(seen.status, 403);
  t.true(seen.html.includes("Gå tilbage til din første browser"));
  t.false(seen.html.includes("Sandbox Bank"));
  t.is(other.size, 0);
  const cookie = `__Host-tideline-${path.slice("/psd2/".length)}`;
  for (const jar of [null, new Map([[cookie, "x".repeat(43)]]), new Map([[cookie, ""]])]) {
    for (const form of ["confirm", "bank", "abort"]) {
      const answer = await browse(
        world,
        "POST",
        `${path}/${form}`,
        { ...fieldsOf(page.html), bank: "sandbox" },
        {},
        jar,
      );
      t.is(answer.status, 403, form);
    }
  }
  t.is(await outcome(world), null);
  t.is((await browse(world, "GET", url)).status, 200, "the first one, again");
});

test.serial("of two browsers that confirm at the same moment one has the login", async (t) => {
  const { world, url, path } = await unopened(t);
  const jars = [new Map<string, string>(), new Map<string, string>()];
  const forms = await Promise.all(jars.map((jar) => browse(world, "GET", url, undefined, {}, jar)));
  const answers = await Promise.all(
    jars.map((jar, at) => browse(world, "POST", `${path}/confirm`, fieldsOf(forms[at]?.html ?? ""), {}, jar)),
  );
  t.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 403]);
});

test.serial("a browser that keeps no cookies gets no further than the question", async (t) => {
  const { world, url, path } = await unopened(t);
  const first = await browse(world, "GET", url, undefined, {}, null);
  t.is((await browse(world, "POST", `${path}/confirm`, fieldsOf(first.html), {}, null)).status, 403);
  t.is(
    (await browse(world, "POST", `${path}/bank`, { ...fieldsOf(first.html), bank: "sandbox" }, {}, null)).status,
    403,
  );
});

test.serial("a bank's answer in another browser redeems nothing and ends nothing; the first one goes on", async (t) => {
  const started = await start(t);
  const { world } = started;
  const { accounts = "", ...fields } = await signIn(world, started);
  const decided = await browse(
    world,
    "POST",
    "/sandbox-bank/decision",
    { ...fields, decision: "approve", account: accounts.split(" ") },
    {},
    null,
  );
  const callback = decided.headers.location ?? "";
  for (const jar of [null, new Map<string, string>()]) {
    const elsewhere = await browse(world, "GET", callback, undefined, {}, jar);
    t.is(elsewhere.status, 403);
    t.true(elsewhere.html.includes("Gå tilbage til din første browser"));
  }
  const refused = callback.replace(/code=[^&]*/, "error=access_denied");
  t.is((await browse(world, "GET", refused, undefined, {}, null)).status, 403, "nor can a stranger abort it");
  t.deepEqual([await outcome(world), await consents(world)], [null, []]);
  t.is((await browse(world, "GET", callback)).headers.location, `${done}&psd2Status=SUCCESS`);
  t.deepEqual(await consents(world), ["active"]);
});

test.serial("the pages of a suspended partner end, and the bank's answer with them", async (t) => {
  const started = await start(t);
  const { world, url, path, page } = started;
  const fields = await signIn(world, started);
  await world.database.query("update partners set suspended_at = now() where id = 'north'");
  t.is((await browse(world, "GET", url)).status, 410);
  t.is((await browse(world, "POST", `${path}/bank`, { ...fieldsOf(page.html), bank: "sandbox" })).status, 410);
  await world.database.query("update partners set suspended_at = null where id = 'north'");
  const { accounts = "", ...others } = fields;
  const decided = await browse(world, "POST", "/sandbox-bank/decision", {
    ...others,
    decision: "approve",
    account: accounts.split(" "),
  });
  await world.database.query("update partners set suspended_at = now() where id = 'north'");
  t.is((await browse(world, "GET", decided.headers.location ?? "")).status, 410);
  t.deepEqual(await consents(world), []);
});

test.serial("one login asks banks for five consents, and then it is over", async (t) => {
  const { world, path, page } = await start(t);
  const choose = async () => {
    const answer = await browse(world, "POST", `${path}/bank`, { ...fieldsOf(page.html), bank: "sandbox" });
    return new URL(answer.headers.location ?? "https://nowhere.example", "https://localhost").pathname;
  };
  const asked = [];
  for (let times = 0; times < 6; times += 1) asked.push(await choose());
  t.deepEqual(asked, [...Array.from({ length: 5 }, () => "/sandbox-bank/authorize"), "/app/done"]);
  t.is(await outcome(world), "UNKNOWN");
  t.is((await world.database.query("select 1 from sandbox_consents")).rowCount, 5);
});

test.serial("what turns or hides text is no hint", async (t) => {
  const world = await openWorld(t);
  const { token } = await world.newUser("anna");
  for (const customerHint of ["", "a\u202eb", "a\u200bb", "a\nb", "x".repeat(101)]) {
    const answer = await world.call("POST", `${partnerPath}/psd2/initiate`, { token, body: { customerHint } });
    t.is(answer.status, 400, JSON.stringify(customerHint));
  }
});

type Agreed = { world: World; token: string; loginId: string; code: string };

/** A partner that asks for confirmations, and a user of it who has agreed at the bank. */
async function openAgreed(t: ExecutionContext): Promise<Agreed> {
  const world = await openConnecting(t, { psd2RequiresConfirmation: true });
  const { token } = await world.newUser("anna");
  return { world, token, ...(await agree(t, world, token)) };
}

async function agree(t: ExecutionContext, world: World, token: string): Promise<{ loginId: string; code: string }> {
  const { url, loginId } = await initiate(t, world, token, { redirectUrl: done });
  const path = new URL(url).pathname;
  const end = await decide(world, await signIn(world, { page: await confirm(world, url), path }), "approve");
  const back = new URL(end.headers.location ?? "");
  t.is(back.searchParams.get("psd2Status"), "SUCCESS");
  const again = await browse(world, "GET", url);
  t.is(again.headers.location, `${done}&psd2Status=SUCCESS`, "the code is told once");
  return { loginId, code: back.searchParams.get("psd2Code") ?? "" };
}

const call = (world: World, token: string, body: object) =>
  world.call("POST", `${partnerPath}/psd2/confirmations`, { token, body });

test.serial("where a partner asks for it, a bank counts once its own user's app brought the code, once", async (t) => {
  const { world, token, loginId, code } = await openAgreed(t);
  t.deepEqual(await consents(world), ["unconfirmed"]);
  const acceptRequest = async () => ({ outcome: "accepted" as const, deliveryId: "d" });
  t.is(await fetchDue({ ...world.psd2, acceptRequest }), 0, "nothing is fetched");

  const bo = await world.newUser("bo");
  const wrong = { loginId, code: "x".repeat(43) };
  for (const [bearer, body] of [
    [bo.token, { loginId, code }],
    [token, wrong],
    [token, { loginId: randomUUID(), code }],
  ] as const) {
    const answer = await call(world, bearer, body);
    t.deepEqual([answer.status, (answer.json as { code: string }).code], [404, "CONFIRMATION_INVALID"]);
  }
  t.is((await call(world, token, { loginId, code: "short" })).status, 400);
  t.deepEqual(await consents(world), ["unconfirmed"]);

  t.is((await call(world, token, { loginId, code })).status, 200);
  t.deepEqual(await consents(world), ["active"]);
  t.is((await call(world, token, { loginId, code })).status, 404, "once");
  t.is(await fetchDue({ ...world.psd2, acceptRequest }), 1);
});

test.serial("a bank connected again takes the earlier one's place when it is confirmed, not before", async (t) => {
  const { world, token, ...first } = await openAgreed(t);
  await call(world, token, first);
  const second = await agree(t, world, token);
  t.deepEqual(await consents(world), ["active", "unconfirmed"]);
  t.is((await call(world, token, second)).status, 200);
  t.deepEqual(await consents(world), ["ended", "active"]);
});

test.serial("what nobody confirms in time is given back to the bank, and its user asked for nothing", async (t) => {
  const { world, token, loginId, code } = await openAgreed(t);
  t.is(await giveBackEnded(world.psd2), 0, "not yet");
  await world.database.query("update psd2_consents set confirmed_until = now() - interval '1 second'");
  t.is((await call(world, token, { loginId, code })).status, 404);
  t.is(await giveBackEnded(world.psd2), 1);
  t.deepEqual(await consents(world), ["ended"]);
  t.is((await world.database.query("select 1 from sandbox_consents where status = 'terminatedByTpp'")).rowCount, 1);
  t.is(await watchConsents(world.psd2), 0);
});

test.serial("a partner that asks for confirmations has its users come back to an address", async (t) => {
  const world = await openConnecting(t, { psd2RequiresConfirmation: true });
  const { token } = await world.newUser("anna");
  const answer = await world.call("POST", `${partnerPath}/psd2/initiate`, { token, body: {} });
  t.is(answer.status, 400);
  t.like(answer.json, { code: "REQUEST_INVALID", errors: [{ pointer: "/redirectUrl" }] });
});
