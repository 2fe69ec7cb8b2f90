/**
 * Accepting: what a door does between "the bytes are here" and "the sender may forget them". After either function
 * returns "accepted", the bytes and their row are durable; the queue is told, and the sweep tells it again if need be.
 */
import { hash, randomUUIDv7 } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../time/clock.ts";
import type { Database } from "../database/database.ts";
import type { Events } from "../events.ts";
import { sealedContents } from "./clear-file.ts";
import { beginSpan, failureOf, type Span } from "../traces.ts";
import { reserveRoom } from "./backlog.ts";
import { insertDelivery, type NewDelivery } from "../deliveries/deliveries.ts";
import { duplicateReason } from "../deliveries/landed-files.ts";
import { isInTheClear, refusalAtTheDoor, unknownFormat } from "./door-refusal.ts";
import { insertFile } from "./file-groups.ts";
import { followUp } from "./follow-ups.ts";
import { findFormat, formatOf } from "../../workers/formats/formats.ts";
import { isKeptWithRow, type LandedFile, leaveHole } from "./landed-file.ts";
import type { Receipts } from "./receipt.ts";
import { findRequest, type RequestUse, type UnknownUsers } from "../deliveries/requests.ts";
import type { Origin } from "./origin.ts";
import { insertRequest } from "./request-groups.ts";
import type { Vault } from "../vault/vault.ts";

export type Landing = {
  database: Database;
  vault: Vault;
  receipts: Pick<Receipts, "writeFirst">;
  events: Events;
  clock: Clock;
  /** Calls workers. May fail: they look by themselves every few seconds. */
  enqueue(deliveryIds: readonly string[]): Promise<void>;
  /** Of one partner, so that its backlog makes nobody else wait. */
  stagingDepthMax: number;
  /** Of all partners together. */
  stagingDepthTotalMax?: number;
  /** What lies beside a kept file, by which it is found should the database forget it; absent: nothing does. */
  sealOrigin?(deliveryId: string, origin: Origin): Buffer;
};

export type PushedRequest = {
  partnerId: string;
  requestId: string;
  /** The TransactionsRequest as JSON text, still encrypted inside. */
  body: Buffer;
  /** Its SHA-256; absent: not taken yet. */
  bodySha256?: Buffer;
  /** SHA-256 of the decrypted content: a retry may be encrypted afresh. */
  contentSha256: Buffer;
  /** Whom its records name by the partner's ids: all must be the partner's users. */
  uids: readonly string[];
  correlationId: string;
  /** W3C Trace Context, as the call brought it; absent: it brought none. */
  traceparent?: string;
};

/** A request whose content is known without opening it. */
export type KnownRequest = Pick<PushedRequest, "partnerId" | "requestId" | "contentSha256" | "correlationId">;

export type RequestAcceptance =
  | { outcome: "accepted" | "repeated"; deliveryId: string }
  | { outcome: "conflict" }
  | { outcome: "unknownUsers"; /** Those that the partner does not have. */ uids: string[] }
  | { outcome: "busy"; retryAfterSeconds: number };

/** A sender that waits this long gives a full staging area time to drain some hundred batches. */
const retryAfterSeconds = 5;
/** Unless told otherwise, so many partners may have a full backlog before everybody waits. */
const partnersOfFullDepth = 10;

/**
 * Takes a request that was opened and checked. Idempotent by reqId: the same content again is "repeated", other
 * content is "conflict". "busy" and "unknownUsers" keep nothing.
 */
export async function acceptRequest(landing: Landing, request: PushedRequest): Promise<RequestAcceptance> {
  const span = beginAcceptance(request.partnerId, "https", request.traceparent);
  try {
    const acceptance = await acceptTraced(landing, withTrace(request, span));
    span?.end({ attributes: { "tideline.accept.outcome": acceptance.outcome } });
    return acceptance;
  } catch (error) {
    span?.end({ failure: failureOf(error) });
    throw error;
  }
}

async function acceptTraced(landing: Landing, request: PushedRequest): Promise<RequestAcceptance> {
  const delivery = requestDelivery(request);
  const use = await recordRequest(landing, delivery, request);
  if (use === "busy") return { outcome: "busy", retryAfterSeconds };
  if ("unknownUsers" in use) return { outcome: "unknownUsers", uids: use.unknownUsers };
  if (use.deliveryId !== delivery.id) return answerRepeat(landing, request, use);
  emitLanded(landing, delivery);
  await enqueueOrLeave(landing, delivery);
  return { outcome: "accepted", deliveryId: delivery.id };
}

/** Whether a request was accepted with that content and still counts as it: a withdrawn one may come again. */
export async function isRepeat(landing: Pick<Landing, "database" | "events">, request: KnownRequest): Promise<boolean> {
  const earlier = await findRequest(landing.database, request.partnerId, request.requestId);
  return earlier !== null && answerRepeat(landing, request, earlier).outcome === "repeated";
}

