/** A delivery that is to be read again is asked for, counted, held and given up on its own record. */
import test from "ava";
import { inTransaction } from "../../src/database/database.ts";
import { hold, markDue } from "../../src/deliveries/held.ts";
import { lockBetweenChunks } from "../../src/deliveries/progress.ts";
import { keepProblems } from "../../src/deliveries/problems.ts";
import {
  finishRevisit,
  forgiveAttempt,
  giveUpRevisit,
  giveUpWhenTried,
  lockLoaded,
  noteRevisited,
  requestRevisit,
  revisitAttemptsMax,
  startRevisit,
} from "../../src/deliveries/revisits.ts";
import { reopenRefused } from "../../src/deliveries/reopen.ts";
import { deliveryRow, lockedDeliveries, shareLedger, waitsFor } from "../ledger/world.ts";

const ledger = shareLedger();

const change = (id: string, assignments: string) =>
  ledger.database.query(`update deliveries set ${assignments} where id = $1`, [id]);

/** Holds two records of a delivery apart from each other; the first is due when asked. */
async function holdTwo(id: string, isFirstDue = false): Promise<void> {
  const range = (index: number, field: string) =>
    ({
      batch: 0,
      firstIndex: index,
      lastIndex: index,
      line: 1,
      kind: "refused",
      field,
      reason: "missing",
      records: 1,
    }) as const;
  await inTransaction(ledger.database, (transaction) => hold(transaction, id, [range(0, "txid"), range(5, "amount")]));
  if (isFirstDue) await markDue(ledger.database, id, "txid");
}

/** What is held of a delivery: how many ranges, and how many of them are due. */
async function heldOf(id: string): Promise<unknown> {
  const { rows } = await ledger.database.query(
    "select count(*) as held, count(*) filter (where due) as due from held_records where delivery_id = $1",
    [id],
  );
  return rows[0];
}

const columns = `state, revisit_requested_at > now() - interval '1 minute' as is_requested, revisit_attempts, revisit_refusal_code, revisit_refusal_reason,
  receipt_state`;

test("a revisit of a loaded delivery is asked for, with all its attempts before it", async (t) => {
  const { delivery } = await ledger.party();
  const [loaded, loading, other] = [
    (await delivery("loaded")).id,
    (await delivery("loading")).id,
    (await delivery("loaded")).id,
  ];
  await change(loaded, "revisit_attempts = 3");
  await change(loading, "revisit_attempts = 3");
  await requestRevisit(ledger.database, loaded);
  await requestRevisit(ledger.database, loading);
  t.like(await deliveryRow(ledger.database, loaded, columns), { is_requested: true, revisit_attempts: 0 });
  t.like(await deliveryRow(ledger.database, loading, columns), { is_requested: null, revisit_attempts: 3 });
  t.like(await deliveryRow(ledger.database, other, columns), { is_requested: null });
});

test("an attempt is counted when it begins, forgets why the last revisit was given up, and can be forgiven", async (t) => {
  const { delivery } = await ledger.party();
  const [one, other] = [(await delivery("loaded")).id, (await delivery("loaded")).id];
  await change(one, "revisit_attempts = 1, revisit_refusal_code = 'LOAD_ABANDONED', revisit_refusal_reason = 'Why.'");
  await change(other, "revisit_attempts = 1");
  await startRevisit(ledger.database, one);
  t.like(await deliveryRow(ledger.database, one, columns), {
    revisit_attempts: 2,
    revisit_refusal_code: null,
    revisit_refusal_reason: null,
  });
  for (const left of [1, 0, 0]) {
    await forgiveAttempt(ledger.database, one);
    t.like(await deliveryRow(ledger.database, one, columns), { revisit_attempts: left });
  }
  t.like(await deliveryRow(ledger.database, other, columns), { revisit_attempts: 1 });
});

test("a revisit that is given up leaves nothing due, and the receipt is to say why", async (t) => {
  const { delivery } = await ledger.party();
  const [one, other] = [(await delivery("loaded")).id, (await delivery("loaded")).id];
  for (const id of [one, other]) {
    await holdTwo(id, true);
    await change(id, "revisit_requested_at = now(), receipt_state = 'loaded'");
  }
  await giveUpRevisit(ledger.database, one, { code: "DECRYPTION_ERROR", reason: "The key is gone." });
  t.deepEqual(await deliveryRow(ledger.database, one, columns), {
    state: "loaded",
    is_requested: null,
    revisit_attempts: 0,
    revisit_refusal_code: "DECRYPTION_ERROR",
    revisit_refusal_reason: "The key is gone.",
    receipt_state: null,
  });
  t.deepEqual(await heldOf(one), { held: 2, due: 0 });
  t.like(await deliveryRow(ledger.database, other, columns), {
    is_requested: true,
    revisit_refusal_code: null,
    receipt_state: "loaded",
  });
  t.deepEqual(await heldOf(other), { held: 2, due: 1 });
});

