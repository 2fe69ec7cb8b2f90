/** Between a checked chunk and the ledger: who owns each record, and which lines' reqIds are used up. */
import { problemsKeptMax } from "../../config/limits.ts";
import type { Queryable } from "../../src/database/database.ts";
import { accountKey, type AccountMapping, findAccountOwnersSince, nameKey } from "../../src/ledger/account-owners.ts";
import type { HeldRecord } from "../../src/deliveries/held.ts";
import { LatestOfEach, type Owned, type StatedAccountBalance } from "../../src/ledger/holdings.ts";
import { ascending, findOwnersSince } from "../../src/ledger/owners.ts";
import type { EntryPayment } from "../../src/ledger/entry-parts.ts";
import { type ConflictRule, OwnedRows, type Posting, preparePosting, type Sameness } from "../../src/ledger/posting.ts";
import type { KeptProblem } from "../../src/deliveries/problems.ts";
import type { LoadableDelivery } from "../../src/deliveries/progress.ts";
import { findUsedRequests } from "../../src/deliveries/requests.ts";
import { RowBlock, rowTextBytes } from "../../src/ledger/row-block.ts";
import type { LedgerAccount, LedgerCard } from "../../src/ledger/row.ts";
import type { RowOwner } from "../bytes/read-rows.ts";
import {
  type Chunk,
  type LineRequest,
  type RecordLocation,
  type LocatedRecord,
  countTaken,
  type LocatedRows,
  locationOf,
  refusedRecord,
  wholeBatch,
} from "./chunk.ts";
import type { AccountName } from "../bytes/read-rows.ts";
import { withoutTold } from "./told-otherwise.ts";
import { findRefusedBatches, findUsed } from "./used-requests.ts";
import type { Contents, FieldNames } from "../records/record.ts";

export type LocatedMapping = AccountMapping & RecordLocation & { completesImport: boolean };

/** A chunk as it goes into the ledger. */
export type AssignedChunk = {
  posting: Posting;
  /** Where the record of one of the posting's rows stands. */
  locationOf(row: number): RecordLocation;
  /** Of a batch's records from one index up to, not including, another: how many are rows, and whose. */
  rowsBetween(batch: number, from: number, to: number): { rows: number; userIds: number[] };
  /** Whether records of the chunk describe one account or card in two ways. */
  descriptionsDiffer: boolean;
  accounts: Owned<LedgerAccount>[];
  cards: Owned<LedgerCard>[];
  mappings: LocatedMapping[];
  /** Accounts that records of this chunk wait for, each once. */
  missingAccounts: AccountName[];
  markers: number;
  /** Users with a marker, and with any record; ascending. */
  markerUserIds: number[];
  userIds: number[];
  requests: LineRequest[];
  /**
   * Payments of statements, which the ledger may have in another way; of these so many are known for that. Whole entries
   * of users of whom nothing is told in parts are not listed.
   */
  entryPayments: EntryPayment[];
  wholeEntryUserIds: number[];
  entriesTold: number;
  balances: StatedAccountBalance[];
  batchesRefused: number;
  recordsRefused: number;
  recordsWaiting: number;
  /** Of lines that came before in the same file, and of entries that are there in another way. */
  recordsRepeated: number;
  /** What does not go in now, by location. */
  held: HeldRecord[];
  problems: KeptProblem[];
};

export const unknownUserReason = "is not a user of the partner";
const usedRequestReason = "was used before with other content";
const madeAgainReason = "was deleted and made again since this was accepted";
const waitingReason = "waits until an accounts file names the account's user";

export function conflictRuleOf(delivery: LoadableDelivery): ConflictRule {
  return delivery.settings.onConflict ?? "keep";
}

/** What was looked up for several deliveries at once. */
export type LookedUp = {
  /** Of all reqIds of the chunks, as `findUsedRequests` tells them; what a chunk brings is added. */
  usedRequests: Map<string, string>;
  /** Of all users of the chunks, as `findOwnersSince` tells them. */
  owners: ReadonlyMap<string, number | null>;
};

