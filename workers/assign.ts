/** Between a checked chunk and the ledger: who owns each record, and which lines' reqIds are used up. */
import { problemsKeptMax } from "../config/limits.ts";
import type { Queryable } from "../src/database.ts";
import { accountKey, type AccountMapping, findAccountOwners, nameKey } from "../src/ledger/account-owners.ts";
import { ascending } from "../src/ledger/changes.ts";
import type { OwnedRow } from "../src/ledger/copy.ts";
import type { HeldPlace } from "../src/ledger/held.ts";
import { LatestOfEach, type Owned } from "../src/ledger/holdings.ts";
import { findOwners } from "../src/ledger/owners.ts";
import { type ConflictRule, type Posting, preparePosting } from "../src/ledger/post.ts";
import type { KeptProblem, LoadableDelivery } from "../src/ledger/progress.ts";
import { findUsedRequests } from "../src/ledger/requests.ts";
import { digestOf, type LedgerAccount, type LedgerCard } from "../src/ledger/row.ts";
import { type Chunk, type LineRequest, type Place, type PlacedRecord, refusedPlace, wholeBatch } from "./chunk.ts";
import type { AccountName, Contents, FieldNames } from "./record.ts";

/** A row that knows where it came from. */
export type PlacedRow = OwnedRow & Place;
export type PlacedMapping = AccountMapping & Place & { completesImport: boolean };

/** A chunk as it goes into the ledger. */
export type AssignedChunk = {
  posting: Posting<PlacedRow>;
  accounts: Owned<LedgerAccount>[];
  cards: Owned<LedgerCard>[];
  mappings: PlacedMapping[];
  /** Accounts that records of this chunk wait for. */
  missingAccounts: AccountName[];
  markers: number;
  /** Users with a marker, and with any record; ascending. */
  markerUserIds: number[];
  userIds: number[];
  requests: LineRequest[];
  batchesRefused: number;
  recordsRefused: number;
  recordsWaiting: number;
  /** What does not go in now, by place. */
  held: HeldPlace[];
  problems: KeptProblem[];
};

export const strangerReason = "is not a user of the partner";
const usedRequestReason = "was used before with other content";
const waitingReason = "waits until an accounts file names the account's user";

export function conflictRuleOf(delivery: LoadableDelivery): ConflictRule {
  return delivery.settings.onConflict ?? "keep";
}

export async function assign(database: Queryable, delivery: LoadableDelivery, chunk: Chunk, fields: FieldNames): Promise<AssignedChunk> {
  const refused = await findRefusedBatches(database, delivery.partnerId, chunk.requests);
  const isKept = (place: { batch: number }) => !refused.has(place.batch);
  const kept = refused.size === 0 ? chunk.good : chunk.good.filter(isKept);
  const owners = await findOwners(database, delivery.partnerId, [...new Set(kept.flatMap(({ record }) => ("uid" in record ? [record.uid] : [])))]);
  const accountOwners = await findAccountOwners(database, delivery.partnerId, kept.flatMap(({ record }) => (record.kind === "account-transaction" ? [record.owner] : [])));
  const shares = new Shares(owners, accountOwners, delivery.partnerId, fields);
  for (const placed of kept) shares.take(placed);
  const usedRequests = [...refused.values()].map((request) => refusedPlace({ ...request, index: wholeBatch }, { field: "reqId", reason: usedRequestReason }, request.records));
  const turnedAway = [...usedRequests, ...shares.held];
  return {
    posting: preparePosting(shares.rows, delivery.position, conflictRuleOf(delivery)),
    accounts: shares.accounts.list(),
    cards: shares.cards.list(),
    mappings: shares.mappings,
    missingAccounts: shares.missingAccounts,
    markers: shares.markers.length,
    markerUserIds: ascending(shares.markers),
    userIds: ascending([...owners.values(), ...accountOwners.values()]),
    requests: chunk.requests.filter(isKept),
    batchesRefused: chunk.batchesRefused + refused.size,
    recordsRefused: chunk.recordsRefused + (chunk.good.length - kept.length) + shares.held.length - shares.missingAccounts.length,
    recordsWaiting: shares.missingAccounts.length,
    held: [...turnedAway, ...chunk.held.filter(isKept)],
    problems: [...turnedAway.map(asProblem), ...chunk.problems].slice(0, problemsKeptMax),
  };
}

export function asProblem({ line, index, field, reason }: HeldPlace): KeptProblem {
  return { line, index, field, reason };
}

/** Batches whose reqId means other content already: in the database, or earlier in the chunk. By batch. */
async function findRefusedBatches(database: Queryable, partnerId: string, requests: readonly LineRequest[]): Promise<Map<number, LineRequest>> {
  const used = await findUsedRequests(database, partnerId, requests.map((request) => request.id));
  const refused = new Map<number, LineRequest>();
  for (const request of requests) {
    const content = request.contentSha256.toString("hex");
    const meant = used.get(request.id);
    if (meant === undefined) used.set(request.id, content);
    else if (meant !== content) refused.set(request.batch, request);
  }
  return refused;
}

/** Shares records out by what they are and to whom they belong. */
class Shares {
  readonly rows: PlacedRow[] = [];
  readonly accounts = new LatestOfEach<LedgerAccount>();
  readonly cards = new LatestOfEach<LedgerCard>();
  readonly mappings: PlacedMapping[] = [];
  readonly markers: number[] = [];
  /** One for each record that waits. */
  readonly missingAccounts: AccountName[] = [];
  readonly held: HeldPlace[] = [];
  readonly #owners: ReadonlyMap<string, number>;
  readonly #accountOwners: ReadonlyMap<string, number>;
  readonly #partnerId: string;
  readonly #fields: FieldNames;

  constructor(owners: ReadonlyMap<string, number>, accountOwners: ReadonlyMap<string, number>, partnerId: string, fields: FieldNames) {
    this.#owners = owners;
    this.#accountOwners = accountOwners;
    this.#partnerId = partnerId;
    this.#fields = fields;
  }

  take({ record, ...place }: PlacedRecord): void {
    if (record.kind === "account-transaction") {
      const userId = this.#accountOwners.get(nameKey(record.owner));
      if (userId === undefined) this.#wait(place, record.owner);
      else this.#takeRow(place, userId, record);
      return;
    }
    const userId = this.#owners.get(record.uid);
    if (userId === undefined) this.held.push(refusedPlace(place, { field: this.#fields.user, reason: strangerReason }));
    else if (record.kind === "marker") this.markers.push(userId);
    else if (record.kind === "account") this.mappings.push({ ...place, owner: record.owner, userId, completesImport: record.completesImport });
    else this.#takeRow(place, userId, record);
  }

  #takeRow(place: Place, userId: number, { row, account, card }: Contents): void {
    this.rows.push({ userId, row, digest: digestOf(row), batch: place.batch, line: place.line, index: place.index });
    if (account) this.accounts.note(userId, account);
    if (card) this.cards.note(userId, card);
  }

  #wait(place: Place, owner: AccountName): void {
    this.missingAccounts.push(owner);
    this.held.push({ ...place, kind: "waiting", field: this.#fields.account, reason: waitingReason, records: 1, accountKey: accountKey(this.#partnerId, owner) });
  }
}
