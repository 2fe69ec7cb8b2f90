/** A file that comes again, whole or in part, alone or while others do, is counted by its pieces. */
import { randomUUID } from "node:crypto";
import test from "ava";
import { openContext } from "../../../workers/context.ts";
import { ingestDelivery } from "../../../workers/ingest/ingest.ts";
import { chunkRecordsMax } from "../../../config/limits.ts";
import { makeKey, sealToken } from "../sealing.ts";
import { countsOf, ledgerSize, lineFile, request, transaction } from "../world.ts";
import { loseLedger, many, openCutting, openTwin, small } from "./pieces-twin.ts";

test("a file that comes again is counted by its pieces, in whatever envelope", async (t) => {
  const world = await openCutting(t);
  const records = [...many("u1", 60), ...many("u2", 40)];
  t.deepEqual(countsOf(await world.load(records)), { batches: 1, records: 100, new: 100 });
  await loseLedger(world);
  t.deepEqual(countsOf(await world.load(records)), { batches: 1, records: 100, known: 100 });
  const plain = sealToken(world.key, JSON.stringify(records), { compress: false });
  const again = await world.ingest(await world.deliverFile("jwe", plain));
  t.deepEqual(countsOf(again), { batches: 1, records: 100, known: 100 });
  t.is(again.bytesLoaded, again.sizeBytes);
});

test("of a file that has more before, between or behind, what came again is counted and the rest is read", async (t) => {
  const world = await openCutting(t);
  const records = many("u1", 200);
  await world.load(records);
  await loseLedger(world);
  const longer = [
    ...many("u2", 7),
    ...records.slice(0, 100),
    ...many("u2", 5, 100),
    ...records.slice(100),
    ...many("u2", 9, 200),
  ];
  const counts = countsOf(await world.load(longer));
  t.is(counts["records"], 221);
  t.true((counts["known"] ?? 0) >= 140, `${counts["known"]} were known`);
  t.is((counts["known"] ?? 0) + (counts["new"] ?? 0), 221);
});

test("a file that holds the same twice is loaded, and counted when it comes again", async (t) => {
  const world = await openCutting(t);
  const records = many("u1", 60);
  const twice = [...records, ...records];
  t.deepEqual(countsOf(await world.load(twice)), { batches: 1, records: 120, new: 60, known: 60 });
  await loseLedger(world);
  t.deepEqual(countsOf(await world.load(twice)), { batches: 1, records: 120, known: 120 });
});

test("lines that hold the same under two reqIds are loaded", async (t) => {
  const world = await openCutting(t);
  const records = many("u1", 6);
  const lines = [0, 1].map(() => request(records));
  t.deepEqual(countsOf(await world.ingest(await world.deliverFile("jsonl", lineFile(lines)))), {
    batches: 2,
    records: 12,
    new: 6,
    known: 6,
  });
});

test("no partner's pieces are another's, and nothing is kept of records that did not become rows", async (t) => {
  const world = await openCutting(t);
  const key = makeKey("twin");
  const records = [...many("u1", 30), { uid: "u1", type: "IMPORT_COMPLETED" }, { uid: "nobody", type: "TX" }];
  const twins = [];
  for (const partnerId of ["one", "other"])
    twins.push(await openTwin(world, key, { partnerId, settings: {}, pieces: small }));
  for (const twin of twins) {
    await twin.deliver(records, true);
    await twin.load(0);
  }
  const { rows } = await world.database.query<{ partner_id: string; records: number }>(
    "select partner_id, sum(records)::bigint as records from loaded_pieces group by 1 order by 1",
  );
  t.deepEqual(
    rows.map((row) => row.partner_id),
    ["one", "other"],
  );
  // The last piece has the two that are no rows.
  for (const row of rows) t.true(row.records >= 18 && row.records < 30, `${row.records}`);
  const { rows: shared } = await world.database.query(
    "select digest from loaded_pieces group by 1 having count(*) > 1",
  );
  t.deepEqual(shared, []);
});

test("a change that ends while the known pieces are being counted has the file read", async (t) => {
  const world = await openCutting(t);
  const records = many("u1", 60);
  await world.load(records);
  const id = await world.deliverFile("jwe", sealToken(world.key, JSON.stringify(records)));
  // Between the look and the commit: the load's transaction begins with this lock.
  const holder = await world.database.connect();
  await holder.query("begin");
  await holder.query("select pg_advisory_xact_lock(hashtextextended('chunk ' || $1, 0))", [id]);
  const loading = world.ingest(id);
  for (;;) {
    const { rows } = await world.database.query("select 1 from pg_locks where locktype = 'advisory' and not granted");
    if (rows.length > 0) break;
  }
  await holder.query("update transactions set amount = 7 where txid = 't30'");
  await holder.query("commit");
  holder.release();
  t.deepEqual(countsOf(await loading), { batches: 1, records: 60, known: 59, conflicting: 1 });
});

test("what stands behind the pieces that are remembered is read", async (t) => {
  const world = await openCutting(t);
  const records = many("u1", 100);
  world.context.pieces = { ...small, rules: { ...small.rules, piecesMax: 3 } };
  await world.load(records);
  await loseLedger(world);
  const counts = countsOf(await world.load(records));
  t.is((counts["known"] ?? 0) + (counts["new"] ?? 0), 100);
  t.true((counts["known"] ?? 0) >= 6 && (counts["known"] ?? 0) <= 36);
});

