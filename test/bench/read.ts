/**
 * How many services, upcoming payments and budgets are read in a second? Beside each, in the same run, the floor: the
 * same HTTPS server answering constant bytes of that size after one indexed query, to nobody in particular and to a
 * caller who was identified; see read/floor.ts. A first read is by a server that remembers no documents, a repeated one by a
 * server that remembers what it read lately. Each is asked by callers who take gzip, as most apps' clients do by
 * themselves, and by callers who do not, and so is its floor, which has the bytes of either. Servers are processes of
 * their own (read/servers.ts), and so are the reading apps, on the same machine. Rounds of all take turns, each time in
 * another order, so that what else the machine does meets each. Where it does much, the ratios of processor time say more
 * than those of rates, which then depend on who else asks for a processor.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { loadavg } from "node:os";
import path from "node:path";
import { type Database, openDatabase } from "../../src/database/database.ts";
import { createTokens } from "../../src/partners/tokens.ts";
import { createClock } from "../../src/time/clock.ts";
import { databaseCpuMs } from "./processor.ts";
import { asOf } from "./read/as-of.ts";
import type { HasRead, Reading } from "./read/client.ts";
import { addHouseholds, type Household } from "./read/households.ts";
import { openServer, type Server } from "./read/servers.ts";

const isShort = process.argv.includes("--short");
const households = isShort ? 8 : 40;
/** At the concurrency that the report's lines are of. */
const roundsOfLines = isShort ? 9 : 15;
const roundsOfOthers = isShort ? 5 : 7;
const requests = isShort ? 500 : 1000;
const concurrencyOfLines = 8;
const concurrencies = [1, concurrencyOfLines, 32];
/** Of each kind and document, before anything is measured: V8 compiles for longer than a round takes. */
const warmingCalls = 1000;
const keyEncryptionKey = Buffer.alloc(32, 1);

export async function bench(clusterUrl: string, folder: string): Promise<void> {
  const server = { databaseUrl: clusterUrl, keyEncryptionKey: keyEncryptionKey.toString("base64") };
  const api = (name: string, rememberedBytesMax: number | null) =>
    openServer({ ...server, open: "api", dataDir: path.join(folder, name), rememberedBytesMax });
  const first = await api("first", 0);
  const repeated = await api("repeated", null);
  const floors = await openServer({ ...server, open: "floors", tls: first.certificate });
  const database = openDatabase(clusterUrl, { sizeMax: 4, applicationName: "bench" });
  const client = fork(new URL("read/client.ts", import.meta.url));
  try {
    const endpoints = await endpointsOf(database, await addHouseholds(database, households));
    const all = endpoints.flatMap((endpoint) =>
      (endpoint.isPacked ? [false, true] : [false]).map((takesGzip) => ({ endpoint, takesGzip })),
    );
    const servers = { first, repeated, floors, database, client };
    for (const { endpoint, takesGzip } of all)
      await warm({ ...servers, concurrency: concurrencyOfLines, takesGzip }, endpoint);
    for (const concurrency of concurrencies)
      for (const { endpoint, takesGzip } of all) await compare({ ...servers, concurrency, takesGzip }, endpoint);
  } finally {
    client.disconnect();
    await database.end();
    for (const one of [floors, repeated, first]) await one.close();
  }
}

/** isPacked: for who takes it so. subjects: whom the calls are about, one by one. */
type Endpoint = { name: string; isPacked: boolean; calls: Reading["calls"]; subjects: string[] };

async function endpointsOf(database: Database, owners: readonly Household[]): Promise<Endpoint[]> {
  const tokens = createTokens(database, keyEncryptionKey, createClock(asOf));
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
  first: Server;
  repeated: Server;
  floors: Server;
  database: Database;
  client: ChildProcess;
  concurrency: number;
  takesGzip: boolean;
};
type Asked = { server: Server; reading: Reading };

const kinds = ["floor", "identified", "repeated", "first"] as const;
type Kind = (typeof kinds)[number];

/** The same calls of each kind. */
function askedOf(run: Run, { calls, subjects }: Endpoint, requestsOfRound: number): Record<Kind, Asked> {
  const { first, repeated, floors, concurrency, takesGzip } = run;
  const of = (server: Server, asked: Reading["calls"]): Asked => ({
    server,
    reading: {
      port: server.port,
      ca: server.certificate.authority,
      calls: asked,
      requests: requestsOfRound,
      concurrency,
      takesGzip,
    },
  });
  const constant = calls.map(({ path: asked, token }) => ({
    path: asked.replace(/(2\.0\.0)\/.*/, "$1/constant"),
    token,
  }));
  const token = calls[0]?.token ?? "";
  return {
    first: of(first, calls),
    repeated: of(repeated, calls),
    floor: of(
      floors,
      subjects.map((subject) => ({ path: `/constant/${subject}`, token })),
    ),
    identified: of(floors, constant),
  };
}

