import { once } from "node:events";
import { connect } from "node:tls";
import test from "ava";
import { openDatabase } from "../../src/database/database.ts";
import { allowNetwork, suspendPartner } from "../../src/partners/provisioning.ts";
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

test.serial("a problem document says what, why and what to do", async (t) => {
  const { call } = await openWorld(t);
  const answer = await call("GET", "/nowhere", { headers: { "x-correlation-id": "c-1" } });
  t.is(answer.status, 404);
  t.deepEqual(answer.json, {
    type: "/reference#ROUTE_UNKNOWN",
    title: "There is nothing at this path.",
    status: 404,
    detail: "Check the path against the OpenAPI document.",
    code: "ROUTE_UNKNOWN",
    correlationId: "c-1",
  });
});

test.serial("a missing or wrong bearer is 401 with a challenge; the bare token is taken", async (t) => {
  const { call, newUser } = await openWorld(t);
  const { token } = await newUser("anna");
  const path = `${partnerPath}/upcoming-payments`;
  const missing = await call("GET", path);
  t.is(missing.status, 401);
  t.is(missing.headers["www-authenticate"], "Bearer");
  t.like(missing.json, { code: "TOKEN_INVALID" });
  for (const authorization of [
    "Bearer x",
    "x",
    `Basic ${token}`,
    `${token}x`,
    "Bearer",
    `Bearer ${"x".repeat(5000)}`,
  ]) {
    t.is((await call("GET", path, { headers: { authorization } })).status, 401, authorization.slice(0, 20));
  }
  for (const authorization of [token, `Bearer ${token}`, `bearer ${token}`, ` Bearer  ${token} `]) {
    t.is((await call("GET", path, { headers: { authorization } })).status, 200, authorization.slice(0, 20));
  }
});

test.serial("a valid token on another partner's path is 403", async (t) => {
  const { call, newUser } = await openWorld(t);
  const { token } = await newUser("anna");
  const answer = await call("GET", "/partner/south/2.0.0/services", { token });
  t.is(answer.status, 403);
  t.like(answer.json, { code: "TOKEN_FOREIGN" });
});

test.serial(
  "every partner path of an unknown or suspended partner is 404, whatever the body, method or token",
  async (t) => {
    let now = Date.now();
    const { call, newUser, database } = await openWorld(t, {
      clock: { now: () => new Date(now), today: () => "2026-06-15" },
    });
    const { token } = await newUser("anna");
    await suspendPartner(database, "north");
    now += 1000;
    for (const partner of ["north", "unknown", "..", "north%00", "n".repeat(65)]) {
      for (const [method, path] of [
        ["POST", "users"],
        ["DELETE", "users"],
        ["POST", "users/logins"],
        ["POST", "transactions"],
        ["GET", "transactions"],
        ["GET", "services"],
        ["GET", "services/1"],
        ["PUT", "services/1/hidden"],
        ["GET", "upcoming-payments"],
        ["GET", ".well-known/jwks.json"],
        ["PATCH", "users"],
      ] as const) {
        const answer = await call(method, `/partner/${partner}/2.0.0/${path}`, {
          token,
          ...(method === "GET" ? {} : { raw: "no JSON" }),
        });
        t.is(answer.status, 404, `${method} ${partner} ${path}`);
        if (partner !== "..") t.like(answer.json, { code: "PARTNER_UNKNOWN" });
      }
    }
  },
);

test.serial("an address outside the partner's networks is 403, inside it is served", async (t) => {
  let now = Date.now();
  const { call, database } = await openWorld(t, { clock: { now: () => new Date(now), today: () => "2026-06-15" } });
  await allowNetwork(database, "north", "https", "192.0.2.0/24");
  await allowNetwork(database, "south", "sftp", "192.0.2.0/24");
  t.is((await call("GET", `${partnerPath}/.well-known/jwks.json`)).status, 403);
  t.is((await call("GET", "/partner/south/2.0.0/.well-known/jwks.json")).status, 200);
  await allowNetwork(database, "north", "https", "127.0.0.0/8");
  now += 1000;
  t.is((await call("GET", `${partnerPath}/.well-known/jwks.json`)).status, 200);
});

