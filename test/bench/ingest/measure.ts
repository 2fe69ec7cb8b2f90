/** Loads a file, and measures. */
import { createHash, randomUUIDv7 } from "node:crypto";
import { readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { insertDelivery } from "../../../src/deliveries/deliveries.ts";
import type { Format } from "./files.ts";
import type { World } from "./world.ts";

export type Loaded = {
  seconds: number;
  /** Of all threads of this process, and of the server's processes for the loading thread. */
  processCpuMicros: number;
  serverCpuMicros: number;
  /** How much this process grew at most beyond what it had before. */
  growthBytes: number;
};

const sampleEveryMs = 20;

/** Loads a file whose records must all be counted as `outcome`. */
export async function load(
  world: World,
  format: Format,
  file: string,
  outcome: "records_new" | "records_known",
  size: number,
): Promise<Loaded> {
  const { database, pool, partnerId, vaultDirectory } = world;
  await nameAccounts(world);
  const id = randomUUIDv7();
  await insertDelivery(database, {
    id,
    partnerId,
    door: "sftp",
    format,
    name: id,
    requestId: null,
    correlationId: "bench",
    sizeBytes: (await stat(path.join(vaultDirectory, file))).size,
    sha256: createHash("sha256").update(id).digest(),
    vaultReference: file,
    refusal: null,
  });
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let peak = before;
  const sampler = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), sampleEveryMs);
  const serverCpuBefore = await serverCpuMicros(world);
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await pool.run({ deliveryId: id }, { name: "ingest" });
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  clearInterval(sampler);
  const { rows } = await database.query<{ counted: number }>(
    `select ${outcome} as counted from deliveries where id = $1`,
    [id],
  );
  if (rows[0]?.counted !== size) throw new Error(`${rows[0]?.counted} of ${size} rows were loaded`);
  return {
    seconds,
    processCpuMicros: cpu.user + cpu.system,
    serverCpuMicros: (await serverCpuMicros(world)) - serverCpuBefore,
    growthBytes: peak - before,
  };
}

export async function empty({ database }: World): Promise<void> {
  await database.query(
    "truncate transactions, accounts, cards, changed_users, requests, account_owners, deliveries cascade",
  );
  await database.query("checkpoint");
}

async function nameAccounts({ database, partnerId }: World): Promise<void> {
  await database.query(
    `insert into account_owners (partner_id, bank_id, account_number, user_id, delivery_position)
     select partner_id, 'bank', replace(bank_user_id, 'user-', 'account-'), id, 1 from users where partner_id = $1
     on conflict do nothing`,
    [partnerId],
  );
}

/** A clock tick of Linux, in which the kernel counts processor time. */
const tickMicros = 10_000;

/** Processor time of the worker's server processes so far; 0 where the kernel does not tell. */
async function serverCpuMicros({ database }: World): Promise<number> {
  const { rows } = await database.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'tideline worker'",
  );
  return rows.reduce((sum, { pid }) => sum + ticksOf(pid) * tickMicros, 0);
}

function ticksOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ") ?? [];
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}
