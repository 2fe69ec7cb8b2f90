/** Withdrawing a delivery takes out exactly what it brought, and the same can be sent again. */
import { randomUUID } from "node:crypto";
import test from "ava";
import { inTransaction } from "../../src/database/database.ts";
import { findDelivery, findSameBytes } from "../../src/deliveries/deliveries.ts";
import { markDue } from "../../src/deliveries/held.ts";
import { listDebited } from "../../src/ledger/listing.ts";
import { requestRevisit } from "../../src/deliveries/revisits.ts";
import { countKnownElsewhere, withdraw, type Withdrawal } from "../../src/ledger/withdraw.ts";
import { ingestDelivery } from "../../workers/ingest/ingest.ts";
import fc, { runs } from "../property.ts";
import {
  accountsCsv,
  countsOf,
  ledgerSize,
  lineFile,
  type LoadingWorld,
  openLoading,
  request,
  transaction,
  transactions,
  transactionsCsv,
} from "../workers/world.ts";

test("what a delivery loaded leaves the ledger and every read, and stays as a trace", async (t) => {
  const world = await openLoading(t);
  await world.load(transactions("u1", 2, "right"));
  const wrong = await world.load([
    ...transactions("u1", 3, "wrong"),
    transaction("u2", "wrong"),
    { uid: "u3", type: "IMPORT_COMPLETED" },
    7,
  ]);
  await world.database.query("delete from changed_users");
  t.deepEqual(await take(world, wrong.id), { transactions: 4, restored: 0, users: 2 });
  const listed = await listDebited(world.database, world.userIds[0] ?? 0, {
    from: "1900-01-01",
    to: "2199-12-31",
    limit: 100,
  });
  t.is(listed.length, 2);
  t.deepEqual(
    (await world.database.query("select user_id from changed_users order by 1")).rows.map(
      (row) => (row as { user_id: number }).user_id,
    ),
    world.userIds.slice(0, 2),
  );
  const after = await findDelivery(world.database, wrong.id);
  t.like(after, { state: "withdrawn", transactionsWithdrawn: 4, recordsNew: 4, records: 6 });
  t.deepEqual(
    (await world.database.query("select delivery_id, actor, count(*) as n from withdrawn_transactions group by 1, 2"))
      .rows,
    [{ delivery_id: wrong.id, actor: "test", n: 4 }],
  );
  t.is((await world.database.query("select 1 from import_markers")).rowCount, 0);
  t.is((await world.database.query("select 1 from held_records")).rowCount, 0);
});

test("a second time nothing happens, and what is refused cannot be withdrawn", async (t) => {
  const world = await openLoading(t);
  const delivery = await world.load(transactions("u1", 2));
  await take(world, delivery.id);
  t.is(await take(world, delivery.id), null);
  const refused = await world.ingest(await world.deliverFile("jwe", "not a token"));
  t.is(await take(world, refused.id), null);
});

test("the same records, reqIds and bytes can be sent again", async (t) => {
  const world = await openLoading(t);
  const lines = lineFile([request(transactions("u1", 3), randomUUID())]);
  const first = await world.ingest(await world.deliverFile("jsonl", lines));
  await take(world, first.id);
  t.is(await findSameBytes(world.database, world.partnerId, first.sha256), null);
  t.deepEqual(countsOf(await world.ingest(await world.deliverFile("jsonl", lines))), {
    batches: 1,
    records: 3,
    new: 3,
  });
});

test("only what a delivery loaded leaves: what came first through another stays, what another brought again leaves too", async (t) => {
  const world = await openLoading(t);
  const first = await world.load([transaction("u1", "a"), transaction("u1", "b")]);
  const second = await world.load([transaction("u1", "b"), transaction("u1", "c")]);
  t.deepEqual(await take(world, second.id), { transactions: 1, restored: 0, users: 1 });
  t.is(await ledgerSize(world.database), 2);
  const third = await world.load([transaction("u1", "a")]);
  t.deepEqual(countsOf(third), { batches: 1, records: 1, known: 1 });
  await take(world, first.id);
  t.is(await ledgerSize(world.database), 0);
  t.is(await countKnownElsewhere(world.database, first.id), 1);
});

test("records that conflicted with a withdrawn delivery can be released", async (t) => {
  const world = await openLoading(t);
  const wrong = await world.load([transaction("u1", "a", { amount: 12.5 })]);
  const right = await world.load([transaction("u1", "a"), transaction("u1", "b")]);
  t.deepEqual(countsOf(right), { batches: 1, records: 2, new: 1, conflicting: 1 });
  await take(world, wrong.id);
  await markDue(world.database, right.id, null);
  await requestRevisit(world.database, right.id);
  t.deepEqual(countsOf(await world.ingest(right.id)), { batches: 1, records: 2, new: 2 });
});

test("a delivery that waits to be loaded is never loaded once it is withdrawn", async (t) => {
  const world = await openLoading(t);
  const id = await world.deliverFile("jsonl", lineFile([request(transactions("u1", 3))]));
  await take(world, id);
  t.deepEqual(await ingestDelivery(world.context, { deliveryId: id }), { state: "withdrawn" });
  t.is(await ledgerSize(world.database), 0);
});

test("a withdrawn file of accounts names no users any more", async (t) => {
  const world = await openLoading(t);
  const accounts = await world.loadCsv("accounts", accountsCsv({ a1: "u1" }));
  await take(world, accounts.id);
  t.deepEqual(countsOf(await world.loadCsv("transactions", transactionsCsv([{ transaction_id: "t1" }]))), {
    batches: 1,
    records: 1,
    waiting: 1,
  });
});

test("whatever is delivered and withdrawn in whatever order, the ledger is what was loaded and not withdrawn", async (t) => {
  const world = await openLoading(t);
  const step = fc.oneof(
    fc.record({ load: fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { minLength: 1 }) }),
    fc.record({ withdraw: fc.nat({ max: 5 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      await world.database.query("truncate transactions");
      const loaded = new Map<string, number>();
      const ids: string[] = [];
      for (const one of steps) {
        if ("load" in one) {
          ids.push((await world.load(one.load.map((txid) => transaction("u1", txid)))).id);
          for (const txid of one.load) if (!loaded.has(txid)) loaded.set(txid, ids.length - 1);
        } else {
          await take(world, ids[one.withdraw] ?? randomUUID());
          for (const [txid, by] of loaded) if (by === one.withdraw) loaded.delete(txid);
        }
      }
      const { rows } = await world.database.query<{ txid: string }>("select txid from transactions order by 1");
      t.deepEqual(
        rows.map((row) => row.txid),
        [...loaded.keys()].toSorted(),
      );
    }),
    runs(30),
  );
});

async function take(world: LoadingWorld, deliveryId: string): Promise<Withdrawal | null> {
  return await inTransaction(world.database, (transaction) => withdraw(transaction, deliveryId, "test"));
}
