/** One line that tells how far the trials are; where nobody watches, one each quarter of a minute. */
import { tallyOf } from "./report.ts";
import type { Result } from "./results.ts";

const quietMs = 15_000;

export class Progress {
  readonly #total: number;
  readonly #startedAt = performance.now();
  readonly #results: Result[] = [];
  #toldAt = performance.now();

  constructor(total: number) {
    this.#total = total;
  }

  add(result: Result): void {
    this.#results.push(result);
    if (process.stdout.isTTY) process.stdout.write(`\r${this.#line()}\u001b[K`);
    else if (performance.now() - this.#toldAt > quietMs) {
      this.#toldAt = performance.now();
      console.log(this.#line());
    }
  }

  end(): void {
    console.log(`${process.stdout.isTTY ? "\r" : ""}${this.#line()}`);
  }

  #line(): string {
    const { killed, late, survived, uncovered } = tallyOf(this.#results);
    const seconds = (performance.now() - this.#startedAt) / 1000;
    const perMinute = (60 * this.#results.length) / Math.max(seconds, 1);
    const left = this.#total - this.#results.length;
    const minutesLeft = left === 0 ? 0 : Math.ceil(left / Math.max(perMinute, 0.1));
    return `${this.#results.length}/${this.#total} in ${Math.round(seconds)} s, ${perMinute.toFixed(0)} a minute, ${minutesLeft} min left: ${killed} killed, ${late} late, ${survived} survived, ${uncovered} not covered`;
  }
}
