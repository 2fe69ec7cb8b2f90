/** What the door hands over: the point from which a client's success means that the bytes are safe. */

/** A file that is complete, closed to every writer, and under its final name. */
export type FinishedFile = {
  partnerId: string;
  /** Below inbox/, with `/` between folders. */
  name: string;
  /** Absolute, on disk. The inode is never written again, so it may be hard-linked. */
  path: string;
  sizeBytes: number;
  /** Of all its bytes. */
  sha256: Buffer;
  correlationId: string;
  /** All of it, where its bytes are recorded with it. */
  bytes?: Buffer;
};

/** Whether a file's bytes are recorded with it, in one commit: then nothing of it needs an fsync of its own. */
export type IsKeptWithRow = (file: Pick<FinishedFile, "name" | "sizeBytes">) => boolean;

/**
 * Resolves when the file is durable: fsynced or kept with its row, recorded, and so sure to be loaded. Rejects when nothing may be
 * acknowledged; the client then fails, and may deliver the same file again.
 * @param makeDurable fsyncs the file and its name; nothing else than a file that is kept with its row may be recorded
 * before it has resolved
 */
export type Deliver = (file: FinishedFile, makeDurable: () => Promise<void>) => Promise<void>;

/** What the structure of an upload tells to be missing, a clause about the file; null where it tells nothing. */
export type FindWhatIsMissing = (
  file: Pick<FinishedFile, "partnerId" | "name" | "path" | "bytes">,
) => Promise<string | null>;
