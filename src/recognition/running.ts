/** For how long a run over many users goes on. */
import { processorMs } from "./stages.ts";

/** What the clock says counts for so much less than what the processor does. */
const clockTimes = 4;

/**
 * How long it has run: of the thread's processor, or a part of what the clock says where that is more. What a transaction
 * costs beside its users is the same for few, and on a machine that does much else the clock would end it with the first
 * of them: a night's users then cost the database twice as much. But whoever waits does so by the clock.
 */
export class Running {
  readonly #processor: () => number;
  readonly #clock: () => number;
  readonly #processorAt: number;
  readonly #startedAt: number;

  /** @param processor and clock: milliseconds, from any beginning */
  constructor(processor: () => number = processorMs, clock: () => number = performance.now.bind(performance)) {
    this.#processor = processor;
    this.#clock = clock;
    this.#processorAt = processor();
    this.#startedAt = clock();
  }

  /** Milliseconds. */
  ms(): number {
    return Math.max(this.#processor() - this.#processorAt, (this.#clock() - this.#startedAt) / clockTimes);
  }
}
