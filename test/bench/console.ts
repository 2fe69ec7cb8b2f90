/**
 * How long does an operator wait for each page of the console where a million deliveries have landed, and what do those
 * who sit before it cost the callers of the API?
 *
 *   npm run bench -- console [--deliveries 1000000] [--transactions 1000000] [--pages 20] [--rounds 5] [--only deliveries]
 *
 * Waits are those until the first byte of an answer, one call at a time, and the processor time that the service and
 * PostgreSQL spent on it. Then callers read services, eight at once, in rounds without and with twenty browsers that have
 * *Today* open while something lands every second. Exit code 1: a page's p95 is over its goal.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { loadavg } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { readConfig } from "../../src/config.ts";
import { createEvents } from "../../src/events.ts";
import { openTideline, type Tideline } from "../../src/main.ts";
import { createTokens } from "../../src/partners/tokens.ts";
import { fill } from "./console/fill.ts";
import type { Heard, Sessions } from "./console/sessions.ts";
import { databaseCpuMs, ownCpuMs } from "./processor.ts";
import type { HasRead, Reading } from "./read/client.ts";
import { asOf } from "./read/as-of.ts";
import { addHouseholds, type Household } from "./read/households.ts";

const firstByteMsMax = 150;
const sessions = 20;
const callers = 8;
/** Some seconds of them: pages that are open are renewed when something has landed, at most once a second. */
const callsPerRound = 30_000;
const landsEveryMs = 1_000;

export async function bench(clusterUrl: string, folder: string, args: readonly string[]): Promise<void> {
  const text = (value: string) => ({ type: "string", default: value }) as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      deliveries: text("1000000"),
      transactions: text("1000000"),
      pages: text("20"),
      rounds: text("5"),
      only: text(""),
    },
  });
  const dataDir = path.join(folder, "console");
  const tideline = await openTideline(
    readConfig(
      { dataDir, httpsPort: "0", sftpPort: "0", roles: "api,console", asOf },
      {
        DATABASE_URL: clusterUrl,
        TIDELINE_KEY_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
        TIDELINE_CONSOLE_PORT: "0",
      },
    ),
    createEvents({ level: "silent" }),
  );
  try {
    const households = await addHouseholds(tideline.database, 8);
    const size = { partners: 200, deliveries: Number(values.deliveries), users: 20_000 };
    await fill(clusterUrl, { ...size, transactions: Number(values.transactions) });
    const browser = await signIn(tideline, dataDir);
    const late = await measurePages(tideline, browser, Number(values.pages), values.only);
    if (Number(values.rounds) > 0) await measureCallers(tideline, dataDir, households, Number(values.rounds));
    if (late > 0) process.exitCode = 1;
  } finally {
    await tideline.close();
  }
}

type Browser = { port: number; ca: string; cookie: string; agent: Agent };

async function signIn(tideline: Tideline, dataDir: string): Promise<Browser> {
  const token = (await readFile(path.join(dataDir, "console-token"), "utf8")).trim();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const browser = { port: tideline.consolePort ?? 0, ca: tideline.certificate.authority, cookie: "", agent };
  const page = await ask(browser, "/console/sign-in");
  browser.cookie = page.cookie ?? "";
  const form = /name="form"\s+value="([^"]*)"/.exec(page.html)?.[1] ?? "";
  const done = await ask(browser, "/console/sign-in", new URLSearchParams({ form, token }).toString());
  // Of one address twenty tries a minute are heard, and more browsers than that are wanted here.
  if (done.status === 429) {
    agent.destroy();
    await wait((done.retryAfterSeconds + 1) * 1000);
    return await signIn(tideline, dataDir);
  }
  if (done.status !== 303) throw new Error(`signing in was answered with ${done.status}`);
  return { ...browser, cookie: done.cookie ?? "" };
}

type Answer = { status: number; firstByteMs: number; html: string; cookie: string | null; retryAfterSeconds: number };

