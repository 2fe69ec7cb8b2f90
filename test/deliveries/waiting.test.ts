/** What waits for accounts becomes due when one of them is named, and is read and taken out by its keys. */
import { randomUUID } from "node:crypto";
import test from "ava";
import { inTransaction, type Transaction } from "../../src/database/database.ts";
import {
  dropQuarantined,
  type DueRange,
  dueRanges,
  findWaiting,
  forgetHeld,
  forgetReleased,
  type HeldRange,
  hold,
  markDue,
  release,
  removeDue,
} from "../../src/deliveries/held.ts";
import { finishRevisit, giveUpRevisit } from "../../src/deliveries/revisits.ts";
import { addDelivery, addPartner } from "../parties.ts";
import { createTestDatabase } from "../world.ts";
import { heldRange, shareLedger, waitsFor } from "../ledger/world.ts";

const ledger = shareLedger();

const keepHeld = (deliveryId: string, ranges: readonly HeldRange[], accountKeys: readonly string[] = []) =>
  inTransaction(ledger.database, (transaction) => hold(transaction, deliveryId, ranges, accountKeys));

const dueOf = (deliveryId: string): Promise<DueRange[]> => Array.fromAsync(dueRanges(ledger.database, deliveryId));

const waitingRange = (firstIndex: number) =>
  heldRange({ firstIndex, lastIndex: firstIndex, kind: "waiting", field: "account", reason: "unknown" });

const releaseOf = (deliveryId: string, accountKey: string) =>
  inTransaction(ledger.database, (transaction) => release(transaction, [{ deliveryId, accountKey }]));

const waitedFor = async (deliveryId: string): Promise<string[]> =>
  (
    await ledger.database.query<{ told: string }>(
      "select account_key || case when released then ' released' else '' end as told from waiting_accounts where delivery_id = $1",
      [deliveryId],
    )
  ).rows.map(({ told }) => told);

/** Keys that no other test of this database waits for. */
const freshKeys = (count: number) => Array.from({ length: count }, () => randomUUID());

test("accounts are found for which something waits, once for each delivery, however many records", async (t) => {
  const { delivery } = await ledger.party();
  const [one, other] = [(await delivery("loaded")).id, (await delivery("loaded")).id];
  const [a = "", b = "", c = ""] = freshKeys(3);
  await keepHeld(one, [waitingRange(0), waitingRange(2)], [a, b, a]);
  await keepHeld(one, [waitingRange(4)], [b]);
  await keepHeld(other, [waitingRange(0), heldRange({ firstIndex: 2, lastIndex: 2 })], [a]);
  const found = await inTransaction(ledger.database, (transaction) => findWaiting(transaction, [c, b, a, a]));
  t.deepEqual(
    found.map((pair) => `${pair.deliveryId} ${pair.accountKey}`).toSorted(),
    [`${one} ${a}`, `${one} ${b}`, `${other} ${a}`].toSorted(),
  );
});

test("a named account makes due what waits in its delivery, not what is refused there, nor another delivery", async (t) => {
  const { delivery } = await ledger.party();
  const [one, other] = [(await delivery("loaded")).id, (await delivery("loaded")).id];
  const [a = "", b = ""] = freshKeys(2);
  await keepHeld(one, [waitingRange(0), waitingRange(2), heldRange({ firstIndex: 4, lastIndex: 4 })], [a, b]);
  await keepHeld(other, [waitingRange(0)], [b]);
  await releaseOf(one, a);
  t.deepEqual(
    (await dueOf(one)).map((range) => range.firstIndex),
    [0, 2],
  );
  t.deepEqual(await dueOf(other), []);
  t.deepEqual((await waitedFor(one)).toSorted(), [`${a} released`, b].toSorted());
});

test("once it was read again nobody waits for a named account, and whoever has no user yet is waited for on", async (t) => {
  const { id } = await (await ledger.party()).delivery("loaded");
  const [a = "", b = "", c = ""] = freshKeys(3);
  await keepHeld(id, [waitingRange(0)], [a, b, c]);
  await releaseOf(id, a);
  await releaseOf(id, c);
  await inTransaction(ledger.database, async (transaction) => {
    t.true(await removeDue(transaction, id, [waitingRange(0)]));
    // The mapping of c was withdrawn meanwhile.
    await hold(transaction, id, [waitingRange(1)], [b, c]);
  });
  await inTransaction(ledger.database, (transaction) => forgetReleased(transaction, id));
  t.deepEqual((await waitedFor(id)).toSorted(), [b, c].toSorted());
  t.deepEqual(await dueOf(id), []);
});

