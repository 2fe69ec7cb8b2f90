/** Applies the numbered migrations, and the queue's own, in order. Safe to run from several processes at once. */
import { readdir } from "node:fs/promises";
import knex from "knex";
import pg from "pg";
import { Fault } from "./errors.ts";

const folder = new URL("../migrations/", import.meta.url);
/** Serialises whoever migrates this database; the number spells TIDE. */
const migrationLock = 0x54494445;

/** @returns how many migrations were applied. @throws Fault SCHEMA_NEWER */
export async function migrate(url: string): Promise<number> {
  return await withLock(url, async () => {
    const connection = knex({ client: "pg", connection: url, pool: { min: 0, max: 1 } });
    try {
      const [, applied] = (await connection.migrate.latest({
        migrationSource: await migrationSource(),
        tableName: "schema_migrations",
      })) as [number, string[]];
      return applied.length;
    } catch (error) {
      if (error instanceof Error && /migration directory is corrupt/i.test(error.message)) {
        throw new Fault("SCHEMA_NEWER", undefined, { cause: error });
      }
      throw error;
    } finally {
      await connection.destroy();
    }
  });
}

async function withLock<Result>(url: string, work: () => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    return await work();
  } finally {
    await client.end();
  }
}

async function migrationSource() {
  const names = (await readdir(folder)).filter((name) => /^\d+_.*\.ts$/.test(name)).sort();
  return {
    getMigrations: () => Promise.resolve(names),
    getMigrationName: (name: string) => name.replace(/\.ts$/, ""),
    getMigration: (name: string) => import(new URL(name, folder).href),
  };
}
