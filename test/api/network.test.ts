/** Who may call from where: client certificates, trusted proxies, calls a minute, the networks of metrics, and TLS. */
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:tls";
import test from "ava";
import type { Database } from "../../src/database/database.ts";
import { addClientCertificate } from "../../src/partners/keys/client-certificates.ts";
import { listUnguarded } from "../../src/partners/exposure.ts";
import { allowNetwork } from "../../src/partners/provisioning.ts";
import { issue } from "../machine/tls/certificates.ts";
import { openWorld, partnerPath } from "./world.ts";

const keysPath = `${partnerPath}/.well-known/jwks.json`;

async function set(database: Database, https: object): Promise<void> {
  await database.query("update partners set settings = $1 where id = 'north'", [JSON.stringify({ https })]);
}

test.serial("a partner that requires client certificates is served with one of its own only", async (t) => {
  const { call, database } = await openWorld(t, {}, { asksForCertificates: true });
  const root = await issue("Bank authority", { authority: true });
  const own = await issue("backend", { issuer: root });
  await addClientCertificate(database, "north", "issuer", root.cert);
  await set(database, { clientCertificate: "required" });
  t.is((await call("GET", keysPath, { client: own })).status, 200);
  for (const client of [undefined, await issue("backend")]) {
    const answer = await call("GET", keysPath, client ? { client } : {});
    t.is(answer.status, 403);
    t.like(answer.json, { code: "CLIENT_CERTIFICATE_NOT_ALLOWED" });
  }
  t.is((await call("GET", "/partner/south/2.0.0/.well-known/jwks.json")).status, 200);
});

test.serial("a trusted proxy passes the caller's address and certificate on", async (t) => {
  const { call, database } = await openWorld(t, {}, { trustedProxies: ["127.0.0.1/32"] });
  const own = await issue("backend");
  await addClientCertificate(database, "north", "certificate", own.cert);
  await set(database, { clientCertificate: "required" });
  await allowNetwork(database, "north", "https", "192.0.2.0/24");
  const header = `:${new X509Certificate(own.cert).raw.toString("base64")}:`;
  const from = (address: string, certificate: string) => ({
    headers: { "x-forwarded-for": address, "client-cert": certificate },
  });
  t.is((await call("GET", keysPath, from("192.0.2.7", header))).status, 200);
  t.like((await call("GET", keysPath, from("198.51.100.7", header))).json, { code: "ADDRESS_NOT_ALLOWED" });
  // Whoever writes further left than the proxy is a stranger.
  t.like((await call("GET", keysPath, from("192.0.2.7, 198.51.100.7", header))).json, { code: "ADDRESS_NOT_ALLOWED" });
  t.like((await call("GET", keysPath, from("192.0.2.7", ":AAAA:"))).json, { code: "CLIENT_CERTIFICATE_NOT_ALLOWED" });
  t.like((await call("GET", keysPath, { headers: { "x-forwarded-for": "192.0.2.7" } })).json, {
    code: "CLIENT_CERTIFICATE_NOT_ALLOWED",
  });
});

test.serial("from anyone else these headers say nothing", async (t) => {
  const { call, database } = await openWorld(t);
  const own = await issue("backend");
  await addClientCertificate(database, "north", "certificate", own.cert);
  await allowNetwork(database, "north", "https", "192.0.2.0/24");
  t.like((await call("GET", keysPath, { headers: { "x-forwarded-for": "192.0.2.7" } })).json, {
    code: "ADDRESS_NOT_ALLOWED",
  });
  await database.query("delete from allowed_networks");
  await set(database, { clientCertificate: "required" });
  const header = `:${new X509Certificate(own.cert).raw.toString("base64")}:`;
  await t.throwsAsync(
    async () => {
      if ((await call("GET", keysPath, { headers: { "client-cert": header } })).status === 403)
        throw new Error("refused");
    },
    { message: "refused" },
  );
});

test.serial("past its requests a minute a partner is told when to come back, and no other waits", async (t) => {
  const { call, database } = await openWorld(t);
  await set(database, { requestsPerMinute: 2 });
  t.is((await call("GET", keysPath)).status, 200);
  t.is((await call("GET", keysPath)).status, 200);
  const answer = await call("GET", keysPath);
  t.is(answer.status, 429);
  t.like(answer.json, { code: "TOO_MANY_REQUESTS" });
  t.regex(String(answer.headers["retry-after"]), /^([1-9]|[1-5]\d|60)$/);
  t.is((await call("GET", "/partner/south/2.0.0/.well-known/jwks.json")).status, 200);
});

test.serial("whoever reads keys or logs in without end takes no turn of the others", async (t) => {
  const { call, database, newUser } = await openWorld(t);
  await set(database, { requestsPerMinute: 4 });
  const { token } = await newUser("anna");
  const kinds = {
    keys: () => call("GET", keysPath),
    logins: () => call("POST", `${partnerPath}/users/logins`, { body: { payload: "none" } }),
    pushes: () => call("POST", `${partnerPath}/transactions`, { body: {} }),
    users: () => call("GET", `${partnerPath}/upcoming-payments`, { token }),
  };
  for (const [kind, send] of Object.entries(kinds)) {
    const statuses: number[] = [];
    for (let times = 0; times < 6; times += 1) statuses.push((await send()).status);
    t.not(statuses[0], 429, kind);
    t.is(statuses.at(-1), 429, kind);
  }
});

