/** A call that cannot be served is refused with its status, a problem document and nothing of what is inside. */
import test from "ava";
import { openDatabase } from "../../src/database/database.ts";
import { allowNetwork, suspendPartner } from "../../src/partners/provisioning.ts";
import { openWorld, partnerPath } from "./world.ts";

test.serial("a problem document says what, why and what to do", async (t) => {
  const { call } = await openWorld(t);
  const answer = await call("GET", "/nowhere", { headers: { "x-correlation-id": "c-1" } });
  t.is(answer.status, 404);
  t.deepEqual(answer.json, {
    type: "/reference#ROUTE_UNKNOWN",
    title: "There is nothing at this path.",
    status: 404,
    detail: "Check the path against the OpenAPI document.",
    code: "ROUTE_UNKNOWN",
    correlationId: "c-1",
  });
});

test.serial("a missing or wrong bearer is 401 with a challenge; the bare token is taken", async (t) => {
  const { call, newUser } = await openWorld(t);
  const { token } = await newUser("anna");
  const path = `${partnerPath}/upcoming-payments`;
  const missing = await call("GET", path);
  t.is(missing.status, 401);
  t.is(missing.headers["www-authenticate"], "Bearer");
  t.like(missing.json, { code: "TOKEN_INVALID" });
  for (const authorization of [
    "Bearer x",
    "x",
    `Basic ${token}`,
    `${token}x`,
    "Bearer",
    `Bearer ${"x".repeat(5000)}`,
  ]) {
    t.is((await call("GET", path, { headers: { authorization } })).status, 401, authorization.slice(0, 20));
  }
  for (const authorization of [token, `Bearer ${token}`, `bearer ${token}`, ` Bearer  ${token} `]) {
    t.is((await call("GET", path, { headers: { authorization } })).status, 200, authorization.slice(0, 20));
  }
});

test.serial("a valid token on another partner's path is 403", async (t) => {
  const { call, newUser } = await openWorld(t);
  const { token } = await newUser("anna");
  const answer = await call("GET", "/partner/south/2.0.0/services", { token });
  t.is(answer.status, 403);
  t.like(answer.json, { code: "TOKEN_FOREIGN" });
});

test.serial(
  "every partner path of an unknown or suspended partner is 404, whatever the body, method or token",
  async (t) => {
    let now = Date.now();
    const { call, newUser, database } = await openWorld(t, {
      clock: { now: () => new Date(now), today: () => "2026-06-15" },
    });
    const { token } = await newUser("anna");
    await suspendPartner(database, "north");
    now += 1000;
    for (const partner of ["north", "unknown", "..", "north%00", "n".repeat(65)]) {
      for (const [method, path] of [
        ["POST", "users"],
        ["DELETE", "users"],
        ["POST", "users/logins"],
        ["POST", "transactions"],
        ["GET", "transactions"],
        ["GET", "services"],
        ["GET", "services/1"],
        ["PUT", "services/1/hidden"],
        ["GET", "upcoming-payments"],
        ["GET", "income"],
        ["GET", ".well-known/jwks.json"],
        ["PATCH", "users"],
      ] as const) {
        const answer = await call(method, `/partner/${partner}/2.0.0/${path}`, {
          token,
          ...(method === "GET" ? {} : { raw: "no JSON" }),
        });
        t.is(answer.status, 404, `${method} ${partner} ${path}`);
        if (partner !== "..") t.like(answer.json, { code: "PARTNER_UNKNOWN" });
      }
    }
  },
);

test.serial("an address outside the partner's networks is 403, inside it is served", async (t) => {
  let now = Date.now();
  const { call, database } = await openWorld(t, { clock: { now: () => new Date(now), today: () => "2026-06-15" } });
  await allowNetwork(database, "north", "https", "192.0.2.0/24");
  await allowNetwork(database, "south", "sftp", "192.0.2.0/24");
  t.is((await call("GET", `${partnerPath}/.well-known/jwks.json`)).status, 403);
  t.is((await call("GET", "/partner/south/2.0.0/.well-known/jwks.json")).status, 200);
  await allowNetwork(database, "north", "https", "127.0.0.0/8");
  now += 1000;
  t.is((await call("GET", `${partnerPath}/.well-known/jwks.json`)).status, 200);
});

test.serial("a method that a path does not answer is 405 and names those that it does", async (t) => {
  const { call } = await openWorld(t);
  for (const [path, allow, method] of [
    [`${partnerPath}/users`, "DELETE, POST", "PUT"],
    [`${partnerPath}/transactions`, "GET, HEAD, POST", "DELETE"],
    [`${partnerPath}/services/1/hidden`, "PUT", "GET"],
    [`${partnerPath}/services`, "GET, HEAD", "OPTIONS"],
    ["/health/live", "GET, HEAD", "POST"],
  ] as const) {
    const answer = await call(
      method,
      path,
      method === "PUT" ? { raw: "x", headers: { "content-type": "text/plain" } } : {},
    );
    t.is(answer.status, 405, path);
    t.is(answer.headers.allow, allow);
    t.like(answer.json, { code: "METHOD_NOT_ALLOWED" });
  }
});

test.serial("a caller who does not accept JSON is 406", async (t) => {
  const { call, newUser } = await openWorld(t);
  const { token } = await newUser("anna");
  const path = `${partnerPath}/upcoming-payments`;
  for (const accept of ["text/html", "application/json;q=0", "application/json;q=0, */*", "image/*, text/*"]) {
    t.is((await call("GET", path, { token, headers: { accept } })).status, 406, accept);
  }
  for (const accept of [
    "application/json",
    "*/*",
    "text/html, application/*;q=0.1",
    "APPLICATION/JSON; charset=utf-8",
    "",
  ]) {
    t.is((await call("GET", path, { token, headers: { accept } })).status, 200, accept);
  }
});

