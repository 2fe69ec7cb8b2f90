/** A delivery's run, chunks, counts and end are noted so that no two loaders move it on. */
import { randomUUID } from "node:crypto";
import test from "ava";
import { inTransaction, type Transaction } from "../../src/database/database.ts";
import { hold } from "../../src/deliveries/held.ts";
import {
  addCounts,
  advance,
  findBody,
  findLoadable,
  yieldToWaiting,
  lockCheckpoint,
  type LoadCounts,
  noCounts,
  noteBytesLoaded,
  refuse,
  startLoad,
  lockDelivery,
  lockBetweenChunks,
} from "../../src/deliveries/progress.ts";
import { countProblems, keepProblems } from "../../src/deliveries/problems.ts";
import {
  deliveryRow,
  heldRange,
  lockedDeliveries,
  makesWait as transactionsWait,
  shareLedger,
  unasked,
} from "../ledger/world.ts";

const ledger = shareLedger();

const change = (id: string, assignments: string) =>
  ledger.database.query(`update deliveries set ${assignments} where id = $1`, [id]);
const within = <Result>(work: (transaction: Transaction) => Promise<Result>) => inTransaction(ledger.database, work);

test("a delivery is found as loading needs it", async (t) => {
  const { partnerId, delivery } = await ledger.party();
  const { id, position } = await delivery("accepted");
  t.deepEqual(await findLoadable(ledger.database, id), {
    id,
    position,
    partnerId,
    format: "jsonl",
    vaultReference: null,
    sizeBytes: 10,
    state: "accepted",
    refusalCode: null,
    acceptedAt: (await deliveryRow(ledger.database, id, "accepted_at")).accepted_at as Date,
    batches: 0,
    records: 0,
    revisitDue: false,
    settings: { signedBatches: "optional" },
  });
  await change(
    id,
    "state = 'loaded', vault_reference = 'v1', batches = 2, records = 3, records_new = 3, revisit_requested_at = now()",
  );
  t.like(await findLoadable(ledger.database, id), {
    state: "loaded",
    vaultReference: "v1",
    batches: 2,
    records: 3,
    revisitDue: true,
  });
  t.like(await findLoadable(ledger.database, (await delivery("refused")).id), {
    state: "refused",
    refusalCode: "LOAD_ABANDONED",
  });
  t.is(await findLoadable(ledger.database, randomUUID()), null);
});

test("the partner's settings are as they are now, but signing as it was at acceptance", async (t) => {
  const { partnerId, delivery } = await ledger.party();
  const [signed, unsigned] = [await delivery("accepted"), await delivery("accepted")];
  await change(signed.id, "signing_required = true");
  await ledger.database.query("update partners set settings = $2 where id = $1", [
    partnerId,
    { signedBatches: "optional", onConflict: "correct" },
  ]);
  t.deepEqual((await findLoadable(ledger.database, signed.id))?.settings, {
    signedBatches: "required",
    onConflict: "correct",
  });
  await ledger.database.query("update partners set settings = $2 where id = $1", [
    partnerId,
    { signedBatches: "required" },
  ]);
  t.deepEqual((await findLoadable(ledger.database, unsigned.id))?.settings, { signedBatches: "optional" });
});

test("the body of a pushed request is found, and of anything else there is none", async (t) => {
  const { delivery } = await ledger.party();
  const [one, other] = [await delivery("accepted"), await delivery("accepted")];
  await ledger.database.query("insert into delivery_bodies (delivery_id, body) values ($1, 'sealed')", [one.id]);
  t.deepEqual(await findBody(ledger.database, one.id), Buffer.from("sealed"));
  t.is(await findBody(ledger.database, other.id), null);
});

const runColumns = `state, breakdowns, retry_at, started_at > now() - interval '1 minute' as just_started,
  run_started_at > now() - interval '1 minute' as is_running, run_started_records`;

