/**
 * Published signature and key vectors, along the way that a partner's keys and signatures go: registered, then used.
 */
import test, { type ExecutionContext } from "ava";
import type { JWK } from "jose";
import { Fault } from "../../src/errors.ts";
import { addLoginKey, findLoginKeys, type LoginKey } from "../../src/partners/keys/login-keys.ts";
import { readClaims } from "../../src/partners/login.ts";
import { type LoginAlgorithm, readLoginRules } from "../../src/partners/settings/login-rules.ts";
import { verifySignature } from "../../workers/records/signature.ts";
import { createTestDatabase, type TestDatabase } from "../world.ts";
import { type Judged, type KeySet, keysOf, readVector, type Wycheproof } from "./vectors.ts";

const algorithms = ["RS256", "PS256", "ES256", "EdDSA"] as const;
const rules = readLoginRules({ login: { algorithms } });
const now = new Date("2026-06-15T12:00:00Z");

type Group = { public?: JWK | KeySet; private: JWK | KeySet; tests: (Judged & { jws: string | object })[] };

/**
 * Registers what the key can be registered for. A shared secret has no public half: what is offered then is the secret.
 */
async function register(t: ExecutionContext, { database }: TestDatabase, group: Group): Promise<LoginKey[]> {
  const partnerId = `p${crypto.randomUUID().slice(0, 8)}`;
  await database.query("insert into partners (id, name) values ($1, 'Vectors')", [partnerId]);
  for (const jwk of keysOf(group.public ?? group.private)) {
    for (const algorithm of algorithms) {
      const key = { partnerId, kid: jwk.kid ?? null, algorithm, publicKeyPem: JSON.stringify(jwk), expiresAt: null };
      await addLoginKey(database, key).catch((error: unknown) =>
        t.true(error instanceof Fault && error.code === "COMMAND_USAGE", String(error)),
      );
    }
  }
  return await findLoginKeys(database, partnerId, now);
}

/** Whether a login by it gets as far as its claims, which these contents do not have. */
async function isTakenAsLogin(token: string, keys: readonly LoginKey[]): Promise<boolean> {
  const claims = await readClaims(token, rules, keys, now);
  return !claims.ok && claims.reason === "exp missing";
}

/** Signed by an algorithm that partners may use, with a key whose own `alg` says nothing else. */
function isWithinContract(token: string, group: Group): boolean {
  const { alg, kid } = JSON.parse(Buffer.from(token.split(".", 1)[0] ?? "", "base64url").toString()) as {
    alg?: string;
    kid?: string;
  };
  const named = keysOf(group.public ?? group.private).filter(
    (jwk) => kid === undefined || jwk.kid === undefined || jwk.kid === kid,
  );
  return algorithms.some((allowed) => allowed === (alg as LoginAlgorithm)) && named.some((jwk) => jwk.alg === alg);
}

async function judge(t: ExecutionContext, name: string): Promise<number[]> {
  const world = await createTestDatabase(t);
  const vectors = readVector<Wycheproof<Group>>(name);
  const taken: number[] = [];
  let judged = 0;
  for (const group of vectors.testGroups) {
    const keys = await register(t, world, group);
    for (const vector of group.tests) {
      const token = typeof vector.jws === "string" ? vector.jws : JSON.stringify(vector.jws);
      const isGood = typeof vector.jws === "string" && vector.result === "valid" && isWithinContract(token, group);
      t.is(await isTakenAsLogin(token, keys), isGood, `${vector.tcId} as a login`);
      t.is((await verifySignature(Buffer.from(token), keys)) !== null, isGood, `${vector.tcId} inside a batch`);
      if (isGood) taken.push(vector.tcId);
      judged += 1;
    }
  }
  t.is(judged, vectors.numberOfTests);
  return taken;
}

test("Wycheproof: of all signatures the valid ones by an allowed algorithm are taken, and no other", async (t) => {
  t.deepEqual(
    await judge(t, "wycheproof/json_web_signature_test.json"),
    [18, 33, 259, 260, 261, 262, 263, 272, 273, 274, 275, 287, 288, 345, 349, 378],
  );
});

test("Wycheproof: of all keys the sound ones for an allowed algorithm are taken, and no other", async (t) => {
  t.deepEqual(await judge(t, "wycheproof/json_web_key_test.json"), [5]);
});
