/**
 * When a new connection may begin its TLS handshake. That costs a millisecond of the thread that answers everybody, and
 * whoever is refused afterwards comes again for another one: so those who come too often wait before it, where a
 * connection costs next to nothing.
 *
 * | who comes | begins |
 * | --- | --- |
 * | from a network that some partner's list names | at once, as often as one address may |
 * | from an address that was answered well lately | the same, and all such together as often as strangers may |
 * | anybody else | all together so often, their addresses in turns |
 * | from an address with a penalty | when that is over, and no other stranger waits |
 */
import { Backoff } from "../../landing/backoff.ts";

export type HandshakeRates = {
  /** Of all addresses together that nobody has listed. */
  perSecond: number;
  /** Of one address, or a /64. */
  perAddressPerSecond: number;
  /** Connections that wait. */
  waitingMax: number;
  waitMsMax?: number;
  /** Of all of a standing at once, in seconds of perSecond. */
  burstSeconds?: Readonly<Record<"proven" | "unknown", number>>;
};

export type Standing = "listed" | "proven" | "unknown";
/** "penalty": of its address; "no-turn": there was no place, or it would have waited for too long. */
export type TurnRefusal = "penalty" | "no-turn";

export type Waiting = {
  readonly neighbourhood: string;
  readonly sinceMs: number;
  begin(): void;
  refuse(reason: TurnRefusal): void;
};

/** Clients wait for a handshake for ten seconds and more. */
const waitMsMaxDefault = 10_000;
/** Of one address at once, in seconds of its rate: what stands behind it may all start together. */
const burstSeconds = 5;
/**
 * A bank's backend opens 64 connections in the same moment and keeps them: strangers may do so
 * once in a while, which costs the others a tenth of a second spread over their calls, and whoever is known anyway.
 */
const sharedBurstSecondsDefault = { proven: 5, unknown: 2 };
/** Addresses whose rate is remembered; of others it begins anew. */
const addressesMax = 20_000;

/** As long at first as who is refused for want of room is told to wait (`Retry-After`), and longer each time. */
const penalty = { freeFailures: 1, firstDelayMs: 5000, delayMaxMs: 60_000, forgiveMs: 60_000, keysMax: 10_000 };

type Lane = Map<string, Waiting[]>;

