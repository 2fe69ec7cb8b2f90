/** HTTPS calls to the service over kept connections; a call that can succeed later is repeated with growing pauses. */
import { Agent } from "node:https";
import { setTimeout as wait } from "node:timers/promises";
import { callOnce, isHopeless, pauseMs } from "../client/https.ts";
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
        const answer = await callService(agent, credentials.baseUrl, call, signal).catch((error: Error) => error);
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

function unreachable(baseUrl: string, last: Answer | Error): Fault {
  const why =
    last instanceof Error ? last.message || String((last as NodeJS.ErrnoException).code) : `status ${last.status}`;
  return new Fault(
    "SERVICE_UNREACHABLE",
    `${baseUrl} does not answer (${why}).`,
    last instanceof Error ? { cause: last } : {},
  );
}

async function callService(agent: Agent, baseUrl: string, call: Call, signal: AbortSignal): Promise<Answer> {
  const { method, path, body, correlationId } = call;
  const headers = {
    accept: "application/json, application/problem+json",
    ...(correlationId === undefined ? {} : { "x-correlation-id": correlationId }),
  };
  const answer = await callOnce(agent, baseUrl, { method, path, headers, body }, answerBytesMax, signal);
  return { ...answer, body: answer.body.toString("utf8") };
}
