/**
 * What the ledger's table would cost in parts: the same rows, sorted by user as a load sends them, by COPY into the table
 * as it is and into tables in hash and range partitions by user. In processor time of the server for a row, as medians of
 * rounds in which every layout has its turn, and as ratios to the whole table of the same round.
 */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { openDatabase } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import { createRandom } from "../faults/random.ts";
import type { Bench } from "./run.ts";
import { databaseCpuMs } from "./processor.ts";

const usersCount = 100_000;
const chunkRows = 20_000;

type Layout = {
  name: string;
  partitions: (table: string) => string[];
  /** Rows go to their part by a COPY of its own, as a loader could send them that knows the bounds. */
  sendsToParts?: true;
};

const hashed = (count: number): Layout => ({
  name: `hash, ${count} parts`,
  partitions: (table) =>
    Array.from(
      { length: count },
      (_, part) =>
        `create table ${table}_${part} partition of ${table} for values with (modulus ${count}, remainder ${part})`,
    ),
});

const ranged = (count: number): Layout => ({
  name: `range, ${count} parts`,
  partitions: (table) =>
    Array.from({ length: count }, (_, part) => {
      const [from, to] = [part, part + 1].map((at) => firstOf(at, count));
      return `create table ${table}_${part} partition of ${table} for values from (${from}) to (${to})`;
    }),
});

/** The first user of a part. */
function firstOf(part: number, count: number): number {
  return Math.floor((part * usersCount) / count) + 1;
}

const layouts: readonly Layout[] = [
  { name: "one table", partitions: () => [] },
  hashed(4),
  hashed(16),
  hashed(64),
  ranged(4),
  ranged(16),
  ranged(64),
  { ...ranged(4), name: "range, 4 parts, a COPY each", sendsToParts: true },
  { ...ranged(16), name: "range, 16 parts, a COPY each", sendsToParts: true },
];

export const bench: Bench = async (clusterUrl, _folder, args) => {
  const { values } = parseArgs({
    args: [...args],
    options: { rows: { type: "string", default: "200000" }, rounds: { type: "string", default: "5" } },
  });
  await migrate(clusterUrl);
  const database = openDatabase(clusterUrl, { sizeMax: 1, applicationName: "bench" });
  const nights = nightsOf(Number(values.rows));
  const spent = new Map(layouts.map(({ name }) => [name, [] as number[]]));
  const ratios = new Map(layouts.map(({ name }) => [name, [] as number[]]));
  try {
    // The first round warms caches and counts for nothing.
    for (let round = 0; round <= Number(values.rounds); round += 1) {
      const ofRound = new Map<string, number>();
      // Each round another goes first.
      for (let turn = 0; turn < layouts.length; turn += 1) {
        const layout = layouts[(turn + round) % layouts.length];
        if (layout === undefined) throw new Error("no layout");
        ofRound.set(layout.name, await measure(database, layout, nights));
      }
      if (round === 0) continue;
      for (const [name, cost] of ofRound) {
        spent.get(name)?.push(cost);
        ratios.get(name)?.push(cost / (ofRound.get("one table") ?? Number.NaN));
      }
    }
  } finally {
    await database.end();
  }
  console.log(
    `${values.rows} rows of ${usersCount} users in chunks of ${chunkRows}, medians of ${values.rounds} rounds`,
  );
  for (const { name } of layouts) {
    const shown = `${median(spent.get(name)).toFixed(2)} µs of the server's processor a row`;
    console.log(`${name.padEnd(28)} ${shown}, ${median(ratios.get(name)).toFixed(3)} of one table`);
  }
};

type Night = readonly { user: number; line: string }[];

/** Chunks of a night: rows of users all over the table, one or two of each, sorted as a load sorts them. */
function nightsOf(rows: number): Night[] {
  const random = createRandom(5);
  return Array.from({ length: Math.ceil(rows / chunkRows) }, (_, chunk) => {
    const users = Array.from({ length: chunkRows }, () => random.between(1, usersCount)).sort((a, b) => a - b);
    return users.map((user, row) => {
      const txid = `${chunk}-${String(row).padStart(6, "0")}-${random.between(1e8, 1e9)}`;
      const amount = (-random.between(100, 90_000) / 100).toFixed(2);
      const line = `${user}\t${txid}\t2026-06-${10 + (row % 20)}\t12:00:00\tCARD\tDANKORT KOEB ${row % 997} KOEBENHAVN\t${amount}\tDKK\taccount-${user % 3}\t${chunk + 1}\n`;
      return { user, line };
    });
  });
}

const columns =
  "user_id, txid, booked_on, tx_time, raw_type, description, amount, currency, account_id, delivery_position";

async function measure(database: pg.Pool, layout: Layout, nights: readonly Night[]): Promise<number> {
  const { name, partitions, sendsToParts } = layout;
  const table = "measured";
  const parts = partitions(table);
  const sent = nights.map((night) => (sendsToParts ? byPart(night, table, parts.length) : [whole(night, table)]));
  const by = name.startsWith("hash") ? "hash" : "range";
  const client = await database.connect();
  try {
    await client.query(
      `create table ${table} (like transactions including defaults, primary key (user_id, txid))${parts.length === 0 ? "" : ` partition by ${by} (user_id)`}`,
    );
    for (const part of parts) await client.query(part);
    await client.query("checkpoint");
    const before = await databaseCpuMs(client);
    let rows = 0;
    for (const copies of sent) {
      await client.query("begin");
      for (const { target, bytes } of copies)
        await pipeline(Readable.from([bytes]), client.query(copyFrom(`copy ${target} (${columns}) from stdin`)));
      await client.query("commit");
      rows += chunkRows;
    }
    const after = await databaseCpuMs(client);
    const { rows: found } = await client.query<{ n: number }>(`select count(*) as n from ${table}`);
    if (found[0]?.n !== rows) throw new Error(`${name} holds ${found[0]?.n} of ${rows} rows`);
    return ((after - before) * 1000) / rows;
  } finally {
    await client.query(`drop table if exists ${table}`);
    client.release();
  }
}

type Sent = { target: string; bytes: Buffer };

function whole(night: Night, target: string): Sent {
  return { target, bytes: Buffer.from(night.map(({ line }) => line).join("")) };
}

function byPart(night: Night, table: string, count: number): Sent[] {
  return Array.from({ length: count }, (_, part) =>
    whole(
      night.filter(({ user }) => user >= firstOf(part, count) && user < firstOf(part + 1, count)),
      `${table}_${part}`,
    ),
  );
}

function median(values: readonly number[] = []): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
