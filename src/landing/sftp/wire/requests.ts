/** The requests of SFTP version 3, parsed (draft-ietf-secsh-filexfer-02, section 6; OpenSSH's PROTOCOL, section 4). */
import { type Attributes, readAttributes } from "./attributes.ts";
import { FieldReader } from "./fields.ts";
import { joined, type Packet } from "./packets.ts";
import { Refusal, statusCodes } from "./status.ts";

/** Handles and data are views into the packet; data in the pieces in which it came, none where it is empty. */
export type Request =
  | { kind: "open"; id: number; path: string; flags: number; attributes: Attributes }
  | { kind: "close"; id: number; handle: Buffer }
  | { kind: "read"; id: number; handle: Buffer; offset: number; sizeBytes: number }
  | { kind: "write"; id: number; handle: Buffer; offset: number; data: Buffer[] }
  | { kind: "stat"; id: number; path: string }
  | { kind: "handleStat"; id: number; handle: Buffer }
  | { kind: "setStat"; id: number; path: string; attributes: Attributes }
  | { kind: "handleSetStat"; id: number; handle: Buffer; attributes: Attributes }
  | { kind: "openFolder"; id: number; path: string }
  | { kind: "readFolder"; id: number; handle: Buffer }
  | { kind: "remove"; id: number; path: string }
  | { kind: "makeFolder"; id: number; path: string }
  | { kind: "removeFolder"; id: number; path: string }
  | { kind: "realPath"; id: number; path: string }
  | { kind: "rename"; id: number; from: string; to: string; replace: boolean }
  | { kind: "sync"; id: number; handle: Buffer }
  | { kind: "space"; id: number }
  | { kind: "limits"; id: number }
  | { kind: "unsupported"; id: number; operation: string };

export type RequestKind = Request["kind"];

/** Flags of OPEN (section 6.3). */
export const openFlags = { read: 0x1, write: 0x2, append: 0x4, create: 0x8, truncate: 0x10, exclusive: 0x20 } as const;

export const initType = 1;
const writeType = 6;

/** Extensions that are announced in VERSION, with the version of each. */
export const extensions = [
  ["posix-rename@openssh.com", "1"],
  ["statvfs@openssh.com", "2"],
  ["fstatvfs@openssh.com", "2"],
  ["fsync@openssh.com", "1"],
  ["lsetstat@openssh.com", "1"],
  ["limits@openssh.com", "1"],
] as const;

type Parse = (id: number, fields: FieldReader) => Request;

// STAT and LSTAT are one: there is no symbolic link that could make a difference.
const stat: Parse = (id, fields) => ({ kind: "stat", id, path: fields.text() });
const setStat: Parse = (id, fields) => ({
  kind: "setStat",
  id,
  path: fields.text(),
  attributes: readAttributes(fields),
});

const parsers: Readonly<Record<number, Parse>> = {
  3: (id, fields) => ({
    kind: "open",
    id,
    path: fields.text(),
    flags: fields.uint32(),
    attributes: readAttributes(fields),
  }),
  4: (id, fields) => ({ kind: "close", id, handle: fields.bytes() }),
  5: (id, fields) => ({
    kind: "read",
    id,
    handle: fields.bytes(),
    offset: fields.uint64(),
    sizeBytes: fields.uint32(),
  }),
  [writeType]: (id, fields) => ({
    kind: "write",
    id,
    handle: fields.bytes(),
    offset: fields.uint64(),
    data: [fields.bytes()],
  }),
  7: stat,
  8: (id, fields) => ({ kind: "handleStat", id, handle: fields.bytes() }),
  9: setStat,
  10: (id, fields) => ({ kind: "handleSetStat", id, handle: fields.bytes(), attributes: readAttributes(fields) }),
  11: (id, fields) => ({ kind: "openFolder", id, path: fields.text() }),
  12: (id, fields) => ({ kind: "readFolder", id, handle: fields.bytes() }),
  13: (id, fields) => ({ kind: "remove", id, path: fields.text() }),
  14: (id, fields) => ({ kind: "makeFolder", id, path: fields.text() }),
  15: (id, fields) => ({ kind: "removeFolder", id, path: fields.text() }),
  16: (id, fields) => ({ kind: "realPath", id, path: fields.text() }),
  17: stat,
  18: (id, fields) => ({ kind: "rename", id, from: fields.text(), to: fields.text(), replace: false }),
  19: (id) => ({ kind: "unsupported", id, operation: "READLINK" }),
  20: (id) => ({ kind: "unsupported", id, operation: "SYMLINK" }),
  200: parseExtended,
};

const extendedParsers: Readonly<Record<string, Parse>> = {
  "posix-rename@openssh.com": (id, fields) => ({
    kind: "rename",
    id,
    from: fields.text(),
    to: fields.text(),
    replace: true,
  }),
  "statvfs@openssh.com": (id) => ({ kind: "space", id }),
  "fstatvfs@openssh.com": (id) => ({ kind: "space", id }),
  "fsync@openssh.com": (id, fields) => ({ kind: "sync", id, handle: fields.bytes() }),
  "lsetstat@openssh.com": setStat,
  "limits@openssh.com": (id) => ({ kind: "limits", id }),
};

/** The type byte of a packet. */
export function typeOf([first]: Packet): number {
  return first.readUInt8(0);
}

/** The id under which a request is answered. @throws Refusal BAD_MESSAGE when the packet ends before it. */
export function idOf(packet: Packet): number {
  return new FieldReader(packet[0].length < 5 ? joined(packet) : packet[0], 1).uint32();
}

/** @throws Refusal BAD_MESSAGE when a field is missing, too long, or not what it must be */
export function parseRequest(packet: Packet): Request {
  const type = typeOf(packet);
  if (type === writeType && packet.length > 1 && packet[0].length >= writeHeaderSizeBytesMax) return parseWrite(packet);
  const fields = new FieldReader(joined(packet), 1);
  const id = fields.uint32();
  const parse = parsers[type];
  return parse ? parse(id, fields) : { kind: "unsupported", id, operation: `type ${type}` };
}

/** Type, id, a handle of the longest kind (section 6.3), offset, length of the data. */
const writeHeaderSizeBytesMax = 1 + 4 + (4 + 256) + 8 + 4;

/** A WRITE that came in pieces, of which the first holds everything but data; they are not put together. */
function parseWrite([first, ...others]: Packet): Request {
  const fields = new FieldReader(first, 1);
  const [id, handle, offset, sizeBytes] = [fields.uint32(), fields.bytes(), fields.uint64(), fields.uint32()];
  const data = [fields.rest(), ...others];
  const receivedSizeBytes = data.reduce((sum, piece) => sum + piece.length, 0);
  if (receivedSizeBytes < sizeBytes) throw new Refusal(statusCodes.badMessage, "The packet ends too early.");
  // What stands behind the data, as in every other request, has no meaning.
  return {
    kind: "write",
    id,
    handle,
    offset,
    data: receivedSizeBytes === sizeBytes ? data : [Buffer.concat(data).subarray(0, sizeBytes)],
  };
}

function parseExtended(id: number, fields: FieldReader): Request {
  const name = fields.text();
  const parse = Object.hasOwn(extendedParsers, name) ? extendedParsers[name] : undefined;
  return parse ? parse(id, fields) : { kind: "unsupported", id, operation: "EXTENDED" };
}