test.serial("a body that is not JSON is 415, one that is too large 413, one that is broken 400", async (t) => {
  const { call } = await openWorld(t);
  const path = `${partnerPath}/users`;
  const typed = await call("POST", path, {
    raw: "bankUserId=anna",
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  t.is(typed.status, 415);
  t.like(typed.json, { code: "MEDIA_TYPE_UNSUPPORTED" });
  const large = await call("POST", path, { raw: JSON.stringify({ bankUserId: "x".repeat(66_000) }) });
  t.is(large.status, 413);
  t.like(large.json, { code: "BODY_TOO_LARGE" });
  for (const raw of ["{", "{'a':1}", "\u0000", ""]) t.is((await call("POST", path, { raw })).status, 400, raw);
});

test.serial("a database that is away is 503 with Retry-After, and its message stays inside", async (t) => {
  // Port 1 has no server on any machine that runs tests.
  const database = openDatabase("postgres://nobody@127.0.0.1:1/none", { sizeMax: 2, applicationName: "test" });
  t.teardown(() => database.end());
  const { call } = await openWorld(t, { database });
  const answer = await call("GET", `${partnerPath}/.well-known/jwks.json`);
  t.is(answer.status, 503);
  t.is(answer.headers["retry-after"], "5");
  t.like(answer.json, { code: "BUSY", status: 503 });
  t.notRegex(answer.text, /ECONN|127\.0\.0\.1|postgres/i);
});

test.serial("a failure that nobody expected is 500, is logged, and tells nothing", async (t) => {
  const { call, logged } = await openWorld(t, { isReady: () => Promise.reject(new Error("secret detail")) });
  const answer = await call("GET", "/health/ready", { headers: { "x-correlation-id": "c-9" } });
  t.is(answer.status, 500);
  t.like(answer.json, { code: "INTERNAL", correlationId: "c-9" });
  t.notRegex(answer.text, /secret detail/);
  t.like(
    logged.find(({ event }) => event === "api.failed"),
    { correlationId: "c-9", route: "/health/ready", error: "secret detail" },
  );
});

test.serial("a body that is not UTF-8 is refused instead of stored with replacements", async (t) => {
  const { call } = await openWorld(t);
  const latin = Buffer.from('{"bankUserId":"s\u00f8ren","brand":"north-dk","locale":"da-DK"}', "latin1");
  for (const path of ["users", "transactions"])
    t.is((await call("POST", `${partnerPath}/${path}`, { raw: latin })).status, 400, path);
  t.like((await call("POST", `${partnerPath}/users`, { raw: latin })).json, {
    code: "REQUEST_INVALID",
    errors: [{ pointer: "", message: "is not UTF-8" }],
  });
});

test.serial("a value of another type is refused, never turned into the right one", async (t) => {
  const { call, newUser } = await openWorld(t);
  const { token } = await newUser("anna");
  const id = "00000000-0000-4000-8000-000000000000";
  for (const [method, path, body, pointer] of [
    ["PUT", `services/${id}/hidden`, { hidden: "true" }, "/hidden"],
    ["PUT", `services/${id}/hidden`, { hidden: 1 }, "/hidden"],
    ["PUT", `services/${id}/hidden`, { hidden: null }, "/hidden"],
    ["POST", "users", { bankUserId: 7, brand: "north-dk", locale: "da-DK" }, "/bankUserId"],
    ["POST", `budgets/${id}/categories/HOUSING_RENT/adjustments`, { amount: "12", frequency: "MONTHLY" }, "/amount"],
    ["PUT", "accounts", "account-1", ""],
    ["PUT", "accounts", [1], "/0"],
  ] as const) {
    const answer = await call(method, `${partnerPath}/${path}`, { token, body });
    t.is(answer.status, 400, `${path} ${JSON.stringify(body)}`);
    t.is((answer.json as { errors: { pointer: string }[] }).errors[0]?.pointer, pointer);
  }
});

test.serial("a number in a query is its digits and nothing else", async (t) => {
  const { call, newUser } = await openWorld(t);
  const { token } = await newUser("anna");
  const listed = (query: string) => call("GET", `${partnerPath}/transactions?${query}`, { token });
  for (const limit of [
    "true",
    "false",
    "null",
    "",
    "%20",
    "1e1",
    "0x1",
    "1.0",
    "+1",
    "1%20",
    "%D9%A1",
    "1&limit=2",
    "9".repeat(400),
  ]) {
    const answer = await listed(`limit=${limit}`);
    t.is(answer.status, 400, limit);
    t.like(answer.json, { code: "REQUEST_INVALID", errors: [{ pointer: "/limit" }] });
  }
  for (const limit of ["1", "007", "10000"]) t.is((await listed(`limit=${limit}`)).status, 200, limit);
  t.like((await listed("from=true&limit=0")).json, { errors: [{ pointer: "/from" }, { pointer: "/limit" }] });
});

test.serial("keys that nobody knows are ignored in bodies, at any depth, and in queries", async (t) => {
  const { call, newUser } = await openWorld(t);
  const { token } = await newUser("anna");
  const created = await call("POST", `${partnerPath}/users`, {
    body: { bankUserId: "bert", brand: "north-dk", locale: "da-DK", later: { than: "today" } },
  });
  t.is(created.status, 201);
  const accounts = [{ accountId: "account-1", observedTime: "2026-06-15T08:00:00Z", balance: 1, later: [null] }];
  t.is((await call("PUT", `${partnerPath}/accounts-balances`, { token, body: { accounts, later: true } })).status, 200);
  t.is((await call("GET", `${partnerPath}/upcoming-payments?later=1&x[]=2`, { token })).status, 200);
});
