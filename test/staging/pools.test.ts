/** A load that outlasts the service's stop is cut without a trace and goes on at the next start. */
import test from "ava";
import { inTransaction } from "../../src/database/database.ts";
import { openPools, Stopping } from "../../src/staging/pools.ts";
import { sealToken } from "../workers/sealing.ts";
import { openLoading, transaction } from "../workers/world.ts";

test("a load that outlasts the stop is cut without a trace and goes on at the next start", async (t) => {
  const world = await openLoading(t);
  const deliveryId = await world.deliverFile("jwe", sealToken(world.key, JSON.stringify([transaction("u1", "t1")])));
  const pools = openPools(world.settings, { doorThreads: 1, loadThreads: 1, closeWithinMs: 1 });
  await inTransaction(world.database, async (holder) => {
    // The load's commit waits for this row for as long as it is held.
    await holder.query("select 1 from deliveries where id = $1 for update", [deliveryId]);
    const cut = t.throwsAsync(pools.ingest({ deliveryId }), { instanceOf: Stopping });
    await pools.close();
    await cut;
  });
  await pools.close();
  t.like(await world.ingest(deliveryId), { state: "loaded", records: 1, recordsNew: 1 });
});
