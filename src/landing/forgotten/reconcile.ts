/**
 * Taking up again what was acknowledged and forgotten: a standby that lagged was promoted, or an older copy of the
 * database restored, and the files still lie in the vault or in an inbox. Each gets the row that it had, by its own id,
 * and is loaded as any other; what was loaded of it before is known by its txids.
 *
 *   kept without a row → acknowledged? → whose? (its origin, or its name in an inbox) → came again? → row → job, receipt
 */
import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Queryable } from "../../database/database.ts";
import { findSameBytes } from "../../deliveries/deliveries.ts";
import { findUnheardOf, takeUp } from "../../deliveries/taken-up.ts";
import { recordAudit } from "../../partners/audit.ts";
import { findFormat, formatOf } from "../../../workers/formats/formats.ts";
import type { Vault } from "../../vault/vault.ts";
import { acceptFile, type Landing } from "../accept.ts";
import { isInTheClear } from "../door-refusal.ts";
import { followUp } from "../follow-ups.ts";
import { openOrigin, type Origin } from "../origin.ts";
import { type Delivered, findDelivered, findUnrecordedKept, inGroups, type Unrecorded } from "./find.ts";

export type Reconciling = Landing & {
  landingDirectory: string;
  /** Opens what lies beside kept files. */
  keyEncryptionKey: Buffer;
  /** In the audit trail. */
  actor: string;
};

export type Options = {
  /** Only tells. */
  dryRun?: boolean;
  /** Takes up as well what was kept and, as far as its mark says, never acknowledged. */
  unacknowledged?: boolean;
};

/** Why something is not taken up. */
export const reasons = {
  unacknowledged: "was never acknowledged: its sender was told nothing, or that it failed",
  nameless: "nothing says whose it is: no origin beside it, no name in an inbox",
  unreadable: "its origin is sealed under a key that is not in hand, and it has no name in an inbox",
  partnerUnknown: "the database does not know its partner",
  damaged: "its bytes are not those that were accepted",
} as const;

export type Found = {
  deliveryId: string;
  from: "vault" | "inbox";
  partnerId: string | null;
  file: string | null;
  sizeBytes: number;
  /** ISO 8601. */
  acceptedAt: string | null;
} & ({ outcome: "takenUp" | "cameAgain"; reason: null } | { outcome: "left"; reason: keyof typeof reasons });

/** What bears no mark and is younger may be on its way into the database. */
const settledAfterMs = 10 * 60_000;

/** Idempotent, also from several machines at once. @returns all that was found, in the order of acceptance */
export async function reconcile(reconciling: Reconciling, options: Options = {}): Promise<Found[]> {
  const { database, vault, landingDirectory } = reconciling;
  const unrecorded = await findUnrecordedKept(database, vault);
  const { entries, unheardOf } = await lookIntoInboxes(database, landingDirectory, unrecorded);
  const found: Found[] = [];
  for (const kept of unrecorded) {
    const one = await takeUpKept(reconciling, kept, entries.get(kept.inode ?? "") ?? null, options);
    if (one !== null) found.push(one);
  }
  for (const entry of unheardOf) found.push(await takeUpDelivered(reconciling, entry, options));
  return found;
}

/** Names of what lies in the vault, and what lies in inboxes alone. */
async function lookIntoInboxes(
  database: Queryable,
  landingDirectory: string,
  unrecorded: readonly Unrecorded[],
): Promise<{ entries: Map<string, Delivered>; unheardOf: Delivered[] }> {
  const inodes = new Set(unrecorded.flatMap(({ inode }) => inode ?? []));
  const entries = new Map<string, Delivered>();
  const unheardOf: Delivered[] = [];
  for await (const group of inGroups(findDelivered(landingDirectory))) {
    for (const one of group) if (inodes.has(one.inode)) entries.set(one.inode, one);
    const others = group.filter(({ inode, name }) => !inodes.has(inode) && isReadable(name));
    unheardOf.push(...(await findUnheardOf(database, others)));
  }
  return { entries, unheardOf };
}

/** Null: it is on its way into the database, or was removed meanwhile. */
async function takeUpKept(
  reconciling: Reconciling,
  kept: Unrecorded,
  entry: Delivered | null,
  { dryRun = false, unacknowledged = false }: Options,
): Promise<Found | null> {
  const { database, vault } = reconciling;
  const isYoung = kept.acceptedAt.getTime() > Date.now() - settledAfterMs;
  if (!kept.isAcknowledged && isYoung) return null;
  const origin = await originOf(reconciling, kept, entry);
  const told = describeKept(kept, typeof origin === "string" ? null : origin);
  const left = (reason: keyof typeof reasons): Found => ({ ...told, outcome: "left", reason });
  if (typeof origin === "string") return left(kept.isAcknowledged ? origin : "unacknowledged");
  if (!(await isPartner(database, origin.partnerId))) return left("partnerUnknown");
  const sha256 = Buffer.from(origin.sha256, "hex");
  if ((await findSameBytes(database, origin.partnerId, sha256)) !== null) {
    if (!dryRun) await leaveToOther(reconciling, kept, entry);
    return { ...told, outcome: "cameAgain", reason: null };
  }
  if (!kept.isAcknowledged && !unacknowledged) return left("unacknowledged");
  const format = formatOf(origin.name);
  if (format === null || (!isInTheClear(findFormat(format)) && (await digestOfKept(vault, kept)) !== origin.sha256))
    return left("damaged");
  if (dryRun) return { ...told, outcome: "takenUp", reason: null };
  const { id, reference: vaultReference, acceptedAt } = kept;
  const row = { ...origin, id, format, sha256, vaultReference, acceptedAt };
  if (!(await takeUp(database, row))) return null;
  await vault.confirm(kept.reference);
  await tell(reconciling, origin.partnerId, told);
  await followUp(reconciling, { id, partnerId: origin.partnerId, correlationId: origin.correlationId, refusal: null });
  return { ...told, outcome: "takenUp", reason: null };
}

