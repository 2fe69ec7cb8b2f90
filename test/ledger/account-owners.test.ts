/** An account stays its first user's, by partner and bank, until that user is gone or its partner corrects. */
import test from "ava";
import { inTransaction, type Transaction } from "../../src/database/database.ts";
import {
  accountKey,
  type AccountMapping,
  findAccountOwners,
  lockAccountsForReading,
  lockAccountsForWriting,
  nameKey,
  postMappings,
} from "../../src/ledger/account-owners.ts";
import { dueRanges, hold } from "../../src/deliveries/held.ts";
import { yieldToWaiting } from "../../src/deliveries/progress.ts";
import {
  deliveryRow,
  heldRange,
  lockedDeliveries,
  readAsStored,
  makesWait as transactionsWait,
  shareLedger,
  type Party,
  unasked,
  waitsFor,
} from "./world.ts";

const ledger = shareLedger();

const within = <Result>(work: (transaction: Transaction) => Promise<Result>) => inTransaction(ledger.database, work);
const mapped = (accountNumber: string, userId: number, bankId = "b1"): AccountMapping => ({
  owner: { bankId, accountNumber },
  userId,
});
const names = (...accountNumbers: string[]) => accountNumbers.map((accountNumber) => ({ bankId: "b1", accountNumber }));

/** Posts the mappings of a delivery at this position. */
const bring = (party: Party, position: number, mappings: readonly AccountMapping[], corrects = false) =>
  within((transaction) => postMappings(transaction, { partnerId: party.partnerId, position }, mappings, corrects));

/** The owners that are stored for a partner: account, user, position. */
async function stored({ partnerId }: Party): Promise<unknown[]> {
  const { rows } = await ledger.database.query<{ row: unknown[] }>(
    `select jsonb_build_array(bank_id, account_number, user_id, delivery_position) as row from account_owners
      where partner_id = $1 order by bank_id, account_number`,
    [partnerId],
  );
  return rows.map(({ row }) => row);
}

test("an account's name is one text, and what waits for it is found by a digest of that and the partner", (t) => {
  t.is(nameKey({ bankId: "b1", accountNumber: "123" }), "b1\u0000123");
  t.is(accountKey("bank", { bankId: "b1", accountNumber: "123" }), "749f39b710e3308b5988f2561d440373");
});

test("without accounts nothing is asked of the database", async (t) => {
  t.is((await findAccountOwners(unasked, "bank", [])).size, 0);
  t.deepEqual(await postMappings(unasked, { partnerId: "bank", position: 1 }, [], false), []);
});

test("owners are found by partner, bank and account, while their users live", async (t) => {
  const [party, other] = [await ledger.party(), await ledger.party()];
  const [u1, u2, u3] = party.userIds;
  await bring(party, 1, [mapped("a1", u1), mapped("a2", u2), mapped("a3", u3), mapped("a1", u2, "b2")]);
  await bring(other, 1, [mapped("a1", other.userIds[0]), mapped("a9", other.userIds[0])]);
  await ledger.database.query("update users set deleted_at = now() where id = $1", [u2]);
  const found = await findAccountOwners(ledger.database, party.partnerId, names("a1", "a1", "a2", "a9"));
  t.deepEqual([...found], [["b1\0a1", u1]]);
});

test("the first mapping of an account stays: the same again is known, another user conflicts", async (t) => {
  const party = await ledger.party();
  const [u1, u2] = party.userIds;
  t.deepEqual(await bring(party, 5, [mapped("a1", u1), mapped("a2", u1), mapped("a1", u1), mapped("a1", u2)]), [
    "new",
    "new",
    "known",
    "conflicting",
  ]);
  t.deepEqual(await bring(party, 6, [mapped("a1", u1), mapped("a2", u2), mapped("a3", u2)]), [
    "known",
    "conflicting",
    "new",
  ]);
  t.deepEqual(await stored(party), [
    ["b1", "a1", u1, 5],
    ["b1", "a2", u1, 5],
    ["b1", "a3", u2, 6],
  ]);
});

