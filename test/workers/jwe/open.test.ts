/** A sealed batch opens as its contract says, and anything changed, oversized or of another algorithm is refused. */
import assert from "node:assert/strict";
import test from "ava";
import { CompactEncrypt } from "jose";
import nodeJose from "node-jose";
import { requestPlaintextBytesMax } from "../../../config/limits.ts";
import { unwrapContentKey, unwrapContentKeyHere } from "../../../workers/jwe/content-key.ts";
import { beside, type FindKey, here, openToken as openWith } from "../../../workers/jwe/open.ts";
import { flipBit, keyFinder, makeKey, replaceSegment, type SealOptions, sealToken } from "../sealing.ts";

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
  const byNodeJose = await nodeJose.JWE.createEncrypt(
    { format: "compact", zip: "DEF", contentAlg: "A256GCM", fields: { alg: "RSA-OAEP" } },
    await nodeJose.JWK.asKey(jwk),
  )
    .update(Buffer.from(content))
    .final();
  const byJose = await new CompactEncrypt(Buffer.from(content))
    .setProtectedHeader({ alg: "RSA-OAEP", enc: "A256GCM", kid: key.kid, zip: "DEF" })
    .encrypt(key.publicKey);
  t.is((await openToken(byNodeJose, findKey))?.toString(), content);
  t.is((await openToken(byJose, findKey))?.toString(), content);
});

test("parameters that the contract does not name are ignored", async (t) => {
  t.is(
    (await openToken(sealToken(key, content, { header: { cty: "JSON", typ: "JWE", p2c: 1 } }), findKey))?.toString(),
    content,
  );
});

const outOfContract: Record<string, SealOptions> = {
  "another alg": { header: { alg: "RSA-OAEP-256" } },
  RSA1_5: { header: { alg: "RSA1_5" } },
  dir: { header: { alg: "dir" } },
  "another enc": { header: { enc: "A128GCM" } },
  CBC: { header: { enc: "A256CBC-HS512" } },
  "another zip": { header: { zip: "GZIP" } },
  "zip null": { header: { zip: null } },
  crit: { header: { crit: ["exp"], exp: 1 } },
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
  nothing: () => "",
  "four segments": (token) => token.split(".").slice(0, 4).join("."),
  "six segments": (token) => `${token}.x`,
  padding: (token) => `${token}==`,
  "plain base64": (token) => replaceSegment(token, 3, (text) => `${text.slice(0, -4)}+/+/`),
  "a blank": (token) => replaceSegment(token, 3, (text) => `${text.slice(0, 4)} ${text.slice(4)}`),
  "left-over bits in the tag": (token) =>
    replaceSegment(
      token,
      4,
      (text) => text.slice(0, -1) + (text.endsWith("A") ? "B" : String.fromCharCode(text.charCodeAt(21) + 1)),
    ),
  "a header that is no JSON": (token) => replaceSegment(token, 0, () => "bm8"),
  "a header that is an array": (token) => replaceSegment(token, 0, () => Buffer.from("[]").toString("base64url")),
  "a header that is not UTF-8": (token) =>
    replaceSegment(token, 0, () => Buffer.from([0x7b, 0xff, 0x7d]).toString("base64url")),
  "a changed header": (token) =>
    replaceSegment(token, 0, (text) =>
      Buffer.from(Buffer.from(text, "base64url").toString().replace("{", "{ ")).toString("base64url"),
    ),
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
      if (
        (await openToken(
          replaceSegment(token, segment, (text) => flipBit(text, bit * 7)),
          findKey,
        )) !== null
      )
        t.fail(`segment ${segment}, bit ${bit * 7}`);
    }
  }
  t.pass();
});

test("a batch that inflates past its limit is refused", async (t) => {
  t.is(await openToken(sealToken(key, Buffer.alloc(requestPlaintextBytesMax + 1, "[")), findKey), null);
  t.is(
    (await openToken(sealToken(key, Buffer.alloc(requestPlaintextBytesMax, "[")), findKey))?.length,
    requestPlaintextBytesMax,
  );
});

for (const [where, unwrap] of [
  ["beside the thread", unwrapContentKey],
  ["on it", unwrapContentKeyHere],
] as const) {
  test(`a key that does not unwrap ${where} gives a random one, never an error`, async (t) => {
    const garbage = Buffer.alloc(256, 1);
    const first = await unwrap(key.privateKey, garbage);
    t.is(first.length, 32);
    t.notDeepEqual(first, await unwrap(key.privateKey, garbage));
    t.is((await unwrap(key.privateKey, Buffer.alloc(0))).length, 32);
  });
}
