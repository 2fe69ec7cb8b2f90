/**
 * Small requests and files that have queued up, loaded together: one COPY and one commit for all of them, where each alone would
 * cost both. Each keeps its own counts and its own place in the ledger. Whatever stands out about one (it cannot be
 * opened, a record is held, a row is there already) leaves it to be loaded alone, so that it harms none of the others.
 */
import { groupOpenedBytesMax, smallOpenedBytesMax } from "../../config/staging.ts";
import { codeOf, transact, type Transaction } from "../../src/database/database.ts";
import { isSqlState } from "../../src/database/sql-states.ts";
import { postMarkers } from "../../src/deliveries/import-markers.ts";
import { ascending } from "../../src/ledger/owners.ts";
import { gatherArrivals, markArrived } from "../../src/partners/changed-users.ts";
import { touchUsers } from "../../src/partners/users.ts";
import { findBodies, findLoadables, finishGroup, lockGroup, startGroup } from "../../src/deliveries/grouped.ts";
import { copyTogether } from "../../src/ledger/transactions.ts";
import { arrivalsOf } from "../../src/ledger/posting.ts";
import type { LoadableDelivery } from "../../src/deliveries/progress.ts";
import { assign, type AssignedChunk, lookUp } from "./assign.ts";
import { type Chunk, chunksOf, releaseBlocks } from "./chunk.ts";
import type { WorkerContext } from "../context.ts";
import { partDescriptions, postDescriptions, regainingOf } from "./described.ts";
import { Fault } from "../../src/errors.ts";
import { claimRequests } from "../../src/deliveries/requests.ts";
import { createFileOpener, createRequestOpener, openFile } from "../formats/open.ts";
import { here } from "../jwe/open.ts";
import type { BatchOpener } from "../records/batch.ts";
import type { FieldNames } from "../records/record.ts";
import { Turn } from "../turn.ts";
import { type DeliveryReader, start } from "../formats/reader.ts";
import { readRequest } from "../formats/request.ts";
import { discard } from "./ingest.ts";
import { withDeliveriesLocked } from "./locked.ts";
import type { BrokenMember, IngestGroupOutcome, IngestGroupTask } from "../messages.ts";

/** Idempotent as loading alone is. Throws only when the database fails; then nothing was loaded. */
export async function ingestGroup(
  context: WorkerContext,
  { deliveryIds }: IngestGroupTask,
): Promise<IngestGroupOutcome> {
  return await withDeliveriesLocked(context, deliveryIds, async (client, locked) => {
    const broken: BrokenMember[] = [];
    return {
      loaded: await loadTogether(context, client, locked, (member) => broken.push(member)),
      elsewhere: deliveryIds.filter((id) => !locked.includes(id)),
      broken,
    };
  });
}

type Opened = { delivery: LoadableDelivery; chunk: Chunk; fields: FieldNames };
type Member = Opened & { assigned: AssignedChunk };

/** Members opened at once: what a file's format reads and inflates is done beside this thread. */
const openedAtOnce = 4;

/** @returns those that are loaded now. */
async function loadTogether(
  context: WorkerContext,
  client: Transaction,
  ids: readonly string[],
  leaveOut: (member: BrokenMember) => void,
): Promise<string[]> {
  const deliveries = await findLoadables(client, ids);
  if (deliveries.length < 2) return [];
  const openMember = await createMemberReader(context, client, deliveries);
  const opened: Opened[] = [];
  let openedBytes = 0;
  try {
    for (let from = 0; from < deliveries.length; from += openedAtOnce) {
      // The others are loaded in another turn.
      if (openedBytes > groupOpenedBytesMax) break;
      const together = await Promise.all(
        deliveries.slice(from, from + openedAtOnce).map((delivery) => open(delivery, openMember, leaveOut)),
      );
      for (const one of together) {
        if (one !== null) opened.push(one);
        openedBytes += one?.chunk.sizeBytes ?? 0;
      }
    }
    const members = await assignAll(context, opened, leaveOut);
    if (members.length < 2) return [];
    await startGroup(
      client,
      members.map(({ delivery }) => delivery.id),
    );
    if (!(await commit(client, members))) return [];
    await Promise.all(members.map(({ delivery }) => discard(context, delivery)));
    return members.map(({ delivery }) => delivery.id);
  } finally {
    // Whatever became of them: their rows were copied on their way out. Groups that collide come often, with some 4 MB
    // each.
    for (const { chunk } of opened) releaseBlocks(chunk);
  }
}

type OpenMember = (delivery: LoadableDelivery) => Promise<DeliveryReader>;

/** All of one partner: its keys are looked up and parsed once. Rejects for one whose request was not kept. */
async function createMemberReader(
  context: WorkerContext,
  client: Transaction,
  deliveries: readonly LoadableDelivery[],
): Promise<OpenMember> {
  const bodies = await findBodies(
    client,
    deliveries.map(({ id }) => id),
  );
  const requestOpener = await createRequestOpener(context, deliveries[0]?.partnerId ?? "");
  const fileOpeners = new Map<string, Promise<BatchOpener>>();
  // A key that is valid for the latest of them is valid for all; one that is not leaves its file to be loaded alone.
  const acceptedAt = new Date(Math.max(...deliveries.map((one) => one.acceptedAt.getTime())));
  const fileOpener = (delivery: LoadableDelivery) => {
    const rule = delivery.settings.signedBatches ?? "";
    const opener =
      fileOpeners.get(rule) ??
      // On this thread, which gives way to the doors; the threads beside it do not.
      createFileOpener(context, delivery, acceptedAt).then((one) => ({ ...one, steps: here }));
    fileOpeners.set(rule, opener);
    return opener;
  };
  return async (delivery) => {
    const body = bodies.get(delivery.id);
    if (delivery.vaultReference !== null) {
      const turn = new Turn({ openedBytesMax: smallOpenedBytesMax });
      return await openFile(context, delivery, turn, await fileOpener(delivery), body ?? null);
    }
    if (body === undefined) throw new Fault("VAULT_GONE");
    return readRequest(body, requestOpener, delivery.position);
  };
}

