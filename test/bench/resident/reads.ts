/** What callers wait for, on a quiet ledger and while a partner leaves. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { readConfig } from "../../../src/config.ts";
import type { Database } from "../../../src/database/database.ts";
import { createEvents } from "../../../src/events.ts";
import { openTideline, type Tideline } from "../../../src/main.ts";
import { removePartner } from "../../../src/operations/partner-removal.ts";
import { requestsPerMinuteMax } from "../../../src/partners/settings/https-rules.ts";
import { suspendPartner } from "../../../src/partners/provisioning.ts";
import { createTokens } from "../../../src/partners/tokens.ts";
import { fileVault } from "../../../src/vault/file-vault.ts";
import type { HasRead, Reading } from "../read/client.ts";
import { keyEncryptionKey, type Measuring, note, pagesFetched, quantile } from "./figures.ts";
import { leaving, resident } from "./fill.ts";
import { loadOne, openLoading } from "./loads.ts";
import { readOn } from "./nights.ts";

const againRounds = 3;

type Reader = { token: string; budgetId: string };

export type Reads = {
  readers: readonly Reader[];
  /** One call after the other. @throws unless all were answered with 200 */
  read(by: "first" | "again", pathOf: (reader: Reader) => string, requests: number): Promise<number[]>;
};

/** A server that remembers no documents reads first, one that does reads again. */
export async function withReads(
  measuring: Measuring,
  client: ChildProcess,
  work: (reads: Reads) => Promise<void>,
): Promise<void> {
  await measuring.database.query("update partners set settings = $2 where id = $1", [
    resident,
    JSON.stringify({ https: { requestsPerMinute: requestsPerMinuteMax } }),
  ]);
  const servers = {
    first: await openServer(measuring, "first", { TIDELINE_REMEMBERED_DOCUMENT_BYTES_MAX: "0" }),
    again: await openServer(measuring, "again", {}),
  };
  try {
    const readers = await readersOf(measuring, servers.first);
    await work({
      readers,
      async read(by, pathOf, requests) {
        const reading: Reading = {
          port: servers[by].httpsPort ?? 0,
          ca: servers[by].certificate.authority,
          calls: readers.map((reader) => ({
            path: `/partner/${resident}/2.0.0/${pathOf(reader)}`,
            token: reader.token,
          })),
          requests,
          concurrency: 1,
        };
        client.send(reading);
        const [done] = (await once(client, "message")) as [HasRead];
        if (done.failed > 0) throw new Error(`${done.failed} of ${requests} calls were not answered with 200`);
        return done.latenciesMs;
      },
    });
  } finally {
    await servers.again.close();
    await servers.first.close();
  }
}

async function openServer({ url, folder }: Measuring, name: string, more: Record<string, string>): Promise<Tideline> {
  return await openTideline(
    readConfig(
      { dataDir: path.join(folder, name), httpsPort: "0", sftpPort: "0", roles: "api", asOf: readOn },
      { DATABASE_URL: url, TIDELINE_KEY_ENCRYPTION_KEY: keyEncryptionKey.toString("base64"), ...more },
    ),
    createEvents({ level: "silent" }),
  );
}

async function readersOf({ database, userIds }: Measuring, server: Tideline): Promise<Reader[]> {
  const { rows } = await database.query<{ partnerId: string; brandId: string; subject: string; budgetId: string }>(
    `select users.partner_id as "partnerId", brand_id as "brandId", subject, budgets.id as "budgetId"
       from users
       join budgets on budgets.user_id = users.id
      where users.id = any($1::bigint[])
      order by users.id`,
    [userIds],
  );
  const tokens = createTokens(server.database, keyEncryptionKey, server.clock);
  return await Promise.all(
    rows.map(async ({ budgetId, ...owner }) => ({
      budgetId,
      token: await tokens.issue({ ...owner, actor: null, revokedAt: null }),
    })),
  );
}

