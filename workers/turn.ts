/**
 * A load's turn, as its thread sees it. The main thread says by a few shared bytes when others wait: then the load
 * parks where it stands and keeps what it has read, while another one runs; or it ends behind its next chunk. Here is
 * also counted how much it opens: a small delivery that opens to more than its lane takes leaves it at once.
 */
import type { TurnTask } from "./messages.ts";

/** What the first of the shared words asks for; the second is the answer. */
export const asked = { run: 0, park: 1, end: 2 } as const;
export const answered = { runs: 0, parked: 1 } as const;

/** The delivery belongs into another lane; nothing is wrong with it. */
export class Outgrown extends Error {
  override readonly name = "Outgrown";
}

/** A load waits so long at most before it looks again whether it may go on. */
const parkedLookMs = 1000;

export class Turn {
  readonly #words: Int32Array | null;
  readonly #openedBytesMax: number;
  #openedBytes = 0;

  constructor({ control, openedBytesMax = Infinity }: TurnTask) {
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

  /** Returns at once unless others wait; then when it is this load's turn again. */
  async untilRunning(): Promise<void> {
    const words = this.#words;
    if (words === null) return;
    while (Atomics.load(words, 0) === asked.park) {
      Atomics.store(words, 1, answered.parked);
      Atomics.notify(words, 1);
      const waiting = Atomics.waitAsync(words, 0, asked.park, parkedLookMs);
      if (waiting.async) await waiting.value;
    }
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
