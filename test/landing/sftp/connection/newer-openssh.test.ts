/**
 * OpenSSH from 9.9 on, which knows the hybrid: the machine's own, or the one in the folder that TIDELINE_NEWER_OPENSSH
 * names (.ci/newer-openssh puts one there). Where there is none, AVA lists these tests as skipped.
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import test from "ava";
import { type DoorWorld, openDoorWorld } from "../world.ts";

const run = promisify(execFile);
const folder = process.env.TIDELINE_NEWER_OPENSSH;
const [ssh, sftp] = ["ssh", "sftp"].map((program) => (folder ? path.join(folder, program) : program)) as [
  string,
  string,
];
const [major = 0, minor = 0] =
  (await run(ssh, ["-V"]).then(
    ({ stderr }) => /OpenSSH_(\d+)\.(\d+)/.exec(stderr)?.slice(1).map(Number),
    () => undefined,
  )) ?? [];
const knowsHybrid = major > 9 || (major === 9 && minor >= 9);

/** Runs a batch; returns what -v prints. */
async function runBatch(world: DoorWorld, commands: readonly string[], options: readonly string[]): Promise<string> {
  const at = (name: string) => path.join(world.folder, name);
  await Promise.all([
    writeFile(at("key"), world.key.privateKey, { mode: 0o600 }),
    writeFile(at("known_hosts"), world.knownHosts),
    writeFile(at("batch"), commands.join("\n")),
  ]);
  const fixed = [
    "IdentitiesOnly=yes",
    "BatchMode=yes",
    "StrictHostKeyChecking=yes",
    `UserKnownHostsFile=${at("known_hosts")}`,
  ];
  const all = [...fixed, ...options].flatMap((option) => ["-o", option]);
  const { stderr } = await run(
    sftp,
    [
      "-v",
      "-S",
      ssh,
      "-b",
      at("batch"),
      "-F",
      "/dev/null",
      "-i",
      at("key"),
      ...all,
      "-P",
      String(world.door.port),
      "demo@127.0.0.1",
    ],
    { cwd: world.folder },
  );
  return stderr;
}

const testWhereThere = knowsHybrid ? test : test.skip;

testWhereThere(
  "OpenSSH agrees on the hybrid by itself, keeps it through changes of keys, and loses no byte",
  async (t) => {
    const world = await openDoorWorld(t, { limits: { rekeySizeBytes: 2_000_000, watchIntervalMs: 1 } });
    const content = randomBytes(30_000_000);
    await writeFile(path.join(world.folder, "batch.jwe"), content);
    const printed = await runBatch(
      world,
      ["put batch.jwe inbox/batch.jwe", "get inbox/batch.jwe back"],
      ["RekeyLimit=5M"],
    );
    const agreed = printed.match(/kex: algorithm: \S+/g) ?? [];
    t.true(agreed.length > 5);
    t.deepEqual([...new Set(agreed)], ["kex: algorithm: mlkem768x25519-sha256"]);
    t.true(content.equals(await world.vaulted(0)));
    t.true(content.equals(await readFile(path.join(world.folder, "back"))));
  },
);

testWhereThere(
  "OpenSSH that is told to take nothing but the hybrid connects, with each host key and cipher",
  async (t) => {
    const world = await openDoorWorld(t);
    await writeFile(path.join(world.folder, "batch.jwe"), "hello");
    for (const [index, option] of [
      "HostKeyAlgorithms=rsa-sha2-512",
      "Ciphers=aes256-ctr",
      "Ciphers=chacha20-poly1305@openssh.com",
      "Ciphers=aes256-gcm@openssh.com",
    ].entries()) {
      const printed = await runBatch(
        world,
        [`put batch.jwe inbox/${index}.jwe`],
        ["KexAlgorithms=mlkem768x25519-sha256", option],
      );
      t.regex(printed, /kex: algorithm: mlkem768x25519-sha256/);
    }
    t.is(world.deliveries.length, 4);
  },
);
