/**
 * Batches that a thread computes one after the other, although it has several under way. Between two steps of one it
 * would begin another, and all of them would be done only when the last is: an answer that took one batch's time then
 * takes that of three, and the statements that store them come together while the thread has nothing to do. Paired, for
 * the same processor time: with four pushes at once 50 instead of 58 ms at p99, with sixteen 96 instead of 111 (quartiles
 * of twenty rounds on a busy machine).
 */
export class OneByOne {
  #isTaken = false;
  readonly #waiting: (() => void)[] = [];

  /** What one batch has of it. */
  place(): Place {
    let hasBegun = false;
    return {
      begin: async () => {
        if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
        this.#isTaken = true;
        hasBegun = true;
      },
      end: () => {
        if (!hasBegun) return;
        hasBegun = false;
        const next = this.#waiting.shift();
        // Behind what the thread is about to say of this one. Nobody comes between: it stays taken.
        if (next === undefined) this.#isTaken = false;
        else setImmediate(next);
      },
    };
  }
}

export type Place = {
  /** Returns when it is this one's turn. At most once. */
  begin(): Promise<void>;
  /** The next one's turn. Idempotent; nothing where it never began. */
  end(): void;
};
