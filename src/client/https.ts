/** One HTTPS call over kept connections, and how long to wait before the next attempt. */
import { type Agent, request as httpsRequest } from "node:https";

export type HttpsCall = {
  method: string;
  /** With its query. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | undefined;
};

export type HttpsAnswer = {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
};

/** A batch is opened and checked before it is answered; a busy service takes some seconds. */
const answerWithinMs = 60_000;
const firstPauseMs = 500;
const pauseMsMax = 30_000;
/** A Retry-After beyond this is not believed. */
const retryAfterSecondsMax = 300;

/** A certificate that is not trusted will not be so in a minute either. */
export function isHopeless(error: Error): boolean {
  const code = "code" in error ? String(error.code) : "";
  return /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|ERR_TLS|ERR_INVALID/.test(code);
}

/** Seconds of Retry-After, or null where there is none that is a number. */
export function retryAfterSeconds(headers: HttpsAnswer["headers"]): number | null {
  const seconds = Number(headers["retry-after"] ?? Number.NaN);
  return seconds >= 0 ? Math.min(seconds, retryAfterSecondsMax) : null;
}

/**
 * Doubling from half a second, the upper half of it by chance so that many senders do not come back together. @param
 * chance 0…1
 */
export function pauseMs(attempt: number, last: Pick<HttpsAnswer, "headers"> | Error, chance: number): number {
  const asked = last instanceof Error ? null : retryAfterSeconds(last.headers);
  if (asked !== null) return asked * 1000;
  const whole = Math.min(pauseMsMax, firstPauseMs * 2 ** (attempt - 1));
  return whole / 2 + (whole / 2) * chance;
}

/** @throws Error for whatever keeps an answer from coming. @param bytesMax of the answer's body */
export function callOnce(
  agent: Agent,
  baseUrl: string,
  call: HttpsCall,
  bytesMax: number,
  signal: AbortSignal,
): Promise<HttpsAnswer> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...call.headers,
      ...(call.body === undefined
        ? {}
        : { "content-type": "application/json", "content-length": Buffer.byteLength(call.body) }),
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
        if (length > bytesMax) request.destroy(new Error("the answer is too long"));
        else chunks.push(chunk);
      });
      response.once("error", reject);
      response.once("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    request.end(call.body);
  });
}