function ask({ port, ca, cookie, agent }: Browser, at: string, form?: string): Promise<Answer> {
  const headers = {
    ...(cookie === "" ? {} : { cookie }),
    ...(form !== undefined && {
      origin: `https://localhost:${port}`,
      "content-type": "application/x-www-form-urlencoded",
      "content-length": Buffer.byteLength(form),
    }),
    host: `localhost:${port}`,
  };
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const method = form === undefined ? "GET" : "POST";
    const call = request({ host: "127.0.0.1", port, ca, servername: "localhost", path: at, method, headers, agent });
    call.once("error", reject);
    call.once("response", (response) => {
      const firstByteMs = performance.now() - startedAt;
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.once("error", reject);
      response.once("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          firstByteMs,
          html: Buffer.concat(pieces).toString("utf8"),
          cookie: response.headers["set-cookie"]?.[0]?.split(";")[0] ?? null,
          retryAfterSeconds: Number(response.headers["retry-after"] ?? 0),
        }),
      );
    });
    call.end(form);
  });
}

/** What is asked for, by its name. */
async function pagesOf({ database }: Tideline): Promise<(readonly [name: string, at: string])[]> {
  const { rows } = await database.query<{ id: string; name: string; correlation: string; position: number }>(
    `select id, name, correlation_id as correlation, position
       from deliveries
      where name is not null and state = 'loaded'
      order by position
     offset (select count(*) / 4 from deliveries) limit 1`,
  );
  const { rows: users } = await database.query<{ subject: string; bankUserId: string }>(
    `select subject, bank_user_id as "bankUserId" from users where id in (select user_id from services) order by id desc limit 1`,
  );
  const [one, user] = [rows[0]!, users[0]!];
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const list = (query: string) => `/console/deliveries?${query}`;
  return [
    ["today", "/console"],
    ["deliveries", "/console/deliveries"],
    ["deliveries, page after half of them", list(`before=${one.position}`)],
    ["deliveries of a partner", list("partner=bank-007")],
    ["deliveries of a partner, an old page", list(`partner=bank-007&before=${one.position}`)],
    ["deliveries refused", list("state=refused")],
    ["deliveries waiting or loading", list("state=open")],
    ["deliveries loaded in part", list("result=partly")],
    ["deliveries with something held", list("result=held")],
    ["deliveries loaded whole", list("result=all")],
    ["deliveries withdrawn: none", list("state=withdrawn")],
    ["deliveries by SFTP", list("door=sftp")],
    ["deliveries straight from a connection: none", list("door=direct")],
    ["deliveries of a day, two months ago", list(`since=${day(60)}&until=${day(60)}`)],
    [
      "deliveries of a partner of that day, refused",
      list(`partner=bank-008&state=refused&since=${day(60)}&until=${day(60)}`),
    ],
    ["deliveries until two months ago", list(`until=${day(60)}`)],
    ["deliveries by part of a name that one has", list(`name=${encodeURIComponent(one.name.slice(-12))}`)],
    ["deliveries by part of a name that none has", list("name=nowhere-to-be-seen")],
    ["deliveries by part of a name that half have", list("name=transact")],
    ["deliveries by two letters that none has", list("name=qq")],
    ["deliveries of a partner by part of a name", list(`partner=bank-009&name=${day(9).replaceAll("-", "")}`)],
    ["deliveries by a whole id", list(`name=${one.id}`)],
    ["deliveries by correlation id", list(`correlation=${one.correlation}`)],
    ["a delivery", `/console/deliveries/${one.id}`],
    ["a delivery, withdraw's preview", `/console/deliveries/${one.id}/withdraw`],
    ["flow, hour", "/console/flow?last=hour"],
    ["flow, month", "/console/flow?last=month"],
    ["users, one found", `/console/users?id=${user.bankUserId}`],
    ["a user", `/console/users/${user.subject}`],
    ["a user's export, its preview", `/console/users/${user.subject}/export`],
    ["all users together", "/console/users/all"],
    ["partners", "/console/partners"],
    ["a partner", "/console/partners/bank-007"],
    ["endings", "/console/endings"],
    ["cancellations", "/console/cancellations"],
    ["catalogue", "/console/catalogue"],
    ["fleet", "/console/fleet"],
    ["approvals", "/console/approvals"],
    ["audit", "/console/audit"],
    ["audit of a partner and an event", "/console/audit?partner=bank-007&event=sftp.login-refused"],
  ];
}

