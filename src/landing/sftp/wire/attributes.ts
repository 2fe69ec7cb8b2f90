/** File attributes on the wire and in listings (draft-ietf-secsh-filexfer-02, section 5 and section 6.7). */
import type { Stats } from "node:fs";
import { type FieldReader, sized, uint32, uint64 } from "./fields.ts";

/** Times are seconds since 1970. What a client leaves out, or what we do not say, is undefined. */
export type Attributes = {
  sizeBytes?: number;
  mode?: number;
  accessedAt?: number;
  modifiedAt?: number;
};

const flags = { size: 0x1, owner: 0x2, permissions: 0x4, times: 0x8, extended: 0x80000000 } as const;

/** More vendor pairs than any client sends; the packet's size bounds them anyway. */
const extendedPairsMax = 64;

/** What a folder or file looks like to a partner: type and permission bits, never those of the disk. */
export const shownModes = {
  fixedFolder: 0o040550,
  inboxFolder: 0o040750,
  landingFile: 0o100640,
  unchangeableFile: 0o100440,
} as const;

/** @throws Refusal BAD_MESSAGE */
export function readAttributes(fields: FieldReader): Attributes {
  const present = fields.uint32();
  const attributes: Attributes = {};
  if (present & flags.size) attributes.sizeBytes = fields.uint64();
  if (present & flags.owner) {
    fields.uint32();
    fields.uint32();
  }
  if (present & flags.permissions) attributes.mode = fields.uint32();
  if (present & flags.times) {
    attributes.accessedAt = fields.uint32();
    attributes.modifiedAt = fields.uint32();
  }
  if (present & flags.extended) skipExtended(fields);
  return attributes;
}

function skipExtended(fields: FieldReader): void {
  const pairs = Math.min(fields.uint32(), extendedPairsMax);
  for (let index = 0; index < pairs * 2; index += 1) fields.bytes();
}

/** Owner and group are always 0: whose files they are on our disk is nobody's business. */
export function encodeAttributes(attributes: Required<Attributes>): Buffer {
  return Buffer.concat([
    uint32(flags.size | flags.owner | flags.permissions | flags.times),
    uint64(attributes.sizeBytes),
    uint32(0),
    uint32(0),
    uint32(attributes.mode),
    uint32(attributes.accessedAt),
    uint32(attributes.modifiedAt),
  ]);
}

export function attributesOf(stats: Stats, shownMode: number): Required<Attributes> {
  return {
    sizeBytes: stats.size,
    mode: shownMode,
    accessedAt: wholeSeconds(stats.atimeMs),
    modifiedAt: wholeSeconds(stats.mtimeMs),
  };
}

/** Within what 32 bits hold: 1970 to 2106. */
function wholeSeconds(timeMs: number): number {
  return Math.min(Math.max(Math.floor(timeMs / 1000), 0), 0xffffffff);
}

export type Name = { name: string; attributes: Required<Attributes> };

/** One entry of a NAME reply: the name, the line that `ls -l` shows, the attributes. */
export function encodeName(entry: Name, owner: string, now: Date): Buffer {
  return Buffer.concat([sized(entry.name), sized(longName(entry, owner, now)), encodeAttributes(entry.attributes)]);
}

const halfYearMs = 183 * 86_400_000;
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** As `ls -l` prints it, in UTC: clients that parse it expect eight blank-separated fields before the name. */
export function longName({ name, attributes }: Name, owner: string, now: Date): string {
  const modified = new Date(attributes.modifiedAt * 1000);
  const day = `${months[modified.getUTCMonth()]} ${String(modified.getUTCDate()).padStart(2)}`;
  const recent = Math.abs(now.getTime() - modified.getTime()) < halfYearMs;
  const clock = recent ? modified.toISOString().slice(11, 16) : String(modified.getUTCFullYear()).padStart(5);
  const who = `${owner.slice(0, 8).padEnd(8)} ${owner.slice(0, 8).padEnd(8)}`;
  return `${permissionLetters(attributes.mode)}    1 ${who} ${String(attributes.sizeBytes).padStart(10)} ${day} ${clock} ${name}`;
}

function permissionLetters(mode: number): string {
  const type = (mode & 0o170000) === 0o040000 ? "d" : "-";
  const letters = "rwxrwxrwx";
  return (
    type + [...letters].map((letter, index) => ((mode >> (letters.length - 1 - index)) & 1 ? letter : "-")).join("")
  );
}
