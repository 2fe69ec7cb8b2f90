/**
 * The vault: where delivered bytes stay, still encrypted, until retention removes them. A folder of this machine or one
 * that several share, or a bucket of a store that speaks S3.
 */

/** Beside the file whose origin it is, and beside an object that is recorded. */
export const originEnding = ".origin";
export const confirmedEnding = ".recorded";
export const besideEndings = [originEnding, confirmedEnding] as const;

export type KeptFile = {
  sizeBytes: number;
  /** See `confirm`. */
  isConfirmed: boolean;
  /** By which its other name is known, in an inbox of the same file system; null: it has none. */
  inode: string | null;
};

export type Vault = {
  /**
   * The folder of this machine under which references are relative paths: of all its files, or where they lie elsewhere,
   * of those that were brought here to be read.
   */
  readonly directory: string;
  /** The bytes lie on no disk of this machine: what landed is moved there, and not linked. */
  readonly isElsewhere: boolean;
  /** For those who run the service: where it is. */
  readonly location: string;
  /**
   * Keeps the bytes of a finished file durably, and what says whose it is. Idempotent. @param sha256 of all its bytes;
   * @returns its reference.
   * @throws Fault VAULT_AWAY
   */
  keep(deliveryId: string, file: string, day: string, sha256: Buffer, origin?: Buffer): Promise<string>;
  /** Under which `keep` would keep it. */
  referenceOf(deliveryId: string, day: string): string;
  /**
   * As `keep` of a file whose bytes are durable elsewhere: a power cut may take these.
   * @returns whether it is the file itself under a second name, or a copy; null: it needs no name here
   */
  name(reference: string, file: string): Promise<"linked" | "copied" | null>;
  /** Writes contents durably, of a file that came in the clear and is sealed on the way. @returns the reference. */
  write(deliveryId: string, contents: AsyncIterable<Buffer | string>, day: string, origin?: Buffer): Promise<string>;
  /** Marks a file as recorded, as the door marks its own name of it: what bears no mark was never acknowledged. */
  confirm(reference: string): Promise<void>;
  /** Null: it is not there. */
  look(reference: string): Promise<KeptFile | null>;
  /** What says whose it is; null: nothing does. */
  readOrigin(reference: string): Promise<Buffer | null>;
  /**
   * Puts what `anew` makes of it in the place of each origin kept from a day; where that is null it stays. Each is whole
   * before and after, and all are durable when this resolves. @returns how many were replaced.
   * @throws Fault VAULT_AWAY, and the signal's reason
   */
  replaceOrigins(
    day: string,
    anew: (deliveryId: string, before: Buffer) => Buffer | null,
    signal?: AbortSignal,
  ): Promise<number>;
  /** With what was kept beside it. */
  remove(reference: string): Promise<void>;
  /** Whether there is something under a name: a reference, or the vault's mark. @throws what keeps it from telling */
  has(name: string): Promise<boolean>;
  /** Writes the mark by which it is told from an empty place. */
  mark(): Promise<void>;
  /** A file of this machine with the bytes of a reference. Null: they are not in the vault. @throws Fault VAULT_AWAY */
  bring(reference: string): Promise<string | null>;
  /** Days from which something is kept. */
  days(): Promise<string[]>;
  /** What is kept from a day, by the last part of its reference; and what lies beside it. */
  list(day: string): AsyncIterable<{ name: string; sizeBytes: number }>;
  /** Removes what days before the given one left behind: places of nothing, parts of what was never whole. */
  tidy(before: string): Promise<void>;
  /** What was brought here of a reference is not needed any more. */
  discard(reference: string): Promise<void>;
  /** The same of all that nobody has brought or read since a moment, as loads leave it that broke off. */
  discardUnread(since: Date): Promise<void>;
};
