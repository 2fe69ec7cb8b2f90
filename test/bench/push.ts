/**
 * How many batches of 750 records a second does the HTTPS door make durable? Beside it, in the same run, the floor: see
 * push/floor.ts, on as many threads as open batches at the door, with as many requests under way. The sender is a
 * process of its own on the same machine, and its work counts against the door, not against the floor. Where something
 * else is running, the ratio of processor times says more than that of rates, which then depends on who else asks for a
 * processor.
 */
import { type ChildProcess, fork } from "node:child_process";
import { createDecipheriv, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { loadavg } from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { requestRecordsMax } from "../../config/limits.ts";
import { readConfig } from "../../src/config.ts";
import { createEvents } from "../../src/events.ts";
import { openTideline, type Tideline } from "../../src/main.ts";
import { findBatchKey, rotateBatchKey } from "../../src/partners/keys/batch-keys.ts";
import { requestsPerMinuteMax } from "../../src/partners/settings/https-rules.ts";
import { createSealer } from "../../src/sealing/sealer.ts";
import { unwrapContentKey } from "../../workers/jwe/content-key.ts";
import { addPartner } from "../parties.ts";
import { databaseCpuMs, ownCpuMs } from "./processor.ts";
import type { Sending, Sent, Tokens } from "./push/client.ts";
import { benchRecords, recordsPerUser } from "./records.ts";

const isShort = process.argv.includes("--short");
const rounds = isShort ? 5 : 7;
const requests = isShort ? 300 : 400;
const concurrencies = [1, 4, 16, 64];
/** More than are under way at once: of those that come together with the same bytes the door opens one for all. */
const tokensMade = 100;

export async function bench(clusterUrl: string, folder: string): Promise<void> {
  const config = readConfig(
    { dataDir: path.join(folder, "data"), httpsPort: "0", sftpPort: "0", roles: "api" },
    {
      DATABASE_URL: clusterUrl,
      TIDELINE_STAGING_DEPTH_MAX: "1000000",
      TIDELINE_KEY_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
    },
  );
  const tideline = await openTideline(config, createEvents({ level: "silent" }));
  const client = fork(new URL("push/client.ts", import.meta.url));
  try {
    const batches = await prepare(tideline);
    client.send({ tokens: batches.tokens } satisfies Tokens);
    for (const concurrency of concurrencies)
      await compare({ tideline, client, batches, concurrency }, clusterUrl, config.doorThreads);
  } finally {
    client.disconnect();
    await tideline.close();
  }
}

type Batches = { partnerId: string; tokens: string[]; privateKey: KeyObject };

async function prepare({ database, keyEncryptionKey }: Tideline): Promise<Batches> {
  const partnerId = await addPartner(database);
  await database.query("update partners set settings = $1", [
    JSON.stringify({ https: { requestsPerMinute: requestsPerMinuteMax } }),
  ]);
  await database.query(
    "insert into users (partner_id, brand_id, bank_user_id, locale) select $1, 'bank-dk', 'user-' || n, 'da-DK' from generate_series(0, $2) as n",
    [partnerId, Math.ceil((tokensMade * requestRecordsMax) / recordsPerUser)],
  );
  await database.query("create table floor (body bytea not null)");
  await database.query("alter table floor alter column body set storage external");
  const publicKey = await rotateBatchKey(database, keyEncryptionKey, partnerId, new Date());
  const sealer = await createSealer(publicKey);
  const tokens: string[] = [];
  for (let n = 0; n < tokensMade; n++)
    tokens.push(await sealer.seal(JSON.stringify([...benchRecords(n * requestRecordsMax, requestRecordsMax)])));
  const privateKey = await findBatchKey(database, keyEncryptionKey, partnerId, publicKey.kid, new Date());
  if (privateKey === null) throw new Error("the key is gone");
  return { partnerId, tokens, privateKey };
}

/** Of one round or of all: seconds, and processor time of all that took part. */
type Spent = { seconds: number; cpuMs: number };

type Door = { tideline: Tideline; client: ChildProcess; batches: Batches; concurrency: number };

/** Rounds of floor and door in turn, each time the other one first, so that what else the machine does meets both. */
async function compare(door: Door, clusterUrl: string, threads: number): Promise<void> {
  const { tideline, batches, concurrency } = door;
  const ofDoor: Spent[] = [];
  const ofFloor: Spent[] = [];
  const latenciesMs: number[] = [];
  const floor = await openFloor(batches, clusterUrl, Math.min(threads, concurrency), concurrency);
  // Threads start, keys are read, code is compiled, the sender's too.
  for (let warming = 0; warming < 2; warming += 1) {
    await floor.run();
    await push(door);
  }
  for (let round = 0; round < rounds; round++) {
    const measureFloor = async () =>
      ofFloor.push(await spending(tideline, async () => ({ seconds: await floor.run(), cpuMs: 0 })));
    const measureDoor = async () =>
      ofDoor.push(
        await spending(tideline, async () => {
          const sent = await push(door);
          if (sent.refused > 0) throw new Error(`${sent.refused} of ${requests} requests were not received`);
          latenciesMs.push(...sent.latenciesMs);
          return sent;
        }),
      );
    for (const measure of round % 2 === 0 ? [measureFloor, measureDoor] : [measureDoor, measureFloor]) await measure();
  }
  await floor.close();
  const rates = ofDoor.map(({ seconds }) => requests / seconds);
  const floors = ofFloor.map(({ seconds }) => requests / seconds);
  const [cpu, cpuOfFloor] = [ofDoor, ofFloor].map((all) => median(all.map(({ cpuMs }) => cpuMs / requests))) as [
    number,
    number,
  ];
  console.log(
    `${concurrency} at once, ${threads} door threads: ${median(rates).toFixed(0)} requests/s, floor ${median(floors).toFixed(0)}, ` +
      `ratio ${median(rates.map((rate, round) => rate / (floors[round] ?? rate))).toFixed(2)}; ` +
      `p50 ${quantile(latenciesMs, 0.5).toFixed(0)} ms, p99 ${quantile(latenciesMs, 0.99).toFixed(0)} ms; ` +
      `processor a request with sender and database ${cpu.toFixed(1)} ms, floor ${cpuOfFloor.toFixed(1)}, ratio ${(cpuOfFloor / cpu).toFixed(2)} (load ${loadavg()[0]?.toFixed(1)})`,
  );
}

/** @param work its own time, and processor time of other processes */
async function spending({ database }: Tideline, work: () => Promise<Spent>): Promise<Spent> {
  const before = ownCpuMs() + (await databaseCpuMs(database));
  const { seconds, cpuMs } = await work();
  return { seconds, cpuMs: cpuMs + ownCpuMs() + (await databaseCpuMs(database)) - before };
}

async function push({ tideline, client, batches: { partnerId }, concurrency }: Door): Promise<Sent> {
  const sending: Sending = {
    port: tideline.httpsPort ?? 0,
    ca: tideline.certificate.authority,
    path: `/partner/${partnerId}/2.0.0/transactions`,
    requests,
    concurrency,
  };
  client.send(sending);
  const [sent] = (await once(client, "message")) as [Sent];
  return sent;
}

async function openFloor({ tokens, privateKey }: Batches, databaseUrl: string, threads: number, concurrency: number) {
  const [token = ""] = tokens;
  const [header = "", key = "", iv = "", ciphertext = "", tag = ""] = token.split(".");
  const encryptedKey = Buffer.from(key, "base64url");
  const decipher = createDecipheriv(
    "aes-256-gcm",
    await unwrapContentKey(privateKey, encryptedKey),
    Buffer.from(iv, "base64url"),
  );
  decipher.setAAD(Buffer.from(header)).setAuthTag(Buffer.from(tag, "base64url"));
  const deflated = Buffer.concat([decipher.update(ciphertext, "base64url"), decipher.final()]);
  const privatePem = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
  const workerData = {
    databaseUrl,
    privatePem,
    encryptedKey,
    deflated,
    body: Buffer.from(token),
    loops: Math.ceil(concurrency / threads),
  };
  const workers = Array.from(
    { length: threads },
    () => new Worker(new URL("push/floor.ts", import.meta.url), { workerData }),
  );
  return {
    /** Seconds. */
    async run(): Promise<number> {
      const startedAt = performance.now();
      await Promise.all(workers.map((worker) => tell(worker, Math.ceil(requests / threads))));
      return (performance.now() - startedAt) / 1000;
    },
    async close(): Promise<void> {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

async function tell(worker: Worker, requestsOfThread: number): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  worker.postMessage(requestsOfThread);
  await once(worker, "message");
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;
}
