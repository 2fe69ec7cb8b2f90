/** A file of new rows for users spread over all, as a night's file is. */
import { mkdir } from "node:fs/promises";
import { removeFile, writeFile as writeBatchFile } from "../ingest/files.ts";
import { load, type Loaded } from "../ingest/measure.ts";
import { findSenders, openWorldOn, type World } from "../ingest/world.ts";
import { type Measuring, median, note } from "./figures.ts";
import { resident } from "./fill.ts";

const fileRecords = 100_000;
const recordsOfUser = 3;
const rounds = 3;
/** A run's rows are none of another's. */
const recordsOfRun = 10_000_000;

export async function openLoading({ url, folder }: Measuring): Promise<World> {
  await mkdir(folder, { recursive: true });
  return await openWorldOn(url, folder, (database) => findSenders(database, resident));
}

/** @param nth none was loaded before under this number. @returns what loading cost */
export async function loadOne(world: World, nth: number, count: number): Promise<Loaded> {
  const { rows } = await world.database.query<{ runs: number }>(
    "select count(*) as runs from filled where step like 'night %'",
  );
  const from = (rows[0]?.runs ?? 0) * recordsOfRun + nth * fileRecords;
  const users = world.userIds.size;
  const step = Math.max(1, Math.floor((users * recordsOfUser) / fileRecords));
  const file = await writeBatchFile(world, "jwe", { from, count, spread: { each: recordsOfUser, step, users } });
  try {
    return await load(world, "jwe", file, "records_new", count);
  } finally {
    await removeFile(world, file);
  }
}

export async function measureLoads(measuring: Measuring): Promise<void> {
  const world = await openLoading(measuring);
  try {
    const loaded: Loaded[] = [];
    // The first round compiles and counts for nothing.
    for (let round = 0; round <= rounds; round += 1) {
      const one = await loadOne(world, round, fileRecords);
      if (round > 0) loaded.push(one);
    }
    const of = (figure: (one: Loaded) => number) => median(loaded.map(figure));
    note(measuring, "loading a file of 100,000 rows", fileRecords / of(({ seconds }) => seconds), "rows/s");
    note(measuring, "of the worker's processor", of((one) => one.processCpuMicros) / fileRecords, "µs a row");
    note(measuring, "of the database's", of((one) => one.serverCpuMicros) / fileRecords, "µs a row");
  } finally {
    await world.close();
  }
}
