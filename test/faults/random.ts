/** Numbers that follow from a seed: a round that found something can be run again. */
export type Random = {
  /** From 0 to, not including, 1. */
  share(): number;
  /** A whole number, both ends included. */
  between(low: number, high: number): number;
  pick<Item>(items: readonly Item[]): Item;
  shuffle<Item>(items: readonly Item[]): Item[];
  /** For a part of its own, so that what runs beside it does not shift its numbers. */
  fork(name: string): Random;
};

/** Mulberry32 (Tommy Ettinger, public domain): 32 bits of state, good enough to choose moments. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const share = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + Math.floor(share() * (high - low + 1));
  return {
    share,
    between,
    shuffle: (items) =>
      items
        .map((item) => ({ item, place: share() }))
        .sort((a, b) => a.place - b.place)
        .map(({ item }) => item),
    pick: (items) => {
      const found = items[between(0, items.length - 1)];
      if (found === undefined) throw new RangeError("nothing to pick from");
      return found;
    },
    fork: (name) => createRandom(hash(`${seed} ${name}`)),
  };
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return value >>> 0;
}
