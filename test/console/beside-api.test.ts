/** The console on the API's listener: each answers in its own way, on the same connections. */
import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { connect } from "node:tls";
import test, { type ExecutionContext } from "ava";
import { addAccount, makeToken } from "../../src/console/access/accounts.ts";
import { openConsoleBeside } from "../../src/console/server.ts";
import { listAudit } from "../../src/partners/audit.ts";
import type { ApiSettings } from "../../src/api/server.ts";
import { openWorld as openApiWorld, partnerPath } from "../api/world.ts";
import { openDependencies } from "./world.ts";

type Answer = { status: number; headers: IncomingHttpHeaders; text: string };

type Asked = {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  fields?: Readonly<Record<string, string>>;
};

async function openWorld(t: ExecutionContext, network: Partial<ApiSettings> = {}) {
  const { dependencies } = await openDependencies(t);
  const trustedProxies = network.trustedProxies ?? [];
  const beside = await openConsoleBeside({ version: "0.0.0", publicUrl: null, trustedProxies }, dependencies);
  t.teardown(() => beside.close());
  const api = await openApiWorld(t, {}, { ...network, beside });
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  t.teardown(() => agent.destroy());
  const open = (at: string, { method = "GET", headers = {}, fields }: Asked = {}) => {
    const body = fields && new URLSearchParams(fields).toString();
    const all = {
      host: "localhost",
      ...(body !== undefined && {
        origin: "https://localhost",
        "content-type": "application/x-www-form-urlencoded",
        "content-length": String(Buffer.byteLength(body)),
      }),
      ...headers,
    };
    const host = "127.0.0.1";
    const { port, authority: ca } = api;
    const call = request({ host, port, ca, servername: "localhost", path: at, method, headers: all, agent });
    call.end(body);
    return call;
  };
  const ask = async (at: string, asked: Asked = {}): Promise<Answer> => {
    const [response] = (await once(open(at, asked), "response")) as [IncomingMessage];
    return { status: response.statusCode ?? 0, headers: response.headers, text: await textOf(response) };
  };
  return { ...api, console: dependencies.database, open, ask };
}

async function textOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("utf8");
}

type World = Awaited<ReturnType<typeof openWorld>>;

const cookieOf = ({ headers }: Answer) => headers["set-cookie"]?.[0]?.split(";")[0] ?? "";

async function signIn({ ask, console }: World, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const token = makeToken();
  await addAccount(console, { name: "ann", role: "admin", partnerIds: null }, token);
  const page = await ask("/console/sign-in");
  const form = /name="form"\s+value="([^"]*)"/.exec(page.text)?.[1] ?? "";
  const fields = { form, token };
  return await ask("/console/sign-in", { method: "POST", fields, headers: { cookie: cookieOf(page), ...headers } });
}

test.serial("pages and the interface are served on one port, each with its own headers", async (t) => {
  const world = await openWorld(t);
  const signedIn = await signIn(world);
  t.is(signedIn.status, 303);
  const cookie = cookieOf(signedIn);
  t.regex(cookie, /^__Host-tideline-console=/);
  const today = await world.ask("/console?x=1", { headers: { cookie } });
  t.is(today.status, 200);
  t.regex(today.text, /<h1>/);
  t.regex(String(today.headers["content-security-policy"]), /script-src 'self'/);
  t.is(today.headers["x-correlation-id"], undefined);
  const keys = await world.ask(`${partnerPath}/.well-known/jwks.json`, { headers: { cookie } });
  t.is(keys.status, 200);
  t.regex(String(keys.headers["content-security-policy"]), /^default-src 'none'; base-uri 'none'/);
  t.truthy(keys.headers["x-correlation-id"]);
});

