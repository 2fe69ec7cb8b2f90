/** Calls to a partner's address reach the public internet only, follow no redirect and read no endless answer. */
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import test, { type ExecutionContext } from "ava";
import { call, type Guard, isPublic, post, RequestFailure } from "../../src/machine/guarded-request.ts";
import { clientUsage, issue } from "./tls/certificates.ts";

const open: Guard = { allowsPrivateAddresses: true, authority: undefined, clientCertificate: undefined };
const guarded: Guard = { ...open, allowsPrivateAddresses: false };

async function serve(t: ExecutionContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const codeOf = (url: string, guard: Guard) =>
  post(new URL(url), {}, "{}", guard).then(
    () => "answered",
    (error: unknown) => (error instanceof RequestFailure ? error.code : error),
  );

test("addresses of the public internet, and no others", (t) => {
  for (const address of ["8.8.8.8", "2606:4700::1111"]) t.true(isPublic(address), address);
  const others = [
    "127.0.0.1",
    "127.9.9.9",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "192.0.2.1",
    "::1",
    "::",
    "fe80::1",
    "fc00::1",
    "fd12::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::a00:1",
    "2002:7f00:1::",
    "ff02::1",
    "nonsense",
  ];
  for (const address of others) t.false(isPublic(address), address);
});

test("a private address is refused however it is written", async (t) => {
  for (const host of [
    "127.0.0.1",
    "[::1]",
    "2130706433",
    "0x7f.1",
    "017700000001",
    "[::ffff:127.0.0.1]",
    "169.254.169.254",
  ])
    t.is(await codeOf(`https://${host}:1/`, guarded), "ADDRESS_PRIVATE", host);
});

test("a name that leads to a private address is refused when it is resolved", async (t) => {
  t.is(await codeOf("https://localhost:1/", guarded), "ADDRESS_PRIVATE");
});

test("plain http is for allow-listed receivers only", async (t) => {
  t.is(await codeOf("http://example.com/", guarded), "NOT_HTTPS");
  t.is(await codeOf("ftp://example.com/", open), "NOT_HTTPS");
});

test("a redirect is an answer and is not followed", async (t) => {
  let calls = 0;
  const url = await serve(t, (_request, response) => {
    calls += 1;
    response.writeHead(302, { location: "/elsewhere" }).end();
  });
  t.is((await post(new URL(url), {}, "{}", open)).status, 302);
  t.is(calls, 1);
});

test("an answer that is too large or breaks off fails", async (t) => {
  const large = await serve(t, (_request, response) => void response.writeHead(200).end(Buffer.alloc(70_000)));
  t.is(await codeOf(large, open), "ANSWER_TOO_LARGE");
  t.is(
    (await call({ method: "POST", url: new URL(large), headers: {}, body: "{}", needsStatusOnly: true }, open)).status,
    200,
    "where the status is all that is asked",
  );
  const cut = await serve(t, (_request, response) => {
    response.writeHead(202, { "content-length": "10" }).write("{");
    setImmediate(() => response.destroy());
  });
  t.true(["CUT_OFF", "ECONNRESET"].includes(String(await codeOf(cut, open))));
});

test("nobody listening is a failure by its code", async (t) => {
  t.is(await codeOf("http://127.0.0.1:1/", open), "ECONNREFUSED");
});

test("over TLS the receiver must be whom its authority says, and may ask for our certificate", async (t) => {
  const root = await issue("Partner authority", { authority: true });
  const own = await issue("Tideline", { issuer: root, usages: [clientUsage] });
  const certificate = await issue("localhost", { issuer: root });
  const server = createTlsServer(
    { cert: certificate.cert, key: certificate.key, ca: root.cert, requestCert: true, rejectUnauthorized: true },
    (_request, response) => void response.writeHead(202).end(),
  );
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((listening) => server.listen(0, "localhost", listening));
  t.teardown(() => void server.close());
  const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
  const known = { ...open, authority: root.cert };
  t.is(
    (await post(new URL(url), {}, "{}", { ...known, clientCertificate: { cert: own.cert, key: own.key } })).status,
    202,
  );
  t.not(await codeOf(url, known), "answered");
  t.is(
    await codeOf(url, { ...open, clientCertificate: { cert: own.cert, key: own.key } }),
    "SELF_SIGNED_CERT_IN_CHAIN",
  );
});
