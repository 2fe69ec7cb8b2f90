/**
 * The attacker writes line breaks, terminal commands and JSON into everything that he may choose: paths, headers, tokens,
 * ids, batches, SFTP users and file names. Whoever reads the service's log afterwards, or looks at a command's output:
 * does every line tell of one thing that happened, and of nothing that the attacker made up?
 */
import { createPublicKey, randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect as connectSocket } from "node:net";
import path from "node:path";
import { connect as connectTls } from "node:tls";
import { setTimeout as wait } from "node:timers/promises";
import { deflateRawSync } from "node:zlib";
import ssh2, { type SFTPWrapper } from "ssh2";
import type { Partner } from "../outside/partner.ts";
import type { Attack, World } from "./attack.ts";
import { initiate, newUser, sandboxPartner } from "./psd2.ts";
import { seal } from "./pressure/bombs.ts";

const answerWithinMs = 20_000;
const settledWithinMs = 30_000;
const forged = "forged.line";
const line = `{"level":"error","time":"2026-01-01T00:00:00.000Z","event":"${forged}","msg":"${forged}"}`;

/** What a line break, a terminal or a reader of JSON would take for more than text. */
const poisons = [
  `\n${line}\n`,
  `\r\n${line}\r\n`,
  `","event":"${forged}","x":"`,
  `\u001b[2K\u001b[1A\u001b[31m${forged}\u001b[0m`,
  `\u009b31m${forged}`,
  `\u2028${line}\u2029`,
  `\u202e${forged}\u2066`,
  `\u0000${forged}\u0008\u0007`,
];

export const attack: Attack = {
  name: "log-injection",
  service: { environment: { TIDELINE_LOG_LEVEL: "debug" }, alone: true },
  async succeeds(world) {
    const partner = await sandboxPartner(world);
    const token = await newUser(partner, "dora");
    for (const poison of poisons) {
      await overHttps(world, partner, token, poison);
      await overSftp(world, partner, poison);
    }
    const problems = [...(await problemsOfLog(world)), ...(await problemsOfCommands(world, partner))];
    const { lines, tried } = await countsOf(world);
    return {
      succeeded: problems.length > 0,
      seen:
        problems.length > 0
          ? [...new Set(problems)].slice(0, 5).join("; ")
          : `${lines} lines, ${tried} of them hold what was tried, as text`,
    };
  },
};

async function overHttps(world: World, partner: Partner, token: string, poison: string): Promise<void> {
  const prefix = `/partner/${partner.id}/2.0.0`;
  const encoded = encodeURIComponent(poison);
  const tries: [string, string, Parameters<World["call"]>[3]?][] = [
    ["GET", `/partner/${encoded}/2.0.0/services`, { token }],
    ["GET", `${prefix}/services?since=${encoded}`, { token }],
    ["GET", `${prefix}/services/${encoded}`, { token }],
    [
      "GET",
      `${prefix}/services`,
      {
        token: Buffer.from(poison)
          .toString("latin1")
          .replaceAll(/[\0\r\n]/g, ""),
      },
    ],
    ["POST", `${prefix}/users`, { body: { bankUserId: `u${poison}`, brand: partner.brand.id, locale: "en-GB" } }],
    ["POST", `${prefix}/users`, { body: { bankUserId: "emil", brand: poison, locale: poison } }],
    ["POST", `${prefix}/users/logins`, { body: { payload: unsigned(poison) } }],
    ["POST", `${prefix}/users/logins`, { body: { payload: poison } }],
    ["POST", `${prefix}/transactions`, { body: { reqId: poison, txs: poison } }],
    [
      "POST",
      `${prefix}/transactions`,
      { body: { reqId: `${randomUUID()}${poison}`, txs: await sealed(partner, poison) } },
    ],
    ["POST", `${prefix}/transactions`, { body: Buffer.from(poison) }],
    [
      "POST",
      `${prefix}/psd2/initiate`,
      { token, body: { redirectUrl: poison, customerHint: poison, language: poison } },
    ],
    ["GET", `/psd2/callback?state=${encoded}&error=${encoded}&error_description=${encoded}`],
  ];
  for (const [method, at, call] of tries) await world.call(world.attacker, method, at, call).catch(() => undefined);
  const page = new URL(await initiate(partner, token));
  await world.call(world.attacker, "GET", `${page.pathname}${page.search}&lang=${encoded}`).catch(() => undefined);
  for (const bytes of rawRequests(prefix, poison)) await sayRaw(world, bytes);
}

