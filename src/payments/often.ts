/** What comes often, found without a table of all that comes: of a user's many words hardly any do. */

const buckets = 1_024;
const counts = new Uint16Array(buckets);

/** The words that may come so often among the items: all that do, and hardly any that do not. */
export function oftenIn<Item>(items: readonly Item[], wordOf: (item: Item) => string, countMin: number): Set<string> {
  counts.fill(0);
  let most = 0;
  for (const item of items) {
    const bucket = bucketOf(wordOf(item));
    const count = (counts[bucket] as number) + 1;
    counts[bucket] = count;
    if (count > most) most = count;
  }
  const often = new Set<string>();
  if (most < countMin) return often;
  for (const item of items) {
    const word = wordOf(item);
    if ((counts[bucketOf(word)] as number) >= countMin) often.add(word);
  }
  return often;
}

/** Words begin differently, and have different lengths. */
const lettersMax = 8;

function bucketOf(word: string): number {
  let hash = word.length;
  for (let at = 0; at < word.length && at < lettersMax; at++) hash = Math.imul(hash, 31) + word.charCodeAt(at);
  return (hash ^ (hash >>> 10)) & (buckets - 1);
}