test.serial("a method that a path does not answer is 405 and names those that it does", async (t) => {
  const { call } = await openWorld(t);
  for (const [path, allow, method] of [
    [`${partnerPath}/users`, "DELETE, POST", "PUT"],
    [`${partnerPath}/transactions`, "GET, HEAD, POST", "DELETE"],
    [`${partnerPath}/services/1/hidden`, "PUT", "GET"],
    [`${partnerPath}/services`, "GET, HEAD", "OPTIONS"],
    ["/health/live", "GET, HEAD", "POST"],
  ] as const) {
    const answer = await call(
      method,
      path,
      method === "PUT" ? { raw: "x", headers: { "content-type": "text/plain" } } : {},
    );
    t.is(answer.status, 405, path);
    t.is(answer.headers.allow, allow);
    t.like(answer.json, { code: "METHOD_NOT_ALLOWED" });
  }
});

test.serial("a caller who does not accept JSON is 406", async (t) => {
  const { call, newUser } = await openWorld(t);
  const { token } = await newUser("anna");
  const path = `${partnerPath}/upcoming-payments`;
  for (const accept of ["text/html", "application/json;q=0", "application/json;q=0, */*", "image/*, text/*"]) {
    t.is((await call("GET", path, { token, headers: { accept } })).status, 406, accept);
  }
  for (const accept of [
    "application/json",
    "*/*",
    "text/html, application/*;q=0.1",
    "APPLICATION/JSON; charset=utf-8",
    "",
  ]) {
    t.is((await call("GET", path, { token, headers: { accept } })).status, 200, accept);
  }
});

test.serial("a body that is not JSON is 415, one that is too large 413, one that is broken 400", async (t) => {
  const { call } = await openWorld(t);
  const path = `${partnerPath}/users`;
  const typed = await call("POST", path, {
    raw: "bankUserId=anna",
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  t.is(typed.status, 415);
  t.like(typed.json, { code: "MEDIA_TYPE_UNSUPPORTED" });
  const large = await call("POST", path, { raw: JSON.stringify({ bankUserId: "x".repeat(66_000) }) });
  t.is(large.status, 413);
  t.like(large.json, { code: "BODY_TOO_LARGE" });
  for (const raw of ["{", "{'a':1}", "\u0000", ""]) t.is((await call("POST", path, { raw })).status, 400, raw);
});

test.serial("a database that is away is 503 with Retry-After, and its message stays inside", async (t) => {
  // Port 1 has no server on any machine that runs tests.
  const database = openDatabase("postgres://nobody@127.0.0.1:1/none", { sizeMax: 2, applicationName: "test" });
  t.teardown(() => database.end());
  const { call } = await openWorld(t, { database });
  const answer = await call("GET", `${partnerPath}/.well-known/jwks.json`);
  t.is(answer.status, 503);
  t.is(answer.headers["retry-after"], "5");
  t.like(answer.json, { code: "BUSY", status: 503 });
  t.notRegex(answer.text, /ECONN|127\.0\.0\.1|postgres/i);
});

test.serial("a failure that nobody expected is 500, is logged, and tells nothing", async (t) => {
  const { call, logged } = await openWorld(t, { isReady: () => Promise.reject(new Error("secret detail")) });
  const answer = await call("GET", "/health/ready", { headers: { "x-correlation-id": "c-9" } });
  t.is(answer.status, 500);
  t.like(answer.json, { code: "INTERNAL", correlationId: "c-9" });
  t.notRegex(answer.text, /secret detail/);
  t.like(
    logged.find(({ event }) => event === "api.failed"),
    { correlationId: "c-9", route: "/health/ready", error: "secret detail" },
  );
});

/** What comes back for bytes on a connection of their own. */
async function exchange({ port, authority }: { port: number; authority: string }, sent: string): Promise<string> {
  return await new Promise<string>((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, ca: authority, servername: "localhost" }, () =>
      socket.write(sent),
    );
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
    socket.on("end", () => resolve(text));
    socket.on("error", reject);
  });
}

test.serial("a call without a Host header is refused as everything else is", async (t) => {
  const world = await openWorld(t);
  const answer = await exchange(world, "GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n");
  t.regex(answer, /^HTTP\/1\.1 400 Bad Request\r\n/);
  t.regex(answer, /\r\nx-correlation-id: [0-9a-f-]{36}\r\n/);
  t.like(JSON.parse(answer.split("\r\n\r\n")[1] ?? ""), {
    code: "REQUEST_INVALID",
    errors: [{ message: "has no Host header" }],
  });
});

