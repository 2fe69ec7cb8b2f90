/** A load gives way between chunks, knows lines that come again, and opens no more than a file of its size may. */
import { randomUUID } from "node:crypto";
import test from "ava";
import { asked, answered } from "../../../workers/turn.ts";
import { chunkRecordsMax } from "../../../config/limits.ts";
import { ingestDelivery } from "../../../workers/ingest/ingest.ts";
import {
  countsOf,
  gzipped,
  ledgerSize,
  lineFile,
  openLoading,
  problemsOf,
  request,
  transaction,
  transactions,
} from "../world.ts";

test("a load whose turn is over ends behind a chunk, and the next turn goes on there", async (t) => {
  const world = await openLoading(t);
  const records = transactions("u1", 2 * chunkRecordsMax + 10);
  const id = await world.deliverFile("jsonl", lineFile(inBatches(records)));
  const control = new SharedArrayBuffer(8);
  Atomics.store(new Int32Array(control), 0, asked.end);
  t.deepEqual(await ingestDelivery(world.context, { deliveryId: id, control }), { state: "yielded" });
  const loadedFirst = await ledgerSize(world.database);
  t.true(loadedFirst > chunkRecordsMax - 750 && loadedFirst <= chunkRecordsMax);
  t.like(await world.ingest(id), { state: "loaded", records: records.length, recordsNew: records.length });
});

test("a load that is parked reads nothing until it is its turn again", async (t) => {
  const world = await openLoading(t);
  const id = await world.deliverFile("jsonl", lineFile(inBatches(transactions("u1", 3))));
  const control = new SharedArrayBuffer(8);
  const words = new Int32Array(control);
  Atomics.store(words, 0, asked.park);
  const loading = ingestDelivery(world.context, { deliveryId: id, control });
  await Atomics.waitAsync(words, 1, answered.runs).value;
  t.is(Atomics.load(words, 1), answered.parked);
  t.is(await ledgerSize(world.database), 0);
  Atomics.store(words, 0, asked.run);
  Atomics.notify(words, 0);
  t.deepEqual(await loading, { state: "loaded" });
  t.is(await ledgerSize(world.database), 3);
});

test("a small file that opens to more than its lane takes leaves it with nothing lost", async (t) => {
  const world = await openLoading(t);
  const padded = transactions("u1", 40).map((record) => ({ ...(record as object), padding: "a".repeat(50_000) }));
  const id = await world.deliverFile("jsonl.gz", gzipped(lineFile([request(padded)])));
  const openedBytesMax = 1_000_000;
  t.deepEqual(await ingestDelivery(world.context, { deliveryId: id, openedBytesMax }), { state: "outgrown" });
  t.is(await ledgerSize(world.database), 0);
  t.like(await world.ingest(id), { state: "loaded", recordsNew: 40 });
});

test("a line that comes again is known and not opened: its batches, records and refusals still add up", async (t) => {
  const world = await openLoading(t);
  const good = request([transaction("u1", "a"), transaction("u1", "b"), { uid: "u1", type: "IMPORT_COMPLETED" }]);
  const broken = request([transaction("u1", "c"), 7]);
  const undecipherable = JSON.stringify({ reqId: randomUUID(), txs: "a.b.c.d.e" });
  const respaced = good.replace('{"reqId":', '{ "other": 1, "reqId": ');
  const delivery = await world.ingest(
    await world.deliverFile("jsonl", lineFile([good, broken, undecipherable, good, respaced, broken, undecipherable])),
  );
  t.deepEqual(countsOf(delivery), {
    batches: 7,
    records: 13,
    new: 3,
    known: 8,
    refused: 1,
    markers: 1,
    batchesRefused: 2,
  });
});

test("the same reqId with another ciphertext is opened: the same content is known, another one is refused", async (t) => {
  const world = await openLoading(t);
  const reqId = randomUUID();
  const lines = [
    request([transaction("u1", "a")], reqId),
    request([transaction("u1", "a")], reqId),
    request([transaction("u1", "b")], reqId),
  ];
  const delivery = await world.ingest(await world.deliverFile("jsonl", lineFile([...lines, lines[2] ?? ""])));
  t.deepEqual(countsOf(delivery), { batches: 4, batchesRefused: 2, records: 4, new: 1, known: 1, refused: 2 });
  t.is((await problemsOf(world.database, delivery.id)).length, 2);
});

test("lines behind those that open to more than two hundred times the file are refused unopened", async (t) => {
  const world = await openLoading(t);
  const bomb = () =>
    request(transactions("u1", 300).map((one) => ({ ...(one as object), padding: "a".repeat(59_000) })));
  const lines = [bomb(), bomb(), bomb(), bomb(), bomb(), bomb(), bomb(), bomb(), request([transaction("u2", "last")])];
  const delivery = await world.ingest(await world.deliverFile("jsonl.gz", gzipped(lineFile(lines))));
  t.is(delivery.state, "loaded");
  t.is(delivery.batches, 9);
  t.true(delivery.batchesRefused >= 1);
  const [problem] = (await problemsOf(world.database, delivery.id)).slice(-1);
  t.like(problem, { line: 9, field: "txs", reason: "is behind lines that open to more than a file of this size may" });
});

function inBatches(records: readonly unknown[]): string[] {
  return Array.from({ length: Math.ceil(records.length / 750) }, (_, batch) =>
    request(records.slice(batch * 750, batch * 750 + 750)),
  );
}
