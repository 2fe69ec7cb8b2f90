import assert from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import test from "ava";
import { CompactEncrypt, type JWK } from "jose";
import nodeJose from "node-jose";
import { requestPlaintextBytesMax } from "../../config/limits.ts";
import { unwrapContentKey, unwrapContentKeyHere } from "../../workers/jwe/content-key.ts";
import { beside, type FindKey, here, openToken as openWith } from "../../workers/jwe/open.ts";
import { flipBit, keyFinder, makeKey, replaceSegment, type SealOptions, sealToken } from "./sealing.ts";

const key = makeKey();
const findKey = keyFinder(key);
const content = JSON.stringify([{ uid: "u1", type: "TX" }]);

/** Both ways, which must agree. */
async function openToken(token: string, find: FindKey): Promise<Buffer | null> {
  const opened = await openWith(token, find, beside);
  assert.deepEqual(await openWith(token, find, here), opened);
  return opened;
}

test("a batch opens, deflated or not", async (t) => {
  t.is((await openToken(sealToken(key, content), findKey))?.toString(), content);
  t.is((await openToken(sealToken(key, content, { compress: false }), findKey))?.toString(), content);
});

test("an empty plaintext opens", async (t) => {
  t.is((await openToken(sealToken(key, "", { compress: false }), findKey))?.length, 0);
});

test("batches of other implementations open", async (t) => {
  const jwk = { ...key.publicKey.export({ format: "jwk" }), kid: key.kid, use: "enc", alg: "RSA-OAEP" };
  const byNodeJose = await nodeJose.JWE.createEncrypt({ format: "compact", zip: "DEF", contentAlg: "A256GCM", fields: { alg: "RSA-OAEP" } }, await nodeJose.JWK.asKey(jwk)).update(Buffer.from(content)).final();
  const byJose = await new CompactEncrypt(Buffer.from(content)).setProtectedHeader({ alg: "RSA-OAEP", enc: "A256GCM", kid: key.kid, zip: "DEF" }).encrypt(key.publicKey);
  t.is((await openToken(byNodeJose, findKey))?.toString(), content);
  t.is((await openToken(byJose, findKey))?.toString(), content);
});

test("parameters that the contract does not name are ignored", async (t) => {
  t.is((await openToken(sealToken(key, content, { header: { cty: "JSON", typ: "JWE", p2c: 1 } }), findKey))?.toString(), content);
});

const outOfContract: Record<string, SealOptions> = {
  "another alg": { header: { alg: "RSA-OAEP-256" } },
  "RSA1_5": { header: { alg: "RSA1_5" } },
  "dir": { header: { alg: "dir" } },
  "another enc": { header: { enc: "A128GCM" } },
  "CBC": { header: { enc: "A256CBC-HS512" } },
  "another zip": { header: { zip: "GZIP" } },
  "zip null": { header: { zip: null } },
  "crit": { header: { crit: ["exp"], exp: 1 } },
  "no kid": { header: { kid: undefined } },
  "a kid that is a number": { header: { kid: 7 } },
  "a kid with NUL": { header: { kid: "key-1\0" } },
  "an unknown kid": { header: { kid: "key-2" } },
  "an IV of 16 bytes": { iv: Buffer.alloc(16) },
  "an IV of 8 bytes": { iv: Buffer.alloc(8) },
  "a tag of 12 bytes": { authTagLength: 12 },
  "a content key of 16 bytes": { contentKey: Buffer.alloc(16) },
  "a content key of 33 bytes": { contentKey: Buffer.alloc(33) },
  "a plaintext that is not deflated": { header: { zip: "DEF" }, compress: false },
};

for (const [name, options] of Object.entries(outOfContract)) {
  test(`refused: ${name}`, async (t) => {
    t.is(await openToken(sealToken(key, content, options), findKey), null);
  });
}

const broken: Record<string, (token: string) => string> = {
  "nothing": () => "",
  "four segments": (token) => token.split(".").slice(0, 4).join("."),
  "six segments": (token) => `${token}.x`,
  "padding": (token) => `${token}==`,
  "plain base64": (token) => replaceSegment(token, 3, (text) => `${text.slice(0, -4)}+/+/`),
  "a blank": (token) => replaceSegment(token, 3, (text) => `${text.slice(0, 4)} ${text.slice(4)}`),
  "left-over bits in the tag": (token) => replaceSegment(token, 4, (text) => text.slice(0, -1) + (text.endsWith("A") ? "B" : String.fromCharCode(text.charCodeAt(21) + 1))),
  "a header that is no JSON": (token) => replaceSegment(token, 0, () => "bm8"),
  "a header that is an array": (token) => replaceSegment(token, 0, () => Buffer.from("[]").toString("base64url")),
  "a header that is not UTF-8": (token) => replaceSegment(token, 0, () => Buffer.from([0x7b, 0xff, 0x7d]).toString("base64url")),
  "a changed header": (token) => replaceSegment(token, 0, (text) => Buffer.from(Buffer.from(text, "base64url").toString().replace("{", "{ ")).toString("base64url")),
  "an empty key": (token) => replaceSegment(token, 1, () => ""),
  "a short key": (token) => replaceSegment(token, 1, (text) => text.slice(0, -4)),
  "a truncated ciphertext": (token) => replaceSegment(token, 3, (text) => text.slice(0, -4)),
  "no ciphertext": (token) => replaceSegment(token, 3, () => ""),
  "JSON serialization": (token) => JSON.stringify({ ciphertext: token }),
};

