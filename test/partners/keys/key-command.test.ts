/** Keys from a command: unwrapped by real programs, within a time, and each failure says what to do and no key. */
import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import test, { type ExecutionContext } from "ava";
import { readKeysByCommand } from "../../../src/partners/keys/key-command.ts";
import { keepsKeysInFolder, loadKeyEncryptionKey } from "../../../src/partners/keys/key-encryption-key.ts";
import { decryptSecret, encryptSecret } from "../../../src/partners/keys/secrets-at-rest.ts";

const [current, previous] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
const ring = Buffer.concat([current, previous]);
const text = `${current.toString("base64")}\n${previous.toString("base64")}\n`;
const quick = { timeoutMs: 20_000, tries: 1, pauseMs: 1 };

async function folder(t: ExecutionContext): Promise<string> {
  const at = await mkdtemp(path.join(tmpdir(), "tideline-key-command-"));
  t.teardown(() => rm(at, { recursive: true, force: true }));
  return at;
}

async function script(t: ExecutionContext, body: string): Promise<{ command: string[]; at: string }> {
  const at = await folder(t);
  const file = path.join(at, "unwrap");
  await writeFile(file, `#!/bin/sh\n${body}\n`);
  await chmod(file, 0o700);
  return { command: [file], at };
}

test("keys that OpenSSL unwraps with a private key elsewhere open what they sealed, and nothing lies in the data folder", async (t) => {
  const at = await folder(t);
  const [key, wrapped] = [path.join(at, "module.pem"), path.join(at, "key.wrapped")];
  const openssl = (...words: string[]) => promisify(execFile)("openssl", words);
  await openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", key);
  await writeFile(path.join(at, "plain"), text);
  const oaep = ["-pkeyopt", "rsa_padding_mode:oaep", "-pkeyopt", "rsa_oaep_md:sha256"];
  await openssl("pkeyutl", "-encrypt", "-inkey", key, ...oaep, "-in", path.join(at, "plain"), "-out", wrapped);
  const keyEncryptionCommand = ["openssl", "pkeyutl", "-decrypt", "-inkey", key, ...oaep, "-in", wrapped];
  const source = { keyEncryptionKey: undefined, dataDir: path.join(at, "data"), keyEncryptionCommand };
  const read = await loadKeyEncryptionKey(source);
  t.deepEqual(read, ring);
  t.is(decryptSecret(read, "kid", encryptSecret(previous, "kid", "a secret")), "a secret");
  t.false(keepsKeysInFolder(source));
  await t.throwsAsync(readFile(path.join(at, "data", "key-encryption-key")), { code: "ENOENT" });
});

test("a command that fails once is asked again", async (t) => {
  const { command, at } = await script(t, `[ -e "$0.tried" ] || { touch "$0.tried"; exit 7; }\nprintf '${text}'`);
  t.deepEqual(await readKeysByCommand(command, { ...quick, tries: 2 }), ring);
  t.truthy(at);
});

test("a command that fails tells its end and what it said, and never what it printed", async (t) => {
  const { command } = await script(
    t,
    `printf '${text}'; printf 'AccessDenied: \\033[31mkms:Decrypt\\033[0m\\nfor role x\\n' >&2; exit 3`,
  );
  const error = await t.throwsAsync(readKeysByCommand(command, quick), { code: "KEY_COMMAND" });
  t.is(
    error?.message,
    `TIDELINE_KEY_ENCRYPTION_COMMAND (${command[0]}) ended with 3 and said: AccessDenied: [31mkms:Decrypt [0m for role x.`,
  );
});

test("a command that hangs is ended with what it started, and told", async (t) => {
  const { command, at } = await script(t, `sleep 600 & echo $! > "$0.pid"\nwait`);
  const error = await t.throwsAsync(readKeysByCommand(command, { ...quick, timeoutMs: 1500 }), {
    code: "KEY_COMMAND",
  });
  t.regex(error?.message ?? "", /did not end within 1.5 s/);
  const pid = Number(await readFile(path.join(at, "unwrap.pid"), "utf8"));
  const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "gone");
  t.true(state === "gone" || state.includes(") Z "), state);
});

test("what is no key, too much, or no program is refused, each by its reason", async (t) => {
  const printing = async (body: string) => (await script(t, body)).command;
  const refused = async (command: readonly string[]) =>
    (await t.throwsAsync(readKeysByCommand(command, quick), { code: "KEY_COMMAND" }))?.message ?? "";
  const short = await refused(await printing("echo c2hvcnQ="));
  t.regex(short, /did not print 32 bytes in base64 on each line/);
  t.false(short.includes("c2hvcnQ"));
  t.regex(await refused(await printing("true")), /did not print 32 bytes/);
  t.regex(await refused(await printing("yes")), /printed more than 8192 bytes/);
  t.regex(await refused(["/nowhere/unwrap"]), /cannot be run \(ENOENT\)/);
});
