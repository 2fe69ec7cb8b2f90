/** Published encryption vectors, each to both readers of batches: as a request and as a file. */
import assert from "node:assert/strict";
import { createPrivateKey, type KeyObject } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "ava";
import type { JWK } from "jose";
import { collect } from "../workers/collecting.ts";
import { unwrapContentKey, unwrapContentKeyHere } from "../../workers/jwe/content-key.ts";
import { beside, type FindKey, here, openToken as openWith } from "../../workers/jwe/open.ts";
import { SealedFile } from "../../workers/jwe/sealed-file.ts";
import { NotOpened } from "../../workers/not-opened.ts";
import { keyFinder, makeKey, sealToken } from "../workers/sealing.ts";
import { eachOf, type Judged, readVector, type Wycheproof } from "./vectors.ts";

const folder = await mkdtemp(path.join(tmpdir(), "tideline-vectors-"));
test.after.always(() => rm(folder, { recursive: true, force: true }));

/** Both ways of a request, which must agree. */
async function openToken(token: string, findKey: FindKey): Promise<Buffer | null> {
  const opened = await openWith(token, findKey, beside);
  assert.deepEqual(await openWith(token, findKey, here), opened);
  return opened;
}

/** Null where it is refused. */
async function openAsFile(token: string, findKey: FindKey): Promise<Buffer | null> {
  const file = path.join(folder, `${crypto.randomUUID()}.jwe`);
  await writeFile(file, token);
  try {
    const sealed = await SealedFile.open(file, findKey);
    await sealed.verify();
    return await collect(sealed.plaintext());
  } catch (error) {
    if (error instanceof NotOpened) return null;
    throw error;
  }
}

/** What the interface lets a sender write, read without the code under test. */
function isWithinContract(token: string): boolean {
  const [segment = "", ...more] = token.split(".");
  if (more.length !== 4) return false;
  const { alg, enc, kid, zip, crit } = JSON.parse(Buffer.from(segment, "base64url").toString()) as Record<
    string,
    unknown
  >;
  return (
    alg === "RSA-OAEP" &&
    enc === "A256GCM" &&
    typeof kid === "string" &&
    (zip === undefined || zip === "DEF") &&
    crit === undefined
  );
}

function privateKeyOf(jwk: JWK): KeyObject | null {
  return jwk.kty === "RSA" ? createPrivateKey({ key: jwk, format: "jwk" }) : null;
}

type JweGroup = { private: JWK; tests: (Judged & { jwe: string | object; pt: string })[] };

test("Wycheproof: of all encrypted contents those within the contract open, and no other", async (t) => {
  const vectors = readVector<Wycheproof<JweGroup>>("wycheproof/json_web_encryption_test.json");
  const opened: number[] = [];
  let judged = 0;
  for (const { group, vector } of eachOf(vectors)) {
    // A partner's key is RSA; what needs another one must be refused before any key is asked for.
    const findKey: FindKey = async () =>
      privateKeyOf(group.private) ?? (t.fail(`${vector.tcId} reached a key`) as never);
    const token = typeof vector.jwe === "string" ? vector.jwe : JSON.stringify(vector.jwe);
    const [plaintext, ofFile] = [await openToken(token, findKey), await openAsFile(token, findKey)];
    t.deepEqual(ofFile, plaintext, String(vector.tcId));
    t.is(
      plaintext !== null,
      typeof vector.jwe === "string" && vector.result === "valid" && isWithinContract(token),
      String(vector.tcId),
    );
    if (plaintext) t.is(plaintext.toString("hex"), vector.pt);
    if (plaintext) opened.push(vector.tcId);
    judged += 1;
  }
  t.is(judged, vectors.numberOfTests);
  // RFC 7520's. 84 has the right algorithms and names no key.
  t.deepEqual(opened, [129]);
});

type OaepGroup = { privateKeyPem: string; tests: (Judged & { msg: string; ct: string; label: string })[] };

test("Wycheproof: RSA-OAEP unwraps each valid content key and gives a random one for everything else", async (t) => {
  const vectors = readVector<Wycheproof<OaepGroup>>("wycheproof/rsa_oaep_2048_sha1_mgf1sha1_test.json");
  const unwrapped: number[] = [];
  let judged = 0;
  for (const { group, vector } of eachOf(vectors)) {
    // Labels are no part of RFC 7518, and a content key has 32 bytes.
    const isContentKey = vector.result === "valid" && vector.label === "" && vector.msg.length === 64;
    for (const unwrap of [unwrapContentKey, unwrapContentKeyHere]) {
      const contentKey = await unwrap(createPrivateKey(group.privateKeyPem), Buffer.from(vector.ct, "hex"));
      t.is(contentKey.length, 32);
      t.is(contentKey.toString("hex") === vector.msg, isContentKey, String(vector.tcId));
    }
    if (isContentKey) unwrapped.push(vector.tcId);
    judged += 1;
  }
  t.is(judged, vectors.numberOfTests);
  t.deepEqual(unwrapped, [7]);
});

type Rfc7520 = {
  input: { plaintext: string; key: JWK };
  generated: { plaintext_c?: string };
  output: { compact: string };
};

test("RFC 7520, 5.2: RSA-OAEP with AES-GCM opens", async (t) => {
  const { input, output } = readVector<Rfc7520>("rfc7520/5_2.key_encryption_using_rsa-oaep_with_aes-gcm.json");
  const findKey = async () => privateKeyOf(input.key);
  t.is((await openToken(output.compact, findKey))?.toString(), input.plaintext);
  t.is((await openAsFile(output.compact, findKey))?.toString(), input.plaintext);
});

test("RFC 7520, 5.1: RSA1_5 with CBC is refused, although the key would fit", async (t) => {
  const { input, output } = readVector<Rfc7520>("rfc7520/5_1.key_encryption_using_rsa_v15_and_aes-hmac-sha2.json");
  const findKey = async () => privateKeyOf(input.key);
  t.is(await openToken(output.compact, findKey), null);
  t.is(await openAsFile(output.compact, findKey), null);
});

test("RFC 7520, 5.9: its key wrapping is refused; its DEFLATE inflates to its plaintext", async (t) => {
  const { input, generated, output } = readVector<Rfc7520>("rfc7520/5_9.compressed_content.json");
  const key = makeKey();
  t.is(await openToken(output.compact, keyFinder(key)), null);
  t.is(await openAsFile(output.compact, keyFinder(key)), null);
  const resealed = sealToken(key, Buffer.from(generated.plaintext_c ?? "", "base64url"), {
    compress: false,
    header: { zip: "DEF" },
  });
  t.is((await openToken(resealed, keyFinder(key)))?.toString(), input.plaintext);
  t.is((await openAsFile(resealed, keyFinder(key)))?.toString(), input.plaintext);
});
