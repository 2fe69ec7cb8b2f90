/** Who may connect: counts of connections, all together, by address and by partner. */
import type { SftpLimits } from "./limits.ts";

export type Admitted = {
  /** Counts the connection to a partner from now on; false, without counting, when the partner has all it may have, or the connection is gone. */
  logIn(partnerId: string): boolean;
  /** The connection is gone. */
  leave(): void;
};

export class Admission {
  readonly #limits: SftpLimits;
  readonly #byAddress = new Map<string, number>();
  readonly #byPartner = new Map<string, number>();
  #connections = 0;
  #unauthenticated = 0;

  constructor(limits: SftpLimits) {
    this.#limits = limits;
  }

  /** Admits a new connection, or says which limit it meets. */
  admit(address: string): Admitted | { refused: string } {
    const refused = this.#limitMet(address);
    if (refused !== undefined) return { refused };
    this.#connections += 1;
    this.#unauthenticated += 1;
    count(this.#byAddress, address, 1);
    return this.#admitted(address);
  }

  #limitMet(address: string): string | undefined {
    const { connectionsMax, connectionsUnauthenticatedMax, connectionsPerAddressMax } = this.#limits;
    if (this.#connections >= connectionsMax) return "connection-limit";
    if (this.#unauthenticated >= connectionsUnauthenticatedMax) return "unauthenticated-limit";
    if ((this.#byAddress.get(address) ?? 0) >= connectionsPerAddressMax) return "address-limit";
    return undefined;
  }

  #admitted(address: string): Admitted {
    let partner: string | undefined;
    let gone = false;
    return {
      logIn: (partnerId) => {
        if (gone || (this.#byPartner.get(partnerId) ?? 0) >= this.#limits.connectionsPerPartnerMax) return false;
        partner = partnerId;
        count(this.#byPartner, partnerId, 1);
        this.#unauthenticated -= 1;
        return true;
      },
      leave: () => {
        gone = true;
        this.#connections -= 1;
        count(this.#byAddress, address, -1);
        if (partner === undefined) this.#unauthenticated -= 1;
        else count(this.#byPartner, partner, -1);
      },
    };
  }
}

function count(counts: Map<string, number>, key: string, change: number): void {
  const next = (counts.get(key) ?? 0) + change;
  if (next > 0) counts.set(key, next);
  else counts.delete(key);
}
