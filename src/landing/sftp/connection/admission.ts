/**
 * Who may connect: counts of connections, all together, by network neighbourhood and by partner.
 *
 * | who comes | when the places before the login are taken |
 * | --- | --- |
 * | from a network that some partner's list names | has places of its own |
 * | anybody else | the oldest connection that has said nothing gives way, then one of the neighbourhood that holds most |
 *
 * Past half of the places, those who come from where nobody has logged in before are refused at random, the more the
 * fuller it is; and neighbourhoods whose connections stayed silent stay out for a while, longer each time.
 */
import { neighbourhoodOf } from "../../../partners/network.ts";
import { Backoff } from "../../backoff.ts";
import type { SftpLimits } from "../limits.ts";

export type Admitted = {
  /**
   * Counts the connection to a partner from now on; false, without counting, when the partner has all it may have, or
   * the connection is gone.
   */
  logIn(partnerId: string, sessionsMax: number): boolean;
  /** It has said nothing in all the time that it had. */
  staysSilent(): void;
  /** The connection is gone. */
  leave(): void;
};

export type Newcomer = {
  /** From a network that some partner's list names. */
  isListed?: boolean;
  /** Whether it has said nothing so far. */
  isSilent?(): boolean;
  /** Ends the connection, which then leaves. */
  cut(): void;
};

/** A connection that has not logged in, in the order in which they came. */
type Unauthenticated = { readonly neighbourhood: string; readonly isListed: boolean; isSilent(): boolean; cut(): void };

/** A load balancer that only looks whether the port is open closes by itself; who is cut for its silence does not. */
const silence = { freeFailures: 3, firstDelayMs: 2000, delayMaxMs: 300_000, forgiveMs: 60_000, keysMax: 10_000 };
/** Neighbourhoods from which somebody logged in. */
const familiarMax = 10_000;

export class Admission {
  readonly #limits: SftpLimits;
  readonly #random: () => number;
  readonly #now: () => number;
  readonly #byNeighbourhood = new Map<string, number>();
  readonly #byPartner = new Map<string, number>();
  readonly #unauthenticated = new Set<Unauthenticated>();
  readonly #silences: Backoff;
  readonly #outUntilMs = new Map<string, number>();
  readonly #familiar = new Set<string>();
  #connections = 0;
  #unlisted = 0;

  constructor(limits: SftpLimits, random: () => number = Math.random, now: () => number = Date.now) {
    this.#limits = limits;
    this.#random = random;
    this.#now = now;
    this.#silences = new Backoff(silence, now);
  }

