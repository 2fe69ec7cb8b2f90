/**
 * How many services, upcoming payments and budgets are read in a second? Beside each, in the same run, the floor: the
 * same HTTPS server, in the same process, answering constant bytes of that size after one indexed query, to nobody in
 * particular and to a caller who was identified; see read/floor.ts. A first read is by a server that remembers no
 * documents, a repeated one by a server that remembers what it read lately. Each is asked by callers who take gzip, as most
 * apps' clients do by themselves, and by callers who do not, and so is its floor, which has the bytes of either. Rounds of all take turns, so that what else
 * the machine does meets each. The reading apps are a process of their own on the same machine.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { loadavg } from "node:os";
import path from "node:path";
import { readConfig } from "../../src/config.ts";
import { createEvents } from "../../src/events.ts";
import { openTideline, type Tideline } from "../../src/main.ts";
import { createTokens } from "../../src/partners/tokens.ts";
import { databaseCpuMs, ownCpuMs } from "./processor.ts";
import type { HasRead, Reading } from "./read/client.ts";
import { openFloor } from "./read/floor.ts";
import { addHouseholds, asOf, type Household } from "./read/households.ts";

const isShort = process.argv.includes("--short");
const households = isShort ? 8 : 40;
const rounds = isShort ? 5 : 7;
const requests = isShort ? 400 : 1000;
const concurrencies = [1, 8, 32];

export async function bench(clusterUrl: string, folder: string): Promise<void> {
  const first = await openServer(clusterUrl, path.join(folder, "first"), {
    TIDELINE_REMEMBERED_DOCUMENT_BYTES_MAX: "0",
  });
  const repeated = await openServer(clusterUrl, path.join(folder, "repeated"), {});
  const client = fork(new URL("read/client.ts", import.meta.url));
  try {
    const endpoints = await endpointsOf(first, await addHouseholds(first.database, households));
    for (const concurrency of concurrencies)
      for (const endpoint of endpoints)
        for (const takesGzip of endpoint.isPacked ? [false, true] : [false])
          await compare({ first, repeated, clusterUrl, client, concurrency, takesGzip }, endpoint);
  } finally {
    client.disconnect();
    await repeated.close();
    await first.close();
  }
}

async function openServer(databaseUrl: string, dataDir: string, more: Record<string, string>): Promise<Tideline> {
  const environment = {
    DATABASE_URL: databaseUrl,
    TIDELINE_KEY_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
    ...more,
  };
  return await openTideline(
    readConfig({ dataDir, httpsPort: "0", sftpPort: "0", roles: "api", asOf }, environment),
    createEvents({ level: "silent" }),
  );
}

/** isPacked: for who takes it so. subjects: whom the calls are about, one by one. */
type Endpoint = { name: string; isPacked: boolean; calls: Reading["calls"]; subjects: string[] };

async function endpointsOf(
  { database, keyEncryptionKey, clock }: Tideline,
  owners: readonly Household[],
): Promise<Endpoint[]> {
  const tokens = createTokens(database, keyEncryptionKey, clock);
  const issued = await Promise.all(owners.map((owner) => tokens.issue({ ...owner, actor: null, revokedAt: null })));
  const endpoint = (name: string, isPacked: boolean, pathOf: (owner: Household) => string): Endpoint => {
    const calls = owners.map((owner, n) => ({
      path: `/partner/${owner.partnerId}/2.0.0/${pathOf(owner)}`,
      token: issued[n] ?? "",
    }));
    return { name, isPacked, calls, subjects: owners.map(({ subject }) => subject) };
  };
  return [
    endpoint("services", true, () => "services"),
    endpoint("upcoming payments", false, () => "upcoming-payments"),
    endpoint("income", false, () => "income"),
    endpoint("budget", true, ({ budgetId }) => `budgets/${budgetId}`),
    endpoint("budget's details", true, ({ budgetId }) => `budgets/${budgetId}/details`),
  ];
}

type Run = {
  first: Tideline;
  repeated: Tideline;
  clusterUrl: string;
  client: ChildProcess;
  concurrency: number;
  takesGzip: boolean;
};

