/** HTTPS calls to the service over kept connections; a call that can succeed later is repeated with growing pauses. */
import { Agent, request as httpsRequest } from "node:https";
import { setTimeout as wait } from "node:timers/promises";
import { Fault } from "../errors.ts";
import type { Credentials } from "./credentials.ts";

export type Answer = { status: number; headers: Readonly<Record<string, string | string[] | undefined>>; body: string };

export type Call = {
  method: "GET" | "POST";
  path: string;
  body?: string;
  correlationId?: string;
  /** How often it is tried; default: for about a quarter of an hour. */
  attemptsMax?: number;
};

export type Client = {
  /** The partner's path prefix, such as /partner/demo/2.0.0. */
  prefix: string;
  /** @throws Fault SERVICE_UNREACHABLE when the service stayed away; AbortError when the signal was raised. */
  call(call: Call, signal?: AbortSignal): Promise<Answer>;
  /** Calls that were repeated so far. */
  readonly retries: number;
  close(): void;
};

export type ClientOptions = {
  connectionsMax: number;
  /** For tests. */ pause?: (ms: number, signal?: AbortSignal) => Promise<void>;
};

/** Answers are small: an error document, a key set. */
const answerBytesMax = 1024 * 1024;
/** A batch is opened and checked before it is answered; a busy service takes some seconds. */
const answerWithinMs = 60_000;
const firstPauseMs = 500;
const pauseMsMax = 30_000;
/** A Retry-After beyond this is not believed. */
const retryAfterSecondsMax = 300;
/** With pauses up to half a minute this is some quarter of an hour: longer than a restart, shorter than a night. */
const attemptsMax = 35;

export function createClient(credentials: Credentials, options: ClientOptions): Client {
  const agent = new Agent({
    keepAlive: true,
    maxSockets: options.connectionsMax,
    ...(credentials.authority === undefined ? {} : { ca: credentials.authority }),
  });
  const pause = options.pause ?? (async (ms, signal) => void (await wait(ms, undefined, signal ? { signal } : {})));
  let retries = 0;
  // Whoever closes the client wants its running and repeating calls to end, too.
  const closing = new AbortController();
  return {
    prefix: `/partner/${encodeURIComponent(credentials.partnerId)}/2.0.0`,
    get retries() {
      return retries;
    },
    async call(call, stop) {
      const signal = stop ? AbortSignal.any([stop, closing.signal]) : closing.signal;
      for (let attempt = 1; ; attempt += 1) {
        const answer = await callOnce(agent, credentials.baseUrl, call, signal).catch((error: Error) => error);
        if (signal.aborted) throw signal.reason;
        if (!(answer instanceof Error) && !isPassing(answer.status)) return answer;
        if (attempt >= (call.attemptsMax ?? attemptsMax) || (answer instanceof Error && isHopeless(answer)))
          throw unreachable(credentials.baseUrl, answer);
        retries += 1;
        await pause(pauseMs(attempt, answer, Math.random()), signal);
      }
    },
    close() {
      closing.abort();
      agent.destroy();
    },
  };
}

/** Statuses that say "later", whoever on the way says it. */
function isPassing(status: number): boolean {
  return status === 429 || status >= 500;
}

/** A certificate that is not trusted will not be so in a minute either. */
function isHopeless(error: Error): boolean {
  const code = "code" in error ? String(error.code) : "";
  return /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|ERR_TLS|ERR_INVALID/.test(code);
}

function unreachable(baseUrl: string, last: Answer | Error): Fault {
  const why =
    last instanceof Error ? last.message || String((last as NodeJS.ErrnoException).code) : `status ${last.status}`;
  return new Fault(
    "SERVICE_UNREACHABLE",
    `${baseUrl} does not answer (${why}).`,
    last instanceof Error ? { cause: last } : {},
  );
}

/**
 * Doubling from half a second, the upper half of it by chance so that many senders do not come back together. @param
 * chance 0…1
 */
export function pauseMs(attempt: number, last: Answer | Error, chance: number): number {
  const asked = last instanceof Error ? Number.NaN : Number(last.headers["retry-after"]);
  if (asked >= 0) return Math.min(asked, retryAfterSecondsMax) * 1000;
  const whole = Math.min(pauseMsMax, firstPauseMs * 2 ** (attempt - 1));
  return whole / 2 + (whole / 2) * chance;
}

function callOnce(agent: Agent, baseUrl: string, call: Call, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      accept: "application/json, application/problem+json",
      ...(call.body === undefined
        ? {}
        : { "content-type": "application/json", "content-length": Buffer.byteLength(call.body) }),
      ...(call.correlationId === undefined ? {} : { "x-correlation-id": call.correlationId }),
    };
    const request = httpsRequest(new URL(call.path, baseUrl), {
      agent,
      method: call.method,
      headers,
      timeout: answerWithinMs,
      signal,
    });
    request.once("error", reject);
    request.once("timeout", () => request.destroy(new Error("no answer in time")));
    request.once("response", (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on("data", (chunk: Buffer) => {
        length += chunk.length;
        if (length > answerBytesMax) request.destroy(new Error("the answer is too long"));
        else chunks.push(chunk);
      });
      response.once("error", reject);
      response.once("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString("utf8"),
        }),
      );
    });
    request.end(call.body);
  });
}