  /** Logged-in connections, all together. */
  get sessions(): number {
    return [...this.#byPartner.values()].reduce((sum, sessions) => sum + sessions, 0);
  }

  /** Admits a new connection, or says which limit it meets. */
  admit(address: string, newcomer: Newcomer): Admitted | { refused: string } {
    const { isListed = false, isSilent = () => false, cut } = newcomer;
    const neighbourhood = neighbourhoodOf(address);
    const refused = this.#limitMet(neighbourhood, isListed) ?? this.#refusalBeforeLogin(neighbourhood, isListed);
    if (refused !== undefined) return { refused };
    const unauthenticated: Unauthenticated = { neighbourhood, isListed, isSilent, cut };
    this.#connections += 1;
    if (!isListed) this.#unlisted += 1;
    this.#unauthenticated.add(unauthenticated);
    count(this.#byNeighbourhood, neighbourhood, 1);
    return this.#admitted(unauthenticated);
  }

  #limitMet(neighbourhood: string, isListed: boolean): string | undefined {
    const { connectionsMax, connectionsListedReserve, connectionsPerAddressMax } = this.#limits;
    const unlistedMax = Math.max(1, connectionsMax - connectionsListedReserve);
    if (this.#connections >= connectionsMax) return "connection-limit";
    if (!isListed && this.#unlisted >= unlistedMax) return "connection-limit";
    if ((this.#byNeighbourhood.get(neighbourhood) ?? 0) >= connectionsPerAddressMax) return "address-limit";
    if (this.#before(isListed, neighbourhood).length >= this.#limits.connectionsUnauthenticatedPerAddressMax)
      return "unauthenticated-address-limit";
    return undefined;
  }

  #refusalBeforeLogin(neighbourhood: string, isListed: boolean): string | undefined {
    const { connectionsUnauthenticatedMax, connectionsUnauthenticatedListedMax } = this.#limits;
    const places = isListed ? connectionsUnauthenticatedListedMax : connectionsUnauthenticatedMax;
    if (!isListed && (this.#outUntilMs.get(neighbourhood) ?? 0) > this.#now()) return "silence-penalty";
    const isFull = this.#before(isListed).length >= places;
    if (isFull && !this.#makeRoom(neighbourhood, isListed)) return "unauthenticated-limit";
    if (!isListed && !this.#familiar.has(neighbourhood) && this.#isDrawn(places)) return "early-drop";
    return undefined;
  }

  /** Those who talk count: silent ones give way anyhow. */
  #isDrawn(places: number): boolean {
    const talking = this.#before(false).filter((one) => !one.isSilent()).length;
    return this.#random() < (talking - places / 2) / (places / 2);
  }

  #before(isListed: boolean, neighbourhood?: string): Unauthenticated[] {
    return [...this.#unauthenticated].filter(
      (one) => one.isListed === isListed && (neighbourhood === undefined || one.neighbourhood === neighbourhood),
    );
  }

  /** Whether a place was freed. */
  #makeRoom(newcomer: string, isListed: boolean): boolean {
    const before = this.#before(isListed);
    const held = new Map<string, number>();
    for (const { neighbourhood } of before) count(held, neighbourhood, 1);
    const heldBy = ({ neighbourhood }: Unauthenticated) => held.get(neighbourhood) ?? 0;
    // Stable: of equals the oldest.
    const silent = before.filter((one) => one.isSilent()).toSorted((a, b) => heldBy(b) - heldBy(a))[0];
    if (silent !== undefined) {
      this.#punish(silent);
      return this.#end(silent);
    }
    const [largest] = before.toSorted((a, b) => heldBy(b) - heldBy(a));
    // The newcomer's neighbourhood must not end up with more than the one that loses.
    if (largest === undefined || heldBy(largest) <= (held.get(newcomer) ?? 0) + 1) return false;
    return this.#end(largest);
  }

  #end(one: Unauthenticated): true {
    this.#unauthenticated.delete(one);
    one.cut();
    return true;
  }

  #punish({ neighbourhood, isListed }: Unauthenticated): void {
    if (isListed || this.#familiar.has(neighbourhood)) return;
    this.#silences.failed(neighbourhood);
    for (const [known, untilMs] of this.#outUntilMs) if (untilMs <= this.#now()) this.#outUntilMs.delete(known);
    const delayMs = this.#silences.delayMs(neighbourhood);
    if (delayMs > 0) this.#outUntilMs.set(neighbourhood, this.#now() + delayMs);
  }

  #admitted(unauthenticated: Unauthenticated): Admitted {
    const { neighbourhood, isListed } = unauthenticated;
    let partner: string | undefined;
    let gone = false;
    return {
      logIn: (partnerId, sessionsMax) => {
        const sessions = this.#byPartner.get(partnerId) ?? 0;
        if (
          gone ||
          !this.#unauthenticated.has(unauthenticated) ||
          sessions >= Math.min(sessionsMax, this.#limits.connectionsPerPartnerMax)
        )
          return false;
        partner = partnerId;
        count(this.#byPartner, partnerId, 1);
        this.#unauthenticated.delete(unauthenticated);
        this.#meet(neighbourhood);
        return true;
      },
      staysSilent: () => this.#punish(unauthenticated),
      leave: () => {
        gone = true;
        this.#connections -= 1;
        if (!isListed) this.#unlisted -= 1;
        count(this.#byNeighbourhood, neighbourhood, -1);
        this.#unauthenticated.delete(unauthenticated);
        if (partner !== undefined) count(this.#byPartner, partner, -1);
      },
    };
  }

  #meet(neighbourhood: string): void {
    this.#familiar.delete(neighbourhood);
    this.#familiar.add(neighbourhood);
    const [oldest] = this.#familiar;
    if (oldest !== undefined && this.#familiar.size > familiarMax) this.#familiar.delete(oldest);
  }
}

function count(counts: Map<string, number>, key: string, change: number): void {
  const next = (counts.get(key) ?? 0) + change;
  if (next > 0) counts.set(key, next);
  else counts.delete(key);
}
