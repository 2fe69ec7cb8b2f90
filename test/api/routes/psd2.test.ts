/**
 * A user connects a bank through our pages, comes back with its outcome, and no other way through them leads anywhere.
 */
import test from "ava";
import type { PushedRequest } from "../../../src/landing/accept.ts";
import { fetchDue } from "../../../src/psd2/fetch.ts";
import { openWorld, partnerPath } from "../world.ts";
import { browse, fieldsOf, start, signIn, decide } from "./psd2-browser.ts";

test.serial(
  "a user connects a bank; its payments take the way of every batch, and the import is complete",
  async (t) => {
    const started = await start(t);
    const { world } = started;
    t.is(started.page.status, 200);
    t.true(started.page.html.includes("Forbind din bank"), "in the user's language");
    t.true(started.page.html.includes("Sandbox Bank"));
    t.false(started.page.html.includes("<script"));
    t.regex(String(started.page.headers["content-security-policy"]), /default-src 'none'/);
    const ended = await decide(world, await signIn(world, started), "approve");
    t.is(ended.status, 303);
    t.is(ended.headers.location, "https://bank.example/app/done?order=7&psd2Status=SUCCESS");

    const handed: PushedRequest[] = [];
    const acceptRequest = async (request: PushedRequest) => {
      handed.push(request);
      return { outcome: "accepted" as const, deliveryId: "d" };
    };
    t.is(await fetchDue({ ...world.psd2, acceptRequest }), 1);
    t.true(handed.length >= 2, "more payments than a batch holds");
    t.true(
      handed.every(
        ({ partnerId, body }) => partnerId === "north" && /^\{"reqId":"[^"]+","txs":"[^"]+"\}$/.test(body.toString()),
      ),
    );
    const { rows } = await world.database.query<{ n: number; balances: number }>(
      "select count(*) as n, count(balance) as balances from accounts",
    );
    t.true(rows[0]!.n > 0);
    t.is(rows[0]!.n, rows[0]!.balances);
    t.is(await fetchDue({ ...world.psd2, acceptRequest }), 0, "not due again for hours");
    const before = handed.length;
    await world.database.query("update psd2_consents set next_fetch_at = now(), token_expires_at = now()");
    t.is(await fetchDue({ ...world.psd2, acceptRequest }), 1, "with a renewed token");
    t.is(handed.length, before + 1, "only what is recent");
  },
);

test.serial("who gives up on our page or refuses at the bank comes back as ABORTED", async (t) => {
  const atOurs = await start(t);
  const aborted = await browse(atOurs.world, "POST", `${atOurs.path}/abort`, fieldsOf(atOurs.page.html));
  t.is(aborted.headers.location, "https://bank.example/app/done?order=7&psd2Status=ABORTED");
  const atBank = await start(t);
  const refused = await decide(atBank.world, await signIn(atBank.world, atBank), "refuse");
  t.is(refused.headers.location, "https://bank.example/app/done?order=7&psd2Status=ABORTED");
  t.is((await atBank.world.database.query("select 1 from psd2_consents")).rowCount, 0);
});

test.serial("a bank that fails comes back as UNKNOWN", async (t) => {
  const started = await start(t);
  const failed = await decide(started.world, await signIn(started.world, started), "fail");
  t.is(failed.headers.location, "https://bank.example/app/done?order=7&psd2Status=UNKNOWN");
});

test.serial("without an address the flow ends on a page that can be closed", async (t) => {
  const started = await start(t, "");
  const ended = await decide(started.world, await signIn(started.world, started), "approve");
  t.is(ended.status, 200);
  t.true(ended.html.includes("Din bank er forbundet"));
});

test.serial("a login ends once: its page, its bank and its answer work no second time", async (t) => {
  const started = await start(t);
  const { world, path, page } = started;
  const fields = await signIn(world, started);
  const { accounts = "", ...others } = fields;
  const decided = await browse(world, "POST", "/sandbox-bank/decision", {
    ...others,
    decision: "approve",
    account: accounts.split(" "),
  });
  t.is((await browse(world, "GET", decided.headers.location ?? "")).status, 303);
  t.is((await browse(world, "GET", decided.headers.location ?? "")).status, 410);
  t.is((await browse(world, "POST", `${path}/bank`, { ...fieldsOf(page.html), bank: "sandbox" })).status, 410);
  t.is((await browse(world, "POST", `${path}/abort`, fieldsOf(page.html))).status, 410);
});

test.serial("a wrong key, a state of nobody's and an expired login lead nowhere", async (t) => {
  const { world, path, page } = await start(t);
  t.is((await browse(world, "GET", `${path}?key=wrong`)).status, 410);
  t.is((await browse(world, "GET", path)).status, 410);
  t.is((await browse(world, "GET", "/psd2/callback?state=nobody&code=x")).status, 410);
  t.is((await browse(world, "GET", "/psd2/callback")).status, 410);
  await world.database.query("update psd2_logins set expires_at = now() - interval '1 second'");
  t.is((await browse(world, "POST", `${path}/bank`, { ...fieldsOf(page.html), bank: "sandbox" })).status, 410);
});

