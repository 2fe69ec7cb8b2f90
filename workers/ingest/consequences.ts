/** What follows from rows that were posted, in the same transaction: users, accounts, cards and markers. */
import type { Transaction } from "../../src/database/database.ts";
import { askTogether } from "../../src/database/pg-inside.ts";
import { postMarkers } from "../../src/deliveries/import-markers.ts";
import type { LoadableDelivery } from "../../src/deliveries/progress.ts";
import { usersRegaining } from "../../src/ledger/account-access.ts";
import type { MappingOutcome } from "../../src/ledger/account-owners.ts";
import { rememberParts } from "../../src/ledger/entry-parts.ts";
import { postAccounts, postCards, postStatedBalances } from "../../src/ledger/holdings.ts";
import { ascending } from "../../src/ledger/owners.ts";
import type { PostedRows } from "../../src/ledger/post.ts";
import { gatherArrivals, markArrived } from "../../src/partners/changed-users.ts";
import { touchUsers } from "../../src/partners/users.ts";
import type { AssignedChunk } from "./assign.ts";

/** Of one chunk, or of several together. */
export type Consequences = Pick<
  AssignedChunk,
  "mappings" | "markerUserIds" | "accounts" | "cards" | "userIds" | "balances" | "entryPayments"
>;

export async function postConsequences(
  client: Transaction,
  delivery: LoadableDelivery,
  assigned: Consequences,
  posted: Pick<PostedRows, "arrivals" | "recordsNew" | "recordsCorrected">,
  mapped: readonly MappingOutcome[],
): Promise<void> {
  const completed = assigned.mappings
    .filter((mapping, at) => mapping.completesImport && mapped[at] !== "conflicting")
    .map((mapping) => mapping.userId);
  const markerUserIds = ascending([...assigned.markerUserIds, ...completed]);
  const owners = assigned.accounts.map((one) => one.userId);
  const regaining = await usersRegaining(
    client,
    owners,
    assigned.accounts.map((one) => one.thing.id),
    delivery.position,
  );
  const arrivals = gatherArrivals([
    ...posted.arrivals,
    ...markerUserIds.map((userId) => ({ userId, txids: [] })),
    ...regaining.map((userId) => ({ userId, txids: null })),
  ]);
  await askTogether(client, () => [
    touchUsers(client, assigned.userIds),
    // Before the accounts: whoever removes access to one marks its user first too, so one of the two sees the other.
    markArrived(client, arrivals, {
      partnerId: delivery.partnerId,
      deliveryPosition: regaining.length === 0 ? delivery.position : null,
      rows: posted.recordsNew + posted.recordsCorrected + regaining.length,
    }),
    postAccounts(client, delivery.position, assigned.accounts),
    postCards(client, assigned.cards),
    postStatedBalances(client, assigned.balances),
    rememberParts(client, delivery.position, assigned.entryPayments),
    postMarkers(client, delivery, markerUserIds),
  ]);
}
