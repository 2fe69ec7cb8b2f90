/** Why nobody is signed in by the identity provider. Apart from what speaks to one, which is read where there is one. */

export class ProviderAway extends Error {}
export class ProviderRefused extends Error {
  /** Of the protocol or of the library, for the trail. */
  readonly reason: string;

  constructor(reason: string, cause: unknown) {
    super(`The identity provider's answer was not taken: ${reason}.`, { cause });
    this.reason = reason;
  }
}
