/**
 * What an attack is: a program that does to a running service, from outside, what once could be done to it, and says
 * whether it still can be. One file an attack, `NAME.attack.ts`, exporting `attack`; run.ts finds them by the folder.
 */
import type { Answer, Partner } from "../outside/partner.ts";
import type { Service } from "../outside/service.ts";
import type { Browser } from "./browser.ts";

/** Who does what is told by the address that it comes from; Linux answers on all of 127.0.0.0/8. */
export type Address = `127.${number}.${number}.${number}`;

export type Call = { body?: object | Buffer; token?: string; headers?: Readonly<Record<string, string>> };

export type World = {
  /** As its operator has it: `tideline(…)` runs a command, `dataDir` is its folder, `memoryBytes()` what it holds. */
  service: Service;
  /** https://127.0.0.1:PORT */
  baseUrl: string;
  /** The authority of the service's certificate, PEM. */
  authority: string;
  /** Nobody's address but the attacker's. */
  attacker: Address;
  /** Another one, for whoever is attacked. */
  victim: Address;
  /**
   * A partner with its keys in `folder` (login.pem, sftp_key, …), onboarded by the operator's commands at the first
   * asking, which takes seconds: attacks that can share one. Its own calls come from 127.0.0.1.
   */
  partner(id: string): Promise<Partner>;
  /** A setting that the commit may not have yet. @returns whether it has */
  set(partnerId: string, assignment: string): Promise<boolean>;
  /** One HTTPS call from an address. @param at from the first slash. @throws when there is no whole answer */
  call(from: Address, method: string, at: string, call?: Call): Promise<Answer>;
  /** Keeps cookies, follows redirects, and fills forms in, as a person's does. */
  browser(from: Address): Browser;
};

export type Attack = {
  name: string;
  /**
   * Of which service it needs: `flags` of `tideline up` and further environment. Attacks that ask for the same one
   * share it, except with `alone`. By default without the demo, on loopback.
   */
  service?: { flags?: readonly string[]; environment?: Readonly<Record<string, string>>; alone?: true };
  /** @returns whether the attacker got what he wanted, and in a few words what was seen. @throws when it cannot be told */
  succeeds(world: World): Promise<{ succeeded: boolean; seen: string }>;
};