/** Looks up for several chunks of one partner. @param acceptedAt of the earliest of their deliveries */
export async function lookUp(
  database: Queryable,
  partnerId: string,
  acceptedAt: Date,
  chunks: readonly Chunk[],
): Promise<LookedUp> {
  const requestIds = chunks.flatMap((chunk) => chunk.requests.map((request) => request.id));
  const uids = new Set(chunks.flatMap((chunk) => namesOf(chunk.good.flatMap(ownersOf))));
  const [usedRequests, owners] = await Promise.all([
    findUsedRequests(database, partnerId, [...new Set(requestIds)]),
    findOwnersSince(database, partnerId, [...uids], acceptedAt),
  ]);
  return { usedRequests, owners };
}

function namesOf(owners: readonly RowOwner[]): string[] {
  return owners.filter((owner) => typeof owner === "string");
}

/** @param known what was looked up before for this chunk and others; default: it is looked up */
export async function assign(
  database: Queryable,
  delivery: LoadableDelivery,
  chunk: Chunk,
  fields: FieldNames,
  known?: LookedUp,
): Promise<AssignedChunk> {
  const used = known?.usedRequests ?? (await findUsed(database, delivery, chunk));
  const refused = findRefusedBatches(used, chunk.requests);
  const isKept = (location: { batch: number }) => !refused.has(location.batch);
  const kept = refused.size === 0 ? chunk.good : chunk.good.filter(isKept);
  const named = kept.flatMap(ownersOf);
  const { partnerId, acceptedAt } = delivery;
  const uids = [...new Set(namesOf(named))];
  const owners = known ? ownersAmong(known.owners, uids) : await findOwnersSince(database, partnerId, uids, acceptedAt);
  const accounts = named.filter((owner) => typeof owner !== "string");
  const accountOwners = await findAccountOwnersSince(database, partnerId, accounts, acceptedAt);
  const recordsKept = countRecords(kept);
  const { unknown, entryPayments, wholeEntryUserIds, entriesTold } = isStatements(delivery)
    ? await withoutTold(database, kept, accountOwners)
    : { unknown: kept, entryPayments: [], wholeEntryUserIds: [], entriesTold: 0 };
  const shares = new Shares({
    owners,
    accountOwners,
    partnerId,
    fields,
    deliveryPosition: delivery.position,
    rowsMax: recordsKept,
  });
  for (const item of unknown) shares.add(item);
  const usedRequests = [...refused.values()].map((request) =>
    refusedRecord({ ...request, index: wholeBatch }, { field: "reqId", reason: usedRequestReason }, request.records),
  );
  const repeats = chunk.repeats.filter(isKept);
  const repeatsKept = sumOf(repeats);
  const keptOut = [...usedRequests, ...shares.held];
  return {
    posting: preparePosting(shares.rows, delivery.position, conflictRuleOf(delivery), samenessOf(delivery)),
    locationOf: (row) => shares.locationOf(row),
    rowsBetween: (batch, from, to) => shares.rowsBetween(batch, from, to),
    descriptionsDiffer: shares.accounts.differ || shares.cards.differ,
    accounts: shares.accounts.list(),
    cards: shares.cards.list(),
    mappings: shares.mappings,
    missingAccounts: shares.missingAccounts,
    markers: shares.markers.length,
    markerUserIds: ascending(shares.markers),
    userIds: ascending(
      [...owners.values(), ...accountOwners.values(), ...repeats.flatMap(({ userIds }) => userIds ?? [])].filter(
        (id) => id !== null,
      ),
    ),
    requests: chunk.requests.filter(isKept),
    entryPayments,
    wholeEntryUserIds,
    entriesTold,
    balances: await ownedBalances(database, delivery, chunk.balances),
    batchesRefused: chunk.batchesRefused + refused.size,
    recordsRefused:
      chunk.recordsRefused +
      (countRecords(chunk.good) - recordsKept) +
      (sumOf(chunk.repeats) - repeatsKept) +
      shares.held.length -
      shares.waiting,
    recordsWaiting: shares.waiting,
    recordsRepeated: repeatsKept + entriesTold,
    held: [...keptOut, ...chunk.held.filter(isKept)],
    problems: [...keptOut.map(asProblem), ...chunk.problems].slice(0, problemsKeptMax),
  };
}

function isStatements({ format }: LoadableDelivery): boolean {
  return format.startsWith("camt.");
}

