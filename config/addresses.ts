/** What addresses of servers say besides where they lead: that of the database of a pooler, that of Redis of Sentinels. */

/** Told by the operator, as other clients of PostgreSQL have it: no connection can see it at its beginning. */
export const poolerMark = "pooler";

export type Address = { url: string; isPooled: boolean };

/** @returns the address as pg takes it, and whether it leads through a pooler in transaction mode */
export function readAddress(url: string): Address {
  // An address that is no URL is pg's to refuse.
  if (!URL.canParse(url)) return { url, isPooled: false };
  const parsed = new URL(url);
  if (!parsed.searchParams.has(poolerMark)) return { url, isPooled: false };
  const isPooled = parsed.searchParams.get(poolerMark) === "transaction";
  parsed.searchParams.delete(poolerMark);
  return { url: parsed.href, isPooled };
}