test("a revisit that is given up leaves all waiting, and its accounts to be named again", async (t) => {
  const { id } = await (await ledger.party()).delivery("loaded");
  const [a = ""] = freshKeys(1);
  await keepHeld(id, [waitingRange(0)], [a]);
  await releaseOf(id, a);
  await giveUpRevisit(ledger.database, id, { code: "DECRYPTION_ERROR", reason: "Why." });
  t.deepEqual(await dueOf(id), []);
  t.deepEqual(await waitedFor(id), [a]);
  await releaseOf(id, a);
  t.is((await dueOf(id)).length, 1);
});

test("a revisit that ends waits for whoever names an account, and leaves the delivery to be read again then", async (t) => {
  const { id } = await (await ledger.party()).delivery("loaded");
  const [a = ""] = freshKeys(1);
  await keepHeld(id, [waitingRange(0)], [a]);
  await ledger.database.query("update deliveries set revisit_requested_at = now() where id = $1", [id]);
  const namer = await ledger.database.connect();
  const client = await ledger.database.connect();
  t.teardown(() => {
    namer.release();
    client.release();
  });
  await namer.query("begin");
  await namer.query("select 1 from deliveries where id = $1 for no key update", [id]);
  await release(namer, [{ deliveryId: id, accountKey: a }]);
  const finishing = finishRevisit(client, id);
  t.true(await waitsFor(ledger.database, namer, finishing));
  await namer.query("commit");
  await finishing;
  const { rows } = await ledger.database.query(
    "select revisit_requested_at is null as done from deliveries where id = $1",
    [id],
  );
  t.deepEqual(rows, [{ done: false }]);
  t.deepEqual(await waitedFor(id), [`${a} released`]);
});

test("what is dropped or taken back is waited for no more", async (t) => {
  const { delivery } = await ledger.party();
  const [dropped, withdrawn] = [(await delivery("loaded")).id, (await delivery("loaded")).id];
  const [a = ""] = freshKeys(1);
  for (const id of [dropped, withdrawn]) await keepHeld(id, [waitingRange(0)], [a]);
  await dropQuarantined(ledger.database, dropped);
  await inTransaction(ledger.database, (transaction) => forgetHeld(transaction, withdrawn));
  t.deepEqual([await waitedFor(dropped), await waitedFor(withdrawn)], [[], []]);
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
  await database.query("vacuum analyze waiting_accounts");
  const { id } = await addDelivery(database, await addPartner(database), "loaded");
  const rows = 30_000;
  const keys = freshKeys(3000);
  await database.query(
    `insert into held_records (delivery_id, batch, first_index, last_index, line, kind, field, reason, records)
     select $1, 0, n * 2, n * 2, n + 2, 'waiting', 'account_number', 'waits', 1 from generate_series(0, $2 - 1) n`,
    [id, rows],
  );
  await database.query(
    "insert into waiting_accounts (account_key, delivery_id) select key, $1 from unnest($2::uuid[]) key",
    [id, keys],
  );
  const asked = keys.slice(0, 100);
  await inTransaction(database, async (transaction) => {
    const before = await rowsRead(transaction);
    const found = await findWaiting(transaction, asked);
    t.is(found.length, 100);
    await release(transaction, found);
    const after = await rowsRead(transaction);
    // No table is read for an account: each of them once to find it, and once to say that it is released.
    t.deepEqual([after.accounts - before.accounts, after.held - before.held], [0, 0]);
    t.true(after.accountsByKey - before.accountsByKey <= 300, `${after.accountsByKey - before.accountsByKey}`);
  });
  const due = await Array.fromAsync(dueRanges(database, id));
  const records = (ranges: readonly DueRange[]) => ranges.reduce((sum, one) => sum + one.records, 0);
  t.is(records(due), rows);
  await inTransaction(database, async (transaction) => {
    const before = await rowsRead(transaction);
    t.true(await removeDue(transaction, id, due.slice(1, 301)));
    const after = await rowsRead(transaction);
    t.deepEqual([after.held - before.held, after.heldByKey - before.heldByKey], [0, 300]);
  });
  t.is(records(await Array.fromAsync(dueRanges(database, id))), rows - 300);
});

type RowsRead = { held: number; heldByKey: number; accounts: number; accountsByKey: number };

/** Rows that this transaction has read: with a whole table, and by an index. */
async function rowsRead(transaction: Transaction): Promise<RowsRead> {
  const { rows } = await transaction.query<RowsRead>(
    `select max(seq_tup_read) filter (where relname = 'held_records') as held,
            max(idx_tup_fetch) filter (where relname = 'held_records') as "heldByKey",
            max(seq_tup_read) filter (where relname = 'waiting_accounts') as accounts,
            max(idx_tup_fetch) filter (where relname = 'waiting_accounts') as "accountsByKey"
       from pg_stat_xact_user_tables`,
  );
  return rows[0] ?? { held: 0, heldByKey: 0, accounts: 0, accountsByKey: 0 };
}
