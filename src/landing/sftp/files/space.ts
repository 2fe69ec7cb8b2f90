/** statvfs@openssh.com and limits@openssh.com (OpenSSH's PROTOCOL, sections 4.3 and 4.8). */
import { statfs } from "node:fs/promises";
import { uint64 } from "../wire/fields.ts";
import { sftpLimits } from "../limits.ts";

/** Flag: set-user-id bits have no effect here. */
const noSetUserId = 2;

/** What a partner may still have, and has: of files, and of bytes that they hold. */
export type Left = { usedBytes: number; leftBytes: number; usedFiles: number; leftFiles: number };

/**
 * The eleven fields of a statvfs reply: to a partner its quota is the file system, and where the disk has less than that
 * leaves, the disk.
 */
export async function spaceFields(partnerFolder: string, quota: Left): Promise<Buffer[]> {
  const { bsize, bavail, ffree } = await statfs(partnerFolder);
  const free = Math.min(bavail, Math.floor(quota.leftBytes / bsize));
  // Some file systems count no files and say 0.
  const freeFiles = ffree === 0 ? quota.leftFiles : Math.min(ffree, quota.leftFiles);
  const identifier = 0;
  return [
    bsize,
    bsize,
    Math.ceil(quota.usedBytes / bsize) + free,
    free,
    free,
    quota.usedFiles + freeFiles,
    freeFiles,
    freeFiles,
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
