/** A login key is the same as PEM and as JSON Web Key, and what is no fit public key is refused. */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import test, { type ExecutionContext } from "ava";
import { addLoginKey, findLoginKeys } from "../../../src/partners/keys/login-keys.ts";
import type { LoginAlgorithm } from "../../../src/partners/settings/login-rules.ts";
import { createTestDatabase } from "../../world.ts";

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });

const pem = (key: KeyObject) => key.export({ format: "pem", type: "spki" }) as string;
const jwk = (key: KeyObject, more: object = {}) => JSON.stringify({ ...key.export({ format: "jwk" }), ...more });

/** @returns the keys in force afterwards */
async function add(t: ExecutionContext, publicKeyPem: string, algorithm: LoginAlgorithm = "RS256") {
  const { database } = await createTestDatabase(t);
  await database.query("insert into partners (id, name) values ('demo', 'Demo')");
  await addLoginKey(database, { partnerId: "demo", kid: null, algorithm, publicKeyPem, expiresAt: null });
  return await findLoginKeys(database, "demo", new Date());
}

test("a PEM and a JSON Web Key of the same key are the same key", async (t) => {
  const [fromPem] = await add(t, pem(rsa.publicKey));
  const [fromJwk] = await add(t, jwk(rsa.publicKey, { use: "sig", alg: "RS256", key_ops: ["verify"], kid: "ignored" }));
  t.true(fromPem?.publicKey.equals(rsa.publicKey));
  t.true(fromJwk?.publicKey.equals(rsa.publicKey));
  t.is((await add(t, ` ${jwk(ec.publicKey)}\n`, "ES256"))[0]?.algorithm, "ES256");
});

const refused: Record<string, [text: string, message: RegExp]> = {
  "a secret JSON Web Key": [jwk(rsa.privateKey), /openssl pkey/],
  "a secret key as PKCS #8": [
    rsa.privateKey.export({ format: "pem", type: "pkcs8" }) as string,
    /private key: register its public half/,
  ],
  "a secret key as PKCS #1": [
    rsa.privateKey.export({ format: "pem", type: "pkcs1" }) as string,
    /private key: register its public half/,
  ],
  "a secret key as SEC 1": [
    ec.privateKey.export({ format: "pem", type: "sec1" }) as string,
    /private key: register its public half/,
  ],
  "an encrypted secret key": [
    rsa.privateKey.export({ format: "pem", type: "pkcs8", cipher: "aes-256-cbc", passphrase: "x" }) as string,
    /private key: register its public half/,
  ],
  "a key for encryption": [jwk(rsa.publicKey, { use: "enc" }), /not meant for signatures/],
  "a key for another algorithm": [jwk(rsa.publicKey, { alg: "PS256" }), /not meant for signatures by RS256/],
  "a key for other operations": [jwk(rsa.publicKey, { key_ops: ["encrypt"] }), /not meant for signatures/],
  "a set of keys": [JSON.stringify({ keys: [rsa.publicKey.export({ format: "jwk" })] }), /neither a public key/],
  "a key of another kind": [pem(ec.publicKey), /not a public key for RS256/],
  "a short modulus": [pem(generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey), /not a public key for RS256/],
  "a small exponent": [
    pem(generateKeyPairSync("rsa", { modulusLength: 2048, publicExponent: 3 }).publicKey),
    /not a public key for RS256/,
  ],
  "no key at all": ["ssh-rsa AAAA", /neither a public key/],
};

for (const [what, [text, message]] of Object.entries(refused)) {
  test(`refused: ${what}`, async (t) => {
    await t.throwsAsync(add(t, text), { code: "COMMAND_USAGE", message });
  });
}
