/** What waits for accounts becomes due with one row an account, and is read and taken out by its keys. */
import { randomUUID } from "node:crypto";
import test from "ava";
import { inTransaction, type Transaction } from "../../src/database/database.ts";
import {
  type DueRange,
  dueRanges,
  findWaiting,
  forgetReleased,
  type HeldRange,
  hold,
  lastRelease,
  markDue,
  release,
  removeDue,
} from "../../src/deliveries/held.ts";
import { addDelivery, addPartner } from "../parties.ts";
import { createTestDatabase } from "../world.ts";
import { heldRange, shareLedger } from "../ledger/world.ts";

const ledger = shareLedger();

const keepHeld = (deliveryId: string, ranges: readonly HeldRange[]) =>
  inTransaction(ledger.database, (transaction) => hold(transaction, deliveryId, ranges));

const dueOf = (deliveryId: string): Promise<DueRange[]> => Array.fromAsync(dueRanges(ledger.database, deliveryId));

const waitingRange = (accountKey: string, firstIndex: number) =>
  heldRange({ firstIndex, lastIndex: firstIndex, kind: "waiting", field: "account", reason: "unknown", accountKey });

/** Keys that no other test of this database waits for. */
const freshKeys = (count: number) => Array.from({ length: count }, () => randomUUID());

test("accounts are found for which something waits, once for each delivery, however many records", async (t) => {
  const { delivery } = await ledger.party();
  const [one, other] = [(await delivery("loaded")).id, (await delivery("loaded")).id];
  const [a = "", b = "", c = ""] = freshKeys(3);
  await keepHeld(one, [waitingRange(a, 0), waitingRange(a, 2), waitingRange(b, 4)]);
  await keepHeld(other, [waitingRange(a, 0), heldRange({ firstIndex: 2, lastIndex: 2 })]);
  const found = await inTransaction(ledger.database, (transaction) => findWaiting(transaction, [c, b, a, a]));
  t.deepEqual(
    found.map((pair) => `${pair.deliveryId} ${pair.accountKey}`).toSorted(),
    [`${one} ${a}`, `${one} ${b}`, `${other} ${a}`].toSorted(),
  );
});

test("a released account makes all records due that wait for it, until they were read again", async (t) => {
  const { id } = await (await ledger.party()).delivery("loaded");
  const [a = "", b = ""] = freshKeys(2);
  await keepHeld(id, [waitingRange(a, 0), waitingRange(b, 1), waitingRange(a, 2)]);
  const releaseOf = (accountKey: string) =>
    inTransaction(ledger.database, (transaction) => release(transaction, [{ deliveryId: id, accountKey }]));
  t.is(await lastRelease(ledger.database, id), 0);
  await releaseOf(a);
  const place = await lastRelease(ledger.database, id);
  t.deepEqual(
    (await dueOf(id)).map((range) => range.firstIndex),
    [0, 2],
  );
  await releaseOf(b);
  await forgetReleased(ledger.database, id, place);
  t.deepEqual(
    (await dueOf(id)).map((range) => range.firstIndex),
    [1],
  );
});

test("an account that is named once more meanwhile is not forgotten with its earlier release", async (t) => {
  const { id } = await (await ledger.party()).delivery("loaded");
  const [a = ""] = freshKeys(1);
  await keepHeld(id, [waitingRange(a, 0)]);
  const releaseIt = () =>
    inTransaction(ledger.database, (transaction) => release(transaction, [{ deliveryId: id, accountKey: a }]));
  await releaseIt();
  const place = await lastRelease(ledger.database, id);
  await releaseIt();
  await forgetReleased(ledger.database, id, place);
  t.is((await dueOf(id)).length, 1);
});

test("a range that became another one since it was read is not taken out for it", async (t) => {
  const { id } = await (await ledger.party()).delivery("loaded");
  await keepHeld(id, [heldRange({ firstIndex: 3, lastIndex: 4, records: 2 })]);
  await markDue(ledger.database, id, null);
  const take = (range: HeldRange) =>
    inTransaction(ledger.database, (transaction) => removeDue(transaction, id, [range]));
  t.false(await take(heldRange({ firstIndex: 3, lastIndex: 3, records: 1 })));
  t.false(await take(heldRange({ firstIndex: 3, lastIndex: 4, records: 2, kind: "conflicting" })));
  t.true(await take(heldRange({ firstIndex: 3, lastIndex: 4, records: 2 })));
});

test("what waits is found, read and taken out by its keys, also where the server believes that nothing does", async (t) => {
  const { database } = await createTestDatabase(t);
  await database.query("vacuum analyze held_records");
  const { id } = await addDelivery(database, await addPartner(database), "loaded");
  const rows = 30_000;
  const keys = freshKeys(100);
  await database.query(
    `insert into held_records (delivery_id, batch, first_index, last_index, line, kind, field, reason, records, account_key)
     select $1, 0, n, n, n + 2, 'waiting', 'account_number', 'waits', 1, ($2::uuid[])[1 + n % 100] from generate_series(0, $3 - 1) n`,
    [id, keys, rows],
  );
  await inTransaction(database, async (transaction) => {
    const before = await rowsRead(transaction);
    const found = await findWaiting(transaction, keys);
    const after = await rowsRead(transaction);
    t.is(found.length, 100);
    // A look at each account and at the one behind it, which the last one has not.
    t.deepEqual([after.table - before.table, after.byKey - before.byKey], [0, 199]);
    await release(transaction, found);
  });
  const due = await Array.fromAsync(dueRanges(database, id));
  const records = (ranges: readonly DueRange[]) => ranges.reduce((sum, one) => sum + one.records, 0);
  t.is(records(due), rows);
  await inTransaction(database, async (transaction) => {
    const before = await rowsRead(transaction);
    t.true(await removeDue(transaction, id, due.slice(1, 3)));
    const after = await rowsRead(transaction);
    t.deepEqual([after.table - before.table, after.byKey - before.byKey], [0, records(due.slice(1, 3))]);
  });
  t.is(records(await Array.fromAsync(dueRanges(database, id))), rows - records(due.slice(1, 3)));
});

/** Rows of held_records that this connection has read of late: with the whole table, and by an index. */
async function rowsRead(transaction: Transaction): Promise<{ table: number; byKey: number }> {
  const { rows } = await transaction.query<{ table: number; byKey: number }>(
    `select seq_tup_read as table, idx_tup_fetch as "byKey" from pg_stat_xact_user_tables where relname = 'held_records'`,
  );
  return rows[0] ?? { table: 0, byKey: 0 };
}
