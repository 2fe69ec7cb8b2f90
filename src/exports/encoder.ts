/** What makes an export's bytes of rows, and can go on where a file's last complete part ends. */

/** Appends to what is being written, and resolves when more may come; the bytes are not the caller's any more. */
export type Write = (bytes: Uint8Array) => Promise<void>;

export type Encoder = {
  /** In which format of COPY the rows are to come. */
  readonly source: "csv" | "text";
  /** What a file begins with. */
  begin(write: Write): Promise<void>;
  /** A piece of what COPY sends; nothing says that it ends where a row does. */
  add(piece: Buffer, write: Write): Promise<void>;
  /** Writes whatever is still kept of the rows so far. @returns what `resume` needs, beside the same of earlier calls */
  settle(write: Write): Promise<unknown>;
  /** Goes on behind a file's part. @param states what `settle` has told, in order. @param bytes the part's length */
  resume(states: readonly unknown[], bytes: number): void;
  /** What a file ends with. */
  finish(write: Write): Promise<void>;
};
