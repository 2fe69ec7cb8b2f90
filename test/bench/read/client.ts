/**
 * Apps that read, in a process of their own: so many connections, each with one call under way. They are kept from one
 * reading to the next, as apps keep theirs: a round of so few calls was a third handshakes with 32 at once, and the API
 * makes who opens more than fifty a second wait for them, which is no read's doing.
 */
import { Agent, request } from "node:https";
import { ownCpuMs } from "../processor.ts";

/** One call after the other of `calls`, again and again. */
export type Reading = {
  port: number;
  ca: string;
  calls: { path: string; token: string }[];
  requests: number;
  concurrency: number;
  /** Whether they take gzip, as most apps' clients do by themselves. */
  takesGzip?: boolean;
};
/** Bytes of all bodies. cpuMs: of this process. */
export type HasRead = { seconds: number; cpuMs: number; bytes: number; failed: number; latenciesMs: number[] };

process.on("message", async (reading: Reading) => {
  process.send?.(await read(reading));
});

async function read({ port, ca, calls, requests, concurrency, takesGzip = false }: Reading): Promise<HasRead> {
  const agent = agentOf(port, concurrency);
  const done: HasRead = { seconds: 0, cpuMs: 0, bytes: 0, failed: 0, latenciesMs: [] };
  let left = requests;
  const loop = async () => {
    for (let n = (left -= 1); n >= 0; n = left -= 1) {
      const { path, token } = calls[n % calls.length] ?? { path: "/", token: "" };
      const startedAt = performance.now();
      const { status, bytes } = await get(agent, { port, ca, path, token, takesGzip });
      done.latenciesMs.push(performance.now() - startedAt);
      done.bytes += bytes;
      if (status !== 200) done.failed += 1;
    }
  };
  const [startedAt, cpuBefore] = [performance.now(), ownCpuMs()];
  await Promise.all(Array.from({ length: concurrency }, loop));
  done.seconds = (performance.now() - startedAt) / 1000;
  done.cpuMs = ownCpuMs() - cpuBefore;
  return done;
}

let kept: { port: number; concurrency: number; agent: Agent }[] = [];

/** Those of a server that was asked by more or fewer at once are closed. */
function agentOf(port: number, concurrency: number): Agent {
  const known = kept.find((one) => one.port === port);
  if (known?.concurrency === concurrency) return known.agent;
  known?.agent.destroy();
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency, maxFreeSockets: concurrency });
  kept = [...kept.filter((one) => one !== known), { port, concurrency, agent }];
  return agent;
}

function get(
  agent: Agent,
  { port, ca, path, token, takesGzip }: Pick<Required<Reading>, "port" | "ca" | "takesGzip"> & Reading["calls"][number],
): Promise<{ status: number; bytes: number }> {
  const options = {
    host: "127.0.0.1",
    port,
    ca,
    servername: "localhost",
    path,
    headers: {
      authorization: `Bearer ${token}`,
      accept: "application/json",
      ...(takesGzip ? { "accept-encoding": "gzip" } : {}),
    },
    agent,
  };
  return new Promise((resolve, reject) => {
    const call = request(options, (response) => {
      let bytes = 0;
      response.on("data", (piece: Buffer) => (bytes += piece.length));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, bytes }));
      response.on("error", reject);
    });
    call.on("error", reject);
    call.end();
  });
}
