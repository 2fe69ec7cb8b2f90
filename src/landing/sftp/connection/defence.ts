/**
 * The defence against those who try keys. It slows down, and never locks out: a key that is good is taken at once,
 * however many others failed before it.
 *
 * | who failed often | what happens | who is spared |
 * | --- | --- | --- |
 * | an address | its next connections wait before the key exchange, which is what they cost | networks that some partner's list names |
 * | an account | refusals of keys for it are answered late; a key that is taken is not | those networks; addresses from which the account logged in before |
 *
 * Both delays end well before a client's or the door's own patience. A failure is a connection that ended without a
 * login after it had tried one; the keys that an agent offers on the way are one failure, and none when a later one is
 * good.
 */
import { neighbourhoodOf } from "../../../partners/network.ts";
import { isAllowed } from "./authentication.ts";
import { Backoff, type BackoffRules } from "../../backoff.ts";

export type DefenceRules = { readonly address: BackoffRules; readonly account: BackoffRules };

const secondMs = 1000;
const minuteMs = 60 * secondMs;

export const defenceRules: DefenceRules = {
  /** OpenSSH's own clients wait for a connection without end, others 20 s at least. */
  address: { freeFailures: 5, firstDelayMs: secondMs, delayMaxMs: 10 * secondMs, forgiveMs: minuteMs, keysMax: 10_000 },
  /** Of one refusal; `loginAttemptsMax` of them stay below the login's grace time. */
  account: { freeFailures: 20, firstDelayMs: 100, delayMaxMs: 2 * secondMs, forgiveMs: minuteMs, keysMax: 10_000 },
};

/** Refused logins that the audit trail names one by one: more is an attack from many addresses, and is counted. */
const refusalsNamedPerMinuteMax = 300;

/** Accounts with the addresses from which they logged in; a partner connects from few. */
const familiarMax = 10_000;

export class LoginDefence {
  readonly #addresses: Backoff;
  readonly #accounts: Backoff;
  readonly #familiar = new Set<string>();
  readonly #listNetworks: () => Promise<readonly string[]>;
  readonly #now: () => number;
  #minute = { startedAt: 0, named: 0, unnamed: 0 };

  /** @param listNetworks those that some partner's list names */
  constructor(listNetworks: () => Promise<readonly string[]>, rules: DefenceRules, now: () => number = Date.now) {
    this.#listNetworks = listNetworks;
    this.#now = now;
    this.#addresses = new Backoff(rules.address, now);
    this.#accounts = new Backoff(rules.account, now);
  }

  /** Before the key exchange. 0 for almost everyone, and then at once. */
  async connectionDelayMs(address: string): Promise<number> {
    const delayMs = this.#addresses.delayMs(neighbourhoodOf(address));
    return delayMs > 0 && !(await this.#isListed(address)) ? delayMs : 0;
  }

  /** Before the answer to a key that is not taken. */
  async refusalDelayMs(username: string, address: string): Promise<number> {
    const delayMs = this.#accounts.delayMs(username);
    if (delayMs === 0 || this.#familiar.has(familiarKey(username, address))) return 0;
    return (await this.#isListed(address)) ? 0 : delayMs;
  }

  failed(username: string, address: string): void {
    this.#addresses.failed(neighbourhoodOf(address));
    this.#accounts.failed(username);
  }

  /** The account's failures stay: they are others'. */
  succeeded(username: string, address: string): void {
    this.#addresses.succeeded(neighbourhoodOf(address));
    const key = familiarKey(username, address);
    this.#familiar.delete(key);
    this.#familiar.add(key);
    if (this.#familiar.size <= familiarMax) return;
    for (const oldest of this.#familiar) return void this.#familiar.delete(oldest);
  }

  /**
   * Asked for each refused login. @returns how many before this one are not named in the audit trail; null: nor is this
   * one
   */
  name(): number | null {
    const now = this.#now();
    if (now - this.#minute.startedAt >= minuteMs) this.#minute = { ...this.#minute, startedAt: now, named: 0 };
    if (this.#minute.named >= refusalsNamedPerMinuteMax) {
      this.#minute.unnamed += 1;
      return null;
    }
    const { unnamed } = this.#minute;
    this.#minute = { ...this.#minute, named: this.#minute.named + 1, unnamed: 0 };
    return unnamed;
  }

  async #isListed(address: string): Promise<boolean> {
    const networks = await this.#listNetworks();
    return networks.length > 0 && isAllowed(address, networks);
  }
}

function familiarKey(username: string, address: string): string {
  return `${address} ${username}`;
}