test.serial("each tells in its own form what it does not know or take", async (t) => {
  const { ask } = await openWorld(t);
  for (const at of ["/consoles", "/Console", "/", "/partner/console"]) {
    const answer = await ask(at);
    t.is(answer.status, 404, at);
    t.is(answer.headers["content-type"], "application/problem+json", at);
  }
  for (const at of ["/console/nothing", "/console/", "/console/assets/none"]) {
    const answer = await ask(at);
    t.true([303, 404].includes(answer.status), at);
    t.false(String(answer.headers["content-type"]).includes("json"), at);
  }
  const json = { "content-type": "application/json", origin: "https://localhost" };
  for (const [method, headers] of [
    ["POST", json],
    ["PUT", { origin: "https://localhost" }],
    ["DELETE", { "x-correlation-id": "é".repeat(300) }],
  ] as const) {
    const answer = await ask("/console/sign-in", { method, headers: { ...headers, "content-length": "0" } });
    t.true(answer.status >= 400 && answer.status < 500, `${method}: ${answer.status}`);
    t.is(answer.headers["content-type"], "text/html; charset=utf-8", method);
  }
});

test.serial("a second Host header is refused by a page", async (t) => {
  const { port, authority } = await openWorld(t);
  const socket = connect({ host: "127.0.0.1", port, ca: authority, servername: "localhost" });
  socket.write("GET /console/sign-in HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\nconnection: close\r\n\r\n");
  const pieces: Buffer[] = [];
  for await (const piece of socket) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString("utf8");
  t.regex(text, /^HTTP\/1\.1 400 /);
  t.regex(text, /The request has more than one Host header\./);
});

test.serial("its calls are told as the console's, and none as the API's", async (t) => {
  const world = await openWorld(t);
  await world.ask("/console/sign-in");
  await world.ask("/health/live");
  await world.told((line) => line.event === "api.answered" && line.route === "/health/live");
  t.deepEqual(
    world.logged.filter((line) => line.event === "api.answered").map((line) => line.route),
    ["/health/live"],
  );
});

test.serial("a proxy that is trusted says from where somebody signs in, and nobody else does", async (t) => {
  const everything = { partnerId: null, since: null, until: null, event: "console.signed-in", sessionId: null };
  for (const [trustedProxies, address] of [
    [["127.0.0.1/32"], "192.0.2.9"],
    [[], "127.0.0.1"],
  ] as const) {
    const world = await openWorld(t, { trustedProxies });
    t.is((await signIn(world, { "x-forwarded-for": "192.0.2.9" })).status, 303);
    const [traced] = await listAudit(world.console, everything, 1);
    t.is(traced?.details.address, address);
  }
});

const connections = {
  connectionsMax: 32,
  connectionsPerAddressMax: 8,
  handshakes: { perSecond: 100, perAddressPerSecond: 100 },
  listNetworks: async () => [] as string[],
  bytesPerSecondMin: 1000,
  graceMs: 200,
  watchEveryMs: 50,
};

test.serial("who sends a form too slowly is cut, as with the API", async (t) => {
  const { port, authority, told } = await openWorld(t, { connections });
  const socket = connect({ host: "127.0.0.1", port, ca: authority, servername: "localhost" });
  const type = "application/x-www-form-urlencoded";
  socket.on("error", () => undefined);
  socket.write(
    `POST /console/sign-in HTTP/1.1\r\nhost: localhost\r\norigin: https://localhost\r\ncontent-type: ${type}\r\ncontent-length: 60000\r\n\r\nform=`,
  );
  socket.resume();
  await once(socket, "close");
  const [cut] = await told((line) => line.event === "https.connections-cut");
  t.is(cut?.reason, "slow-sender");
});

test.serial("a live part that is open holds neither the API's calls nor its end up", async (t) => {
  const world = await openWorld(t, { connections });
  const cookie = cookieOf(await signIn(world));
  const live = world.open("/console/live", { headers: { cookie } });
  const [stream] = (await once(live, "response")) as [IncomingMessage];
  t.is(stream.headers["content-type"], "text/event-stream; charset=utf-8");
  t.is((await world.ask("/health/live")).status, 200);
  const startedAt = performance.now();
  const ended = textOf(stream);
  await world.close(20_000);
  t.true(performance.now() - startedAt < 5_000, "it waited until the connection was cut");
  t.regex(await ended, /retry: 5000/);
});
