/**
 * Applies the numbered migrations in order, and gives the service's roles their rights. Safe to run from several processes at
 * once.
 */
import { readdir } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import type { Queryable } from "./database.ts";
import { Fault } from "../errors.ts";
import { giveWay, type GivingWay } from "./giving-way.ts";
import { appliedMigrations, migrationsTable } from "./knex-inside.ts";
import { arrangeRights } from "./role-rights.ts";
import { isSqlState } from "./sql-states.ts";
import { announce, type MigrationModule, worksWith } from "./schema-compatibility.ts";

const folder = new URL("../../migrations/", import.meta.url);
/** Serialises whoever migrates this database; the number spells TIDE. */
const migrationLock = 0x54494445;

/**
 * @returns how many migrations were applied; none on a newer schema on which this program works too, whose rights are
 * the newer program's to give. @throws Fault SCHEMA_NEWER
 */
export async function migrate(url: string): Promise<number> {
  return await withLock(url, async (client) => {
    if (await isNewer(client)) return 0;
    const pending = await readPending(client);
    await announce(client, pending);
    const applied = pending.length === 0 ? 0 : await applyPending(url, client);
    // Again, for the run that made the table.
    await announce(client, pending);
    await arrangeRights(client);
    return applied;
  });
}

/**
 * @returns how many. Reading knex takes longer than asking whether there is anything to do for it.
 * @param watcher another connection, over which it is seen whether the migration waits in a circle.
 */
async function applyPending(url: string, watcher: Queryable): Promise<number> {
  const { default: knex } = await import("knex");
  let sessionPid: number | undefined;
  const connection = knex({
    client: "pg",
    connection: url,
    pool: {
      min: 0,
      max: 1,
      afterCreate: (created: pg.Client, done: (error?: unknown) => void) => {
        beginSession(created).then(
          (pid) => {
            sessionPid = pid;
            done();
          },
          (error: unknown) => done(error),
        );
      },
    },
    log: silent,
  });
  const givingWay = giveWay(watcher, () => sessionPid);
  try {
    const [, applied] = await besideTraffic(
      givingWay,
      async () =>
        (await connection.migrate.latest({
          migrationSource: await migrationSource(),
          tableName: migrationsTable,
        })) as [number, string[]],
    );
    return applied.length;
  } finally {
    await givingWay.stop();
    await connection.destroy();
  }
}

/**
 * Each migration and each right is a commit, and waiting for the disk with each of them was much of a first start's time.
 * Nothing is lost by not waiting: the log keeps its order, so that whatever is committed later is on the disk with all
 * that came before it, and a migration that a power cut took is applied again.
 */
const commitsWithoutWaiting = "set synchronous_commit = off";

/** Whatever fails is thrown, and what gave way goes on. */
const silent = { warn: () => undefined, error: () => undefined };

const againAfterMs = 300;
/** Who meets programs at work in a circle for so long should choose another hour. */
const triesForMs = 600_000;

/**
 * A migration takes tables in its own order, and programs at work may take them in another: where it is ended for that, it
 * is undone whole and begins anew. @throws the last failure, after ten minutes
 */
async function besideTraffic<Result>(givingWay: GivingWay, migrateAll: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + triesForMs;
  for (;;) {
    try {
      return await migrateAll();
    } catch (error) {
      const inCircle =
        isSqlState(error, "deadlockDetected") || (givingWay.gaveWay() && isSqlState(error, "queryCanceled"));
      if (!inCircle || performance.now() > deadline) throw error;
      await wait(againAfterMs);
    }
  }
}

/** @returns its process in the server. */
async function beginSession(session: pg.Client): Promise<number | undefined> {
  await session.query(commitsWithoutWaiting);
  const { rows } = await session.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid;
}

/** For those who use the schema and must not change it. @throws Fault SCHEMA_OLDER, SCHEMA_NEWER */
export async function assertMigrated(database: Queryable): Promise<void> {
  const names = await appliedMigrations(database);
  if (names === null) throw new Fault("SCHEMA_OLDER", "The database has no schema yet.");
  if (await isNewer(database)) return;
  const applied = new Set(names);
  if ((await knownMigrations()).some((name) => !applied.has(name))) throw new Fault("SCHEMA_OLDER");
}

/**
 * Whether the database has migrations that this program does not know, and works with all the same.
 * @throws Fault SCHEMA_NEWER when it does not
 */
async function isNewer(database: Queryable): Promise<boolean> {
  const [applied, known] = [(await appliedMigrations(database)) ?? [], await knownMigrations()];
  const ahead = applied.filter((name) => !known.includes(name));
  if (ahead.length === 0) return false;
  const hasAll = known.every((name) => applied.includes(name));
  if (!hasAll || !(await worksWith(database, ahead, known)))
    throw new Fault(
      "SCHEMA_NEWER",
      `The database has migrations that this Tideline does not know (${ahead.join(", ")}).`,
    );
  return true;
}

async function readPending(database: Queryable): Promise<{ name: string; module: MigrationModule }[]> {
  const applied = (await appliedMigrations(database)) ?? [];
  const source = await migrationSource();
  const files = (await source.getMigrations()).filter((file) => !applied.includes(source.getMigrationName(file)));
  return await Promise.all(
    files.map(async (file) => ({
      name: source.getMigrationName(file),
      module: (await source.getMigration(file)) as MigrationModule,
    })),
  );
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
    await client.query(commitsWithoutWaiting);
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
