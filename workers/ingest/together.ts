/**
 * What follows from several chunks that go into the ledger in one transaction, gathered to be written once at its end. A
 * file in the order of a day names each of its users in every chunk: marking 2,500 users with each chunk took 4 of the
 * server's 10 µs a row. Until then no user and no account is locked.
 */
import { atOnceTxidsMax, atOnceUsersMax } from "../../config/limits.ts";
import type { Transaction } from "../../src/database/database.ts";
import { addUp, type LoadableDelivery, type LoadCounts, noCounts } from "../../src/deliveries/progress.ts";
import { LatestOfEach } from "../../src/ledger/holdings.ts";
import { ascending } from "../../src/ledger/owners.ts";
import type { LedgerAccount, LedgerCard } from "../../src/ledger/row.ts";
import type { Arrival } from "../../src/partners/changed-users.ts";
import type { AssignedChunk } from "./assign.ts";
import { postConsequences } from "./consequences.ts";

/** Of a chunk, what it would have written by itself. */
type Followed = Pick<AssignedChunk, "accounts" | "cards" | "userIds" | "markerUserIds">;

export class ChunksTogether {
  counts: LoadCounts = noCounts;
  chunks = 0;
  readonly #accounts = new LatestOfEach<LedgerAccount>();
  readonly #cards = new LatestOfEach<LedgerCard>();
  readonly #userIds = new Set<number>();
  readonly #markerUserIds = new Set<number>();
  readonly #arrivals: Arrival[] = [];
  #txids = 0;

  note(counts: LoadCounts, followed: Followed, arrivals: readonly Arrival[]): void {
    this.chunks += 1;
    this.counts = addUp(this.counts, counts);
    this.#arrivals.push(...arrivals);
    this.#txids += txidsIn(arrivals);
    for (const { userId, thing } of followed.accounts) this.#accounts.note(userId, thing);
    for (const { userId, thing } of followed.cards) this.#cards.note(userId, thing);
    for (const userId of followed.userIds) this.#userIds.add(userId);
    for (const userId of followed.markerUserIds) this.#markerUserIds.add(userId);
  }

  /** Whether it is more than is to be told in one statement each, together with what is not noted yet. */
  isFull(more: readonly { followed: Followed; arrivals: readonly Arrival[] }[] = []): boolean {
    const sumOf = (count: (one: (typeof more)[number]) => number) => more.reduce((sum, one) => sum + count(one), 0);
    return (
      this.#userIds.size + sumOf(({ followed }) => followed.userIds.length) > atOnceUsersMax ||
      this.#txids + sumOf(({ arrivals }) => txidsIn(arrivals)) > atOnceTxidsMax
    );
  }

  /** Whether two of the chunks describe one account or card in two ways. */
  get descriptionsDiffer(): boolean {
    return this.#accounts.differ || this.#cards.differ;
  }

  /** The caller owns the transaction, which has the rows. */
  async post(client: Transaction, delivery: LoadableDelivery): Promise<void> {
    await postConsequences(
      client,
      delivery,
      {
        mappings: [],
        markerUserIds: ascending([...this.#markerUserIds]),
        accounts: this.#accounts.list(),
        cards: this.#cards.list(),
        userIds: ascending([...this.#userIds]),
        balances: [],
        entryPayments: [],
      },
      { ...this.counts, arrivals: this.#arrivals },
      [],
    );
  }
}

function txidsIn(arrivals: readonly Arrival[]): number {
  return arrivals.reduce((sum, { txids }) => sum + (txids?.length ?? 0), 0);
}
