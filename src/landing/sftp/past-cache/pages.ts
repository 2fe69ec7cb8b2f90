/** What files need that are written and read past the kernel's cache of pages (O_DIRECT): a handle, and room. */
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { sftpLimits } from "../limits.ts";
import { failed } from "../wire/status.ts";

/** Positions, lengths and addresses are multiples of it; no disk has larger blocks, and none of ours larger pages. */
export const blockBytes = 4096;
/** Of one file. */
export const pagesBytes = 4 * 1024 * 1024;
/** WebAssembly counts memory in pages of this size. */
const assemblyPageBytes = 65_536;

/** Nobody has them; made when the first is asked for, and in memory as far as they were used. */
let free: Buffer[] | undefined;

/** @returns room that begins where a disk takes and brings bytes, or null: there is none left */
export function lendPages(): Buffer | null {
  return (free ??= makePages()).pop() ?? null;
}

export function givePagesBack(room: Buffer): void {
  free?.push(room);
}

/** Of what TypeScript tells with a browser's types only. */
type Assembly = { Memory: new (pages: { initial: number; maximum: number }) => { buffer: ArrayBuffer } };

/** The only memory that Node has at addresses like these is WebAssembly's. A process may have too few of them for it. */
function makePages(): Buffer[] {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: Assembly };
  const count = sftpLimits.pastCacheFilesMax;
  const pages = (count * pagesBytes) / assemblyPageBytes;
  try {
    const { buffer } = new WebAssembly.Memory({ initial: pages, maximum: pages });
    return Array.from({ length: count }, (_, nth) => Buffer.from(buffer, nth * pagesBytes, pagesBytes));
  } catch {
    return [];
  }
}

/** The same file once more. @throws what the file system says that cannot do without its cache */
export async function openPastCache(file: Pick<FileHandle, "fd">, access: number): Promise<FileHandle> {
  // Not every system has it.
  const flag = constants.O_DIRECT as number | undefined;
  if (flag === undefined) throw failed("The system writes through its cache only.");
  // By its handle: whatever happens to its name, it is the same inode.
  return await open(`/proc/self/fd/${file.fd}`, access | flag);
}
