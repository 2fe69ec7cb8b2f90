/** Erasing a user at once leaves nothing behind, also of what is being written meanwhile. */
import test from "ava";
import { inTransaction } from "../../src/database/database.ts";
import { eraseNow } from "../../src/operations/users.ts";
import { claimEntry } from "../../src/partners/changed-users.ts";
import { openLoading, transaction } from "../workers/world.ts";

test("a run that has the user in hand is waited for, and what it writes goes too", async (t) => {
  const { database, userIds, load } = await openLoading(t);
  await load([transaction("u1", "one"), { uid: "u1", type: "IMPORT_COMPLETED" }]);
  const [userId = 0] = userIds;
  const { promise: mayWrite, resolve: write } = Promise.withResolvers<undefined>();
  const { promise: claimed, resolve: hasClaimed } = Promise.withResolvers<undefined>();
  const run = inTransaction(database, async (transactionOfRun) => {
    await claimEntry(transactionOfRun, userId);
    hasClaimed(undefined);
    await mayWrite;
    await transactionOfRun.query(
      "insert into packed_pasts (user_id, version, made_at, base, recent) values ($1, 1, now(), '', '')",
      [userId],
    );
  });
  await claimed;
  const order: string[] = [];
  const erasing = eraseNow(database, "test", { ids: [userId], partnerId: "bank" }).then((erased) => {
    order.push("erased");
    return erased;
  });
  const waits = "select 1 from pg_locks where locktype = 'advisory' and not granted";
  while (order.length === 0 && (await database.query(waits)).rowCount === 0);
  order.push("written");
  write(undefined);
  await run;
  t.is((await erasing).outcome, "erased");
  t.deepEqual(order, ["written", "erased"]);
  t.is((await database.query("select 1 from packed_pasts where user_id = $1", [userId])).rowCount, 0);
});
