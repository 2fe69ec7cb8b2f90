/** Host keys go from prepared to promoted to retired, and clients are told of the next ones with proof. */
import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, writeFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import test, { type ExecutionContext } from "ava";
import ssh2, { type ParsedKey } from "ssh2";
import {
  followRoles,
  openRoles,
  prepareHostKeys,
  promoteHostKeys,
  readRoles,
  retireHostKeys,
} from "../../../../src/landing/sftp/connection/host-key-roles.ts";
import type { HostKeys } from "../../../../src/landing/sftp/connection/host-keys.ts";
import { openDoorWorld } from "../world.ts";

const run = promisify(execFile);

/** AVA lists this as skipped on a machine without OpenSSH's sftp; CI installs it. */
const testWithOpenSsh = spawnSync("which", ["sftp"]).status === 0 ? test : test.skip;

async function openFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-roles-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  await openRoles(folder);
  return folder;
}

test("prepared keys are announced, promoted ones identify, retired ones are gone", async (t) => {
  const folder = await openFolder(t);
  const first = await openRoles(folder);
  await prepareHostKeys(folder);
  const prepared = await openRoles(folder);
  t.deepEqual(prepared.privateKeys, first.privateKeys);
  t.deepEqual(
    prepared.publicKeys.map((key) => key.split(" ")[0]),
    ["ssh-ed25519", "ssh-rsa", "ssh-ed25519", "ssh-rsa"],
  );
  t.deepEqual(prepared.announced.slice(0, 2), first.privateKeys);
  await promoteHostKeys(folder);
  const promoted = await openRoles(folder);
  t.deepEqual(promoted.privateKeys, prepared.announced.slice(2));
  t.deepEqual(promoted.announced.toSorted(), prepared.announced.toSorted());
  await retireHostKeys(folder);
  const retired = await openRoles(folder);
  t.deepEqual(retired.announced, promoted.privateKeys);
  t.deepEqual(await readRoles(folder).then(({ next, previous }) => [next, previous]), [null, null]);
  t.is((await readdir(folder)).length, 2);
});

test("a step out of turn is refused and changes nothing", async (t) => {
  const folder = await openFolder(t);
  await t.throwsAsync(promoteHostKeys(folder), { code: "COMMAND_USAGE", message: /No next host keys/ });
  await t.throwsAsync(retireHostKeys(folder), { code: "COMMAND_USAGE", message: /no previous host keys/ });
  await prepareHostKeys(folder);
  await t.throwsAsync(prepareHostKeys(folder), { code: "COMMAND_USAGE", message: /prepared already/ });
  await promoteHostKeys(folder);
  const before = await readRoles(folder);
  await t.throwsAsync(prepareHostKeys(folder), { code: "COMMAND_USAGE", message: /retire them first/ });
  t.deepEqual(await readRoles(folder), before);
});

test("a change on disk is told of", async (t) => {
  const folder = await openFolder(t);
  const changed = Promise.withResolvers<HostKeys>();
  const following = followRoles(folder, await openRoles(folder), 5, changed.resolve, changed.reject);
  t.teardown(() => following.stop());
  await prepareHostKeys(folder);
  t.is((await changed.promise).announced.length, 4);
});

test("a client is told of the next keys after its login, with proof that the door has them", async (t) => {
  const folder = await openFolder(t);
  await prepareHostKeys(folder);
  const hostKeys = await openRoles(folder);
  const world = await openDoorWorld(t, { hostKeys });
  const client = new ssh2.Client();
  t.teardown(() => void client.end());
  client.connect({
    host: "127.0.0.1",
    port: world.door.port,
    username: "demo",
    privateKey: world.key.privateKey,
    strictVendor: false,
  });
  const [keys] = (await once(client, "hostkeys")) as [ParsedKey[]];
  t.deepEqual(
    keys.map((key) => `${key.type} ${key.getPublicSSH().toString("base64")}`),
    hostKeys.publicKeys,
  );
});

testWithOpenSsh(
  "OpenSSH learns the next keys, goes on after they are promoted, and forgets the retired ones",
  async (t) => {
    const folder = await openFolder(t);
    const world = await openDoorWorld(t, { hostKeys: await openRoles(folder) });
    const knownHosts = path.join(world.folder, "known_hosts");
    await writeFile(knownHosts, (await openRoles(folder)).knownHosts(["127.0.0.1"], world.door.port));
    await writeFile(path.join(world.folder, "key"), world.key.privateKey, { mode: 0o600 });
    await writeFile(path.join(world.folder, "batch"), "pwd\n");
    const options = [
      "UpdateHostKeys=yes",
      "StrictHostKeyChecking=yes",
      `UserKnownHostsFile=${knownHosts}`,
      "BatchMode=yes",
      "IdentitiesOnly=yes",
    ].flatMap((one) => ["-o", one]);
    const logIn = async (algorithm: string) => {
      await run("sftp", [
        "-F",
        "/dev/null",
        "-b",
        path.join(world.folder, "batch"),
        "-i",
        path.join(world.folder, "key"),
        ...options,
        "-o",
        `HostKeyAlgorithms=${algorithm}`,
        "-P",
        String(world.door.port),
        "demo@127.0.0.1",
      ]);
      return (await readFile(knownHosts, "utf8"))
        .trim()
        .split("\n")
        .map((line) => line.split(" ").slice(1, 3).join(" "))
        .sort();
    };
    const change = async (step: (folder: string) => Promise<unknown>) => {
      await step(folder);
      const hostKeys = await openRoles(folder);
      world.door.renewHostKeys(hostKeys);
      return hostKeys.publicKeys.toSorted();
    };
    const prepared = await change(prepareHostKeys);
    t.deepEqual(await logIn("ssh-ed25519,rsa-sha2-512"), prepared);
    await change(promoteHostKeys);
    t.deepEqual(await logIn("rsa-sha2-256,ssh-ed25519"), prepared);
    const retired = await change(retireHostKeys);
    t.deepEqual(await logIn("rsa-sha2-512,ssh-ed25519"), retired);
    t.is(retired.length, 2);
  },
);
