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
