/**
 * A compact JWE (RFC 7516, 3.1) over a plaintext of any length, written as a stream in constant memory: RSA-OAEP,
 * A256GCM, DEF. What a sender's file is made of, and what the vault puts around a file that came in the clear.
 */
import { constants, createCipheriv, createPublicKey, publicEncrypt, randomBytes } from "node:crypto";
import { createDeflateRaw } from "node:zlib";

/** An RSA public key with its name. */
export type SealingKey = { kty: "RSA"; n: string; e: string; kid: string };

/** AES-256-GCM as RFC 7518, 5.3 has it: 256-bit key, 96-bit IV, 128-bit tag. */
const contentKeyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;

/** The token in pieces. */
export async function* sealStream(
  key: SealingKey,
  plaintext: AsyncIterable<string | Buffer>,
): AsyncGenerator<Buffer | string> {
  const header = Buffer.from(JSON.stringify({ alg: "RSA-OAEP", enc: "A256GCM", kid: key.kid, zip: "DEF" })).toString(
    "base64url",
  );
  const contentKey = randomBytes(contentKeyBytes);
  const iv = randomBytes(ivBytes);
  // RSA-OAEP of RFC 7518, 4.3 is OAEP with its default parameters: SHA-1 and MGF1 with SHA-1.
  const publicKey = createPublicKey({ key, format: "jwk" });
  const wrapped = publicEncrypt(
    { key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1" },
    contentKey,
  );
  const cipher = createCipheriv("aes-256-gcm", contentKey, iv, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(header));
  yield `${header}.${wrapped.toString("base64url")}.${iv.toString("base64url")}.`;
  yield* toBase64url(encrypt(cipher, deflate(plaintext)));
  yield `.${cipher.getAuthTag().toString("base64url")}`;
}

async function* deflate(plaintext: AsyncIterable<string | Buffer>): AsyncGenerator<Buffer> {
  const deflater = createDeflateRaw();
  const feeding = (async () => {
    for await (const piece of plaintext)
      if (!deflater.write(piece)) await new Promise<void>((resolve) => deflater.once("drain", resolve));
    deflater.end();
  })();
  // A source that fails must end the reading below with its own error.
  feeding.catch((error: Error) => deflater.destroy(error));
  for await (const chunk of deflater) yield chunk as Buffer;
  await feeding;
}

async function* encrypt(
  cipher: ReturnType<typeof createCipheriv>,
  plaintext: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  for await (const chunk of plaintext) yield cipher.update(chunk);
  yield cipher.final();
}

/** Three bytes make four characters: what does not fill a group waits for the next chunk. */
async function* toBase64url(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    rest = bytes.subarray(whole);
    if (whole > 0) yield bytes.subarray(0, whole).toString("base64url");
  }
  if (rest.length > 0) yield rest.toString("base64url");
}
