/**
 * Which of the freshly recognised services are ones the user already knows. Ids outlive price changes, late and
 * repeated batches, recomputation and renames, because a service is known by its payments, not by its name or price.
 */
import { hash } from "node:crypto";
import { itemAt } from "../../present.ts";

/** A service as stored, with the transactions it had. */
export type KnownService = { id: string; key: string; txids: readonly string[] };
/** A service as just recognised. */
export type FoundService = { key: string; txids: readonly string[] };
export type AssignedId = {
  id: string;
  isNew: boolean;
  /** Ids of known services that went into this one; the user's decisions about them now concern it. */
  mergedIds: string[];
};

/**
 * One id for each found service, in the order of `found`. `known` is oldest first: of two that became one, the older
 * id stays. A known service goes to the found one with which it shares most transactions, or, where all its
 * transactions were purged, to the one with its key. New ids are UUIDv5 of the key under the user's UUID.
 */
export function assignIds(
  userUuid: string,
  known: readonly KnownService[],
  found: readonly FoundService[],
): AssignedId[] {
  const assigned = new Map<number, AssignedId>();
  const indexes = indexOf(found);
  for (const service of known) {
    const shared = indexes.sharing(service);
    const free = shared.find((index) => !assigned.has(index));
    const target = shared[0];
    if (free !== undefined && (free === target || sharesMost(service, itemAt(found, free)))) {
      assigned.set(free, { id: service.id, isNew: false, mergedIds: [] });
    } else if (target !== undefined) assigned.get(target)?.mergedIds.push(service.id);
  }
  const taken = new Set(known.map(({ id }) => id));
  return found.map((service, index) => assigned.get(index) ?? newId(userUuid, service.key, taken));
}

/**
 * A remainder keeps the id when the larger part went to an older service only if it is still most of what there was.
 */
function sharesMost(known: KnownService, found: FoundService): boolean {
  const txids = new Set(known.txids);
  return found.txids.filter((txid) => txids.has(txid)).length * 2 > known.txids.length;
}

type FoundIndex = { sharing: (service: KnownService) => number[] };

function indexOf(found: readonly FoundService[]): FoundIndex {
  const byTxid = new Map<string, number>();
  const byKey = new Map<string, number>();
  found.forEach(({ key, txids }, index) => {
    byKey.set(key, index);
    for (const txid of txids) byTxid.set(txid, index);
  });
  return { sharing: (service) => sharing(service, byTxid, byKey) };
}

/** Indices of found services, those that share most transactions first. */
function sharing(
  service: KnownService,
  byTxid: ReadonlyMap<string, number>,
  byKey: ReadonlyMap<string, number>,
): number[] {
  const counts = new Map<number, number>();
  for (const txid of service.txids) {
    const index = byTxid.get(txid);
    if (index !== undefined) counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  const keyed = byKey.get(service.key);
  if (counts.size === 0) return keyed === undefined ? [] : [keyed];
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([index]) => index);
}

/** An id may be taken by a service that moved on from this key; then the key is told apart by a number. */
function newId(userUuid: string, key: string, taken: Set<string>): AssignedId {
  let id = uuidVersion5(userUuid, key);
  for (let number = 2; taken.has(id); number++) id = uuidVersion5(userUuid, `${key}#${number}`);
  taken.add(id);
  return { id, isNew: true, mergedIds: [] };
}

/** Name-based UUID, SHA-1 (RFC 9562, section 5.5). */
export function uuidVersion5(namespace: string, name: string): string {
  const bytes = hash(
    "sha1",
    Buffer.concat([Buffer.from(namespace.replaceAll("-", ""), "hex"), Buffer.from(name, "utf8")]),
    "buffer",
  );
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString("hex", 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
