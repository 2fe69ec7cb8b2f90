/**
 * The test files of one process take turns, in the order in which they were loaded. In its turn a file runs as it does
 * alone: its hooks before all, its serial tests one by one, the others at once, its hooks after all.
 */
import { appendFileSync } from "node:fs";
import { setImmediate as nextRound } from "node:timers/promises";

type Hook = () => unknown;
type Seat = { start: () => void; refuse: (reason: unknown) => void; isOver: Promise<void> };
/** A test's place in its file: it runs when `turn` is there, and calls `leave` when all of it has ended. */
export type Place = { turn: Promise<void>; leave: () => void };

export class FileTurn {
  readonly befores: Hook[] = [];
  readonly afters: Hook[] = [];
  readonly #serial: Seat[] = [];
  readonly #concurrent: Seat[] = [];
  readonly #seated: () => void;
  readonly name: string;

  /** @param seated called for each test that waits for its turn */
  constructor(name: string, seated: () => void) {
    this.name = name;
    this.#seated = seated;
  }

  place({ isSerial }: { isSerial: boolean }): Place {
    const turn = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const seats = isSerial ? this.#serial : this.#concurrent;
    seats.push({ start: turn.resolve, refuse: turn.reject, isOver: end.promise });
    this.#seated();
    return { turn: turn.promise, leave: end.resolve };
  }

  /** Returns when its tests and hooks have ended. A hook that fails before fails each of them. @throws what one after does */
  async run(): Promise<void> {
    const seats = [...this.#serial, ...this.#concurrent];
    if (seats.length === 0) return;
    try {
      for (const hook of this.befores) await hook();
    } catch (error) {
      for (const { refuse } of seats) refuse(error);
    }
    for (const { start, isOver } of this.#serial) {
      start();
      await isOver;
    }
    for (const { start } of this.#concurrent) start();
    await Promise.all(this.#concurrent.map(({ isOver }) => isOver));
    for (const hook of this.afters) await hook();
  }
}

/** AVA starts all tests of a process in one go; from then on files take turns. */
export class Turns {
  readonly #files: FileTurn[] = [];
  #isUnderWay = false;

  /** The next file's. */
  add(name: string): FileTurn {
    const file = new FileTurn(name, () => {
      if (this.#isUnderWay) return;
      this.#isUnderWay = true;
      void this.#run();
    });
    this.#files.push(file);
    return file;
  }

  async #run(): Promise<void> {
    await nextRound();
    for (const file of this.#files) {
      const begun = performance.now();
      // AVA counts a rejection that nobody handles as a failure of the run, and the files behind have their turn.
      await file.run().catch((error: unknown) => void Promise.reject(error));
      noteTime(file.name, performance.now() - begun);
    }
  }
}

/** Where it is asked which files take longest (run.ts). */
function noteTime(name: string, ms: number): void {
  const file = process.env.JOINED_TESTS_TIMES;
  if (file !== undefined) appendFileSync(file, `${(ms / 1000).toFixed(1).padStart(7)}  ${name}\n`);
}
