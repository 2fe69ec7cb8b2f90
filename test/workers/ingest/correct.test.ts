/** Where a partner corrects, the content that was accepted last holds, and withdrawing it brings the earlier back. */
import test from "ava";
import { withdraw } from "../../../src/ledger/withdraw.ts";
import { inTransaction } from "../../../src/database/database.ts";
import { sealToken } from "../sealing.ts";
import {
  accountsCsv,
  countsOf,
  type LoadingWorld,
  openLoading,
  problemsOf,
  transaction,
  transactionsCsv,
} from "../world.ts";

test("with correct, other content replaces what is stored, keeps the transaction's id and the earlier version", async (t) => {
  const world = await openLoading(t, { onConflict: "correct" });
  await world.load([transaction("u1", "t1"), transaction("u1", "t2")]);
  const [before] = await stored(world);
  await world.database.query("delete from changed_users");
  const delivery = await world.load([
    transaction("u1", "t1", { amount: -99 }),
    transaction("u1", "t2"),
    transaction("u1", "t3"),
  ]);
  t.deepEqual(countsOf(delivery), { batches: 1, records: 3, new: 1, known: 1, conflicting: 1, corrected: 1 });
  t.deepEqual(await problemsOf(world.database, delivery.id), []);
  const [after] = await stored(world);
  t.deepEqual(after, { txid: "t1", amount: "-99", id: before?.id, delivery_position: delivery.position });
  t.deepEqual((await world.database.query("select txid, amount, id from transaction_versions")).rows, [
    { txid: "t1", amount: "-12.5", id: before?.id },
  ]);
  t.is((await world.database.query("select 1 from changed_users")).rowCount, 1);
});

test("with correct, the last of several contents within a file stays", async (t) => {
  const world = await openLoading(t, { onConflict: "correct" });
  const delivery = await world.load([1, 2, 2, 3].map((amount) => transaction("u1", "t1", { amount })));
  t.deepEqual(countsOf(delivery), { batches: 1, records: 4, new: 1, conflicting: 3, corrected: 3 });
  t.deepEqual(
    (await stored(world)).map((row) => row.amount),
    ["3"],
  );
});

test("with correct, content that was accepted earlier and loaded later does not replace later content", async (t) => {
  const world = await openLoading(t, { onConflict: "correct" });
  const early = await world.deliverFile("jwe", sealed(world, [transaction("u1", "t1", { amount: -1 })]));
  await world.load([transaction("u1", "t1", { amount: -2 })]);
  const delivery = await world.ingest(early);
  t.deepEqual(countsOf(delivery), { batches: 1, records: 1, conflicting: 1 });
  t.deepEqual(
    (await stored(world)).map((row) => row.amount),
    ["-2"],
  );
  t.deepEqual((await world.database.query("select amount from transaction_versions")).rows, [{ amount: "-1" }]);
});

test("withdrawing a correction brings the earlier content back; withdrawing the first leaves the correction", async (t) => {
  const world = await openLoading(t, { onConflict: "correct" });
  const versions = [];
  for (const amount of [-1, -2, -3]) versions.push(await world.load([transaction("u1", "t1", { amount })]));
  const [first, second, third] = versions.map((delivery) => delivery.id);
  const take = (id = "") => inTransaction(world.database, (transaction) => withdraw(transaction, id, "test"));
  t.deepEqual(await take(first), { transactions: 0, restored: 0, users: 0 });
  t.deepEqual(
    (await stored(world)).map((row) => row.amount),
    ["-3"],
  );
  t.deepEqual(await take(third), { transactions: 1, restored: 1, users: 1 });
  t.deepEqual(
    (await stored(world)).map((row) => row.amount),
    ["-2"],
  );
  t.deepEqual(await take(second), { transactions: 1, restored: 0, users: 1 });
  t.deepEqual(await stored(world), []);
  t.is((await world.database.query("select 1 from withdrawn_transactions")).rowCount, 3);
});

test("with correct, an account follows the latest file of accounts", async (t) => {
  const world = await openLoading(t, { onConflict: "correct" });
  await world.loadCsv("accounts", accountsCsv({ a1: "u1" }));
  t.deepEqual(countsOf(await world.loadCsv("accounts", accountsCsv({ a1: "u2" }))), {
    batches: 1,
    records: 1,
    conflicting: 1,
    corrected: 1,
  });
  await world.loadCsv("transactions", transactionsCsv([{ transaction_id: "t1" }]));
  t.deepEqual((await world.database.query("select user_id from transactions")).rows, [{ user_id: world.userIds[1] }]);
});

async function stored(
  world: LoadingWorld,
): Promise<{ id: number; txid: string; amount: string; delivery_position: number }[]> {
  return (
    await world.database.query<{ id: number; txid: string; amount: string; delivery_position: number }>(
      "select id, txid, amount, delivery_position from transactions order by txid",
    )
  ).rows;
}

function sealed(world: LoadingWorld, records: readonly unknown[]): string {
  return sealToken(world.key, JSON.stringify(records));
}
