/**
 * A load's turn, as its thread sees it. The main thread says by a few shared bytes when others wait: then the load
 * parks where it stands and keeps what it has read, while another one runs; or it ends behind its next chunk. One that
 * is ahead of its rate says that it rests, and for how long. Here is also counted how much it opens: a small delivery
 * that opens to more than its lane takes leaves it at once.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { TurnTask } from "./messages.ts";

/** What the first of the shared words asks for; the second is the answer, the third of one that rests how many ms. */
export const asked = { run: 0, park: 1, end: 2 } as const;
export const answered = { runs: 0, parked: 1, rests: 2 } as const;
export const controlBytes = 3 * Int32Array.BYTES_PER_ELEMENT;

/** The time in which a load rests. */
export type RestClock = {
  nowMs(): number;
  /** Returns after so long, or when the first of the words is no longer `run`. */
  sleep(words: Int32Array | null, ms: number): Promise<void>;
};

export const threadClock: RestClock = {
  nowMs: () => performance.now(),
  async sleep(words, ms) {
    if (words === null) await wait(ms);
    else await Atomics.waitAsync(words, 0, asked.run, ms).value;
  },
};

/** The delivery belongs into another lane; nothing is wrong with it. */
export class Outgrown extends Error {
  override readonly name = "Outgrown";
}

/** A load waits so long at most before it looks again whether it may go on. */
const parkedLookMs = 1000;

export class Turn {
  readonly #words: Int32Array | null;
  readonly #openedBytesMax: number;
  readonly #clock: RestClock;
  #openedBytes = 0;
  /** For how long it was parked, in all. */
  parkedMs = 0;
  /** What to do when the load has been parked for long. */
  whenParkedLong: (() => Promise<void>) | null = null;

  constructor({ control, openedBytesMax = Infinity }: TurnTask, clock: RestClock = threadClock) {
    this.#clock = clock;
    this.#words = control === undefined ? null : new Int32Array(control);
    this.#openedBytesMax = openedBytesMax;
  }

  /** Whether to end behind the chunk that is being committed. */
  get isOver(): boolean {
    return this.#words !== null && Atomics.load(this.#words, 0) === asked.end;
  }

  /** So many bytes more came out of what landed, of whatever layer. @throws Outgrown */
  note(openedBytes: number): void {
    this.#openedBytes += openedBytes;
    if (this.#openedBytes > this.#openedBytesMax) throw new Outgrown();
  }

  /** Stands still for so long, parked where others wait. @returns what is left of it when its turn is over before. */
  async rest(restMs: number): Promise<number> {
    const words = this.#words;
    const untilMs = this.#clock.nowMs() + restMs;
    let leftMs = restMs;
    for (; leftMs > 0 && !this.isOver; leftMs = untilMs - this.#clock.nowMs()) {
      if (words !== null) {
        Atomics.store(words, 2, Math.ceil(leftMs));
        Atomics.store(words, 1, answered.rests);
        Atomics.notify(words, 1);
      }
      await this.#clock.sleep(words, leftMs);
      await this.untilRunning();
    }
    if (words !== null) Atomics.store(words, 1, answered.runs);
    return Math.max(0, leftMs);
  }

  /** Returns at once unless others wait; then when it is this load's turn again. */
  async untilRunning(): Promise<void> {
    const words = this.#words;
    if (words === null) return;
    const sinceMs = this.#clock.nowMs();
    while (Atomics.load(words, 0) === asked.park) {
      Atomics.store(words, 1, answered.parked);
      Atomics.notify(words, 1);
      const waiting = Atomics.waitAsync(words, 0, asked.park, parkedLookMs);
      if (waiting.async && (await waiting.value) === "timed-out") await this.whenParkedLong?.();
    }
    this.parkedMs += this.#clock.nowMs() - sinceMs;
    Atomics.store(words, 1, answered.runs);
  }
}

/** Pieces that were opened, none of them before its load's turn. */
export async function* inTurn(pieces: AsyncIterable<Buffer>, turn: Turn): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    await turn.untilRunning();
    turn.note(piece.length);
    yield piece;
  }
}