test("for a partner that corrects, a mapping that was accepted later or in the same delivery replaces the one before", async (t) => {
  const party = await ledger.party();
  const [u1, u2, u3] = party.userIds;
  await bring(party, 5, [mapped("a1", u1), mapped("a2", u1), mapped("a3", u1)], true);
  t.deepEqual(await bring(party, 4, [mapped("a1", u2)], true), ["conflicting"]);
  t.deepEqual(await bring(party, 5, [mapped("a2", u2)], true), ["corrected"]);
  t.deepEqual(await bring(party, 6, [mapped("a3", u2), mapped("a3", u3), mapped("a3", u3)], true), [
    "corrected",
    "corrected",
    "known",
  ]);
  t.deepEqual(await stored(party), [
    ["b1", "a1", u1, 5],
    ["b1", "a2", u2, 5],
    ["b1", "a3", u3, 6],
  ]);
});

test("a deleted user's account is as one that nobody mapped", async (t) => {
  const party = await ledger.party();
  const [u1, u2] = party.userIds;
  await bring(party, 5, [mapped("a1", u1)]);
  await ledger.database.query("update users set deleted_at = now() where id = $1", [u1]);
  t.deepEqual(await bring(party, 4, [mapped("a1", u2)]), ["new"]);
  t.deepEqual(await stored(party), [["b1", "a1", u2, 4]]);
});

type Work = (transaction: Transaction) => Promise<unknown>;
const makesWait = (first: Work, second: Work, meanwhile?: () => Promise<unknown>): Promise<boolean> =>
  transactionsWait(ledger.database, first, second, meanwhile);

test("loads that wait for accounts and loads that bring them keep each other out, partner by partner", async (t) => {
  t.true(
    await makesWait(
      (one) => lockAccountsForReading(one, "p"),
      (other) => lockAccountsForWriting(other, "p"),
    ),
  );
  t.true(
    await makesWait(
      (one) => lockAccountsForWriting(one, "p"),
      (other) => lockAccountsForReading(other, "p"),
    ),
  );
  t.true(
    await makesWait(
      (one) => lockAccountsForWriting(one, "p"),
      (other) => lockAccountsForWriting(other, "p"),
    ),
  );
  t.false(
    await makesWait(
      (one) => lockAccountsForReading(one, "p"),
      (other) => lockAccountsForReading(other, "p"),
    ),
  );
  t.false(
    await makesWait(
      (one) => lockAccountsForWriting(one, "p"),
      (other) => lockAccountsForReading(other, "q"),
    ),
  );
});

const waitingRange = (index: number) =>
  heldRange({ firstIndex: index, lastIndex: index, kind: "waiting", field: "account", reason: "unknown" });

/** A delivery with records that wait for these accounts. */
async function waiting(party: Party, state: "loading" | "loaded", ...accountNumbers: string[]): Promise<string> {
  const { id } = await party.delivery(state);
  await within((transaction) =>
    hold(
      transaction,
      id,
      accountNumbers.map((_, index) => waitingRange(index * 2)),
      accountNumbers.map((accountNumber) => accountKey(party.partnerId, { bankId: "b1", accountNumber })),
    ),
  );
  return id;
}

async function dueIndexes(id: string): Promise<number[]> {
  return (await Array.fromAsync(dueRanges(ledger.database, id))).map((range) => range.firstIndex);
}

const revisitColumns = `revisit_requested_at > now() - interval '1 minute' as just_requested, revisit_requested_at is not null as is_requested,
  revisit_attempts`;

test("what waits in a delivery becomes due with the mapping of one of its accounts, and the delivery is read again", async (t) => {
  const party = await ledger.party();
  const [one, other, late] = [
    await waiting(party, "loaded", "a1", "a2", "a1"),
    await waiting(party, "loaded", "a9"),
    await waiting(party, "loaded", "a1"),
  ];
  await ledger.database.query("update deliveries set revisit_attempts = 3 where id = any($1)", [[one, other]]);
  await ledger.database.query("update deliveries set revisit_requested_at = '2026-01-01T00:00:00Z' where id = $1", [
    late,
  ]);
  await bring(party, 1, [mapped("a1", party.userIds[0])]);
  t.deepEqual(await dueIndexes(one), [0, 2, 4]);
  t.deepEqual(await deliveryRow(ledger.database, one, revisitColumns), {
    just_requested: true,
    is_requested: true,
    revisit_attempts: 0,
  });
  t.deepEqual(await dueIndexes(other), []);
  t.deepEqual(await deliveryRow(ledger.database, other, revisitColumns), {
    just_requested: null,
    is_requested: false,
    revisit_attempts: 3,
  });
  t.deepEqual(await dueIndexes(late), [0]);
  t.deepEqual(await deliveryRow(ledger.database, late, revisitColumns), {
    just_requested: false,
    is_requested: true,
    revisit_attempts: 0,
  });
});

