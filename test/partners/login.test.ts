/** A login JWT counts only under its partner's key and algorithm, and none of the known ways around that works. */
import { generateKeyPairSync } from "node:crypto";
import test from "ava";
import { CompactSign, type JWTPayload, SignJWT } from "jose";
import { readClaims } from "../../src/partners/login.ts";
import type { LoginKey } from "../../src/partners/keys/login-keys.ts";
import { readLoginRules } from "../../src/partners/settings/login-rules.ts";

const now = new Date("2026-06-15T12:00:00Z");
const seconds = now.getTime() / 1000;
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const otherRsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const ed = generateKeyPairSync("ed25519");
const key: LoginKey = { kid: null, algorithm: "RS256", publicKey: rsa.publicKey };
const claims = { sub: "anna", brand: "north-dk", exp: seconds + 300 };

const sign = (
  payload: JWTPayload,
  header: { alg: string; kid?: string } = { alg: "RS256" },
  privateKey = rsa.privateKey,
) => new SignJWT(payload).setProtectedHeader(header).sign(privateKey);
const judge = async (payload: string, login: object = {}, keys = [key]) =>
  readClaims(payload, readLoginRules({ login }), keys, now);

test("a JWT by the partner's key says who logs in", async (t) => {
  t.deepEqual(await judge(await sign({ ...claims, jti: "one" })), {
    ok: true,
    login: {
      bankUserId: "anna",
      brandId: "north-dk",
      actor: null,
      jti: "one",
      issuedAt: seconds - 300,
      expiresAt: new Date("2026-06-15T12:05:00Z"),
    },
  });
});

test("where a partner asks for it, a JWT without a jti is none", async (t) => {
  t.deepEqual(await judge(await sign(claims), { jti: "required" }), { ok: false, reason: "jti missing" });
  t.like(await judge(await sign({ ...claims, jti: "one" }), { jti: "required" }), { ok: true });
  t.like(await judge(await sign(claims), { jti: "optional" }), { ok: true });
});

test("once iss and aud are set, those of others are refused, and a JWT without them as well", async (t) => {
  const rules = { issuer: "https://bank.example", audience: "tideline" };
  const own = { ...claims, iss: "https://bank.example", aud: ["other", "tideline"] };
  t.like(await judge(await sign(own), rules), { ok: true });
  for (const [changed, reason] of [
    [{ iss: "https://other.example" }, "iss is another"],
    [{ iss: undefined }, "iss is another"],
    [{ aud: "other" }, "aud is another"],
    [{ aud: undefined }, "aud is another"],
  ] as const) {
    const { iss, aud, ...others } = { ...own, ...changed };
    const payload = await sign({ ...others, ...(iss ? { iss } : {}), ...(aud ? { aud } : {}) });
    t.deepEqual(await judge(payload, rules), { ok: false, reason });
  }
});

for (const [algorithm, pair] of Object.entries({ PS256: rsa, ES256: ec, EdDSA: ed })) {
  test(`${algorithm} is taken only where the partner allows it`, async (t) => {
    const keys = [{ kid: null, algorithm, publicKey: pair.publicKey }];
    const payload = await sign(claims, { alg: algorithm }, pair.privateKey);
    t.like(await judge(payload, { algorithms: [algorithm] }, keys), { ok: true });
    t.deepEqual(await judge(payload, {}, keys), { ok: false, reason: "algorithm not allowed" });
  });
}

test("a JWT may name who acts for the user, and none that names nobody", async (t) => {
  t.like(await judge(await sign({ ...claims, act: { sub: "adviser-17", act: { sub: "desk" } } })), {
    ok: true,
    login: { bankUserId: "anna", actor: "adviser-17" },
  });
  for (const act of [null, "adviser-17", {}, { sub: "" }, { sub: 17 }, { sub: "x".repeat(101) }]) {
    t.deepEqual(await judge(await sign({ ...claims, act } as JWTPayload)), { ok: false, reason: "act names nobody" });
  }
});

test("the kid chooses among the partner's keys; a key without one may be meant by any", async (t) => {
  const named = (kid: string | null, publicKey = rsa.publicKey): LoginKey => ({ kid, algorithm: "RS256", publicKey });
  const withKid = await sign(claims, { alg: "RS256", kid: "a" });
  t.like(await judge(withKid, {}, [named("b", otherRsa.publicKey), named("a")]), { ok: true });
  t.like(await judge(withKid, {}, [named(null)]), { ok: true });
  t.like(await judge(withKid, {}, [named("b")]), { ok: false });
  const withoutKid = await sign(claims);
  t.like(await judge(withoutKid, {}, [named("b", otherRsa.publicKey), named("a")]), { ok: true });
});

