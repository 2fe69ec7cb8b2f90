/**
 * A connection to which nobody has listened yet. What it says meanwhile is kept, so that it is noticed when it goes, and
 * given back to whoever is to hear it from the beginning.
 */
import type { Socket } from "node:net";

export type HeldConnection = {
  /** Whether it was let go. */
  readonly isOver: boolean;
  /** From now on it waits. @param gone is called when it has closed before it was let go */
  wait(gone: () => void): void;
  /** @returns how long it has waited in milliseconds; null: not at all */
  release(): number | null;
};

/** @param saidTooMuch is called once it has said more than `saidBytesMax` */
export function holdConnection(raw: Socket, saidBytesMax: number, saidTooMuch: () => void): HeldConnection {
  const said: Buffer[] = [];
  let saidBytes = 0;
  let waitsSinceMs: number | null = null;
  let isOver = false;
  let left = () => undefined as void;
  const hear = (piece: Buffer) => {
    saidBytes += piece.length;
    if (saidBytes > saidBytesMax) return saidTooMuch();
    said.push(piece);
  };
  const end = () => void raw.destroy();
  return {
    get isOver() {
      return isOver;
    },
    wait(gone) {
      waitsSinceMs = performance.now();
      left = gone;
      // Nobody else hears of its errors yet.
      raw.on("error", () => undefined);
      raw.once("close", left).on("data", hear).once("end", end);
    },
    release() {
      isOver = true;
      if (waitsSinceMs === null) return null;
      raw.off("close", left).off("data", hear).off("end", end).pause();
      if (saidBytes > 0 && !raw.destroyed) raw.unshift(Buffer.concat(said));
      return performance.now() - waitsSinceMs;
    },
  };
}
