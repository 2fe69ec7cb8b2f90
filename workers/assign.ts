/** Between a checked chunk and the ledger: who owns each record, and which lines' reqIds are used up. */
import { problemsKeptMax } from "../config/limits.ts";
import type { Queryable } from "../src/database.ts";
import { ascending } from "../src/ledger/changes.ts";
import type { OwnedRow } from "../src/ledger/copy.ts";
import { LatestOfEach, type Owned } from "../src/ledger/holdings.ts";
import { findOwners } from "../src/ledger/owners.ts";
import { type Posting, preparePosting } from "../src/ledger/post.ts";
import type { KeptProblem, LoadableDelivery } from "../src/ledger/progress.ts";
import { findUsedRequests } from "../src/ledger/requests.ts";
import { digestOf, type LedgerAccount, type LedgerCard } from "../src/ledger/row.ts";
import { type Chunk, type LineRequest, type PlacedRecord, wholeLine } from "./chunk.ts";

/** A row that knows where it came from. */
export type PlacedRow = OwnedRow & { line: number; index: number };

/** A chunk as it goes into the ledger. */
export type AssignedChunk = {
  posting: Posting<PlacedRow>;
  accounts: Owned<LedgerAccount>[];
  cards: Owned<LedgerCard>[];
  markers: number;
  /** Users with a marker, and with any record; ascending. */
  markerUserIds: number[];
  userIds: number[];
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
  const owners = await findOwners(database, delivery.partnerId, [...new Set(kept.map(({ record }) => record.uid))]);
  const { rows, accounts, cards, markers, strangers } = shareOut(kept, owners);
  const problems: KeptProblem[] = [
    ...[...refusedLines].map((line) => ({ line, index: wholeLine, field: "reqId", reason: usedRequestReason })),
    ...strangers.map(({ line, index }) => ({ line, index, field: "uid", reason: strangerReason })),
    ...chunk.problems,
  ];
  return {
    posting: preparePosting(rows, delivery.position),
    accounts: accounts.list(),
    cards: cards.list(),
    markers: markers.length,
    markerUserIds: ascending(markers),
    userIds: ascending(owners.values()),
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
  const accounts = new LatestOfEach<LedgerAccount>();
  const cards = new LatestOfEach<LedgerCard>();
  const markers: number[] = [];
  const strangers: PlacedRecord[] = [];
  for (const placed of records) {
    const { record, line, index } = placed;
    const userId = owners.get(record.uid);
    if (userId === undefined) strangers.push(placed);
    else if (record.kind === "marker") markers.push(userId);
    else {
      rows.push({ userId, row: record.row, digest: digestOf(record.row), line, index });
      if (record.account) accounts.note(userId, record.account);
      if (record.card) cards.note(userId, record.card);
    }
  }
  return { rows, accounts, cards, markers, strangers };
}
