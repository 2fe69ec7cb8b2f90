/**
 * What a FUSE file system of one file says to Linux and hears from it (protocol 7.31; include/uapi/linux/fuse.h). Little
 * endian, as every machine is on which this runs.
 */
import { constants } from "node:os";

export const operation = {
  lookup: 1,
  forget: 2,
  getAttributes: 3,
  setAttributes: 4,
  open: 14,
  read: 15,
  write: 16,
  statistics: 17,
  release: 18,
  sync: 20,
  flush: 25,
  init: 26,
  openFolder: 27,
  readFolder: 28,
  releaseFolder: 29,
  interrupt: 36,
  destroy: 38,
  forgetMany: 42,
} as const;

/** To these the kernel expects no answer. */
const unanswered: ReadonlySet<number> = new Set([
  operation.forget,
  operation.forgetMany,
  operation.interrupt,
  operation.destroy,
]);

export const writeBytesMax = 1024 * 1024;
/** Room for the largest write with its heads. */
export const requestBytesMax = writeBytesMax + 4096;

const headBytes = 40;
const answerHeadBytes = 16;
const attributeBytes = 88;
const version = { major: 7, minor: 31 };
const flags = { bigWrites: 1 << 5, maxPages: 1 << 22 };
const pageBytes = 4096;
const rootNode = 1n;
const fileNode = 2n;
/** Nobody else changes the file, so that the kernel may remember it. */
const validSeconds = 3600n;

export type Request = { kind: number; unique: bigint; isRoot: boolean; body: Buffer };

export function readRequest(bytes: Buffer): Request {
  return {
    kind: bytes.readUInt32LE(4),
    unique: bytes.readBigUInt64LE(8),
    isRoot: bytes.readBigUInt64LE(16) === rootNode,
    body: bytes.subarray(headBytes),
  };
}

export function expectsAnswer({ kind }: Request): boolean {
  return !unanswered.has(kind);
}

export function answer({ unique }: Request, body: Buffer): Buffer[] {
  return [answerHead(unique, body.length, 0), body];
}

export function failure({ unique }: Request, code: keyof typeof constants.errno): Buffer[] {
  return [answerHead(unique, 0, -constants.errno[code])];
}

function answerHead(unique: bigint, bodyBytes: number, error: number): Buffer {
  const head = Buffer.alloc(answerHeadBytes);
  head.writeUInt32LE(answerHeadBytes + bodyBytes, 0);
  head.writeInt32LE(error, 4);
  head.writeBigUInt64LE(unique, 8);
  return head;
}

/** `fuse_init_out`. */
export function initAnswer(body: Buffer): Buffer {
  const out = Buffer.alloc(64);
  out.writeUInt32LE(version.major, 0);
  out.writeUInt32LE(version.minor, 4);
  out.writeUInt32LE(body.readUInt32LE(8), 8);
  out.writeUInt32LE(flags.bigWrites | flags.maxPages, 12);
  out.writeUInt32LE(writeBytesMax, 20);
  out.writeUInt32LE(1, 24);
  out.writeUInt16LE(writeBytesMax / pageBytes, 28);
  return out;
}

/** `fuse_entry_out` of the file. */
export function entryOf(sizeBytes: number): Buffer {
  const out = Buffer.alloc(40);
  out.writeBigUInt64LE(fileNode, 0);
  out.writeBigUInt64LE(validSeconds, 16);
  out.writeBigUInt64LE(validSeconds, 24);
  return Buffer.concat([out, attributesOf(fileNode, sizeBytes)]);
}

/** `fuse_attr_out` of the file, or of the folder that holds it. */
export function attributes(isRoot: boolean, sizeBytes: number): Buffer {
  const out = Buffer.alloc(16);
  out.writeBigUInt64LE(validSeconds, 0);
  return Buffer.concat([out, isRoot ? attributesOf(rootNode, 0) : attributesOf(fileNode, sizeBytes)]);
}

function attributesOf(node: bigint, sizeBytes: number): Buffer {
  const out = Buffer.alloc(attributeBytes);
  out.writeBigUInt64LE(node, 0);
  out.writeBigUInt64LE(BigInt(sizeBytes), 8);
  out.writeBigUInt64LE(BigInt(Math.ceil(sizeBytes / 512)), 16);
  out.writeUInt32LE(node === rootNode ? 0o040700 : 0o100600, 60);
  out.writeUInt32LE(1, 64);
  out.writeUInt32LE(pageBytes, 80);
  return out;
}

/** `fuse_open_out`, without a handle: there is one file. */
export const opened = Buffer.alloc(16);

/** `fuse_kstatfs`. */
export const statistics = Buffer.alloc(80);

/** Of `fuse_read_in` and `fuse_write_in`, which begin alike. */
export function rangeOf(body: Buffer): { offset: number; size: number } {
  return { offset: Number(body.readBigUInt64LE(8)), size: body.readUInt32LE(16) };
}

export function writtenBytes(body: Buffer): Buffer {
  return body.subarray(headBytes, headBytes + rangeOf(body).size);
}

export function writeAnswer(size: number): Buffer {
  const out = Buffer.alloc(8);
  out.writeUInt32LE(size, 0);
  return out;
}
