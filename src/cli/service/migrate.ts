/** `tideline migrate`: brings the schema up to date. `up` does the same at its start. */
import { migrate } from "../../database/migrate.ts";
import { migrateQueue } from "../../staging/queue.ts";
import type { Config } from "../../config.ts";
import { confirm } from "../terminal/confirm.ts";
import { commonOptions, configOf, readArguments } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { countOf, printResult } from "../terminal/result.ts";
import { withSession } from "./session.ts";

export const usage = `
tideline migrate [--create] [--data-dir DIR] [--json]

Applies the migrations that the database (DATABASE_URL, or the embedded one of the data folder) does not have yet,
the queue's own included. Safe to run from several machines at once, and again.
A data folder without a database gets one only with --create, or when the question on the terminal is answered with yes:
a mistyped folder would make a second, empty installation.
`;

export async function run(argv: string[]): Promise<number> {
  const { values } = readArguments(argv, {
    ...commonOptions,
    create: { type: "boolean", default: false },
  });
  const config = configOf(values);
  const applied =
    config.databaseUrl === undefined ? await onEmbedded(config, values.create) : await onServer(config.databaseUrl);
  printResult(values.json, { applied }, [
    applied === 0 ? "The schema is up to date." : `Applied ${countOf(applied, "migration")}.`,
  ]);
  return exitCode.done;
}

async function onServer(url: string): Promise<number> {
  const applied = await migrate(url);
  await migrateQueue(url);
  return applied;
}

/** A session of its own database migrates when it opens. */
async function onEmbedded(config: Config, isWanted: boolean): Promise<number> {
  return await withSession(config, (session) => Promise.resolve(session.migrationsApplied), {
    mayCreate: isWanted || ((dataDir) => confirm(`${dataDir} has no database. Begin a new one there?`)),
  });
}
