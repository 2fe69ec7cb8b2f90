/** Operations over HTTPS: what may be repeated is, what is not ready is waited for, and what is refused is an error. */
import { Agent } from "node:https";
import { setTimeout as wait } from "node:timers/promises";
import type { PartnerAccess } from "./access.ts";
import type { CallOptions } from "./call-options.ts";
import { type BatchAnswer, BatchRefused, CallRefused, StillNotReady, TidelineError, Unreachable } from "./failures.ts";
import { operations } from "./generated/operations.ts";
import type { Problem } from "./generated/schemas.ts";
import { callOnce, type HttpsAnswer, isHopeless, pauseMs, retryAfterSeconds } from "./https.ts";

export type OperationName = keyof typeof operations;

export type CallInput = CallOptions & {
  /** Of path and query. */
  parameters?: Readonly<Record<string, unknown>>;
  /** Made anew for each attempt where it is a function. */
  body?: unknown;
  token?: string | undefined;
  /** Whether the call may come twice without harm; what only reads, puts or removes always may. */
  repeatable?: boolean;
  /** The batch that is pushed. */
  batch?: { requestId: string; recordsBefore: number };
};

export type Limits = {
  /** Attempts at a call that can be repeated; with growing pauses the default is some quarter of an hour. */
  attemptsMax: number;
  /** How long answers of 202 are waited for. */
  readyWithinMs: number;
  /** Connections at a time. */
  connectionsMax: number;
  /** For tests. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
};

export type Calls = {
  call(name: OperationName, input?: CallInput): Promise<unknown>;
  /** Calls that were repeated so far. */
  readonly retries: number;
  close(): void;
};

export const limitDefaults: Limits = {
  attemptsMax: 35,
  readyWithinMs: 10 * 60_000,
  connectionsMax: 4,
  pause: async (ms, signal) => void (await wait(ms, undefined, { signal })),
};

/** Reports and long histories; more than that is no answer of the interface. */
const answerBytesMax = 64 * 1024 * 1024;
/** Where a 202 does not say when to come again. */
const readySeconds = 1;

export function openCalls(access: PartnerAccess, limits: Limits): Calls {
  const agent = new Agent({ keepAlive: true, maxSockets: limits.connectionsMax, ca: access.authority });
  // Whoever closes the client wants its running and repeating calls to end, too.
  const closing = new AbortController();
  let retries = 0;

  /** The first answer that is not "come again". */
  async function answerTo(name: OperationName, input: CallInput, signal: AbortSignal): Promise<HttpsAnswer> {
    for (let attempt = 1; ; attempt += 1) {
      const body = typeof input.body === "function" ? await (input.body as () => Promise<unknown>)() : input.body;
      const request = {
        method: operations[name].method,
        path: pathOf(access.partnerId, name, input.parameters ?? {}),
        headers: headersOf(input),
        body: body === undefined ? undefined : JSON.stringify(body),
      };
      const answer = await callOnce(agent, access.baseUrl, request, answerBytesMax, signal).catch(
        (error: Error) => error,
      );
      if (signal.aborted) throw signal.reason;
      if (!isPassing(name, input, answer)) {
        if (answer instanceof Error) throw unreachable(access.baseUrl, answer);
        return answer;
      }
      if (attempt >= limits.attemptsMax) throw unreachable(access.baseUrl, answer);
      retries += 1;
      await limits.pause(pauseMs(attempt, answer, Math.random()), signal);
    }
  }

  return {
    async call(name, input = {}) {
      const signal = input.signal ? AbortSignal.any([input.signal, closing.signal]) : closing.signal;
      const startedAt = performance.now();
      for (;;) {
        const answer = await answerTo(name, input, signal);
        if (answer.status >= 300) throw refusal(name, input, answer);
        if (answer.status !== 202 || !operations[name].waits) return contentOf(name, answer);
        const pause = (retryAfterSeconds(answer.headers) ?? readySeconds) * 1000;
        if (performance.now() - startedAt + pause > limits.readyWithinMs)
          throw new StillNotReady(`${name} is still not ready after ${Math.round(limits.readyWithinMs / 1000)} s.`);
        await limits.pause(pause, signal);
      }
    },
    get retries() {
      return retries;
    },
    close() {
      closing.abort(new TidelineError("CLOSED", "The client was closed."));
      agent.destroy();
    },
  };
}

/**
 * 429 and 503 with Retry-After mean that nothing was done: any call may come again. After a broken connection or another
 * 5xx nobody knows, so only calls come again that may come twice.
 */
function isPassing(name: OperationName, input: CallInput, answer: HttpsAnswer | Error): boolean {
  const repeatable = input.repeatable ?? operations[name].method !== "POST";
  if (answer instanceof Error) return repeatable && !isHopeless(answer);
  if (answer.status === 429 || answer.status === 503) return repeatable || retryAfterSeconds(answer.headers) !== null;
  return repeatable && answer.status >= 500;
}

function pathOf(partnerId: string, name: OperationName, parameters: Readonly<Record<string, unknown>>): string {
  const { path, query } = operations[name];
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(parameters[key])));
  const given = query.filter((key) => parameters[key] !== undefined);
  const search = new URLSearchParams(given.map((key) => [key, String(parameters[key])])).toString();
  return `/partner/${encodeURIComponent(partnerId)}/2.0.0${filled}${search === "" ? "" : `?${search}`}`;
}

function headersOf({ token, correlationId, language }: CallInput): Record<string, string> {
  return {
    accept: "application/json, application/pdf, application/problem+json",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(correlationId === undefined ? {} : { "x-correlation-id": correlationId }),
    ...(language === undefined ? {} : { "accept-language": language }),
  };
}

function contentOf(name: OperationName, { body }: HttpsAnswer): unknown {
  const { answers } = operations[name];
  if (answers === "nothing") return undefined;
  return answers === "bytes" ? new Uint8Array(body) : JSON.parse(body.toString("utf8"));
}

function refusal(name: OperationName, { batch }: CallInput, { status, body }: HttpsAnswer): TidelineError {
  const content = parse(body.toString("utf8"));
  if (batch && "errorCode" in content) return new BatchRefused(content as BatchAnswer, batch);
  return new CallRefused(name, status, content as Partial<Problem>);
}

function unreachable(baseUrl: string, last: HttpsAnswer | Error): Unreachable {
  if (!(last instanceof Error)) return new Unreachable(`${baseUrl} does not answer (status ${last.status}).`);
  const why = last.message || String((last as NodeJS.ErrnoException).code);
  return new Unreachable(`${baseUrl} does not answer (${why}).`, { cause: last });
}

/** An answer of something in between, such as a proxy's page, is empty: its status says enough. */
function parse(text: string): object {
  try {
    const content: unknown = JSON.parse(text);
    return typeof content === "object" && content !== null ? content : {};
  } catch {
    return {};
  }
}
