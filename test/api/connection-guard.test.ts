/** Connections that hold a place or memory without getting on are refused or cut; those that work are not. */
import { once } from "node:events";
import { connect, type TLSSocket } from "node:tls";
import test, { type ExecutionContext } from "ava";
import { openWorld, partnerPath, type World } from "./world.ts";

const usual = { connectionsMax: 100, connectionsPerAddressMax: 100, bytesPerSecondMin: 1000, watchEveryMs: 10 };

async function open({ port, authority }: World): Promise<TLSSocket> {
  const socket = connect({ host: "127.0.0.1", port, ca: authority, servername: "localhost" });
  socket.on("error", () => undefined);
  await Promise.race([once(socket, "secureConnect"), once(socket, "close")]).catch(() => undefined);
  return socket;
}

async function openGuarded(t: ExecutionContext, more: object): Promise<World> {
  return await openWorld(t, {}, { connections: { ...usual, ...more } });
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
