/** An older program on a newer schema: it works where the schema says so, and nowhere else. */
import { readdir } from "node:fs/promises";
import test, { type ExecutionContext } from "ava";
import type { Database } from "../../src/database/database.ts";
import { assertMigrated, migrate } from "../../src/database/migrate.ts";
import { announce } from "../../src/database/schema-compatibility.ts";
import { openCommandLine } from "../cli/command.ts";
import { createTestDatabase } from "../world.ts";

/** What a later release's migration does and says, seen by this one. */
async function applyLater(database: Database, name: string, statement: string, runsWith?: string): Promise<void> {
  await announce(database, [{ name, module: runsWith === undefined ? {} : { runsWith } }]);
  await database.query(statement);
  await database.query("insert into schema_migrations (name, batch, migration_time) values ($1, 99, now())", [name]);
}

async function open(t: ExecutionContext): Promise<{ database: Database; url: string }> {
  return await createTestDatabase(t);
}

test("a program works on a schema to which a later one only added, and changes nothing of it", async (t) => {
  const { database, url } = await open(t);
  await applyLater(database, "998_added", "alter table users add column later text", "096_schema_compatibility");
  await applyLater(database, "999_added", "create table later (id int)", "095_backups");
  t.is(await migrate(url), 0);
  await t.notThrowsAsync(assertMigrated(database));
  const { tideline } = await openCommandLine(t, url);
  t.is((await tideline("status")).code, 0);
});

test("a migration that says nothing of older programs stops them, and is named", async (t) => {
  const { database, url } = await open(t);
  await applyLater(database, "998_added", "select 1", "096_schema_compatibility");
  await applyLater(database, "999_taken", "select 1");
  await t.throwsAsync(migrate(url), { code: "SCHEMA_NEWER", message: /999_taken/ });
  await t.throwsAsync(assertMigrated(database), { code: "SCHEMA_NEWER" });
});

test("one that takes away what only programs since a later one do without stops those before it", async (t) => {
  const { database, url } = await open(t);
  await applyLater(database, "998_added", "select 1", "096_schema_compatibility");
  await applyLater(database, "999_taken", "select 1", "998_added");
  await t.throwsAsync(migrate(url), { code: "SCHEMA_NEWER" });
});

test("a schema without the account of what works with what is as new as it looks", async (t) => {
  const { database } = await open(t);
  await applyLater(database, "999_added", "select 1", "096_schema_compatibility");
  await database.query("drop table schema_compatibility");
  await t.throwsAsync(assertMigrated(database), { code: "SCHEMA_NEWER" });
});

test("what a migration says of older programs is in the database after it was applied", async (t) => {
  const { database } = await open(t);
  const { rows } = await database.query(
    `select runs_with as "runsWith" from schema_compatibility where migration = '096_schema_compatibility'`,
  );
  t.deepEqual(rows, [{ runsWith: "096_schema_compatibility" }]);
});

/** The migration that made the rule, and all that were written since. */
const isUnderTheRule = (number: number) => number === 96 || number >= 110;

test("every migration says on what older programs work, or why they do not", async (t) => {
  const folder = new URL("../../migrations/", import.meta.url);
  const files = (await readdir(folder)).filter((name) => isUnderTheRule(Number.parseInt(name, 10)));
  const silent: string[] = [];
  for (const name of files) {
    const module = (await import(new URL(name, folder).href)) as { runsWith?: string; stopsOlder?: string };
    if (module.runsWith === undefined && module.stopsOlder === undefined) silent.push(name);
  }
  t.true(files.length > 0);
  t.deepEqual(silent, []);
});