async function compare(run: Run, { name, calls, subjects }: Endpoint): Promise<void> {
  const { first, repeated, clusterUrl, concurrency, takesGzip } = run;
  const {
    certificate: { authority, ...tls },
    keyEncryptionKey,
    clock,
  } = first;
  const of = (port: number, ca: string, asked: Reading["calls"]): Reading => ({
    port,
    ca,
    calls: asked,
    requests,
    concurrency,
    takesGzip,
  });
  const readings = {
    first: of(first.httpsPort ?? 0, authority, calls),
    repeated: of(repeated.httpsPort ?? 0, repeated.certificate.authority, calls),
  };
  const bytes = Math.round((await read(run, readings.first)).bytes / requests);
  const floor = await openFloor({
    tls,
    databaseUrl: clusterUrl,
    keyEncryptionKey,
    clock,
    body: Buffer.alloc(bytes, "x"),
    isPacked: takesGzip,
  });
  try {
    const all = {
      ...readings,
      floor: of(
        floor.port,
        authority,
        subjects.map((subject) => ({ path: `/constant/${subject}`, token: calls[0]?.token ?? "" })),
      ),
      identified: of(
        floor.port,
        authority,
        calls.map(({ path: asked, token }) => ({ path: asked.replace(/(2\.0\.0)\/.*/, "$1/constant"), token })),
      ),
    };
    const figures: Record<Kind, Figures[]> = { floor: [], identified: [], repeated: [], first: [] };
    for (const kind of kinds) await read(run, all[kind]);
    for (let round = 0; round < rounds; round += 1)
      for (const kind of kinds) figures[kind].push(await measure(run, all[kind]));
    tell(`${name}, ${(bytes / 1000).toFixed(1)} kB${takesGzip ? " of gzip" : ""}, ${concurrency} at once`, figures);
  } finally {
    await floor.close();
  }
}

const kinds = ["floor", "identified", "repeated", "first"] as const;
type Kind = (typeof kinds)[number];
/** Milliseconds a call: of this process and of the database's. */
type Figures = { rate: number; latenciesMs: number[]; serverMs: number; databaseMs: number };

async function measure(run: Run, reading: Reading): Promise<Figures> {
  const [server, database] = [ownCpuMs(), await databaseCpuMs(run.first.database)];
  const { seconds, latenciesMs } = await read(run, reading);
  return {
    rate: requests / seconds,
    latenciesMs,
    serverMs: (ownCpuMs() - server) / requests,
    databaseMs: ((await databaseCpuMs(run.first.database)) - database) / requests,
  };
}

function tell(what: string, figures: Record<Kind, Figures[]>): void {
  const { floor, identified, repeated, first } = figures;
  const median = (of: Figures[], figure: (one: Figures) => number): number => quantile(of.map(figure), 0.5);
  const costs = (of: Figures[]): string =>
    `${median(of, ({ serverMs }) => serverMs).toFixed(2)} + ${median(of, ({ databaseMs }) => databaseMs).toFixed(2)} ms`;
  const ratio = (of: Figures[], to: Figures[]): string =>
    quantile(
      of.map(({ rate }, round) => rate / (to[round]?.rate ?? rate)),
      0.5,
    ).toFixed(2);
  const against = (of: Figures[]): string => {
    const latencies = of.flatMap(({ latenciesMs }) => latenciesMs);
    const waits = `p50 ${quantile(latencies, 0.5).toFixed(1)}, p99 ${quantile(latencies, 0.99).toFixed(1)} ms`;
    return `${median(of, ({ rate }) => rate).toFixed(0)}/s, ${ratio(of, floor)} of the floor, ${ratio(of, identified)} of the identified one (${waits}; ${costs(of)})`;
  };
  const floors = `floor ${median(floor, ({ rate }) => rate).toFixed(0)}/s (${costs(floor)}), identified ${median(identified, ({ rate }) => rate).toFixed(0)}/s (${costs(identified)})`;
  console.log(
    `${what}: repeated ${against(repeated)}; first ${against(first)}; ${floors}; load ${loadavg()[0]?.toFixed(1)}`,
  );
}

async function read({ client }: Run, reading: Reading): Promise<HasRead> {
  client.send(reading);
  const [done] = (await once(client, "message")) as [HasRead];
  if (done.failed > 0) throw new Error(`${done.failed} of ${reading.requests} calls were not answered with 200`);
  return done;
}

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;
}
