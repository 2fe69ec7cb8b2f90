/** Which reqIds were used before, and which batches are refused for it. */
import type { Queryable } from "../../src/database/database.ts";
import type { LoadableDelivery } from "../../src/deliveries/progress.ts";
import { findUsedRequests } from "../../src/deliveries/requests.ts";
import type { Chunk, LineRequest } from "./chunk.ts";

export async function findUsed(
  database: Queryable,
  { partnerId }: LoadableDelivery,
  { requests }: Chunk,
): Promise<Map<string, string>> {
  return await findUsedRequests(
    database,
    partnerId,
    requests.map((request) => request.id),
  );
}

/**
 * Batches whose reqId means other content already: in the database, or earlier in the chunk. By batch. What the chunk
 * brings is added to what is used.
 */
export function findRefusedBatches(
  used: Map<string, string>,
  requests: readonly LineRequest[],
): Map<number, LineRequest> {
  const refused = new Map<number, LineRequest>();
  for (const request of requests) {
    const content = request.contentSha256.toString("hex");
    const meant = used.get(request.id);
    if (meant === undefined) used.set(request.id, content);
    else if (meant !== content) refused.set(request.batch, request);
  }
  return refused;
}