test("a load that breaks off keeps the pieces of what it committed, and no other", async (t) => {
  const world = await openCutting(t);
  const records = [...many("u1", chunkRecordsMax + 2000), transaction("u2", "poison")];
  await world.database.query(`
    create function refuse_poison() returns trigger language plpgsql as
    $$ begin if new.txid = 'poison' then raise exception 'poison'; end if; return new; end $$;
    create trigger refuse_poison before insert on transactions for each row execute function refuse_poison()`);
  const id = await world.deliverFile("jwe", sealToken(world.key, JSON.stringify(records)));
  await t.throwsAsync(world.ingest(id), { message: "poison" });
  const { rows } = await world.database.query<{ kept: number; loaded: number }>(
    "select (select sum(records)::bigint from loaded_pieces) as kept, (select count(*) from transactions) as loaded",
  );
  const { kept = 0, loaded = 0 } = rows[0] ?? {};
  t.true(loaded > 0 && loaded <= chunkRecordsMax);
  t.true(kept <= loaded && kept > loaded - 12, `${kept} of ${loaded}`);
  await world.database.query("drop trigger refuse_poison on transactions");
  t.deepEqual(countsOf(await world.ingest(id)), { batches: 1, records: records.length, new: records.length });
  t.deepEqual(countsOf(await world.load(records)), { batches: 1, records: records.length, known: records.length });
  await loseLedger(world);
  t.deepEqual(countsOf(await world.load(records)), {
    batches: 1,
    records: records.length,
    known: records.length,
  });
});

test("lines that come again are counted unopened where their bytes did, and unread where what they open to did", async (t) => {
  const world = await openCutting(t);
  const contents = Array.from({ length: 12 }, (_, n) => JSON.stringify(many(`u${(n % 2) + 1}`, 20, n * 20)));
  const seal = (content: string, reqId = randomUUID()) => JSON.stringify({ reqId, txs: sealToken(world.key, content) });
  const reqIds = contents.map(() => randomUUID());
  const lines = contents.map((content, n) => seal(content, reqIds[n]));
  const bring = async (some: readonly string[]) =>
    countsOf(await world.ingest(await world.deliverFile("jsonl", lineFile(some, true))));
  t.deepEqual(await bring(lines), { batches: 12, records: 240, new: 240 });
  await loseLedger(world);
  t.deepEqual(await bring(lines), { batches: 12, records: 240, known: 240 });
  // Anew with their reqIds, and with others.
  t.deepEqual(await bring(contents.map((content, n) => seal(content, reqIds[n]))), {
    batches: 12,
    records: 240,
    known: 240,
  });
  t.deepEqual(await bring(contents.map((content) => seal(content))), { batches: 12, records: 240, known: 240 });
  const mixed = [...lines.slice(0, 5), request(many("u1", 3, 1000)), ...lines.slice(5), lines[0] as string];
  t.deepEqual(await bring(mixed), { batches: 14, records: 263, new: 3, known: 260 });
  t.is(await ledgerSize(world.database), 3);
});

test("of lines whose bytes came before, those are refused that would be: for their key, or for their reqId", async (t) => {
  const world = await openCutting(t);
  const lines = [many("u1", 20), many("u2", 20)].map((records) =>
    JSON.stringify({ reqId: randomUUID(), txs: sealToken(world.key, JSON.stringify(records)) }),
  );
  const bring = async () => countsOf(await world.ingest(await world.deliverFile("jsonl", lineFile(lines))));
  t.deepEqual(await bring(), { batches: 2, records: 40, new: 40 });
  await world.database.query("update requests set content_sha256 = sha256('other') where request_id = $1", [
    (JSON.parse(lines[0] as string) as { reqId: string }).reqId,
  ]);
  t.deepEqual(await bring(), { batches: 2, batchesRefused: 1, records: 40, known: 20, refused: 20 });
  await world.database.query("update service_keys set retired_at = now()");
  t.deepEqual(await bring(), { batches: 2, batchesRefused: 2 });
});

test("of loaders with the same records at once each record is one's, whatever pieces they keep and find", async (t) => {
  const world = await openCutting(t);
  const [first, second] = [many("u1", 300), many("u2", 300)];
  const files = [[...first, ...second], [...first, ...second], [...second, ...first], first];
  const loaders = files.map(() => ({ ...openContext(world.settings), pieces: small }));
  t.teardown(() => Promise.all(loaders.map((loader) => loader.database.end())));
  for (let round = 0; round < 3; round += 1) {
    const ids: string[] = [];
    for (const records of files)
      ids.push(await world.deliverFile("jwe", sealToken(world.key, JSON.stringify(records))));
    await Promise.all(loaders.map((loader, n) => ingestDelivery(loader, { deliveryId: ids[n] as string })));
  }
  const { rows } = await world.database.query(
    "select sum(records_new)::int as new, sum(records_known)::int as known, count(*) filter (where state = 'loaded')::int as loaded from deliveries",
  );
  t.deepEqual(rows, [{ new: 600, known: 3 * 2100 - 600, loaded: 12 }]);
  t.is(await ledgerSize(world.database), 600);
});
