/**
 * Fetching what users agreed to: accounts, balances and booked payments of a consent become encrypted batches that take
 * the way of every other door. The first fetch ends the user's import. Repeating one changes nothing: txids are the
 * bank's.
 */
import { createHash } from "node:crypto";
import { addDays, addMonths, type Day } from "../time/calendar.ts";
import { type Database, inTransaction } from "../database/database.ts";
import { removedSince } from "../ledger/account-access.ts";
import { type BalanceObservation, putBalances } from "../ledger/holdings.ts";
import type { PushedRequest, RequestAcceptance } from "../landing/accept.ts";
import type { RawTransaction } from "../interface/record.ts";
import { publicBatchKeys } from "../partners/keys/batch-keys.ts";
import { cutBatches } from "../sealing/batches.ts";
import { createSealer } from "../sealing/sealer.ts";
import { connectBerlinGroup } from "./berlin-group.ts";
import { type BankAccount, type BankConnector, BankFailure } from "./connector.ts";
import {
  type Consent,
  endGoneConsent,
  markFailed,
  markFetched,
  putForward,
  renewTokens,
  claimDueConsent,
} from "./consents.ts";
import { tellEnded } from "./end-notices.ts";
import { type Connecting, findBank } from "./flow.ts";
import { isLiveUser } from "../partners/users.ts";
import { recordOf } from "./records.ts";
import { accountIdOf } from "../ledger/account-id.ts";

export type Fetching = Connecting & { acceptRequest(request: PushedRequest): Promise<RequestAcceptance> };

/** The interface's typical history: two payments of a yearly subscription. */
const historyMonths = 25;
/** Bookings are told up to some days late. */
const overlapDays = 10;
const hourMs = 3_600_000;
/** Four times a day is what banks allow without the user there. */
const fetchEveryMs = 6 * hourMs;
const failedRetryMs = hourMs;
/** A fetch of a long history takes minutes; a machine that dies with it leaves it to another one after this. */
const leaseMs = 15 * 60_000;
/** Of all banks together, one consent each. */
const fetchesAtOnce = 4;
const renewBeforeMs = 60_000;

/** The service ends while a consent is fetched. */
class Stopped extends Error {
  override readonly name = "Stopped";
}

/** Some at once, so that a slow bank makes few people wait for theirs. @returns how many consents were fetched. */
export async function fetchDue(fetching: Fetching, shouldStop: () => boolean = () => false): Promise<number> {
  const lanes = await Promise.allSettled(
    Array.from({ length: fetchesAtOnce }, () => fetchOneByOne(fetching, shouldStop)),
  );
  const failed = lanes.find((lane) => lane.status === "rejected");
  if (failed) throw failed.reason;
  return lanes.reduce((sum, lane) => sum + (lane.status === "fulfilled" ? lane.value : 0), 0);
}

async function fetchOneByOne(fetching: Fetching, shouldStop: () => boolean): Promise<number> {
  let fetched = 0;
  while (!shouldStop()) {
    const consent = await claimDueConsent(fetching.database, fetching.keyEncryptionKey, leaseMs);
    if (consent === null) break;
    await fetchOne(fetching, consent, shouldStop);
    fetched += 1;
  }
  return fetched;
}

async function fetchOne(fetching: Fetching, consent: Consent, shouldStop: () => boolean): Promise<void> {
  const { database, events } = fetching;
  const told = { partnerId: consent.partnerId, consentId: consent.id };
  try {
    const records = await fetchRecords(fetching, consent, shouldStop);
    await markFetched(database, consent.id, fetchEveryMs);
    events.emit("psd2.fetched", { ...told, records });
  } catch (error) {
    // What was handed over counts, and the next start fetches it again at once.
    if (error instanceof Stopped) return await putForward(database, consent.id);
    if (!(error instanceof BankFailure)) {
      await markFailed(database, consent.id, "FAILED", failedRetryMs);
      throw error;
    }
    if (error.isConsentGone) await endGone(database, consent.id, error.code);
    else await markFailed(database, consent.id, error.code, failedRetryMs);
    events.emit("psd2.fetch-failed", { ...told, failure: error.code, ended: error.isConsentGone });
  }
}

async function endGone(database: Database, consentId: string, failure: string): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await endGoneConsent(transaction, consentId, failure);
    await tellEnded(transaction, consentId);
  });
}

