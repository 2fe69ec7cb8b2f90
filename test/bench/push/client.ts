/** The sender of a push, in a process of its own: so many connections, each with one request under way. */
import { randomUUID } from "node:crypto";
import { Agent, request } from "node:https";

export type Sending = { port: number; ca: string; path: string; tokens: string[]; requests: number; concurrency: number };
/** Milliseconds of each request. */
export type Sent = { seconds: number; latenciesMs: number[]; refused: number };

process.on("message", async (sending: Sending) => {
  process.send?.(await send(sending));
  process.disconnect?.();
});

async function send(sending: Sending): Promise<Sent> {
  const agent = new Agent({ keepAlive: true, maxSockets: sending.concurrency });
  const sent: Sent = { seconds: 0, latenciesMs: [], refused: 0 };
  let left = sending.requests;
  const loop = async () => {
    for (let n = (left -= 1); n >= 0; n = left -= 1) {
      const body = `{"reqId":"${randomUUID()}","txs":"${sending.tokens[n % sending.tokens.length]}"}`;
      const startedAt = performance.now();
      if ((await post(agent, sending, body)) !== 201) sent.refused += 1;
      sent.latenciesMs.push(performance.now() - startedAt);
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: sending.concurrency }, loop));
  sent.seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  return sent;
}

function post(agent: Agent, { port, ca, path }: Sending, body: string): Promise<number> {
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const call = request({ host: "127.0.0.1", port, ca, servername: "localhost", method: "POST", path, headers, agent }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
      response.on("error", reject);
    });
    call.on("error", reject);
    call.end(body);
  });
}
