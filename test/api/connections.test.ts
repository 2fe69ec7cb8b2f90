/**
 * What reaches the service below a well-formed call, from broken HTTP to old TLS, is refused without harm; every answer
 * carries security headers.
 */
import { once } from "node:events";
import { connect } from "node:tls";
import test from "ava";
import { openWorld, partnerPath } from "./world.ts";

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

test.serial("of TLS 1.2 only suites with forward secrecy and authenticated encryption are spoken", async (t) => {
  const { port, authority } = await openWorld(t);
  const handshake = (ciphers: string) =>
    new Promise<string>((resolve, reject) => {
      const options = {
        host: "127.0.0.1",
        port,
        ca: authority,
        servername: "localhost",
        maxVersion: "TLSv1.2" as const,
      };
      const socket = connect({ ...options, ciphers }, () => {
        resolve(socket.getCipher().name);
        socket.destroy();
      });
      socket.on("error", reject);
    });
  const [weaker, stronger] = ["ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384"];
  t.is(await handshake(weaker), weaker);
  t.is(await handshake(`${weaker}:${stronger}`), stronger, "the server's order counts");
  for (const broken of ["ECDHE-ECDSA-AES256-SHA384", "ECDHE-ECDSA-AES128-SHA256", "ECDHE-ECDSA-AES256-SHA"])
    await t.throwsAsync(handshake(broken), { message: /handshake failure/ }, broken);
});

test.serial("every answer carries security headers and none allows another site to read it", async (t) => {
  const { call } = await openWorld(t);
  for (const path of ["/health/live", "/nowhere", `${partnerPath}/services`]) {
    const { headers } = await call("GET", path, { headers: { origin: "https://else.example" } });
    t.is(headers["x-content-type-options"], "nosniff");
    t.is(headers["cache-control"], "no-store");
    t.is(headers["strict-transport-security"], "max-age=31536000; includeSubDomains");
    t.is(
      headers["content-security-policy"],
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
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

test.serial("a call with two Host headers is refused, whether or not they say the same", async (t) => {
  const world = await openWorld(t);
  for (const [first, second] of [
    ["localhost", "elsewhere.example"],
    ["localhost", "localhost"],
  ]) {
    for (const head of ["GET /health/live HTTP/1.1", "GET /nowhere HTTP/1.1", "GET /health/live HTTP/1.0"]) {
      const answer = await exchange(world, `${head}\r\nHost: ${first}\r\nhOST: ${second}\r\nConnection: close\r\n\r\n`);
      t.regex(answer, /^HTTP\/1\.1 400 Bad Request\r\n/, head);
      t.like(JSON.parse(answer.split("\r\n\r\n")[1] ?? ""), {
        code: "REQUEST_INVALID",
        errors: [{ message: "has more than one Host header" }],
      });
    }
  }
});

test.serial("a body that trickles in is answered 408 and its connection closed", async (t) => {
  const world = await openWorld(t, {}, { requestTimeoutMs: 500 });
  await world.database.query(`update partners set settings = '{"psd2": {"sandbox": true}}' where id = 'north'`);
  for (const path of ["/partner/north/2.0.0/users", "/partner/north/2.0.0/transactions", "/sandbox-bank/token"]) {
    const type = path.startsWith("/partner") ? "application/json" : "application/x-www-form-urlencoded";
    const { text, closed } = await trickle(
      world,
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: 60000\r\n\r\n`,
    );
    t.regex(text, /^HTTP\/1\.1 408 Request Timeout\r\n/, path);
    t.regex(text, /\r\nconnection: close\r\n/);
    t.like(JSON.parse(text.split("\r\n\r\n")[1] ?? ""), { status: 408 });
    t.true(closed);
  }
  // Whoever is quick is served all the same.
  t.is((await world.call("GET", "/health/live")).status, 200);
});

/** Sends a head and then a byte at a time, until the service has had enough. */
async function trickle(
  { port, authority }: { port: number; authority: string },
  head: string,
): Promise<{ text: string; closed: boolean }> {
  const socket = connect({ host: "127.0.0.1", port, ca: authority, servername: "localhost" });
  await once(socket, "secureConnect");
  socket.write(head);
  const drip = setInterval(() => socket.write(" "), 50);
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  // A service that closes while bytes still come may answer them with a reset.
  socket.on("error", () => undefined);
  await once(socket, "close");
  clearInterval(drip);
  return { text, closed: socket.destroyed };
}
