/**
 * Encrypting to the partner's public key: RSA-OAEP, A256GCM, DEF. Small batches go through node-jose, which holds a whole
 * token in memory and deflates in JavaScript; a large one, and a file of any length, which is one token too, through
 * src/sealing/sealed-stream.ts.
 */
import type { JWK } from "node-jose";
import { Fault } from "../errors.ts";
import { type SealingKey, sealStream } from "./sealed-stream.ts";

/** Characters. Sealing 280,000 takes 12 ms of a processor through node-jose and 4 through zlib and node:crypto. */
const joseLengthMax = 20_000;

export type Sealer = {
  /** One batch's compact JWE (RFC 7516, 3.1). */
  seal(plaintext: string): Promise<string>;
  /** A compact JWE over a plaintext of any length, in constant memory. */
  sealStream(plaintext: AsyncIterable<string>): AsyncGenerator<Buffer | string>;
};

/** @throws Fault CREDENTIALS_INVALID when the key is no RSA public key with a kid. */
export async function createSealer(key: object): Promise<Sealer> {
  const publicKey = readPublicKey(key);
  let joseKey: Promise<JWK.Key> | null = null;
  return {
    async seal(plaintext) {
      if (plaintext.length > joseLengthMax) return await together(sealStream(publicKey, inPieces(plaintext)));
      // Read with the first small batch: the two megabytes of it are no part of what a service has at its start.
      const { default: jose } = await import("node-jose");
      joseKey ??= jose.JWK.asKey({ ...publicKey, use: "enc", alg: "RSA-OAEP" });
      const options = { format: "compact", zip: "DEF", contentAlg: "A256GCM", fields: { alg: "RSA-OAEP" } } as const;
      return await jose.JWE.createEncrypt(options, await joseKey)
        .update(Buffer.from(plaintext))
        .final();
    },
    sealStream: (plaintext) => sealStream(publicKey, plaintext),
  };
}

async function* inPieces(text: string): AsyncGenerator<string> {
  yield text;
}

async function together(pieces: AsyncIterable<Buffer | string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece.toString();
  return text;
}

function readPublicKey(key: object): SealingKey {
  const { kty, n, e, kid } = key as Partial<SealingKey>;
  if (kty !== "RSA" || typeof n !== "string" || typeof e !== "string" || typeof kid !== "string") {
    throw new Fault("CREDENTIALS_INVALID", "The encryption key is not an RSA public key with a kid.");
  }
  return { kty: "RSA", n, e, kid };
}
