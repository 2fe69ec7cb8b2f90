/**
 * What an attempt's outcome means: delivered, to be tried again, or given up. Pure. Source: services.md, "Delivery".
 */
import { firstOf } from "../present.ts";

export type Outcome =
  | { kind: "answered"; status: number; retryAfter: string | undefined }
  | { kind: "failed"; code: string };

export type Judgement =
  | { verdict: "delivered" }
  /** Tried again after this long. */
  | { verdict: "again"; delayMs: number; failure: string }
  | { verdict: "dead"; failure: string };

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** After the first, second, … attempt; the last one again and again. */
const delaysMs = [
  10 * secondMs,
  minuteMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  6 * hourMs,
  12 * hourMs,
  24 * hourMs,
];
/**
 * From the first attempt; the last one is made when they are over, so that a receiver that was away from Friday to
 * Monday has missed nothing.
 */
const givenUpAfterHoursDefault = 72;
/** A receiver that asks for more would let messages go stale. */
const retryAfterMsMax = 24 * hourMs;
/** Request time-out, too early, too many requests: the next time may go well. 401 has had its new token by now. */
const retriedStatuses = new Set([401, 408, 425, 429]);

/** @param random from 0 to 1: full jitter, so that a receiver that comes back is not met by all at once */
export function judge(
  outcome: Outcome,
  attempt: { attempts: number; firstAttemptAt: Date },
  now: Date,
  random: number,
  givenUpAfterHours: number = givenUpAfterHoursDefault,
): Judgement {
  if (outcome.kind === "answered" && outcome.status >= 200 && outcome.status < 300) return { verdict: "delivered" };
  const failure = outcome.kind === "answered" ? `HTTP ${outcome.status}` : outcome.code;
  const isRetried = outcome.kind === "failed" || outcome.status >= 500 || retriedStatuses.has(outcome.status);
  if (!isRetried) return { verdict: "dead", failure };
  const asked = outcome.kind === "answered" ? readRetryAfter(outcome.retryAfter, now) : null;
  const ceiling = delaysMs[Math.min(attempt.attempts, delaysMs.length) - 1] ?? firstOf(delaysMs);
  const delayMs = Math.max(secondMs, asked === null ? random * ceiling : Math.min(asked, retryAfterMsMax));
  const leftMs = attempt.firstAttemptAt.getTime() + givenUpAfterHours * hourMs - now.getTime();
  if (leftMs <= 0 || (asked !== null && delayMs > leftMs)) return { verdict: "dead", failure };
  return { verdict: "again", delayMs: Math.min(delayMs, leftMs), failure };
}

/** Seconds, or an HTTP date (RFC 9110, 10.2.3). Null: neither. */
function readRetryAfter(text: string | undefined, now: Date): number | null {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * secondMs;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
