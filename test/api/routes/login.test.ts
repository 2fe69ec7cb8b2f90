/** A user logs in with its bank's signed JWT once, and no refusal tells what was wrong with it. */
import { randomUUID } from "node:crypto";
import test from "ava";
import { changeSettings } from "../../../src/partners/provisioning.ts";
import { openWorld, partnerPath } from "../world.ts";

const logins = `${partnerPath}/users/logins`;

test.serial("a login with a jti is answered once and refused as a replay after that", async (t) => {
  const { call, newUser, loginJwt, logged } = await openWorld(t);
  await newUser("anna");
  const payload = await loginJwt({ jti: randomUUID() });
  t.is((await call("POST", logins, { body: { payload } })).status, 200);
  const again = await call("POST", logins, { body: { payload } });
  t.is(again.status, 403);
  t.like(again.json, { code: "LOGIN_INVALID", status: 403 });
  t.like(
    logged.find(({ event }) => event === "login.refused"),
    { partnerId: "north", reason: "replayed" },
  );
});

test.serial("of the same login sent five times at once one is answered", async (t) => {
  const { call, newUser, loginJwt } = await openWorld(t);
  await newUser("anna");
  const payload = await loginJwt({ jti: randomUUID() });
  const statuses = await Promise.all(
    Array.from({ length: 5 }, async () => (await call("POST", logins, { body: { payload } })).status),
  );
  t.deepEqual(statuses.sort(), [200, 403, 403, 403, 403]);
});

test.serial("a valid login for a user who is not there is 404, and can be used once the user is", async (t) => {
  const { call, loginJwt } = await openWorld(t);
  const payload = await loginJwt({ jti: randomUUID() });
  const before = await call("POST", logins, { body: { payload } });
  t.is(before.status, 404);
  t.like(before.json, { code: "USER_UNKNOWN" });
  await call("POST", `${partnerPath}/users`, { body: { bankUserId: "anna", brand: "north-dk", locale: "da-DK" } });
  t.is((await call("POST", logins, { body: { payload } })).status, 200);
});

test.serial("the brand must be the one under which the user was created", async (t) => {
  const { call, newUser, loginJwt } = await openWorld(t);
  await newUser("anna");
  t.is((await call("POST", logins, { body: { payload: await loginJwt({ brand: "north-se" }) } })).status, 404);
  t.is((await call("POST", logins, { body: { payload: await loginJwt({ brand: "south-de" }) } })).status, 403);
});

test.serial("another partner's login key opens nothing", async (t) => {
  const { call, newUser, loginJwt } = await openWorld(t);
  await newUser("anna");
  const answer = await call("POST", "/partner/south/2.0.0/users/logins", {
    body: { payload: await loginJwt({ brand: "south-de" }) },
  });
  t.is(answer.status, 403);
});

test.serial("a payload that is no JWT is 403, one that is missing is 400", async (t) => {
  const { call } = await openWorld(t);
  t.is((await call("POST", logins, { body: { payload: "no JWT" } })).status, 403);
  const missing = await call("POST", logins, { body: {} });
  t.is(missing.status, 400);
  t.like(missing.json, { errors: [{ pointer: "/payload", message: "is required" }] });
});

test.serial("no refusal says which part of the login was wrong", async (t) => {
  const { call, newUser, loginJwt } = await openWorld(t);
  await newUser("anna");
  const wrong = [await loginJwt({ exp: 1 }), await loginJwt({ brand: "none" }), "a.b.c", `${await loginJwt()}x`];
  const told = await Promise.all(
    wrong.map(async (payload) => {
      const { status, json } = await call("POST", logins, {
        body: { payload },
        headers: { "x-correlation-id": "same" },
      });
      return { status, json };
    }),
  );
  for (const each of told) t.deepEqual(each, told[0]);
});

test.serial("changed login settings are in force within a second, without a restart", async (t) => {
  let now = Date.now();
  const clock = { now: () => new Date(now), today: () => "2026-06-15" };
  const { call, newUser, loginJwt, database } = await openWorld(t, { clock });
  await newUser("anna");
  await changeSettings(database, "north", { login: { issuer: "https://north.example" } });
  now += 1000;
  t.is((await call("POST", logins, { body: { payload: await loginJwt() } })).status, 403);
  t.is(
    (await call("POST", logins, { body: { payload: await loginJwt({ iss: "https://north.example" }) } })).status,
    200,
  );
});

test.serial("no token, key or user id appears in the log", async (t) => {
  const { call, newUser, loginJwt, logged } = await openWorld(t);
  const { token } = await newUser("anna-secret-id");
  const payload = await loginJwt({ sub: "anna-secret-id" });
  await call("POST", logins, { body: { payload } });
  await call("GET", `${partnerPath}/transactions`, { token });
  const text = JSON.stringify(logged);
  t.true(logged.length >= 5);
  for (const secret of [token, payload, "anna-secret-id"]) t.false(text.includes(secret));
});
