/** An account that a user took away is out of every read until a batch accepted later brings it back. */
import test from "ava";
import { inTransaction } from "../../src/database/database.ts";
import { keepAccounts, removedSince, usersRegaining } from "../../src/ledger/account-access.ts";
import { type BalanceObservation, putBalances } from "../../src/ledger/holdings.ts";
import { readHistory } from "../../src/ledger/history.ts";
import { listDebited } from "../../src/ledger/listing.ts";
import { findTxid } from "../../src/recognition/alerts.ts";
import { type LoadingWorld, openLoading, transaction } from "../workers/world.ts";
import { sealToken } from "../workers/sealing.ts";
import { insert, type Party, shareLedger, unasked, waitsFor } from "./world.ts";

const ledger = shareLedger();

const everything = { from: "1900-01-01", to: "2199-12-31", limit: 100 };

/** A record of u1 on an account. */
function paid(txid: string, accountId: string): object {
  return { ...transaction("u1", txid), account: { id: accountId, name: `Account ${accountId}`, iban: "" } };
}

function keep(world: LoadingWorld, ...ids: string[]): Promise<number> {
  return inTransaction(world.database, (client) =>
    keepAccounts(client, { id: world.userIds[0]!, partnerId: world.partnerId }, ids),
  );
}

/** The txids that every read of the ledger tells of u1, in order. */
async function seen(world: LoadingWorld): Promise<string[]> {
  const userId = world.userIds[0]!;
  const history = (await readHistory(world.database, [userId])).get(userId) ?? [];
  const listed = await listDebited(world.database, userId, everything);
  if (history.length !== listed.length) throw new Error("history and list differ");
  return history.map(({ txid }) => txid).toSorted();
}

async function changedUsers(world: LoadingWorld): Promise<number> {
  return (await world.database.query("select 1 from changed_users")).rowCount ?? 0;
}

test("an account that is not kept leaves every read at once, and its user is due", async (t) => {
  const world = await openLoading(t);
  await world.load([paid("a1", "a"), paid("b1", "b"), transaction("u1", "none")]);
  await world.database.query("delete from changed_users");
  t.is(await keep(world, "a"), 1);
  t.deepEqual(await seen(world), ["a1", "none"]);
  t.is(await findTxid(world.database, world.userIds[0]!, "b1", "2026-06-01"), null);
  t.is(await changedUsers(world), 1);
  t.is(await keep(world, "a"), 0);
});

test("keeping an account again does not bring it back", async (t) => {
  const world = await openLoading(t);
  await world.load([paid("a1", "a"), paid("b1", "b")]);
  await keep(world, "a");
  await keep(world, "a", "b");
  t.deepEqual(await seen(world), ["a1"]);
});

test("a batch accepted before the removal stays out of sight, whether its account was known or not", async (t) => {
  const world = await openLoading(t);
  await world.load([paid("a1", "a"), paid("b1", "b")]);
  const onTheWay = await world.deliverFile(
    "jwe",
    sealToken(world.key, JSON.stringify([paid("a2", "a"), paid("b2", "b"), paid("c2", "c"), paid("d2", "d")])),
  );
  await keep(world, "a", "d");
  await world.ingest(onTheWay);
  t.deepEqual(await seen(world), ["a1", "a2", "d2"]);
});

test("a batch accepted after the removal brings the account back, with known records too", async (t) => {
  const world = await openLoading(t);
  await world.load([paid("a1", "a"), paid("b1", "b")]);
  await keep(world, "a");
  await world.database.query("delete from changed_users");
  await world.load([paid("b1", "b")]);
  t.deepEqual(await seen(world), ["a1", "b1"]);
  t.is(await changedUsers(world), 1);
});

test("a load that begins before a removal and ends after it leaves nothing in sight", async (t) => {
  const world = await openLoading(t);
  await world.load([paid("a1", "a")]);
  const delivery = await world.deliverFile("jwe", sealToken(world.key, JSON.stringify([paid("b1", "b")])));
  const client = await world.database.connect();
  await client.query("begin");
  await keepAccounts(client, { id: world.userIds[0]!, partnerId: world.partnerId }, ["a"]);
  const loading = world.ingest(delivery);
  await waiting(world);
  await client.query("commit");
  client.release();
  await loading;
  t.deepEqual(await seen(world), ["a1"]);
});

