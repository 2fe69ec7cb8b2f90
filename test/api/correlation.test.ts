/**
 * Every answer carries the caller's correlation id or a new one, and a trace context of W3C's form goes into answer and
 * log.
 */
import test from "ava";
import { openWorld, partnerPath } from "./world.ts";

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

test.serial("the caller's correlation id comes back on every answer, or a new one", async (t) => {
  const { call } = await openWorld(t);
  const calls: [method: string, path: string, raw?: string][] = [
    ["GET", "/health/live"],
    ["GET", "/nowhere"],
    ["GET", "/%zz"],
    ["GET", `/partner/${"n".repeat(300)}/2.0.0/services`],
    ["PATCH", `${partnerPath}/users`],
    ["POST", `${partnerPath}/users`, "{"],
    ["POST", `${partnerPath}/users`, `"${"x".repeat(70_000)}"`],
    ["GET", `${partnerPath}/services`],
    ["POST", `${partnerPath}/transactions`, "{"],
    ["GET", "/partner/unknown/2.0.0/services"],
  ];
  // Headers carry bytes; Node shows each as one character.
  const id = Buffer.from("order 7 / ø 支付").toString("latin1");
  for (const [method, path, raw] of calls) {
    const body = raw === undefined ? {} : { raw };
    const given = await call(method, path, { ...body, headers: { "x-correlation-id": id } });
    t.is(given.headers["x-correlation-id"], id, `${method} ${path}`);
    t.regex(String((await call(method, path, body)).headers["x-correlation-id"]), uuidPattern);
  }
});

const correlated = (id: string) => ({ headers: { "x-correlation-id": Buffer.from(id).toString("latin1") } });

test.serial(
  "a correlation id of 200 characters comes back whole, whatever they are, and one byte that is no UTF-8 too",
  async (t) => {
    const { call } = await openWorld(t);
    for (const id of ["x".repeat(200), "ø".repeat(200), "\u00a0 a", "a, b", "%0d%0a'; --"]) {
      const answer = await call("GET", "/health/live", correlated(id));
      t.is(answer.status, 200, id);
      t.is(Buffer.from(String(answer.headers["x-correlation-id"]), "latin1").toString("utf8"), id);
    }
    const bytes = await call("GET", "/health/live", { headers: { "x-correlation-id": "\u00ff\u00fe" } });
    t.is(bytes.headers["x-correlation-id"], "\u00ff\u00fe");
  },
);

test.serial(
  "a correlation id that cannot be taken as it came is refused on every path, under a generated one",
  async (t) => {
    const { call } = await openWorld(t);
    const reasons = [
      ["x".repeat(201), "has an X-Correlation-ID of more than 200 characters"],
      ["a\tb", "has an X-Correlation-ID with a control character"],
      ["a\u0085b", "has an X-Correlation-ID with a control character"],
    ] as const;
    const paths = [
      ["GET", "/health/live"],
      ["GET", "/nowhere"],
      ["GET", `/assets/${"x".repeat(300)}`],
      ["PATCH", `${partnerPath}/services`],
      ["GET", `${partnerPath}/services`],
      ["POST", `${partnerPath}/users`],
      ["GET", "/partner/unknown/2.0.0/services"],
    ] as const;
    for (const [id, message] of reasons)
      for (const [method, path] of paths) {
        const answer = await call(method, path, correlated(id));
        t.is(answer.status, 400, `${method} ${path}`);
        t.like(answer.json, { code: "REQUEST_INVALID", errors: [{ pointer: "", message }] });
        t.regex(String(answer.headers["x-correlation-id"]), uuidPattern);
        t.is((answer.json as { correlationId: string }).correlationId, String(answer.headers["x-correlation-id"]));
      }
  },
);

test.serial("a push with a correlation id that cannot be taken is refused as pushes are", async (t) => {
  const { call } = await openWorld(t);
  const answer = await call("POST", `${partnerPath}/transactions`, correlated("x".repeat(500)));
  t.is(answer.status, 400);
  t.deepEqual(answer.json, {
    errorCode: "UNKNOWN_ERROR",
    message: "The request is not a TransactionsRequest.",
    details: [{ field: "", reason: "has an X-Correlation-ID of more than 200 characters" }],
  });
});

test.serial("an empty correlation id is none", async (t) => {
  const { call } = await openWorld(t);
  const empty = await call("GET", "/health/live", { headers: { "x-correlation-id": "" } });
  t.regex(String(empty.headers["x-correlation-id"]), uuidPattern);
});

test.serial("a trace context is taken and leaves the correlation id to the caller", async (t) => {
  const { call } = await openWorld(t);
  for (const traceparent of [
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "no trace at all",
    `00-${"f".repeat(2000)}`,
  ]) {
    const headers = { traceparent, tracestate: "vendor=1" };
    const given = await call("GET", "/health/live", { headers: { ...headers, "x-correlation-id": "order-7" } });
    t.deepEqual([given.status, given.headers["x-correlation-id"]], [200, "order-7"]);
    const answer = await call("GET", "/health/live", { headers });
    t.is(answer.status, 200);
    t.regex(String(answer.headers["x-correlation-id"]), uuidPattern);
  }
});

test.serial(
  "a trace context comes back and its trace id is in the log; what is none, by W3C's rules, is ignored",
  async (t) => {
    const { call, logged, told } = await openWorld(t);
    const isAnswered = ({ event }: Record<string, unknown>) => event === "api.answered";
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    for (const traceparent of [
      `00-${traceId}-00f067aa0ba902b7-01`,
      `cc-${traceId}-00f067aa0ba902b7-00-what-comes-later`,
    ]) {
      logged.length = 0;
      const answer = await call("GET", "/nowhere", { headers: { traceparent } });
      t.deepEqual([answer.status, answer.headers.traceparent], [404, traceparent]);
      t.is((await told(isAnswered))[0]?.traceId, traceId);
    }
    for (const traceparent of [
      `ff-${traceId}-00f067aa0ba902b7-01`,
      `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
      `00-${traceId}-${"0".repeat(16)}-01`,
      `00-${traceId}-00f067aa0ba902b7-01-more`,
      `00-${traceId.toUpperCase()}-00f067aa0ba902b7-01`,
      "",
      `cc-${traceId}-00f067aa0ba902b7-00-${"x".repeat(200)}`,
    ]) {
      logged.length = 0;
      t.is((await call("GET", "/nowhere", { headers: { traceparent } })).headers.traceparent, undefined, traceparent);
      t.false("traceId" in ((await told(isAnswered))[0] ?? { traceId }), traceparent);
    }
  },
);
