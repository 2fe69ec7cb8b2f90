/**
 * Whether this program works on a schema with migrations of which it knows nothing. Whoever writes a migration says so
 * in it (`runsWith`), and whoever applies it writes that into the database first: a program cannot judge what comes
 * after it.
 */
import type { Queryable } from "./database.ts";

/** What a migration's file may export beside `up` and `down`. */
export type MigrationModule = {
  /**
   * The oldest migration that a program has to know to work on the schema with this one. Absent: every program that does
   * not know this one must stop before it is applied.
   */
  runsWith?: string;
};

/** @param ahead applied, and unknown here. @param known all of this program's, each of them applied */
export async function worksWith(
  database: Queryable,
  ahead: readonly string[],
  known: readonly string[],
): Promise<boolean> {
  if (!(await hasTable(database))) return false;
  const { rows } = await database.query<{ migration: string; runsWith: string }>(
    `select migration, runs_with as "runsWith" from schema_compatibility where migration = any($1)`,
    [ahead],
  );
  return rows.length === ahead.length && rows.every(({ runsWith }) => known.includes(runsWith));
}

/** Idempotent. A migration that was announced and then not applied does no harm. */
export async function announce(
  database: Queryable,
  migrations: readonly { name: string; module: MigrationModule }[],
): Promise<void> {
  if (!(await hasTable(database))) return;
  const announced = migrations.flatMap(({ name, module: { runsWith } }) =>
    runsWith === undefined ? [] : [{ name, runsWith }],
  );
  if (announced.length === 0) return;
  await database.query(
    `insert into schema_compatibility (migration, runs_with)
     select * from unnest($1::text[], $2::text[])
     on conflict (migration) do update set runs_with = excluded.runs_with`,
    [announced.map(({ name }) => name), announced.map(({ runsWith }) => runsWith)],
  );
}

async function hasTable(database: Queryable): Promise<boolean> {
  const { rows } = await database.query<{ present: boolean }>(
    "select to_regclass('schema_compatibility') is not null as present",
  );
  return rows[0]?.present === true;
}
