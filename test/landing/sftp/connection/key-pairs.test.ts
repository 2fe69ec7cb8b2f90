/** Host keys are made once, kept for their owner alone, and encoded so that ssh2 signs with them. */
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import test, { type ExecutionContext } from "ava";
import ssh2 from "ssh2";
import { openHostKeys } from "../../../../src/landing/sftp/connection/host-keys.ts";
import { encodeEd25519, generateEd25519, generateRsa } from "../../../../src/landing/sftp/connection/key-pairs.ts";

const run = promisify(execFile);

/** AVA lists this as skipped on a machine without ssh-keygen; CI installs it. */
const testWithKeygen = spawnSync("which", ["ssh-keygen"]).status === 0 ? test : test.skip;

async function scratchFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-keys-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

// RFC 8032, section 7.1, test 2.
const seed = Buffer.from("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb", "hex");
const publicBytes = Buffer.from("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "hex");

test("an Ed25519 key is encoded so that ssh2 signs with it as RFC 8032 does", (t) => {
  const key = ssh2.utils.parseKey(encodeEd25519(seed, publicBytes, "comment").privateKey);
  if (key instanceof Error) return t.fail(key.message);
  t.is(key.comment, "comment");
  t.is(
    key.sign(Buffer.from([0x72])).toString("hex"),
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
  );
});

test("a public key that begins with zero keeps its length", (t) => {
  const pair = encodeEd25519(Buffer.alloc(32, 1), Buffer.alloc(32), "");
  const blob = Buffer.from(pair.publicKey.split(" ")[1] ?? "", "base64");
  t.is(blob.length, 4 + 11 + 4 + 32);
});

testWithKeygen("ssh-keygen reads both kinds of key and derives the same public key", async (t) => {
  const folder = await scratchFolder(t);
  for (const pair of [await generateEd25519("demo"), await generateRsa()]) {
    const file = path.join(folder, "key");
    await writeFile(file, pair.privateKey, { mode: 0o600 });
    const { stdout } = await run("ssh-keygen", ["-y", "-f", file]);
    t.is(stdout.split(" ").slice(0, 2).join(" ").trim(), pair.publicKey);
  }
});

test("host keys are made once, kept for their owner only, and named in known_hosts", async (t) => {
  const folder = path.join(await scratchFolder(t), "host-keys");
  const first = await openHostKeys(folder);
  const again = await openHostKeys(folder);
  t.deepEqual(first.privateKeys, again.privateKeys);
  t.deepEqual(
    first.publicKeys.map((key) => key.split(" ")[0]),
    ["ssh-ed25519", "ssh-rsa"],
  );
  for (const file of ["ssh_host_ed25519_key", "ssh_host_rsa_key"]) {
    t.is((await stat(path.join(folder, file))).mode & 0o777, 0o600);
    t.true(first.privateKeys.includes(await readFile(path.join(folder, file), "utf8")));
  }
  const lines = first.knownHosts(["127.0.0.1", "localhost"], 2222).trim().split("\n");
  t.deepEqual(
    lines,
    first.publicKeys.map((key) => `[127.0.0.1]:2222,[localhost]:2222 ${key}`),
  );
  t.regex(first.knownHosts(["sftp.example"], 22), /^sftp\.example ssh-ed25519 /);
});
