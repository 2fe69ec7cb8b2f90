/**
 * What many who have a page open would have read and written again and again, each for oneself: once for all of one
 * scope. A key holds everything that the result depends on beside the database and the clock: who may see which
 * partners, and what was asked for. Nothing of one session belongs in a result.
 */

export type Asked = {
  /** By a page's script that was told of a change: what was made since then serves as well. */
  isTold: boolean;
};

export type Shared = {
  /**
   * For a person who asks, what was begun after the question: all who ask while it is made have the next together. So at
   * most one is under way for a key.
   */
  of<Result>(key: string, asked: Asked, make: () => Promise<Result>): Promise<Result>;
  /** Something changed: what was begun before is old. */
  renew(): void;
};

/** How long what nobody told to be old is told again: figures beside those that are watched, and ages. */
const keptMs = 3000;
/** Of as many scopes and searches; a page is some hundred kilobytes. */
const keptMax = 40;

type Made = { result: Promise<unknown>; age: number; begunAt: number };
type Entry = { made: Made | null; isRunning: boolean; next: Promise<unknown> | null };

export function openShared(now: () => number = () => performance.now()): Shared {
  const entries = new Map<string, Entry>();
  let age = 0;

  const begin = (key: string, entry: Entry, make: () => Promise<unknown>): Promise<unknown> => {
    const made: Made = { result: make(), age, begunAt: now() };
    entry.made = made;
    entry.isRunning = true;
    entry.next = null;
    const over = () => {
      entry.isRunning = false;
      if (entry.next === null && entries.size > keptMax) entries.delete(key);
    };
    return made.result.then(
      (result) => {
        over();
        return result;
      },
      (error: unknown) => {
        // Who asks next tries again.
        if (entry.made === made) entry.made = null;
        over();
        throw error;
      },
    );
  };
  return {
    of<Result>(key: string, { isTold }: Asked, make: () => Promise<Result>): Promise<Result> {
      for (const [other, { made, isRunning }] of entries)
        if (!isRunning && (made === null || now() - made.begunAt > keptMs)) entries.delete(other);
      const entry = entries.get(key) ?? { made: null, isRunning: false, next: null };
      entries.set(key, entry);
      const { made } = entry;
      if (isTold && made !== null && made.age === age && now() - made.begunAt <= keptMs)
        return made.result as Promise<Result>;
      if (!entry.isRunning) return begin(key, entry, make) as Promise<Result>;
      const again = () => begin(key, entry, make);
      entry.next ??= (made?.result ?? Promise.resolve()).then(again, again);
      return entry.next as Promise<Result>;
    },
    renew() {
      age += 1;
    },
  };
}