/** The bytes lie in the vault as another delivery's; its own receipt says so, as of any that comes twice. */
async function leaveToOther(reconciling: Reconciling, kept: Unrecorded, entry: Delivered | null): Promise<void> {
  await reconciling.vault.remove(kept.reference);
  if (entry === null) return;
  const [unheardOf] = await findUnheardOf(reconciling.database, [entry]);
  if (unheardOf !== undefined) await takeUpDelivered(reconciling, unheardOf, {});
}

async function originOf(
  { keyEncryptionKey, vault }: Reconciling,
  kept: Unrecorded,
  entry: Delivered | null,
): Promise<Origin | "nameless" | "unreadable"> {
  const sealed = await vault.readOrigin(kept.reference);
  if (sealed !== null) {
    try {
      return openOrigin(keyEncryptionKey, kept.id, sealed);
    } catch {
      // Of a key that was changed since: its name in an inbox may still say it.
    }
  }
  if (entry === null) return sealed === null ? "nameless" : "unreadable";
  const { partnerId, name } = entry;
  const sha256 = await digestOfKept(vault, kept);
  return { partnerId, door: "sftp", name, sizeBytes: kept.sizeBytes, sha256, correlationId: kept.id };
}

function describeKept({ id, sizeBytes, acceptedAt }: Unrecorded, origin: Origin | null) {
  return {
    deliveryId: id,
    from: "vault" as const,
    partnerId: origin?.partnerId ?? null,
    file: origin?.name ?? null,
    sizeBytes: origin?.sizeBytes ?? sizeBytes,
    acceptedAt: acceptedAt.toISOString(),
  };
}

/** It has lost its place in the vault as well, and is accepted as a file that came just now. */
async function takeUpDelivered(
  reconciling: Reconciling,
  { partnerId, name, path, sizeBytes }: Delivered,
  { dryRun = false }: Options,
): Promise<Found> {
  const { database } = reconciling;
  const sha256 = Buffer.from(await digestOf(path), "hex");
  const correlationId = randomUUID();
  const told = { deliveryId: "", from: "inbox" as const, partnerId, file: name, sizeBytes, acceptedAt: null };
  if (!(await isPartner(database, partnerId))) return { ...told, outcome: "left", reason: "partnerUnknown" };
  const outcome = (await findSameBytes(database, partnerId, sha256)) === null ? "takenUp" : "cameAgain";
  if (dryRun) return { ...told, outcome, reason: null };
  const file = { partnerId, door: "sftp" as const, name, path, sizeBytes, sha256, correlationId };
  const { deliveryId, accepted } = await acceptFile(reconciling, file);
  if (!accepted) return { ...told, deliveryId, outcome: "cameAgain", reason: null };
  await tell(reconciling, partnerId, { ...told, deliveryId });
  return { ...told, deliveryId, outcome: "takenUp", reason: null };
}

/** What comes in the clear is a hole in the inbox; of what nobody reads nothing was kept. */
function isReadable(name: string): boolean {
  const format = formatOf(name);
  return format !== null && !isInTheClear(findFormat(format));
}

async function tell(
  { database, actor }: Reconciling,
  partnerId: string,
  { deliveryId, file, sizeBytes, acceptedAt, from }: Omit<Found, "outcome" | "reason">,
): Promise<void> {
  await recordAudit(database, actor, {
    partnerId,
    event: "delivery.taken-up",
    details: { deliveryId, file, sizeBytes, acceptedAt, from },
  });
}

async function isPartner(database: Queryable, partnerId: string): Promise<boolean> {
  return (await database.query("select 1 from partners where id = $1", [partnerId])).rowCount === 1;
}

/** Of what is not there, none. */
async function digestOfKept(vault: Vault, { reference }: Unrecorded): Promise<string> {
  const file = await vault.bring(reference);
  if (file === null) return "";
  const digest = await digestOf(file);
  await vault.discard(reference);
  return digest;
}

async function digestOf(file: string): Promise<string> {
  const digest = createHash("sha256");
  for await (const chunk of createReadStream(file)) digest.update(chunk as Buffer);
  return digest.digest("hex");
}