test.serial("an address that the partner did not register is refused, and one is never guessed", async (t) => {
  const world = await openWorld(t);
  const { token } = await world.newUser("anna");
  for (const redirectUrl of [
    "https://evil.example/",
    "https://bank.example/app",
    "javascript:alert(1)",
    "not an address",
  ]) {
    const answer = await world.call("POST", `${partnerPath}/psd2/initiate`, { token, body: { redirectUrl } });
    t.is(answer.status, 400);
    t.like(answer.json, { code: "REQUEST_INVALID" });
  }
  t.is((await world.call("POST", `${partnerPath}/psd2/initiate`, { body: {} })).status, 401);
});

test.serial("the bank is called with the trace of the request on whose behalf it is", async (t) => {
  const { world, page, path } = await start(t);
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const trace = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  const tracedRoutes = async (count: number) =>
    (await world.told((line) => line["traceId"] === traceId, count)).map((line) => line["route"]);
  const chosen = await browse(world, "POST", `${path}/bank`, { ...fieldsOf(page.html), bank: "sandbox" }, trace);
  t.deepEqual(await tracedRoutes(2), ["/sandbox-bank/psd2/v1/consents", "/psd2/:loginId/bank"]);
  const authorize = await browse(world, "GET", chosen.headers.location ?? "");
  const accounts = await browse(world, "POST", "/sandbox-bank/accounts", {
    ...fieldsOf(authorize.html),
    person: "anna",
  });
  const ids = [...accounts.html.matchAll(/name="account" value="([^"]*)"/g)].map(([, id = ""]) => id);
  const decided = await browse(world, "POST", "/sandbox-bank/decision", {
    ...fieldsOf(accounts.html),
    decision: "approve",
    account: ids,
  });
  await browse(world, "GET", decided.headers.location ?? "", undefined, trace);
  t.deepEqual((await tracedRoutes(5)).slice(2), [
    "/sandbox-bank/token",
    "/sandbox-bank/psd2/v1/consents/:consentId/status",
    "/psd2/callback",
  ]);
});

test.serial("what no page of ours sends is refused like any other that is wrong", async (t) => {
  const started = await start(t);
  const { world, path } = started;
  const { key = "" } = fieldsOf(started.page.html);
  const chosen = await browse(world, "POST", `${path}/bank`, { key, bank: "sandbox\0" });
  t.is(chosen.status, 400);
  const { accounts = "", ...fields } = await signIn(world, started);
  const authorize = new URLSearchParams(fields).toString();
  t.is(
    (await browse(world, "GET", `/sandbox-bank/authorize?${authorize}&scope=AIS:other`)).status,
    200,
    "the first counts",
  );
  for (const [name, value] of Object.entries({ scope: "AIS:\0", code_challenge: "a\0" })) {
    t.is(
      (
        await browse(world, "POST", "/sandbox-bank/decision", {
          ...fields,
          [name]: value,
          decision: "approve",
          account: accounts.split(" "),
        })
      ).status,
      400,
      name,
    );
  }
  t.is(
    (
      await browse(world, "POST", "/sandbox-bank/token", {
        grant_type: "authorization_code",
        code: "x",
        redirect_uri: "\0",
      })
    ).status,
    400,
  );
  t.is((await browse(world, "GET", "/psd2/callback?state=a&state=b&code=x&code=y")).status, 410);
  t.is((await browse(world, "GET", `${path}?key=${key}&key=other`)).status, 200, "the first counts");
  const object = await world.call("POST", "/sandbox-bank/decision", {
    body: { ...fields, scope: { toString: 1 }, account: [{ toString: 1 }], decision: "approve" },
  });
  t.is(object.status, 400);
});

test.serial("among a hundred banks the page has a search and logos, and stays light", async (t) => {
  const started = await start(t);
  const { world, path } = started;
  await world.database.query(
    `insert into psd2_banks (id, name, country, xs2a_url, authorize_url, token_url, client_id, logo, logo_type)
     select 'bank-' || n, 'Bank ' || n, (array['DK', 'NO', 'SE', 'DE'])[1 + n % 4], 'https://x', 'https://x', 'https://x', 'c',
            decode('89504e470d0a1a0a', 'hex'), 'image/png'
       from generate_series(1, 100) as n`,
  );
  const key = new URL(
    started.page.headers.location ?? `${path}?${new URLSearchParams(fieldsOf(started.page.html))}`,
    "https://x",
  ).searchParams.get("key");
  const all = await browse(world, "GET", `${path}?key=${key}`);
  t.true(all.html.length < 100_000);
  t.is(all.html.match(/<details/g)?.length, 5);
  t.is(all.html.match(/<details open/g)?.length, 1);
  const found = await browse(world, "GET", `${path}?key=${key}&search=bank+42`);
  t.deepEqual(found.html.match(/name="bank" value="[^"]*"/g), ['name="bank" value="bank-42"']);
  const logo = await browse(world, "GET", "/psd2/banks/bank-42/logo");
  t.is(logo.headers["content-type"], "image/png");
  t.is((await browse(world, "GET", "/psd2/banks/nobody/logo")).status, 404);
});