test("a revisit is given up when it has failed five times, not before", async (t) => {
  t.is(revisitAttemptsMax, 5);
  const { id } = await (await ledger.party()).delivery("loaded");
  await change(id, "revisit_requested_at = now(), revisit_attempts = 4");
  await giveUpWhenTried(ledger.database, id);
  t.like(await deliveryRow(ledger.database, id, columns), { is_requested: true, revisit_refusal_code: null });
  for (const attempts of [5, 6]) {
    await change(
      id,
      `revisit_requested_at = now(), revisit_refusal_code = null, revisit_refusal_reason = null, revisit_attempts = ${attempts}`,
    );
    await giveUpWhenTried(ledger.database, id);
    t.like(await deliveryRow(ledger.database, id, columns), {
      is_requested: null,
      revisit_refusal_code: "LOAD_ABANDONED",
      revisit_refusal_reason: "Reading it again failed 5 times.",
    });
  }
});

test("another delivery's attempts give up nothing", async (t) => {
  const { delivery } = await ledger.party();
  const [one, other] = [(await delivery("loaded")).id, (await delivery("loaded")).id];
  await change(other, "revisit_attempts = 5");
  await giveUpWhenTried(ledger.database, one);
  t.like(await deliveryRow(ledger.database, one, columns), { revisit_refusal_code: null });
});

const holdOne = (id: string) => inTransaction(ledger.database, (transaction) => lockLoaded(transaction, id));

test("a loaded delivery is held until the transaction ends, and its receipt is due again", async (t) => {
  const { delivery } = await ledger.party();
  const [one, other] = [(await delivery("loaded")).id, (await delivery("loaded")).id];
  for (const id of [one, other]) await change(id, "receipt_state = 'loaded'");
  await inTransaction(ledger.database, async (transaction) => {
    await lockLoaded(transaction, one);
    t.deepEqual(await lockedDeliveries(ledger.database, [one, other]), [one]);
  });
  t.like(await deliveryRow(ledger.database, one, columns), { receipt_state: null });
  t.like(await deliveryRow(ledger.database, other, columns), { receipt_state: "loaded" });
});

test("a delivery that is loaded no more was overtaken", async (t) => {
  const { delivery } = await ledger.party();
  await t.throwsAsync(holdOne((await delivery("accepted")).id), { code: "LOAD_OVERTAKEN" });
  await t.throwsAsync(holdOne((await delivery("refused")).id), { code: "LOAD_OVERTAKEN" });
});

test("a loaded delivery is held after whoever waits for its turn", async (t) => {
  const { id } = await (await ledger.party()).delivery("loaded");
  const holder = await ledger.database.connect();
  t.teardown(() => holder.release());
  await holder.query("begin");
  await lockBetweenChunks(holder, id);
  const holding = holdOne(id);
  t.true(await waitsFor(ledger.database, holder, holding));
  t.deepEqual(await lockedDeliveries(ledger.database, [id]), []);
  await holder.query("commit");
  await holding;
});

test("a revisit ends when nothing is due any more", async (t) => {
  const { delivery } = await ledger.party();
  const [done, more, held, other] = [
    (await delivery("loaded")).id,
    (await delivery("loaded")).id,
    (await delivery("loaded")).id,
    (await delivery("loaded")).id,
  ];
  for (const id of [done, more, held, other])
    await change(id, "revisit_requested_at = now(), receipt_state = 'loaded'");
  await holdTwo(more, true);
  await holdTwo(held);
  const client = await ledger.database.connect();
  t.teardown(() => client.release());
  for (const id of [done, more, held]) await finishRevisit(client, id);
  t.like(await deliveryRow(ledger.database, done, columns), { is_requested: null, receipt_state: null });
  t.like(await deliveryRow(ledger.database, more, columns), { is_requested: true, receipt_state: "loaded" });
  t.like(await deliveryRow(ledger.database, held, columns), { is_requested: null, receipt_state: null });
  t.like(await deliveryRow(ledger.database, other, columns), { is_requested: true, receipt_state: "loaded" });
});

