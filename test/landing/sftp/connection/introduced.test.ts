/** Behind a proxy that passes connections on, the SFTP door knows partners by their own addresses. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import test from "ava";
import { openDoorWorld } from "../world.ts";

/** PROXY, TCP over IPv4, port 54321. @param address in hexadecimal digits */
function headerOf(address: string): Buffer {
  return Buffer.from(`0d0a0d0a000d0a515549540a2111000c${address}7f000001d43108ae`, "hex");
}

async function open(port: number, from: string, header: Buffer | null): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port, localAddress: from });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  if (header) socket.write(header);
  return socket;
}

const isProxy = (address: string) => address === "127.0.0.9";

test("a partner logs in and uploads from its own network through a named proxy", async (t) => {
  const world = await openDoorWorld(t, { isProxy });
  const partner = world.partners.get("demo");
  if (partner) world.partners.set("demo", { ...partner, allowedNetworks: ["192.0.2.0/24"] });
  const client = await world.client({ sock: await open(world.door.port, "127.0.0.9", headerOf("c0000207")) });
  await client.put(Buffer.from("hello"), "/inbox/batch.jwe");
  t.like(world.deliveries, { length: 1, 0: { name: "batch.jwe", sizeBytes: 5 } });
  await t.throwsAsync(world.client({ sock: await open(world.door.port, "127.0.0.9", headerOf("c6336407")) }));
});

test("a named proxy always says whence a connection comes, and others need not", async (t) => {
  const world = await openDoorWorld(t, { isProxy });
  const client = await world.client({ sock: await open(world.door.port, "127.0.0.8", null) });
  t.is(await client.realPath("inbox"), "/inbox");
  const proxy = await open(world.door.port, "127.0.0.9", Buffer.from("SSH-2.0-OpenSSH_9.9\r\n"));
  proxy.resume();
  await once(proxy, "close");
  t.deepEqual(await world.event("proxy.refused"), { address: "127.0.0.9", reason: "no PROXY header of version 2" });
});
