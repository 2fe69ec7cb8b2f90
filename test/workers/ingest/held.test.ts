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