const asked: Readonly<Record<string, (reader: Reader) => string>> = {
  services: () => "services",
  "upcoming payments": () => "upcoming-payments",
  "a budget": ({ budgetId }) => `budgets/${budgetId}`,
  "a page of transactions": () => "transactions?limit=100",
  "all transactions": () => "transactions",
};

export async function measureReads(measuring: Measuring, { readers, read }: Reads): Promise<void> {
  // Connections, tokens and statements are not what is asked for.
  for (const by of ["first", "again"] as const) await read(by, () => "income", 20);
  for (const [what, pathOf] of Object.entries(asked)) {
    let first: number[] = [];
    const pages = await pagesFetched(measuring.database, async () => {
      first = await read("first", pathOf, readers.length);
    });
    const again = (await read("again", pathOf, (againRounds + 1) * readers.length)).slice(readers.length);
    note(measuring, `GET ${what}, first, p50`, quantile(first, 0.5), "ms");
    note(measuring, `GET ${what}, first, p99`, quantile(first, 0.99), "ms");
    note(measuring, `GET ${what}, pages fetched`, pages / readers.length, "pages");
    note(measuring, `GET ${what}, again, p50`, quantile(again, 0.5), "ms");
    note(measuring, `GET ${what}, again, p99`, quantile(again, 0.99), "ms");
  }
}

const smallFileRecords = 3_000;
const lookEveryMs = 20;

/** A partner leaves while others' users read and a file of theirs is loaded. */
export async function measureRemoval(measuring: Measuring, { readers, read }: Reads): Promise<void> {
  const { database, folder } = measuring;
  const there = await database.query("select 1 from partners where id = $1", [leaving]);
  if (there.rowCount === 0) return console.log("  the partner had left before");
  await suspendPartner(database, leaving);
  const world = await openLoading(measuring);
  try {
    await loadOne(world, 10, smallFileRecords);
    const over = new AbortController();
    const waited = watchLocks(database, over.signal);
    const reading = untilOver(over.signal, () => read("first", () => "services", readers.length));
    let nth = 11;
    const loading = untilOver(over.signal, async () => [
      (await loadOne(world, nth++, smallFileRecords)).seconds * 1000,
    ]);
    const startedAt = performance.now();
    const { users, rows } = await removePartner(
      {
        database,
        vault: fileVault(path.join(folder, "vault")),
        landingDirectory: path.join(folder, "landing"),
        actor: "bench",
      },
      leaving,
    );
    const seconds = (performance.now() - startedAt) / 1000;
    over.abort();
    const [reads, loads, looks] = [await reading, await loading, await waited];
    console.log(`  a partner of ${users} users with ${rows} rows left in ${seconds.toFixed(2)} s`);
    note(measuring, "removing a partner", rows / seconds, "rows/s");
    note(measuring, "meanwhile GET services of others, p50", quantile(reads, 0.5), "ms");
    note(measuring, "the slowest of them", Math.max(...reads), "ms");
    note(measuring, "meanwhile a file of 3,000 rows, the slowest", Math.max(...loads), "ms");
    note(measuring, "looks at the locks meanwhile", looks.looks, "looks");
    note(measuring, "of which somebody waited for one", looks.waiting, "looks");
  } finally {
    await world.close();
  }
}

/** At least once. */
async function untilOver(over: AbortSignal, work: () => Promise<number[]>): Promise<number[]> {
  const all: number[] = [];
  do all.push(...(await work()));
  while (!over.aborted);
  return all;
}

async function watchLocks(database: Database, over: AbortSignal): Promise<{ looks: number; waiting: number }> {
  const found = { looks: 0, waiting: 0 };
  while (!over.aborted) {
    const { rows } = await database.query<{ n: number }>("select count(*) as n from pg_locks where not granted");
    found.looks += 1;
    if ((rows[0]?.n ?? 0) > 0) found.waiting += 1;
    await wait(lookEveryMs);
  }
  return found;
}
