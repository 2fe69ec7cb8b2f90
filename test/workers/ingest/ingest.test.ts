/** Sealed files, lines and requests load with everything that they say, each transaction once through any door. */
import { randomUUID } from "node:crypto";
import test from "ava";
import { chunkRecordsMax, problemsKeptMax } from "../../../config/limits.ts";
import { ingestDelivery } from "../../../workers/ingest/ingest.ts";
import { sealToken } from "../sealing.ts";
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

test("a sealed file loads, with everything that its records say", async (t) => {
  const world = await openLoading(t);
  const record = {
    ...transaction("u1", "t1", {
      description: "Tab\there, line\nthere, back\\slash, Ærø 😀",
      originalAmount: -1.675,
      originalCurrency: "EUR",
      merchant: {
        name: "Netflix",
        cid: "m1",
        address: "Street 1",
        city: "Amsterdam",
        postCode: "1011",
        country: "NL",
        mcc: 5968,
      },
    }),
    account: { id: "a1", name: "Lønkonto", iban: "DK50" },
    card: { id: "c1", pan4: "1234" },
  };
  const delivery = await world.load([record, { uid: "u2", type: "IMPORT_COMPLETED" }]);
  t.is(delivery.state, "loaded");
  t.deepEqual(countsOf(delivery), { batches: 1, records: 2, new: 1, markers: 1 });
  const { rows } = await world.database.query("select * from transactions");
  t.like(rows[0], {
    user_id: world.userIds[0],
    txid: "t1",
    booked_on: "2026-01-31",
    tx_time: "2026-01-31T10:00:00Z",
    raw_type: "CARD_PURCHASE",
    description: "Tab\there, line\nthere, back\\slash, Ærø 😀",
    amount: "-12.5",
    currency: "DKK",
    original_amount: "-1.675",
    original_currency: "EUR",
    merchant_name: "Netflix",
    merchant_cid: "m1",
    merchant_address: "Street 1",
    merchant_city: "Amsterdam",
    merchant_post_code: "1011",
    merchant_country: "NL",
    merchant_mcc: 5968,
    account_id: "a1",
    card_id: "c1",
    delivery_position: delivery.position,
  });
  t.deepEqual((await world.database.query("select user_id, id, name, iban from accounts")).rows, [
    { user_id: world.userIds[0], id: "a1", name: "Lønkonto", iban: "DK50" },
  ]);
  t.deepEqual((await world.database.query("select id, pan4, card_type from cards")).rows, [
    { id: "c1", pan4: "1234", card_type: null },
  ]);
  t.deepEqual(
    (await world.database.query("select user_id, delivery_id, delivery_position, applied_at from import_markers")).rows,
    [{ user_id: world.userIds[1], delivery_id: delivery.id, delivery_position: delivery.position, applied_at: null }],
  );
  t.deepEqual((await world.database.query("select user_id from changed_users order by 1")).rows, [
    { user_id: world.userIds[0] },
    { user_id: world.userIds[1] },
  ]);
  t.deepEqual((await world.database.query("select count(last_loaded_at) as n from users")).rows, [{ n: 2 }]);
});

test("a pushed request loads", async (t) => {
  const world = await openLoading(t);
  const delivery = await world.ingest(await world.deliverRequest(request(transactions("u1", 750))));
  t.is(delivery.state, "loaded");
  t.deepEqual(countsOf(delivery), { batches: 1, records: 750, new: 750 });
});

test("lines load, blank ones and a manifest between and behind them, compressed or not", async (t) => {
  const world = await openLoading(t);
  const lines = (prefix: string) => [
    request(transactions("u1", 3, prefix)),
    request([transaction("u2", `${prefix}x`)]),
  ];
  const plain = await world.ingest(
    await world.deliverFile("jsonl", `${lineFile(lines("a")).replace("\n", "\r\n\r\n  \n")}\n\n`),
  );
  t.deepEqual(countsOf(plain), { batches: 2, records: 4, new: 4 });
  const withManifest = await world.ingest(await world.deliverFile("jsonl", lineFile(lines("b"), true)));
  t.deepEqual(countsOf(withManifest), { batches: 2, records: 4, new: 4 });
  const compressed = await world.ingest(await world.deliverFile("jsonl.gz", gzipped(lineFile(lines("c"), true))));
  t.deepEqual(countsOf(compressed), { batches: 2, records: 4, new: 4 });
  const unfinished = await world.ingest(await world.deliverFile("jsonl", lineFile(lines("d")).trimEnd()));
  t.deepEqual(countsOf(unfinished), { batches: 2, records: 4, new: 4 });
});

