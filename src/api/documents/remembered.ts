/**
 * Documents that callers read lately, as bytes ready to be sent. That one lies here permits nothing: every call asks
 * the database, under its row-level security, whether its caller may read it and which version is in force; only then
 * are these bytes of use. So whatever is committed, be it new data, a hidden service, a deletion or an erasure, is in
 * force with the next call. What it leaves behind here is never answered again and goes with its time.
 */

import { free } from "../../machine/free.ts";

/** version: what the database calls the content, equal only for equal bytes of one key. isPacked: they are gzip. */
export type DocumentBytes = { readonly version: string; readonly bytes: Buffer; readonly isPacked: boolean };

/**
 * In the hands of whoever made or found it, until each of them has given it back. When it is in nobody's and not
 * remembered, its memory is freed: left to the garbage collector, a flood of first reads had it look through the whole
 * heap several times a second, a quarter of what they cost.
 */
export class RememberedDocument implements DocumentBytes {
  readonly version: string;
  readonly bytes: Buffer;
  readonly isPacked: boolean;
  #hands = 1;
  #isRemembered = false;

  constructor({ version, bytes, isPacked }: DocumentBytes) {
    this.version = version;
    this.bytes = bytes;
    this.isPacked = isPacked;
  }

  lend(): this {
    this.#hands += 1;
    return this;
  }

  giveBack(): void {
    this.#hands -= 1;
    this.#freeUnused();
  }

  set isRemembered(isRemembered: boolean) {
    this.#isRemembered = isRemembered;
    this.#freeUnused();
  }

  #freeUnused(): void {
    if (this.#hands === 0 && !this.#isRemembered) free(this.bytes);
  }
}

export type RememberedDocuments = {
  /** Lent: whoever asks gives it back. */
  find(key: string): RememberedDocument | null;
  /** Keeps it from now on, give or take ten seconds, in place of an older one. It is in the caller's hands. */
  remember(key: string, document: RememberedDocument): void;
  forget(key: string): void;
  /** Of all that is remembered. */
  sizeBytes(): number;
  /** Forgets everything and stops looking at the time. */
  close(): void;
};

/** now: milliseconds of a clock that only moves on. */
export type RememberedTimes = { now(): number; sweepEveryMs: number };

const realTimes: RememberedTimes = { now: () => performance.now(), sweepEveryMs: 15_000 };
/**
 * An app's visit: who comes back to a list reads it again within this time. With a sweep, the longest that a deleted
 * user's bytes stay.
 */
const rememberedMs = 5 * 60_000;
/** Within this time a document that is read again keeps its place: moving it with each read made the table over and over. */
const placeHeldMs = 10_000;
/** What a key and its entry take beside the bytes. */
const entryBytes = 500;
/** One document must not push out all others. */
const shareMax = 1 / 8;

/** @param bytesMax what was not read for longest goes first when it is reached; 0: nothing is remembered */
export function rememberDocuments(
  bytesMax: number,
  { now, sweepEveryMs }: RememberedTimes = realTimes,
): RememberedDocuments {
  // In the order in which they were read last, so that the first is the next to go.
  const entries = new Map<string, { document: RememberedDocument; until: number }>();
  let sizeBytes = 0;
  const forget = (key: string): void => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    sizeBytes -= costOf(entry.document);
    entry.document.isRemembered = false;
  };
  const forgetFirstWhile = (isToGo: (until: number) => boolean): void => {
    for (const [key, { until }] of entries) {
      if (!isToGo(until)) return;
      forget(key);
    }
  };
  const sweeping = setInterval(() => forgetFirstWhile((until) => until <= now()), sweepEveryMs).unref();
  return {
    find(key) {
      const entry = entries.get(key);
      return entry !== undefined && entry.until > now() ? entry.document.lend() : null;
    },
    remember(key, document) {
      const known = entries.get(key);
      if (known?.document === document && known.until > now() + rememberedMs - placeHeldMs) return;
      forget(key);
      if (costOf(document) > bytesMax * shareMax) return;
      document.isRemembered = true;
      entries.set(key, { document, until: now() + rememberedMs });
      sizeBytes += costOf(document);
      forgetFirstWhile(() => sizeBytes > bytesMax);
    },
    forget,
    sizeBytes: () => sizeBytes,
    close() {
      clearInterval(sweeping);
      for (const key of entries.keys()) forget(key);
    },
  };
}

function costOf({ bytes }: DocumentBytes): number {
  return bytes.length + entryBytes;
}