/** Null for one that is better loaded alone. One that breaks here breaks there again, and is refused or retried then. */
async function open(
  delivery: LoadableDelivery,
  openMember: OpenMember,
  leaveOut: (member: BrokenMember) => void,
): Promise<Opened | null> {
  try {
    const reader = await openMember(delivery);
    await reader.verify();
    const chunks = await Array.fromAsync(chunksOf(reader.groups(start), reader.check));
    const [chunk] = chunks;
    if (chunk === undefined || chunks.length > 1) {
      for (const one of chunks) releaseBlocks(one);
      return null;
    }
    return { delivery, chunk, fields: reader.fields };
  } catch (error) {
    leaveOut({ deliveryId: delivery.id, reason: reasonOf(error) });
    return null;
  }
}

/**
 * In the order of acceptance, so that of two that use one reqId the first is loaded. A user who was made again since the
 * first of them was accepted counts as made again for all: who came after that is told apart alone.
 */
async function assignAll(
  { database }: WorkerContext,
  opened: readonly Opened[],
  leaveOut: (member: BrokenMember) => void,
): Promise<Member[]> {
  const [first] = opened;
  if (first === undefined) return [];
  const earliest = new Date(Math.min(...opened.map(({ delivery }) => delivery.acceptedAt.getTime())));
  const chunks = opened.map(({ chunk }) => chunk);
  const known = await lookUp(database, first.delivery.partnerId, earliest, chunks);
  const members: Member[] = [];
  for (const one of opened) {
    try {
      const assigned = await assign(database, one.delivery, one.chunk, one.fields, known);
      if (isPlain(assigned)) members.push({ ...one, assigned });
    } catch (error) {
      leaveOut({ deliveryId: one.delivery.id, reason: reasonOf(error) });
    }
  }
  return members;
}

/** The code, or what kind of error it is; never its message, which may quote a record. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return codeOf(error) || error.name;
}

function isPlain({ posting, held, mappings, missingAccounts, recordsRepeated, problems }: AssignedChunk): boolean {
  return (
    posting.repeats.length + held.length + mappings.length + missingAccounts.length + recordsRepeated === 0 &&
    problems.length === 0
  );
}

/** @returns false, with nothing changed, when a row was there already or a delivery is not where it was. */
async function commit(client: Transaction, members: readonly Member[]): Promise<boolean> {
  const work = async () => {
    const locked = await lockGroup(
      client,
      members.map(({ delivery }) => delivery.id),
    );
    if (locked !== members.length || !(await claim(client, members))) return false;
    await post(client, members);
    return true;
  };
  try {
    return await transact(client, work, { keeps: (whole) => whole });
  } catch (error) {
    // A row is there already, or another loader was bringing the same ones in another order.
    if (isSqlState(error, "uniqueViolation", "deadlockDetected")) return false;
    throw error;
  }
}

/** Of files' lines; a pushed request's was claimed by its door. @returns false when one has come to mean something else. */
async function claim(client: Transaction, members: readonly Member[]): Promise<boolean> {
  const requests = members.flatMap(({ delivery, assigned }) =>
    assigned.requests.map((request) => ({ ...request, deliveryId: delivery.id })),
  );
  return await claimRequests(client, members[0]?.delivery.partnerId ?? "", requests);
}

async function post(client: Transaction, members: readonly Member[]): Promise<void> {
  await copyTogether(
    client,
    members.map(({ assigned }) => assigned.posting),
  );
  // In one order over all of them, and users before their accounts, as every loader keeps it.
  await touchUsers(client, ascending(members.flatMap(({ assigned }) => assigned.userIds)));
  const parted = await partDescriptions(
    client,
    members.map(({ delivery: { position }, assigned: { accounts, cards } }) => ({ position, accounts, cards })),
  );
  const regaining = await regainingOf(client, parted);
  await markArrived(
    client,
    gatherArrivals([
      ...regaining.map((userId) => ({ userId, txids: null })),
      ...members.flatMap(({ assigned }) => [
        ...arrivalsOf(assigned.posting),
        ...assigned.markerUserIds.map((userId) => ({ userId, txids: [] })),
      ]),
    ]),
    {
      partnerId: members[0]?.delivery.partnerId ?? "",
      deliveryPosition: null,
      rows: members.reduce((sum, { assigned }) => sum + assigned.posting.firsts.length, regaining.length),
    },
  );
  await postDescriptions(client, parted);
  for (const { delivery, assigned } of members) await postMarkers(client, delivery, assigned.markerUserIds);
  await finishGroup(
    client,
    members.map(({ delivery, chunk, assigned }) => ({
      id: delivery.id,
      batches: chunk.batches,
      records: chunk.records,
      recordsNew: assigned.posting.firsts.length,
      markers: assigned.markers,
    })),
  );
}
