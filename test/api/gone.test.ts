/** Callers who go away while it is looked up who they are: their end was told before anybody listened for it. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "ava";
import { createApp } from "../../src/api/app.ts";
import { createEvents } from "../../src/events.ts";
import { openAuthority } from "../../src/machine/tls/authority.ts";

test("the body of a caller who has left is not waited for", async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-gone-"));
  t.teardown(() => rm(folder, { recursive: true }));
  const tls = await openAuthority(folder, ["localhost"], new Date());
  const app = createApp(tls, createEvents({ level: "silent" }), { asksForCertificates: false, trustedProxies: [] });
  t.teardown(() => app.close());
  // As looking up takes a while.
  app.addHook("onRequest", async ({ raw }) => void (await new Promise((gone) => raw.once("close", gone))));
  const ended = new Promise<string>((resolve) =>
    app.addHook("onError", async (_request, _reply, error) => resolve(error.code)),
  );
  app.post("/", async () => ({}));
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const headers = { "content-type": "application/json", "content-length": "100" };
  const call = request({
    host: "127.0.0.1",
    servername: "localhost",
    port,
    ca: tls.authority,
    method: "POST",
    agent: false,
    headers,
  });
  call.on("error", () => undefined);
  call.write('{"locale":');
  await once(app.server, "request");
  call.destroy();
  t.is(await ended, "REQUEST_INVALID");
});
