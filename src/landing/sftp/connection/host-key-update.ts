/**
 * Telling clients which host keys follow: `hostkeys-00@openssh.com` after the login names every key of the door, and
 * `hostkeys-prove-00@openssh.com` proves those that the client asks about (OpenSSH's PROTOCOL, section 2.5). OpenSSH's
 * UpdateHostKeys then writes the next keys into known_hosts, and drops those that are named no more, so that host keys
 * can change without a word to anyone.
 *
 * ssh2 has the client's half only; the server's is added here.
 */
import ssh2, { type Connection, type ParsedKey } from "ssh2";
import { FieldReader, sized } from "../wire/fields.ts";
import { answerRequests, sendPayload, sessionOf } from "./ssh2-inside.ts";

const globalRequest = 80;
const announcement = "hostkeys-00@openssh.com";
const proof = "hostkeys-prove-00@openssh.com";

/** Asked about, at most: two sets of two keys, and room. */
const provenMax = 16;

/** Names the keys to a client that has just logged in, and proves them when it asks. */
export function announceHostKeys(client: Connection, keys: readonly ParsedKey[]): void {
  answerRequests(client, proof, (data) => proveAll(client, keys, data));
  const blobs = keys.map((key) => sized(key.getPublicSSH()));
  sendPayload(client, Buffer.concat([Buffer.of(globalRequest), sized(announcement), Buffer.of(0), ...blobs]));
}

/** Null when one of them is not ours, or the request is malformed. */
function proveAll(client: Connection, keys: readonly ParsedKey[], asked: Buffer): Buffer | null {
  const blobs = readBlobs(asked);
  const proven = blobs?.map((blob) => keys.find((key) => key.getPublicSSH().equals(blob)));
  if (!proven || proven.length === 0) return null;
  const known = proven.filter((key) => key !== undefined);
  return known.length < proven.length ? null : Buffer.concat(known.map((key) => sized(prove(client, key))));
}

function readBlobs(asked: Buffer): Buffer[] | null {
  const blobs: Buffer[] = [];
  const fields = new FieldReader(asked, 0);
  let readBytes = 0;
  try {
    while (readBytes < asked.length && blobs.length < provenMax) {
      const blob = fields.bytes();
      readBytes += 4 + blob.length;
      blobs.push(blob);
    }
  } catch {
    return null;
  }
  return readBytes === asked.length ? blobs : null;
}

/** The signature is over the request's name, this connection's session id, and the key. */
function prove(client: Connection, key: ParsedKey): Buffer {
  const session = sessionOf(client);
  const algorithm = signatureAlgorithm(key, session.hostKeyAlgorithm);
  const data = Buffer.concat([sized(proof), sized(session.id), sized(key.getPublicSSH())]);
  const signature: Buffer | Error = key.sign(data, algorithm.hash);
  if (signature instanceof Error) throw signature;
  return Buffer.concat([sized(algorithm.name), sized(signature)]);
}

/** An RSA key signs as it did in the key exchange, where that was by RSA: the client checks for just that. */
function signatureAlgorithm(key: ParsedKey, negotiated: string): { name: string; hash?: string } {
  if (key.type !== "ssh-rsa") return { name: key.type };
  return negotiated === "rsa-sha2-256"
    ? { name: negotiated, hash: "sha256" }
    : { name: "rsa-sha2-512", hash: "sha512" };
}

/** @param privateKeys OpenSSH or PEM text. @throws Error when one cannot be read */
export function parseHostKeys(privateKeys: readonly string[]): ParsedKey[] {
  return privateKeys.map((privateKey) => {
    const key = ssh2.utils.parseKey(privateKey);
    if (key instanceof Error) throw key;
    return key;
  });
}
