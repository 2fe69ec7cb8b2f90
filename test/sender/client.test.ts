/** A client tries again with growing pauses, obeys Retry-After, and gives up at last or when it is stopped. */
import test from "ava";
import { pauseMs } from "../../src/client/https.ts";
import { createClient } from "../../src/sender/client.ts";
import { openPartnerService } from "./partner-service.ts";

const busy = { status: 503, headers: {}, body: "" };

test("pauses double up to half a minute, at least half of each", (t) => {
  t.deepEqual(
    [1, 2, 3, 6, 7, 30].map((attempt) => pauseMs(attempt, busy, 1)),
    [500, 1000, 2000, 16_000, 30_000, 30_000],
  );
  t.is(pauseMs(3, new Error("reset"), 0), 1000);
});

test("Retry-After is obeyed up to five minutes", (t) => {
  t.is(pauseMs(1, { ...busy, headers: { "retry-after": "7" } }, 1), 7000);
  t.is(pauseMs(1, { ...busy, headers: { "retry-after": "86400" } }, 1), 300_000);
});

test("a service that stays away is a fault after the last attempt", async (t) => {
  const service = await openPartnerService(t);
  const pauses: number[] = [];
  const client = createClient(service.credentials, {
    connectionsMax: 1,
    pause: (ms) => Promise.resolve(void pauses.push(ms)),
  });
  service.replies.push(...Array.from({ length: 3 }, () => ({ status: 502 })));
  await t.throwsAsync(client.call({ method: "GET", path: "/", attemptsMax: 3 }), {
    code: "SERVICE_UNREACHABLE",
    message: /status 502/,
  });
  t.is(pauses.length, 2);
  client.close();
});

test("an abort ends the waiting", async (t) => {
  const service = await openPartnerService(t);
  const controller = new AbortController();
  const client = createClient(service.credentials, {
    connectionsMax: 1,
    pause: () => Promise.resolve(controller.abort()),
  });
  service.replies.push({ status: 503 }, { status: 503 });
  await t.throwsAsync(client.call({ method: "GET", path: "/" }, controller.signal), { name: "AbortError" });
  client.close();
});