/** @returns bytes of an answer, which the floors answer with from now on */
async function warm(run: Run, endpoint: Endpoint, calls: number = warmingCalls): Promise<number> {
  const all = askedOf(run, endpoint, calls);
  const bytes = Math.round((await read(run, all.first)).bytes / calls);
  await run.floors.answer({ bytes, isPacked: run.takesGzip });
  for (const kind of kinds) if (kind !== "first") await read(run, all[kind]);
  return bytes;
}

async function compare(run: Run, endpoint: Endpoint): Promise<void> {
  const { concurrency, takesGzip } = run;
  const bytes = await warm(run, endpoint, requests);
  const all = askedOf(run, endpoint, requests);
  const figures: Record<Kind, Figures[]> = { floor: [], identified: [], repeated: [], first: [] };
  const rounds = concurrency === concurrencyOfLines ? roundsOfLines : roundsOfOthers;
  for (let round = 0; round < rounds; round += 1)
    for (const kind of [...kinds.slice(round % kinds.length), ...kinds.slice(0, round % kinds.length)])
      figures[kind].push(await measure(run, all[kind]));
  tell(
    `${endpoint.name}, ${(bytes / 1000).toFixed(1)} kB${takesGzip ? " of gzip" : ""}, ${concurrency} at once`,
    figures,
  );
}

/** Milliseconds of processor a call: the server's, the database's and the reading apps'. */
type Figures = { rate: number; latenciesMs: number[]; serverMs: number; databaseMs: number; clientMs: number };

async function measure(run: Run, asked: Asked): Promise<Figures> {
  const { server } = asked;
  const [ofServer, ofDatabase] = [await server.cpuMs(), await databaseCpuMs(run.database)];
  const { seconds, cpuMs, latenciesMs } = await read(run, asked);
  return {
    rate: requests / seconds,
    latenciesMs,
    serverMs: ((await server.cpuMs()) - ofServer) / requests,
    databaseMs: ((await databaseCpuMs(run.database)) - ofDatabase) / requests,
    clientMs: cpuMs / requests,
  };
}

function tell(what: string, figures: Record<Kind, Figures[]>): void {
  const { floor, identified, repeated, first } = figures;
  const median = (of: Figures[], figure: (one: Figures) => number): number => quantile(of.map(figure), 0.5);
  const costs = (of: Figures[]): string =>
    [({ serverMs }: Figures) => serverMs, ({ databaseMs }: Figures) => databaseMs, ({ clientMs }: Figures) => clientMs]
      .map((figure) => median(of, figure).toFixed(2))
      .join(" + ");
  const ratio = (of: Figures[], to: Figures[], figure: (one: Figures) => number): string =>
    quantile(
      of.map((one, round) => figure(one) / figure(to[round] ?? one)),
      0.5,
    ).toFixed(2);
  const against = (of: Figures[]): string => {
    const latencies = of.flatMap(({ latenciesMs }) => latenciesMs);
    const waits = `p50 ${quantile(latencies, 0.5).toFixed(1)}, p99 ${quantile(latencies, 0.99).toFixed(1)} ms`;
    const rates = `${median(of, ({ rate }) => rate).toFixed(0)}/s, ${ratio(of, floor, ({ rate }) => rate)} of the floor, ${ratio(of, identified, ({ rate }) => rate)} of the identified one`;
    return `${rates} (${waits}; processors ${costs(of)} ms, by them ${ratio(floor, of, allMs)} of the floor, without the callers ${ratio(floor, of, servedMs)})`;
  };
  const floors = `floor ${median(floor, ({ rate }) => rate).toFixed(0)}/s (${costs(floor)} ms), identified ${median(identified, ({ rate }) => rate).toFixed(0)}/s (${costs(identified)} ms)`;
  console.log(
    `${what}: repeated ${against(repeated)}; first ${against(first)}; ${floors}; load ${loadavg()[0]?.toFixed(1)}`,
  );
}

function servedMs({ serverMs, databaseMs }: Figures): number {
  return serverMs + databaseMs;
}

function allMs(one: Figures): number {
  return servedMs(one) + one.clientMs;
}

async function read({ client }: Run, { reading }: Asked): Promise<HasRead> {
  client.send(reading);
  const [done] = (await once(client, "message")) as [HasRead];
  if (done.failed > 0) throw new Error(`${done.failed} of ${reading.requests} calls were not answered with 200`);
  return done;
}

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;
}
