/** Connections that hold a place or memory without getting on are refused or cut; those that work are not. */
import { once } from "node:events";
import { connect as connectSocket } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import test, { type ExecutionContext } from "ava";
import { openWorld, partnerPath, type World } from "./world.ts";

const usual = {
  connectionsMax: 100,
  connectionsPerAddressMax: 100,
  handshakes: { perSecond: 1000, perAddressPerSecond: 1000 },
  listNetworks: async () => [] as string[],
  bytesPerSecondMin: 1000,
  watchEveryMs: 10,
};
/** Of strangers one at first, and the next when two seconds are over. */
const oneAtATime = { handshakes: { perSecond: 0.5, perAddressPerSecond: 1000 } };

/** @param from an address of 127.0.0.0/8 */
function begin({ port, authority }: World, from = "127.0.0.1"): TLSSocket {
  const raw = connectSocket({ host: "127.0.0.1", port, localAddress: from });
  raw.on("error", () => undefined);
  const socket = connect({ socket: raw, ca: authority, servername: "localhost" });
  socket.on("error", () => undefined);
  raw.once("close", () => socket.destroy());
  return socket;
}

async function open(world: World, from?: string): Promise<TLSSocket> {
  const socket = begin(world, from);
  await Promise.race([once(socket, "secureConnect"), once(socket, "close")]).catch(() => undefined);
  return socket;
}

async function openGuarded(
  t: ExecutionContext,
  more: object,
  given: Parameters<typeof openWorld>[1] = {},
): Promise<World> {
  return await openWorld(t, given, { connections: { ...usual, ...more } });
}

/** Its status, on a connection of its own that is closed with it. */
async function ask(world: World, from: string, method: string, path: string, headers: object = {}): Promise<string> {
  const socket = await open(world, from);
  const fields = Object.entries({ Host: "localhost", Connection: "close", ...headers }).map((one) => one.join(": "));
  socket.write([`${method} ${path} HTTP/1.1`, ...fields, "", ""].join("\r\n"));
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
  if (!socket.destroyed) await once(socket, "close");
  return /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? "closed";
}

/** A body of which no more comes than is refused at once: told to come again, and goes on sending. */
async function leaveRefusedBody(world: World, from: string): Promise<void> {
  const path = `${partnerPath}/transactions`;
  const status = await ask(world, from, "POST", path, { "Content-Type": "application/json", "Content-Length": 30e6 });
  if (status !== "413") throw new Error(`answered with ${status}`);
}

