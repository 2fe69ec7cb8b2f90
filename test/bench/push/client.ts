/**
 * The sender of a push, in a process of its own: so many connections, each with one request under way. It writes HTTP
 * by itself, because Node's client costs half of what the door does, on the same processors.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, type TLSSocket } from "node:tls";
import { ownCpuMs } from "../processor.ts";

/** What is sent from now on, in turn. */
export type Tokens = { tokens: string[] };
export type Sending = {
  port: number;
  ca: string;
  path: string;
  requests: number;
  concurrency: number;
};
/** latenciesMs: of each request. */
export type Sent = { seconds: number; cpuMs: number; latenciesMs: number[]; refused: number };

let tokens: readonly string[] = [];

process.on("message", async (message: Tokens | Sending) => {
  if ("tokens" in message) tokens = message.tokens;
  else process.send?.(await send(message));
});

async function send(sending: Sending): Promise<Sent> {
  const sent: Sent = { seconds: 0, cpuMs: 0, latenciesMs: [], refused: 0 };
  const sockets = await Promise.all(Array.from({ length: sending.concurrency }, () => open(sending)));
  let left = sending.requests;
  const loop = async (socket: TLSSocket) => {
    for (let n = (left -= 1); n >= 0; n = left -= 1) {
      const body = `{"reqId":"${randomUUID()}","txs":"${tokens[n % tokens.length]}"}`;
      const startedAt = performance.now();
      if ((await post(socket, sending.path, body)) !== 201) sent.refused += 1;
      sent.latenciesMs.push(performance.now() - startedAt);
    }
  };
  const [startedAt, cpuBefore] = [performance.now(), ownCpuMs()];
  await Promise.all(sockets.map(loop));
  sent.seconds = (performance.now() - startedAt) / 1000;
  sent.cpuMs = ownCpuMs() - cpuBefore;
  for (const socket of sockets) socket.destroy();
  return sent;
}

async function open({ port, ca }: Sending): Promise<TLSSocket> {
  const socket = connect({ host: "127.0.0.1", port, ca, servername: "localhost" });
  await once(socket, "secureConnect");
  return socket.setNoDelay(true);
}

/** @returns the status; an answer that comes in pieces is more than a 201 without a body. */
async function post(socket: TLSSocket, path: string, body: string): Promise<number> {
  const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  socket.write(head + body, "latin1");
  const [answer] = (await once(socket, "data")) as [Buffer];
  const text = answer.toString("latin1");
  if (!text.endsWith("\r\n\r\n")) throw new Error(`the answer is no bare 201: ${text.slice(0, 1000)}`);
  return Number(text.slice("HTTP/1.1 ".length, "HTTP/1.1 201".length));
}
