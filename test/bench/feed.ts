/**
 * What does the change feed cost who loads? npm run bench -- feed [--rows 200000] [--rounds 3]
 *
 * The same file, of few rows for each of many users, the shape that tells the feed most, is loaded in turns while nobody
 * follows and while somebody does. Told is the processor time a row of the loader's server connection, where the
 * feed's part is, and of this process; wall time beside it.
 */
import { parseArgs } from "node:util";
import { addFollower, removeFollower } from "../../src/exports/followers.ts";
import { writeFile as writeBatchFile } from "./ingest/files.ts";
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
    const file = await writeBatchFile(world, "jwe", { from: 0, count });
    for (let round = 0; round <= Number(values.rounds); round += 1) {
      for (const isFollowed of round % 2 === 0 ? [false, true] : [true, false]) {
        await empty(world);
        await database.query("truncate feed_changes");
        if (isFollowed) await addFollower(database, { name: "bench", partnerId: null });
        const loaded = await load(world, "jwe", file, "records_new", count);
        if (isFollowed) await removeFollower(database, "bench");
        // The first round warms up.
        if (round > 0) (isFollowed ? followed : unfollowed).push(loaded);
      }
    }
    tell("nobody follows", unfollowed, count);
    tell("somebody follows", followed, count);
    const share = median(followed.map(micros)) / median(unfollowed.map(micros)) - 1;
    console.log(`the feed costs ${(share * 100).toFixed(1)} % of a load's processor time`);
  } finally {
    await world.close();
  }
}

const micros = ({ serverCpuMicros, processCpuMicros }: Loaded): number => serverCpuMicros + processCpuMicros;

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
