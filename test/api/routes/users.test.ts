/** A user is created once, whoever races, and after its deletion its token reads nothing any more. */
import test from "ava";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { openWorld, partnerPath } from "../world.ts";

const anna = { bankUserId: "anna", brand: "north-dk", locale: "da-DK" };

test.serial("a user is created, logs in, is deleted, and its token stops at once", async (t) => {
  const { call, loginJwt, database } = await openWorld(t);

  const created = await call("POST", `${partnerPath}/users`, { body: anna });
  t.is(created.status, 201);
  t.is(created.text, "");

  const login = await call("POST", `${partnerPath}/users/logins`, { body: { payload: await loginJwt() } });
  t.is(login.status, 200);
  const { token } = login.json as { token: string };
  const { rows } = await database.query<{ subject: string }>("select subject from users");
  const claims = decodeJwt(token);
  t.is(claims.iss, "tideline");
  t.is(claims.aud, "north");
  t.is(claims.sub, rows[0]?.subject);
  t.is(claims.brand, "north-dk");
  t.is((claims.exp ?? 0) - (claims.iat ?? 0), 3600);
  t.truthy(claims.jti);
  const header = decodeProtectedHeader(token);
  t.is(header.alg, "ES256");
  t.is(typeof header.kid, "string");

  t.is((await call("GET", `${partnerPath}/upcoming-payments`, { token })).status, 200);
  const deleted = await call("DELETE", `${partnerPath}/users`, { token });
  t.is(deleted.status, 202);
  t.is(deleted.text, "");
  const after = await call("GET", `${partnerPath}/upcoming-payments`, { token });
  t.is(after.status, 401);
  t.is(after.headers["www-authenticate"], 'Bearer error="invalid_token"');
});

const ofUsers = [
  "services",
  "services?visibility=HIDDEN",
  "services/ID",
  "upcoming-payments",
  "budgets/ID",
  "budgets/ID/details",
  "budgets/none",
  "budgets/ID/user-data",
  "transactions",
];

for (const read of ofUsers) {
  test.serial(`a deleted user's token reads nothing: ${read}`, async (t) => {
    const { call, newUser, database } = await openWorld(t);
    const { token, userId } = await newUser("anna");
    const path = `${partnerPath}/${read.replace("/ID", "/5a1f0d4e-6a0b-4c58-9d6e-2f3b1c0a9e77")}`;
    t.not((await call("GET", path, { token })).status, 401);
    await database.query("update users set deleted_at = now() where id = $1", [userId]);
    for (const method of ["GET", "HEAD"]) t.is((await call(method, path, { token })).status, 401);
  });
}

test.serial("DELETE with a content type and no body is still a DELETE", async (t) => {
  const { call, newUser } = await openWorld(t);
  const { token } = await newUser("anna");
  t.is((await call("DELETE", `${partnerPath}/users`, { token, raw: "" })).status, 202);
});

test.serial("a user that exists is refused with 409, whatever its brand", async (t) => {
  const { call } = await openWorld(t);
  await call("POST", `${partnerPath}/users`, { body: anna });
  for (const brand of ["north-dk", "north-se"]) {
    const again = await call("POST", `${partnerPath}/users`, { body: { ...anna, brand } });
    t.is(again.status, 409);
    t.like(again.json, { code: "USER_EXISTS", status: 409, title: "The user already exists." });
  }
});

test.serial("of users created at the same moment one is created", async (t) => {
  const { call } = await openWorld(t);
  const statuses = await Promise.all(
    Array.from({ length: 8 }, async () => (await call("POST", `${partnerPath}/users`, { body: anna })).status),
  );
  t.deepEqual(statuses.sort(), [201, 409, 409, 409, 409, 409, 409, 409]);
});

test.serial("after a deletion the same bankUserId makes a new user with a new subject", async (t) => {
  const { call, newUser, database } = await openWorld(t);
  const first = await newUser("anna");
  await database.query("insert into changed_users (user_id) values ($1)", [first.userId]);
  await call("DELETE", `${partnerPath}/users`, { token: first.token });
  t.is((await database.query("select 1 from changed_users")).rowCount, 0);

  const second = await newUser("anna");
  t.not(second.userId, first.userId);
  t.not(decodeJwt(second.token).sub, decodeJwt(first.token).sub);
  t.is((await call("GET", `${partnerPath}/upcoming-payments`, { token: first.token })).status, 401);
  t.is((await call("GET", `${partnerPath}/upcoming-payments`, { token: second.token })).status, 200);
});

test.serial("a request that breaks the interface is refused with each place that is wrong", async (t) => {
  const { call } = await openWorld(t);
  const answer = await call("POST", `${partnerPath}/users`, {
    body: { bankUserId: "", locale: "danish", details: [] },
  });
  t.is(answer.status, 400);
  t.regex(answer.headers["content-type"] ?? "", /^application\/problem\+json\b/);
  const problem = answer.json as { code: string; correlationId: string; errors: { pointer: string }[] };
  t.is(problem.code, "REQUEST_INVALID");
  t.is(problem.correlationId, String(answer.headers["x-correlation-id"]));
  t.deepEqual(problem.errors.map(({ pointer }) => pointer).sort(), ["/bankUserId", "/brand", "/details", "/locale"]);
});

test.serial("another partner's brand is no brand: 400 that names it", async (t) => {
  const { call } = await openWorld(t);
  const answer = await call("POST", `${partnerPath}/users`, { body: { ...anna, brand: "south-de" } });
  t.is(answer.status, 400);
  t.like(answer.json, {
    code: "REQUEST_INVALID",
    errors: [{ pointer: "/brand", message: "is not a brand of the partner" }],
  });
});

for (const [what, body] of Object.entries({
  "a NUL in the id": { ...anna, bankUserId: "an\u0000na" },
  "a lone surrogate in the id": { ...anna, bankUserId: "an\ud800na" },
  "a NUL in the details": { ...anna, details: { note: "a\u0000b" } },
  "an id of 201 characters": { ...anna, bankUserId: "a".repeat(201) },
  "a number for the id": { ...anna, bankUserId: 17 },
  "an array": [anna],
  null: null,
})) {
  test.serial(`POST users with ${what} is refused with 400`, async (t) => {
    const { call } = await openWorld(t);
    t.is((await call("POST", `${partnerPath}/users`, { body })).status, 400);
  });
}

test.serial("unknown keys are ignored, __proto__ and constructor too", async (t) => {
  const { call } = await openWorld(t);
  const raw =
    '{"bankUserId":"anna","brand":"north-dk","locale":"da_DK","later":1,"__proto__":{"brand":"x"},"constructor":{"prototype":{}}}';
  t.is((await call("POST", `${partnerPath}/users`, { raw })).status, 201);
});

test.serial("the locale patterns of the interface are taken", async (t) => {
  const { call } = await openWorld(t);
  for (const [index, locale] of ["da-DK", "da_DK", "es-419", "fil-PH"].entries()) {
    t.is(
      (await call("POST", `${partnerPath}/users`, { body: { ...anna, bankUserId: `user-${index}`, locale } })).status,
      201,
      locale,
    );
  }
});
