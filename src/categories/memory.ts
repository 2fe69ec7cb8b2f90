/** What is known from files, and how what was worked out of texts is kept. */

/**
 * Made when it is first asked for: a process that only serves what was computed before reads the same files, and needs
 * none of the tens of megabytes that the lexicons are as indexes.
 */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}

/**
 * What was worked out of texts is kept, since the same come again and again. Bounded: nobody knows how many different
 * ones the banks will send.
 */
export class Memory<Value> {
  readonly #kept = new Map<string, Value>();
  readonly #max: number;

  /** @param max so many are kept; with the next one all before it are forgotten */
  constructor(max: number) {
    this.#max = max;
  }

  /** Null is a value like any other. */
  recall(key: string, make: () => Value): Value {
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const value = make();
    // Making it may have kept others.
    if (this.#kept.size >= this.#max) this.#kept.clear();
    this.#kept.set(key, value);
    return value;
  }
}