test.serial("a body that comes too slowly is answered 408 and its connection closed", async (t) => {
  const world = await openGuarded(t, { graceMs: 50 });
  const socket = await open(world);
  socket.write(
    `POST ${partnerPath}/users HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  );
  const [answer] = (await once(socket, "data")) as [Buffer];
  t.regex(answer.toString(), /^HTTP\/1\.1 408 /);
  socket.end();
  await once(socket, "close");
  const [told] = await world.told(({ event }) => event === "https.connections-cut");
  t.like(told, { reason: "slow-sender", connections: 1 });
});

test.serial("answers that nobody fetches end with their connection", async (t) => {
  const world = await openGuarded(t, { graceMs: 50, bytesPerSecondMin: 1e6 });
  const socket = await open(world);
  socket.pause();
  const ask = () => socket.write("GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(3));
  const asking = setInterval(ask, 20);
  const [told] = await world.told(({ event }) => event === "https.connections-cut");
  clearInterval(asking);
  t.true(["slow-reader", "pipelined"].includes(String(told?.reason)));
  socket.destroy();
});

test.serial("more requests than four at once on one connection end it, and only the first was worked on", async (t) => {
  const world = await openGuarded(t, {});
  const socket = await open(world);
  socket.write("GET /health/ready HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(50));
  socket.resume();
  await once(socket, "close");
  const [told] = await world.told(({ event }) => event === "https.connections-cut");
  t.like(told, { reason: "pipelined", connections: 1 });
  t.is((await world.call("GET", "/health/live")).status, 200);
  const worked = world.logged.filter(({ event, route }) => event === "api.answered" && route === "/health/ready");
  t.true(worked.length <= 1);
});

test.serial("requests of one connection are worked on one after the other, and each is answered", async (t) => {
  const world = await openGuarded(t, {});
  const socket = await open(world);
  const ask = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
  socket.write(
    ask("/openapi.json") + ask("/nowhere") + ask("/reference") + ask("/health/live", "Connection: close\r\n"),
  );
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
  await once(socket, "close");
  t.deepEqual(
    [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status),
    ["200", "404", "200", "200"],
  );
  const answered = world.logged.filter(({ event }) => event === "api.answered").map(({ route }) => route);
  t.deepEqual(answered, ["/openapi.json", "unmatched", "/reference", "/health/live"]);
});

test.serial("an address has so many connections and no more", async (t) => {
  const world = await openGuarded(t, { connectionsPerAddressMax: 2 });
  const [first, second] = [await open(world), await open(world)];
  await open(world);
  const [told] = await world.told(({ event }) => event === "https.connections-refused");
  t.like(told, { reason: "address-limit", connections: 1 });
  for (const socket of [first, second]) socket.destroy();
});

test.serial("a stranger beyond the rate waits, and is served when it is his turn", async (t) => {
  const world = await openGuarded(t, oneAtATime);
  await open(world);
  const startedAt = performance.now();
  t.is(await ask(world, "127.0.0.2", "GET", "/health/live"), "200");
  t.true(performance.now() - startedAt > 700);
  const [told] = await world.told(({ event }) => event === "https.connections-waited");
  t.is(told?.connections, 1);
  t.true(Number(told?.longestMs) > 700);
});

test.serial("who goes while he waits leaves no place taken", async (t) => {
  const world = await openGuarded(t, { ...oneAtATime, connectionsPerAddressMax: 1 });
  await open(world);
  const gone = begin(world, "127.0.0.2");
  await new Promise((resolve) => setTimeout(resolve, 50));
  gone.destroy();
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.is(await ask(world, "127.0.0.2", "GET", "/health/live"), "200");
});

test.serial("who says more than a greeting before his turn is closed", async (t) => {
  const world = await openGuarded(t, oneAtATime);
  await open(world);
  const raw = connectSocket({ host: "127.0.0.1", port: world.port });
  raw.on("error", () => undefined);
  raw.write(Buffer.alloc(20_000));
  await once(raw, "close");
  const [told] = await world.told(({ event }) => event === "https.connections-refused");
  t.like(told, { reason: "hello-limit", connections: 1 });
});

test.serial("listed networks do not wait behind strangers", async (t) => {
  const world = await openGuarded(t, { ...oneAtATime, listNetworks: async () => ["127.0.0.7/32"] });
  await open(world);
  const waiting = begin(world, "127.0.0.2");
  for (let n = 0; n < 5; n += 1) t.is(await ask(world, "127.0.0.7", "GET", "/health/live"), "200");
  t.false(world.logged.some(({ event }) => event === "https.connections-waited"));
  waiting.destroy();
});

test.serial("a quarter of all connections is kept for listed networks", async (t) => {
  const world = await openGuarded(t, { connectionsMax: 4, listNetworks: async () => ["127.0.0.7/32"] });
  const others = [];
  for (const from of ["127.0.0.2", "127.0.0.3", "127.0.0.4"]) others.push(await open(world, from));
  const refused = await open(world, "127.0.0.5");
  t.true(refused.destroyed);
  t.is(await ask(world, "127.0.0.7", "GET", "/health/live"), "200");
  for (const socket of others) socket.destroy();
});

test.serial("an address that leaves refused bodies again and again waits before it may send another", async (t) => {
  const world = await openGuarded(t, {});
  await leaveRefusedBody(world, "127.0.0.2");
  await leaveRefusedBody(world, "127.0.0.2");
  const startedAt = performance.now();
  t.is(await ask(world, "127.0.0.3", "GET", "/health/live"), "200");
  t.true(performance.now() - startedAt < 1000);
  t.is(await ask(world, "127.0.0.2", "GET", "/health/live"), "200");
  t.true(performance.now() - startedAt > 1500);
  const told = await world.told(({ event }) => event === "https.connections-cut");
  t.true(told.every(({ reason }) => reason === "unfinished"));
});

test.serial("only who was found to be somebody is spared penalties, whatever else he was answered", async (t) => {
  const world = await openGuarded(t, {});
  const { token } = await world.newUser("guarded");
  t.is(await ask(world, "127.0.0.2", "GET", "/health/live", { Authorization: "Bearer made-up" }), "200");
  t.is(await ask(world, "127.0.0.3", "GET", `${partnerPath}/services`, { Authorization: `Bearer ${token}` }), "202");
  const waitedBy = async (from: string) => {
    for (let n = 0; n < 2; n += 1) await leaveRefusedBody(world, from);
    const startedAt = performance.now();
    await ask(world, from, "GET", "/health/live");
    return performance.now() - startedAt;
  };
  t.true((await waitedBy("127.0.0.3")) < 1000);
  t.true((await waitedBy("127.0.0.2")) > 1500);
});

test.serial("a body that came quickly and then stands still is cut", async (t) => {
  const world = await openGuarded(t, { graceMs: 50 });
  const socket = await open(world);
  socket.write(
    `POST ${partnerPath}/transactions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2000000\r\n\r\n{`,
  );
  socket.write(Buffer.alloc(1_000_000, 0x20));
  const [answer] = (await once(socket, "data")) as [Buffer];
  t.regex(answer.toString(), /^HTTP\/1\.1 408 /);
  socket.destroy();
});

test.serial("a door that closes waits for nobody who waits", async (t) => {
  const world = await openGuarded(t, oneAtATime);
  const first = await open(world);
  const waiting = begin(world, "127.0.0.2");
  const ended = new Promise((resolve) => waiting.once("close", resolve));
  await new Promise((resolve) => setTimeout(resolve, 50));
  first.destroy();
  const startedAt = performance.now();
  await world.close(5000);
  t.true(performance.now() - startedAt < 900);
  await ended;
});
