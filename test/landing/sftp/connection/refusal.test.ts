/** Whoever gets no place at the SFTP door is told so in words that its client shows. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import test from "ava";
import ssh2 from "ssh2";
import { refuse } from "../../../../src/landing/sftp/connection/refusal.ts";

test("a refused connection hears our identification and a DISCONNECT with its reason", async (t) => {
  const server = createServer((socket) => refuse(socket, "Test", "address-limit")).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const socket = connect({ host: "127.0.0.1", port });
  const [bytes] = (await once(socket, "data")) as [Buffer];
  const sentence = "Your address has all the connections that it may have. Close some, or try again later.";
  const identification = "SSH-2.0-Test\r\n";
  t.is(bytes.subarray(0, identification.length).toString(), identification);
  const packet = bytes.subarray(identification.length);
  t.is(packet.length % 8, 0);
  t.is(packet.readUInt32BE(0), packet.length - 4);
  const padding = packet.readUInt8(4);
  t.true(padding >= 4);
  const payload = packet.subarray(5, packet.length - padding);
  t.is(payload.readUInt8(0), 1);
  t.is(payload.readUInt32BE(1), 12);
  t.is(payload.subarray(9, 9 + payload.readUInt32BE(5)).toString(), sentence);
});

test("a client's library ends with an error and not with a wait", async (t) => {
  const server = createServer((socket) => refuse(socket, "Test", "connection-limit")).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => void server.close());
  const client = new ssh2.Client();
  client.connect({ host: "127.0.0.1", port: (server.address() as AddressInfo).port, username: "bank", password: "x" });
  const [error] = (await once(client, "error").catch((thrown: unknown) => [thrown])) as [Error];
  t.true(error instanceof Error);
  client.end();
});