test("the same records through another file and door are known", async (t) => {
  const world = await openLoading(t);
  const records = transactions("u1", 700);
  await world.load(records);
  const reformatted = JSON.stringify(records, null, 2)
    .replaceAll("-12.5", "-12.50")
    .replaceAll("T10:00:00Z", "T00:00:00");
  const again = await world.ingest(
    await world.deliverFile("jwe", sealToken(world.key, reformatted, { compress: false })),
  );
  t.deepEqual(countsOf(again), { batches: 1, records: 700, known: 700 });
  const pushed = await world.ingest(await world.deliverRequest(request([...records, transaction("u1", "another")])));
  t.deepEqual(countsOf(pushed), { batches: 1, records: 701, new: 1, known: 700 });
  t.is(await ledgerSize(world.database), 701);
});

test("a finished delivery is not loaded again", async (t) => {
  const world = await openLoading(t);
  const id = await world.deliverFile("jwe", sealToken(world.key, JSON.stringify(transactions("u1", 3))));
  const first = await world.ingest(id);
  t.deepEqual(await ingestDelivery(world.context, { deliveryId: id }), { state: "loaded" });
  t.deepEqual(await world.ingest(id), first);
});

test("the first content of a txid stays; other content is conflicting, within a file too", async (t) => {
  const world = await openLoading(t);
  const within = await world.load([
    transaction("u1", "t1"),
    transaction("u1", "t1"),
    transaction("u1", "t1", { amount: -1 }),
    transaction("u2", "t1", { amount: -2 }),
  ]);
  t.deepEqual(countsOf(within), { batches: 1, records: 4, new: 2, known: 1, conflicting: 1 });
  t.deepEqual(await problemsOf(world.database, within.id), [
    { line: 0, index: 2, field: "tx.txid", reason: "is loaded already with other content" },
  ]);
  const later = await world.load([
    transaction("u1", "t1", { amount: -1 }),
    transaction("u1", "t1"),
    transaction("u1", "t2"),
    transaction("u1", "t1", { amount: -1 }),
  ]);
  t.deepEqual(countsOf(later), { batches: 1, records: 4, new: 1, known: 1, conflicting: 2 });
  const { rows } = await world.database.query("select user_id, txid, amount from transactions order by 1, 2");
  t.deepEqual(rows, [
    { user_id: world.userIds[0], txid: "t1", amount: "-12.5" },
    { user_id: world.userIds[0], txid: "t2", amount: "-12.5" },
    { user_id: world.userIds[1], txid: "t1", amount: "-2" },
  ]);
});

test("known records do not make a user's figures out of date", async (t) => {
  const world = await openLoading(t);
  await world.load([transaction("u1", "t1"), transaction("u2", "t1")]);
  await world.database.query("delete from changed_users");
  await world.load([transaction("u1", "t1"), transaction("u2", "t2")]);
  t.deepEqual((await world.database.query("select user_id from changed_users")).rows, [{ user_id: world.userIds[1] }]);
});

test("bad records are refused one by one, and the good ones load", async (t) => {
  const world = await openLoading(t);
  await world.database.query("update users set deleted_at = now() where bank_user_id = 'u3'");
  const delivery = await world.load([
    transaction("u1", "t1"),
    transaction("nobody", "t2"),
    transaction("u3", "t3"),
    { uid: "u1", type: "TX" },
    7,
    transaction("u1", "t4", { amount: "1", currency: "x" }),
  ]);
  t.is(delivery.state, "loaded");
  t.deepEqual(countsOf(delivery), { batches: 1, records: 6, new: 1, refused: 5 });
  t.deepEqual(await problemsOf(world.database, delivery.id), [
    { line: 0, index: 1, field: "uid", reason: "is not a user of the partner" },
    { line: 0, index: 2, field: "uid", reason: "is not a user of the partner" },
    { line: 0, index: 3, field: "tx", reason: "is missing" },
    { line: 0, index: 4, field: "", reason: "is not an object" },
    { line: 0, index: 5, field: "tx.amount", reason: "is not a number" },
    { line: 0, index: 5, field: "tx.currency", reason: "is not three capital letters (ISO 4217)" },
  ]);
});