async function fetchRecords(fetching: Fetching, consent: Consent, shouldStop: () => boolean): Promise<number> {
  const bank = await findBank(fetching, consent.partnerId, consent.bankId);
  if (bank === null) throw new BankFailure("BANK_REMOVED", { isConsentGone: true });
  const connector = connectBerlinGroup(bank);
  const accessToken = await currentToken(fetching, connector, consent);
  const from = consent.isFirst ? addMonths(fetching.today(), -historyMonths) : addDays(fetching.today(), -overlapDays);
  const [key] = await publicBatchKeys(fetching.database, consent.partnerId);
  if (key === undefined) throw new BankFailure("NO_ENCRYPTION_KEY");
  const sealer = await createSealer(key);
  let records = 0;
  for await (const batch of cutBatches(recordsOf(fetching, connector, consent, { accessToken, from, shouldStop }), {
    partnerId: consent.partnerId,
    complete: false,
  })) {
    const txs = await sealer.seal(batch.plaintext);
    await hand(fetching, consent, batch.requestId, txs, batch.plaintext);
    records += batch.elements.length;
  }
  return records;
}

type Reach = { accessToken: string; from: Day; shouldStop(): boolean };

/** @throws Stopped between two payments: a long history must not hold up the end of the service. */
async function* recordsOf(
  fetching: Fetching,
  connector: BankConnector,
  consent: Consent,
  { accessToken, from, shouldStop }: Reach,
): AsyncGenerator<RawTransaction> {
  const accounts = await permitted(
    fetching.database,
    consent,
    await connector.listAccounts(consent.reference, accessToken),
  );
  for (const account of accounts) {
    for await (const one of connector.listTransactions(consent.reference, accessToken, account.resourceId, from)) {
      if (shouldStop()) throw new Stopped();
      const record = recordOf(consent.bankUserId, consent.bankId, account, one);
      if (record !== null) yield record;
    }
  }
  const observations = accounts.flatMap((account) => observationOf(account, consent));
  if (observations.length > 0) await putBalances(fetching.database, consent.userId, consent.timeZone, observations);
  if (consent.isFirst) yield { uid: consent.bankUserId, type: "IMPORT_COMPLETED" };
}

/** What the user took from us after agreeing is not asked for: loading it would bring it back. */
async function permitted(
  database: Database,
  { userId, bankId, agreedAt }: Consent,
  accounts: readonly BankAccount[],
): Promise<BankAccount[]> {
  const removed = await removedSince(
    database,
    userId,
    accounts.map((account) => accountIdOf(bankId, account)),
    agreedAt,
  );
  return accounts.filter((account) => !removed.has(accountIdOf(bankId, account)));
}

/**
 * Balances are kept in the brand's currency, without a name of it: one in another would read as so many of the brand's.
 */
function observationOf(account: BankAccount, { bankId, currency }: Consent): BalanceObservation[] {
  const { balance, name } = account;
  if (balance === null || balance.currency !== currency) return [];
  const observedTime =
    balance.observedAt.length === "2026-06-15".length ? `${balance.observedAt}T00:00` : balance.observedAt;
  return [{ accountId: accountIdOf(bankId, account), accountName: name, balance: balance.amount, observedTime }];
}

/** The request is the one that a partner would have pushed, and is durable before the next one is fetched. */
async function hand(
  { acceptRequest, database }: Fetching,
  consent: Consent,
  reqId: string,
  txs: string,
  plaintext: string,
): Promise<void> {
  // Somebody else may be called so by now.
  if (!(await isLiveUser(database, consent.userId))) throw new BankFailure("USER_DELETED", { isConsentGone: false });
  const accepted = await acceptRequest({
    partnerId: consent.partnerId,
    requestId: reqId,
    body: Buffer.from(JSON.stringify({ reqId, txs })),
    contentSha256: createHash("sha256").update(plaintext).digest(),
    correlationId: consent.id,
    // It names nobody but the consent's user; of one who was deleted meanwhile, loading takes nothing.
    uids: [],
  });
  if (accepted.outcome === "busy") throw new BankFailure("STAGING_BUSY");
}

/** Renewed when it is about to expire. */
export async function currentToken(
  { database, keyEncryptionKey }: { database: Database; keyEncryptionKey: Buffer },
  connector: BankConnector,
  consent: Consent,
): Promise<string> {
  if (consent.refreshToken === null || consent.tokenExpiresAt.getTime() - Date.now() > renewBeforeMs)
    return consent.accessToken;
  const tokens = await connector.renew(consent.refreshToken);
  await renewTokens(database, keyEncryptionKey, consent, tokens);
  return tokens.accessToken;
}