test("a key is never used for another algorithm than its own", async (t) => {
  const payload = await sign(claims, { alg: "PS256" });
  t.like(await judge(payload, { algorithms: ["PS256", "RS256"] }), { ok: false });
});

test("a JWT signed with the public key as a shared secret is refused", async (t) => {
  const secret = rsa.publicKey.export({ format: "pem", type: "spki" });
  const payload = await new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from(secret));
  t.deepEqual(await judge(payload), { ok: false, reason: "algorithm not allowed" });
});

test("an unsigned JWT is refused", async (t) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  t.like(await judge(`${part({ alg: "none" })}.${part(claims)}.`), { ok: false });
});

test("a key that the JWT brings along is not used", async (t) => {
  const jwk = otherRsa.publicKey.export({ format: "jwk" });
  const payload = await new SignJWT(claims).setProtectedHeader({ alg: "RS256", jwk }).sign(otherRsa.privateKey);
  t.deepEqual(await judge(payload), { ok: false, reason: "signed by no key of the partner" });
});

const refused: [what: string, payload: JWTPayload, reason: string][] = [
  ["no exp", { sub: "anna", brand: "north-dk" }, "exp missing"],
  ["exp now", { ...claims, exp: seconds }, "expired"],
  ["exp eleven minutes ahead", { ...claims, exp: seconds + 660 }, "exp too far ahead"],
  ["nbf two minutes ahead", { ...claims, nbf: seconds + 120 }, "nbf in the future"],
  ["iat two minutes ahead", { ...claims, iat: seconds + 120 }, "iat in the future"],
  ["no sub", { brand: "north-dk", exp: seconds + 300 }, "sub missing"],
  ["an empty sub", { ...claims, sub: "" }, "sub missing"],
  ["a NUL in sub", { ...claims, sub: "an\0na" }, "sub missing"],
  ["no brand", { sub: "anna", exp: seconds + 300 }, "brand claim missing"],
];
for (const [what, payload, reason] of refused) {
  test(`a JWT with ${what} is refused`, async (t) => {
    t.deepEqual(await judge(await sign(payload)), { ok: false, reason });
  });
}

test("exp may be ten minutes ahead, iat and nbf a minute", async (t) => {
  t.like(await judge(await sign({ ...claims, exp: seconds + 600, iat: seconds + 60, nbf: seconds + 60 })), {
    ok: true,
  });
});

test("issuer and audience are checked where they are set", async (t) => {
  const rules = { issuer: "https://bank.example", audience: "tideline" };
  const right = { ...claims, iss: "https://bank.example", aud: ["other", "tideline"] };
  t.like(await judge(await sign(right), rules), { ok: true });
  t.deepEqual(await judge(await sign({ ...right, iss: "https://else.example" }), rules), {
    ok: false,
    reason: "iss is another",
  });
  t.deepEqual(await judge(await sign({ ...right, aud: "other" }), rules), { ok: false, reason: "aud is another" });
  t.deepEqual(await judge(await sign(claims), rules), { ok: false, reason: "iss is another" });
});

test("the brand is read from the claim that the partner names", async (t) => {
  const payload = await sign({ sub: "anna", exp: seconds + 300, "https://bank.example/brand": "north-se" });
  t.like(await judge(payload, { brandClaim: "https://bank.example/brand" }), {
    ok: true,
    login: { brandId: "north-se" },
  });
});

test("a signed text that is no claims set is refused", async (t) => {
  for (const text of ["", "[]", "null", "17", "{", '"text"']) {
    const payload = await new CompactSign(Buffer.from(text)).setProtectedHeader({ alg: "RS256" }).sign(rsa.privateKey);
    t.deepEqual(await judge(payload), { ok: false, reason: "exp missing" }, text);
  }
});

test("a critical extension is refused, unencoded payloads too", async (t) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  t.deepEqual(await judge(`${part({ alg: "RS256", b64: false, crit: ["b64"] })}.${part(claims)}.AA`), {
    ok: false,
    reason: "critical extension",
  });
});

test("texts that are no JWT are refused", async (t) => {
  for (const text of ["", ".", "..", "a.b.c", "e30.e30.e30", "{}", "x".repeat(5000)])
    t.like(await judge(text), { ok: false }, text.slice(0, 20));
});

test("every single changed character of a JWT makes it invalid", async (t) => {
  const payload = await sign(claims);
  for (let at = 0; at < payload.length - 1; at++) {
    const changed = payload[at] === "A" ? "B" : "A";
    t.like(await judge(payload.slice(0, at) + changed + payload.slice(at + 1)), { ok: false }, `position ${at}`);
  }
});
