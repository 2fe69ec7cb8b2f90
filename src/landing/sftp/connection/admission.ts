/** Who may connect: counts of connections, all together, by address and by partner. */
import type { SftpLimits } from "../limits.ts";

export type Admitted = {
  /**
   * Counts the connection to a partner from now on; false, without counting, when the partner has all it may have, or
   * the connection is gone.
   */
  logIn(partnerId: string, sessionsMax: number): boolean;
  /** The connection is gone. */
  leave(): void;
};

/** A connection that has not logged in, in the order in which they came. */
type Unauthenticated = { readonly address: string; cut(): void };

export class Admission {
  readonly #limits: SftpLimits;
  readonly #byAddress = new Map<string, number>();
  readonly #byPartner = new Map<string, number>();
  readonly #unauthenticated = new Set<Unauthenticated>();
  #connections = 0;

  constructor(limits: SftpLimits) {
    this.#limits = limits;
  }

  /** Logged-in connections, all together. */
  get sessions(): number {
    return [...this.#byPartner.values()].reduce((sum, sessions) => sum + sessions, 0);
  }

  /**
   * Admits a new connection, or says which limit it meets. When all places before the login are taken, the address that
   * holds most of them loses its oldest one, so that a flood from few addresses keeps no other address out.
   * @param cut ends the connection, which then leaves
   */
  admit(address: string, cut: () => void): Admitted | { refused: string } {
    const refused = this.#limitMet(address);
    if (refused !== undefined) return { refused };
    if (this.#unauthenticated.size >= this.#limits.connectionsUnauthenticatedMax && !this.#makeRoom(address))
      return { refused: "unauthenticated-limit" };
    const unauthenticated: Unauthenticated = { address, cut };
    this.#connections += 1;
    this.#unauthenticated.add(unauthenticated);
    count(this.#byAddress, address, 1);
    return this.#admitted(unauthenticated);
  }

  #limitMet(address: string): string | undefined {
    const { connectionsMax, connectionsPerAddressMax, connectionsUnauthenticatedPerAddressMax } = this.#limits;
    if (this.#connections >= connectionsMax) return "connection-limit";
    if ((this.#byAddress.get(address) ?? 0) >= connectionsPerAddressMax) return "address-limit";
    if (this.#unauthenticatedOf(address).length >= connectionsUnauthenticatedPerAddressMax)
      return "unauthenticated-address-limit";
    return undefined;
  }

  #unauthenticatedOf(address: string): Unauthenticated[] {
    return [...this.#unauthenticated].filter((one) => one.address === address);
  }

  /** Whether a place was freed. The newcomer's address must not end up with more than the one that loses. */
  #makeRoom(newcomer: string): boolean {
    const byAddress = new Map<string, number>();
    for (const { address } of this.#unauthenticated) count(byAddress, address, 1);
    const [largest = newcomer, held = 0] = [...byAddress].reduce(
      (most, one) => (one[1] > most[1] ? one : most),
      ["", 0],
    );
    if (held <= (byAddress.get(newcomer) ?? 0) + 1) return false;
    const oldest = this.#unauthenticatedOf(largest)[0];
    if (!oldest) return false;
    this.#unauthenticated.delete(oldest);
    oldest.cut();
    return true;
  }

  #admitted(unauthenticated: Unauthenticated): Admitted {
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
        return true;
      },
      leave: () => {
        gone = true;
        this.#connections -= 1;
        count(this.#byAddress, unauthenticated.address, -1);
        this.#unauthenticated.delete(unauthenticated);
        if (partner !== undefined) count(this.#byPartner, partner, -1);
      },
    };
  }
}

function count(counts: Map<string, number>, key: string, change: number): void {
  const next = (counts.get(key) ?? 0) + change;
  if (next > 0) counts.set(key, next);
  else counts.delete(key);
}
