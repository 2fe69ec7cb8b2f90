/**
 * Key exchange that a quantum computer does not undo: `mlkem768x25519-sha256`, ML-KEM-768 (FIPS 203) and X25519
 * together, the method that OpenSSH prefers from 9.9 on (draft-ietf-sshm-mlkem-hybrid-kex, the IANA name). Whoever
 * breaks one of them, or records today and breaks X25519 in ten years, still lacks the other.
 *
 *   C_INIT  = client's ML-KEM key (1184) ‖ client's X25519 key (32)
 *   S_REPLY = ML-KEM ciphertext (1088)   ‖ server's X25519 key (32)
 *   K       = SHA-256(ML-KEM secret ‖ X25519 secret), everywhere as a string and nowhere as an mpint
 *
 * ssh2 knows no such method, but its curve25519-sha256 has the same messages and the same hash. So it is told that
 * curve25519-sha256 was agreed on, and the exchange that it makes gets the hybrid's values (negotiation.ts).
 */
import {
  createHash,
  createPublicKey,
  diffieHellman,
  encapsulate,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";

export const hybridMethod = "mlkem768x25519-sha256";
/** The method that lends its messages and its hash. */
const carrierMethod = "curve25519-sha256";

const mlKemKeySizeBytes = 1184;
const x25519KeySizeBytes = 32;

export type HybridReply = { reply: Buffer; secret: Buffer };

/**
 * The server's side of the exchange.
 * @throws Error for a C_INIT of another length, an ML-KEM key whose coefficients are not reduced (FIPS 203, section
 * 7.2),
 *   and an X25519 key of small order (RFC 7748, section 6.1)
 */
export function respond(initial: Buffer): HybridReply {
  if (initial.length !== mlKemKeySizeBytes + x25519KeySizeBytes) throw new Error(`C_INIT has ${initial.length} bytes`);
  const theirMlKemKey = importKey("ml-kem-768", initial.subarray(0, mlKemKeySizeBytes));
  const theirX25519Key = importKey("x25519", initial.subarray(mlKemKeySizeBytes));
  const { sharedKey, ciphertext } = encapsulate(theirMlKemKey);
  const { publicKey, privateKey } = generateKeyPairSync("x25519");
  const classical = diffieHellman({ privateKey, publicKey: theirX25519Key });
  return {
    reply: Buffer.concat([ciphertext, publicKey.export({ format: "raw-public" })]),
    secret: createHash("sha256").update(sharedKey).update(classical).digest(),
  };
}

function importKey(asymmetricKeyType: "ml-kem-768" | "x25519", key: Buffer): KeyObject {
  return createPublicKey({ key, format: "raw-public", asymmetricKeyType });
}

/**
 * Whether both sides agree on the hybrid: the first of the client's methods that the server has (RFC 4253, section
 * 7.1).
 */
export function agreesOnHybrid(clientMethods: readonly string[], serverMethods: readonly string[]): boolean {
  return clientMethods.find((method) => serverMethods.includes(method)) === hybridMethod;
}

/**
 * The client's methods in the same places, with the carrier in place of the hybrid, so that a wrong guess stays one.
 */
export function withCarrier(clientMethods: readonly string[]): string[] {
  return clientMethods.map((method) => (method === hybridMethod ? carrierMethod : method));
}
