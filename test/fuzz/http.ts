/** HTTPS as a stranger speaks it: calls through Node's client, and whatever bytes on a connection. */
import { readFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import path from "node:path";
import { connect } from "node:tls";
import type { Partner } from "../outside/partner.ts";

export type Call = {
  method: string;
  path: string;
  headers?: Readonly<Record<string, string | string[]>>;
  body?: Buffer;
};

/** `status` is 0 where the connection was closed without an answer. */
export type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer; ms: number };

/** What is not answered by then hangs. */
export const answerWithinMs = 15_000;
const connectionsMax = 16;

export type Caller = {
  call(call: Call): Promise<Answer>;
  /** Bytes on a connection of their own, until the service closes it or has answered. */
  exchange(bytes: Buffer): Promise<Answer>;
  close(): void;
};

export class NoAnswer extends Error {}

export async function openCaller(partner: Partner): Promise<Caller> {
  const { baseUrl } = JSON.parse(await readFile(path.join(partner.folder, "partner.json"), "utf8")) as {
    baseUrl: string;
  };
  const ca = await readFile(path.join(partner.folder, "ca.pem"));
  const port = Number(new URL(baseUrl).port);
  const agent = new Agent({ keepAlive: true, maxSockets: connectionsMax, ca });
  return {
    call: (one) => call(agent, port, one),
    exchange: (bytes) => exchange(port, ca, bytes),
    close: () => agent.destroy(),
  };
}

function call(agent: Agent, port: number, { method, path: at, headers = {}, body }: Call): Promise<Answer> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const request = httpsRequest({
      agent,
      host: "localhost",
      servername: "localhost",
      port,
      method,
      path: at,
      headers: { ...(body ? { "content-length": String(body.length) } : {}), ...headers },
      timeout: answerWithinMs,
    });
    request.once("timeout", () => request.destroy(new NoAnswer(`no answer within ${answerWithinMs / 1000} s`)));
    request.once("error", (error: NodeJS.ErrnoException) => {
      // A connection that the door closes after refusing a body is seen closed when the next call takes it up again.
      const wasClosed = request.reusedSocket && (error.code === "EPIPE" || error.code === "ECONNRESET");
      if (wasClosed) call(agent, port, { method, path: at, headers, ...(body ? { body } : {}) }).then(resolve, reject);
      else reject(error);
    });
    request.once("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
          ms: performance.now() - startedAt,
        }),
      );
    });
    request.end(body);
  });
}

function exchange(port: number, ca: Buffer, bytes: Buffer): Promise<Answer> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "localhost", ca });
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => {
      socket.destroy();
      // A request that is not whole is waited for, for a minute: that is no stall.
      resolve({ ...read(chunks), ms: performance.now() - startedAt });
    }, waitForBrokenMs);
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "ECONNRESET" || error.code === "EPIPE" ? undefined : reject(error),
    );
    socket.once("close", () => {
      clearTimeout(timer);
      resolve({ ...read(chunks), ms: performance.now() - startedAt });
    });
    socket.write(bytes);
  });
}

const waitForBrokenMs = 700;

function read(chunks: readonly Buffer[]): Omit<Answer, "ms"> {
  const text = Buffer.concat(chunks);
  const end = text.indexOf("\r\n\r\n");
  const [line = "", ...lines] = text.subarray(0, Math.max(0, end)).toString("latin1").split("\r\n");
  const headers = Object.fromEntries(
    lines.map((one) => [one.slice(0, one.indexOf(":")).toLowerCase(), one.slice(one.indexOf(":") + 1).trim()]),
  );
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(line)?.[1] ?? 0),
    headers,
    body: text.subarray(end < 0 ? 0 : end + 4),
  };
}
