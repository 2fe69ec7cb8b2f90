/** A withdrawal's rows: what of each table leaves, comes back or is kept, and which deliveries can be withdrawn. */
import { randomUUID } from "node:crypto";
import test from "ava";
import { inTransaction } from "../../src/database/database.ts";
import { yieldToWaiting } from "../../src/deliveries/progress.ts";
import { countKnownElsewhere, withdraw } from "../../src/ledger/withdraw.ts";
import { addTransaction, deliveryRow, insert, lockedDeliveries, type Party, shareLedger, waitsFor } from "./world.ts";

const ledger = shareLedger();

const change = (id: string, assignments: string) =>
  ledger.database.query(`update deliveries set ${assignments} where id = $1`, [id]);

const takeBack = (id: string) => inTransaction(ledger.database, (transaction) => withdraw(transaction, id, "operator"));

/** Rows of users in one of the ledger's tables, as lists of these columns. */
async function rowsIn(table: string, columns: string, { userIds }: Party, order = columns): Promise<unknown[]> {
  const { rows } = await ledger.database.query<{ row: unknown[] }>(
    `select jsonb_build_array(${columns}) as row from ${table} where user_id = any($1) order by ${order}`,
    [userIds],
  );
  return rows.map(({ row }) => row);
}

test("deliveries can be withdrawn whatever became of them, unless they were refused whole or are withdrawn", async (t) => {
  const { delivery } = await ledger.party();
  for (const state of ["accepted", "loading", "loaded", "refused"] as const) {
    const { id } = await delivery(state);
    t.deepEqual(await takeBack(id), { transactions: 0, restored: 0, users: 0 }, state);
    t.is(await takeBack(id), null, state);
  }
  for (const [code, isWithdrawable] of [
    ["LOAD_CANCELLED", true],
    ["DECRYPTION_ERROR", false],
  ] as const) {
    const { id } = await delivery("refused");
    await change(id, `refusal_code = '${code}'`);
    t.is((await takeBack(id)) !== null, isWithdrawable, code);
  }
  t.is(await takeBack(randomUUID()), null);
});

test("a withdrawn delivery's row says so, and keeps when it was finished before", async (t) => {
  const party = await ledger.party();
  const [one, other, unfinished] = [
    await party.delivery("refused"),
    await party.delivery("loaded"),
    await party.delivery("accepted"),
  ];
  await change(one.id, "refusal_reason = 'Why.', receipt_state = 'refused', finished_at = '2026-01-01T00:00:00Z'");
  await change(
    other.id,
    "revisit_requested_at = now(), receipt_state = 'loaded', finished_at = '2026-01-01T00:00:00Z'",
  );
  for (const txid of ["a", "b"])
    await addTransaction(ledger.database, { user_id: party.userIds[0], txid, delivery_position: other.position });
  for (const { id } of [one, other, unfinished]) await takeBack(id);
  const columns = `state, refusal_code, refusal_reason, revisit_requested_at, receipt_state, withdrawn_at > now() - interval '1 minute' as is_now,
    finished_at = '2026-01-01T00:00:00Z' as is_finished_before, transactions_withdrawn`;
  const expected = {
    state: "withdrawn",
    refusal_code: null,
    refusal_reason: null,
    revisit_requested_at: null,
    receipt_state: null,
    is_now: true,
    is_finished_before: true,
    transactions_withdrawn: 0,
  };
  t.deepEqual(await deliveryRow(ledger.database, one.id, columns), expected);
  t.deepEqual(await deliveryRow(ledger.database, other.id, columns), { ...expected, transactions_withdrawn: 2 });
  t.deepEqual(await deliveryRow(ledger.database, unfinished.id, columns), { ...expected, is_finished_before: false });
});

test("a withdrawal waits for the delivery's chunk that is being loaded, and then holds the delivery", async (t) => {
  const { delivery } = await ledger.party();
  const { id } = await delivery("loading");
  const holder = await ledger.database.connect();
  t.teardown(() => holder.release());
  await holder.query("begin");
  await yieldToWaiting(holder, id);
  const withdrawing = inTransaction(ledger.database, async (transaction) => {
    await withdraw(transaction, id, "operator");
    return await lockedDeliveries(ledger.database, [id]);
  });
  t.true(await waitsFor(ledger.database, holder, withdrawing));
  t.deepEqual(await lockedDeliveries(ledger.database, [id]), []);
  await holder.query("commit");
  t.deepEqual(await withdrawing, [id]);
});

