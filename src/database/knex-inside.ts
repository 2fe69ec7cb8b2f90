/**
 * All that is reached for inside knex: it keeps account of what it applied, and its API does not give that account to
 * whoever is no migrator. knex is pinned to one version, and knex-inside.test.ts says by name which part an upgrade has
 * changed.
 *
 * | reached for | because its API cannot | what would replace it |
 * | --- | --- | --- |
 * | the column `name` of its table | tell what was applied over a connection of ours | an account of our own |
 */
import type { Queryable } from "./database.ts";

/** To be given to knex. */
export const migrationsTable = "schema_migrations";

/** The names of what was applied; null for a database in which nothing ever was. */
export async function appliedMigrations(database: Queryable): Promise<string[] | null> {
  const { rows: tables } = await database.query<{ present: boolean }>(
    `select to_regclass('${migrationsTable}') is not null as present`,
  );
  if (tables[0]?.present !== true) return null;
  const { rows } = await database.query<{ name: string }>(`select name from ${migrationsTable}`);
  return rows.map(({ name }) => name);
}
