/** Behind a proxy that passes connections on, callers are judged by their own addresses. */
import { once } from "node:events";
import { connect as connectSocket } from "node:net";
import { connect } from "node:tls";
import test from "ava";
import { allowNetwork } from "../../src/partners/provisioning.ts";
import { openWorld, partnerPath, type World } from "./world.ts";

const keysPath = `${partnerPath}/.well-known/jwks.json`;

/** PROXY, TCP over IPv4, from 192.0.2.LAST or another network's, port 54321. */
function headerOf(network: "c00002" | "c63364", last: number): Buffer {
  const address = `${network}${last.toString(16).padStart(2, "0")}`;
  return Buffer.from(`0d0a0d0a000d0a515549540a2111000c${address}7f000001d43120fb`, "hex");
}

/** The answer to one GET on a connection of its own; "" when it is closed without one. */
async function ask(
  { port, authority }: World,
  from: string,
  header: Buffer | null,
  more: readonly string[] = [],
): Promise<string> {
  const raw = connectSocket({ host: "127.0.0.1", port, localAddress: from });
  raw.on("error", () => undefined);
  await once(raw, "connect");
  if (header) raw.write(header);
  const socket = connect({ socket: raw, ca: authority, servername: "localhost" });
  socket.on("error", () => undefined);
  socket.write([`GET ${keysPath} HTTP/1.1`, "Host: localhost", "Connection: close", ...more, "", ""].join("\r\n"));
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await once(raw, "close");
  return text;
}

async function behindProxy(t: Parameters<typeof openWorld>[0], connections?: object): Promise<World> {
  const world = await openWorld(
    t,
    {},
    {
      proxyProtocolNetworks: ["127.0.0.9/32"],
      connections: {
        connectionsMax: 100,
        connectionsPerAddressMax: 100,
        handshakes: { perSecond: 1000, perAddressPerSecond: 1000 },
        listNetworks: async () => [],
        bytesPerSecondMin: 0,
        ...connections,
      },
    },
  );
  await allowNetwork(world.database, "north", "https", "192.0.2.0/24");
  return world;
}

test.serial("a partner's networks hold for the caller that a named proxy tells", async (t) => {
  const world = await behindProxy(t);
  t.regex(await ask(world, "127.0.0.9", headerOf("c00002", 7)), /^HTTP\/1\.1 200 /);
  t.regex(await ask(world, "127.0.0.9", headerOf("c63364", 7)), /ADDRESS_NOT_ALLOWED/);
});

test.serial("no header of a caller's own says whence he comes, by whatever protocol", async (t) => {
  const world = await behindProxy(t);
  t.regex(await ask(world, "127.0.0.9", headerOf("c63364", 7), ["X-Forwarded-For: 192.0.2.7"]), /ADDRESS_NOT_ALLOWED/);
  t.is(await ask(world, "127.0.0.8", headerOf("c00002", 7)), "");
  t.regex(await ask(world, "127.0.0.8", null), /ADDRESS_NOT_ALLOWED/);
});

test.serial("a named proxy without a header is closed and told of", async (t) => {
  const world = await behindProxy(t);
  t.is(await ask(world, "127.0.0.9", null), "");
  const [told] = await world.told(({ event }) => event === "proxy.refused");
  t.like(told, { address: "127.0.0.9", reason: "no PROXY header of version 2" });
});

test.serial("connections are counted by the caller's address, not by the proxy's", async (t) => {
  const world = await behindProxy(t, { connectionsPerAddressMax: 1 });
  const open = async (header: Buffer) => {
    const socket = connectSocket({ host: "127.0.0.1", port: world.port, localAddress: "127.0.0.9" });
    t.teardown(() => void socket.destroy());
    socket.on("error", () => undefined);
    await once(socket, "connect");
    socket.write(header);
    return socket;
  };
  await open(headerOf("c00002", 7));
  const second = await open(headerOf("c00002", 7));
  await once(second, "close");
  t.regex(await ask(world, "127.0.0.9", headerOf("c00002", 8)), /^HTTP\/1\.1 200 /);
});

test.serial("so are those that begin: one caller's wait is not another's", async (t) => {
  const world = await behindProxy(t, {
    handshakes: { perSecond: 0.4, perAddressPerSecond: 1000 },
    listNetworks: async () => ["192.0.2.8/32"],
  });
  const from = async (network: "c00002" | "c63364") => {
    const startedAt = performance.now();
    t.regex(await ask(world, "127.0.0.9", headerOf(network, 8)), /^HTTP\/1\.1 (200|403) /);
    return performance.now() - startedAt;
  };
  await from("c63364");
  const [unlisted, listed] = await Promise.all([from("c63364"), from("c00002")]);
  t.true(unlisted > 700);
  t.true(listed < 500);
});
