/** On a first day, which the server has not counted yet, what is asked of many deliveries does not go through all of them. */
import test from "ava";
import { type Database, openDatabase } from "../../src/database/database.ts";
import { findDeliveries } from "../../src/deliveries/deliveries.ts";
import { findPartnersWithWork } from "../../src/deliveries/open-deliveries.ts";
import { noteReceipts } from "../../src/deliveries/receipts.ts";
import { addPartner } from "../parties.ts";
import { createTestDatabase } from "../world.ts";

const count = 3000;

test("noting receipts reads their deliveries and those of their names", async (t) => {
  const database = openDatabase((await createTestDatabase(t)).url, { sizeMax: 1, applicationName: "test" });
  t.teardown(() => database.end());
  const ids = await addMany(database);
  const deliveries = await findDeliveries(database, ids.slice(0, 20));
  const read = await rowsRead(database, () =>
    noteReceipts(
      database,
      deliveries.map((delivery) => ({ delivery, newestPosition: delivery.position })),
    ),
  );
  t.true(read < 20 * 10, `${read} rows`);
});

test("whether anything is due again is told without going through what is loaded", async (t) => {
  const database = openDatabase((await createTestDatabase(t)).url, { sizeMax: 1, applicationName: "test" });
  t.teardown(() => database.end());
  const ids = await addMany(database);
  const wanted = { lane: "any", inHand: [], vaultIsThere: true } as const;
  let found: { partnerId: string }[] = [];
  const read = await rowsRead(database, async () => {
    found = await findPartnersWithWork(database, wanted);
  });
  t.deepEqual(found, []);
  t.true(read < 100, `${read} rows`);
  await database.query("update deliveries set revisit_requested_at = now() where id = $1", [ids[7]]);
  t.like(await findPartnersWithWork(database, wanted), { length: 1, 0: { partnerId: "bank" } });
});

async function addMany(database: Database): Promise<string[]> {
  await database.query("alter table deliveries set (autovacuum_enabled = off)");
  const partner = await addPartner(database);
  const { rows } = await database.query<{ id: string }>(
    `insert into deliveries (id, partner_id, door, format, name, correlation_id, size_bytes, sha256, state, name_place)
     select gen_random_uuid(), $1, 'sftp', 'jsonl', n || '.jsonl', 'c', 1, int8send(n), 'loaded', 1
       from generate_series(1, $2::int) as n
     returning id`,
    [partner, count],
  );
  return rows.map(({ id }) => id);
}

/** Rows of deliveries that the server looked at for it. */
async function rowsRead(database: Database, work: () => Promise<void>): Promise<number> {
  const counted = async () => {
    await database.query("select pg_stat_force_next_flush()");
    const { rows } = await database.query<{ n: number }>(
      `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as n from pg_stat_user_tables where relname = 'deliveries'`,
    );
    return rows[0]?.n ?? 0;
  };
  const before = await counted();
  await work();
  return (await counted()) - before;
}
