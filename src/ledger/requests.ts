/** A reqId means one content, whichever door it comes through. Rows for pushed requests are written by their door. */
import type { Queryable, Transaction } from "../database/database.ts";

export type RequestIdentity = { id: string; contentSha256: Buffer };

/** The recorded content of those reqIds that are already used, as hex by reqId. */
export async function findUsedRequests(
  database: Queryable,
  partnerId: string,
  requestIds: readonly string[],
): Promise<Map<string, string>> {
  if (requestIds.length === 0) return new Map();
  const { rows } = await database.query<{ request_id: string; content: string }>(
    `select request_id, encode(content_sha256, 'hex') as content
       from requests
      where partner_id = $1
        and request_id = any($2::uuid[])`,
    [partnerId, requestIds],
  );
  return new Map(rows.map((row) => [row.request_id, row.content]));
}

/**
 * Records the reqIds of lines that are about to be loaded. Ordered by id, so that two loaders wait for each other
 * instead of deadlocking.
 * @returns false when one of them came to mean another content since it was looked up.
 */
export async function claimRequests(
  transaction: Transaction,
  partnerId: string,
  deliveryId: string,
  requests: readonly RequestIdentity[],
): Promise<boolean> {
  if (requests.length === 0) return true;
  const ordered = requests.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const ids = ordered.map((request) => request.id);
  await transaction.query(
    `insert into requests (partner_id, request_id, content_sha256, delivery_id)
     select $1, id, content, $4
       from unnest($2::uuid[], $3::bytea[]) as request (id, content)
     on conflict do nothing`,
    [partnerId, ids, ordered.map((request) => request.contentSha256), deliveryId],
  );
  const used = await findUsedRequests(transaction, partnerId, ids);
  return ordered.every((request) => used.get(request.id) === request.contentSha256.toString("hex"));
}