for (const [name, breakIt] of Object.entries(broken)) {
  test(`refused: ${name}`, async (t) => {
    t.is(await openToken(breakIt(sealToken(key, content)), findKey), null);
  });
}

test("one flipped bit anywhere is refused", async (t) => {
  const token = sealToken(key, content);
  for (let segment = 0; segment < 5; segment += 1) {
    for (let bit = 0; bit < 96; bit += 1) {
      if ((await openToken(replaceSegment(token, segment, (text) => flipBit(text, bit * 7)), findKey)) !== null) t.fail(`segment ${segment}, bit ${bit * 7}`);
    }
  }
  t.pass();
});

test("a batch that inflates past its limit is refused", async (t) => {
  t.is(await openToken(sealToken(key, Buffer.alloc(requestPlaintextBytesMax + 1, "[")), findKey), null);
  t.is((await openToken(sealToken(key, Buffer.alloc(requestPlaintextBytesMax, "[")), findKey))?.length, requestPlaintextBytesMax);
});

for (const [where, unwrap] of [["beside the thread", unwrapContentKey], ["on it", unwrapContentKeyHere]] as const) {
  test(`a key that does not unwrap ${where} gives a random one, never an error`, async (t) => {
    const garbage = Buffer.alloc(256, 1);
    const first = await unwrap(key.privateKey, garbage);
    t.is(first.length, 32);
    t.notDeepEqual(first, await unwrap(key.privateKey, garbage));
    t.is((await unwrap(key.privateKey, Buffer.alloc(0))).length, 32);
  });
}

test("RFC 7520, section 5.2, opens", async (t) => {
  const vector = readVector<{ input: { plaintext: string; key: JWK }; output: { compact: string } }>("rfc7520/5_2.key_encryption_using_rsa-oaep_with_aes-gcm.json");
  const privateKey = createPrivateKey({ key: vector.input.key, format: "jwk" });
  t.is((await openToken(vector.output.compact, async () => privateKey))?.toString(), vector.input.plaintext);
});

type JweGroup = { private: JWK; tests: { tcId: number; jwe: string; pt?: string; result: string }[] };

test("Wycheproof: of the RSA batches exactly the one within the contract opens", async (t) => {
  const opened: number[] = [];
  for (const group of readVector<{ testGroups: JweGroup[] }>("wycheproof/json_web_encryption_rsa_test.json").testGroups) {
    const privateKey = createPrivateKey({ key: group.private, format: "jwk" });
    for (const { tcId, jwe, pt } of group.tests) {
      const plaintext = await openToken(jwe, async () => privateKey);
      if (plaintext === null) continue;
      opened.push(tcId);
      t.is(plaintext.toString("hex"), pt ?? "");
    }
  }
  // 129 is RFC 7520's; 84 has the right algorithms and names no key.
  t.deepEqual(opened, [129]);
});

type OaepGroup = { privateKeyPem: string; tests: { tcId: number; msg: string; ct: string; label: string; result: string }[] };

for (const [where, unwrap] of [["beside the thread", unwrapContentKey], ["on it", unwrapContentKeyHere]] as const) {
  test(`Wycheproof: RSA-OAEP ${where} unwraps the valid content key and nothing else`, async (t) => {
    const unwrapped: number[] = [];
    for (const group of readVector<{ testGroups: OaepGroup[] }>("wycheproof/rsa_oaep_2048_sha1_mgf1sha1_test.json").testGroups) {
      const privateKey = createPrivateKey(group.privateKeyPem);
      for (const { tcId, msg, ct } of group.tests) {
        const contentKey = await unwrap(privateKey, Buffer.from(ct, "hex"));
        t.is(contentKey.length, 32);
        if (contentKey.toString("hex") === msg) unwrapped.push(tcId);
      }
    }
    // The only valid one without a label whose message has the 32 bytes of a content key.
    t.deepEqual(unwrapped, [7]);
  });
}

function readVector<Vector>(name: string): Vector {
  return JSON.parse(readFileSync(new URL(`../vectors/${name}`, import.meta.url), "utf8")) as Vector;
}
