/**
 * From where callers come who are not just anybody: networks that some partner's list names, and addresses from where
 * somebody was found to be a user, or of a partner that names its callers.
 */
import { namedNetworks, type NetworkList } from "../../partners/network.ts";

/** So many addresses are remembered, for so long after the last time. */
const provenMax = 10_000;
const provenForMs = 60 * 60_000;
/** Noted so often at most: each of an address's calls proves it anew. */
const notedEveryMs = 60_000;

export class KnownAddresses {
  readonly #listNetworks: () => Promise<readonly string[]>;
  readonly #now: () => number;
  #networks: readonly string[] = [];
  #isListed: NetworkList = () => false;
  /** When each was last answered well, give or take a minute, the latest at the end. */
  readonly #proven = new Map<string, number>();

  /** @param listNetworks CIDR texts */
  constructor(listNetworks: () => Promise<readonly string[]>, now: () => number = () => performance.now()) {
    this.#listNetworks = listNetworks;
    this.#now = now;
  }

  /** Those of before stay when the list cannot be read; readiness tells of a database that is away. */
  learn(): void {
    this.#listNetworks().then(
      (networks) => {
        if (networks !== this.#networks) this.#isListed = namedNetworks(networks);
        this.#networks = networks;
      },
      () => undefined,
    );
  }

  isListed(address: string): boolean {
    return this.#isListed(address);
  }

  prove(neighbourhood: string): void {
    const now = this.#now();
    if (now - (this.#proven.get(neighbourhood) ?? -Infinity) < notedEveryMs) return;
    this.#proven.delete(neighbourhood);
    this.#proven.set(neighbourhood, now);
    const [oldest] = this.#proven.keys();
    if (oldest !== undefined && this.#proven.size > provenMax) this.#proven.delete(oldest);
  }

  isProven(neighbourhood: string): boolean {
    return (this.#proven.get(neighbourhood) ?? -Infinity) > this.#now() - provenForMs;
  }
}
