/** statvfs@openssh.com and limits@openssh.com (OpenSSH's PROTOCOL, sections 4.3 and 4.8). */
import { statfs } from "node:fs/promises";
import { uint64 } from "../wire/fields.ts";
import { sftpLimits } from "../limits.ts";

/** Flag: set-user-id bits have no effect here. */
const noSetUserId = 2;

/** The eleven fields of a statvfs reply, for the file system on which the partner's files land. */
export async function spaceFields(partnerFolder: string): Promise<Buffer[]> {
  const { bsize, blocks, bfree, bavail, files, ffree } = await statfs(partnerFolder);
  const identifier = 0;
  return [
    bsize,
    bsize,
    blocks,
    bfree,
    bavail,
    files,
    ffree,
    ffree,
    identifier,
    noSetUserId,
    sftpLimits.nameSizeBytesMax,
  ].map(uint64);
}

/** The four fields of a limits reply: with them OpenSSH's client writes 255 KiB at a time instead of 32. */
export function limitFields(handlesMax: number): Buffer[] {
  const { packetSizeBytesMax, transferSizeBytesMax } = sftpLimits;
  return [packetSizeBytesMax, transferSizeBytesMax, transferSizeBytesMax, handlesMax].map(uint64);
}
