/**
 * An operator's certificate is read with its key, refused by file where it does not serve, and renewed when it is
 * whole.
 */
import { once } from "node:events";
import { EventEmitter } from "node:events";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { followOwnCertificate, readOwnCertificate } from "../../../src/machine/tls/own-certificate.ts";
import { issue, type Issued } from "./certificates.ts";

async function files(t: ExecutionContext, { cert, key }: Pick<Issued, "cert" | "key">) {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-certificate-"));
  t.teardown(() => rm(folder, { recursive: true }));
  const names = { certificateFile: path.join(folder, "server.pem"), keyFile: path.join(folder, "server.key") };
  await writeFile(names.certificateFile, cert);
  await writeFile(names.keyFile, key);
  return names;
}

test("a certificate and its key are read", async (t) => {
  const own = await issue("bank.example");
  t.deepEqual(await readOwnCertificate(await files(t, own)), { cert: own.cert, key: own.key });
});

test("what does not serve is said by file", async (t) => {
  const own = await issue("bank.example");
  const other = await issue("bank.example");
  const ended = await issue("bank.example", { fromDays: -30, toDays: -1 });
  await t.throwsAsync(readOwnCertificate({ certificateFile: "/nowhere.pem", keyFile: "/nowhere.key" }), {
    code: "CONFIG_INVALID",
    message: /nowhere\.pem cannot be read/,
  });
  await t.throwsAsync(files(t, { cert: own.cert, key: other.key }).then(readOwnCertificate), {
    code: "CONFIG_INVALID",
    message: /is not the key of/,
  });
  await t.throwsAsync(files(t, { cert: "text", key: own.key }).then(readOwnCertificate), {
    code: "CONFIG_INVALID",
    message: /server\.pem is not/,
  });
  await t.throwsAsync(files(t, ended).then(readOwnCertificate), { code: "CONFIG_INVALID", message: /ended on/ });
});

test("a renewed certificate is noticed, and a half-written one waits", async (t) => {
  const own = await issue("bank.example");
  const names = await files(t, own);
  const renewed = new EventEmitter();
  const failures: unknown[] = [];
  const stop = followOwnCertificate(
    names,
    await readOwnCertificate(names),
    5,
    (found) => renewed.emit("found", found),
    (error) => {
      failures.push(error);
      renewed.emit("failed");
    },
  );
  t.teardown(stop);
  const next = await issue("bank.example");
  const failed = once(renewed, "failed");
  await writeFile(`${names.certificateFile}.next`, next.cert);
  await rename(`${names.certificateFile}.next`, names.certificateFile);
  await failed;
  const found = once(renewed, "found");
  await writeFile(names.keyFile, next.key);
  t.deepEqual(await found, [{ cert: next.cert, key: next.key }]);
  t.true(failures.length >= 1);
});
