/**
 * Documents that callers read lately, as bytes ready to be sent. That one lies here permits nothing: every call asks
 * the database, under its row-level security, whether its caller may read it and which version is in force; only then
 * are these bytes of use. So whatever is committed, be it new data, a hidden service, a deletion or an erasure, is in
 * force with the next call. What it leaves behind here is never answered again and goes with its time.
 */

/** version: what the database calls the content, equal only for equal bytes of one key. isPacked: they are gzip. */
export type RememberedDocument = { readonly version: string; readonly bytes: Buffer; readonly isPacked: boolean };

export type RememberedDocuments = {
  find(key: string): RememberedDocument | null;
  /** Keeps it from now on, in place of an older one. */
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
      return entry !== undefined && entry.until > now() ? entry.document : null;
    },
    remember(key, document) {
      forget(key);
      if (costOf(document) > bytesMax * shareMax) return;
      entries.set(key, { document, until: now() + rememberedMs });
      sizeBytes += costOf(document);
      forgetFirstWhile(() => sizeBytes > bytesMax);
    },
    forget,
    sizeBytes: () => sizeBytes,
    close() {
      clearInterval(sweeping);
      entries.clear();
      sizeBytes = 0;
    },
  };
}

function costOf({ bytes }: RememberedDocument): number {
  return bytes.length + entryBytes;
}
