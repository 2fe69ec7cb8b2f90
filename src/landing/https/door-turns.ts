/**
 * Whose batch is opened next. Opening one takes a thread from a millisecond to a fifth of a second, and who it is for
 * shows only then: anybody may write a partner's name into the path. So places are taken in turns, by partner and among
 * one partner's by source, counted in the time that opening took; those who are known go first, and those who are not
 * never hold all threads.
 */
import { Fault } from "../../errors.ts";

/** On whose behalf, and from where. */
export type Sender = {
  partnerId: string;
  /** A network neighbourhood: an IPv4 address, or a /64. */
  source: string;
  /** Whether the partner named this network or certificate as its own. */
  isListed: boolean;
};

export type DoorTurnsSettings = {
  threads: number;
  /** Batches of one thread under way at once. */
  batchesOfThread: number;
  /** Waiting, of one source and altogether. */
  waitingOfSourceMax?: number;
  waitingMax?: number;
  waitMsMax?: number;
  now?: () => number;
};

/** A sender that keeps so many requests open at once is served at its full speed. */
const waitingOfSourceMaxDefault = 256;
/** Some seconds of work; beyond that waiting is pointless. */
const waitingMaxDefault = 2048;
/** Well below the half minute after which common clients give up. */
const waitMsMaxDefault = 10_000;

/** Once a source has had a batch accepted it is known, for as long after its last one. */
const knownForMs = 60 * 60_000;
const knownMax = 10_000;
/** Other partners' batches: for so long after one, some places are left to whoever comes. */
const othersForMs = 10_000;
/** What a batch usually takes, until it is known what the source's take. */
const usualMs = 3;
/** Those of an ordinary 750 records take a tenth of it. */
const costlyMs = 25;
/** So many known ones in a row while unknown ones wait. */
const knownInARow = 8;

type Waiting = { sender: Sender; start(isUnknown: boolean): void; giveUp(): void };
/** clockMs: time spent, by stride scheduling: who is furthest behind is next. */
type Source = { clockMs: number; averageMs: number; queue: Waiting[] };
type OfPartner = {
  clockMs: number;
  averageMs: number;
  running: number;
  lastAtMs: number;
  sources: Map<string, Source>;
};

export class DoorTurns {
  readonly #settings: Required<DoorTurnsSettings>;
  readonly #partners = new Map<string, OfPartner>();
  readonly #known = new Map<string, number>();
  #running = 0;
  #runningUnknown = 0;
  #waiting = 0;
  #inARow = 0;

