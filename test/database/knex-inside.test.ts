/** The inside of knex as `knex-inside.ts` reaches for it: whoever upgrades knex reads here what has changed. */
import { readdir } from "node:fs/promises";
import test from "ava";
import { appliedMigrations } from "../../src/database/knex-inside.ts";
import { createTestDatabase } from "../world.ts";

test("what was applied is read as the names of the migrations' files, without their ending", async (t) => {
  const { database } = await createTestDatabase(t);
  const files = await readdir(new URL("../../migrations/", import.meta.url));
  const names = files.filter((name) => /^\d+_/.test(name)).map((name) => name.replace(/\.ts$/, ""));
  t.deepEqual((await appliedMigrations(database))?.toSorted(), names.toSorted());
  await database.query("drop table schema_migrations");
  t.is(await appliedMigrations(database), null);
});

test("the account of what was applied has the columns that a database of another release shows", async (t) => {
  const { database } = await createTestDatabase(t);
  const { rows } = await database.query<{ column: string }>(
    `select column_name as column from information_schema.columns
     where table_name = 'schema_migrations' order by ordinal_position`,
  );
  t.deepEqual(
    rows.map(({ column }) => column),
    ["id", "name", "batch", "migration_time"],
  );
});
