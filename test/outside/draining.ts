/**
 * A service that is told to stop, seen by a load balancer and by clients behind it that keep on calling: it says that it
 * is not ready, goes on answering, tells its clients to connect anew, and no call fails that the load balancer still
 * passes on until it has noticed.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { prepareService } from "./service.ts";

type Call = { status: number | null; isClosed: boolean; failure: string | null };

const drainSeconds = 5;
/** Between two looks of a load balancer. */
const noticedAfterMs = 1000;
process.env.TIDELINE_DRAIN_SECONDS = String(drainSeconds);
const service = await prepareService("draining", ["--no-demo"]);
try {
  await service.start();
  const ca = await readFile(path.join(service.dataDir, "tls/ca.pem"), "utf8");
  const agent = new Agent({ keepAlive: true, maxSockets: 4, ca });
  const calls: Call[] = [];
  const noticed = new AbortController();
  const callers = Array.from({ length: 4 }, () => callOn(agent, calls, noticed.signal));
  while (calls.length < 50) await wait(20);
  const before = calls.length;
  const stopping = service.stop();
  const toldAt = performance.now();
  while ((await call(agent, "/health/ready")).status !== 503)
    assert.ok(performance.now() - toldAt < drainSeconds * 1000, "it calls itself ready");
  const answeredThen = calls.length;
  await wait(noticedAfterMs);
  noticed.abort();
  await Promise.all(callers);
  await stopping;
  assert.match(await readFile(service.logFile, "utf8"), /service\.stopped/, "it did not close in order");

  const answered = calls.filter(({ status }) => status === 200).length;
  const failed = calls.filter(({ status }) => status !== 200);
  assert.deepEqual(failed, [], "calls failed");
  assert.ok(answered > answeredThen, "nothing was answered after it had said that it was not ready");
  assert.ok(
    calls.slice(0, before).every(({ isClosed }) => !isClosed),
    "connections were closed before",
  );
  assert.ok(
    calls.some(({ isClosed }) => isClosed),
    "no connection was closed while it drained",
  );
  console.log(`draining: ${answered} calls answered, ${answered - before} of them after it was told to stop; failed 0`);
} finally {
  await service.stop();
  await service.remove();
}

async function callOn(agent: Agent, calls: Call[], until: AbortSignal): Promise<void> {
  while (!until.aborted) {
    calls.push(await call(agent, "/health/live"));
    await wait(10);
  }
}

function call(agent: Agent, at: string): Promise<Call> {
  return new Promise((resolve) => {
    const made = request(`https://localhost:${service.httpsPort}${at}`, { agent, timeout: 10_000 });
    made.once("error", (error) => resolve({ status: null, isClosed: false, failure: error.message }));
    made.once("response", (response) => {
      response.resume();
      const isClosed = response.headers.connection === "close";
      response.once("end", () => resolve({ status: response.statusCode ?? 0, isClosed, failure: null }));
    });
    made.end();
  });
}
