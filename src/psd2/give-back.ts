/**
 * Giving consents back: what ended here, by an operator, a later consent, the user's deletion or for want of a confirmation, ends at the bank too,
 * so that nothing we hold can read the user's accounts any more. Then the tokens are forgotten.
 */
import { connectBerlinGroup } from "./berlin-group.ts";
import { BankFailure } from "./connector.ts";
import {
  claimEndedConsent,
  type Consent,
  endConsentsOfDeleted,
  endUnconfirmed,
  markGivenBack,
  putOffGivingBack,
} from "./consents.ts";
import { currentToken } from "./fetch.ts";
import { type Connecting, findBank } from "./flow.ts";

/** Longer than the calls of one consent take together. */
const leaseMs = 2 * 60_000;
const failedRetryMs = 3_600_000;

/**
 * Tries until nothing is due; what a bank does not take now is tried each hour until the consent runs out by itself.
 * @returns how many were given back.
 */
export async function giveBackEnded(connecting: Connecting, shouldStop: () => boolean = () => false): Promise<number> {
  await endConsentsOfDeleted(connecting.database);
  await endUnconfirmed(connecting.database);
  let givenBack = 0;
  while (!shouldStop()) {
    const consent = await claimEndedConsent(connecting.database, connecting.keyEncryptionKey, leaseMs);
    if (consent === null) break;
    if (await giveBack(connecting, consent)) givenBack += 1;
  }
  return givenBack;
}

async function giveBack(connecting: Connecting, consent: Consent): Promise<boolean> {
  const told = { partnerId: consent.partnerId, consentId: consent.id };
  const failure = await endAtBank(connecting, consent);
  if (failure === null || consent.validUntil < connecting.today()) {
    await markGivenBack(connecting.database, consent.id);
    connecting.events.emit("psd2.consent-given-back", told);
    return true;
  }
  await putOffGivingBack(connecting.database, consent.id, failedRetryMs);
  connecting.events.emit("psd2.giving-back-failed", { ...told, failure });
  return false;
}

/** Null: the bank has ended it, or knows of none. */
async function endAtBank(connecting: Connecting, consent: Consent): Promise<string | null> {
  const bank = await findBank(connecting, consent.partnerId, consent.bankId);
  // A bank that was removed can be asked no more.
  if (bank === null) return null;
  const connector = connectBerlinGroup(bank);
  try {
    await connector.endConsent(consent.reference, await currentToken(connecting, connector, consent));
    return null;
  } catch (error) {
    if (!(error instanceof BankFailure)) throw error;
    return error.isConsentGone || error.code === "HTTP 404" || error.code === "HTTP 410" ? null : error.code;
  }
}
