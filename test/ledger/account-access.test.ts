import test from "ava";
import { inTransaction } from "../../src/database/database.ts";
import { keepAccounts, putBalances } from "../../src/ledger/account-access.ts";
import { readHistory } from "../../src/ledger/history.ts";
import { listDebited } from "../../src/ledger/listing.ts";
import { findTxid } from "../../src/recognition/submit.ts";
import { type LoadingWorld, openLoading, transaction } from "../workers/world.ts";
import { sealToken } from "../workers/sealing.ts";

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
