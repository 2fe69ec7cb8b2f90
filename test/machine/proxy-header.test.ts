/** Headers of the PROXY protocol's version 2, as other programs write them, and whatever is none. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import test, { type ExecutionContext } from "ava";
import { introduce, lengthAfter, readIntroduction } from "../../src/machine/proxy-header.ts";

const signature = "0d0a0d0a000d0a515549540a";

function read(hex: string) {
  const bytes = Buffer.from(signature + hex, "hex");
  const head = bytes.subarray(0, 16);
  const length = lengthAfter(head);
  return length === null ? "no header" : readIntroduction(head, bytes.subarray(16, 16 + length));
}

test("a header tells address and port, of IPv4 and IPv6, and additions after them are passed over", (t) => {
  t.deepEqual(read("2111000cc0000207c6336407d4310016"), { source: { address: "192.0.2.7", port: 54_321 }, bytes: 28 });
  t.deepEqual(read("21110013c0000207c6336407d4310016040004deadbeef"), {
    source: { address: "192.0.2.7", port: 54_321 },
    bytes: 35,
  });
  t.deepEqual(read("2121002420010db800000000000000000000000720010db8000000000000000000000001d4310016"), {
    source: { address: "2001:db8:0:0:0:0:0:7", port: 54_321 },
    bytes: 52,
  });
});

test("a proxy's own connections, and those of which it cannot say, are its own", (t) => {
  t.deepEqual(read("20000000"), { source: null, bytes: 16 });
  t.deepEqual(read("2011000cc0000207c6336407d4310016"), { source: null, bytes: 28 });
  t.deepEqual(read("21000000"), { source: null, bytes: 16 });
});

test("other versions, commands, kinds and lengths are no header", (t) => {
  t.is(read("1111000cc0000207c6336407d4310016"), "no header");
  t.is(read("2111ffff"), "no header");
  t.is(lengthAfter(Buffer.from("PROXY TCP4 192.0.2.7")), null);
  t.is(read("2211000cc0000207c6336407d4310016"), null);
  t.is(read("2112000cc0000207c6336407d4310016"), null);
  t.is(read("2131000cc0000207c6336407d4310016"), null);
  t.is(read("2111000bc0000207c6336407d43100"), null);
  t.is(read("2121000cc0000207c6336407d4310016"), null);
});

type Seen = { address: string | undefined; bytesRead: number; text: string };

/** What a server behind a proxy at 127.0.0.1 sees of the connection, or why it was closed. */
async function pass(t: ExecutionContext, from: string, pieces: readonly Buffer[]): Promise<Seen | string> {
  const outcome = new Promise<Seen | string>((resolve) => {
    const look = (socket: Socket) =>
      socket.once("data", (data: Buffer) =>
        resolve({ address: socket.remoteAddress, bytesRead: socket.bytesRead, text: data.toString() }),
      );
    const server = createServer((socket) =>
      introduce(
        socket,
        (address) => address === "127.0.0.1",
        look,
        (_address, reason) => resolve(reason),
      ),
    ).listen(0, "127.0.0.1");
    t.teardown(() => void server.close());
    server.once("listening", () => void send(t, from, (server.address() as AddressInfo).port, pieces));
  });
  return await outcome;
}

async function send(t: ExecutionContext, from: string, port: number, pieces: readonly Buffer[]): Promise<void> {
  const socket = connect({ host: "127.0.0.1", port, localAddress: from, noDelay: true });
  socket.on("error", () => undefined);
  t.teardown(() => void socket.destroy());
  await once(socket, "connect");
  for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve));
}

const header = Buffer.from(`${signature}2111000cc0000207c6336407d4310016`, "hex");

test("whoever is behind a named proxy sees the caller, and nothing of the header", async (t) => {
  const expected = { address: "192.0.2.7", bytesRead: 5, text: "hello" };
  t.deepEqual(await pass(t, "127.0.0.1", [Buffer.concat([header, Buffer.from("hello")])]), expected);
  const single = Array.from(header, (byte) => Buffer.of(byte));
  t.deepEqual(await pass(t, "127.0.0.1", [...single, Buffer.from("hello")]), expected);
});

test("a named proxy that says no header is closed, and nobody else's header is read", async (t) => {
  t.is(await pass(t, "127.0.0.1", [Buffer.from("GET / HTTP/1.1\r\n\r\n")]), "no PROXY header of version 2");
  const seen = await pass(t, "127.0.0.2", [header]);
  t.like(seen, { address: "127.0.0.2", bytesRead: 28, text: header.toString() });
});
