/**
 * How many services, upcoming payments and budgets are read in a second? Beside each, in the same run, the floor: the same HTTPS
 * server, in the same process, answering a constant text of that size after one indexed query; see read/floor.ts. Rounds of both
 * take turns, so that what else the machine does meets both. The reading apps are a process of their own on the same machine.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { loadavg } from "node:os";
import path from "node:path";
import { readConfig } from "../../src/config.ts";
import { createEvents } from "../../src/events.ts";
import { openTideline, type Tideline } from "../../src/main.ts";
import { createTokens } from "../../src/partners/tokens.ts";
import type { HasRead, Reading } from "./read/client.ts";
import { openFloor } from "./read/floor.ts";
import { addHouseholds, asOf, type Household } from "./read/households.ts";

const isShort = process.argv.includes("--short");
const households = isShort ? 8 : 40;
const rounds = isShort ? 5 : 7;
const requests = isShort ? 400 : 1000;
const concurrencies = isShort ? [8] : [1, 8, 32];

export async function bench(clusterUrl: string, folder: string): Promise<void> {
  const environment = { DATABASE_URL: clusterUrl, TIDELINE_KEY_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64") };
  const config = readConfig({ dataDir: path.join(folder, "data"), httpsPort: "0", sftpPort: "0", roles: "api", asOf }, environment);
  const tideline = await openTideline(config, createEvents({ level: "silent" }));
  const client = fork(new URL("read/client.ts", import.meta.url));
  try {
    const endpoints = await endpointsOf(tideline, await addHouseholds(tideline.database, households));
    for (const concurrency of concurrencies) for (const endpoint of endpoints) await compare({ tideline, clusterUrl, client, concurrency }, endpoint);
  } finally {
    client.disconnect();
    await tideline.close();
  }
}

/** subjects: whom the calls are about, one by one. */
type Endpoint = { name: string; calls: Reading["calls"]; subjects: string[] };

async function endpointsOf({ database, keyEncryptionKey, clock }: Tideline, owners: readonly Household[]): Promise<Endpoint[]> {
  const tokens = createTokens(database, keyEncryptionKey, clock);
  const issued = await Promise.all(owners.map((owner) => tokens.issue({ ...owner, actor: null })));
  const endpoint = (name: string, pathOf: (owner: Household) => string): Endpoint => {
    const calls = owners.map((owner, n) => ({ path: `/partner/${owner.partnerId}/2.0.0/${pathOf(owner)}`, token: issued[n] ?? "" }));
    return { name, calls, subjects: owners.map(({ subject }) => subject) };
  };
  return [
    endpoint("services", () => "services"), endpoint("upcoming payments", () => "upcoming-payments"),
    endpoint("budget", ({ budgetId }) => `budgets/${budgetId}`), endpoint("budget's details", ({ budgetId }) => `budgets/${budgetId}/details`),
  ];
}

type Run = { tideline: Tideline; clusterUrl: string; client: ChildProcess; concurrency: number };

async function compare({ tideline, clusterUrl, client, concurrency }: Run, { name, calls, subjects }: Endpoint): Promise<void> {
  const { authority: ca, ...tls } = tideline.certificate;
  const real: Reading = { port: tideline.httpsPort ?? 0, ca, calls, requests, concurrency };
  const warm = await read(client, real);
  const bytes = Math.round(warm.bytes / requests);
  const floor = await openFloor(tls, clusterUrl, "x".repeat(bytes));
  try {
    const constant: Reading = { ...real, port: floor.port, calls: subjects.map((subject) => ({ path: `/constant/${subject}`, token: calls[0]?.token ?? "" })) };
    await read(client, constant);
    const figures = { rates: [] as number[], floors: [] as number[], latenciesMs: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      figures.floors.push(requests / (await read(client, constant)).seconds);
      const { seconds, latenciesMs } = await read(client, real);
      figures.rates.push(requests / seconds);
      figures.latenciesMs.push(...latenciesMs);
    }
    tell(`${name}, ${concurrency} at once`, bytes, figures);
  } finally {
    await floor.close();
  }
}

function tell(what: string, bytes: number, { rates, floors, latenciesMs }: { rates: number[]; floors: number[]; latenciesMs: number[] }): void {
  const ratios = rates.map((rate, round) => rate / (floors[round] ?? rate));
  console.log(
    `${what}, ${(bytes / 1000).toFixed(1)} kB: ${quantile(rates, 0.5).toFixed(0)} requests/s, floor ${quantile(floors, 0.5).toFixed(0)}, ratio ${quantile(ratios, 0.5).toFixed(2)}; ` +
      `p50 ${quantile(latenciesMs, 0.5).toFixed(1)} ms, p99 ${quantile(latenciesMs, 0.99).toFixed(1)} ms (load ${loadavg()[0]?.toFixed(1)})`,
  );
}

async function read(client: ChildProcess, reading: Reading): Promise<HasRead> {
  client.send(reading);
  const [done] = (await once(client, "message")) as [HasRead];
  if (done.failed > 0) throw new Error(`${done.failed} of ${reading.requests} calls were not answered with 200`);
  return done;
}

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;
}
