/** A token is ours for an hour, over servers and rotations of the signing key, and no other text is. */
import { randomBytes } from "node:crypto";
import test from "ava";
import { decodeProtectedHeader, SignJWT } from "jose";
import { createClock } from "../../src/time/clock.ts";
import { inTransaction } from "../../src/database/database.ts";
import { loadTokenKeys, rotateTokenKey } from "../../src/partners/keys/token-keys.ts";
import { isEnded } from "../../src/partners/revocations.ts";
import { createTokens } from "../../src/partners/tokens.ts";
import { createTestDatabase } from "../world.ts";

const subject = {
  partnerId: "north",
  brandId: "north-dk",
  subject: "5a1f0d4e-6a0b-4c58-9d6e-2f3b1c0a9e77",
  actor: null,
  revokedAt: null,
};
const start = Date.parse("2026-06-15T12:00:00Z");

/** A clock that stands where it is put. */
function standingClock(): { clock: ReturnType<typeof createClock>; passes(ms: number): void } {
  let at = start;
  return { clock: createClock(undefined, new Date(start), () => new Date(at)), passes: (ms) => (at += ms) };
}

test("a token is ours for an hour and not a second longer", async (t) => {
  const { database } = await createTestDatabase(t);
  const { clock, passes } = standingClock();
  const tokens = createTokens(database, randomBytes(32), clock);
  const token = await tokens.issue(subject);
  t.deepEqual(await tokens.verify(token), {
    partnerId: "north",
    subject: subject.subject,
    actor: null,
    issuedAt: start / 1000,
    expiresAt: new Date("2026-06-15T13:00:00Z"),
  });
  t.like(await tokens.verify(await tokens.issue({ ...subject, actor: "Rådgiver Åse" })), {
    subject: subject.subject,
    actor: "Rådgiver Åse",
  });
  passes(3_599_000);
  t.truthy(await tokens.verify(token));
  passes(1000);
  t.is(await tokens.verify(token), null);
});

test("a token made in the second in which the others were ended is none of them", async (t) => {
  const { database } = await createTestDatabase(t);
  const { clock, passes } = standingClock();
  const tokens = createTokens(database, randomBytes(32), clock);
  passes(200);
  const madeAt = async (revokedAt: number | null) =>
    (await tokens.verify(await tokens.issue({ ...subject, revokedAt })))?.issuedAt ?? 0;
  const before = await madeAt(null);
  const revokedAt = start + 500;
  passes(400);
  const after = await madeAt(revokedAt);
  t.deepEqual([isEnded(before, revokedAt), isEnded(after, revokedAt)], [true, false]);
  t.false(isEnded(before, null));
});

test("servers that start together make one key", async (t) => {
  const { database } = await createTestDatabase(t);
  const keyEncryptionKey = randomBytes(32);
  const loaded = await Promise.all(
    Array.from({ length: 5 }, () => loadTokenKeys(database, keyEncryptionKey, new Date())),
  );
  t.is(new Set(loaded.flat().map((key) => key.kid)).size, 1);
  t.is((await database.query("select 1 from service_keys")).rowCount, 1);
});

test("after a rotation the next key signs, and what the last one signed stays valid until it retires", async (t) => {
  const { database } = await createTestDatabase(t);
  const keyEncryptionKey = randomBytes(32);
  const { clock, passes } = standingClock();
  const tokens = createTokens(database, keyEncryptionKey, clock);
  const before = await tokens.issue(subject);
  const retireAt = new Date(start + 7_200_000);
  const { kid } = await inTransaction(database, (transaction) =>
    rotateTokenKey(transaction, keyEncryptionKey, retireAt),
  );

  // Another server's token with the new key is known at once, not only when the remembered keys are old.
  passes(1000);
  const elsewhere = createTokens(database, keyEncryptionKey, clock);
  const after = await elsewhere.issue(subject);
  t.is(decodeProtectedHeader(after).kid, kid);
  t.truthy(await tokens.verify(after));
  t.truthy(await tokens.verify(before));
  passes(10_000);
  t.is(decodeProtectedHeader(await tokens.issue(subject)).kid, kid);
});

test("a retired key verifies no more", async (t) => {
  const { database } = await createTestDatabase(t);
  const keyEncryptionKey = randomBytes(32);
  const { clock, passes } = standingClock();
  const tokens = createTokens(database, keyEncryptionKey, clock);
  const token = await tokens.issue(subject);
  t.truthy(await tokens.verify(token));
  await inTransaction(database, (transaction) =>
    rotateTokenKey(transaction, keyEncryptionKey, new Date(start + 60_000)),
  );
  passes(59_000);
  t.truthy(await tokens.verify(token));
  passes(2000);
  t.is(await tokens.verify(token), null);
});

test("the private key in the database does not open with another key-encryption key", async (t) => {
  const { database } = await createTestDatabase(t);
  await loadTokenKeys(database, randomBytes(32), new Date());
  await t.throwsAsync(loadTokenKeys(database, randomBytes(32), new Date()), { message: /key-encryption key/ });
});

test("what we did not sign is not ours", async (t) => {
  const { database } = await createTestDatabase(t);
  const keyEncryptionKey = randomBytes(32);
  const clock = createClock();
  const tokens = createTokens(database, keyEncryptionKey, clock);
  const [key] = await loadTokenKeys(database, keyEncryptionKey, new Date());
  if (!key) return t.fail();
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: "tideline", aud: "north", sub: subject.subject, iat: now, exp: now + 60 };
  const sign = (payload: object, header: object = {}) =>
    new SignJWT({ ...payload }).setProtectedHeader({ alg: "ES256", kid: key.kid, ...header }).sign(key.privateKey);

  t.truthy(await tokens.verify(await sign(claims)));
  t.is(await tokens.verify(await sign({ ...claims, iss: "else" })), null);
  t.is(await tokens.verify(await sign({ ...claims, exp: now - 1 })), null);
  t.is(await tokens.verify(await sign({ iss: "tideline", aud: "north", sub: subject.subject })), null);
  t.is(await tokens.verify(await sign({ ...claims, sub: "1 or true" })), null);
  t.is(await tokens.verify(await sign({ ...claims, aud: ["north", "south"] })), null);
  t.is(await tokens.verify(await sign(claims, { kid: "unknown" })), null);
  t.is(await tokens.verify(await sign(claims, { kid: 17 })), null);
  for (const text of ["", "x", "a.b.c", "..", `${await sign(claims)}x`, "e30.e30.e30"])
    t.is(await tokens.verify(text), null, text);
});