  constructor(settings: DoorTurnsSettings) {
    this.#settings = {
      waitingOfSourceMax: waitingOfSourceMaxDefault,
      waitingMax: waitingMaxDefault,
      waitMsMax: waitMsMaxDefault,
      now: () => performance.now(),
      ...settings,
    };
  }

  /** Runs the work when it is its sender's turn. @throws Fault BUSY when too many wait, or it waited too long */
  async take<Result>(sender: Sender, work: () => Promise<Result>): Promise<Result> {
    const { isUnknown } = await this.#untilItsTurn(sender);
    const [partner, source] = [this.#partnerOf(sender), this.#sourceOf(sender)];
    const startedAtMs = this.#settings.now();
    try {
      return await work();
    } finally {
      const tookMs = this.#settings.now() - startedAtMs;
      // What it was charged beforehand was a guess.
      partner.clockMs += tookMs - partner.averageMs;
      source.clockMs += tookMs - source.averageMs;
      partner.averageMs += (tookMs - partner.averageMs) / 8;
      source.averageMs += (tookMs - source.averageMs) / 8;
      partner.running -= 1;
      this.#running -= 1;
      if (isUnknown) this.#runningUnknown -= 1;
      this.#forgetIdle();
      this.#next();
    }
  }

  /** A batch from there was accepted: its sender knew the partner's users. */
  accepted(sender: Sender): void {
    const key = keyOf(sender);
    this.#known.delete(key);
    this.#known.set(key, this.#settings.now());
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size > knownMax) this.#known.delete(oldest);
  }

  #untilItsTurn(sender: Sender): Promise<{ isUnknown: boolean }> {
    const { waitingMax, waitingOfSourceMax, waitMsMax } = this.#settings;
    this.#catchUp(sender);
    const { queue } = this.#sourceOf(sender);
    if (this.#waiting >= waitingMax || queue.length >= waitingOfSourceMax) return Promise.reject(new Fault("BUSY"));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => one.giveUp(), waitMsMax);
      const leave = () => {
        clearTimeout(timer);
        queue.splice(queue.indexOf(one), 1);
        this.#waiting -= 1;
      };
      const one: Waiting = {
        sender,
        start: (isUnknown) => (leave(), resolve({ isUnknown })),
        giveUp: () => (leave(), reject(new Fault("BUSY"))),
      };
      queue.push(one);
      this.#waiting += 1;
      this.#next();
    });
  }

  #next(): void {
    const { threads, batchesOfThread } = this.#settings;
    while (this.#running < threads * batchesOfThread && this.#waiting > 0) {
      const one = this.#choose();
      if (one === null) return;
      const isUnknown = !this.#isKnown(one.sender);
      const [partner, source] = [this.#partnerOf(one.sender), this.#sourceOf(one.sender)];
      partner.clockMs += partner.averageMs;
      source.clockMs += source.averageMs;
      partner.running += 1;
      partner.lastAtMs = this.#settings.now();
      this.#running += 1;
      if (isUnknown) this.#runningUnknown += 1;
      this.#inARow = isUnknown ? 0 : this.#inARow + 1;
      one.start(isUnknown);
    }
  }

  #choose(): Waiting | null {
    const unknownMax = Math.max(1, this.#settings.threads - 1);
    const unknown = this.#runningUnknown < unknownMax ? this.#furthestBehind(false) : null;
    const known = this.#furthestBehind(true);
    return unknown !== null && (known === null || this.#inARow >= knownInARow) ? unknown : known;
  }

  #furthestBehind(isKnown: boolean): Waiting | null {
    let found: { partnerMs: number; sourceMs: number; one: Waiting } | null = null;
    for (const partner of this.#partners.values()) {
      if (partner.running >= this.#batchesAtOnce(partner)) continue;
      for (const source of partner.sources.values()) {
        const [one] = source.queue;
        if (one === undefined || this.#isKnown(one.sender) !== isKnown) continue;
        const [partnerMs, sourceMs] = [partner.clockMs, source.clockMs];
        if (found && (found.partnerMs - partnerMs || found.sourceMs - sourceMs) <= 0) continue;
        found = { partnerMs, sourceMs, one };
      }
    }
    return found?.one ?? null;
  }

  /** All of them, unless other partners come too: then one whose batches take long leaves threads free. */
  #batchesAtOnce(partner: OfPartner): number {
    const { threads, batchesOfThread, now } = this.#settings;
    const since = now() - othersForMs;
    const isAlone = [...this.#partners.values()].every((other) => other === partner || other.lastAtMs < since);
    if (isAlone) return threads * batchesOfThread;
    return partner.averageMs > costlyMs ? Math.max(1, threads - 1) : Math.max(1, threads * (batchesOfThread - 1));
  }

  #isKnown(sender: Sender): boolean {
    return sender.isListed || (this.#known.get(keyOf(sender)) ?? -Infinity) > this.#settings.now() - knownForMs;
  }

  /** Who had nothing to do for a while has saved nothing up. */
  #catchUp(sender: Sender): void {
    const [partner, source] = [this.#partnerOf(sender), this.#sourceOf(sender)];
    if (partner.running === 0 && !isWaiting(partner))
      partner.clockMs = Math.max(
        partner.clockMs,
        least([...this.#partners.values()].filter((one) => one !== partner && isWaiting(one))),
      );
    if (source.queue.length === 0)
      source.clockMs = Math.max(
        source.clockMs,
        least([...partner.sources.values()].filter((one) => one !== source && one.queue.length > 0)),
      );
  }

  #partnerOf({ partnerId }: Sender): OfPartner {
    const known = this.#partners.get(partnerId);
    if (known) return known;
    const partner = { clockMs: 0, averageMs: usualMs, running: 0, lastAtMs: -Infinity, sources: new Map() };
    this.#partners.set(partnerId, partner);
    return partner;
  }

  #sourceOf(sender: Sender): Source {
    const { sources } = this.#partnerOf(sender);
    const known = sources.get(sender.source);
    if (known) return known;
    const source = { clockMs: 0, averageMs: usualMs, queue: [] };
    sources.set(sender.source, source);
    return source;
  }

  /** When nobody waits and nothing runs, turns begin anew: what is remembered stays bounded by what is under way. */
  #forgetIdle(): void {
    const since = this.#settings.now() - othersForMs;
    for (const [partnerId, partner] of this.#partners) {
      const isIdle = partner.running === 0 && !isWaiting(partner);
      if (isIdle && partner.lastAtMs < since) this.#partners.delete(partnerId);
      else if (isIdle && partner.sources.size > sourcesIdleMax) partner.sources.clear();
    }
  }
}

/** Of one partner, kept while nothing of it is under way. */
const sourcesIdleMax = 1000;

function isWaiting({ sources }: OfPartner): boolean {
  return [...sources.values()].some(({ queue }) => queue.length > 0);
}

function least(all: readonly { clockMs: number }[]): number {
  return all.reduce((lowest, { clockMs }) => Math.min(lowest, clockMs), all[0]?.clockMs ?? 0);
}

function keyOf({ partnerId, source }: Sender): string {
  return `${partnerId} ${source}`;
}