test("what waits for another partner's account of the same name goes on waiting", async (t) => {
  const [party, other] = [await ledger.party(), await ledger.party()];
  const theirs = await waiting(other, "loaded", "a1");
  await bring(party, 1, [mapped("a1", party.userIds[0])]);
  t.deepEqual(await dueIndexes(theirs), []);
});

test("mappings that are known or conflict wake nothing", async (t) => {
  const party = await ledger.party();
  const [u1, u2] = party.userIds;
  await bring(party, 1, [mapped("a1", u1)]);
  const id = await waiting(party, "loaded", "a1");
  await bring(party, 2, [mapped("a1", u1), mapped("a1", u2)]);
  t.deepEqual(await dueIndexes(id), []);
});

test("a delivery that is still loading is not asked to be read again: it looks for itself when it ends", async (t) => {
  const party = await ledger.party();
  const id = await waiting(party, "loading", "a1");
  await bring(party, 1, [mapped("a1", party.userIds[0])]);
  t.deepEqual(await dueIndexes(id), [0]);
  t.like(await deliveryRow(ledger.database, id, revisitColumns), { is_requested: false });
});

test("a mapping waits for the chunk of a delivery that is loading, not for one that is loaded", async (t) => {
  const party = await ledger.party();
  const [loading, loaded] = [await waiting(party, "loading", "a1"), await waiting(party, "loaded", "a2")];
  const post = (accountNumber: string) => (transaction: Transaction) =>
    postMappings(
      transaction,
      { partnerId: party.partnerId, position: 1 },
      [mapped(accountNumber, party.userIds[0])],
      false,
    );
  t.true(await makesWait((one) => yieldToWaiting(one, loading), post("a1")));
  t.false(await makesWait((one) => yieldToWaiting(one, loaded), post("a2")));
  const other = await waiting(party, "loading", "a9");
  await waiting(party, "loaded", "a3");
  t.false(await makesWait((one) => yieldToWaiting(one, other), post("a3")));
});

test("the deliveries that are woken are locked in the order of their ids until the transaction ends", async (t) => {
  const { database } = ledger;
  const party = await ledger.party();
  const ids = [
    await waiting(party, "loaded", "a1"),
    await waiting(party, "loaded", "a1"),
    await waiting(party, "loaded", "a9"),
  ];
  const [lower = "", higher = ""] = ids.slice(0, 2).toSorted();
  // Stored behind the other one from now on.
  await database.query("update deliveries set correlation_id = 'moved' where id = $1", [lower]);
  const post = (transaction: Transaction) =>
    postMappings(transaction, { partnerId: party.partnerId, position: 1 }, [mapped("a1", party.userIds[0])], false);
  const holder = await database.connect();
  t.teardown(() => holder.release());
  await holder.query("begin");
  await holder.query("select 1 from deliveries where id = $1 for update", [lower]);
  const posting = within(async (transaction) => {
    await readAsStored(transaction);
    await post(transaction);
    return await lockedDeliveries(database, ids);
  });
  t.true(await waitsFor(database, holder, posting));
  t.deepEqual(await lockedDeliveries(database, [lower, higher]), [lower]);
  await holder.query("rollback");
  t.deepEqual(await posting, ids.slice(0, 2));
});

test("of deliveries that are loading, the turns are taken in the order of their ids", async (t) => {
  const { database } = ledger;
  const party = await ledger.party();
  const [lower = "", higher = ""] = [
    await waiting(party, "loading", "a1"),
    await waiting(party, "loading", "a1"),
  ].toSorted();
  // Stored behind the other one from now on.
  await database.query("update deliveries set correlation_id = 'moved' where id = $1", [lower]);
  const isOthersTurnFree = async () => {
    const trial = "select pg_try_advisory_xact_lock_shared(hashtextextended('chunk ' || $1, 0)) as free";
    t.deepEqual((await database.query(trial, [higher])).rows, [{ free: true }]);
  };
  const post = async (transaction: Transaction) => {
    await readAsStored(transaction);
    await postMappings(
      transaction,
      { partnerId: party.partnerId, position: 1 },
      [mapped("a1", party.userIds[0])],
      false,
    );
  };
  t.true(await makesWait((one) => yieldToWaiting(one, lower), post, isOthersTurnFree));
});
