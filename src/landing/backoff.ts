/** How long someone who failed has to wait: doubling with each failure, forgiven with time, in bounded memory. */

export type BackoffRules = {
  /** Failures that cost nothing: people try the wrong key, and agents offer several. */
  readonly freeFailures: number;
  /** After the first failure that costs. */
  readonly firstDelayMs: number;
  readonly delayMaxMs: number;
  /** One failure is forgiven for each such time without another. */
  readonly forgiveMs: number;
  /** Keys remembered; past it the one that failed longest ago is forgotten. */
  readonly keysMax: number;
};

type Record = { failures: number; at: number };

export class Backoff {
  readonly #rules: BackoffRules;
  readonly #now: () => number;
  /** In the order of the last failure. */
  readonly #records = new Map<string, Record>();

  constructor(rules: BackoffRules, now: () => number = Date.now) {
    this.#rules = rules;
    this.#now = now;
  }

  /** How many are remembered. */
  get size(): number {
    return this.#records.size;
  }

  failed(key: string): void {
    const failures = this.#failuresOf(key) + 1;
    this.#records.delete(key);
    this.#records.set(key, { failures, at: this.#now() });
    if (this.#records.size <= this.#rules.keysMax) return;
    for (const oldest of this.#records.keys()) return void this.#records.delete(oldest);
  }

  succeeded(key: string): void {
    this.#records.delete(key);
  }

  delayMs(key: string): number {
    const { freeFailures, firstDelayMs, delayMaxMs } = this.#rules;
    const costly = this.#failuresOf(key) - freeFailures;
    // Beyond 2^30 the product is past any maximum, and the power would in the end be infinite.
    return costly <= 0 ? 0 : Math.min(delayMaxMs, firstDelayMs * 2 ** Math.min(costly - 1, 30));
  }

  #failuresOf(key: string): number {
    const record = this.#records.get(key);
    if (!record) return 0;
    const forgiven = Math.floor((this.#now() - record.at) / this.#rules.forgiveMs);
    return Math.max(0, record.failures - forgiven);
  }
}