test.serial("a push without a Host header is refused before it is known whose it is", async (t) => {
  const world = await openWorld(t);
  const answer = await exchange(
    world,
    `POST ${partnerPath}/transactions HTTP/1.1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
  t.regex(answer, /^HTTP\/1\.1 400 Bad Request\r\n/);
});

test.serial("a caller that goes away in the middle of its body is no failure of ours", async (t) => {
  const { port, authority, logged, call, close } = await openWorld(t);
  for (const path of ["users", "transactions"]) {
    const socket = connect({ host: "127.0.0.1", port, ca: authority, servername: "localhost" });
    socket.write(
      `POST ${partnerPath}/${path} HTTP/1.1\r\nHost: localhost\r\nX-Correlation-ID: gone-${path}\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n`,
    );
    // The service has read the head and waits for the body.
    await once(socket, "data");
    socket.write('{"half', () => socket.destroy());
    await once(socket, "close");
  }
  // Whoever comes after them is answered, and a service that has closed has noticed everything.
  t.is((await call("GET", "/health/live")).status, 200);
  await close(1000);
  t.deepEqual(
    logged.filter(({ event }) => event === "api.failed"),
    [],
  );
});

test.serial("an expectation that nobody knows is ignored", async (t) => {
  const world = await openWorld(t);
  const answer = await exchange(
    world,
    "GET /nowhere HTTP/1.1\r\nHost: localhost\r\nExpect: 200-maybe\r\nConnection: close\r\n\r\n",
  );
  t.regex(answer, /^HTTP\/1\.1 404 Not Found\r\n/);
  t.regex(answer, /\r\nx-correlation-id: [0-9a-f-]{36}\r\n/);
});

test.serial("a body that is not UTF-8 is refused instead of stored with replacements", async (t) => {
  const { call } = await openWorld(t);
  const latin = Buffer.from('{"bankUserId":"s\u00f8ren","brand":"north-dk","locale":"da-DK"}', "latin1");
  for (const path of ["users", "transactions"])
    t.is((await call("POST", `${partnerPath}/${path}`, { raw: latin })).status, 400, path);
  t.like((await call("POST", `${partnerPath}/users`, { raw: latin })).json, {
    code: "REQUEST_INVALID",
    errors: [{ pointer: "", message: "is not UTF-8" }],
  });
});

test.serial("what is no HTTP is answered with a problem document and closed", async (t) => {
  const answer = await exchange(await openWorld(t), "nonsense\r\n\r\n");
  t.regex(answer, /^HTTP\/1\.1 400 Bad Request\r\n/);
  t.regex(answer, /\r\nx-correlation-id: [0-9a-f-]{36}\r\n/);
  t.like(JSON.parse(answer.split("\r\n\r\n")[1] ?? ""), { code: "REQUEST_INVALID", status: 400 });
});

test.serial("TLS below 1.2 is not spoken", async (t) => {
  const { port, authority } = await openWorld(t);
  const handshake = (maxVersion: "TLSv1.1" | "TLSv1.2") =>
    new Promise<string | null>((resolve, reject) => {
      const options = {
        host: "127.0.0.1",
        port,
        ca: authority,
        servername: "localhost",
        maxVersion,
        minVersion: "TLSv1" as const,
        ciphers: "DEFAULT@SECLEVEL=0",
      };
      const socket = connect(options, () => {
        resolve(socket.getProtocol());
        socket.destroy();
      });
      socket.on("error", reject);
    });
  t.is(await handshake("TLSv1.2"), "TLSv1.2");
  await t.throwsAsync(handshake("TLSv1.1"));
});

test.serial("every answer carries security headers and none allows another site to read it", async (t) => {
  const { call } = await openWorld(t);
  for (const path of ["/health/live", "/nowhere", `${partnerPath}/services`]) {
    const { headers } = await call("GET", path, { headers: { origin: "https://else.example" } });
    t.is(headers["x-content-type-options"], "nosniff");
    t.is(headers["cache-control"], "no-store");
    t.is(headers["strict-transport-security"], "max-age=31536000");
    t.is(headers["access-control-allow-origin"], undefined);
    t.is(headers["x-powered-by"], undefined);
  }
});

test.serial("HEAD answers as GET does, without the body", async (t) => {
  const { call, newUser } = await openWorld(t);
  const { token } = await newUser("anna");
  for (const path of [`${partnerPath}/upcoming-payments`, `${partnerPath}/.well-known/jwks.json`, "/health/live"]) {
    const [get, head] = [await call("GET", path, { token }), await call("HEAD", path, { token })];
    t.is(get.status, 200, path);
    t.deepEqual(
      [head.status, head.headers["content-type"], head.headers["content-length"], head.text],
      [200, get.headers["content-type"], get.headers["content-length"], ""],
      path,
    );
  }
  t.is((await call("HEAD", `${partnerPath}/upcoming-payments`)).status, 401);
});

test.serial("OPTIONS allows no other site: it is 405 like any method that a path does not answer", async (t) => {
  const { call } = await openWorld(t);
  const headers = {
    origin: "https://else.example",
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization",
  };
  for (const path of [`${partnerPath}/users`, `${partnerPath}/services`, "/openapi.json"]) {
    const answer = await call("OPTIONS", path, { headers });
    t.is(answer.status, 405, path);
    t.truthy(answer.headers.allow);
    t.deepEqual(
      Object.keys(answer.headers).filter((name) => name.startsWith("access-control-")),
      [],
    );
  }
  t.is((await call("OPTIONS", "/nowhere", { headers })).status, 404);
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

test.serial("a value of another type is refused, never turned into the right one", async (t) => {
  const { call, newUser } = await openWorld(t);
  const { token } = await newUser("anna");
  const id = "00000000-0000-4000-8000-000000000000";
  for (const [method, path, body, pointer] of [
    ["PUT", `services/${id}/hidden`, { hidden: "true" }, "/hidden"],
    ["PUT", `services/${id}/hidden`, { hidden: 1 }, "/hidden"],
    ["PUT", `services/${id}/hidden`, { hidden: null }, "/hidden"],
    ["POST", "users", { bankUserId: 7, brand: "north-dk", locale: "da-DK" }, "/bankUserId"],
    ["POST", `budgets/${id}/categories/HOUSING_RENT/adjustments`, { amount: "12", frequency: "MONTHLY" }, "/amount"],
    ["PUT", "accounts", "account-1", ""],
    ["PUT", "accounts", [1], "/0"],
  ] as const) {
    const answer = await call(method, `${partnerPath}/${path}`, { token, body });
    t.is(answer.status, 400, `${path} ${JSON.stringify(body)}`);
    t.is((answer.json as { errors: { pointer: string }[] }).errors[0]?.pointer, pointer);
  }
});

test.serial("a number in a query is its digits and nothing else", async (t) => {
  const { call, newUser } = await openWorld(t);
  const { token } = await newUser("anna");
  const listed = (query: string) => call("GET", `${partnerPath}/transactions?${query}`, { token });
  for (const limit of [
    "true",
    "false",
    "null",
    "",
    "%20",
    "1e1",
    "0x1",
    "1.0",
    "+1",
    "1%20",
    "%D9%A1",
    "1&limit=2",
    "9".repeat(400),
  ]) {
    const answer = await listed(`limit=${limit}`);
    t.is(answer.status, 400, limit);
    t.like(answer.json, { code: "REQUEST_INVALID", errors: [{ pointer: "/limit" }] });
  }
  for (const limit of ["1", "007", "10000"]) t.is((await listed(`limit=${limit}`)).status, 200, limit);
  t.like((await listed("from=true&limit=0")).json, { errors: [{ pointer: "/from" }, { pointer: "/limit" }] });
});

test.serial("keys that nobody knows are ignored in bodies, at any depth, and in queries", async (t) => {
  const { call, newUser } = await openWorld(t);
  const { token } = await newUser("anna");
  const created = await call("POST", `${partnerPath}/users`, {
    body: { bankUserId: "bert", brand: "north-dk", locale: "da-DK", later: { than: "today" } },
  });
  t.is(created.status, 201);
  const accounts = [{ accountId: "account-1", observedTime: "2026-06-15T08:00:00Z", balance: 1, later: [null] }];
  t.is((await call("PUT", `${partnerPath}/accounts-balances`, { token, body: { accounts, later: true } })).status, 200);
  t.is((await call("GET", `${partnerPath}/upcoming-payments?later=1&x[]=2`, { token })).status, 200);
});
