/** Records that wait or were refused load after their account or a fix, once, and the counts move with them. */
import { randomUUID } from "node:crypto";
import { chmod, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import test from "ava";
import { inTransaction } from "../../../src/database/database.ts";
import { markDue, summarizeHeld, toRanges } from "../../../src/deliveries/held.ts";
import { reopenRefused } from "../../../src/deliveries/reopen.ts";
import { giveUpWhenTried, requestRevisit, revisitAttemptsMax } from "../../../src/deliveries/revisits.ts";
import { findDelivery } from "../../../src/deliveries/deliveries.ts";
import { buildReceipt } from "../../../src/landing/receipt.ts";
import { openContext } from "../../../workers/context.ts";
import { ingestDelivery } from "../../../workers/ingest/ingest.ts";
import { addUser } from "../../parties.ts";
import fc, { runs } from "../../property.ts";
import { sealToken } from "../sealing.ts";
import {
  accountsCsv,
  countsOf,
  ledgerSize,
  lineFile,
  type LoadingWorld,
  openLoading,
  problemsOf,
  request,
  transaction,
  transactions,
  transactionsCsv,
} from "../world.ts";

test("a transaction waits for its account, says so, and loads when the account's user is named", async (t) => {
  const world = await openLoading(t);
  const early = await world.loadCsv(
    "transactions",
    transactionsCsv([
      { transaction_id: "t1", account_number: "later" },
      { transaction_id: "t2", account_number: "later" },
      { transaction_id: "t3", account_number: "never" },
    ]),
  );
  t.deepEqual(countsOf(early), { batches: 1, records: 3, waiting: 3 });
  t.deepEqual((await problemsOf(world.database, early.id))[0], {
    line: 2,
    index: 0,
    field: "account_number",
    reason: "waits until an accounts file names the account's user",
  });
  await world.loadCsv("accounts", accountsCsv({ later: "u1" }, ["u1"]));
  t.not((await findDelivery(world.database, early.id))?.revisitRequestedAt, null);
  const after = await world.ingest(early.id);
  t.deepEqual(countsOf(after), { batches: 1, records: 3, new: 2, waiting: 1 });
  t.is(after.revisitRequestedAt, null);
  t.is(after.receiptState, null);
  t.deepEqual(
    (await problemsOf(world.database, early.id)).map((problem) => (problem as { index: number }).index),
    [2],
  );
  t.is(await ledgerSize(world.database), 2);
  t.deepEqual(countsOf(await world.ingest(early.id)), { batches: 1, records: 3, new: 2, waiting: 1 });
});

test("no account number rests beside a waiting record", async (t) => {
  const world = await openLoading(t);
  await world.loadCsv(
    "transactions",
    transactionsCsv([{ transaction_id: "secret-tx", account_number: "secret-account" }]),
  );
  const { rows } = await world.database.query<{ all: string }>(
    "select concat(row_to_json(h), row_to_json(d), row_to_json(p)) as all from held_records h, deliveries d, delivery_problems p",
  );
  t.is(rows.length, 1);
  t.notRegex(rows[0]?.all ?? "", /secret/);
});

test("accounts and transactions that load side by side leave nothing waiting", async (t) => {
  const world = await openLoading(t);
  const other = openContext(world.settings);
  t.teardown(() => other.database.end());
  for (let round = 0; round < 10; round += 1) {
    const account = `a${round}`;
    const later = await world.deliverFile(
      "transactions.csv",
      sealToken(world.key, transactionsCsv([{ transaction_id: `t${round}`, account_number: account }])),
    );
    const accounts = await world.deliverFile("accounts.csv", sealToken(world.key, accountsCsv({ [account]: "u1" })));
    await Promise.all([
      ingestDelivery(world.context, { deliveryId: later }),
      ingestDelivery(other, { deliveryId: accounts }),
    ]);
    t.deepEqual(countsOf(await world.ingest(later)), { batches: 1, records: 1, new: 1 });
  }
});

test("refused records load after a fix, from exactly their positions, and counts move with them", async (t) => {
  const world = await openLoading(t);
  const delivery = await world.load([
    transaction("u1", "t1"),
    transaction("new", "t2"),
    7,
    transaction("new", "t3"),
    transaction("other", "t4"),
    transaction("new", "t3", { amount: 1 }),
  ]);
  t.deepEqual(countsOf(delivery), { batches: 1, records: 6, new: 1, refused: 5 });
  t.deepEqual(await summarizeHeld(world.database, delivery.id), [
    {
      kind: "refused",
      field: "uid",
      reason: "is not a user of the partner",
      records: 4,
      batches: 0,
      firstLine: 0,
      firstIndex: 1,
    },
    { kind: "refused", field: "", reason: "is not an object", records: 1, batches: 0, firstLine: 0, firstIndex: 2 },
  ]);
  await addUser(world.database, world.partnerId, "new");
  await world.database.query("delete from changed_users");
  t.deepEqual(countsOf(await release(world, delivery.id)), {
    batches: 1,
    records: 6,
    new: 3,
    conflicting: 1,
    refused: 2,
  });
  t.deepEqual(await problemsOf(world.database, delivery.id), [
    { line: 0, index: 2, field: "", reason: "is not an object" },
    { line: 0, index: 4, field: "uid", reason: "is not a user of the partner" },
    { line: 0, index: 5, field: "tx.txid", reason: "is loaded already with other content" },
  ]);
  t.is(await ledgerSize(world.database), 3);
  t.is((await world.database.query("select 1 from changed_users")).rowCount, 1);
  t.deepEqual(countsOf(await release(world, delivery.id)), {
    batches: 1,
    records: 6,
    new: 3,
    conflicting: 1,
    refused: 2,
  });
});

test("only the records with one problem can be released", async (t) => {
  const world = await openLoading(t);
  const delivery = await world.load([transaction("new", "t1"), 7]);
  await addUser(world.database, world.partnerId, "new");
  t.deepEqual(await markDue(world.database, delivery.id, "tx"), { ranges: 0, records: 0, batches: 0 });
  t.deepEqual(countsOf(await release(world, delivery.id, "uid")), { batches: 1, records: 2, new: 1, refused: 1 });
});

test("lines that were refused whole load after a fix, and their records are counted then", async (t) => {
  const world = await openLoading(t);
  const [used, key] = [randomUUID(), await world.database.query("select * from service_keys")];
  await world.ingest(await world.deliverFile("jsonl", lineFile([request([transaction("u1", "x")], used)])));
  await world.database.query("delete from service_keys");
  const lines = [request(transactions("u1", 3, "a")), "not JSON"];
  const unopened = await world.ingest(await world.deliverFile("jsonl", lineFile(lines)));
  t.deepEqual(countsOf(unopened), { batches: 2, batchesRefused: 2 });
  await world.database.query("insert into service_keys select * from json_populate_record(null::service_keys, $1)", [
    JSON.stringify(asJson(key.rows[0])),
  ]);
  t.deepEqual(countsOf(await release(world, unopened.id)), { batches: 2, batchesRefused: 1, records: 3, new: 3 });
  const conflicting = await world.ingest(
    await world.deliverFile(
      "jsonl",
      lineFile([request([transaction("u1", "y"), 7], used), request([transaction("nobody", "z")])]),
    ),
  );
  t.deepEqual(countsOf(conflicting), { batches: 2, batchesRefused: 1, records: 3, refused: 3 });
  await world.database.query("delete from requests where request_id = $1", [used]);
  await addUser(world.database, world.partnerId, "nobody");
  t.deepEqual(countsOf(await release(world, conflicting.id)), { batches: 2, records: 3, new: 2, refused: 1 });
  t.is((await world.database.query("select 1 from requests where request_id = $1", [used])).rowCount, 1);
  t.deepEqual(await problemsOf(world.database, conflicting.id), [
    { line: 1, index: 1, field: "", reason: "is not an object" },
  ]);
});

test("a file that was refused whole loads after a fix, from its beginning", async (t) => {
  const world = await openLoading(t, { allOrNothing: true });
  const refused = await world.load([transaction("u1", "t1"), transaction("new", "t2")]);
  t.like(refused, { state: "refused", recordsRefused: 2 });
  await addUser(world.database, world.partnerId, "new");
  t.true(await inTransaction(world.database, (transaction) => reopenRefused(transaction, refused.id)));
  const after = await world.ingest(refused.id);
  t.is(after.state, "loaded");
  t.deepEqual(countsOf(after), { batches: 1, records: 2, new: 2 });
  t.deepEqual(await problemsOf(world.database, refused.id), []);
  t.false(await inTransaction(world.database, (transaction) => reopenRefused(transaction, refused.id)));
});

test("a release that breaks off can go on, and be given up and asked for again", async (t) => {
  const world = await openLoading(t);
  const delivery = await world.load([transaction("new", "t1")]);
  await addUser(world.database, world.partnerId, "new");
  await world.database.query(`
    create function break() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
    create trigger break before insert on transactions for each row execute function break();`);
  await t.throwsAsync(release(world, delivery.id), { message: "broken" });
  for (let attempt = 2; attempt <= revisitAttemptsMax; attempt += 1) {
    await giveUpWhenTried(world.database, delivery.id);
    await t.throwsAsync(world.ingest(delivery.id), { message: "broken" });
  }
  await giveUpWhenTried(world.database, delivery.id);
  const givenUp = await world.ingest(delivery.id);
  t.like(givenUp, {
    revisitRequestedAt: null,
    revisitRefusalCode: "LOAD_ABANDONED",
    revisitRefusalReason: "Reading it again failed 5 times.",
  });
  t.deepEqual(countsOf(givenUp), { batches: 1, records: 1, refused: 1 });
  await world.database.query("drop trigger break on transactions");
  t.deepEqual(countsOf(await release(world, delivery.id)), { batches: 1, records: 1, new: 1 });
});

test("a release of what can no longer be decrypted says why, holds it all the same, and forgets the reason when it is asked for again", async (t) => {
  const world = await openLoading(t);
  const delivery = await world.loadCsv(
    "transactions",
    transactionsCsv([{ transaction_id: "t1", account_number: "later" }]),
  );
  const original = path.join(world.settings.vaultDirectory, delivery.vaultReference ?? "");
  const whole = await readFile(original);
  await chmod(original, 0o600);
  await writeFile(original, whole.subarray(0, whole.length - 4));
  await world.loadCsv("accounts", accountsCsv({ later: "u1" }, ["u1"]));
  const refused = await world.ingest(delivery.id);
  t.like(refused, {
    state: "loaded",
    revisitRequestedAt: null,
    revisitRefusalCode: "DECRYPTION_ERROR",
    receiptState: null,
  });
  t.deepEqual(countsOf(refused), { batches: 1, records: 1, waiting: 1 });
  t.like(await buildReceipt(world.database, refused), {
    revisitRefusal: { code: "DECRYPTION_ERROR", reason: refused.revisitRefusalReason ?? "" },
  });
  await writeFile(original, whole);
  const after = await release(world, delivery.id);
  t.deepEqual(countsOf(after), { batches: 1, records: 1, new: 1 });
  t.is(after.revisitRefusalCode, null);
});

test("records held in many chunks are released in many, each once", async (t) => {
  const world = await openLoading(t);
  const count = 45_000;
  const delivery = await world.load(
    Array.from({ length: count }, (_, n) => transaction(n % 3 === 0 ? "new" : "u1", `t${n}`)),
  );
  t.deepEqual(countsOf(delivery), { batches: 1, records: count, new: 30_000, refused: 15_000 });
  await addUser(world.database, world.partnerId, "new");
  t.deepEqual(countsOf(await release(world, delivery.id)), { batches: 1, records: count, new: count });
  t.is(await ledgerSize(world.database), count);
  t.is((await world.database.query("select 1 from held_records")).rowCount, 0);
});

test("records that wait among others load account by account, in many chunks, each once and as it is", async (t) => {
  const world = await openLoading(t);
  const count = 45_000;
  const accounts = ["a0", "a1", "a2"];
  const rows = Array.from({ length: count }, (_, n) => ({
    transaction_id: `t${n}`,
    account_number: accounts[n % 3] ?? "",
    // Such a row is read field by field, beside rows that are not.
    ...(n % 500 === 7 ? { description: 'Café "Åben"\nOslo', transaction_date: n === 7 ? "never" : "2026-01-31" } : {}),
  }));
  const delivery = await world.loadCsv("transactions", transactionsCsv(rows));
  t.deepEqual(countsOf(delivery), { batches: 1, records: count, refused: 1, waiting: count - 1 });
  // Each chunk's, before and behind the one that is refused; and each account once.
  t.is((await world.database.query("select 1 from held_records where kind = 'waiting'")).rowCount, 4);
  t.is((await world.database.query("select 1 from waiting_accounts")).rowCount, 3);
  t.is((await world.loadCsv("accounts", accountsCsv({ a0: "u1" }))).recordsNew, 1);
  t.deepEqual(countsOf(await world.ingest(delivery.id)), {
    batches: 1,
    records: count,
    new: 15_000,
    refused: 1,
    waiting: 29_999,
  });
  await world.loadCsv("accounts", accountsCsv({ a1: "u2", a2: "u3" }));
  const after = await world.ingest(delivery.id);
  t.deepEqual(countsOf(after), { batches: 1, records: count, new: count - 1, refused: 1 });
  t.is(after.revisitRequestedAt, null);
  t.is(after.revisitRecords, 29_999);
  t.true(after.revisitBytes > after.sizeBytes / 2 && after.revisitBytes <= after.sizeBytes, `${after.revisitBytes}`);
  const { rows: stored } = await world.database.query<{ user_id: number; n: number; sum: string }>(
    "select user_id, count(*) as n, sum(substr(txid, 2)::bigint % 3) as sum from transactions group by user_id order by user_id",
  );
  t.deepEqual(
    stored.map(({ user_id, n, sum }) => [user_id, n, Number(sum)]),
    [
      [world.userIds[0], 15_000, 0],
      [world.userIds[1], 14_999, 14_999],
      [world.userIds[2], 15_000, 30_000],
    ],
  );
  const odd = await world.database.query("select 1 from transactions where description = $1", ['Café "Åben"\nOslo']);
  t.is(odd.rowCount, 89);
  t.is((await world.database.query("select 1 from waiting_accounts")).rowCount, 0);
});

test("a release that breaks off between two chunks leaves each record in one place, and goes on with the others", async (t) => {
  const world = await openLoading(t);
  const count = 45_000;
  const accounts = ["a0", "a1", "a2"];
  const rows = Array.from({ length: count }, (_, n) => ({
    transaction_id: `t${n}`,
    account_number: accounts[n % 3] ?? "",
  }));
  const delivery = await world.loadCsv("transactions", transactionsCsv(rows));
  await world.loadCsv("accounts", accountsCsv({ a0: "u1", a1: "u2" }));
  await world.database.query(`
    create function break() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
    create trigger break before insert on transactions for each row when (new.txid = 't30000') execute function break();`);
  await t.throwsAsync(world.ingest(delivery.id), { message: "broken" });
  const placesHeld = async () =>
    (await world.database.query<{ sum: number }>("select coalesce(sum(records), 0)::bigint as sum from held_records"))
      .rows[0]?.sum;
  const broken = await findDelivery(world.database, delivery.id);
  const loaded = await ledgerSize(world.database);
  t.true(loaded > 0 && loaded < 30_000, `${loaded}`);
  t.like(broken, { recordsNew: loaded, recordsWaiting: count - loaded });
  t.not(broken?.revisitRequestedAt, null);
  t.is(await placesHeld(), count - loaded);
  await world.database.query("drop trigger break on transactions");
  const after = await world.ingest(delivery.id);
  t.deepEqual(countsOf(after), { batches: 1, records: count, new: 30_000, waiting: 15_000 });
  t.is(await ledgerSize(world.database), 30_000);
  t.is(await placesHeld(), 15_000);
  t.is((await world.database.query("select 1 from waiting_accounts where not released")).rowCount, 1);
  await world.loadCsv("accounts", accountsCsv({ a2: "u3" }));
  t.deepEqual(countsOf(await world.ingest(delivery.id)), { batches: 1, records: count, new: count });
  t.is((await world.database.query("select 1 from waiting_accounts")).rowCount, 0);
});

test("ranges cover exactly the positions that they were made of", (t) => {
  const place = fc.record({
    batch: fc.integer({ min: 0, max: 2 }),
    index: fc.integer({ min: 0, max: 12 }),
    field: fc.constantFrom("uid", "tx"),
  });
  fc.assert(
    fc.property(fc.uniqueArray(place, { selector: (one) => `${one.batch} ${one.index}` }), (places) => {
      const ranges = toRanges(
        places.map((one) => ({ ...one, line: 0, kind: "refused", reason: "r", records: 1, accountKey: null })),
      );
      const covered = ranges.flatMap((range) =>
        Array.from(
          { length: range.records },
          (_, offset) => `${range.batch} ${range.firstIndex + offset} ${range.field}`,
        ),
      );
      t.deepEqual(covered.toSorted(), places.map((one) => `${one.batch} ${one.index} ${one.field}`).toSorted());
    }),
  );
});

test("however users come to be, releasing leaves what loading after them would have", async (t) => {
  const world = await openLoading(t);
  const uid = fc.constantFrom("u1", "p", "q", "r");
  const line = fc.array(fc.oneof(fc.tuple(uid, fc.constantFrom("a", "b", "c")), fc.constant(null)), {
    minLength: 1,
    maxLength: 6,
  });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 4 }),
      fc.shuffledSubarray(["p", "q", "r"]),
      async (lines, created) => {
        run += 1;
        await world.database.query("truncate transactions");
        const name = (one: string) => (one === "u1" ? one : `${one}${run}`);
        const records = lines.map((all) => all.map((one) => (one === null ? 7 : transaction(name(one[0]), one[1]))));
        const delivery = await world.ingest(
          await world.deliverFile("jsonl", lineFile(records.map((all) => request(all)))),
        );
        let counts = countsOf(delivery);
        for (const user of created) {
          await addUser(world.database, world.partnerId, name(user));
          counts = countsOf(await release(world, delivery.id));
        }
        const loadable = lines.flat().filter((one) => one !== null && (one[0] === "u1" || created.includes(one[0])));
        const distinct = new Set(loadable.map(String)).size;
        t.deepEqual(
          [counts.new ?? 0, counts.known ?? 0, counts.refused ?? 0],
          [distinct, loadable.length - distinct, lines.flat().length - loadable.length],
        );
        t.is(await ledgerSize(world.database), distinct);
      },
    ),
    runs(20),
  );
});

async function release(world: LoadingWorld, deliveryId: string, field: string | null = null) {
  await markDue(world.database, deliveryId, field);
  await requestRevisit(world.database, deliveryId);
  return await world.ingest(deliveryId);
}

/** As json_populate_record reads a row. */
function asJson(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, Buffer.isBuffer(value) ? `\\x${value.toString("hex")}` : value]),
  );
}