/** Banks word one entry differently in a statement and in a notification. */
function samenessOf(delivery: LoadableDelivery): Sameness {
  return isStatements(delivery) ? "booking" : "content";
}

/** Of accounts that nobody has named yet the balance comes when the records that wait are read again. */
async function ownedBalances(
  database: Queryable,
  { partnerId, acceptedAt }: LoadableDelivery,
  balances: Chunk["balances"],
): Promise<StatedAccountBalance[]> {
  const names = balances.map(({ owner }) => owner);
  const owners = await findAccountOwnersSince(database, partnerId, names, acceptedAt);
  return balances.flatMap(({ owner, accountId, balance, currency, day }) => {
    const userId = owners.get(nameKey(owner));
    return typeof userId === "number" ? [{ userId, accountId, balance, currency, day }] : [];
  });
}

function sumOf(batches: readonly { records: number }[]): number {
  return batches.reduce((sum, { records }) => sum + records, 0);
}

function countRecords(items: Chunk["good"]): number {
  return items.reduce((sum, item) => sum + ("rows" in item ? countTaken(item) : 1), 0);
}

function ownersOf(item: LocatedRecord | LocatedRows): readonly RowOwner[] {
  if ("rows" in item) {
    const counts = countingOwners(item);
    return item.rows.owners.filter((_, owner) => counts(owner));
  }
  return [item.record.kind === "account-transaction" ? item.record.owner : item.record.uid];
}

/** Of the numbers of a run's owners those of whom a row counts. */
function countingOwners({ rows, taken }: LocatedRows): (owner: number) => boolean {
  if (taken === null) return () => true;
  const owners = new Set(rows.ownerOf.subarray(0, rows.count).filter((_, row) => taken[row] === 1));
  return (owner) => owners.has(owner);
}

export function asProblem({ line, index, field, reason }: HeldRecord): KeptProblem {
  return { line, index, field, reason };
}

function ownersAmong(
  owners: ReadonlyMap<string, number | null>,
  uids: readonly string[],
): ReadonlyMap<string, number | null> {
  return new Map(
    uids.flatMap((uid) => {
      const owner = owners.get(uid);
      return owner === undefined ? [] : [[uid, owner] as const];
    }),
  );
}

type SharesInput = {
  /** Null: made again since, and so somebody else. */
  owners: ReadonlyMap<string, number | null>;
  accountOwners: ReadonlyMap<string, number | null>;
  partnerId: string;
  fields: FieldNames;
  deliveryPosition: number;
  rowsMax: number;
};

/** Shares records out by what they are and to whom they belong. */
class Shares {
  readonly rows: OwnedRows;
  readonly accounts = new LatestOfEach<LedgerAccount>();
  readonly cards = new LatestOfEach<LedgerCard>();
  readonly mappings: LocatedMapping[] = [];
  readonly markers: number[] = [];
  /** Each once. */
  readonly missingAccounts: AccountName[] = [];
  waiting = 0;
  readonly held: HeldRecord[] = [];
  readonly #input: SharesInput;
  /** Where the posting's rows stand: from which of them on, and in what. */
  readonly #runs: { from: number; item: LocatedRows | RecordLocation; firstRow: number }[] = [];
  /** What accounts that somebody waits for are kept by, by nameKey. */
  readonly #accountKeys = new Map<string, string>();
  #block: RowBlock | null = null;

  constructor(input: SharesInput) {
    this.#input = input;
    this.rows = new OwnedRows(input.rowsMax);
  }

  add(item: LocatedRecord | LocatedRows): void {
    if ("rows" in item) this.#addRun(item);
    else this.#addRecord(item);
  }

  locationOf(row: number): RecordLocation {
    let [low, high] = [0, this.#runs.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#runs[middle]?.from ?? 0) <= row) low = middle;
      else high = middle - 1;
    }
    const run = this.#runs[low];
    if (!run) throw new RangeError("there is no such row");
    return "rows" in run.item ? locationOf(run.item, run.firstRow + row - run.from) : run.item;
  }

