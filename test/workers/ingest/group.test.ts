/** Requests that are loaded together keep their own counts, and one that stands out harms none of the others. */
import { readFile, rm, truncate, writeFile } from "node:fs/promises";
import test from "ava";
import { findDelivery } from "../../../src/deliveries/deliveries.ts";
import { releaseRows, acquireRows } from "../../../workers/bytes/read-rows.ts";
import { ingestGroup } from "../../../workers/ingest/group.ts";
import fc, { runs } from "../../property.ts";
import { flipBit, replaceSegment, sealToken } from "../sealing.ts";
import {
  countsOf,
  gzipped,
  ledgerSize,
  type LoadingWorld,
  openLoading,
  request,
  transaction,
  transactions,
} from "../world.ts";

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

test("small files are loaded together with requests, lines with their reqIds, and a reqId that means other content leaves all alone", async (t) => {
  const world = await openLoading(t);
  const line = (id: string, records: readonly object[]) =>
    `${JSON.stringify({ reqId: id, txs: sealToken(world.key, JSON.stringify(records)) })}\n`;
  const [one, two, three] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  const lines = await world.deliverFile(
    "jsonl",
    line(one, [transaction("u1", "a")]) + line(two, [transaction("u2", "b"), transaction("u2", "c")]),
  );
  const sealed = await world.deliverFile("jwe", sealToken(world.key, JSON.stringify([transaction("u1", "d")])));
  const pushed = await world.deliverRequest(request([transaction("u1", "e")]));
  t.deepEqual(await ingestGroup(world.context, { deliveryIds: [lines, sealed, pushed] }), {
    loaded: [lines, sealed, pushed],
    elsewhere: [],
    broken: [],
  });
  t.deepEqual(await counts(world, lines), { batches: 2, records: 3, new: 3 });
  t.deepEqual(await counts(world, sealed), { batches: 1, records: 1, new: 1 });
  t.is(await ledgerSize(world.database), 5);
  const { rows } = await world.database.query("select request_id, delivery_id from requests order by request_id");
  t.deepEqual(
    rows,
    [one, two].sort().map((id) => ({ request_id: id, delivery_id: lines })),
  );
  const twins = [
    await world.deliverFile("jsonl", line(three, [transaction("u1", "f")])),
    await world.deliverFile("jsonl", line(three, [transaction("u1", "g")])),
  ];
  t.deepEqual((await ingestGroup(world.context, { deliveryIds: twins })).loaded, []);
  t.is(await ledgerSize(world.database), 5);
  t.deepEqual(countsOf(await world.ingest(twins[0] ?? "")), { batches: 1, records: 1, new: 1 });
  t.like(countsOf(await world.ingest(twins[1] ?? "")), { batches: 1, batchesRefused: 1 });
});

test("a line that is refused, one that stood there before, and a file that must be signed leave their file to be loaded alone", async (t) => {
  const world = await openLoading(t);
  const line = (records: readonly object[]) =>
    `${JSON.stringify({ reqId: crypto.randomUUID(), txs: sealToken(world.key, JSON.stringify(records)) })}\n`;
  const again = line([transaction("u1", "a")]);
  const good = [
    await world.deliverFile("jsonl", line([transaction("u1", "b")])),
    await world.deliverFile("jsonl", line([transaction("u1", "c")])),
  ];
  const odd = [
    await world.deliverFile("jsonl", `${line([transaction("u1", "d")])}{}\n`),
    await world.deliverFile("jsonl", again + again),
    await world.deliverFile("jwe", "no token"),
  ];
  t.deepEqual((await ingestGroup(world.context, { deliveryIds: [...odd, ...good] })).loaded, good);
  await world.database.query("update deliveries set signing_required = true where id = $1", [odd[1]]);
  t.is(await ledgerSize(world.database), 2);
});

test("what a power cut took of a file in the vault is read from beside its row, and lies there again", async (t) => {
  const world = await openLoading(t);
  const bytes = sealToken(world.key, JSON.stringify([transaction("u1", "a")]));
  const ids = [await world.deliverFile("jwe", bytes), await world.deliverFile("jwe", bytes)];
  const [gone = "", cut = ""] = ids.map((id) => world.context.pathInVault(id));
  for (const id of ids)
    await world.database.query("insert into delivery_bodies (delivery_id, body) values ($1, $2)", [
      id,
      Buffer.from(bytes),
    ]);
  await rm(gone);
  await truncate(cut, 10);
  await t.throwsAsync(world.ingest(ids[0] ?? ""), { message: /VAULT_GONE|vault/ }, "an empty place is no vault");
  await writeFile(world.context.pathInVault("vault-mark"), "");
  t.deepEqual(countsOf(await world.ingest(ids[0] ?? "")), { batches: 1, records: 1, new: 1 });
  t.deepEqual(countsOf(await world.ingest(ids[1] ?? "")), { batches: 1, records: 1, known: 1 });
  t.is(await readFile(gone, "utf8"), bytes);
  t.is(await readFile(cut, "utf8"), bytes);
});

