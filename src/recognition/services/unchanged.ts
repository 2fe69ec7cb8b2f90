/**
 * What a run need not write. From one day to the next most services and lists stay as they are, and writing them again
 * costs several times what it costs to find that out. Pure.
 */
import { hash } from "node:crypto";
import { packHere } from "../../interface/packed.ts";
import type { ReadModelLists, ReadModelRow, ServiceRow } from "../store.ts";
import type { StoredService } from "../remembered.ts";

/** The rows that differ from what is stored. @param stored the user's services as the run found them. */
export function changedServices(rows: readonly ServiceRow[], stored: readonly StoredService[]): ServiceRow[] {
  const known = new Map(stored.map((service) => [service.id, service]));
  return rows.filter((row) => {
    const service = known.get(row.id);
    return service === undefined || row.isConfirmed || !isSame(row, service);
  });
}

function isSame(row: ServiceRow, stored: StoredService): boolean {
  return (
    row.key === stored.key &&
    row.hidden === stored.hidden &&
    row.newsAfter === stored.newsAfter &&
    row.status === stored.status &&
    row.paymentFrequency === stored.paymentFrequency &&
    row.txids.length === stored.txids.length &&
    row.txids.every((txid, at) => txid === stored.txids[at]) &&
    (row.document === null ? null : digestOf(row.document)) === stored.digest
  );
}

/**
 * The lists that are served, where they differ from those stored; null: they stay as they are, and only the day they are
 * for may be another one. As bytes, which lie outside of the heap: those of a whole run's users would be looked through
 * by the garbage collector again and again until the last one's are written.
 */
export function changedLists(
  { servicesVisible, servicesHidden, upcoming }: ReadModelRow,
  storedDigest: string | null,
): ReadModelLists | null {
  const all = Buffer.from(servicesVisible + servicesHidden + upcoming, "utf8");
  const digest = digestOf(all);
  if (digest === storedDigest) return null;
  const hiddenAt = Buffer.byteLength(servicesVisible, "utf8");
  const upcomingAt = hiddenAt + Buffer.byteLength(servicesHidden, "utf8");
  return {
    digest,
    hidden: all.subarray(hiddenAt, upcomingAt),
    upcoming: all.subarray(upcomingAt),
    visiblePacked: packHere(all.subarray(0, hiddenAt)),
  };
}

/** As the database makes it of the same text, of services and of lists that are written as JSON. */
function digestOf(text: string | Buffer): string {
  return hash("md5", text);
}
