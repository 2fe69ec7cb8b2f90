import { request as httpsRequest } from "node:https";
import type { IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import test, { type ExecutionContext } from "ava";
import { inTransaction } from "../../../src/database/database.ts";
import type { PushedRequest } from "../../../src/landing/accept.ts";
import { bodyOf } from "../../../src/notifications/body.ts";
import { takeDue } from "../../../src/notifications/outbox.ts";
import { putReceiver } from "../../../src/notifications/receiver.ts";
import { readTexts } from "../../../src/notifications/texts.ts";
import { tellEnded, watchConsents } from "../../../src/psd2/end-notices.ts";
import { fetchDue } from "../../../src/psd2/fetch.ts";
import { endConsent } from "../../../src/psd2/consents.ts";
import { giveBackEnded } from "../../../src/psd2/give-back.ts";
import { giveBatchKeys } from "../../batch-keys.ts";
import { openWorld, partnerPath, type World } from "../world.ts";

type Page = { status: number; headers: IncomingHttpHeaders; html: string };

/** A browser without scripts: one call, redirects told and not followed. */
function browse(
  world: World,
  method: string,
  address: string,
  form?: Record<string, string | string[]>,
  more: Record<string, string> = {},
): Promise<Page> {
  const url = new URL(address, `https://localhost:${world.port}`);
  const body =
    form === undefined
      ? undefined
      : new URLSearchParams(
          Object.entries(form).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
        ).toString();
  const headers = {
    "accept-language": "da",
    accept: "text/html, */*;q=0.1",
    ...(body === undefined
      ? {}
      : { "content-type": "application/x-www-form-urlencoded", "content-length": String(Buffer.byteLength(body)) }),
    ...more,
  };
  return new Promise((resolve, reject) => {
    const call = httpsRequest(url, { method, ca: world.authority, headers, agent: false }, (response) => {
      text(response).then(
        (html) => resolve({ status: response.statusCode ?? 0, headers: response.headers, html }),
        reject,
      );
    });
    call.on("error", reject);
    call.end(body);
  });
}

/** The hidden fields of a page's first form. */
function fieldsOf(html: string): Record<string, string> {
  const form = html.slice(html.indexOf("<form"), html.indexOf("</form>"));
  return Object.fromEntries(
    [...form.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [
      name,
      value.replaceAll("&amp;", "&"),
    ]),
  );
}

/** Notices are written for partners with a receiver. */
async function receiveAt(world: World): Promise<void> {
  await putReceiver(world.database, world.keyEncryptionKey, {
    partnerId: "north",
    url: "https://bank.example/receiver",
    shape: "map",
    authentication: { kind: "static", token: "secret" },
    signing: "hmac",
    guard: { allowsPrivateAddresses: false, authority: undefined, clientCertificate: undefined },
  });
}

async function told(world: World): Promise<string[]> {
  const { rows } = await world.database.query<{ type: string }>("select type from notifications order by position");
  return rows.map(({ type }) => type);
}

const done = "https://bank.example/app/done?order=7";

async function start(
  t: ExecutionContext,
  redirectUrl: string | undefined = done,
): Promise<{ world: World; page: Page; path: string; token: string }> {
  const world = await openWorld(t, { refreshUser: async () => undefined });
  await world.database.query(
    `update partners set settings = '{"psd2": {"redirectPrefixes": ["https://bank.example/app"]}}' where id = 'north'`,
  );
  await giveBatchKeys(world.database, world.keyEncryptionKey, "north");
  const { token } = await world.newUser("anna");
  const answer = await world.call("POST", `${partnerPath}/psd2/initiate`, {
    token,
    ...(redirectUrl === "" ? {} : { body: { redirectUrl } }),
  });
  t.is(answer.status, 200);
  const { url, loginId } = answer.json as { url: string; loginId: string };
  t.true(url.includes(loginId));
  const page = await browse(world, "GET", url);
  return { world, page, path: new URL(url).pathname, token };
}

/** From the list of banks to the sandbox bank's accounts. */
async function signIn(world: World, { page, path }: { page: Page; path: string }): Promise<Record<string, string>> {
  const chosen = await browse(world, "POST", `${path}/bank`, { ...fieldsOf(page.html), bank: "sandbox" });
  const authorize = await browse(world, "GET", chosen.headers.location ?? "");
  const accounts = await browse(world, "POST", "/sandbox-bank/accounts", {
    ...fieldsOf(authorize.html),
    person: "anna",
  });
  const ids = [...accounts.html.matchAll(/name="account" value="([^"]*)"/g)].map(([, id = ""]) => id);
  return { ...fieldsOf(accounts.html), accounts: ids.join(" ") };
}

async function decide(world: World, fields: Record<string, string>, decision: string): Promise<Page> {
  const { accounts = "", ...others } = fields;
  const decided = await browse(world, "POST", "/sandbox-bank/decision", {
    ...others,
    decision,
    account: accounts.split(" "),
  });
  return await browse(world, "GET", decided.headers.location ?? "");
}

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

test.serial("the sandbox bank keeps to its own rules: consent, token, code and verifier", async (t) => {
  const started = await start(t);
  const { world } = started;
  const fields = await signIn(world, started);
  const unchosen = await browse(world, "POST", "/sandbox-bank/decision", {
    ...fields,
    decision: "approve",
    account: "foreign",
  });
  t.is(unchosen.status, 200);
  t.true(unchosen.html.includes("Vælg mindst én konto"));
  t.is(
    (
      await browse(world, "POST", "/sandbox-bank/token", {
        grant_type: "authorization_code",
        code: "x",
        code_verifier: "y",
      })
    ).status,
    400,
  );
  t.is((await browse(world, "GET", "/sandbox-bank/psd2/v1/accounts")).status, 401);
  t.is((await browse(world, "GET", "/sandbox-bank/authorize?scope=AIS:x")).status, 400);
  for (const [validUntil, status] of [
    ["2099-01-01", 201],
    ["2020-01-01", 400],
    ["0000-01-01", 400],
    ["soon", 400],
  ] as const) {
    t.is((await browse(world, "POST", "/sandbox-bank/psd2/v1/consents", { validUntil })).status, status, validUntil);
  }
});

test.serial("the sandbox bank sends users back to its client's registered address only", async (t) => {
  const started = await start(t);
  const { world } = started;
  const fields = await signIn(world, started);
  for (const redirect_uri of [
    "https://evil.example/",
    "https:evil.example",
    `${fields["redirect_uri"]}/more`,
    "javascript:alert(1)",
  ]) {
    for (const decision of ["approve", "refuse", "fail"]) {
      const decided = await browse(world, "POST", "/sandbox-bank/decision", {
        ...fields,
        redirect_uri,
        decision,
        account: (fields["accounts"] ?? "").split(" "),
      });
      t.deepEqual([decided.status, decided.headers.location], [400, undefined], `${decision} ${redirect_uri}`);
    }
  }
  t.is(
    (await decide(world, fields, "approve")).headers.location,
    "https://bank.example/app/done?order=7&psd2Status=SUCCESS",
  );
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

test.serial("a consent that the bank ended ends here, and its user is told once, in the same moment", async (t) => {
  const started = await start(t);
  const { world } = started;
  await receiveAt(world);
  await decide(world, await signIn(world, started), "approve");
  await world.database.query("update sandbox_consents set status = 'revokedByPsu', access_sha256 = null");
  const acceptRequest = async () => ({ outcome: "accepted" as const, deliveryId: "d" });
  t.is(await fetchDue({ ...world.psd2, acceptRequest }), 1);
  const { rows } = await world.database.query("select state, last_failure from psd2_consents");
  t.deepEqual(rows, [{ state: "ended", last_failure: "HTTP 401" }]);
  t.is(await giveBackEnded(world.psd2), 0, "the bank knows");
  t.deepEqual(await told(world), ["USER_UPDATE_REQUIRED"], "before any round looks");
  t.is(await watchConsents(world.psd2), 0);
  t.deepEqual(await told(world), ["USER_UPDATE_REQUIRED"]);
});

test.serial("a consent that an operator ended is told of in the same moment; one that goes on is not", async (t) => {
  const started = await start(t);
  const { world } = started;
  await receiveAt(world);
  await decide(world, await signIn(world, started), "approve");
  const { rows } = await world.database.query<{ id: string }>("select id from psd2_consents");
  const id = rows[0]!.id;
  await inTransaction(world.database, (transaction) => tellEnded(transaction, id));
  t.deepEqual(await told(world), []);
  await inTransaction(world.database, async (transaction) => {
    await endConsent(transaction, id, "ENDED_BY_OPERATOR");
    await tellEnded(transaction, id);
    await tellEnded(transaction, id);
  });
  t.deepEqual(await told(world), ["USER_UPDATE_REQUIRED"]);
  t.is(await watchConsents(world.psd2), 0);
});

test.serial("a consent is good through its last business day, whatever the day in the street", async (t) => {
  const started = await start(t);
  const { world } = started;
  await decide(world, await signIn(world, started), "approve");
  const acceptRequest = async () => ({ outcome: "accepted" as const, deliveryId: "d" });
  const fetchOn = async (lastDay: string) => {
    await world.database.query("update sandbox_consents set valid_until = $1", [lastDay]);
    await world.database.query("update psd2_consents set next_fetch_at = now()");
    t.is(await fetchDue({ ...world.psd2, acceptRequest }), 1);
    return (await world.database.query("select state, last_failure from psd2_consents")).rows;
  };
  t.deepEqual(await fetchOn("2026-06-15"), [{ state: "active", last_failure: null }]);
  t.deepEqual(await fetchOn("2026-06-14"), [{ state: "ended", last_failure: "HTTP 401" }]);
});

test.serial(
  "a refresh token that the bank takes no more ends the consent, instead of being tried for months",
  async (t) => {
    const started = await start(t);
    const { world } = started;
    await decide(world, await signIn(world, started), "approve");
    await world.database.query("update sandbox_consents set refresh_sha256 = null");
    await world.database.query("update psd2_consents set token_expires_at = now()");
    t.is(
      await fetchDue({ ...world.psd2, acceptRequest: async () => ({ outcome: "accepted" as const, deliveryId: "d" }) }),
      1,
    );
    t.deepEqual((await world.database.query("select state, last_failure from psd2_consents")).rows, [
      { state: "ended", last_failure: "REFRESH_TOKEN_REFUSED" },
    ]);
  },
);

test.serial(
  "what ends here ends at the bank: by an operator, a later consent, the user's deletion; then the tokens are forgotten",
  async (t) => {
    const statuses = async (world: World) =>
      (
        await world.database.query<{ status: string }>("select status from sandbox_consents order by created_at")
      ).rows.map(({ status }) => status);
    const kept = async (world: World) =>
      (
        await world.database.query(
          "select state, given_back_at is not null as given, access_token_sealed is null as forgotten from psd2_consents order by created_at",
        )
      ).rows;
    const started = await start(t);
    const { world } = started;
    await decide(world, await signIn(world, started), "approve");
    t.is(await giveBackEnded(world.psd2), 0, "an active one stays");
    const { rows } = await world.database.query<{ id: string }>("select id from psd2_consents");
    t.true(await endConsent(world.database, rows[0]!.id, "ENDED_BY_OPERATOR"));
    t.is(await giveBackEnded(world.psd2), 1);
    t.is(await giveBackEnded(world.psd2), 0);
    t.deepEqual(await statuses(world), ["terminatedByTpp"]);
    t.deepEqual(await kept(world), [{ state: "ended", given: true, forgotten: true }]);

    for (let again = 0; again < 2; again += 1) {
      const { url } = (
        await world.call("POST", `${partnerPath}/psd2/initiate`, { token: started.token, body: { redirectUrl: done } })
      ).json as { url: string };
      await decide(
        world,
        await signIn(world, { page: await browse(world, "GET", url), path: new URL(url).pathname }),
        "approve",
      );
    }
    t.is(await giveBackEnded(world.psd2), 1, "the earlier one of the same bank");
    t.deepEqual(await statuses(world), ["terminatedByTpp", "terminatedByTpp", "valid"]);
    await world.database.query("update users set deleted_at = now()");
    t.is(await giveBackEnded(world.psd2), 1);
    t.deepEqual(await statuses(world), ["terminatedByTpp", "terminatedByTpp", "terminatedByTpp"]);
  },
);

test.serial("a bank that cannot be reached is told later, until the consent has run out by itself", async (t) => {
  const started = await start(t);
  const { world } = started;
  await decide(world, await signIn(world, started), "approve");
  await world.database.query("update users set deleted_at = now()");
  const away = {
    ...world.psd2,
    ownBank: () => ({
      ...world.psd2.ownBank()!,
      xs2aUrl: "https://localhost:1/psd2",
      tokenUrl: "https://localhost:1/token",
    }),
  };
  t.is(await giveBackEnded(away), 0);
  const waiting = async () =>
    (
      await world.database.query(
        "select given_back_at, next_fetch_at > now() + interval '50 minutes' as later from psd2_consents",
      )
    ).rows;
  t.deepEqual(await waiting(), [{ given_back_at: null, later: true }]);
  await world.database.query("update psd2_consents set next_fetch_at = now(), valid_until = '2020-01-01'");
  t.is(await giveBackEnded(away), 1);
});

test.serial(
  "a fetch that the service's end breaks off is due again at once, and its import is not complete",
  async (t) => {
    const started = await start(t);
    const { world } = started;
    await decide(world, await signIn(world, started), "approve");
    const handed: PushedRequest[] = [];
    let stopping = false;
    const acceptRequest = async (request: PushedRequest) => {
      handed.push(request);
      stopping = true;
      return { outcome: "accepted" as const, deliveryId: "d" };
    };
    await fetchDue({ ...world.psd2, acceptRequest }, () => stopping);
    t.is(handed.length, 1);
    const { rows } = await world.database.query(
      "select state, first_fetched_at, last_failure, next_fetch_at <= now() as is_due from psd2_consents",
    );
    t.deepEqual(rows, [{ state: "active", first_fetched_at: null, last_failure: null, is_due: true }]);
    stopping = false;
    t.is(
      await fetchDue({ ...world.psd2, acceptRequest: async (request) => ({ ...(await acceptRequest(request)) }) }),
      1,
    );
    t.true(handed.length >= 3, "all of it again, from the beginning");
  },
);

test.serial("a consent is told of a week before its end and at its end", async (t) => {
  const started = await start(t);
  const { world } = started;
  await decide(world, await signIn(world, started), "approve");
  const on = (day: string) => watchConsents({ ...world.psd2, today: () => day });
  await world.database.query("update psd2_consents set valid_until = '2026-07-01'");
  t.is(await on("2026-06-23"), 0);
  t.is(await on("2026-06-24"), 1);
  t.is(await on("2026-06-25"), 0);
  t.is(await on("2026-07-01"), 0, "its last day");
  t.is(await on("2026-07-02"), 1);
  t.is(await on("2026-07-03"), 0);
  t.deepEqual((await world.database.query("select state from psd2_consents")).rows, [{ state: "ended" }]);
});

test.serial("a balance in another currency than the brand's is not taken for one of the brand's", async (t) => {
  const started = await start(t);
  const { world } = started;
  await decide(world, await signIn(world, started), "approve");
  const acceptRequest = async () => ({ outcome: "accepted" as const, deliveryId: "d" });
  const balances = async () => (await world.database.query("select 1 from account_balances")).rowCount ?? 0;
  await world.database.query("update brands set currency = 'ISK' where id = 'north-dk'");
  t.is(await fetchDue({ ...world.psd2, acceptRequest }), 1);
  t.is(await balances(), 0);
  await world.database.query("update brands set currency = 'DKK' where id = 'north-dk'");
  await world.database.query("update psd2_consents set next_fetch_at = now()");
  t.is(await fetchDue({ ...world.psd2, acceptRequest }), 1);
  t.true((await balances()) > 0);
});

test.serial(
  "a user who has connected the bank again is not told that the connection before has ended, however it did",
  async (t) => {
    const started = await start(t);
    const { world } = started;
    const connectAgain = async () => {
      const { url } = (
        await world.call("POST", `${partnerPath}/psd2/initiate`, { token: started.token, body: { redirectUrl: done } })
      ).json as { url: string };
      await decide(
        world,
        await signIn(world, { page: await browse(world, "GET", url), path: new URL(url).pathname }),
        "approve",
      );
    };
    await decide(world, await signIn(world, started), "approve");
    await world.database.query("update psd2_consents set last_failure = 'HTTP 503'");
    await connectAgain();
    t.is(await watchConsents(world.psd2), 0, "the bank was away when the user connected it again");
    await world.database.query("update sandbox_consents set access_sha256 = null");
    await fetchDue({ ...world.psd2, acceptRequest: async () => ({ outcome: "accepted" as const, deliveryId: "d" }) });
    await connectAgain();
    t.is(await watchConsents(world.psd2), 0, "the bank had ended it");
    t.deepEqual((await world.database.query("select state from psd2_consents order by created_at")).rows, [
      { state: "ended" },
      { state: "ended" },
      { state: "active" },
    ]);
  },
);

test.serial(
  "an account that the user took from us is not fetched again, until the user chooses it at the bank anew",
  async (t) => {
    const started = await start(t);
    const { world } = started;
    await decide(world, await signIn(world, started), "approve");
    const acceptRequest = async () => ({ outcome: "accepted" as const, deliveryId: "d" });
    const recordsOfFetch = async () => {
      await world.database.query("update psd2_consents set next_fetch_at = now()");
      await fetchDue({ ...world.psd2, acceptRequest });
      return world.logged.findLast((line) => line["event"] === "psd2.fetched")?.["records"];
    };
    const all = await recordsOfFetch();
    t.true(Number(all) > 0);
    t.is((await world.call("PUT", `${partnerPath}/accounts`, { token: started.token, body: [] })).status, 200);
    await world.database.query("update psd2_consents set first_fetched_at = null");
    t.is(await recordsOfFetch(), 1, "the end of the import alone");
    const { url } = (
      await world.call("POST", `${partnerPath}/psd2/initiate`, { token: started.token, body: { redirectUrl: done } })
    ).json as { url: string };
    await decide(
      world,
      await signIn(world, { page: await browse(world, "GET", url), path: new URL(url).pathname }),
      "approve",
    );
    t.is(await recordsOfFetch(), all);
  },
);

test.serial("the message of a connection that ends names the bank, and tells of no product", async (t) => {
  const started = await start(t);
  const { world } = started;
  await receiveAt(world);
  await decide(world, await signIn(world, started), "approve");
  await world.database.query("update psd2_consents set valid_until = '2026-06-20'");
  t.is(await watchConsents({ ...world.psd2, today: () => "2026-06-15" }), 1);
  const [outgoing] = await takeDue(world.database, "north", 1, 1000);
  const { notification } = JSON.parse(bodyOf(outgoing!, readTexts(), "map")) as {
    notification: { data?: object; texts: Record<string, { body: string }> };
  };
  t.false("data" in notification);
  t.true(notification.texts["da"]?.body.includes("Sandbox Bank"));
});
