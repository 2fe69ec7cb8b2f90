/** The outside of a message: session keys wrapped to several recipients, then one packet of protected data. */
import type { PrivateKey } from "openpgp";
import { NotOpened } from "../not-opened.ts";
import { free, lend } from "../bytes/lend.ts";
import { readFilePieces } from "../bytes/reading.ts";
import { withoutArmour } from "./armour.ts";
import { NotUnderstood } from "./content.ts";
import { type PacketPart, packetOf, PacketSplitter, packetType } from "./packets.ts";
import { keyBytesOf, ProtectedData } from "./protected-data.ts";

const readBytes = 256 * 1024;
/** Of a message to thousands of recipients. */
const wrappedKeyBytesMax = 1024 * 1024;
/** Protected data with an MDC; version 2 has AEAD. */
const versionWithDigest = 1;

/** A packet of protected data without any, behind which OpenPGP.js looks for wrapped keys. */
const noProtectedData = packetOf(packetType.protectedData, Uint8Array.of(versionWithDigest));

/**
 * The session key for the file's protected data, which OpenPGP.js unwraps; null when the message is left to it.
 * @throws whatever OpenPGP.js throws when none of the keys is one of the message's
 */
export async function findSessionKey(path: string, keys: readonly PrivateKey[]): Promise<Uint8Array | null> {
  const wrapped = await readWrappedKeys(path);
  if (wrapped === null) return null;
  const { decryptSessionKeys, readMessage } = await import("openpgp");
  const message = await readMessage({
    binaryMessage: Buffer.concat([...wrapped.map((body) => packetOf(packetType.wrappedKey, body)), noProtectedData]),
  });
  const found = await decryptSessionKeys({ message, decryptionKeys: [...keys] });
  const [first] = found;
  // Several would have to be tried one after the other, and an unknown algorithm is not ours.
  if (found.length !== 1 || first?.algorithm == null || keyBytesOf.get(first.algorithm) !== first.data.length)
    return null;
  return first.data;
}

/**
 * The bodies before the protected data; null when that is not of the version that is read here, or something unusual
 * stands there.
 */
async function readWrappedKeys(path: string): Promise<Buffer[] | null> {
  const splitter = new PacketSplitter();
  const bodies: Buffer[] = [];
  let bytes = 0;
  for await (const piece of withoutArmour(readFilePieces(path, { highWaterMark: readBytes }))) {
    for (const part of splitter.push(piece)) {
      if (part.type === packetType.protectedData && part.bytes.length > 0)
        return part.bytes[0] === versionWithDigest ? bodies : null;
      bytes += part.bytes.length;
      if (!stands(part) || bytes > wrappedKeyBytesMax) return null;
      if (part.type === packetType.wrappedKey) append(bodies, part);
    }
  }
  return null;
}

/** Before protected data. */
function stands({ type }: PacketPart): boolean {
  return (
    type === packetType.wrappedKey ||
    type === packetType.passwordKey ||
    type === packetType.marker ||
    type === packetType.protectedData
  );
}

function append(bodies: Buffer[], { isFirst, bytes }: PacketPart): void {
  if (isFirst) bodies.push(bytes);
  else bodies.push(Buffer.concat([bodies.pop() as Buffer, bytes]));
}

/**
 * The content of the file's protected data in pieces that are lent (see lend.ts); trustworthy when all of it was read.
 * @throws NotOpened
 */
export async function* deciphered(path: string, sessionKey: Uint8Array): AsyncGenerator<Buffer> {
  const splitter = new PacketSplitter();
  const data = new ProtectedData(sessionKey);
  let isBegun = false;
  for await (const piece of lend(withoutArmour(readFilePieces(path, { highWaterMark: readBytes })))) {
    const bodies: Buffer[] = [];
    for (const { type, isFirst, bytes } of splitter.push(piece)) {
      if (type !== packetType.protectedData) {
        // Behind the protected data nothing may stand.
        if (isBegun) throw new NotOpened();
        continue;
      }
      if (isFirst && isBegun) throw new NotOpened();
      bodies.push(isBegun || bytes.length === 0 ? bytes : behindVersion(bytes));
      isBegun ||= bytes.length > 0;
    }
    if (bodies.length === 0) continue;
    const ciphertext = bodies.length === 1 ? (bodies[0] as Buffer) : Buffer.concat(bodies);
    const content = data.push(ciphertext);
    if (bodies.length > 1) free(ciphertext);
    yield content;
    free(content);
  }
  splitter.end();
  yield data.end();
}

function behindVersion(bytes: Buffer): Buffer {
  if (bytes[0] !== versionWithDigest) throw new NotUnderstood();
  return bytes.subarray(1);
}
