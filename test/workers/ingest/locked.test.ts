/** Who has a delivery in hand is known to all, and to nobody once it ends: through a pooler too. */
import test, { type ExecutionContext } from "ava";
import { openContext, type WorkerContext } from "../../../workers/context.ts";
import { ingestGroup } from "../../../workers/ingest/group.ts";
import { ingestDelivery } from "../../../workers/ingest/ingest.ts";
import { withDeliveriesLocked } from "../../../workers/ingest/locked.ts";
import { sealToken } from "../sealing.ts";
import { type LoadingWorld, openLoading, transaction } from "../world.ts";

const ways = ["straight to the server", "through a pooler"] as const;

/** Another loader's. */
function contextOf(t: ExecutionContext, { settings }: LoadingWorld, way: (typeof ways)[number]): WorkerContext {
  const url = settings.loaderUrl ?? "";
  const context = openContext({
    ...settings,
    databaseUrl: way === "through a pooler" ? `${url}?pooler=transaction` : url,
  });
  t.teardown(async () => {
    await context.pooledLocks?.end();
    await context.database.end();
  });
  return context;
}

type Held = { by: string; state: string };

async function held({ database }: LoadingWorld): Promise<Held[]> {
  const { rows } = await database.query<Held>(
    `select application_name as by, state
       from pg_locks
       join pg_stat_activity using (pid)
      where locktype = 'advisory'
        and pg_locks.database = (select oid from pg_database where datname = current_database())`,
  );
  return rows;
}

async function deliver(world: LoadingWorld, txid: string): Promise<string> {
  return await world.deliverFile("jwe", sealToken(world.key, JSON.stringify([transaction("u1", txid)])));
}

for (const way of ways) {
  test(`${way}: what one loader has in hand no other gets, and everybody once it has ended`, async (t) => {
    const world = await openLoading(t);
    const [one, other] = [contextOf(t, world, way), contextOf(t, world, way)];
    const id = await deliver(world, "a");
    await withDeliveriesLocked(one, [id], async (_, locked) => {
      t.deepEqual(locked, [id]);
      t.deepEqual(await ingestDelivery(other, { deliveryId: id }), { state: "loading" });
      t.deepEqual(await ingestDelivery(world.context, { deliveryId: id }), { state: "loading" });
    });
    t.deepEqual(await held(world), []);
    t.like(await ingestDelivery(other, { deliveryId: id }), { state: "loaded" });
    t.deepEqual(await held(world), []);
  });

  test(`${way}: a load that throws leaves no lock`, async (t) => {
    const world = await openLoading(t);
    const context = contextOf(t, world, way);
    const id = await deliver(world, "a");
    const failing = withDeliveriesLocked(context, [id], () => Promise.reject(new Error("the disk is gone")));
    await t.throwsAsync(failing, { message: "the disk is gone" });
    t.deepEqual(await held(world), []);
    t.like(await ingestDelivery(context, { deliveryId: id }), { state: "loaded" });
  });
}

test("through a pooler nothing is locked but by a transaction, which no other client is given a connection of", async (t) => {
  const world = await openLoading(t);
  const context = contextOf(t, world, "through a pooler");
  const ids = [await deliver(world, "a"), await deliver(world, "b")];
  await withDeliveriesLocked(context, ids, async (client) => {
    await client.query("select 1");
    const locks = { by: "tideline locks", state: "idle in transaction" };
    t.deepEqual(await held(world), [locks, locks]);
  });
  t.deepEqual((await ingestGroup(context, { deliveryIds: ids })).loaded.toSorted(), ids.toSorted());
  t.deepEqual(await held(world), []);
});

test("while its locks are held no loader keeps old rows from being cleaned away", async (t) => {
  const world = await openLoading(t);
  const context = contextOf(t, world, "through a pooler");
  await withDeliveriesLocked(context, [await deliver(world, "a")], async () => {
    const { rows } = await world.database.query(
      "select backend_xmin, backend_xid from pg_stat_activity where application_name = 'tideline locks' and datname = current_database()",
    );
    t.deepEqual(rows, [{ backend_xmin: null, backend_xid: null }]);
  });
});