/** A delivery that was refused whole after three of its records, with what was said and held of it. */
async function refused(code: string): Promise<string> {
  const { id } = await (await ledger.party()).delivery("refused");
  await change(
    id,
    `refusal_code = '${code}', refusal_reason = 'Why.', finished_at = now(), attempts = 1, breakdowns = 2, retry_at = now(), bytes_loaded = 3,
     batches = 4, batches_refused = 5, records = 6, records_refused = 6`,
  );
  await inTransaction(ledger.database, (transaction) =>
    keepProblems(transaction, id, [{ line: 1, index: 0, field: "txid", reason: "missing" }]),
  );
  await holdTwo(id);
  return id;
}

const reopen = (id: string) => inTransaction(ledger.database, (transaction) => reopenRefused(transaction, id));

const problemsOf = async (id: string) =>
  (await ledger.database.query("select 1 from delivery_problems where delivery_id = $1", [id])).rowCount;

test("a delivery that was refused whole begins anew", async (t) => {
  const [one, other] = [await refused("DECRYPTION_ERROR"), await refused("DECRYPTION_ERROR")];
  const { position } = await deliveryRow(ledger.database, one, "position");
  t.true(await reopen(one));
  const all = `state, position, refusal_code, refusal_reason, finished_at, attempts, breakdowns, retry_at, bytes_loaded, batches, batches_refused, records,
    records_refused`;
  t.deepEqual(await deliveryRow(ledger.database, one, all), {
    state: "accepted",
    position,
    refusal_code: null,
    refusal_reason: null,
    finished_at: null,
    attempts: 0,
    breakdowns: 0,
    retry_at: null,
    bytes_loaded: 0,
    batches: 0,
    batches_refused: 0,
    records: 0,
    records_refused: 0,
  });
  t.deepEqual(await heldOf(one), { held: 0, due: 0 });
  t.is(await problemsOf(one), 0);
  t.like(await deliveryRow(ledger.database, other, all), { state: "refused", records: 6 });
  t.deepEqual(await heldOf(other), { held: 2, due: 0 });
  t.is(await problemsOf(other), 1);
});

test("what was given up, called off, partly loaded or never refused stays as it is", async (t) => {
  const partly = await refused("DECRYPTION_ERROR");
  await change(partly, "records = 7, records_new = 1");
  const loaded = await refused("DECRYPTION_ERROR");
  await change(loaded, "state = 'loaded', refusal_code = null");
  for (const id of [await refused("LOAD_ABANDONED"), await refused("LOAD_CANCELLED"), partly, loaded]) {
    const before = await deliveryRow(ledger.database, id, "*");
    t.false(await reopen(id));
    t.deepEqual(await deliveryRow(ledger.database, id, "*"), before);
    t.deepEqual(await heldOf(id), { held: 2, due: 0 });
    t.is(await problemsOf(id), 1);
  }
});

test("how far into its file it is stays where an attempt goes on, and begins anew where it is asked for anew", async (t) => {
  const { delivery } = await ledger.party();
  const { id } = await delivery("loaded");
  const bytes = async () =>
    (
      await ledger.database.query<{ bytes: number; records: number }>(
        "select revisit_bytes as bytes, revisit_records as records from deliveries where id = $1",
        [id],
      )
    ).rows[0];
  const note = (records: number, at: number) =>
    inTransaction(ledger.database, (transaction) => noteRevisited(transaction, id, { records, bytes: at }));
  await change(id, "size_bytes = 1000, revisit_bytes = 1000, revisit_started_at = now() - interval '1 hour'");
  await requestRevisit(ledger.database, id);
  await startRevisit(ledger.database, id);
  t.deepEqual(await bytes(), { bytes: 0, records: 0 });
  await note(20, 400);
  await startRevisit(ledger.database, id);
  t.deepEqual(await bytes(), { bytes: 400, records: 0 });
  // What was read ahead and lost with the killed attempt does not take it back.
  await note(20, 380);
  t.deepEqual(await bytes(), { bytes: 400, records: 20 });
  await holdTwo(id, true);
  const client = await ledger.database.connect();
  t.teardown(() => client.release());
  await finishRevisit(client, id);
  t.deepEqual(await bytes(), { bytes: 0, records: 20 });
});
