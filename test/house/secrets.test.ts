/** The repository holds no secret but those that the world knows: vectors of standards, and what a test is about. */
import { execFile } from "node:child_process";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import test from "ava";
import { SignJWT } from "jose";
import { secretsIn } from "./secrets.ts";

const root = path.resolve(import.meta.dirname, "../..");
/** Where one may stand, and why it is none. */
const known: Readonly<Record<string, string>> = {
  "test/demo/inbox.test.ts: webhook secret": "the example of Standard Webhooks' own documents",
  "test/log-tap/findings.test.ts: webhook secret": "an example of what no log may hold",
  "test/vectors/rfc7520/5_1.key_encryption_using_rsa_v15_and_aes-hmac-sha2.json: private JWK": "printed in RFC 7520",
  "test/vectors/rfc7520/5_2.key_encryption_using_rsa-oaep_with_aes-gcm.json: private JWK": "printed in RFC 7520",
  "test/vectors/wycheproof/json_web_encryption_test.json: private JWK": "of the Wycheproof vectors",
  "test/vectors/wycheproof/json_web_key_test.json: private JWK": "of the Wycheproof vectors",
  "test/vectors/wycheproof/json_web_signature_test.json: private JWK": "of the Wycheproof vectors",
  "test/vectors/wycheproof/json_web_signature_test.json: signed token": "of the Wycheproof vectors",
  "test/vectors/wycheproof/rsa_oaep_2048_sha1_mgf1sha1_test.json: private JWK": "of the Wycheproof vectors",
  "test/vectors/wycheproof/rsa_oaep_2048_sha1_mgf1sha1_test.json: private key": "of the Wycheproof vectors",
};

test("no file of the repository holds a secret but those named here", async (t) => {
  const { stdout } = await promisify(execFile)("git", ["ls-files", "-z"], { cwd: root, maxBuffer: 2 ** 26 });
  const files = stdout.split("\0").filter(Boolean);
  t.true(files.length > 1000, "the whole repository is looked through");
  const found: string[] = [];
  for (const file of files) {
    const bytes = await readFile(path.join(root, file)).catch(() => Buffer.alloc(0));
    for (const kind of bytes.includes(0) ? [] : secretsIn(bytes.toString("utf8"))) found.push(`${file}: ${kind}`);
  }
  t.deepEqual(found.toSorted(), Object.keys(known).toSorted());
});

test("secrets are known by their form", async (t) => {
  const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = pair.privateKey.export({ format: "pem", type: "pkcs8" }).toString();
  const token = await new SignJWT({ sub: "anna" }).setProtectedHeader({ alg: "ES256" }).sign(pair.privateKey);
  const random = (bytes: number) => randomBytes(bytes).toString("hex");
  for (const [text, kind] of [
    [pem, "private key"],
    [JSON.stringify({ key: pem }), "private key"],
    [JSON.stringify(pair.privateKey.export({ format: "jwk" })), "private JWK"],
    [`authorization: Bearer ${token}`, "signed token"],
    [`whsec_${randomBytes(32).toString("base64")}`, "webhook secret"],
    [`ghp_${random(18)}`, "token of a cloud or a forge"],
    [`AKIA${random(8).toUpperCase()}`, "token of a cloud or a forge"],
    [`postgres://tideline:a1${random(8)}@db.example/tideline`, "password in an address"],
  ] as const)
    t.deepEqual(secretsIn(`const value = ${text};`), [kind]);
  const publicPem = pair.publicKey.export({ format: "pem", type: "spki" }).toString();
  for (const text of [
    publicPem,
    JSON.stringify(pair.publicKey.export({ format: "jwk" })),
    "https://bank.example/a:b@c",
  ])
    t.deepEqual(secretsIn(text), []);
});
