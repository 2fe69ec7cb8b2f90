/** What a process has in hand, in words for whoever looks at the fleet. */

export type Activity = {
  /** @returns what is called when it is done; twice does no harm */
  begin(what: string): () => void;
  /** What has been going on for a second and more, the longest first, with its time; null: nothing. */
  describe(): string | null;
};

/** Rounds that look and find nothing come and go all the time. */
const shownAfterMs = 1000;
/** A list for a table's cell: more is not read. */
const namedMax = 5;

export function createActivity(nowMs: () => number = Date.now): Activity {
  const going = new Map<symbol, { what: string; sinceMs: number }>();
  return {
    begin(what) {
      const key = Symbol(what);
      going.set(key, { what, sinceMs: nowMs() });
      return () => void going.delete(key);
    },
    describe() {
      const list = [...going.values()].filter(({ sinceMs }) => nowMs() - sinceMs >= shownAfterMs);
      const named = list
        .slice(0, namedMax)
        .map(({ what, sinceMs }) => `${what} (${Math.round((nowMs() - sinceMs) / 1000)} s)`);
      const more = list.length - named.length;
      return list.length === 0 ? null : [...named, ...(more > 0 ? [`${more} more`] : [])].join(", ");
    },
  };
}
