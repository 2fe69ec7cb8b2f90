/** What is sealed, whole or streamed, opens with another JOSE implementation, and a failing source seals nothing. */
import { createDecipheriv, constants, generateKeyPairSync, privateDecrypt } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import test from "ava";
import { compactDecrypt } from "jose";
import { createSealer } from "../../src/sealing/sealer.ts";
import fc, { runs } from "../property.ts";
import { collect } from "../sender/records.ts";

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const jwk = { ...publicKey.export({ format: "jwk" }), kid: "key-1" };
const decoder = new TextDecoder();

async function* inPieces(...texts: string[]) {
  yield* texts;
}

for (const [size, records] of [
  ["small", 1],
  ["large", 3_000],
] as const)
  test(`another JOSE implementation opens a sealed batch that is ${size}`, async (t) => {
    const text = JSON.stringify(Array.from({ length: records }, (_, n) => ({ uid: `børge-${n}` })));
    const token = await (await createSealer(jwk)).seal(text);
    const { plaintext, protectedHeader } = await compactDecrypt(token, privateKey);
    t.is(decoder.decode(plaintext), text);
    t.deepEqual(protectedHeader, { alg: "RSA-OAEP", enc: "A256GCM", kid: "key-1", zip: "DEF" });
  });

test("another JOSE implementation opens a streamed token", async (t) => {
  const sealer = await createSealer(jwk);
  const token = (await collect(sealer.sealStream(inPieces("[", '{"uid":"børge"}', "]")))).join("");
  const { plaintext, protectedHeader } = await compactDecrypt(token, privateKey);
  t.is(decoder.decode(plaintext), '[{"uid":"børge"}]');
  t.is(protectedHeader.zip, "DEF");
});

test("a streamed token of any text opens to that text", async (t) => {
  const sealer = await createSealer(jwk);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: "grapheme", maxLength: 2000 })), async (texts) => {
      const token = (await collect(sealer.sealStream(inPieces(...texts)))).join("");
      t.is(open(token), texts.join(""));
    }),
    runs(30),
  );
});

test("a source that fails while it is streamed fails the token", async (t) => {
  const sealer = await createSealer(jwk);
  async function* failing() {
    yield "[";
    throw new Error("the source broke");
  }
  await t.throwsAsync(collect(sealer.sealStream(failing())), { message: "the source broke" });
});

test("a key that is no RSA public key with a kid is refused", async (t) => {
  await t.throwsAsync(createSealer({ kty: "EC", kid: "x" }), { code: "CREDENTIALS_INVALID" });
  await t.throwsAsync(createSealer(publicKey.export({ format: "jwk" })), { code: "CREDENTIALS_INVALID" });
});

/** Straight after RFC 7516, 5.2, without a library. */
function open(token: string): string {
  const [header = "", key = "", iv = "", ciphertext = "", tag = ""] = token.split(".");
  const bytes = (part: string) => Buffer.from(part, "base64url");
  const contentKey = privateDecrypt(
    { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1" },
    bytes(key),
  );
  const decipher = createDecipheriv("aes-256-gcm", contentKey, bytes(iv), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(header)).setAuthTag(bytes(tag));
  return inflateRawSync(Buffer.concat([decipher.update(bytes(ciphertext)), decipher.final()])).toString("utf8");
}
