/** Makes compact JWEs by hand, so that a test can break each part of one. */
import {
  constants,
  createCipheriv,
  generateKeyPairSync,
  type KeyObject,
  publicEncrypt,
  randomBytes,
} from "node:crypto";
import { deflateRawSync } from "node:zlib";
import type { FindKey } from "../../workers/jwe/open.ts";

export type TestKey = { kid: string; publicKey: KeyObject; privateKey: KeyObject };

/** RSA-2048, the shortest that is allowed: tests need many operations and no strength. */
export function makeKey(kid = "key-1"): TestKey {
  return { kid, ...generateKeyPairSync("rsa", { modulusLength: 2048 }) };
}

export function keyFinder(...keys: TestKey[]): FindKey {
  return async (kid) => keys.find((key) => key.kid === kid)?.privateKey ?? null;
}

export type SealOptions = {
  header?: Record<string, unknown>;
  contentKey?: Buffer;
  iv?: Buffer;
  authTagLength?: number;
  compress?: boolean;
};

/** Deflated unless told otherwise. `header` replaces or, with undefined, removes parameters. */
export function sealToken(
  key: Pick<TestKey, "kid" | "publicKey">,
  plaintext: string | Buffer,
  options: SealOptions = {},
): string {
  const compress = options.compress ?? true;
  const { iv = randomBytes(12), contentKey = randomBytes(32) } = options;
  const header = {
    alg: "RSA-OAEP",
    enc: "A256GCM",
    kid: key.kid,
    ...(compress ? { zip: "DEF" } : {}),
    ...options.header,
  };
  const protectedHeader = Buffer.from(JSON.stringify(header)).toString("base64url");
  const cipher = createCipheriv("aes-256-gcm", contentKey.length === 32 ? contentKey : Buffer.alloc(32), iv, {
    authTagLength: options.authTagLength ?? 16,
  });
  cipher.setAAD(Buffer.from(protectedHeader));
  const content = Buffer.from(plaintext);
  const ciphertext = Buffer.concat([cipher.update(compress ? deflateRawSync(content) : content), cipher.final()]);
  const encryptedKey = publicEncrypt(
    { key: key.publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1" },
    contentKey,
  );
  return [
    protectedHeader,
    ...[encryptedKey, iv, ciphertext, cipher.getAuthTag()].map((part) => part.toString("base64url")),
  ].join(".");
}

/** The token with one segment replaced. */
export function replaceSegment(token: string, segment: number, change: (text: string) => string): string {
  return token
    .split(".")
    .map((text, index) => (index === segment ? change(text) : text))
    .join(".");
}

/** Flips one bit of the bytes that a base64url segment stands for. */
export function flipBit(segment: string, bit = 0): string {
  const bytes = Buffer.from(segment, "base64url");
  const at = Math.floor(bit / 8) % bytes.length;
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % 8));
  return bytes.toString("base64url");
}
