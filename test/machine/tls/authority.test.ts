/** The own authority's certificates are trusted, renewed in time, and kept for their owner alone. */
import { X509Certificate } from "node:crypto";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import { get } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { openAuthority } from "../../../src/machine/tls/authority.ts";

const now = new Date("2026-06-01T00:00:00Z");
const dayMs = 86_400_000;

test("the server's certificate is trusted through the authority, under localhost", async (t) => {
  const certificate = await openAuthority(await temporaryFolder(t), ["127.0.0.1"], new Date());
  const server = createServer({ key: certificate.key, cert: certificate.cert }, (_request, response) =>
    response.end("hello"),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(() => server.close());
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const status = await new Promise<number | undefined>((resolve, reject) => {
    get({ host: "localhost", port, ca: certificate.authority, agent: false, family: 4 }, (response) =>
      resolve(response.resume().statusCode),
    ).on("error", reject);
  });
  t.is(status, 200);
});

test("names and keys are kept over starts, in files that only their owner reads", async (t) => {
  const folder = await temporaryFolder(t);
  const first = await openAuthority(folder, ["127.0.0.1"], now);
  t.deepEqual(await openAuthority(folder, ["127.0.0.1"], now), first);
  for (const name of await readdir(folder)) t.is((await stat(path.join(folder, name))).mode & 0o777, 0o600, name);
});

test("the server's certificate is made anew for another host or shortly before it ends, by the same authority", async (t) => {
  const folder = await temporaryFolder(t);
  const first = await openAuthority(folder, ["127.0.0.1"], now);
  const moved = await openAuthority(folder, ["192.0.2.7"], now);
  t.is(moved.authority, first.authority);
  t.is(new X509Certificate(moved.cert).checkIP("192.0.2.7"), "192.0.2.7");
  const later = await openAuthority(folder, ["192.0.2.7"], new Date(now.getTime() + 320 * dayMs));
  t.is(later.authority, first.authority);
  t.not(later.cert, moved.cert);
  t.true(new X509Certificate(later.cert).verify(new X509Certificate(first.authority).publicKey));
});

test("a damaged file is replaced", async (t) => {
  const folder = await temporaryFolder(t);
  await openAuthority(folder, ["127.0.0.1"], now);
  await writeFile(path.join(folder, "server.pem"), "half a certi");
  const { cert } = await openAuthority(folder, ["127.0.0.1"], now);
  t.is(new X509Certificate(cert).checkHost("localhost"), "localhost");
});

async function temporaryFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-tls-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
