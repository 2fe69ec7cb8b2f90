/**
 * What the bodies of pushed requests may hold in memory, from their first byte until they are answered. Anybody may send
 * one: so there is a limit for all together, for one partner's name and for one source, and whoever holds most of a
 * full budget gives way to whoever would hold less even when all of its body has come: one that would have to give way
 * again is refused at its beginning, and nobody else's is given up for it. A sender whom the partner has named has room
 * before all who are not. A body that is there as a whole is never given up.
 */
import type { Sender } from "./door-turns.ts";

export type BytesInFlightLimits = { all: number; ofPartner: number; ofSource: number };

/** What one body holds. */
export type Held = {
  /** @returns false when there is no room for so many more; then the body is to be given up. */
  take(bytes: number): boolean;
  /** It has come as a whole. */
  arrived(): void;
  /** It is answered, or gone. Idempotent. */
  release(): void;
};

type Body = {
  partnerId: string;
  source: string;
  isListed: boolean;
  bytes: number;
  /** What its sender has said that it will be; 0: nothing. */
  declaredBytes: number;
  isArriving: boolean;
  giveUp(): void;
};

export class BytesInFlight {
  readonly #limits: BytesInFlightLimits;
  readonly #bodies = new Set<Body>();
  readonly #ofPartner = new Map<string, number>();
  readonly #ofSource = new Map<string, number>();
  #all = 0;

  constructor(limits: BytesInFlightLimits) {
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#all;
  }

  /**
   * @param declaredBytes what its sender has said that it will be; 0: nothing
   * @param giveUp called when the body must go for another one's sake; what it held is free by then.
   */
  hold({ partnerId, source, isListed }: Sender, declaredBytes: number, giveUp: () => void): Held {
    const body: Body = { partnerId, source, isListed, bytes: 0, declaredBytes, isArriving: true, giveUp };
    this.#bodies.add(body);
    return {
      take: (bytes) => this.#take(body, bytes),
      arrived: () => void (body.isArriving = false),
      release: () => this.#release(body),
    };
  }

  #take(body: Body, bytes: number): boolean {
    const { partnerId, source } = body;
    if (!this.#bodies.has(body) || this.#held(this.#ofSource, source) + bytes > this.#limits.ofSource) return false;
    if (!this.#makeRoom(body, bytes, (one) => one.partnerId === partnerId, this.#limits.ofPartner)) return false;
    if (!this.#makeRoom(body, bytes, () => true, this.#limits.all)) return false;
    this.#add(body, bytes);
    return true;
  }

  /** Of those that share the limit. */
  #makeRoom(body: Body, bytes: number, shares: (one: Body) => boolean, limit: number): boolean {
    const total = () => (limit === this.#limits.all ? this.#all : this.#held(this.#ofPartner, body.partnerId));
    const comes = Math.max(bytes, body.declaredBytes - body.bytes);
    while (total() + bytes > limit) {
      const largest = this.#largest(body, shares);
      if (largest === null) return false;
      const isBefore = body.isListed && !largest.isListed;
      if (!isBefore && this.#held(this.#ofSource, largest.source) <= this.#held(this.#ofSource, body.source) + comes)
        return false;
      this.#release(largest);
      largest.giveUp();
    }
    return true;
  }

  /** The oldest that is still arriving, from the source that holds most; one that nobody has named where there is one. */
  #largest(newcomer: Body, shares: (one: Body) => boolean): Body | null {
    let found: Body | null = null;
    for (const one of this.#bodies) {
      if (!one.isArriving || !shares(one) || (one.isListed && !newcomer.isListed)) continue;
      if (found !== null && one.isListed !== found.isListed) {
        if (found.isListed) found = one;
        continue;
      }
      if (found === null || this.#held(this.#ofSource, one.source) > this.#held(this.#ofSource, found.source))
        found = one;
    }
    return found;
  }

  #held(counts: ReadonlyMap<string, number>, key: string): number {
    return counts.get(key) ?? 0;
  }

  #release(body: Body): void {
    if (!this.#bodies.delete(body)) return;
    this.#add(body, -body.bytes);
  }

  #add(body: Body, bytes: number): void {
    body.bytes += bytes;
    this.#all += bytes;
    count(this.#ofPartner, body.partnerId, bytes);
    count(this.#ofSource, body.source, bytes);
  }
}

function count(counts: Map<string, number>, key: string, change: number): void {
  const next = (counts.get(key) ?? 0) + change;
  if (next > 0) counts.set(key, next);
  else counts.delete(key);
}