/** Until a session waits for another one's lock. */
async function waiting(world: LoadingWorld): Promise<void> {
  for (;;) {
    const { rowCount } = await world.database.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rowCount) return;
  }
}

type Account = { id: string; name: string; balance: string | null; observed: string | null };

async function accounts(world: LoadingWorld): Promise<Account[]> {
  const { rows } = await world.database.query<Account>(
    `select id, name, balance::text, to_char(balance_observed_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as observed from accounts order by id`,
  );
  return rows;
}

function observation(accountId: string, balance: string, observedTime: string, accountName: string | null = null) {
  return { accountId, accountName, balance, observedTime };
}

test("balances and given names overwrite, missing accounts are created, and the history is kept", async (t) => {
  const world = await openLoading(t);
  const user = world.userIds[0]!;
  await world.load([paid("a1", "a")]);
  await putBalances(world.database, user, "Europe/Copenhagen", [
    observation("a", "100.10", "2026-06-01T12:00:00"),
    observation("n", "-5.00", "2026-06-01T12:00:00Z", "New"),
  ]);
  await putBalances(world.database, user, "Europe/Copenhagen", [
    observation("a", "90.00", "2026-06-02T00:00:00+02:00", "Salary"),
  ]);
  t.deepEqual(await accounts(world), [
    { id: "a", name: "Salary", balance: "90.00", observed: "2026-06-01 22:00" },
    { id: "n", name: "New", balance: "-5.00", observed: "2026-06-01 12:00" },
  ]);
  t.is((await world.database.query("select 1 from account_balances where account_id = 'a'")).rowCount, 2);
});

test("an older observation joins the history and leaves the present balance", async (t) => {
  const world = await openLoading(t);
  const user = world.userIds[0]!;
  await putBalances(world.database, user, "UTC", [observation("a", "2.00", "2026-06-02T00:00:00Z")]);
  await putBalances(world.database, user, "UTC", [observation("a", "1.00", "2026-06-01T00:00:00Z")]);
  t.deepEqual(await accounts(world), [{ id: "a", name: "a", balance: "2.00", observed: "2026-06-02 00:00" }]);
  t.is((await world.database.query("select 1 from account_balances")).rowCount, 2);
});

test("a balance does not bring a removed account back", async (t) => {
  const world = await openLoading(t);
  await world.load([paid("a1", "a")]);
  await keep(world);
  await putBalances(world.database, world.userIds[0]!, "UTC", [observation("a", "2.00", "2026-06-02T00:00:00Z")]);
  t.deepEqual(await seen(world), []);
});

const review = (userId: number, position: number, kept: string[], reviewedAt = "2026-06-01T00:00:00Z") =>
  ledger.database.query("insert into account_reviews (user_id, position, kept, reviewed_at) values ($1, $2, $3, $4)", [
    userId,
    position,
    kept,
    reviewedAt,
  ]);

async function removals(...userIds: number[]): Promise<unknown[]> {
  const { rows } = await ledger.database.query<{ row: unknown[] }>(
    "select jsonb_build_array(user_id, id, removed_after) as row from accounts where user_id = any($1) order by user_id, id",
    [userIds],
  );
  return rows.map(({ row }) => row);
}

const keepOnly = ({ partnerId, userIds }: Party, ...ids: string[]) =>
  inTransaction(ledger.database, (client) => keepAccounts(client, { id: userIds[0], partnerId }, ids));

test("what is not kept is removed as of the partner's last delivery, and what the user kept is remembered", async (t) => {
  const [party, other] = [await ledger.party(), await ledger.party()];
  const [u1, u2] = party.userIds;
  await party.delivery("loaded");
  const { position } = await party.delivery("accepted");
  await other.delivery("accepted");
  await review(u2, position + 100, []);
  for (const [userId, id, removedAfter] of [
    [u1, "a", null],
    [u1, "b", null],
    [u1, "c", 1],
    [u1, "d", null],
    [u2, "b", null],
  ] as const) {
    await insert(ledger.database, "accounts", { user_id: userId, id, name: "", iban: "", removed_after: removedAfter });
  }
  t.is(await keepOnly(party, "a"), 2);
  t.deepEqual(await removals(u1, u2), [
    [u1, "a", null],
    [u1, "b", position],
    [u1, "c", 1],
    [u1, "d", position],
    [u2, "b", null],
  ]);
  const { rows } = await ledger.database.query("select position, kept from account_reviews where user_id = $1", [u1]);
  t.deepEqual(rows, [{ position, kept: ["a"] }]);
  t.is((await ledger.database.query("select 1 from changed_users where user_id = $1", [u1])).rowCount, 1);
});

