/**
 * Why a message could not be opened, from what everybody who has the file can read: whether its packets are whole, and to
 * whom it says that it is encrypted. Nothing here depends on what came of deciphering, so that a sender who changes a
 * file learns nothing by it.
 */
import { NotOpened } from "../not-opened.ts";
import { type LandedBytes, readParts, streamOf } from "../bytes/landed-bytes.ts";
import { isBinary, withoutArmour } from "./armour.ts";
import { PacketSplitter, packetType } from "./packets.ts";

/**
 * truncated: it ends in the middle of a packet, before its protected data, or without its armour's last line;
 * password: for a pass phrase, and for no key; foreign: for keys, of which none is ours; null: none of these.
 */
export type WhyNotOpened = "truncated" | "password" | "foreign" | null;

const readBytes = 256 * 1024;
/** Longer than what stands behind the encoded bytes. */
const tailBytes = 1024;
const beforeData: ReadonlySet<number> = new Set([packetType.wrappedKey, packetType.passwordKey, packetType.marker]);
/** Of a recipient that is not told: gpg --hidden-recipient. */
const anonymous = "0000000000000000";

/** @param ownKeyIds sixteen hexadecimal digits each, of our keys and their subkeys */
export async function findWhyNotOpened(path: string, ownKeyIds: ReadonlySet<string>): Promise<WhyNotOpened> {
  const { isTruncated, keyIds, hasPassword } = await look(path);
  if (isTruncated) return "truncated";
  if (keyIds.length === 0) return hasPassword ? "password" : null;
  return keyIds.some((id) => id === anonymous || ownKeyIds.has(id)) ? null : "foreign";
}

/** Whether it ends in the middle of a packet, before its protected data, or without its armour's last line. */
export async function isPgpCutOff(file: LandedBytes): Promise<boolean> {
  return (await look(file)).isTruncated;
}

type Seen = { isTruncated: boolean; keyIds: string[]; hasPassword: boolean };

async function look(file: LandedBytes): Promise<Seen> {
  const seen: Seen = { isTruncated: false, keyIds: [], hasPassword: false };
  if (await endsWithinArmour(file)) return { ...seen, isTruncated: true };
  const splitter = new PacketSplitter();
  let isBegun = false;
  try {
    for await (const piece of withoutArmour(streamOf(file, readBytes)))
      for (const { type, isFirst, bytes } of splitter.push(piece)) {
        // Data of any kind, of which older ones have packets of their own.
        isBegun ||= !beforeData.has(type);
        seen.hasPassword ||= type === packetType.passwordKey;
        const id = type === packetType.wrappedKey && isFirst ? recipientOf(bytes) : null;
        if (id !== null) seen.keyIds.push(id);
      }
  } catch (error) {
    // No packets at all, or armour that is none: then nothing is told.
    if (error instanceof NotOpened) return seen;
    throw error;
  }
  return { ...seen, isTruncated: !isBegun || !isAtEnd(splitter) };
}

function isAtEnd(splitter: PacketSplitter): boolean {
  try {
    splitter.end();
    return true;
  } catch {
    return false;
  }
}

/**
 * The key's id: in version 3 as it is, in version 6 from its fingerprint (RFC 9580, 5.1 and 5.5.4). Null for others, and
 * for a body of which too little lies in this piece.
 */
function recipientOf(body: Buffer): string | null {
  if (body[0] === 3 && body.length >= 9) return body.toString("hex", 1, 9);
  if (body[0] !== 6 || body.length < 3) return null;
  const [end, version] = [2 + (body[1] as number), body[2]];
  if (body[1] === 0) return anonymous;
  if (body.length < end || end < 11) return null;
  return version === 4 ? body.toString("hex", end - 8, end) : body.toString("hex", 3, 11);
}

async function endsWithinArmour(file: LandedBytes): Promise<boolean> {
  const { parts } = await readParts(file, [
    { at: 0, bytes: tailBytes },
    { at: -tailBytes, bytes: tailBytes },
  ]);
  const [head = Buffer.alloc(0), tail = Buffer.alloc(0)] = parts;
  if (isBinary(head) || !/^\s*-----BEGIN PGP MESSAGE-----/.test(head.toString("latin1"))) return false;
  return !/-----END PGP MESSAGE-----\s*$/.test(tail.toString("latin1"));
}
