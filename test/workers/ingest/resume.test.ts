/** A load that breaks off is continued with exact counts, also when two loaders meet on one delivery. */
import test from "ava";
import type { Database } from "../../../src/database/database.ts";
import { codeOf } from "../../../src/database/database.ts";
import { chunkRecordsMax } from "../../../config/limits.ts";
import { ingestDelivery } from "../../../workers/ingest/ingest.ts";
import { sealToken } from "../sealing.ts";
import {
  countsOf,
  ledgerSize,
  lineFile,
  openLoading,
  problemsOf,
  request,
  transaction,
  transactions,
} from "../world.ts";

for (const format of ["jwe", "jsonl"] as const) {
  test(`a load of ${format} that breaks off is continued, with exact counts`, async (t) => {
    const world = await openLoading(t);
    const records = [
      7,
      transaction("u1", "a0"),
      transaction("u1", "a0", { amount: 1 }),
      ...transactions("u1", chunkRecordsMax - 3, "a"),
      // Here, or a little earlier where lines are kept together, the first chunk ends.
      7,
      transaction("u1", "a0"),
      { uid: "u2", type: "IMPORT_COMPLETED" },
      ...transactions("u1", chunkRecordsMax - 3, "b"),
      transaction("u2", "poison"),
    ];
    const id = await world.deliverFile(
      format,
      format === "jwe" ? sealToken(world.key, JSON.stringify(records)) : lineFile(inLines(records)),
    );
    await refusePoison(world.database);
    await t.throwsAsync(world.ingest(id), { message: "poison" });
    const {
      rows: [broken],
    } = await world.database.query<{ state: string; attempts: number; records: number; recordsNew: number }>(
      'select state, attempts, records, records_new as "recordsNew" from deliveries',
    );
    t.like(broken, { state: "loading", attempts: 0 });
    t.true((broken?.records ?? 0) >= chunkRecordsMax - 1000 && (broken?.records ?? 0) < records.length);
    t.is(await ledgerSize(world.database), broken?.recordsNew ?? 0);
    await world.database.query("drop trigger poison on transactions");

    const delivery = await world.ingest(id);
    t.like(delivery, { state: "loaded", attempts: 0, breakdowns: 0 });
    t.deepEqual(countsOf(delivery), {
      batches: format === "jwe" ? 1 : Math.ceil(records.length / 750),
      records: records.length,
      new: 2 * chunkRecordsMax - 5,
      known: 2,
      conflicting: 1,
      refused: 2,
      markers: 1,
    });
    t.is(await ledgerSize(world.database), 2 * chunkRecordsMax - 5);
    t.is((await problemsOf(world.database, id)).length, 3);
  });
}

test("lines without records are not counted twice when a load is continued", async (t) => {
  const world = await openLoading(t);
  const good = inLines(transactions("u1", chunkRecordsMax));
  const lines = [...good.slice(0, 20), "bad", "bad", ...good.slice(20), "bad", request([transaction("u2", "poison")])];
  const id = await world.deliverFile("jsonl", lineFile(lines, true));
  await refusePoison(world.database);
  await t.throwsAsync(world.ingest(id), { message: "poison" });
  await world.database.query("drop trigger poison on transactions");
  t.deepEqual(countsOf(await world.ingest(id)), {
    batches: lines.length,
    batchesRefused: 3,
    records: chunkRecordsMax + 1,
    new: chunkRecordsMax + 1,
  });
  t.is((await problemsOf(world.database, id)).length, 3);
});

test("two loaders on one delivery: one loads it, the other leaves it alone", async (t) => {
  const world = await openLoading(t);
  const id = await world.deliverFile("jwe", sealToken(world.key, JSON.stringify(transactions("u1", 5000))));
  const outcomes = await Promise.all([
    ingestDelivery(world.context, { deliveryId: id }),
    ingestDelivery(world.context, { deliveryId: id }),
  ]);
  t.deepEqual(outcomes.map((outcome) => outcome.state).toSorted(), ["loaded", "loading"]);
  t.is(await ledgerSize(world.database), 5000);
});

test("a loader whose delivery another one has moved on commits nothing", async (t) => {
  const world = await openLoading(t);
  const id = await world.deliverFile("jwe", sealToken(world.key, JSON.stringify([transaction("u1", "t1")])));
  await world.database.query(`
    create function overtake() returns trigger language plpgsql as $$ begin new.batches := 1; return new; end $$;
    create trigger overtake before update on deliveries for each row when (old.state = 'accepted') execute function overtake();`);
  const error = await t.throwsAsync(world.ingest(id));
  t.is(error && codeOf(error), "LOAD_OVERTAKEN");
  t.is(await ledgerSize(world.database), 0);
});

test("files that bring the same users and records in other orders load side by side, each record once", async (t) => {
  const world = await openLoading(t);
  const records = ["u1", "u2", "u3"].flatMap((uid) => transactions(uid, 700));
  const orders = [
    records,
    records.toReversed(),
    records.toSorted((a, b) => JSON.stringify(a).length - JSON.stringify(b).length),
    records.slice(900).concat(records.slice(0, 900)),
  ];
  const { openContext } = await import("../../../workers/context.ts");
  const loaders = orders.map(() => openContext(world.settings));
  t.teardown(() => Promise.all(loaders.map((loader) => loader.database.end())));
  const ids: string[] = [];
  for (const order of orders) ids.push(await world.deliverFile("jwe", sealToken(world.key, JSON.stringify(order))));
  await Promise.all(ids.map((deliveryId, index) => ingestDelivery(loaders[index] ?? world.context, { deliveryId })));
  const {
    rows: [sum],
  } = await world.database.query(
    "select sum(records_new) as new, sum(records_known) as known from deliveries where state = 'loaded'",
  );
  t.deepEqual(sum, { new: "2100", known: "6300" });
  t.is(await ledgerSize(world.database), 2100);
});

test("a key that was retired after the delivery was accepted still opens it, one retired before does not", async (t) => {
  const world = await openLoading(t);
  const id = await world.deliverFile("jwe", sealToken(world.key, JSON.stringify([transaction("u1", "t1")])));
  await world.database.query("update service_keys set retired_at = now()");
  const late = await world.deliverFile("jwe", sealToken(world.key, JSON.stringify([transaction("u1", "t2")])));
  t.is((await world.ingest(id)).state, "loaded");
  t.like(await world.ingest(late), { state: "refused", refusalCode: "DECRYPTION_ERROR" });
});

/** Makes the insertion of the txid "poison" fail, as a database would that breaks in the middle of a chunk. */
async function refusePoison(database: Database): Promise<void> {
  await database.query(`
    create function refuse_poison() returns trigger language plpgsql as $$ begin raise exception 'poison'; end $$;
    create trigger poison before insert on transactions for each row when (new.txid = 'poison') execute function refuse_poison();`);
}

function inLines(records: readonly unknown[]): string[] {
  const lines: string[] = [];
  for (let from = 0; from < records.length; from += 750) lines.push(request(records.slice(from, from + 750)));
  return lines;
}