test("a run that begins is noted: the delivery is loading, and has broken down once more until progress is heard of", async (t) => {
  const { delivery } = await ledger.party();
  const [fresh, other] = [await delivery("accepted"), await delivery("accepted")];
  await change(fresh.id, "retry_at = now()");
  await startLoad(ledger.database, fresh.id);
  t.deepEqual(await deliveryRow(ledger.database, fresh.id, runColumns), {
    state: "loading",
    breakdowns: 1,
    retry_at: null,
    just_started: true,
    is_running: true,
    run_started_records: 0,
  });
  await change(
    fresh.id,
    "started_at = '2026-01-01T00:00:00Z', run_started_at = '2026-01-01T00:00:00Z', records = 4, records_new = 4",
  );
  await startLoad(ledger.database, fresh.id);
  t.deepEqual(await deliveryRow(ledger.database, fresh.id, runColumns), {
    state: "loading",
    breakdowns: 2,
    retry_at: null,
    just_started: false,
    is_running: true,
    run_started_records: 4,
  });
  t.like(await deliveryRow(ledger.database, other.id, runColumns), { state: "accepted", breakdowns: 0 });
});

test("no run begins with what is loaded or refused", async (t) => {
  const { delivery } = await ledger.party();
  for (const state of ["loaded", "refused"] as const) {
    const { id } = await delivery(state);
    await startLoad(ledger.database, id);
    t.like(await deliveryRow(ledger.database, id, runColumns), { state, breakdowns: 0 });
  }
});

type Work = (transaction: Transaction) => Promise<unknown>;
const makesWait = (first: Work, second: Work, meanwhile?: () => Promise<unknown>): Promise<boolean> =>
  transactionsWait(ledger.database, first, second, meanwhile);

test("whoever takes a delivery's turn and the loader's chunks wait for each other", async (t) => {
  const id = randomUUID();
  t.true(
    await makesWait(
      (one) => lockBetweenChunks(one, id),
      (other) => yieldToWaiting(other, id),
    ),
  );
  t.true(
    await makesWait(
      (one) => yieldToWaiting(one, id),
      (other) => lockBetweenChunks(other, id),
    ),
  );
  t.true(
    await makesWait(
      (one) => lockBetweenChunks(one, id),
      (other) => lockBetweenChunks(other, id),
    ),
  );
  t.false(
    await makesWait(
      (one) => yieldToWaiting(one, id),
      (other) => yieldToWaiting(other, id),
    ),
  );
  t.false(
    await makesWait(
      (one) => lockBetweenChunks(one, id),
      (other) => yieldToWaiting(other, randomUUID()),
    ),
  );
  t.false(
    await makesWait(
      (one) => yieldToWaiting(one, id),
      (other) => lockBetweenChunks(other, randomUUID()),
    ),
  );
});

test("taking a delivery takes its turn and then its row, and no other's", async (t) => {
  const { delivery } = await ledger.party();
  const [one, other] = [(await delivery("loading")).id, (await delivery("loading")).id];
  await within(async (transaction) => {
    await lockDelivery(transaction, one);
    t.deepEqual(await lockedDeliveries(ledger.database, [one, other]), [one]);
  });
  t.true(
    await makesWait(
      (first) => lockDelivery(first, one),
      (second) => yieldToWaiting(second, one),
    ),
  );
  const isFree = async () => t.deepEqual(await lockedDeliveries(ledger.database, [one]), []);
  t.true(
    await makesWait(
      (first) => yieldToWaiting(first, one),
      (second) => lockDelivery(second, one),
      isFree,
    ),
  );
});

const holding = (id: string, expected: { batches: number; records: number }) =>
  within((transaction) => lockCheckpoint(transaction, id, expected));

test("a checkpoint is held where the loader left it, until the transaction ends", async (t) => {
  const { delivery } = await ledger.party();
  const [one, other] = [(await delivery("loading")).id, (await delivery("loading")).id];
  await change(one, "batches = 2, records = 5, records_new = 5");
  await within(async (transaction) => {
    await lockCheckpoint(transaction, one, { batches: 2, records: 5 });
    t.deepEqual(await lockedDeliveries(ledger.database, [one, other]), [one]);
  });
  t.deepEqual(await lockedDeliveries(ledger.database, [one]), []);
});