test.serial("senders may keep a partner's keys for minutes, and refusals are kept by nobody", async (t) => {
  const { call, database } = await openWorld(t);
  t.is((await call("GET", keysPath)).headers["cache-control"], "public, max-age=300");
  await set(database, { requestsPerMinute: 1 });
  t.is((await call("GET", "/partner/nobody/2.0.0/.well-known/jwks.json")).headers["cache-control"], "no-store");
});

for (const [where, settings] of [
  ["beyond loopback", { host: "0.0.0.0" }],
  ["behind named proxies", { trustedProxies: ["127.0.0.1/32"] }],
  ["behind proxies that introduce connections", { proxyProtocolNetworks: ["127.0.0.9/32"] }],
] as const) {
  test.serial(
    `${where} a partner that nothing guards is not served, until something does or it is opened`,
    async (t) => {
      for (const guard of ["networks", "certificates", "signatures", "opened"] as const) {
        const { call, database } = await openWorld(t, {}, settings);
        t.deepEqual(await listUnguarded(database), ["north", "south"]);
        const refused = await call("POST", "/partner/south/2.0.0/users", { body: {} });
        t.is(refused.status, 403);
        t.like(refused.json, { code: "PARTNER_UNGUARDED" });
        if (guard === "networks") await allowNetwork(database, "north", "https", "127.0.0.0/8");
        if (guard === "certificates") await set(database, { clientCertificate: "required" });
        if (guard === "signatures")
          await database.query(`update partners set settings = '{"signedBatches": "required"}' where id = 'north'`);
        if (guard === "opened") await set(database, { openToAll: true });
        const { status, json } = await call("GET", keysPath);
        if (guard === "certificates") t.like(json, { code: "CLIENT_CERTIFICATE_NOT_ALLOWED" });
        else t.is(status, 200, guard);
        t.deepEqual(await listUnguarded(database), ["south"], guard);
      }
    },
  );
}

test.serial("metrics are told to their networks only", async (t) => {
  const told = await openWorld(t);
  t.is((await told.call("GET", "/metrics")).status, 200);
  const untold = await openWorld(t, {}, { metricsNetworks: ["192.0.2.0/24"] });
  t.like((await untold.call("GET", "/metrics")).json, { code: "METRICS_NOT_ALLOWED" });
});

test.serial("what is spoken below TLS 1.2 is not answered", async (t) => {
  const { port, authority } = await openWorld(t);
  const spoken = await new Promise((resolve) => {
    const socket = connect({
      port,
      host: "127.0.0.1",
      ca: authority,
      servername: "localhost",
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: "DEFAULT@SECLEVEL=0",
    });
    socket.once("secureConnect", () => resolve(socket.getProtocol()));
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code));
  });
  t.regex(String(spoken), /^ERR_SSL|ECONNRESET/);
});

test.serial(
  "who came by an intermediate certificate comes again: no session is resumed that would not know it",
  async (t) => {
    const world = await openWorld(t, {}, { asksForCertificates: true });
    const root = await issue("root", { authority: true });
    const middle = await issue("middle", { authority: true, issuer: root });
    const leaf = await issue("backend", { issuer: middle });
    await addClientCertificate(world.database, "north", "issuer", root.cert);
    await set(world.database, { clientCertificate: "required" });
    const ask = async (session?: Buffer) => {
      const socket = connect({
        host: "127.0.0.1",
        port: world.port,
        ca: world.authority,
        servername: "localhost",
        cert: `${leaf.cert}\n${middle.cert}`,
        key: leaf.key,
        ...(session === undefined ? {} : { session }),
      });
      const sessions: Buffer[] = [];
      socket.on("session", (one: Buffer) => sessions.push(one));
      socket.write(`GET ${partnerPath}/.well-known/jwks.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      let text = "";
      socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
      await once(socket, "end");
      return { status: text.slice(9, 12), isReused: socket.isSessionReused(), session: sessions.at(-1) };
    };
    const first = await ask();
    t.like(first, { status: "200", isReused: false });
    t.like(await ask(first.session), { status: "200", isReused: false });
  },
);

test.serial("where nobody is asked for a certificate, sessions are resumed, which spares a signature", async (t) => {
  const world = await openWorld(t);
  const at = { host: "127.0.0.1", port: world.port, ca: world.authority, servername: "localhost" };
  const first = connect(at);
  first.resume();
  const [session] = (await once(first, "session")) as [Buffer];
  t.false(first.isSessionReused());
  const second = connect({ ...at, session });
  await once(second, "secureConnect");
  t.true(second.isSessionReused());
  for (const socket of [first, second]) socket.destroy();
});
