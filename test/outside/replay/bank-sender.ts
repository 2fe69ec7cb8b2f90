/** The bank's side of both doors: what was not acknowledged is sent again, unchanged, until it is. */
import { stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ForeignSealer } from "../sealing/foreign-jose.ts";
import { arrayOf, inBatches, requestIdFor, type SetRecord } from "../labelled-set.ts";
import { openSshSftp } from "../clients/open-ssh.ts";
import type { Partner } from "../partner.ts";

export type SealedRequest = { requestId: string; txs: string; records: number };

/** What the bank knows of what it sent. */
export type Tally = {
  /** Acknowledged reqIds with the number of their records. */
  requests: Map<string, number>;
  /** Acknowledged files with the number of their records. */
  files: Map<string, number>;
  callsRepeated: number;
  uploadsRepeated: number;
  uploading: { name: string; since: number } | null;
  recordsBySealer: Map<string, number>;
};

export function startTally(): Tally {
  return {
    requests: new Map(),
    files: new Map(),
    callsRepeated: 0,
    uploadsRepeated: 0,
    uploading: null,
    recordsBySealer: new Map(),
  };
}

/** A service that does not come back within it is broken. */
const giveUpAfterMs = 300_000;
const repeatAfterMs = 200;
/** Batches under way at once, as a bank's job with a few workers. */
const lanes = 6;

/** Batches in turn by each sealer. */
export async function sealRequests(
  records: readonly SetRecord[],
  sizeMax: number,
  sealers: readonly ForeignSealer[],
  tally: Tally,
): Promise<SealedRequest[]> {
  const requests: SealedRequest[] = [];
  for (const batch of inBatches(records, sizeMax)) {
    const plaintext = arrayOf(batch);
    const txs = await sealWith(sealers[requests.length % sealers.length], plaintext, batch.length, tally);
    requests.push({ requestId: requestIdFor(plaintext), txs, records: batch.length });
  }
  return requests;
}

/** One compact JWE over all. */
export async function sealFile(
  records: readonly SetRecord[],
  sealer: ForeignSealer | undefined,
  tally: Tally,
): Promise<string> {
  return await sealWith(sealer, arrayOf(records), records.length, tally);
}

/** One TransactionsRequest a line. */
export function asLines(requests: readonly SealedRequest[]): string {
  return requests.map(({ requestId, txs }) => `${JSON.stringify({ reqId: requestId, txs })}\n`).join("");
}

async function sealWith(
  sealer: ForeignSealer | undefined,
  plaintext: string,
  records: number,
  tally: Tally,
): Promise<string> {
  if (!sealer) throw new Error("there is no sealer");
  tally.recordsBySealer.set(sealer.name, (tally.recordsBySealer.get(sealer.name) ?? 0) + records);
  return await sealer.seal(plaintext);
}

/** @throws when a request is refused: then repeating does not help */
export async function pushRequests(partner: Partner, requests: readonly SealedRequest[], tally: Tally): Promise<void> {
  const waiting = [...requests];
  const lane = async () => {
    for (let request = waiting.shift(); request; request = waiting.shift())
      await pushUntilTaken(partner, request, tally);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

async function pushUntilTaken(
  partner: Partner,
  { requestId, txs, records }: SealedRequest,
  tally: Tally,
): Promise<void> {
  await repeat(
    () => (tally.callsRepeated += 1),
    async () => {
      const answer = await partner.call("POST", "/transactions", { body: { reqId: requestId, txs } });
      if (answer.status === 201) return true;
      if (answer.status < 500)
        throw new Refused(`request ${requestId} was answered with ${answer.status}: ${answer.text}`);
      return false;
    },
  );
  tally.requests.set(requestId, records);
}

/** Creates every user; one that is there already is as good. @returns how many were created */
export async function createUsers(partner: Partner, users: readonly string[], tally: Tally): Promise<number> {
  const waiting = [...users];
  let created = 0;
  const lane = async () => {
    for (let user = waiting.shift(); user !== undefined; user = waiting.shift())
      if (await createUser(partner, user, tally)) created += 1;
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return created;
}

async function createUser(partner: Partner, bankUserId: string, tally: Tally): Promise<boolean> {
  const body = { bankUserId, brand: partner.brand.id, locale: partner.brand.locale };
  let status = 0;
  await repeat(
    () => (tally.callsRepeated += 1),
    async () => {
      status = (await partner.call("POST", "/users", { body })).status;
      if (status < 500 && status !== 201 && status !== 409)
        throw new Refused(`creating a user was answered with ${status}`);
      return status < 500;
    },
  );
  return status === 201;
}

/** @param uploadMs stretches the upload to about that long, so that something can happen in its middle */
export async function putFile(
  partner: Partner,
  name: string,
  text: string,
  records: number,
  tally: Tally,
  uploadMs = 0,
): Promise<void> {
  const local = path.join(partner.folder, name);
  await writeFile(local, text);
  // sftp's -l is in Kbit/s, and Kbit/s are bits a millisecond.
  const limit =
    uploadMs === 0 ? [] : ["-l", String(Math.max(1, Math.round(((await stat(local)).size * 8) / uploadMs)))];
  await repeat(
    () => (tally.uploadsRepeated += 1),
    async () => {
      tally.uploading = { name, since: performance.now() };
      await openSshSftp(partner, [`put "${local}" "inbox/${name}"`], limit);
      return true;
    },
  );
  tally.uploading = null;
  tally.files.set(name, records);
}

class Refused extends Error {}

/** Until it says true; what is thrown counts as "not now", unless it was refused. */
async function repeat(onRepeat: () => void, attempt: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + giveUpAfterMs;
  for (;;) {
    const done = await attempt().catch((error: unknown) => {
      if (error instanceof Refused || performance.now() > deadline) throw error;
      return false;
    });
    if (done) return;
    if (performance.now() > deadline) throw new Error("the service stayed busy");
    onRepeat();
    await wait(repeatAfterMs);
  }
}
