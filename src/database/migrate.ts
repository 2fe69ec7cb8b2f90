/**
 * Applies the numbered migrations in order, and gives the service's roles their rights. Safe to run from several processes at
 * once.
 */
import { readdir } from "node:fs/promises";
import knex from "knex";
import pg from "pg";
import type { Queryable } from "./database.ts";
import { Fault } from "../errors.ts";
import { appliedMigrations, isDatabaseAhead, migrationsTable } from "./knex-inside.ts";
import { arrangeRights } from "./role-rights.ts";

const folder = new URL("../../migrations/", import.meta.url);
/** Serialises whoever migrates this database; the number spells TIDE. */
const migrationLock = 0x54494445;

/** @returns how many migrations were applied. @throws Fault SCHEMA_NEWER */
export async function migrate(url: string): Promise<number> {
  return await withLock(url, async (client) => {
    const connection = knex({ client: "pg", connection: url, pool: { min: 0, max: 1 } });
    try {
      const [, applied] = (await connection.migrate.latest({
        migrationSource: await migrationSource(),
        tableName: migrationsTable,
      })) as [number, string[]];
      await arrangeRights(client);
      return applied.length;
    } catch (error) {
      if (isDatabaseAhead(error)) throw new Fault("SCHEMA_NEWER", undefined, { cause: error });
      throw error;
    } finally {
      await connection.destroy();
    }
  });
}

/** For those who use the schema and must not change it. @throws Fault SCHEMA_OLDER, SCHEMA_NEWER */
export async function assertMigrated(database: Queryable): Promise<void> {
  const names = await appliedMigrations(database);
  if (names === null) throw new Fault("SCHEMA_OLDER", "The database has no schema yet.");
  const known = await knownMigrations();
  const applied = new Set(names);
  if ([...applied].some((name) => !known.includes(name))) throw new Fault("SCHEMA_NEWER");
  if (known.some((name) => !applied.has(name))) throw new Fault("SCHEMA_OLDER");
}

/** The names of this Tideline's migrations, the oldest first. */
export async function knownMigrations(): Promise<string[]> {
  const source = await migrationSource();
  return (await source.getMigrations()).map(source.getMigrationName);
}

async function withLock<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  // The lock goes with the connection, and a migration then fails by itself.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    return await work(client);
  } finally {
    await client.end();
  }
}

/** In a package they are plain scripts: the database knows them by names without endings, and is the same for both. */
async function migrationSource() {
  const names = (await readdir(folder)).filter((name) => /^\d+_.*\.[tj]s$/.test(name)).sort();
  return {
    getMigrations: () => Promise.resolve(names),
    getMigrationName: (name: string) => name.replace(/\.[tj]s$/, ""),
    getMigration: (name: string) => import(new URL(name, folder).href),
  };
}