test("bad lines are refused one by one, and the good ones load", async (t) => {
  const world = await openLoading(t);
  const delivery = await world.ingest(
    await world.deliverFile(
      "jsonl",
      lineFile([
        request(transactions("u1", 2, "a")),
        "not JSON",
        JSON.stringify({ reqId: "1", txs: "x" }),
        JSON.stringify({ reqId: randomUUID(), txs: "x" }),
        request(transactions("u1", 751, "b")),
        JSON.stringify({ reqId: randomUUID(), txs: sealToken(world.key, "{}") }),
        "[".repeat(2_000_000),
        request([transaction("u1", "c"), 1]),
      ]),
    ),
  );
  t.is(delivery.state, "loaded");
  t.deepEqual(countsOf(delivery), { batches: 8, batchesRefused: 6, records: 755, new: 3, refused: 752 });
  t.deepEqual(await problemsOf(world.database, delivery.id), [
    { line: 2, index: -1, field: "", reason: "is not a TransactionsRequest" },
    { line: 3, index: -1, field: "reqId", reason: "is not a UUID" },
    { line: 4, index: -1, field: "txs", reason: "DECRYPTION_ERROR: cannot be decrypted" },
    { line: 5, index: -1, field: "txs", reason: "TX_DATA_ERROR: holds more than 750 records" },
    { line: 6, index: -1, field: "txs", reason: "TX_DATA_ERROR: is not a JSON array" },
    { line: 7, index: -1, field: "", reason: "is not a TransactionsRequest" },
    { line: 8, index: 1, field: "", reason: "is not an object" },
  ]);
});

test("a reqId means one content, whichever line, file or door it comes through", async (t) => {
  const world = await openLoading(t);
  const [known, twice] = [randomUUID(), randomUUID()];
  const first = await world.ingest(
    await world.deliverFile("jsonl", lineFile([request([transaction("u1", "t1")], known)])),
  );
  t.deepEqual(countsOf(first), { batches: 1, records: 1, new: 1 });
  const second = await world.ingest(
    await world.deliverFile(
      "jsonl",
      lineFile([
        request([transaction("u1", "t1")], known.toUpperCase()),
        request([transaction("u1", "t2"), transaction("u1", "t3")], known),
        request([transaction("u1", "t4")], twice),
        request([transaction("u1", "t5")], twice),
      ]),
    ),
  );
  t.deepEqual(countsOf(second), { batches: 4, batchesRefused: 2, records: 5, new: 1, known: 1, refused: 3 });
  t.deepEqual(await problemsOf(world.database, second.id), [
    { line: 2, index: -1, field: "reqId", reason: "was used before with other content" },
    { line: 4, index: -1, field: "reqId", reason: "was used before with other content" },
  ]);
});

test("a file longer than a chunk loads in several transactions", async (t) => {
  const world = await openLoading(t);
  const count = 2 * chunkRecordsMax + 5;
  const delivery = await world.load(transactions("u1", count));
  t.deepEqual(countsOf(delivery), { batches: 1, records: count, new: count });
  t.deepEqual(countsOf(await world.load(transactions("u1", count))), { batches: 1, records: count, known: count });
});

test("the problems kept of one delivery are bounded, their count is not", async (t) => {
  const world = await openLoading(t);
  const records = transactions("u1", 2000);
  await world.load(records);
  const conflicting = records.map((_, index) => transaction("u1", `t${index}`, { amount: 1 }));
  const delivery = await world.load([...Array.from({ length: 3 * problemsKeptMax }, () => 1), ...conflicting]);
  t.deepEqual(countsOf(delivery), {
    batches: 1,
    records: 3 * problemsKeptMax + 2000,
    refused: 3 * problemsKeptMax,
    conflicting: 2000,
  });
  t.is((await problemsOf(world.database, delivery.id)).length, problemsKeptMax);
});