/** Records a finished file, writes its receipt and queues it. */
export async function acceptFile(
  landing: Landing,
  file: LandedFile,
): Promise<{ deliveryId: string; accepted: boolean }> {
  const delivery = await recordFile(landing, file, async () => undefined);
  await followUp(landing, delivery);
  return { deliveryId: delivery.id, accepted: !delivery.refusal };
}

/**
 * Takes a finished file; when this returns its sender may forget it, and what follows is `followUp`'s. It is recorded
 * whatever it is; one that cannot be loaded is refused by its receipt.
 * @param makeDurable makes its bytes and its name durable, while the vault does the same with its own; nothing is
 * recorded before. Not asked for a file whose bytes are committed with its row
 */
export async function recordFile(
  landing: Landing,
  file: LandedFile,
  makeDurable: () => Promise<void>,
): Promise<NewDelivery> {
  const span = beginAcceptance(file.partnerId, file.door);
  try {
    const delivery =
      (await recordWithBytes(landing, file, span)) ?? (await recordBeside(landing, file, makeDurable, span));
    emitLanded(landing, delivery);
    span?.end({ attributes: { "tideline.accept.outcome": delivery.refusal?.code ?? "accepted" } });
    return delivery;
  } catch (error) {
    span?.end({ failure: failureOf(error) });
    throw error;
  }
}

/**
 * Row and bytes in one commit. The file's other names, in the inbox and in the vault, are not synced: what a power cut
 * takes of them is made anew from these bytes (mend-kept.ts). Null: the file is none of those, or is refused for what it
 * is.
 */
async function recordWithBytes(landing: Landing, file: LandedFile, span: Span | null): Promise<NewDelivery | null> {
  const format = formatOf(file.name);
  if (format === null || !isKeptWithRow(file)) return null;
  const body = file.bytes ?? (await readFile(file.path));
  if (body.length !== file.sizeBytes) throw new Error("a file has another size than it was said to have");
  if ((await findFormat(format).findPlainText?.(body)) === true) return null;
  const id = randomUUIDv7();
  const vaultReference = landing.vault.referenceOf(id, dayOf(landing));
  const delivery = withTrace({ ...describeFile(file, id, format), vaultReference, refusal: null }, span);
  const inserting = insertFile(landing.database, { delivery, body });
  // Once the row is on its way, for which the sender waits. Whoever reads a file that lacks its name in the vault makes it
  // from the row.
  const named = nextTurn().then(() => landing.vault.name(vaultReference, file.path).catch(() => undefined));
  const unname = () => named.then(() => landing.vault.remove(vaultReference));
  const same = await inserting.catch(async (error: unknown) => {
    // Its sender may go on writing into what has that name.
    await unname().catch(() => undefined);
    throw error;
  });
  const how = await named;
  if (same === null) {
    // What is linked from the inbox is marked there.
    if (how === "copied" || (how === "linked" && file.door === "direct")) await confirm(landing, vaultReference);
    return delivery;
  }
  await unname();
  return {
    ...delivery,
    vaultReference: null,
    refusal: { code: "FILE_DUPLICATE", reason: duplicateReason(same), duplicateOf: same.id },
  };
}

/** Bytes first, then the row. */
async function recordBeside(
  landing: Landing,
  file: LandedFile,
  makeDurable: () => Promise<void>,
  span: Span | null,
): Promise<NewDelivery> {
  const delivery = withTrace(await fileDelivery(landing, file, makeDurable), span);
  await insertDelivery(landing.database, delivery);
  if (delivery.vaultReference !== null) await confirm(landing, delivery.vaultReference);
  await leaveHole(landing, file, delivery.format, delivery.refusal?.code ?? null);
  return delivery;
}

/** It is recorded: a vault that went away since must not make its sender come again. */
async function confirm({ vault }: Landing, reference: string): Promise<void> {
  await vault.confirm(reference).catch(() => undefined);
}

/** With what follows from an acceptance its loading is called, and its trace goes on. */
function beginAcceptance(partnerId: string, door: string, traceparent?: string): Span | null {
  return beginSpan("accept", {
    kind: "producer",
    parent: traceparent ?? null,
    attributes: { "tideline.partner.id": partnerId, "tideline.door": door },
  });
}

function withTrace<Traced extends { traceparent?: string }>(traced: Traced, span: Span | null): Traced {
  return span === null ? traced : { ...traced, traceparent: span.traceparent };
}

function requestDelivery(request: PushedRequest): NewDelivery & { requestId: string } {
  return {
    id: randomUUIDv7(),
    partnerId: request.partnerId,
    door: "https",
    format: "request",
    name: null,
    requestId: request.requestId,
    correlationId: request.correlationId,
    ...(request.traceparent === undefined ? {} : { traceparent: request.traceparent }),
    sizeBytes: request.body.length,
    sha256: request.bodySha256 ?? hash("sha256", request.body, "buffer"),
    vaultReference: null,
    refusal: null,
  };
}

