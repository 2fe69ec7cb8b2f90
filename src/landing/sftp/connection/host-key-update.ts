/**
 * Telling clients which host keys follow: `hostkeys-00@openssh.com` after the login names every key of the door, and
 * `hostkeys-prove-00@openssh.com` proves those that the client asks about (OpenSSH's PROTOCOL, section 2.5). OpenSSH's
 * UpdateHostKeys then writes the next keys into known_hosts, and drops those that are named no more, so that host keys
 * can change without a word to anyone.
 *
 * ssh2 has the client's half only. The server's is added here, on the three inner parts of it that this file names.
 */
import { createRequire } from "node:module";
import ssh2, { type Connection, type ParsedKey } from "ssh2";
import { FieldReader, sized } from "../wire/fields.ts";

/** What this file uses of ssh2's insides; checked against version 1.17. */
type Protocol = {
  _packetRW: { write: { allocStart: number; alloc(sizeBytes: number): Buffer; finalize(packet: Buffer): Buffer } };
  _kex: { sessionID: Buffer; negotiated: { serverHostKey: string } };
  _handlers: { GLOBAL_REQUEST(protocol: Protocol, name: string, wantsReply: boolean, data: unknown): void };
  requestSuccess(data: Buffer): void;
  requestFailure(): void;
};

const { sendPacket } = createRequire(import.meta.url)("ssh2/lib/protocol/utils.js") as {
  sendPacket(protocol: Protocol, packet: Buffer): void;
};

const globalRequest = 80;
const announcement = "hostkeys-00@openssh.com";
const proof = "hostkeys-prove-00@openssh.com";

/** Asked about, at most: two sets of two keys, and room. */
const provenMax = 16;

/** Names the keys to a client that has just logged in, and proves them when it asks. */
export function announceHostKeys(client: Connection, keys: readonly ParsedKey[]): void {
  const protocol = (client as unknown as { _protocol: Protocol })._protocol;
  answerProofs(protocol, keys);
  const blobs = keys.map((key) => sized(key.getPublicSSH()));
  send(protocol, Buffer.concat([Buffer.of(globalRequest), sized(announcement), Buffer.of(0), ...blobs]));
}

function answerProofs(protocol: Protocol, keys: readonly ParsedKey[]): void {
  const others = protocol._handlers.GLOBAL_REQUEST;
  protocol._handlers.GLOBAL_REQUEST = (self, name, wantsReply, data) => {
    if (name !== proof || !wantsReply || !Buffer.isBuffer(data)) return others(self, name, wantsReply, data);
    const signatures = proveAll(protocol, keys, data);
    if (signatures) protocol.requestSuccess(signatures);
    else protocol.requestFailure();
  };
}

/** Null when one of them is not ours, or the request is malformed. */
function proveAll(protocol: Protocol, keys: readonly ParsedKey[], asked: Buffer): Buffer | null {
  const blobs = readBlobs(asked);
  const proven = blobs?.map((blob) => keys.find((key) => key.getPublicSSH().equals(blob)));
  if (!proven || proven.length === 0) return null;
  const known = proven.filter((key) => key !== undefined);
  return known.length < proven.length ? null : Buffer.concat(known.map((key) => sized(prove(protocol, key))));
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
function prove({ _kex }: Protocol, key: ParsedKey): Buffer {
  const algorithm = signatureAlgorithm(key, _kex.negotiated.serverHostKey);
  const data = Buffer.concat([sized(proof), sized(_kex.sessionID), sized(key.getPublicSSH())]);
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

function send(protocol: Protocol, payload: Buffer): void {
  const { write } = protocol._packetRW;
  const packet = write.alloc(payload.length);
  packet.set(payload, write.allocStart);
  sendPacket(protocol, write.finalize(packet));
}

/** @param privateKeys OpenSSH or PEM text. @throws Error when one cannot be read */
export function parseHostKeys(privateKeys: readonly string[]): ParsedKey[] {
  return privateKeys.map((privateKey) => {
    const key = ssh2.utils.parseKey(privateKey);
    if (key instanceof Error) throw key;
    return key;
  });
}
