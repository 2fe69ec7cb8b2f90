/** The certificate authority is made once, kept, renewed in time, and never replaced because its files are broken. */
import { execFile } from "node:child_process";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { copyFile, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import { get } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import test, { type ExecutionContext } from "ava";
import { openAuthority } from "../../../src/machine/tls/authority.ts";
import { among, tellingReads } from "../../cli/reads.ts";

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

test("hosts are named as clients ask for them, and kept however they are written", async (t) => {
  const folder = await temporaryFolder(t);
  const first = await openAuthority(folder, ["Bank-Ærø.example", "2001:db8::7"], now);
  t.is(new X509Certificate(first.cert).checkHost("xn--bank-r-tua9l.example"), "xn--bank-r-tua9l.example");
  t.deepEqual(await openAuthority(folder, ["bank-ærø.example", "2001:db8:0::7"], now), first);
});

test("what makes certificates is read only where one is to be made", async (t) => {
  const folder = await temporaryFolder(t);
  const file = path.join(folder, "read.json");
  const module = new URL("../../../src/machine/tls/authority.ts", import.meta.url).href;
  const start = async (): Promise<string[]> => {
    const text = `import { openAuthority } from ${JSON.stringify(module)}; await openAuthority(${JSON.stringify(path.join(folder, "tls"))}, [], new Date());`;
    const options = `${process.env.NODE_OPTIONS ?? ""} ${tellingReads(file)}`;
    await promisify(execFile)(process.execPath, ["--input-type=module", "-e", text], {
      env: { ...process.env, NODE_OPTIONS: options },
    });
    return among(JSON.parse(await readFile(file, "utf8")) as string[], ["@peculiar/x509"]);
  };
  t.deepEqual([await start(), await start()], [["@peculiar/x509"], []]);
});

for (const [what, content] of [
  ["empty", ""],
  ["halved", "-----BEGIN CERTIFICATE-----\nMIIB"],
] as const) {
  for (const name of ["ca.pem", "ca.key"]) {
    test(`an authority of which ${name} is ${what} is told, and never made anew`, async (t) => {
      const folder = await temporaryFolder(t);
      await openAuthority(folder, ["127.0.0.1"], now);
      const file = path.join(folder, name);
      await writeFile(file, content);
      const error = await t.throwsAsync(openAuthority(folder, ["127.0.0.1"], now), { code: "FILE_BROKEN" });
      t.true(error?.message.startsWith(`${file} is ${what === "empty" ? "empty" : "broken"}`), error?.message);
      t.is(await readFile(file, "utf8"), content);
    });
  }

  for (const name of ["server.pem", "server.key"]) {
    test(`a server certificate of which ${name} is ${what} is made anew by the same authority, and told`, async (t) => {
      const folder = await temporaryFolder(t);
      const { authority } = await openAuthority(folder, ["127.0.0.1"], now);
      await writeFile(path.join(folder, name), content);
      const told: string[] = [];
      const mended = await openAuthority(folder, ["127.0.0.1"], now, (error) => told.push(error.message));
      t.is(mended.authority, authority);
      t.is(new X509Certificate(mended.cert).checkHost("localhost"), "localhost");
      t.true(new X509Certificate(mended.cert).checkPrivateKey(createPrivateKey(mended.key)));
      t.is(told.length, 1);
      t.true(told[0]?.startsWith(path.join(folder, name)));
    });
  }
}

test("an authority whose key is gone is told; a key alone is one that nobody was shown", async (t) => {
  const folder = await temporaryFolder(t);
  const { authority } = await openAuthority(folder, ["127.0.0.1"], now);
  await rename(path.join(folder, "ca.key"), path.join(folder, "kept"));
  await t.throwsAsync(openAuthority(folder, ["127.0.0.1"], now), {
    code: "FILE_BROKEN",
    message: /ca\.key is missing/,
  });
  await rename(path.join(folder, "kept"), path.join(folder, "ca.key"));
  await rm(path.join(folder, "ca.pem"));
  const { cert, authority: other } = await openAuthority(folder, ["127.0.0.1"], now);
  t.not(other, authority);
  // What the lost one had signed is signed anew.
  t.true(new X509Certificate(cert).verify(new X509Certificate(other).publicKey));
});

test("a key that is not its certificate's is told", async (t) => {
  const folder = await temporaryFolder(t);
  await openAuthority(folder, ["127.0.0.1"], now);
  await copyFile(path.join(folder, "server.key"), path.join(folder, "ca.key"));
  await t.throwsAsync(openAuthority(folder, ["127.0.0.1"], now), {
    code: "FILE_BROKEN",
    message: /ca\.key is broken: it is not the key of ca\.pem/,
  });
});

async function temporaryFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-tls-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
