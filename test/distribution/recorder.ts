/**
 * What is said to PostgreSQL, as its protocol carries it (PostgreSQL 18 documentation, 54.7 "Message Formats"): a relay
 * that whoever is to be listened to has as the server's address, threads too.
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Messages } from "../faults/database-proxy.ts";

export type Recorder = {
  /** The server's address, by way of the relay. */
  through(url: string): string;
  /** The text of each different statement since the last call, in the order in which they were first said. */
  take(): string[];
  close(): Promise<void>;
};

const [query, parse] = [0x51, 0x50];
/** The longest statement is a few thousand characters; what is copied is no statement. */
const statementBytesMax = 64 * 1024;

export async function openRecorder(serverUrl: string): Promise<Recorder> {
  const target = new URL(serverUrl);
  const statements = new Set<string>();
  const open = new Set<Socket>();
  const relay = createServer({ noDelay: true }, (client) => {
    const server = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
    const messages = new Messages(true, statementBytesMax);
    client.on("data", (bytes: Buffer) => {
      for (const { type, text } of messages.read(bytes)) {
        // Behind the name that a statement is given.
        if (type === parse) statements.add(readText(text.slice(text.indexOf("\0") + 1)));
        if (type === query) statements.add(readText(text));
      }
    });
    client.pipe(server).pipe(client);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      open.add(one);
      one.on("error", () => undefined);
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
    }
  }).listen(0, "127.0.0.1");
  await once(relay, "listening");
  return {
    through(url) {
      const address = new URL(url);
      address.hostname = "127.0.0.1";
      address.port = String((relay.address() as AddressInfo).port);
      return address.href;
    },
    take() {
      const taken = [...statements];
      statements.clear();
      return taken;
    },
    async close() {
      relay.close();
      for (const socket of open) socket.destroy();
      await once(relay, "close");
    },
  };
}

/** Up to the byte that ends it. */
function readText(text: string): string {
  return Buffer.from(text.slice(0, text.indexOf("\0")), "latin1").toString("utf8");
}