test("exactly what a delivery loaded leaves, whole, under its id and with who did it, and its users are due", async (t) => {
  const party = await ledger.party();
  const [u1, u2, u3] = party.userIds;
  const [one, other] = [await party.delivery("loaded"), await party.delivery("loaded")];
  const id = await addTransaction(ledger.database, {
    user_id: u2,
    txid: "a",
    amount: "-1.50",
    merchant_mcc: 5411,
    card_id: "c1",
    delivery_position: one.position,
  });
  await addTransaction(ledger.database, { user_id: u2, txid: "b", delivery_position: one.position });
  await addTransaction(ledger.database, { user_id: u1, txid: "a", delivery_position: one.position });
  await addTransaction(ledger.database, { user_id: u3, txid: "a", delivery_position: other.position });
  t.deepEqual(await takeBack(one.id), { transactions: 3, restored: 0, users: 2 });
  t.deepEqual(await rowsIn("transactions", "user_id, txid", party), [[u3, "a"]]);
  t.deepEqual(await rowsIn("withdrawn_transactions", "user_id, txid, delivery_id, actor", party), [
    [u1, "a", one.id, "operator"],
    [u2, "a", one.id, "operator"],
    [u2, "b", one.id, "operator"],
  ]);
  const whole = await rowsIn(
    "withdrawn_transactions",
    "id, amount::text, merchant_mcc, card_id, delivery_position",
    party,
  );
  t.deepEqual(
    whole.find((row) => (row as unknown[])[0] === id),
    [id, "-1.50", 5411, "c1", one.position],
  );
  t.deepEqual(await rowsIn("changed_users", "user_id", party), [[u1], [u2]]);
});

test("what a delivery had corrected comes back as it was accepted last before, under its id", async (t) => {
  const party = await ledger.party();
  const [u1, u2] = party.userIds;
  const deliveries = [
    await party.delivery("loaded"),
    await party.delivery("loaded"),
    await party.delivery("loaded"),
  ] as const;
  const [first, second, third] = deliveries.map((one) => one.position) as [number, number, number];
  const present = await addTransaction(ledger.database, {
    user_id: u1,
    txid: "a",
    amount: "3",
    delivery_position: third,
  });
  const version = (userId: number, txid: string, amount: string, position: number) =>
    addTransaction(
      ledger.database,
      { user_id: userId, txid, amount, delivery_position: position, id: present },
      "transaction_versions",
    );
  await version(u1, "a", "2", second);
  await version(u1, "a", "2.5", second);
  await version(u1, "a", "1", first);
  await version(u1, "b", "9", second);
  await version(u2, "a", "8", second);
  t.deepEqual(await takeBack(deliveries[2].id), { transactions: 1, restored: 1, users: 1 });
  t.deepEqual(await rowsIn("transactions", "user_id, txid, id, amount::text, delivery_position", party), [
    [u1, "a", present, "2.5", second],
  ]);
  t.deepEqual(await rowsIn("transaction_versions", "user_id, txid, amount::text", party), [
    [u1, "a", "1"],
    [u1, "a", "2"],
    [u1, "b", "9"],
    [u2, "a", "8"],
  ]);
});

test("a version that was never the ledger's own row gets an id when it comes back", async (t) => {
  const party = await ledger.party();
  const [u1] = party.userIds;
  const [first, second] = [await party.delivery("loaded"), await party.delivery("loaded")];
  const gone = await addTransaction(ledger.database, {
    user_id: u1,
    txid: "a",
    amount: "2",
    delivery_position: second.position,
  });
  await addTransaction(
    ledger.database,
    { user_id: u1, txid: "a", amount: "1", delivery_position: first.position, id: null },
    "transaction_versions",
  );
  t.deepEqual(await takeBack(second.id), { transactions: 1, restored: 1, users: 1 });
  const [[id, amount] = []] = (await rowsIn("transactions", "id, amount::text", party)) as [number, string][];
  t.is(amount, "1");
  t.true(Number(id) > 0 && id !== gone);
});

test("a delivery's own versions are history no more, and the present content of another delivery stays", async (t) => {
  const party = await ledger.party();
  const [u1] = party.userIds;
  const [first, second] = [await party.delivery("loaded"), await party.delivery("loaded")];
  const id = await addTransaction(ledger.database, {
    user_id: u1,
    txid: "a",
    amount: "2",
    delivery_position: second.position,
  });
  await addTransaction(
    ledger.database,
    { user_id: u1, txid: "a", amount: "1", delivery_position: first.position, id },
    "transaction_versions",
  );
  await addTransaction(
    ledger.database,
    { user_id: u1, txid: "a", amount: "0", delivery_position: second.position, id },
    "transaction_versions",
  );
  t.deepEqual(await takeBack(first.id), { transactions: 0, restored: 0, users: 0 });
  t.deepEqual(await rowsIn("transactions", "id, amount::text", party), [[id, "2"]]);
  t.deepEqual(await rowsIn("transaction_versions", "amount::text", party), [["0"]]);
  t.deepEqual(await rowsIn("withdrawn_transactions", "id, amount::text, delivery_id, actor", party), [
    [id, "1", first.id, "operator"],
  ]);
});

