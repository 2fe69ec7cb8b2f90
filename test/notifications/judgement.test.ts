/** A receiver's answer decides whether a message is delivered, tried again after growing pauses, or dead. */
import test from "ava";
import { createBreaker } from "../../src/notifications/breaker.ts";
import { judge, type Outcome } from "../../src/notifications/judgement.ts";

const now = new Date("2026-06-15T12:00:00Z");
const hourMs = 3_600_000;
const answered = (status: number, retryAfter?: string): Outcome => ({ kind: "answered", status, retryAfter });
const first = { attempts: 1, firstAttemptAt: now };

test("every success is delivered", (t) => {
  for (const status of [200, 202, 204]) t.deepEqual(judge(answered(status), first, now, 1), { verdict: "delivered" });
});

test("what may go well later is tried again, with longer and longer pauses up to a day", (t) => {
  const delays = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((attempts) => {
    const judgement = judge(answered(503), { attempts, firstAttemptAt: now }, now, 1);
    return judgement.verdict === "again" ? judgement.delayMs / 1000 : null;
  });
  t.deepEqual(delays, [10, 60, 300, 1800, 7200, 21_600, 43_200, 86_400, 86_400]);
  for (const status of [401, 408, 425, 429, 500, 502, 599])
    t.is(judge(answered(status), first, now, 1).verdict, "again", String(status));
  t.like(judge({ kind: "failed", code: "ECONNREFUSED" }, first, now, 1), { verdict: "again", failure: "ECONNREFUSED" });
});

test("the pause is anything below its ceiling, a second at least", (t) => {
  t.like(judge(answered(500), first, now, 0.25), { delayMs: 2500 });
  t.like(judge(answered(500), first, now, 0), { delayMs: 1000 });
});

test("Retry-After is kept to, as seconds or as a date, up to a day", (t) => {
  t.like(judge(answered(429, "120"), first, now, 0), { delayMs: 120_000 });
  t.like(judge(answered(503, "Mon, 15 Jun 2026 12:05:00 GMT"), first, now, 0), { delayMs: 300_000 });
  t.like(judge(answered(503, "99999999"), first, now, 0), { delayMs: 24 * hourMs });
  for (const past of ["0", "Mon, 15 Jun 2026 11:00:00 GMT"])
    t.like(judge(answered(503, past), first, now, 1), { delayMs: 1000 });
  t.like(judge(answered(503, "soon"), first, now, 0.5), { delayMs: 5000 });
});

test("other refusals, redirects among them, are dead at once", (t) => {
  for (const status of [301, 302, 400, 403, 404, 410, 413, 422])
    t.deepEqual(judge(answered(status), first, now, 1), { verdict: "dead", failure: `HTTP ${status}` });
});

test("after 72 hours of trying it is given up", (t) => {
  const since = (hours: number) => ({ attempts: 9, firstAttemptAt: new Date(now.getTime() - hours * hourMs) });
  t.like(judge(answered(500), since(47), now, 1), { verdict: "again", delayMs: 24 * hourMs });
  t.like(
    judge(answered(500), since(49), now, 1),
    { verdict: "again", delayMs: 23 * hourMs },
    "the last attempt is made when they are over",
  );
  t.is(
    judge(answered(503, String(24 * 3600)), since(49), now, 1).verdict,
    "dead",
    "a receiver that asks for more than is left",
  );
  for (const hours of [72, 73]) t.is(judge(answered(500), since(hours), now, 0).verdict, "dead");
});

test("a receiver that fails five times is left alone, then tried with one message, and for longer each time", (t) => {
  let at = 0;
  const breaker = createBreaker(() => at);
  for (let failure = 0; failure < 4; failure += 1) breaker.fail();
  t.is(breaker.allowance(8), 8);
  breaker.fail();
  t.is(breaker.allowance(8), 0);
  at = 30_000;
  t.is(breaker.allowance(8), 1);
  breaker.fail();
  at = 89_999;
  t.is(breaker.allowance(8), 0);
  at = 90_000;
  t.is(breaker.allowance(8), 1);
  breaker.succeed();
  t.is(breaker.allowance(8), 8);
});
