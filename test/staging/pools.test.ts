/** A load that outlasts the service's stop is cut without a trace and goes on at the next start; threads sign receipts. */
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "ava";
import { inTransaction } from "../../src/database/database.ts";
import { detachedJws } from "../../src/deliveries/receipt-files/signature.ts";
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

test("a door's thread signs receipts with the key that it is given, and says which it could not write", async (t) => {
  const world = await openLoading(t);
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-receipts-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const pools = openPools(world.settings, { doorThreads: 1, loadThreads: 1 });
  t.teardown(() => pools.close());
  const key = { kid: "one", privateKey: generateKeyPairSync("ed25519").privateKey };
  const receipt = (name: string) => ({ partnerFolder: folder, file: path.join(folder, name), text: `of ${name}` });
  const receipts = [receipt("a"), receipt("not there/b"), receipt("c")];
  t.deepEqual(await pools.writeReceipts({ receipts, key }), [1]);
  t.is(await readFile(path.join(folder, "c"), "utf8"), "of c");
  t.is(await readFile(path.join(folder, "c.jws"), "utf8"), `${detachedJws("of c", key)}\n`);
});
