/** Migrations give way to programs that take tables in another order. */
import { setTimeout as wait } from "node:timers/promises";
import test from "ava";
import knex from "knex";
import { migrate } from "../../src/database/migrate.ts";
import { down } from "../../migrations/180_held_versions.ts";
import { createTestDatabase } from "../world.ts";

test("a migration that waits in a circle with a program gives up, fails nobody, and is applied afterwards", async (t) => {
  const { database, url } = await createTestDatabase(t);
  const connection = knex({ client: "pg", connection: url, pool: { min: 0, max: 1 } });
  await down(connection);
  await connection.raw("delete from schema_migrations where name like '180%'");
  await connection.destroy();
  const program = await database.connect();
  try {
    await program.query("set deadlock_timeout = '60s'");
    await program.query("begin");
    await program.query("lock table users in row exclusive mode");
    const migrated = migrate(url);
    const waitsForUsers = async () =>
      (await database.query("select 1 from pg_locks where relation = 'users'::regclass and not granted")).rowCount;
    while ((await waitsForUsers()) === 0) await wait(5);
    // The server has looked for circles by then and found none, and looks again only where the program has waited: the
    // migration has to give way by itself.
    await wait(1200);
    await program.query("lock table changed_users in row exclusive mode");
    await program.query("commit");
    t.is(await migrated, 1);
  } finally {
    program.release();
  }
});
