/** Requests that are loaded together keep their own counts, and one that stands out harms none of the others. */
import test from "ava";
import { findDelivery } from "../../../src/deliveries/deliveries.ts";
import { releaseRows, acquireRows } from "../../../workers/bytes/read-rows.ts";
import { ingestGroup } from "../../../workers/ingest/group.ts";
import { flipBit, replaceSegment, sealToken } from "../sealing.ts";
import { countsOf, ledgerSize, type LoadingWorld, openLoading, request, transaction, transactions } from "../world.ts";

test("requests are loaded together, each with its own counts, its own markers and its own place in the ledger", async (t) => {
  const world = await openLoading(t);
  const first = await world.deliverRequest(
    request([...transactions("u1", 3, "a"), { uid: "u1", type: "IMPORT_COMPLETED" }]),
  );
  const second = await world.deliverRequest(request([transaction("u1", "b0"), transaction("u2", "b0")]));
  const empty = await world.deliverRequest(request([]));
  t.deepEqual(await ingestGroup(world.context, { deliveryIds: [first, second, empty] }), {
    loaded: [first, second, empty],
    elsewhere: [],
    broken: [],
  });
  t.deepEqual(await counts(world, first), { batches: 1, records: 4, new: 3, markers: 1 });
  t.deepEqual(await counts(world, second), { batches: 1, records: 2, new: 2 });
  t.deepEqual(await counts(world, empty), { batches: 1 });
  const { rows } = await world.database.query(
    "select d.id, count(*) as n from transactions t join deliveries d on d.position = t.delivery_position group by 1 order by 2",
  );
  t.deepEqual(rows, [
    { id: second, n: 2 },
    { id: first, n: 3 },
  ]);
  t.deepEqual((await world.database.query("select delivery_id from import_markers")).rows, [{ delivery_id: first }]);
  t.deepEqual((await world.database.query("select user_id from changed_users order by 1")).rows, [
    { user_id: world.userIds[0] },
    { user_id: world.userIds[1] },
  ]);
});

test("one that stands out is left to be loaded alone and harms none of the others", async (t) => {
  const world = await openLoading(t);
  const damaged = JSON.stringify({
    reqId: crypto.randomUUID(),
    txs: replaceSegment(sealToken(world.key, "[]"), 3, (text) => flipBit(text)),
  });
  const good = [
    await world.deliverRequest(request([transaction("u1", "a")])),
    await world.deliverRequest(request([transaction("u1", "b")])),
  ];
  const odd = [
    await world.deliverRequest(damaged),
    await world.deliverRequest(request([transaction("stranger", "c")])),
    await world.deliverRequest(request([transaction("u1", "d"), transaction("u1", "d")])),
    await world.deliverRequest("{}"),
  ];
  t.deepEqual((await ingestGroup(world.context, { deliveryIds: [...odd, ...good] })).loaded, good);
  t.is(await ledgerSize(world.database), 2);
  for (const id of odd) t.like(await findDelivery(world.database, id), { state: "accepted", breakdowns: 0 });
  t.like(await world.ingest(odd[0] ?? ""), { state: "refused", refusalCode: "DECRYPTION_ERROR" });
});

test("requests that bring the same transaction are loaded once: together not at all, alone the first one", async (t) => {
  const world = await openLoading(t);
  const ids = [
    await world.deliverRequest(request([transaction("u1", "a")])),
    await world.deliverRequest(request([transaction("u1", "a"), transaction("u1", "b")])),
  ];
  t.deepEqual(await ingestGroup(world.context, { deliveryIds: ids }), { loaded: [], elsewhere: [], broken: [] });
  t.is(await ledgerSize(world.database), 0);
  t.deepEqual(countsOf(await world.ingest(ids[0] ?? "")), { batches: 1, records: 1, new: 1 });
  t.deepEqual(countsOf(await world.ingest(ids[1] ?? "")), { batches: 1, records: 2, new: 1, known: 1 });
});

test("a second time nothing is loaded, and one that another loader has in hand is left to it", async (t) => {
  const world = await openLoading(t);
  const ids = [
    await world.deliverRequest(request([transaction("u1", "a")])),
    await world.deliverRequest(request([transaction("u1", "b")])),
  ];
  const other = await world.deliverRequest(request([transaction("u1", "c")]));
  const client = await world.database.connect();
  await client.query("select pg_advisory_lock(hashtextextended('delivery ' || $1, 0))", [other]);
  t.deepEqual(await ingestGroup(world.context, { deliveryIds: [...ids, other] }), {
    loaded: ids,
    elsewhere: [other],
    broken: [],
  });
  client.release(true);
  t.deepEqual(await ingestGroup(world.context, { deliveryIds: ids }), { loaded: [], elsewhere: [], broken: [] });
  t.is(await ledgerSize(world.database), 2);
});

test.serial("rows of a group are free for the next load, also when it could not be loaded", async (t) => {
  const world = await openLoading(t);
  const outsider = request([transaction("stranger", "a")]);
  const groups = [
    [request([transaction("u1", "a")]), request([transaction("u1", "b")])],
    [request([transaction("u1", "a")]), request([transaction("u1", "c")])],
    [outsider, outsider],
  ];
  const loaded: number[] = [];
  for (const bodies of groups) {
    const free = [acquireRows(), acquireRows()];
    releaseRows(free);
    const deliveryIds = await Promise.all(bodies.map((body) => world.deliverRequest(body)));
    loaded.push((await ingestGroup(world.context, { deliveryIds })).loaded.length);
    t.true([acquireRows(), acquireRows()].every((rows) => free.includes(rows)));
  }
  t.deepEqual(loaded, [2, 0, 0]);
});

async function counts(world: LoadingWorld, id: string): Promise<object> {
  const delivery = await findDelivery(world.database, id);
  if (delivery?.state !== "loaded") throw new Error(`the delivery is ${delivery?.state}`);
  return countsOf(delivery);
}