test("a partner that has delivered nothing removes as of the beginning, and a removal is never older than one before", async (t) => {
  const [empty, party] = [await ledger.party(), await ledger.party()];
  await insert(ledger.database, "accounts", { user_id: empty.userIds[0], id: "a", name: "", iban: "" });
  t.is(await keepOnly(empty), 1);
  t.deepEqual(await removals(empty.userIds[0]), [[empty.userIds[0], "a", 0]]);
  const { position } = await party.delivery("accepted");
  await review(party.userIds[0], position + 5, []);
  await insert(ledger.database, "accounts", { user_id: party.userIds[0], id: "a", name: "", iban: "" });
  await keepOnly(party);
  t.deepEqual(await removals(party.userIds[0]), [[party.userIds[0], "a", position + 5]]);
});

test("a loader that has the user in hand is waited for before anything is judged", async (t) => {
  const party = await ledger.party();
  const holder = await ledger.database.connect();
  t.teardown(() => holder.release());
  await holder.query("begin");
  await insert(holder, "changed_users", { user_id: party.userIds[0] });
  const keeping = keepOnly(party);
  t.true(await waitsFor(ledger.database, holder, keeping));
  await insert(holder, "accounts", { user_id: party.userIds[0], id: "new", name: "", iban: "" });
  await holder.query("commit");
  t.is(await keeping, 1);
});

test("users regain what a delivery names that was accepted after the removal", async (t) => {
  const {
    userIds: [u1, u2, u3],
  } = await ledger.party();
  for (const [userId, id, removedAfter] of [
    [u1, "a", 9],
    [u1, "b", 9],
    [u2, "a", 10],
    [u3, "a", null],
    [u3, "b", 5],
  ] as const) {
    await insert(ledger.database, "accounts", { user_id: userId, id, name: "", iban: "", removed_after: removedAfter });
  }
  const regaining = (userIds: number[], ids: string[]) =>
    inTransaction(ledger.database, (client) => usersRegaining(client, userIds, ids, 10));
  t.deepEqual(await regaining([u3, u1, u2, u1, u3], ["b", "b", "a", "a", "a"]), [u1, u3]);
  t.deepEqual(await regaining([u2, u3, u3], ["a", "a", "c"]), []);
  t.deepEqual(await usersRegaining(unasked, [], [], 10), []);
});

test("users who regain something are told ascending, however the database finds them", async (t) => {
  const {
    userIds: [u1, u2, u3],
  } = await ledger.party();
  const {
    userIds: [u4, u5, u6],
  } = await ledger.party();
  const all = [u5, u2, u6, u1, u4, u3];
  for (const userId of all)
    await insert(ledger.database, "accounts", { user_id: userId, id: "a", name: "", iban: "", removed_after: 9 });
  const found = await inTransaction(ledger.database, async (client) => {
    await client.query("set local enable_sort = off");
    return await usersRegaining(
      client,
      all,
      all.map(() => "a"),
      10,
    );
  });
  t.deepEqual(found, [u1, u2, u3, u4, u5, u6]);
});

test("accounts that were not kept since a moment are told, known ones or not", async (t) => {
  const {
    userIds: [u1, u2],
  } = await ledger.party();
  await review(u1, 1, ["kept"], "2026-06-01T00:00:00Z");
  await review(u1, 2, ["kept", "keptLast"], "2026-06-03T00:00:00Z");
  await review(u2, 3, [], "2026-06-05T00:00:00Z");
  const removed = async (since: string) =>
    [...(await removedSince(ledger.database, u1, ["kept", "keptLast", "other"], new Date(since)))].toSorted();
  t.deepEqual(await removed("2026-06-01T00:00:00Z"), ["keptLast", "other"]);
  t.deepEqual(await removed("2026-06-01T00:00:01Z"), ["other"]);
  t.deepEqual(await removed("2026-06-03T00:00:00Z"), ["other"]);
  t.deepEqual(await removed("2026-06-03T00:00:01Z"), []);
});

const put = (userId: number, zone: string, ...observations: BalanceObservation[]) =>
  putBalances(ledger.database, userId, zone, observations);