/** What no client would send: the bytes as they are, in the request line and in each header that is looked at. */
function rawRequests(prefix: string, poison: string): string[] {
  const headers = [
    "host",
    "x-correlation-id",
    "traceparent",
    "user-agent",
    "authorization",
    "content-type",
    "x-forwarded-for",
    "client-cert",
  ];
  return [
    `GET ${prefix}/${poison} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`,
    `${poison} ${prefix}/services HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`,
    ...headers.map(
      (name) =>
        `GET ${prefix}/services HTTP/1.1\r\n${name === "host" ? "" : "host: localhost\r\n"}${name}: a${poison}b\r\nconnection: close\r\n\r\n`,
    ),
  ];
}

async function sayRaw({ service, authority, attacker }: World, bytes: string): Promise<void> {
  const socket = connectTls({
    socket: connectSocket({ host: "127.0.0.1", port: service.httpsPort, localAddress: attacker }),
    servername: "localhost",
    ca: authority,
  });
  socket.setTimeout(answerWithinMs, () => socket.destroy());
  socket.on("error", () => undefined);
  socket.resume();
  socket.end(bytes);
  await once(socket, "close");
}

function unsigned(poison: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "RS256", kid: poison, typ: poison })}.${part({ sub: poison, brand: poison, jti: poison, iss: poison, aud: poison, iat: 0, exp: 0 })}.AAAA`;
}

/** A batch that opens, with the text in each field of its record. */
async function sealed(partner: Partner, poison: string): Promise<string> {
  const { kid, ...key } = await partner.batchKey();
  const record = {
    uid: poison,
    type: poison,
    account: { id: poison, name: poison, iban: poison },
    tx: {
      txid: poison,
      txTime: poison,
      type: poison,
      amount: poison,
      currency: poison,
      description: poison,
      [poison]: poison,
    },
    [poison]: poison,
  };
  return seal(createPublicKey({ key, format: "jwk" }), kid, deflateRawSync(JSON.stringify([record])));
}

/** As a user that nobody is, and as the partner, whose names of files and folders are its own choice. */
async function overSftp(world: World, partner: Partner, poison: string): Promise<void> {
  const privateKey = await readFile(path.join(partner.folder, "sftp_key"));
  await session(world, `${partner.id}${poison}`, privateKey, async () => undefined).catch(() => undefined);
  await session(world, partner.id, privateKey, async (sftp) => {
    const name = `day${poison}.jsonl`;
    const content = `${JSON.stringify({ reqId: poison, txs: await sealed(partner, poison) })}\n${poison}\n`;
    await tried((done) => sftp.writeFile(`inbox/${name}`, content, done));
    await tried((done) => sftp.writeFile("inbox/plain.jsonl.part", content, done));
    await tried((done) => sftp.rename("inbox/plain.jsonl.part", `inbox/${name}`, done));
    await tried((done) => sftp.writeFile(`inbox/${randomUUID()}.jsonl`, content, done));
    await tried((done) =>
      sftp.writeFile(
        `inbox/${randomUUID()}.xml`,
        `<?xml version="1.0"?><Document xmlns="${poison}"><${poison}/></Document>`,
        done,
      ),
    );
    await tried((done) =>
      sftp.writeFile(`inbox/transactions_${randomUUID()}.csv`, `"${poison}";"${poison}"\n"${poison}"\n`, done),
    );
    await tried((done) => sftp.mkdir(`inbox/${poison}`, done));
    await tried((done) => sftp.readdir(`inbox/${poison}`, done));
    await tried((done) => sftp.symlink(poison, `inbox/${poison}`, done));
  });
}

/** Refused or not: what matters is what is written about it. */
function tried(call: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, answerWithinMs);
    call(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

async function session(
  { service, attacker }: World,
  username: string,
  privateKey: Buffer,
  work: (sftp: SFTPWrapper) => Promise<void>,
): Promise<void> {
  const socket = connectSocket({ host: "127.0.0.1", port: service.sftpPort, localAddress: attacker });
  const client = new ssh2.Client();
  try {
    const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
      client.once("error", reject).once("close", () => reject(new Error("the connection was closed")));
      socket.once("error", reject);
      client.once("ready", () => client.sftp((error, opened) => (error ? reject(error) : resolve(opened))));
      client.connect({ sock: socket, username, privateKey, readyTimeout: answerWithinMs });
    });
    await work(sftp);
  } finally {
    client.on("error", () => undefined);
    client.end();
    socket.destroy();
  }
}

/** When nothing was added for a moment: files are loaded, and told of, after they were taken. */
async function readLog({ service }: World): Promise<string> {
  const until = performance.now() + settledWithinMs;
  let before = "";
  for (;;) {
    await wait(1000);
    const text = await readFile(service.logFile, "utf8");
    if (
      text.split("delivery.accepted").length === before.split("delivery.accepted").length &&
      text.length === before.length
    )
      return text;
    if (performance.now() > until) return text;
    before = text;
  }
}

async function problemsOfLog(world: World): Promise<string[]> {
  const problems = (await readLog(world)).split("\n").filter(Boolean).flatMap(problemsOfLine);
  const own = await readFile(path.join(world.service.dataDir, "postgres/postgres.log"), "utf8").catch(() => "");
  // PostgreSQL indents what goes on from a line before.
  const begins = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d|\t|$)/;
  for (const one of own.split("\n"))
    if (!begins.test(one)) problems.push(`a line of postgres.log begins ${JSON.stringify(one.slice(0, 40))}`);
  return problems;
}

function problemsOfLine(text: string): string[] {
  if (holdsCommands(text)) return [`a line has what a terminal obeys: ${JSON.stringify(text.slice(0, 200))}`];
  try {
    const { event, msg } = JSON.parse(text) as { event?: unknown; msg?: unknown };
    const isEvent = typeof event === "string" && /^[a-z0-9-]+\.[a-z0-9-]+$/.test(event) && event === msg;
    return isEvent && event !== forged ? [] : [`a line tells of ${JSON.stringify(event)}`];
  } catch {
    return [`a line is no JSON: ${JSON.stringify(text.slice(0, 80))}`];
  }
}

/** Controls, of both kinds, and what changes the order in which a screen shows the rest. */
function holdsCommands(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  return /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(text);
}

/** What an operator would look at afterwards. */
async function problemsOfCommands({ service }: World, partner: Partner): Promise<string[]> {
  const commands = [
    ["status"],
    ["partner", "show", partner.id],
    ["partner", "sessions", partner.id],
    ["quarantine", "list"],
    ["audit", "--limit", "1000"],
    ["user", "list", "--partner", partner.id],
    ["psd2", "consents", "--partner", partner.id],
  ];
  const problems: string[] = [];
  for (const command of commands) {
    const printed = await service.tideline(...command);
    if (holdsCommands(printed)) problems.push(`tideline ${command.join(" ")} prints what a terminal obeys`);
    if (printed.split("\n").some((one) => one.trimStart().startsWith(line.slice(0, 20))))
      problems.push(`tideline ${command.join(" ")} prints a line that the attacker wrote`);
  }
  return problems;
}

async function countsOf({ service }: World): Promise<{ lines: number; tried: number }> {
  const lines = (await readFile(service.logFile, "utf8")).split("\n").filter(Boolean);
  return { lines: lines.length, tried: lines.filter((one) => one.includes(forged)).length };
}