/** @returns how many are over the goal */
async function measurePages(tideline: Tideline, browser: Browser, times: number, only: string): Promise<number> {
  let late = 0;
  for (const [name, at] of (await pagesOf(tideline)).filter(([name]) => name.includes(only))) {
    const firstBytes: number[] = [];
    const first = await ask(browser, at);
    if (first.status >= 400) throw new Error(`${name} was answered with ${first.status}: ${first.html.slice(-500)}`);
    const [own, database] = [ownCpuMs(), await databaseCpuMs(tideline.database)];
    for (let n = 0; n < times; n += 1) firstBytes.push((await ask(browser, at)).firstByteMs);
    const cpu = [ownCpuMs() - own, (await databaseCpuMs(tideline.database)) - database].map((ms) => ms / times);
    const p95 = quantile(firstBytes, 0.95);
    if (p95 > firstByteMsMax) late += 1;
    console.log(
      `${name.padEnd(46)} p50 ${ms(quantile(firstBytes, 0.5))}, p95 ${ms(p95)}, first ${ms(first.firstByteMs)}; ` +
        `processor ${ms(cpu[0] ?? 0)} + ${ms(cpu[1] ?? 0)} ms${p95 > firstByteMsMax ? "  OVER" : ""}`,
    );
  }
  console.log(`${late} over ${firstByteMsMax} ms; load ${loadavg()[0]?.toFixed(1)}`);
  return late;
}

async function measureCallers(
  tideline: Tideline,
  dataDir: string,
  households: readonly Household[],
  rounds: number,
): Promise<void> {
  const { database, keyEncryptionKey, clock, certificate } = tideline;
  const tokens = createTokens(database, keyEncryptionKey, clock);
  const calls = await Promise.all(
    households.map(async (owner) => ({
      path: `/partner/${owner.partnerId}/2.0.0/services`,
      token: await tokens.issue({ ...owner, actor: null, revokedAt: null }),
    })),
  );
  const ca = certificate.authority;
  const reading: Reading = { port: tideline.httpsPort ?? 0, ca, calls, requests: callsPerRound, concurrency: callers };
  const cookies: string[] = [];
  // One account in twenty browsers: each has a session of its own.
  for (let n = 0; n < sessions; n += 1) cookies.push((await signIn(tideline, dataDir)).cookie);
  const [client, browsers] = [
    fork(new URL("read/client.ts", import.meta.url)),
    fork(new URL("console/sessions.ts", import.meta.url)),
  ];
  const landing = setInterval(() => void land(tideline), landsEveryMs);
  try {
    await read(client, reading);
    const ratios: { p50: number; p99: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const alone = await read(client, reading);
      browsers.send({ port: tideline.consolePort ?? 0, ca, cookies } satisfies Sessions);
      const [isOpen] = (await once(browsers, "message")) as [string];
      if (isOpen !== "open") throw new Error("the browsers were not let in");
      const beside = await read(client, reading);
      browsers.send("stop");
      const [heard] = (await once(browsers, "message")) as [Heard];
      const of = (part: number) => [quantile(alone.latenciesMs, part), quantile(beside.latenciesMs, part)] as const;
      const [half, most] = [of(0.5), of(0.99)];
      ratios.push({ p50: half[1] / half[0], p99: most[1] / most[0] });
      console.log(
        `callers alone p50 ${ms(half[0])}, p99 ${ms(most[0])}; beside ${heard.streams} open pages, renewed ${heard.pages} times ` +
          `(${kilobytes(heard.bytes / heard.pages)} each, ${kilobytes(heard.firstBytes)} the first): ` +
          `p50 ${ms(half[1])}, p99 ${ms(most[1])}; load ${loadavg()[0]?.toFixed(1)}`,
      );
    }
    const median = (name: "p50" | "p99") =>
      quantile(
        ratios.map((one) => one[name]),
        0.5,
      );
    console.log(`medians of ${rounds} pairs: p50 × ${median("p50").toFixed(2)}, p99 × ${median("p99").toFixed(2)}`);
  } finally {
    clearInterval(landing);
    client.disconnect();
    browsers.disconnect();
  }
}

/** Something new for pages that are open. */
async function land({ database }: Tideline): Promise<void> {
  await database
    .query(
      `insert into deliveries (id, partner_id, door, format, name, correlation_id, size_bytes, sha256, state, records, records_new, finished_at)
       values (gen_random_uuid(), 'bank-007', 'sftp', 'jwe', 'now.jwe', 'now', 10, sha256(gen_random_uuid()::text::bytea), 'loaded', 1, 1, now())`,
    )
    .catch(() => undefined);
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

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

function ms(value: number): string {
  return value.toFixed(1).padStart(6);
}
