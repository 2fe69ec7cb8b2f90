/**
 * What does the change feed cost who loads? npm run bench -- feed [--rows 200000] [--rounds 3]
 *
 * The same file in the order of a day, of few rows for each of many users, which is the shape that tells the feed most, is
 * loaded in turns while nobody follows and while somebody does. Told is the processor time a row of the loader's server
 * connection, where the feed's part is; that of this process, which other work on the machine moves, and wall time beside it.
 */
import { parseArgs } from "node:util";
import { addFollower, removeFollower } from "../../src/exports/followers.ts";
import { writeMixedTable } from "./ingest/files.ts";
import { empty, load, type Loaded } from "./ingest/measure.ts";
import { openWorld } from "./ingest/world.ts";

export async function bench(clusterUrl: string, folder: string, args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { rows: { type: "string", default: "200000" }, rounds: { type: "string", default: "3" } },
  });
  const count = Number(values.rows);
  const world = await openWorld(clusterUrl, folder, count);
  const { database } = world;
  const unfollowed: Loaded[] = [];
  const followed: Loaded[] = [];
  try {
    const file = await writeMixedTable(world, count);
    for (let round = 0; round <= Number(values.rounds); round += 1) {
      for (const isFollowed of round % 2 === 0 ? [false, true] : [true, false]) {
        await empty(world);
        await database.query("truncate feed_changes");
        if (isFollowed) await addFollower(database, { name: "bench", partnerId: null });
        const loaded = await load(world, "transactions.csv", file, "records_new", count);
        if (isFollowed) await removeFollower(database, "bench");
        // The first round warms up.
        if (round > 0) (isFollowed ? followed : unfollowed).push(loaded);
      }
    }
    tell("nobody follows", unfollowed, count);
    tell("somebody follows", followed, count);
    const added = median(followed.map((one, at) => one.serverCpuMicros - (unfollowed[at]?.serverCpuMicros ?? 0)));
    const share = added / median(unfollowed.map((one) => one.serverCpuMicros + one.processCpuMicros));
    console.log(`the feed adds ${(added / count).toFixed(2)} µs a row, ${(share * 100).toFixed(1)} % of a load`);
  } finally {
    await world.close();
  }
}

function tell(name: string, loads: readonly Loaded[], count: number): void {
  const per = (of: (one: Loaded) => number) => (median(loads.map(of)) / count).toFixed(2);
  console.log(
    `${name}: ${per((one) => one.serverCpuMicros)} µs a row in the server, ${per((one) => one.processCpuMicros)} here, ${per((one) => one.seconds * 1e6)} by the clock`,
  );
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
