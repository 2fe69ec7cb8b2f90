/** Who says nothing holds no operator off, and throws nobody out. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import test from "ava";
import { openPlaces } from "../../src/console/places.ts";

test("the oldest connection that nobody is signed in on makes room, and one on which somebody works stays", async (t) => {
  const places = openPlaces(3);
  const server = createServer();
  const seen: Socket[] = [];
  server.on("connection", (socket) => {
    socket.on("error", () => undefined);
    seen.push(socket);
    places.take(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  t.teardown(() => {
    for (const socket of seen) socket.destroy();
    server.close();
  });
  const come = async () => {
    const arrived = once(server, "connection");
    const socket = connect({ host: "127.0.0.1", port });
    socket.on("error", () => undefined);
    await Promise.all([once(socket, "connect"), arrived]);
    return socket;
  };
  const works = await come();
  places.keep(seen[0]!);
  const silent = [await come(), await come()];
  const gone = once(silent[0]!, "close");
  const fresh = await come();
  await gone;
  const next = once(silent[1]!, "close");
  const more = await come();
  await next;
  t.deepEqual(
    [works, fresh, more].map((socket) => socket.destroyed),
    [false, false, false],
  );
  // Where one who worked left, his place is free.
  const left = once(seen[0]!, "close");
  works.destroy();
  await left;
  await come();
  t.false(fresh.destroyed);
});