  rowsBetween(batch: number, from: number, to: number): { rows: number; userIds: number[] } {
    const userIds = new Set<number>();
    let rows = 0;
    for (const [nth, { from: first, item, firstRow }] of this.#runs.entries()) {
      if (item.batch !== batch) continue;
      const count = (this.#runs[nth + 1]?.from ?? this.rows.count) - first;
      const index = "rows" in item ? item.firstIndex + firstRow : item.index;
      const [begin, end] = [Math.max(from, index), Math.min(to, index + count)];
      for (let at = begin, lastId = -1; at < end; at += 1) {
        const userId = this.rows.userIdOf(first + at - index);
        if (userId !== lastId) userIds.add(userId);
        lastId = userId;
      }
      rows += Math.max(0, end - begin);
    }
    return { rows, userIds: [...userIds] };
  }

  #addRun(item: LocatedRows): void {
    const { rows, taken } = item;
    const counts = countingOwners(item);
    const userIds = rows.owners.map((owner, nth) => (counts(nth) ? this.#userIdOf(owner) : undefined));
    let isRun = false;
    for (let row = 0; row < rows.count; row += 1) {
      if (taken !== null && taken[row] === 0) {
        isRun = false;
        continue;
      }
      const owner = rows.ownerOf[row] as number;
      const userId = userIds[owner];
      if (userId === undefined) {
        this.#keepOut(locationOf(item, row), rows.owners[owner] as RowOwner);
      } else {
        if (!isRun) this.#runs.push({ from: this.rows.count, item, firstRow: row });
        this.rows.add(rows.block, row, userId);
      }
      isRun = userId !== undefined;
    }
    for (const { owner, thing } of rows.accounts) this.#note(this.accounts, userIds[owner], thing);
    for (const { owner, thing } of rows.cards) this.#note(this.cards, userIds[owner], thing);
  }

  #addRecord({ record, ...location }: LocatedRecord): void {
    const owner = record.kind === "account-transaction" ? record.owner : record.uid;
    const userId = this.#userIdOf(owner);
    if (userId === undefined) this.#keepOut(location, owner);
    else if (record.kind === "marker") this.markers.push(userId);
    else if (record.kind === "account")
      this.mappings.push({ ...location, owner: record.owner, userId, completesImport: record.completesImport });
    else this.#addContents(location, userId, record);
  }

  #userIdOf(owner: RowOwner): number | undefined {
    return this.#found(owner) ?? undefined;
  }

  #found(owner: RowOwner): number | null | undefined {
    return typeof owner === "string" ? this.#input.owners.get(owner) : this.#input.accountOwners.get(nameKey(owner));
  }

  #keepOut(location: RecordLocation, owner: RowOwner): void {
    const { user } = this.#input.fields;
    if (this.#found(owner) === null) this.held.push(refusedRecord(location, { field: user, reason: madeAgainReason }));
    else if (typeof owner === "string")
      this.held.push(refusedRecord(location, { field: user, reason: unknownUserReason }));
    else this.#wait(location, owner);
  }

  #addContents(location: RecordLocation, userId: number, { row, account, card }: Contents): void {
    if (!this.#block?.hasRoom(rowTextBytes(row))) this.#block = new RowBlock();
    this.#block.add(row, this.#input.deliveryPosition);
    this.#runs.push({ from: this.rows.count, item: location, firstRow: 0 });
    this.rows.add(this.#block, this.#block.rows - 1, userId);
    if (account) this.accounts.note(userId, account);
    if (card) this.cards.note(userId, card);
  }

  #note<Thing extends { id: string }>(all: LatestOfEach<Thing>, userId: number | undefined, thing: Thing): void {
    if (userId !== undefined) all.note(userId, thing);
  }

  #wait(location: RecordLocation, owner: AccountName): void {
    this.waiting += 1;
    this.held.push({
      batch: location.batch,
      line: location.line,
      index: location.index,
      kind: "waiting",
      field: this.#input.fields.account,
      reason: waitingReason,
      records: 1,
      accountKey: this.#accountKeyOf(owner),
    });
  }

  #accountKeyOf(owner: AccountName): string {
    const name = nameKey(owner);
    const found = this.#accountKeys.get(name);
    if (found !== undefined) return found;
    const key = accountKey(this.#input.partnerId, owner);
    this.#accountKeys.set(name, key);
    this.missingAccounts.push(owner);
    return key;
  }
}