/** The first use of the reqId, which is this one unless it was used before. */
async function recordRequest(
  landing: Landing,
  delivery: NewDelivery & { requestId: string },
  request: PushedRequest,
): Promise<RequestUse | UnknownUsers | "busy"> {
  const { database, stagingDepthMax, stagingDepthTotalMax = stagingDepthMax * partnersOfFullDepth } = landing;
  const { contentSha256, body, uids } = request;
  const hasRoom = await reserveRoom(database, delivery.partnerId, {
    ofPartner: stagingDepthMax,
    ofAll: stagingDepthTotalMax,
  });
  const inserted = hasRoom ? await insertRequest(database, { delivery, contentSha256, body, uids }) : "no-room";
  if (inserted === "inserted") return { deliveryId: delivery.id, contentSha256 };
  if (typeof inserted === "object") return inserted;
  const earlier = await findRequest(database, delivery.partnerId, delivery.requestId);
  if (earlier === null && hasRoom) throw new Error("a request that conflicts has vanished");
  return earlier ?? "busy";
}

function answerRepeat(landing: Pick<Landing, "events">, request: KnownRequest, earlier: RequestUse): RequestAcceptance {
  if (!earlier.contentSha256.equals(request.contentSha256)) return { outcome: "conflict" };
  landing.events.emit("delivery.repeated", {
    correlationId: request.correlationId,
    partnerId: request.partnerId,
    deliveryId: earlier.deliveryId,
    door: "https",
    firstDeliveryId: earlier.deliveryId,
  });
  return { outcome: "repeated", deliveryId: earlier.deliveryId };
}

async function fileDelivery(
  landing: Landing,
  file: LandedFile,
  makeDurable: () => Promise<void>,
): Promise<NewDelivery> {
  const id = randomUUIDv7();
  const format = formatOf(file.name) ?? unknownFormat;
  const [{ refusal, vaultReference }] = await Promise.all([refuseOrKeep(landing, id, file, format), makeDurable()]);
  return { ...describeFile(file, id, format), vaultReference, refusal };
}

function describeFile(
  { partnerId, door, name, correlationId, sizeBytes, sha256 }: LandedFile,
  id: string,
  format: string,
): Omit<NewDelivery, "name" | "vaultReference" | "refusal"> & { name: string } {
  return { id, partnerId, door, format, name, requestId: null, correlationId, sizeBytes, sha256 };
}

function dayOf({ clock }: Landing): string {
  return clock.now().toISOString().slice(0, 10);
}

/** What is no known format may be plain text: it is not taken into the vault, and nothing that is refused is. */
async function refuseOrKeep(
  landing: Landing,
  id: string,
  file: LandedFile,
  format: string,
): Promise<Pick<NewDelivery, "refusal" | "vaultReference">> {
  const refusal = await refusalAtTheDoor(landing.database, file, format);
  if (refusal) return { refusal, vaultReference: null };
  return {
    refusal,
    vaultReference: await keep(landing, id, file, format, dayOf(landing)),
  };
}

async function keep(landing: Landing, id: string, file: LandedFile, format: string, day: string): Promise<string> {
  const origin = landing.sealOrigin?.(id, originOf(file));
  if (!isInTheClear(findFormat(format))) return await landing.vault.keep(id, file.path, day, file.sha256, origin);
  return await landing.vault.write(id, await sealedContents(landing.database, file.partnerId, file.path), day, origin);
}

function originOf({ partnerId, door, name, sizeBytes, sha256, correlationId }: LandedFile): Origin {
  return { partnerId, door, name, sizeBytes, sha256: sha256.toString("hex"), correlationId };
}

function emitLanded(landing: Landing, delivery: NewDelivery): void {
  const ids = { correlationId: delivery.correlationId, partnerId: delivery.partnerId, deliveryId: delivery.id };
  if (delivery.refusal?.duplicateOf) {
    landing.events.emit("delivery.repeated", {
      ...ids,
      door: delivery.door,
      firstDeliveryId: delivery.refusal.duplicateOf,
    });
  } else if (delivery.refusal) {
    landing.events.emit("delivery.refused", { ...ids, code: delivery.refusal.code });
  } else {
    landing.events.emit("delivery.accepted", {
      ...ids,
      door: delivery.door,
      format: delivery.format,
      sizeBytes: delivery.sizeBytes,
    });
  }
}

/** The delivery is recorded: a queue that is away costs seconds, not data. */
async function enqueueOrLeave({ enqueue, events }: Landing, { id }: NewDelivery): Promise<void> {
  await enqueue([id]).catch((error: unknown) => events.emit("delivery.uncalled", { count: 1, error }));
}