test("what an earlier withdrawal took is not brought back by another one", async (t) => {
  const party = await ledger.party();
  const [u1] = party.userIds;
  const [first, second, third] = [
    await party.delivery("loaded"),
    await party.delivery("loaded"),
    await party.delivery("loaded"),
  ];
  await addTransaction(ledger.database, { user_id: u1, txid: "a", delivery_position: first.position });
  await takeBack(first.id);
  await addTransaction(
    ledger.database,
    { user_id: u1, txid: "a", delivery_position: second.position },
    "transaction_versions",
  );
  t.deepEqual(await takeBack(third.id), { transactions: 0, restored: 0, users: 0 });
  t.deepEqual(await rowsIn("transactions", "txid", party), []);
});

test("a withdrawn delivery's reqIds, waiting markers, held records and mappings are forgotten, and no other's", async (t) => {
  const party = await ledger.party();
  const [u1, u2] = party.userIds;
  const [one, other] = [await party.delivery("loaded"), await party.delivery("loaded")];
  for (const [number, { id, position }] of [one, other].entries()) {
    await ledger.database.query(
      "insert into requests (partner_id, request_id, content_sha256, delivery_id) values ($1, $2, 'x', $3)",
      [party.partnerId, randomUUID(), id],
    );
    await insert(ledger.database, "import_markers", { user_id: u1, delivery_id: id, delivery_position: position });
    await insert(ledger.database, "import_markers", {
      user_id: u2,
      delivery_id: id,
      delivery_position: position,
      applied_at: "2026-01-01T00:00:00Z",
    });
    await insert(ledger.database, "held_records", {
      delivery_id: id,
      batch: 0,
      first_index: 0,
      last_index: 0,
      line: 1,
      kind: "refused",
      field: "txid",
      reason: "missing",
      records: 1,
    });
    await insert(ledger.database, "account_owners", {
      partner_id: party.partnerId,
      bank_id: "b1",
      account_number: `a${number}`,
      user_id: u1,
      delivery_position: position,
    });
  }
  await takeBack(one.id);
  const left = async (table: string) =>
    (
      await ledger.database.query<{ delivery_id: string }>(
        `select delivery_id from ${table} where delivery_id = any($1)`,
        [[one.id, other.id]],
      )
    ).rows.map((row) => row.delivery_id);
  t.deepEqual(await left("requests"), [other.id]);
  t.deepEqual(await left("held_records"), [other.id]);
  t.deepEqual(await rowsIn("import_markers", "user_id, delivery_position", party), [
    [u1, other.position],
    [u2, one.position],
    [u2, other.position],
  ]);
  t.deepEqual(await rowsIn("account_owners", "account_number", party), [["a1"]]);
});

test("other deliveries of the partner count that knew records since a withdrawn one began, loading ones too", async (t) => {
  const party = await ledger.party();
  const others = await ledger.party();
  const { id } = await party.delivery("loaded");
  const knowing = "records = 1, records_known = 1, finished_at = '2026-06-01T12:00:01Z'";
  await change(id, `started_at = '2026-06-01T12:00:00Z', ${knowing}`);
  t.is(await countKnownElsewhere(ledger.database, id), 0);
  await change((await others.delivery("loaded")).id, knowing);
  await change((await party.delivery("refused")).id, knowing);
  await change(
    (await party.delivery("loaded")).id,
    "records = 1, records_new = 1, finished_at = '2026-06-01T12:00:01Z'",
  );
  await change(
    (await party.delivery("loaded")).id,
    "records = 1, records_known = 1, finished_at = '2026-06-01T12:00:00Z'",
  );
  t.is(await countKnownElsewhere(ledger.database, id), 0);
  await change((await party.delivery("loaded")).id, knowing);
  await change((await party.delivery("loaded")).id, knowing);
  await change((await party.delivery("loading")).id, "records = 1, records_known = 1");
  t.is(await countKnownElsewhere(ledger.database, id), 3);
  t.is(await countKnownElsewhere(ledger.database, randomUUID()), 0);
});
