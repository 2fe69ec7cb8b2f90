/** Opening files, reading them, and their attributes by path and by handle. */
import { constants, type Stats } from "node:fs";
import { lstat, lutimes, open } from "node:fs/promises";
import type { DiskFile } from "../../../machine/opened-file.ts";
import { type Attributes, attributesOf } from "../wire/attributes.ts";
import type { SessionContext } from "./context.ts";
import { shownModeOf } from "./folders.ts";
import { sftpLimits } from "../limits.ts";
import { type Location, locateChangeable, locateNew, locateToRead, statPlain } from "./paths.ts";
import type { ReadBuffers } from "./read-buffers.ts";
import { ReadingPastCache } from "../past-cache/reading.ts";
import { stageOf } from "./stages.ts";
import { dataHeaderSizeBytes } from "../wire/replies.ts";
import { openFlags } from "../wire/requests.ts";
import { absent, denied, failed } from "../wire/status.ts";
import { openedOf, openUpload, truncateUpload, type Upload } from "./upload.ts";

export type Reading = {
  kind: "reading";
  readonly location: Location;
  readonly file: DiskFile;
  /** Of a large file that nobody writes any more. */
  readonly pastCache: ReadingPastCache | null;
};

const writingFlags = openFlags.write | openFlags.append | openFlags.create | openFlags.truncate;

export async function openFile(context: SessionContext, clientPath: string, flags: number): Promise<Reading | Upload> {
  if (flags & writingFlags) return openUpload(context, await locateNew(context.partnerFolder, clientPath), flags);
  const location = await locateToRead(context, clientPath);
  if (location.area === "root") throw absent();
  const stats = await statPlain(location.diskPath);
  if (!stats?.isFile()) throw absent();
  const file = await open(location.diskPath, constants.O_RDONLY | constants.O_NOFOLLOW);
  return { kind: "reading", location, file, pastCache: isLarge(stats) ? readPastCache(file, await file.stat()) : null };
}

function isLarge({ size }: Stats): boolean {
  return size > sftpLimits.pastCacheFromSizeBytes;
}

/** Asked of what was opened: another file may have got the name. */
function readPastCache(file: DiskFile, stats: Stats): ReadingPastCache | null {
  return isLarge(stats) && stageOf(stats) !== "landing" ? new ReadingPastCache(file, stats.size) : null;
}

export async function closeReading({ file, pastCache }: Reading): Promise<void> {
  await pastCache?.close();
  await file.close();
}

/**
 * Reads into a buffer that leaves room for the header of the DATA reply; the buffer goes back when the reply is sent.
 * `sizeBytes` 0 means the end of the file.
 */
export async function readFile(
  buffers: ReadBuffers,
  handle: Reading | Upload,
  offset: number,
  wantedSizeBytes: number,
): Promise<{ buffer: Buffer; sizeBytes: number }> {
  const file = await settledFile(handle);
  const sizeBytesMax = Math.min(wantedSizeBytes, sftpLimits.transferSizeBytesMax);
  const buffer = buffers.take(sizeBytesMax);
  try {
    if (handle.kind === "reading" && (await handle.pastCache?.read(buffer, dataHeaderSizeBytes, sizeBytesMax, offset)))
      return { buffer, sizeBytes: sizeBytesMax };
    const { bytesRead } = await file.read(buffer, dataHeaderSizeBytes, sizeBytesMax, offset);
    if (bytesRead === 0) buffers.giveBack(buffer);
    return { buffer, sizeBytes: bytesRead };
  } catch (error) {
    buffers.giveBack(buffer);
    throw error;
  }
}

/** What is open, with everything in it that was taken so far. */
async function settledFile(handle: Reading | Upload): Promise<DiskFile> {
  if (handle.kind === "reading") return handle.file;
  const { file, writing } = await openedOf(handle);
  await writing.settled();
  return file;
}

export async function statPath(context: SessionContext, clientPath: string): Promise<Required<Attributes>> {
  const location = await locateToRead(context, clientPath);
  const stats = await statPlain(location.area === "root" ? context.partnerFolder : location.diskPath);
  if (!stats) throw absent();
  return attributesOf(stats, shownModeOf(location, stats));
}

export async function statHandle(handle: Reading | Upload): Promise<Required<Attributes>> {
  const stats = await (await settledFile(handle)).stat();
  return attributesOf(stats, shownModeOf(handle.location, stats));
}

/**
 * Sets times; modes and owners are accepted and have no effect, because mirroring clients fail otherwise. Sizes change
 * through a handle only, but for the size that the file has anyway.
 */
export async function setPathAttributes(
  context: SessionContext,
  clientPath: string,
  attributes: Attributes,
): Promise<void> {
  const { diskPath } = await locateChangeable(context.partnerFolder, clientPath);
  const stats = await statPlain(diskPath);
  if (!stats) throw absent();
  assertSameSize(stats, attributes);
  const times = timesOf(attributes);
  if (times) await setTimes(context, diskPath, times);
}

/** Clients set times after an upload and before its rename; the bytes stay what they were. */
async function setTimes(
  { hashes, claims }: SessionContext,
  diskPath: string,
  { accessedAt, modifiedAt }: Times,
): Promise<void> {
  const release = claims.take(diskPath);
  const hash = release && hashes.take(diskPath, await lstat(diskPath, { bigint: true }));
  try {
    await lutimes(diskPath, accessedAt, modifiedAt);
    if (hash) hashes.remember(diskPath, await lstat(diskPath, { bigint: true }), hash);
  } finally {
    release?.();
  }
}

function assertSameSize(stats: Stats, { sizeBytes }: Attributes): void {
  if (sizeBytes !== undefined && sizeBytes !== stats.size) throw failed("Open the file to change its size.");
}

export async function setHandleAttributes(handle: Reading | Upload, attributes: Attributes): Promise<void> {
  if (handle.kind === "reading") throw denied("The file was opened for reading.");
  const file = await settledFile(handle);
  if (attributes.sizeBytes !== undefined && attributes.sizeBytes !== handle.opened.writing.sizeBytes) {
    await truncateUpload(handle, attributes.sizeBytes);
  }
  const times = timesOf(attributes);
  if (times) await file.utimes(times.accessedAt, times.modifiedAt);
}

type Times = { accessedAt: number; modifiedAt: number };

function timesOf({ accessedAt, modifiedAt }: Attributes): Times | null {
  return accessedAt === undefined || modifiedAt === undefined ? null : { accessedAt, modifiedAt };
}
