/** What waits is found by programs of this release and of the one before it, whichever of them kept it. */
import test, { type ExecutionContext } from "ava";
import type { Knex } from "knex";
import { down, up } from "../../migrations/190_waiting_accounts.ts";
import { type Database, inTransaction } from "../../src/database/database.ts";
import { dueRanges, findWaiting } from "../../src/deliveries/held.ts";
import { accountKey, lockAccountsForWriting, postMappings } from "../../src/ledger/account-owners.ts";
import { addDelivery, addPartner, addUser } from "../parties.ts";
import { createTestDatabase } from "../world.ts";

type Loaded = { database: Database; partnerId: string; userId: number; deliveryId: string; position: number };

async function open(t: ExecutionContext): Promise<Loaded> {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  const userId = await addUser(database, partnerId, "u1");
  const { id: deliveryId, position } = await addDelivery(database, partnerId, "loaded");
  return { database, partnerId, userId, deliveryId, position };
}

const keyOf = ({ partnerId }: Loaded, accountNumber: string) => accountKey(partnerId, { bankId: "bø", accountNumber });

/** As the release before kept it: a row for each record, with its account. */
async function keepAsBefore(world: Loaded, accountNumbers: readonly string[], from = 0): Promise<void> {
  await world.database.query(
    `insert into held_records (delivery_id, batch, first_index, last_index, line, kind, field, reason, records, account_key)
     select $1, 0, $3 + n - 1, $3 + n - 1, $3 + n + 1, 'waiting', 'account_number', 'waits', 1, key from unnest($2::uuid[]) with ordinality as given (key, n)`,
    [world.deliveryId, accountNumbers.map((one) => keyOf(world, one)), from],
  );
}

/** As the release before named an account, for which it finds nothing that waits. */
async function nameAsBefore({ database, partnerId, userId }: Loaded, accountNumber: string): Promise<void> {
  await database.query(
    `insert into account_owners (partner_id, bank_id, account_number, user_id, delivery_position)
     values ($1, 'bø', $2, $3, 1)
     on conflict (partner_id, bank_id, account_number)
     do update set user_id = excluded.user_id, delivery_position = excluded.delivery_position`,
    [partnerId, accountNumber, userId],
  );
}

const dueOf = async ({ database, deliveryId }: Loaded) =>
  (await Array.fromAsync(dueRanges(database, deliveryId))).map(({ firstIndex, lastIndex }) => [firstIndex, lastIndex]);

async function told({ database, deliveryId }: Loaded, statement: string): Promise<unknown> {
  return (await database.query(statement, [deliveryId])).rows[0];
}

const asked =
  "select revisit_requested_at is not null as asked, revisit_attempts as attempts from deliveries where id = $1";

const knexOf = (database: Database) => ({ raw: (text: string) => database.query(text) }) as unknown as Knex;

test("what was kept record by record is kept by neighbours, and what was due of it is", async (t) => {
  const world = await open(t);
  const { database, deliveryId } = world;
  await down(knexOf(database));
  await keepAsBefore(world, ["a", "b", "a"]);
  await keepAsBefore(world, ["a", "c"], 5);
  await database.query(
    `insert into held_records (delivery_id, batch, first_index, last_index, line, kind, field, reason, records)
     values ($1, 0, 3, 3, 5, 'refused', 'amount', 'is no number', 1)`,
    [deliveryId],
  );
  await database.query("insert into released_accounts (delivery_id, account_key) values ($1, $2)", [
    deliveryId,
    keyOf(world, "c"),
  ]);
  await inTransaction(database, (transaction) => up(knexOf(transaction as unknown as Database)));
  const { rows } = await database.query(
    "select first_index as first, last_index as last, line, kind, records, due, account_key as key from held_records order by first_index",
  );
  t.deepEqual(rows, [
    { first: 0, last: 2, line: 2, kind: "waiting", records: 3, due: false, key: null },
    { first: 3, last: 3, line: 5, kind: "refused", records: 1, due: false, key: null },
    { first: 5, last: 6, line: 7, kind: "waiting", records: 2, due: true, key: null },
  ]);
  const found = await inTransaction(database, (transaction) =>
    findWaiting(
      transaction,
      ["a", "b", "c", "d"].map((one) => keyOf(world, one)),
    ),
  );
  t.is(found.length, 3);
  t.is((await database.query("select 1 from released_accounts")).rowCount, 0);
});

test("what an older program keeps is found when this one names its account", async (t) => {
  const world = await open(t);
  await keepAsBefore(world, ["a", "b"]);
  t.deepEqual(await told(world, "select count(account_key) as keys from held_records where delivery_id = $1"), {
    keys: 0,
  });
  const { database, partnerId, userId } = world;
  await inTransaction(database, async (transaction) => {
    await lockAccountsForWriting(transaction, partnerId);
    const owner = { bankId: "bø", accountNumber: "b" };
    await postMappings(transaction, { partnerId, position: 1 }, [{ owner, userId }], false);
  });
  t.deepEqual(await dueOf(world), [[0, 1]]);
  t.deepEqual(await told(world, asked), { asked: true, attempts: 0 });
});

test("what waits is read again when an older program names its account, at first and anew", async (t) => {
  const world = await open(t);
  await keepAsBefore(world, ["a", "b"]);
  await world.database.query("update deliveries set revisit_attempts = 3 where id = $1", [world.deliveryId]);
  await nameAsBefore(world, "c");
  t.deepEqual(await dueOf(world), []);
  t.deepEqual(await told(world, asked), { asked: false, attempts: 3 });
  await nameAsBefore(world, "b");
  t.deepEqual(await dueOf(world), [[0, 1]]);
  t.deepEqual(await told(world, asked), { asked: true, attempts: 0 });
  await world.database.query("update held_records set due = false");
  await nameAsBefore(world, "b");
  t.deepEqual(await dueOf(world), [[0, 1]]);
});

test("this program's own naming is not done a second time by the database", async (t) => {
  const world = await open(t);
  const { database, partnerId } = world;
  await keepAsBefore(world, ["a"]);
  await inTransaction(database, async (transaction) => {
    await lockAccountsForWriting(transaction, partnerId);
    await nameAsBefore({ ...world, database: transaction as unknown as Database }, "a");
  });
  t.deepEqual(await dueOf(world), []);
  await nameAsBefore(world, "a");
  t.deepEqual(await dueOf(world), [[0, 0]]);
});

test("going back leaves all that waits to be read again by the release before", async (t) => {
  const world = await open(t);
  await keepAsBefore(world, ["a", "b"]);
  await down(knexOf(world.database));
  t.deepEqual(await dueOf(world), [[0, 1]]);
  t.deepEqual(await told(world, asked), { asked: true, attempts: 0 });
  t.deepEqual(await told(world, "select count(account_key) as keys from held_records where delivery_id = $1"), {
    keys: 2,
  });
});