test("a checkpoint that moved, or a delivery that is not loading, was overtaken", async (t) => {
  const { delivery } = await ledger.party();
  const { id } = await delivery("loading");
  await change(id, "batches = 2, records = 5, records_new = 5");
  for (const expected of [
    { batches: 1, records: 5 },
    { batches: 2, records: 4 },
    { batches: 0, records: 0 },
  ]) {
    await t.throwsAsync(holding(id, expected), { code: "LOAD_OVERTAKEN" });
  }
  await t.throwsAsync(holding((await delivery("accepted")).id, { batches: 0, records: 0 }), { code: "LOAD_OVERTAKEN" });
  await t.throwsAsync(holding(randomUUID(), { batches: 0, records: 0 }), { code: "LOAD_OVERTAKEN" });
});

test("a checkpoint is held after whoever waits for the delivery's turn", async (t) => {
  const { id } = await (await ledger.party()).delivery("loading");
  const isFree = async () => t.deepEqual(await lockedDeliveries(ledger.database, [id]), []);
  t.true(
    await makesWait(
      (first) => lockBetweenChunks(first, id),
      (second) => lockCheckpoint(second, id, { batches: 0, records: 0 }),
      isFree,
    ),
  );
});

const counts: LoadCounts = {
  batches: 1,
  batchesRefused: 2,
  records: 75,
  recordsNew: 11,
  recordsKnown: 12,
  recordsConflicting: 13,
  recordsCorrected: 3,
  recordsRefused: 14,
  recordsWaiting: 15,
  markers: 10,
};

const countColumns = `batches, batches_refused, records, records_new, records_known, records_conflicting, records_corrected, records_refused,
  records_waiting, markers, attempts, breakdowns, revisit_attempts`;

test("no counts are nothing", (t) => {
  t.deepEqual(noCounts, {
    batches: 0,
    batchesRefused: 0,
    records: 0,
    recordsNew: 0,
    recordsKnown: 0,
    recordsConflicting: 0,
    recordsCorrected: 0,
    recordsRefused: 0,
    recordsWaiting: 0,
    markers: 0,
  });
});

test("a chunk's counts are added each to its own, and what failed before is forgotten", async (t) => {
  const { delivery } = await ledger.party();
  const [one, other] = [(await delivery("loading")).id, (await delivery("loading")).id];
  await change(one, "attempts = 1, breakdowns = 2, revisit_attempts = 3");
  await within((transaction) => addCounts(transaction, one, counts));
  t.deepEqual(await deliveryRow(ledger.database, one, countColumns), {
    batches: 1,
    batches_refused: 2,
    records: 75,
    records_new: 11,
    records_known: 12,
    records_conflicting: 13,
    records_corrected: 3,
    records_refused: 14,
    records_waiting: 15,
    markers: 10,
    attempts: 0,
    breakdowns: 0,
    revisit_attempts: 0,
  });
  await within((transaction) => addCounts(transaction, one, { ...noCounts, recordsNew: 2, recordsWaiting: -2 }));
  await within((transaction) => addCounts(transaction, one, counts));
  t.like(await deliveryRow(ledger.database, one, countColumns), {
    batches: 2,
    batches_refused: 4,
    records: 150,
    records_new: 24,
    records_known: 24,
    records_conflicting: 26,
    records_corrected: 6,
    records_refused: 28,
    records_waiting: 28,
    markers: 20,
  });
  t.like(await deliveryRow(ledger.database, other, countColumns), { batches: 0, records: 0 });
});

const endColumns =
  "state, records, finished_at > now() - interval '1 minute' as is_finished, revisit_requested_at is not null as is_due";

