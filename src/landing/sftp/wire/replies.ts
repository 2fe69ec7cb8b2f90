/** The replies of SFTP version 3, framed and ready to be sent (draft-ietf-secsh-filexfer-02, section 7). */
import { type Attributes, encodeAttributes, encodeName, type Name } from "./attributes.ts";
import { sized, uint32 } from "./fields.ts";
import type { StatusCode } from "./status.ts";

const replyTypes = {
  version: 2,
  status: 101,
  handle: 102,
  data: 103,
  name: 104,
  attributes: 105,
  extended: 201,
} as const;

export const protocolVersion = 3;

/** Bytes of a DATA reply before its data: length, type, request id, length of the data. */
export const dataHeaderSizeBytes = 13;

export function versionReply(extensions: readonly (readonly [name: string, version: string])[]): Buffer {
  return frame(replyTypes.version, uint32(protocolVersion), ...extensions.flat().map(sized));
}

export function statusReply(id: number, code: StatusCode, message: string): Buffer {
  return frame(replyTypes.status, uint32(id), uint32(code), sized(message), sized("en"));
}

export function handleReply(id: number, handle: Buffer): Buffer {
  return frame(replyTypes.handle, uint32(id), sized(handle));
}

/**
 * Completes a DATA reply in place: the data already stands in `buffer` from `dataHeaderSizeBytes` on, `sizeBytes` long,
 * so that what was read from disk is not copied once more.
 */
export function dataReply(id: number, buffer: Buffer, sizeBytes: number): Buffer {
  buffer.writeUInt32BE(dataHeaderSizeBytes - 4 + sizeBytes, 0);
  buffer.writeUInt8(replyTypes.data, 4);
  buffer.writeUInt32BE(id, 5);
  buffer.writeUInt32BE(sizeBytes, 9);
  return buffer.subarray(0, dataHeaderSizeBytes + sizeBytes);
}

export function nameReply(id: number, names: readonly Name[], owner: string, now: Date): Buffer {
  return frame(replyTypes.name, uint32(id), uint32(names.length), ...names.map((name) => encodeName(name, owner, now)));
}

export function attributesReply(id: number, attributes: Required<Attributes>): Buffer {
  return frame(replyTypes.attributes, uint32(id), encodeAttributes(attributes));
}

export function extendedReply(id: number, ...fields: Buffer[]): Buffer {
  return frame(replyTypes.extended, uint32(id), ...fields);
}

function frame(type: number, ...fields: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from([type]), ...fields]);
  return Buffer.concat([uint32(body.length), body]);
}