export class HandshakeTurns {
  readonly #rates: HandshakeRates;
  readonly #now: () => number;
  /** In the order in which they come to their turn; in each, addresses in turns. */
  readonly #lanes: Record<Standing | "penalised", Lane> = {
    listed: new Map(),
    proven: new Map(),
    unknown: new Map(),
    penalised: new Map(),
  };
  readonly #shared: { proven: Bucket; unknown: Bucket };
  readonly #ofAddress = new Map<string, Bucket>();
  readonly #penalties: Backoff;
  readonly #outUntilMs = new Map<string, number>();
  #waiting = 0;

  constructor(rates: HandshakeRates, now: () => number = () => performance.now()) {
    this.#rates = rates;
    this.#now = now;
    this.#penalties = new Backoff(penalty, now);
    const seconds = rates.burstSeconds ?? sharedBurstSecondsDefault;
    const shared = (of: "proven" | "unknown") =>
      new Bucket(rates.perSecond, Math.max(1, rates.perSecond * seconds[of]), now());
    this.#shared = { proven: shared("proven"), unknown: shared("unknown") };
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Begins now, later, or is refused. @returns what to call when the connection is gone */
  come(newcomer: Omit<Waiting, "sinceMs">, standing: Standing): () => void {
    const lane =
      this.#lanes[standing === "unknown" && this.#isPenalised(newcomer.neighbourhood) ? "penalised" : standing];
    const waiting = { ...newcomer, sinceMs: this.#now() };
    if (this.#waiting >= this.#rates.waitingMax && !this.#makeRoom(waiting, lane)) {
      waiting.refuse(lane === this.#lanes.penalised ? "penalty" : "no-turn");
      return () => undefined;
    }
    this.#add(lane, waiting);
    // Behind others it waits for the next look: a flood costs no look each.
    if (lane.size === 1) this.pass();
    return () => void this.#leave(waiting);
  }

  /** Whom the turn has come to begins. To be called often while some wait. */
  pass(): void {
    const { listed, proven, unknown, penalised } = this.#lanes;
    const now = this.#now();
    this.#begin(listed, null, now);
    this.#begin(proven, this.#shared.proven, now);
    this.#begin(unknown, this.#shared.unknown, now);
    if (unknown.size === 0) this.#begin(penalised, this.#shared.unknown, now);
  }

  /** Its strangers' connections wait longer from now on. */
  penalise(neighbourhood: string): void {
    this.#penalties.failed(neighbourhood);
    this.#outUntilMs.set(neighbourhood, this.#now() + this.#penalties.delayMs(neighbourhood));
    const queue = this.#lanes.unknown.get(neighbourhood);
    if (queue === undefined || !this.#isPenalised(neighbourhood)) return;
    this.#lanes.unknown.delete(neighbourhood);
    this.#lanes.penalised.set(neighbourhood, queue);
  }

  /** Refuses who has waited for too long, and forgets what is over. To be called each second or so. */
  tidy(): void {
    const now = this.#now();
    const waitMsMax = this.#rates.waitMsMax ?? waitMsMaxDefault;
    for (const lane of Object.values(this.#lanes))
      for (const queue of lane.values())
        for (const one of queue.filter(({ sinceMs }) => now - sinceMs > waitMsMax)) this.#refuse(one, lane);
    for (const [neighbourhood, untilMs] of this.#outUntilMs) if (untilMs <= now) this.#outUntilMs.delete(neighbourhood);
    for (const [neighbourhood, bucket] of this.#ofAddress)
      if (bucket.isFull(now)) this.#ofAddress.delete(neighbourhood);
  }

  refuseAll(): void {
    for (const lane of Object.values(this.#lanes))
      for (const queue of lane.values()) for (const one of queue.slice()) this.#refuse(one, lane);
  }

  #isPenalised(neighbourhood: string): boolean {
    return this.#penalties.delayMs(neighbourhood) > 0;
  }

  /** One of each address, and again, as long as there are turns. */
  #begin(lane: Lane, shared: Bucket | null, now: number): void {
    for (let begun = 1; begun > 0;) {
      begun = 0;
      for (const neighbourhood of Array.from(lane.keys())) {
        if (shared !== null && !shared.has(now)) return;
        const first = lane.get(neighbourhood)?.[0];
        if (lane === this.#lanes.penalised && (this.#outUntilMs.get(neighbourhood) ?? 0) > now) continue;
        const own = this.#bucketOf(neighbourhood, now);
        if (first === undefined || !own.has(now)) continue;
        own.take();
        shared?.take();
        this.#remove(lane, first);
        // Who has more waiting comes after those who had not their turn.
        const rest = lane.get(neighbourhood);
        if (rest !== undefined) {
          lane.delete(neighbourhood);
          lane.set(neighbourhood, rest);
        }
        first.begin();
        begun += 1;
      }
    }
  }

  #bucketOf(neighbourhood: string, now: number): Bucket {
    const known = this.#ofAddress.get(neighbourhood);
    if (known !== undefined) return known;
    const { perAddressPerSecond } = this.#rates;
    const bucket = new Bucket(perAddressPerSecond, perAddressPerSecond * burstSeconds, now);
    this.#ofAddress.set(neighbourhood, bucket);
    const [oldest] = this.#ofAddress.keys();
    if (oldest !== undefined && this.#ofAddress.size > addressesMax) this.#ofAddress.delete(oldest);
    return bucket;
  }

  /** The oldest with a penalty gives way, then a stranger of the address of which most wait. */
  #makeRoom(newcomer: Waiting, lane: Lane): boolean {
    const { unknown, penalised } = this.#lanes;
    for (const from of [penalised, unknown]) {
      let most: Waiting[] = [];
      for (const queue of from.values()) if (queue.length > most.length) most = queue;
      // Of one lane, the newcomer's address must not end up with more than the one that loses.
      const own = from === lane ? (from.get(newcomer.neighbourhood)?.length ?? 0) + 1 : 0;
      const [oldest] = most;
      if (oldest !== undefined && most.length > own) {
        this.#refuse(oldest, from);
        return true;
      }
      if (from === lane) return false;
    }
    return false;
  }

  #refuse(one: Waiting, lane: Lane): void {
    this.#remove(lane, one);
    one.refuse(lane === this.#lanes.penalised ? "penalty" : "no-turn");
  }

  #leave(one: Waiting): void {
    for (const lane of Object.values(this.#lanes)) if (this.#remove(lane, one)) return;
  }

  #add(lane: Lane, one: Waiting): void {
    const queue = lane.get(one.neighbourhood);
    if (queue === undefined) lane.set(one.neighbourhood, [one]);
    else queue.push(one);
    this.#waiting += 1;
  }

  #remove(lane: Lane, one: Waiting): boolean {
    const queue = lane.get(one.neighbourhood);
    const at = queue?.indexOf(one) ?? -1;
    if (queue === undefined || at < 0) return false;
    queue.splice(at, 1);
    if (queue.length === 0) lane.delete(one.neighbourhood);
    this.#waiting -= 1;
    return true;
  }
}

/** So many at once, and so many a second after that. */
class Bucket {
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  #atMs: number;

  constructor(perSecond: number, burst: number, now: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#atMs = now;
  }

  has(now: number): boolean {
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#atMs) / 1000) * this.#perSecond);
    this.#atMs = now;
    return this.#tokens >= 1;
  }

  /** After `has` said so. */
  take(): void {
    this.#tokens -= 1;
  }

  isFull(now: number): boolean {
    this.has(now);
    return this.#tokens >= this.#burst;
  }
}
