/** Between a checked chunk and the ledger: who owns each record, and which lines' reqIds are used up. */
import { problemsKeptMax } from "../config/limits.ts";
import type { Queryable } from "../src/database.ts";
import type { OwnedRow } from "../src/ledger/copy.ts";
import { findOwners } from "../src/ledger/owners.ts";
import { type Posting, preparePosting } from "../src/ledger/post.ts";
import type { KeptProblem, LoadableDelivery } from "../src/ledger/progress.ts";
import { findUsedRequests } from "../src/ledger/requests.ts";
import { type Chunk, type LineRequest, type PlacedRecord, wholeLine } from "./chunk.ts";
import type { CheckedRecord } from "./record.ts";

type TransactionRecord = CheckedRecord & { kind: "transaction" };

/** A row that knows where it came from and what it mentions. */
export type PlacedRow = OwnedRow & { line: number; index: number } & Pick<TransactionRecord, "account" | "card">;

/** A chunk as it goes into the ledger. */
export type AssignedChunk = {
  posting: Posting<PlacedRow>;
  /** Owner of each marker record; the same user may stand in it twice. */
  markerUserIds: number[];
  requests: LineRequest[];
  batchesRefused: number;
  recordsRefused: number;
  problems: KeptProblem[];
};

export const strangerReason = "is not a user of the partner";
const usedRequestReason = "was used before with other content";

export async function assign(database: Queryable, delivery: LoadableDelivery, chunk: Chunk): Promise<AssignedChunk> {
  const refusedLines = await findRefusedLines(database, delivery.partnerId, chunk.requests);
  const kept = refusedLines.size === 0 ? chunk.good : chunk.good.filter((record) => !refusedLines.has(record.line));
  const owners = await findOwners(database, delivery.partnerId, [...new Set(kept.map((record) => record.uid))]);
  const { rows, markerUserIds, strangers } = shareOut(kept, owners);
  const problems: KeptProblem[] = [
    ...[...refusedLines].map((line) => ({ line, index: wholeLine, field: "reqId", reason: usedRequestReason })),
    ...strangers.map(({ line, index }) => ({ line, index, field: "uid", reason: strangerReason })),
    ...chunk.problems,
  ];
  return {
    posting: preparePosting(rows, delivery.position),
    markerUserIds,
    requests: chunk.requests.filter((request) => !refusedLines.has(request.line)),
    batchesRefused: chunk.batchesRefused + refusedLines.size,
    recordsRefused: chunk.recordsRefused + (chunk.good.length - kept.length) + strangers.length,
    problems: problems.slice(0, problemsKeptMax),
  };
}

/** Lines whose reqId means other content already: in the database, or on an earlier line of the chunk. */
async function findRefusedLines(database: Queryable, partnerId: string, requests: readonly LineRequest[]): Promise<Set<number>> {
  const used = await findUsedRequests(database, partnerId, requests.map((request) => request.id));
  const refused = new Set<number>();
  for (const request of requests) {
    const content = request.contentSha256.toString("hex");
    const meant = used.get(request.id);
    if (meant === undefined) used.set(request.id, content);
    else if (meant !== content) refused.add(request.line);
  }
  return refused;
}

function shareOut(records: readonly PlacedRecord[], owners: ReadonlyMap<string, number>) {
  const rows: PlacedRow[] = [];
  const markerUserIds: number[] = [];
  const strangers: PlacedRecord[] = [];
  for (const record of records) {
    const userId = owners.get(record.uid);
    if (userId === undefined) strangers.push(record);
    else if (record.kind === "marker") markerUserIds.push(userId);
    else rows.push({ userId, row: record.row, digest: record.digest, line: record.line, index: record.index, account: record.account, card: record.card });
  }
  return { rows, markerUserIds, strangers };
}
