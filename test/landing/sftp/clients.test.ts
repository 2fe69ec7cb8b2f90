/** The programs that banks use. */
import { execFile, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import test, { type ExecutionContext } from "ava";
import type { SftpLimits } from "../../../src/landing/sftp/limits.ts";
import { generateRsa } from "../../../src/landing/sftp/connection/key-pairs.ts";
import { readPublicKey } from "../../../src/partners/keys/ssh-public-key.ts";
import { isCutToken } from "../../../workers/formats/cut-off.ts";
import { type DoorWorld, openDoorWorld } from "./world.ts";

const run = promisify(execFile);

/** AVA lists these as skipped on a machine without the program; CI installs it. */
const testWith = (program: string) => (spawnSync("which", [program]).status === 0 ? test : test.skip);

/** Debian's, for which its paramiko is. */
const python = "/usr/bin/python3";
const testWithParamiko = spawnSync(python, ["-c", "import paramiko"]).status === 0 ? test : test.skip;

/** Says which of the sizes a file took that no byte was written to, and whether another file then has room. */
const growing = `
import sys, paramiko
port, key = sys.argv[1:]
transport = paramiko.Transport(("127.0.0.1", int(port)))
transport.connect(username="demo", pkey=paramiko.Ed25519Key.from_private_key_file(key))
sftp = paramiko.SFTPClient.from_transport(transport)
def tried(call):
    try:
        call()
        return "taken"
    except IOError as error:
        return str(error)
file = sftp.open("inbox/a.part", "w")
print(tried(lambda: file.truncate(10001)))
print(tried(lambda: file.truncate(10000)), sftp.stat("inbox/a.part").st_size)
def write():
    with sftp.open("inbox/b.part", "w") as other:
        other.write(b"x")
print(tried(write))
file.truncate(9999)
print(tried(write))
print(tried(lambda: sftp.truncate("inbox/b.part", 5000)))
transport.close()
`;

/** A world with the client's files in place. */
async function worldFor(t: ExecutionContext, limits: Partial<SftpLimits> = {}): Promise<DoorWorld> {
  const world = await openDoorWorld(t, { limits });
  await writeFile(path.join(world.folder, "key"), world.key.privateKey, { mode: 0o600 });
  await writeFile(path.join(world.folder, "known_hosts"), world.knownHosts);
  return world;
}

function sshOptions(world: DoorWorld): string[] {
  const option = (text: string) => ["-o", text];
  return [
    "-F",
    "/dev/null",
    "-i",
    path.join(world.folder, "key"),
    ...option("IdentitiesOnly=yes"),
    ...option("BatchMode=yes"),
    ...option(`UserKnownHostsFile=${path.join(world.folder, "known_hosts")}`),
    ...option("StrictHostKeyChecking=yes"),
  ];
}

/** Runs a batch of commands; fails, as the program does, at the first that fails. */
async function sftp(world: DoorWorld, commands: string[], extra: string[] = []): Promise<string> {
  const batch = path.join(world.folder, "batch");
  await writeFile(batch, commands.join("\n"));
  const { stdout, stderr } = await run(
    "sftp",
    ["-b", batch, ...extra, ...sshOptions(world), "-P", String(world.door.port), "demo@127.0.0.1"],
    { cwd: world.folder },
  );
  return stdout + stderr;
}

testWith("sftp")("OpenSSH sftp uploads, lists and reads back", async (t) => {
  const world = await worldFor(t);
  const content = randomBytes(3_000_000);
  await writeFile(path.join(world.folder, "batch.jwe"), content);
  const printed = await sftp(world, ["put batch.jwe inbox/batch.jwe", "ls -l inbox", "get inbox/batch.jwe back", "df"]);
  t.regex(printed, /-r--r----- +1 demo +demo +3000000 \w{3} [ \d]\d \d\d:\d\d batch\.jwe/);
  t.true(content.equals(await world.vaulted(0)));
  t.true(content.equals(await readFile(path.join(world.folder, "back"))));
});

testWithParamiko("paramiko makes a file grow within the quota only, and what it grew counts at once", async (t) => {
  const world = await worldFor(t, { usageRememberedMs: 0 });
  const demo = world.partners.get("demo");
  if (demo) demo.quota = { ...demo.quota, inboxBytes: 10_000 };
  const { stdout } = await run(python, ["-c", growing, String(world.door.port), path.join(world.folder, "key")]);
  const exceeded = "Quota exceeded: undelivered files in inbox/ may hold at most 10,000 bytes.";
  t.deepEqual(stdout.trim().split("\n"), [
    exceeded,
    "taken 10000",
    exceeded,
    "taken",
    "Open the file to change its size.",
  ]);
});

testWith("scp")("OpenSSH scp delivers a name again with other bytes, longer and shorter ones", async (t) => {
  const world = await worldFor(t);
  for (const content of ["hello", "hello again", "bye"]) {
    await writeFile(path.join(world.folder, "batch.jwe"), content);
    await run(
      "scp",
      ["-s", ...sshOptions(world), "-P", String(world.door.port), "batch.jwe", "demo@127.0.0.1:inbox/batch.jwe"],
      { cwd: world.folder },
    );
  }
  t.deepEqual(await Promise.all([0, 1, 2].map(async (index) => String(await world.vaulted(index)))), [
    "hello",
    "hello again",
    "bye",
  ]);
  t.is(String(await readFile(world.inbox("batch.jwe"))), "bye");
});

testWith("sftp")("OpenSSH sftp delivers by a rename and keeps times", async (t) => {
  const world = await worldFor(t);
  await writeFile(path.join(world.folder, "batch.jwe"), "hello");
  await sftp(world, ["put -p batch.jwe inbox/batch.jwe.tmp", "rename inbox/batch.jwe.tmp inbox/batch.jwe"]);
  t.is(world.deliveries[0]?.name, "batch.jwe");
  const [sent, kept] = await Promise.all([stat(path.join(world.folder, "batch.jwe")), stat(world.inbox("batch.jwe"))]);
  t.is(Math.floor(kept.mtimeMs / 1000), Math.floor(sent.mtimeMs / 1000));
});

testWith("sftp")("OpenSSH sftp resumes an upload that broke off", async (t) => {
  const world = await worldFor(t);
  const content = randomBytes(2_000_000);
  const local = path.join(world.folder, "batch.jwe");
  await writeFile(local, content);
  await sftp(world, ["put batch.jwe inbox/batch.jwe.part"]);
  await truncate(world.inbox("batch.jwe.part"), 700_000);
  await sftp(world, ["reput batch.jwe inbox/batch.jwe.part", "rename inbox/batch.jwe.part inbox/batch.jwe"]);
  t.true(content.equals(await world.vaulted(0)));
});

testWith("sftp")("OpenSSH sftp fails when the delivery fails", async (t) => {
  const world = await worldFor(t);
  world.onDeliver = async () => {
    throw new Error("the database is away");
  };
  await writeFile(path.join(world.folder, "batch.jwe"), "hello");
  await t.throwsAsync(sftp(world, ["put batch.jwe inbox/batch.jwe"]));
});

testWith("sftp")("OpenSSH sftp is told which paths are refused", async (t) => {
  const world = await worldFor(t);
  await writeFile(path.join(world.folder, "batch.jwe"), "hello");
  await t.throwsAsync(sftp(world, ["put batch.jwe receipts/batch.jwe"]), { message: /Permission denied/ });
  await t.throwsAsync(sftp(world, ["get /other/inbox/x"]), { message: /not found/ });
  await t.throwsAsync(sftp(world, ["symlink inbox/a inbox/b"]), { message: /Operation unsupported/ });
});

testWith("sftp")("OpenSSH sftp works with small packets and with each cipher that is offered", async (t) => {
  const world = await worldFor(t);
  const content = randomBytes(500_000);
  await writeFile(path.join(world.folder, "batch.jwe"), content);
  const ciphers = ["aes256-gcm@openssh.com", "aes128-gcm@openssh.com", "chacha20-poly1305@openssh.com", "aes256-ctr"];
  for (const cipher of ciphers) await sftp(world, [`put batch.jwe inbox/${cipher}.jwe`], ["-B", "1000", "-c", cipher]);
  for (const index of ciphers.keys()) t.true(content.equals(await world.vaulted(index)));
});

testWith("sftp")("keys are changed in the middle of an upload and no byte is lost", async (t) => {
  const world = await worldFor(t, { rekeySizeBytes: 1_000_000, watchIntervalMs: 1 });
  const content = randomBytes(30_000_000);
  await writeFile(path.join(world.folder, "batch.jwe"), content);
  const printed = await sftp(world, ["put batch.jwe inbox/batch.jwe", "get inbox/batch.jwe back"], ["-v"]);
  t.true((printed.match(/SSH2_MSG_NEWKEYS received/g) ?? []).length > 3);
  t.true(content.equals(await world.vaulted(0)));
  t.true(content.equals(await readFile(path.join(world.folder, "back"))));
});

testWith("sftp")("OpenSSH's client agrees on the RSA host key without SHA-1, and on nothing old", async (t) => {
  const world = await worldFor(t);
  t.regex(await sftp(world, ["pwd"], ["-o", "HostKeyAlgorithms=rsa-sha2-512"]), /Remote working directory: \//);
  const refused = { message: /no matching host key type found. Their offer: ssh-ed25519,rsa-sha2-512,rsa-sha2-256\s/ };
  await t.throwsAsync(sftp(world, ["pwd"], ["-o", "HostKeyAlgorithms=ssh-rsa"]), refused);
  await t.throwsAsync(sftp(world, ["pwd"], ["-o", "KexAlgorithms=diffie-hellman-group14-sha1"]), {
    message: /no matching key exchange method found/,
  });
  await t.throwsAsync(sftp(world, ["pwd"], ["-o", "Ciphers=aes128-cbc"]), { message: /no matching cipher found/ });
  await t.throwsAsync(sftp(world, ["pwd"], ["-o", "Ciphers=aes256-ctr", "-o", "MACs=hmac-sha1"]), {
    message: /no matching MAC found/,
  });
});

testWith("ssh")(
  "OpenSSH is told exactly which signatures are taken, and logs in with an RSA key by the strongest",
  async (t) => {
    const world = await worldFor(t);
    const key = await generateRsa();
    world.partners.get("demo")?.keys.push(readPublicKey(key.publicKey));
    await writeFile(path.join(world.folder, "key"), key.privateKey, { mode: 0o600 });
    for (const cipher of ["aes256-gcm@openssh.com", "chacha20-poly1305@openssh.com", "aes256-ctr"]) {
      const { stderr } = await run("sftp", [
        "-vvv",
        "-b",
        "/dev/null",
        "-o",
        `Ciphers=${cipher}`,
        ...sshOptions(world),
        "-P",
        String(world.door.port),
        "demo@127.0.0.1",
      ]);
      t.is(
        /server-sig-algs=<(.*)>/.exec(stderr)?.[1],
        "ssh-ed25519,ecdsa-sha2-nistp256,ecdsa-sha2-nistp384,ecdsa-sha2-nistp521,rsa-sha2-512,rsa-sha2-256",
      );
      t.regex(stderr, /signing using rsa-sha2-512/);
    }
  },
);

testWith("scp")("OpenSSH scp works, and a shell, a command and forwarding do not", async (t) => {
  const world = await worldFor(t);
  await writeFile(path.join(world.folder, "batch.jwe"), "hello");
  await run("scp", [
    "-s",
    ...sshOptions(world),
    "-P",
    String(world.door.port),
    path.join(world.folder, "batch.jwe"),
    "demo@127.0.0.1:inbox/batch.jwe",
  ]);
  t.is(world.deliveries.length, 1);
  const ssh = (...extra: string[]) =>
    run("ssh", [...sshOptions(world), "-p", String(world.door.port), "demo@127.0.0.1", ...extra]);
  await t.throwsAsync(ssh("id"));
  await t.throwsAsync(ssh("-T"));
  await t.throwsAsync(
    run("ssh", [...sshOptions(world), "-p", String(world.door.port), "-W", "127.0.0.1:22", "demo@127.0.0.1"]),
  );
});

testWith("sftp")("OpenSSH's upload that Ctrl-C broke off is not delivered, and reput goes on with it", async (t) => {
  const world = await worldFor(t);
  world.findWhatIsMissing = ({ path: file }) => isCutToken(file, { manifestRequired: false });
  const segment = (bytes: number) => randomBytes(bytes).toString("base64url");
  const header = Buffer.from('{"alg":"RSA-OAEP","enc":"A256GCM"}').toString("base64url");
  const content = [header, segment(256), segment(12), segment(3_000_000), segment(16)].join(".");
  await writeFile(path.join(world.folder, "batch.jwe"), content);
  const client = spawn("sftp", ["-l", "20000", ...sshOptions(world), "-P", String(world.door.port), "demo@127.0.0.1"], {
    cwd: world.folder,
    stdio: ["pipe", "ignore", "ignore"],
    // Its ssh must not hear of the signal, as on a terminal it does not either.
    detached: true,
  });
  const exited = once(client, "exit");
  client.stdin.write("put batch.jwe inbox/batch.jwe\n");
  await world.event("sftp.upload-started");
  while ((await stat(world.inbox("batch.jwe"))).size < 100_000) await wait(10);
  client.kill("SIGINT");
  const { sizeBytes } = await world.event("sftp.upload-incomplete");
  t.true(sizeBytes < content.length);
  t.is(world.deliveries.length, 0);
  client.stdin.end("reput batch.jwe inbox/batch.jwe\n");
  t.deepEqual(await exited, [0, null]);
  t.is(world.deliveries.length, 1);
  t.is((await world.vaulted(0)).toString(), content);
});

testWith("sftp")("an OpenSSH client that is killed in the middle delivers nothing", async (t) => {
  const world = await worldFor(t);
  await writeFile(path.join(world.folder, "batch.jwe"), randomBytes(8_000_000));
  await writeFile(path.join(world.folder, "batch"), "put batch.jwe inbox/batch.jwe");
  const limited = ["-l", "20000", "-b", path.join(world.folder, "batch")];
  const client = spawn("sftp", [...limited, ...sshOptions(world), "-P", String(world.door.port), "demo@127.0.0.1"], {
    cwd: world.folder,
    stdio: "ignore",
  });
  await world.event("sftp.upload-started");
  client.kill("SIGKILL");
  await once(client, "exit");
  await world.event("sftp.upload-abandoned");
  t.is(world.deliveries.length, 0);
});

testWith("lftp")("lftp mirrors a folder, once", async (t) => {
  const world = await worldFor(t);
  await mkdir(path.join(world.folder, "outgoing", "2026"), { recursive: true });
  for (const name of ["a.jwe", "b.jwe", "2026/c.jwe"]) await writeFile(path.join(world.folder, "outgoing", name), name);
  const connect = `set sftp:connect-program "ssh -a -x ${sshOptions(world).join(" ")}"; open -p ${world.door.port} -u demo,none sftp://127.0.0.1`;
  const mirror = () =>
    run("lftp", ["-c", `${connect}; mirror -R --no-perms ${path.join(world.folder, "outgoing")} inbox`]);
  await mirror();
  t.deepEqual(world.deliveries.map((file) => file.name).sort(), ["2026/c.jwe", "a.jwe", "b.jwe"]);
  await mirror();
  t.is(world.deliveries.length, 3);
});

testWith("lftp")("lftp continues a file", async (t) => {
  const world = await worldFor(t);
  const content = randomBytes(1_000_000);
  await writeFile(path.join(world.folder, "batch.jwe"), content);
  await (await world.client()).put(content.subarray(0, 400_000), "/inbox/batch.jwe.tmp");
  const connect = `set sftp:connect-program "ssh -a -x ${sshOptions(world).join(" ")}"; open -p ${world.door.port} -u demo,none sftp://127.0.0.1`;
  const local = path.join(world.folder, "batch.jwe");
  await run("lftp", [
    "-c",
    `${connect}; put -c ${local} -o inbox/batch.jwe.tmp; mv inbox/batch.jwe.tmp inbox/batch.jwe`,
  ]);
  t.true(content.equals(await world.vaulted(0)));
});