test("a time without an offset is in the brand's zone, and an offset counts however it is written", async (t) => {
  const {
    userIds: [u1],
  } = await ledger.party();
  const times: Record<string, string> = {
    "2026-06-01T12:00:00": "2026-06-01 10:00",
    "2026-06-01 12:00": "2026-06-01 10:00",
    "2026-06-01": "2026-05-31 22:00",
    "2026-06-01T12:00:00Z": "2026-06-01 12:00",
    "2026-06-01t12:00:00z": "2026-06-01 12:00",
    "2026-06-01T12:00:00.5+05:30": "2026-06-01 06:30",
    "2026-06-01 12:00:00-0500": "2026-06-01 17:00",
    "2026-01-01T12:00:00": "2026-01-01 11:00",
  };
  await put(u1, "Europe/Copenhagen", ...Object.keys(times).map((time) => observation(time, "1", time)));
  const { rows } = await ledger.database.query<{ id: string; at: string }>(
    "select id, to_char(balance_observed_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as at from accounts where user_id = $1",
    [u1],
  );
  t.deepEqual(Object.fromEntries(rows.map(({ id, at }) => [id, at])), times);
});

async function balances(userId: number): Promise<unknown[]> {
  const { rows } = await ledger.database.query<{ row: unknown[] }>(
    `select jsonb_build_array(id, name, iban, balance::text, to_char(balance_observed_at at time zone 'UTC', 'DD HH24:MI'), removed_after) as row
       from accounts where user_id = $1 order by id`,
    [userId],
  );
  return rows.map(({ row }) => row);
}

test("of a user's account the balance and a given name change, and nothing else", async (t) => {
  const {
    userIds: [u1, u2],
  } = await ledger.party();
  for (const id of ["named", "removed"]) {
    await insert(ledger.database, "accounts", {
      user_id: u1,
      id,
      name: "Salary",
      iban: "DK50",
      removed_after: id === "removed" ? 7 : null,
    });
  }
  await insert(ledger.database, "accounts", { user_id: u2, id: "named", name: "Theirs", iban: "DK51" });
  await put(
    u1,
    "UTC",
    observation("removed", "1", "2026-06-01T00:00Z"),
    observation("named", "2.50", "2026-06-01T00:00Z", "Savings"),
  );
  t.deepEqual(await balances(u1), [
    ["named", "Savings", "DK50", "2.50", "01 00:00", null],
    ["removed", "Salary", "DK50", "1", "01 00:00", 7],
  ]);
  t.deepEqual(await balances(u2), [["named", "Theirs", "DK51", null, null, null]]);
});

test("the latest observation is the present one, and of equally late ones the one that came last", async (t) => {
  const {
    userIds: [u1],
  } = await ledger.party();
  await put(u1, "UTC", observation("a", "1", "2026-06-02T00:00Z", "Name"));
  await put(u1, "UTC", observation("a", "2", "2026-06-02T00:00Z"));
  t.deepEqual(await balances(u1), [["a", "Name", "", "2", "02 00:00", null]]);
  await put(u1, "UTC", observation("a", "3", "2026-06-01T23:59Z"));
  t.deepEqual(await balances(u1), [["a", "Name", "", "2", "02 00:00", null]]);
  await put(u1, "UTC", observation("a", "4", "2026-06-02T00:01Z"));
  t.deepEqual(await balances(u1), [["a", "Name", "", "4", "02 00:01", null]]);
  const { rows } = await ledger.database.query<{ row: string }>(
    `select account_id || ' ' || balance || ' ' || to_char(observed_at at time zone 'UTC', 'DD HH24:MI') as row from account_balances
      where user_id = $1 order by id`,
    [u1],
  );
  t.deepEqual(
    rows.map(({ row }) => row),
    ["a 1 02 00:00", "a 2 02 00:00", "a 3 01 23:59", "a 4 02 00:01"],
  );
});

test("balances go in by account, whatever order they are told in", async (t) => {
  const {
    userIds: [u1],
  } = await ledger.party();
  await put(u1, "UTC", ...["c", "a", "b"].map((id) => observation(id, "1", "2026-06-01T00:00Z")));
  const { rows } = await ledger.database.query<{ id: string }>(
    "select id from accounts where user_id = $1 order by ctid",
    [u1],
  );
  t.deepEqual(
    rows.map(({ id }) => id),
    ["a", "b", "c"],
  );
});