test("a chunk moves the checkpoint, and the last one ends the load", async (t) => {
  const { delivery } = await ledger.party();
  const [one, other] = [(await delivery("loading")).id, (await delivery("loading")).id];
  await within((transaction) => advance(transaction, one, counts, false));
  t.deepEqual(await deliveryRow(ledger.database, one, endColumns), {
    state: "loading",
    records: 75,
    is_finished: null,
    is_due: false,
  });
  await within((transaction) => advance(transaction, one, counts, true));
  t.deepEqual(await deliveryRow(ledger.database, one, endColumns), {
    state: "loaded",
    records: 150,
    is_finished: true,
    is_due: false,
  });
  t.like(await deliveryRow(ledger.database, other, endColumns), { state: "loading", records: 0 });
});

test("a load that ends asks for a revisit when something of its own became due meanwhile", async (t) => {
  const { delivery } = await ledger.party();
  const [due, held, other] = [
    (await delivery("loading")).id,
    (await delivery("loading")).id,
    (await delivery("loading")).id,
  ];
  for (const id of [due, held]) await within((transaction) => hold(transaction, id, [heldRange()]));
  await ledger.database.query("update held_records set due = true where delivery_id = $1", [due]);
  for (const id of [due, held, other]) await within((transaction) => advance(transaction, id, noCounts, true));
  t.like(await deliveryRow(ledger.database, due, endColumns), { state: "loaded", is_due: true });
  t.like(await deliveryRow(ledger.database, held, endColumns), { state: "loaded", is_due: false });
  t.like(await deliveryRow(ledger.database, other, endColumns), { state: "loaded", is_due: false });
});

test("no more bytes are said to be loaded than landed", async (t) => {
  const { delivery } = await ledger.party();
  const [one, other] = [(await delivery("loading")).id, (await delivery("loading")).id];
  await within((transaction) => noteBytesLoaded(transaction, one, 4));
  t.deepEqual(await deliveryRow(ledger.database, one, "bytes_loaded"), { bytes_loaded: 4 });
  await within((transaction) => noteBytesLoaded(transaction, one, 12));
  t.deepEqual(await deliveryRow(ledger.database, one, "bytes_loaded"), { bytes_loaded: 10 });
  t.deepEqual(await deliveryRow(ledger.database, other, "bytes_loaded"), { bytes_loaded: 0 });
});

test("a load is refused with its reason while it is loading, and not otherwise", async (t) => {
  const { delivery } = await ledger.party();
  const [one, other, accepted] = [
    (await delivery("loading")).id,
    (await delivery("loading")).id,
    (await delivery("accepted")).id,
  ];
  const columns = "state, refusal_code, refusal_reason, finished_at > now() - interval '1 minute' as is_finished";
  await refuse(ledger.database, one, { code: "DECRYPTION_ERROR", reason: "It could not be opened." });
  await refuse(ledger.database, accepted, { code: "DECRYPTION_ERROR", reason: "It could not be opened." });
  t.deepEqual(await deliveryRow(ledger.database, one, columns), {
    state: "refused",
    refusal_code: "DECRYPTION_ERROR",
    refusal_reason: "It could not be opened.",
    is_finished: true,
  });
  t.like(await deliveryRow(ledger.database, other, columns), { state: "loading", is_finished: null });
  t.like(await deliveryRow(ledger.database, accepted, columns), { state: "accepted", is_finished: null });
});

test("problems are kept once, as they are said, and counted by delivery", async (t) => {
  const { delivery } = await ledger.party();
  const [one, other] = [(await delivery("loading")).id, (await delivery("loading")).id];
  await t.notThrowsAsync(keepProblems(unasked, one, []));
  const problem = { line: 3, index: 4, field: "amount", reason: "no number" };
  await within((transaction) => keepProblems(transaction, one, [problem, { ...problem, line: 5 }]));
  await within((transaction) => keepProblems(transaction, one, [problem, { ...problem, reason: "too long" }]));
  const { rows } = await ledger.database.query(
    "select line, index, field, reason from delivery_problems where delivery_id = $1 order by line, reason",
    [one],
  );
  t.deepEqual(rows, [problem, { ...problem, reason: "too long" }, { ...problem, line: 5 }]);
  t.is(await countProblems(ledger.database, one), 3);
  t.is(await countProblems(ledger.database, other), 0);
});
