/**
 * What a run need not write. From one day to the next most services and lists stay as they are, and writing them again
 * costs several times what it costs to find that out. Pure.
 */
import { hash } from "node:crypto";
import type { ReadModelRow, ServiceRow } from "../store.ts";
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
 * Of the lists that are served; where it is the stored one they stay as they are, and only the day they are for may be
 * another one.
 */
export function digestOfLists({ servicesVisible, servicesHidden, upcoming }: ReadModelRow): string {
  return digestOf(servicesVisible + servicesHidden + upcoming);
}

/** As the database makes it of the same text. */
function digestOf(text: string): string {
  return hash("md5", text);
}
