/** Each kind of worker thread does its own task, and what a database error means survives the way out of it. */
import test from "ava";
import { Piscina } from "piscina";
import { isDatabaseAway } from "../../src/database/database.ts";
import { sealToken } from "./sealing.ts";
import { openLoading, transaction } from "./world.ts";

const filename = new URL("../../workers/main.ts", import.meta.url).href;
const doorFilename = new URL("../../workers/door.ts", import.meta.url).href;

test("a thread of the door opens and checks, one behind it loads", async (t) => {
  const world = await openLoading(t);
  const door = new Piscina({ filename: doorFilename, maxThreads: 1, workerData: world.settings });
  const pool = new Piscina({ filename, maxThreads: 1, workerData: world.settings });
  t.teardown(async () => void (await Promise.all([door.destroy(), pool.destroy()])));
  const txs = sealToken(world.key, JSON.stringify([transaction("u1", "t1")]));
  t.like(await door.run({ partnerId: world.partnerId, requestId: "r", txs }, { name: "inspect" }), {
    ok: true,
    records: 1,
  });
  const deliveryId = await world.deliverFile("jwe", txs);
  t.deepEqual(await pool.run({ deliveryId }, { name: "ingest" }), { state: "loaded" });
});

test("that the database is away can be told outside the thread", async (t) => {
  const settings = {
    databaseUrl: "postgres://nobody@127.0.0.1:1/none",
    keyEncryptionKey: new Uint8Array(32),
    vaultDirectory: ".",
  };
  const pool = new Piscina({ filename, maxThreads: 1, workerData: settings });
  t.teardown(() => pool.destroy());
  const error = await t.throwsAsync(pool.run({ deliveryId: "1" }, { name: "ingest" }));
  t.true(isDatabaseAway(error));
});