test("files whose bytes lie beside their rows are loaded together without a look into the vault", async (t) => {
  const world = await openLoading(t);
  const line = (records: readonly object[]) =>
    `${JSON.stringify({ reqId: crypto.randomUUID(), txs: sealToken(world.key, JSON.stringify(records)) })}\n`;
  const files = [
    ["jsonl", Buffer.from(line([transaction("u1", "a")]) + line([transaction("u2", "b")]))],
    ["jsonl.gz", gzipped(line([transaction("u1", "c")]))],
    ["jwe", Buffer.from(sealToken(world.key, JSON.stringify([transaction("u1", "d")])))],
    ["jwe", Buffer.from(sealToken(world.key, "{}"))],
    ["jsonl.gz", Buffer.from("no gzip")],
  ] as const;
  const ids: string[] = [];
  for (const [format, bytes] of files) {
    const id = await world.deliverFile(format, bytes);
    await world.database.query("insert into delivery_bodies (delivery_id, body) values ($1, $2)", [id, bytes]);
    await rm(world.context.pathInVault(id));
    ids.push(id);
  }
  const [lines = "", zipped = "", sealed = "", notAnArray = "", damaged = ""] = ids;
  const outcome = await ingestGroup(world.context, { deliveryIds: ids });
  t.deepEqual(outcome.loaded, [lines, zipped, sealed]);
  t.deepEqual(outcome.broken.map(({ deliveryId }) => deliveryId).toSorted(), [notAnArray, damaged].toSorted());
  t.deepEqual(await counts(world, lines), { batches: 2, records: 2, new: 2 });
  t.deepEqual(await counts(world, sealed), { batches: 1, records: 1, new: 1 });
  await writeFile(world.context.pathInVault("vault-mark"), "");
  t.like(await world.ingest(notAnArray), { state: "refused", refusalCode: "TX_DATA_ERROR" });
  t.like(await world.ingest(damaged), { state: "refused", refusalCode: "FILE_DAMAGED" });
});

test("whatever comes, files loaded together come to the same as each by itself", async (t) => {
  const [together, alone] = [await openLoading(t), await openLoading(t)];
  const worlds = [together, alone];
  const pick = (count: number) => fc.nat({ max: count - 1 });
  // Equal txids have equal contents: which one of two comes first is left open then.
  const record = fc.oneof(
    { weight: 8, arbitrary: fc.tuple(pick(3), pick(30)).map(([user, n]) => ({ user, n })) },
    { weight: 1, arbitrary: pick(3).map((user) => ({ user, n: -1 })) },
  );
  const line = fc.record({ reqId: pick(12), records: fc.array(record, { maxLength: 4 }) });
  const file = fc.record({ lines: fc.array(line, { minLength: 1, maxLength: 3 }), isDamaged: pick(12) });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(file, { minLength: 2, maxLength: 8 }), async (files) => {
      run += 1;
      const ids: string[][] = [[], []];
      for (const { lines, isDamaged } of files) {
        const text = lines
          .map(({ reqId, records }) => {
            const sent = records.map(({ user, n }) =>
              n < 0
                ? { uid: ["u1", "u2", "stranger"][user], type: "IMPORT_COMPLETED" }
                : transaction(["u1", "u2", "stranger"][user] ?? "", `${run}-${user}-${n}`),
            );
            return request(sent, `00000000-0000-4000-8000-${String(run * 100 + reqId).padStart(12, "0")}`);
          })
          .join("\n");
        const bytes = Buffer.from(isDamaged === 0 ? `${text}\n{` : `${text}\n`);
        for (const [place, world] of worlds.entries()) {
          const id = await world.deliverFile("jsonl", bytes);
          await world.database.query("insert into delivery_bodies (delivery_id, body) values ($1, $2)", [id, bytes]);
          ids[place]?.push(id);
        }
      }
      const { loaded } = await ingestGroup(together.context, { deliveryIds: ids[0] ?? [] });
      for (const id of ids[0] ?? []) if (!loaded.includes(id)) await together.ingest(id);
      for (const id of ids[1] ?? []) await alone.ingest(id);
      const [one, other] = await Promise.all(worlds.map((world, place) => outcomeOf(world, ids[place] ?? [])));
      t.deepEqual(one, other);
    }),
    runs(40),
  );
});

/** What is there of these deliveries; which one of two brought what both hold is left open. */
async function outcomeOf({ database }: LoadingWorld, ids: readonly string[]) {
  const { rows: ledger } = await database.query(
    `select users.bank_user_id, txid, amount
       from transactions
       join users on users.id = user_id
      order by 1, 2`,
  );
  const { rows: deliveries } = await database.query(
    `select state, batches, batches_refused, records, records_new + records_known as taken, records_conflicting,
            records_refused, records_waiting, markers,
            (select count(*) from delivery_problems where delivery_id = deliveries.id) as problems
       from deliveries
      where id = any($1::uuid[])
      order by position`,
    [ids],
  );
  const { rows: all } = await database.query(
    "select sum(records_new) as n, sum(records_known) as known from deliveries",
  );
  return { ledger, deliveries, all };
}

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
