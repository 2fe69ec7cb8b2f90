/**
 * Does the API's event loop stay awake while large files load? The service of production with every role in one
 * process; apps read their services, 200 times a second. Delay of the event loop at p50 and p99 while nothing else
 * happens, and while two files of 1 GiB plaintext (--short: 64 MiB) are loaded together, in turn. Beside it, how long
 * the reads took.
 */
import { randomUUIDv7, createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { Agent, request } from "node:https";
import { loadavg } from "node:os";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { readConfig } from "../../src/config.ts";
import { createEvents } from "../../src/events.ts";
import { findDelivery, insertDelivery } from "../../src/deliveries/deliveries.ts";
import { openTideline, type Tideline } from "../../src/main.ts";
import { rotateBatchKey } from "../../src/partners/keys/batch-keys.ts";
import { createTokens } from "../../src/partners/tokens.ts";
import { createSealer } from "../../src/sealing/sealer.ts";
import { addPartner } from "../parties.ts";
import { asOf } from "./read/as-of.ts";
import { addHouseholds } from "./read/households.ts";
import { benchRecords, recordsPerUser } from "./records.ts";

const plaintextBytes = process.argv.includes("--short") ? 64 * 1024 * 1024 : 1024 * 1024 * 1024;
const recordBytes = 372;
const records = Math.ceil(plaintextBytes / recordBytes);
const idleMs = 5000;
/** As often as a loop that is asleep can be noticed at all. */
const resolutionMs = 1;
const readEveryMs = 5;
const files = 2;
const households = 8;
const connectionsMax = 16;
const pieceRecords = 200;

export async function bench(clusterUrl: string, folder: string): Promise<void> {
  const config = readConfig(
    { dataDir: path.join(folder, "data"), httpsPort: "0", sftpPort: "0", consolePort: "0", asOf },
    { DATABASE_URL: clusterUrl, TIDELINE_KEY_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64") },
  );
  const tideline = await openTideline(config, createEvents({ level: "silent" }));
  try {
    const readers = await prepareReaders(tideline);
    const prepared: File[] = [];
    for (let n = 0; n < files; n += 1) prepared.push(await prepare(tideline, `large-${n}`));
    const idle = await watch(tideline, readers, () => wait(idleMs));
    report("reads alone", idle);
    const startedAt = performance.now();
    const loaded = await watch(tideline, readers, async () => {
      await Promise.all(prepared.map((file) => load(tideline, file)));
    });
    const seconds = (performance.now() - startedAt) / 1000;
    const all = files * records;
    report(
      `while ${files} files of ${records} records load in ${seconds.toFixed(1)} s (${Math.round(all / seconds / 1000)} k/s)`,
      loaded,
    );
    const after = await watch(tideline, readers, () => wait(idleMs));
    report("reads alone again", after);
    const calm = Math.min(idle.p99Ms, after.p99Ms);
    console.log(`p99 delay above idle: ${Math.max(0, loaded.p99Ms - calm).toFixed(1)} ms`);
  } finally {
    await tideline.close();
  }
}

type File = { partnerId: string; reference: string; sizeBytes: number };

type Reader = { path: string; token: string };

async function prepareReaders({ database, keyEncryptionKey, clock }: Tideline): Promise<Reader[]> {
  const owners = await addHouseholds(database, households);
  const tokens = createTokens(database, keyEncryptionKey, clock);
  return await Promise.all(
    owners.map(async (owner) => ({
      path: `/partner/${owner.partnerId}/2.0.0/services`,
      token: await tokens.issue({ ...owner, actor: null, revokedAt: null }),
    })),
  );
}

async function prepare({ database, keyEncryptionKey, folder }: Tideline, reference: string): Promise<File> {
  const partnerId = await addPartner(database, reference);
  await database.query(
    "insert into users (partner_id, brand_id, bank_user_id, locale) select $1, 'bank-dk', 'user-' || n, 'da-DK' from generate_series(0, $2) as n",
    [partnerId, Math.ceil(records / recordsPerUser)],
  );
  const sealer = await createSealer(await rotateBatchKey(database, keyEncryptionKey, partnerId, new Date()));
  await mkdir(folder.vault, { recursive: true });
  await pipeline(sealer.sealStream(arrayText()), createWriteStream(path.join(folder.vault, reference)));
  return { partnerId, reference, sizeBytes: (await stat(path.join(folder.vault, reference))).size };
}

async function* arrayText(): AsyncGenerator<string> {
  for (let from = 0; from < records; from += pieceRecords) {
    const texts = [...benchRecords(from, Math.min(pieceRecords, records - from))].map((record) =>
      JSON.stringify(record),
    );
    yield `${from === 0 ? "[" : ","}${texts.join(",")}`;
  }
  yield "]";
}

/** Returns when the file is loaded. Workers find it by themselves, as they find every delivery. */
async function load({ database }: Tideline, { partnerId, reference, sizeBytes }: File): Promise<void> {
  const id = randomUUIDv7();
  await insertDelivery(database, {
    id,
    partnerId,
    door: "sftp",
    format: "jwe",
    name: reference,
    requestId: null,
    correlationId: "bench",
    sizeBytes,
    sha256: createHash("sha256").update(id).digest(),
    vaultReference: reference,
    refusal: null,
  });
  for (;;) {
    const delivery = await findDelivery(database, id);
    if (delivery?.state === "loaded" && delivery.recordsNew === records) return;
    if (delivery === null || delivery.state === "refused" || delivery.attempts > 0 || delivery.state === "loaded")
      throw new Error(`the file is ${delivery?.state}, ${delivery?.recordsNew} records new`);
    await wait(250);
  }
}

type Watched = { p50Ms: number; p99Ms: number; maxMs: number; callsMs: number[] };

/** The event loop's delay beyond the interval at which it was asked, while `work` runs and apps read. */
async function watch(tideline: Tideline, readers: readonly Reader[], work: () => Promise<void>): Promise<Watched> {
  const agent = new Agent({ keepAlive: true, maxSockets: connectionsMax });
  const callsMs: number[] = [];
  const underWay = new Set<Promise<void>>();
  let failure: unknown = null;
  let asked = 0;
  // At their times whether or not earlier ones were answered: who is late must not be spared.
  const asking = setInterval(() => {
    const startedAt = performance.now();
    const calling = call(tideline, agent, readers[asked % readers.length] ?? { path: "", token: "" })
      .then(() => void callsMs.push(performance.now() - startedAt))
      .catch((error: unknown) => void (failure = error))
      .finally(() => underWay.delete(calling));
    underWay.add(calling);
    asked += 1;
  }, readEveryMs);
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  await work();
  delay.disable();
  clearInterval(asking);
  await Promise.all(underWay);
  agent.destroy();
  if (failure !== null) throw failure;
  const beyond = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolutionMs);
  return {
    p50Ms: beyond(delay.percentile(50)),
    p99Ms: beyond(delay.percentile(99)),
    maxMs: beyond(delay.max),
    callsMs,
  };
}

function call({ httpsPort, certificate }: Tideline, agent: Agent, { path: asked, token }: Reader): Promise<void> {
  return new Promise((resolve, reject) => {
    const calling = request(
      {
        host: "127.0.0.1",
        port: httpsPort,
        ca: certificate.authority,
        servername: "localhost",
        path: asked,
        headers: { authorization: `Bearer ${token}` },
        agent,
      },
      (response) => {
        response.resume();
        if (response.statusCode === 200) response.on("end", resolve);
        else reject(new Error(`a read was answered ${response.statusCode}`));
      },
    );
    calling.on("error", reject);
    calling.end();
  });
}

function report(name: string, { p50Ms, p99Ms, maxMs, callsMs }: Watched): void {
  const ordered = callsMs.toSorted((a, b) => a - b);
  const at = (part: number) => (ordered[Math.floor(ordered.length * part)] ?? 0).toFixed(1);
  console.log(
    `${name}: event loop late by p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, max ${maxMs.toFixed(0)} ms; calls p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (load ${loadavg()[0]?.toFixed(1)})`,
  );
}
