/**
 * How fast do records that waited for their accounts become rows? npm run bench -- release [--rows 300000]
 * [--aged]
 *
 * A transactions file comes before anybody has named its accounts, then the accounts file. Timed is what the accounts
 * file sets off: marking, and reading the first file again, up to the last commit. The floor is psql's \copy of the same
 * rows into the same table, once before all that and once behind it: in the order of the file, and, told beside it, sorted by user as a
 * dump of such a table is, whose index grows at its end. --aged has the server count the table of waiting records while it is empty, which is what
 * it then plans by.
 */
import { createHash, randomUUIDv7 } from "node:crypto";
import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { insertDelivery } from "../../src/deliveries/deliveries.ts";
import { mixed, writeMixedTable } from "./ingest/files.ts";
import { copyByPsql, removePlainText, writePlainRecords, writePlainText } from "./ingest/floor.ts";
import { empty } from "./ingest/measure.ts";
import { openWorld, type World } from "./ingest/world.ts";
import { databaseCpuMs, ownCpuMs } from "./processor.ts";

const rowsDefault = "300000";

export async function bench(clusterUrl: string, folder: string, args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { rows: { type: "string", default: rowsDefault }, aged: { type: "boolean", default: false } },
  });
  const count = Number(values.rows);
  const world = await openWorld(clusterUrl, folder, count);
  try {
    const sorted = await writePlainText(world, { from: 0, count });
    const inOrder = await writePlainRecords(world, mixed(count), `mixed-${count}.txt`);
    const before = await copyBoth(world, inOrder, sorted);
    if (values.aged) await world.database.query("vacuum analyze held_records");
    const waiting = await deliver(world, "transactions.csv", await writeMixedTable(world, count));
    const held = await time(world, () => ingest(world, waiting));
    console.log(`${count} rows: held ${tell(held, count)}`);
    const accounts = await deliver(world, "accounts.csv", await writeAccounts(world));
    const named = await time(world, () => ingest(world, accounts));
    console.log(`accounts named in ${named.seconds.toFixed(2)} s, while others wait`);
    const released = await time(world, () => ingest(world, waiting));
    const { rows } = await world.database.query<{ loaded: number; held: number }>(
      "select records_new as loaded, (select count(*) from held_records) as held from deliveries where id = $1",
      [waiting],
    );
    console.log(`released ${tell(released, count)}: ${JSON.stringify(rows[0])}`);
    if (rows[0]?.loaded !== count || rows[0].held !== 0) throw new Error("not all that waited was loaded");
    await empty(world);
    const after = await copyBoth(world, inOrder, sorted);
    await removePlainText(inOrder);
    await removePlainText(sorted);
    const ratio = (one: number, other: number) => ((one + other) / 2 / (named.seconds + released.seconds)).toFixed(2);
    console.log(
      `psql's \\copy ${rate(count, before.inOrder)} before it, ${rate(count, after.inOrder)} behind it; sorted by user ${rate(count, before.sorted)} and ${rate(count, after.sorted)}`,
    );
    console.log(
      `ratio of both to psql ${ratio(before.inOrder, after.inOrder)}, to psql with sorted rows ${ratio(before.sorted, after.sorted)}`,
    );
  } finally {
    await world.close();
  }
}

/** Seconds of psql's \copy of each file into the empty table, which is empty again behind it. */
async function copyBoth(world: World, inOrder: string, sorted: string): Promise<{ inOrder: number; sorted: number }> {
  const copied = async (file: string) => {
    const seconds = (await copyByPsql(world, file)) ?? Number.NaN;
    await empty(world);
    return seconds;
  };
  return { inOrder: await copied(inOrder), sorted: await copied(sorted) };
}

function ingest({ pool }: World, deliveryId: string): Promise<unknown> {
  return pool.run({ deliveryId }, { name: "ingest" }) as Promise<unknown>;
}

type Timed = { seconds: number; cpuMs: number; serverCpuMs: number };

async function time({ database }: World, work: () => Promise<unknown>): Promise<Timed> {
  const [own, server, startedAt] = [ownCpuMs(), await databaseCpuMs(database), performance.now()];
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  return { seconds, cpuMs: ownCpuMs() - own, serverCpuMs: (await databaseCpuMs(database)) - server };
}

async function writeAccounts({ vaultDirectory, sealer, userIds }: World): Promise<string> {
  const name = "accounts.csv";
  const lines = [...userIds.keys()].map((uid) => `"bank";"${uid}";"${uid.replace("user-", "account-")}"\n`);
  await pipeline(
    sealer.sealStream(Readable.from(['"bank_id";"user_id";"account_number"\n', ...lines])),
    createWriteStream(path.join(vaultDirectory, name)),
  );
  return name;
}

async function deliver(world: World, format: "transactions.csv" | "accounts.csv", file: string): Promise<string> {
  const id = randomUUIDv7();
  await insertDelivery(world.database, {
    id,
    partnerId: world.partnerId,
    door: "sftp",
    format,
    name: id,
    requestId: null,
    correlationId: "bench",
    sizeBytes: (await stat(path.join(world.vaultDirectory, file))).size,
    sha256: createHash("sha256").update(id).digest(),
    vaultReference: file,
    refusal: null,
  });
  return id;
}

function tell({ seconds, cpuMs, serverCpuMs }: Timed, rows: number): string {
  const micros = (ms: number) => ((ms * 1000) / rows).toFixed(1);
  return `${rate(rows, seconds)} (${seconds.toFixed(1)} s), ${micros(cpuMs)} µs a row here and ${micros(serverCpuMs)} in the server`;
}

function rate(rows: number, seconds: number): string {
  return `${Math.round(rows / seconds / 1000)} k rows/s`;
}
