/** One file being uploaded: from the OPEN that writes to the CLOSE that delivers. */
import { type Hash, hash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { open, unlink } from "node:fs/promises";
import { type DiskFile, openQuickly } from "../../../machine/opened-file.ts";
import type { SessionContext } from "./context.ts";
import { deliverSealed, readWhole, sealFile } from "./delivery.ts";
import { type AreaLocation, isTemporary, statPlain } from "./paths.ts";
import { openFlags } from "../wire/requests.ts";
import { isIncomplete, markIncomplete, setStage, type Stage, stageModes, stageOf } from "./stages.ts";
import { absent, denied, failed } from "../wire/status.ts";
import { Writing } from "./writing.ts";

/** The inode that is written, and what is known of it. */
type Opened = {
  readonly file: DiskFile;
  /** The stage of the inode when it was opened; only a landing one can be written. */
  readonly stage: Stage;
  readonly writing: Writing;
};

export type Upload = {
  readonly kind: "upload";
  readonly location: AreaLocation;
  opened: Opened;
  /**
   * Puts a fresh inode in the place of one that was offered for delivery, once the client begins to overwrite that from
   * its start; null for one that only goes on with a file that is there.
   */
  readonly overwrite: (() => Promise<Opened>) | null;
  overwriting: Promise<void> | undefined;
  readonly correlationId: string;
  readonly startedAt: number;
  readonly release: () => void;
};

/**
 * Opens a file for writing. A file that was offered for delivery is never written again: truncated on opening, or meant
 * to be created and overwritten from its start, the name gets a fresh inode; opened to be continued, its handle refuses
 * writes and its close changes nothing.
 * @throws Refusal when someone else has the file, and as the open flags demand
 */
export async function openUpload(context: SessionContext, location: AreaLocation, flags: number): Promise<Upload> {
  if (context.isStopping()) throw failed("The service is stopping; try again in a minute.");
  const release = context.claims.take(location.diskPath);
  if (!release) throw failed("Another session is writing this file.");
  try {
    const opened = await openToWrite(context, location.diskPath, flags);
    const wouldCreate = (flags & openFlags.create) !== 0 && (flags & openFlags.append) === 0;
    const overwrite = wouldCreate ? () => openToWrite(context, location.diskPath, flags | openFlags.truncate) : null;
    context.events.emit("sftp.upload-started", { sessionId: context.sessionId, partnerId: context.partnerId });
    const upload: Upload = {
      kind: "upload",
      location,
      opened,
      overwrite,
      overwriting: undefined,
      correlationId: randomUUID(),
      startedAt: Date.now(),
      release,
    };
    context.uploads.add(upload);
    return upload;
  } catch (error) {
    release();
    throw error;
  }
}

async function openToWrite(context: SessionContext, diskPath: string, flags: number): Promise<Opened> {
  const { file, stage, isNew } = await openCounted(context, diskPath, flags);
  const { sizeBytes, hash } = isNew ? { sizeBytes: 0, hash: null } : await knownOf(context, file, diskPath);
  const grow = (endBytes: number) => context.room.grow(diskPath, endBytes);
  return {
    file,
    stage,
    writing: new Writing({ file, sizeBytes, append: (flags & openFlags.append) !== 0, hash, grow }),
  };
}

async function knownOf(
  context: SessionContext,
  file: DiskFile,
  diskPath: string,
): Promise<{ sizeBytes: number; hash: Hash | null }> {
  const stats = await file.stat({ bigint: true });
  return { sizeBytes: Number(stats.size), hash: context.hashes.take(diskPath, stats) };
}

/** The file counts to its partner's quota from here on, unless it is delivered and stays so. */
async function openCounted(context: SessionContext, diskPath: string, flags: number): Promise<Inode> {
  const uncount = await context.room.open(diskPath);
  try {
    const inode = await openInode(context, diskPath, flags);
    if (inode.stage === "delivered") uncount();
    return inode;
  } catch (error) {
    uncount();
    throw error;
  }
}

type Inode = { file: DiskFile; stage: Stage; isNew: boolean };

async function openInode(context: SessionContext, diskPath: string, flags: number): Promise<Inode> {
  // Nearly every upload is of a new name.
  const created = flags & openFlags.create ? await createInode(context, diskPath).catch(nullWhenThere) : null;
  if (created) return created;
  const stats = await statPlain(diskPath);
  if (!stats) {
    if (!(flags & openFlags.create)) throw absent();
    return createInode(context, diskPath);
  }
  if (stats.isDirectory()) throw failed("The name is a folder.");
  if (flags & openFlags.create && flags & openFlags.exclusive) throw failed("The name exists already.");
  const stage = stageOf(stats);
  if (stage === "landing") return { file: await openLanding(diskPath, flags), stage, isNew: false };
  if (!(flags & openFlags.truncate))
    return { file: await open(diskPath, constants.O_RDONLY | constants.O_NOFOLLOW), stage, isNew: false };
  await unlink(diskPath);
  return createInode(context, diskPath);
}

async function createInode({ quickly }: SessionContext, diskPath: string): Promise<Inode> {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  return { file: await openQuickly(diskPath, flags, stageModes.landing, quickly), stage: "landing", isNew: true };
}

function nullWhenThere(error: NodeJS.ErrnoException): null {
  if (error.code === "EEXIST") return null;
  throw error;
}

async function openLanding(diskPath: string, flags: number): Promise<DiskFile> {
  const file = await open(diskPath, constants.O_RDWR | constants.O_NOFOLLOW);
  // Whoever goes on with one that was incomplete says anew, by closing it, that it is there. Nothing else is touched: what
  // is known of a file's hash is known by its time of change.
  if (isIncomplete(await file.stat())) await setStage(file, "landing");
  if (flags & openFlags.truncate) await file.truncate(0);
  return file;
}

/** Takes bytes for a file and resolves when they are in it. @throws Refusal for a file that was offered for delivery */
export async function writeUpload(upload: Upload, offset: number, data: Buffer[]): Promise<void> {
  // OpenSSH's scp opens a file that is there without truncating it, writes from its start, and cuts it in the end.
  if (offset === 0 && upload.overwrite && upload.opened.stage !== "landing")
    upload.overwriting ??= overwrite(upload, upload.overwrite);
  await upload.overwriting;
  refuseUnlessLanding(upload);
  await upload.opened.writing.write(offset, data);
}

async function overwrite(upload: Upload, open: () => Promise<Opened>): Promise<void> {
  const { file } = upload.opened;
  upload.opened = await open();
  await file.close();
}

/**
 * What reads and writes go to, once what was asked before is under way. @throws Refusal when it could not be
 * overwritten
 */
export async function openedOf(upload: Upload): Promise<Opened> {
  await upload.overwriting;
  return upload.opened;
}

export async function truncateUpload(upload: Upload, sizeBytes: number): Promise<void> {
  await upload.overwriting;
  refuseUnlessLanding(upload);
  await upload.opened.writing.truncate(sizeBytes);
}

function refuseUnlessLanding({ opened: { stage, writing } }: Upload): void {
  if (stage !== "landing") writing.refuse(denied("The file was delivered; upload it whole to deliver it again."));
}

/**
 * Ends an upload. Under a final name it is delivered first, and the promise resolves when that is durable; under a
 * temporary name it waits for its rename. A delivered file that was only opened stays as it is.
 * @throws the first write that failed, or the delivery's failure; then nothing was acknowledged
 */
export async function closeUpload(context: SessionContext, upload: Upload): Promise<void> {
  let isRecordedWhole = false;
  try {
    const { stage, writing } = await openedOf(upload);
    await writing.flushed();
    const delivers = stage !== "delivered" && !isTemporary(upload.location.diskPath, context.temporaryNames);
    const bytes = delivers ? await readKeptWithRow(context, upload) : null;
    if (delivers && stage === "landing") await refuseIncomplete(context, upload, bytes);
    if (delivers) await deliverUpload(context, upload, bytes);
    else await rememberHash(context, upload);
    emitFinished(context, upload, delivers);
    isRecordedWhole = bytes !== null;
  } finally {
    if (isRecordedWhole) releaseRecorded(context, upload);
    else await releaseUpload(context, upload);
  }
}

/**
 * OpenSSH's client closes a file whose upload is broken off by Ctrl-C, so that a close alone does not say that all has
 * come. What is told not to be whole stays as an upload that was cut: it can be continued and replaced.
 */
async function refuseIncomplete(context: SessionContext, upload: Upload, bytes: Buffer | null): Promise<void> {
  const { partnerId, incompleteMs, sessionId } = context;
  if (incompleteMs === 0) return;
  const { location, opened, correlationId } = upload;
  const file = location.names.join("/");
  const landed = { partnerId, name: file, path: location.diskPath, ...(bytes === null ? {} : { bytes }) };
  const missing = await context.findWhatIsMissing(landed);
  if (missing === null) return;
  await markIncomplete(opened.file);
  await rememberHash(context, upload);
  const { sizeBytes } = opened.writing;
  context.events.emit("sftp.upload-incomplete", { sessionId, partnerId, correlationId, sizeBytes });
  context.audit("sftp.upload-incomplete", { file, sizeBytes, missing, correlationId });
  throw failed(
    `The file is not whole: ${missing}. Continue it or upload it again within ${Math.ceil(incompleteMs / 60_000)} minutes; then it is taken as it is.`,
  );
}

/** Null where the file is made durable by itself. */
async function readKeptWithRow(context: SessionContext, { location, opened }: Upload): Promise<Buffer | null> {
  const { sizeBytes } = opened.writing;
  if (!context.isKeptWithRow({ name: location.names.join("/"), sizeBytes })) return null;
  return opened.writing.bytes ?? (await readWhole(opened.file, sizeBytes));
}

/** What is recorded with its bytes is neither sealed nor synced before: what a crash leaves of it is an upload. */
async function deliverUpload(context: SessionContext, upload: Upload, bytes: Buffer | null): Promise<void> {
  const {
    opened: { file, writing },
    location,
    correlationId,
  } = upload;
  const hashed = writing.detachHash();
  const sealed =
    bytes === null
      ? await sealFile(file, hashed)
      : { sizeBytes: bytes.length, sha256: hashed?.digest() ?? hash("sha256", bytes, "buffer"), bytes };
  await deliverSealed(context, file, {
    partnerId: context.partnerId,
    name: location.names.join("/"),
    path: location.diskPath,
    correlationId,
    ...sealed,
  });
}

/** For the rename that delivers it, or for whoever goes on with it. */
async function rememberHash(
  { hashes }: SessionContext,
  { location, opened: { file, writing } }: Upload,
): Promise<void> {
  const hash = writing.detachHash();
  if (hash) hashes.remember(location.diskPath, await file.stat({ bigint: true }), hash);
}

function emitFinished(context: SessionContext, upload: Upload, delivered: boolean): void {
  context.events.emit("sftp.upload-finished", {
    sessionId: context.sessionId,
    partnerId: context.partnerId,
    correlationId: upload.correlationId,
    sizeBytes: upload.opened.writing.sizeBytes,
    durationMs: Date.now() - upload.startedAt,
    delivered,
  });
  const file = upload.location.names.join("/");
  context.audit("sftp.file-uploaded", {
    file,
    sizeBytes: upload.opened.writing.sizeBytes,
    delivered,
    correlationId: upload.correlationId,
  });
}

/** The connection went away before the CLOSE: what has come stays under its name, undelivered, and can be resumed. */
export async function abandonUpload(context: SessionContext, upload: Upload): Promise<void> {
  const { sessionId, partnerId } = context;
  // A write that failed was answered already; here it only matters that none is under way any more.
  const written = await openedOf(upload)
    .then(({ writing }) => writing.settled())
    .then(
      () => true,
      () => false,
    );
  if (written) await rememberHash(context, upload);
  await releaseUpload(context, upload);
  context.events.emit("sftp.upload-abandoned", { sessionId, partnerId, sizeBytes: upload.opened.writing.sizeBytes });
  context.audit("sftp.upload-abandoned", {
    file: upload.location.names.join("/"),
    sizeBytes: upload.opened.writing.sizeBytes,
  });
}

/**
 * Of what is recorded with its bytes nothing hangs on the file any more: it closes behind the answer. Its name is free at
 * once, since a client may well send the next file under it as soon as it has the answer, which gets an inode of its own.
 */
function releaseRecorded(context: SessionContext, upload: Upload): void {
  upload.release();
  noteReceived(context, upload);
  upload.opened.file
    .close()
    .catch((error: unknown) => context.events.emit("sftp.failed", { sessionId: context.sessionId, error }));
}

function noteReceived(context: SessionContext, upload: Upload): void {
  context.uploads.delete(upload);
  context.tally.bytesReceived += upload.opened.writing.receivedSizeBytes;
}

async function releaseUpload(context: SessionContext, upload: Upload): Promise<void> {
  noteReceived(context, upload);
  try {
    await upload.opened.writing.release();
    await upload.opened.file.close();
  } finally {
    upload.release();
  }
}
