/** The inside of knex as `knex-inside.ts` reaches for it: whoever upgrades knex reads here what has changed. */
import { readdir } from "node:fs/promises";
import test from "ava";
import { appliedMigrations, isDatabaseAhead } from "../../src/database/knex-inside.ts";
import { assertMigrated, migrate } from "../../src/database/migrate.ts";
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

test("a database that is ahead of the code is told from other failures, by those who migrate and those who do not", async (t) => {
  const { database, url } = await createTestDatabase(t);
  await database.query("insert into schema_migrations (name, batch, migration_time) values ('999_future', 1, now())");
  const error = await t.throwsAsync(migrate(url), { code: "SCHEMA_NEWER" });
  t.true(isDatabaseAhead(error?.cause));
  await t.throwsAsync(assertMigrated(database), { code: "SCHEMA_NEWER" });
  t.false(isDatabaseAhead(new Error("connect ECONNREFUSED")));
});
