/**
 * Many small files against a running Tideline: node test/outside/many-files.ts [COUNT] COUNT files (10,000 without it)
 * of one encrypted record each, half by one OpenSSH sftp, half mirrored by lftp over eight connections; then every one
 * must be loaded. Prints what it took, beside the floor: the same files by the same clients to OpenSSH's own server,
 * which neither syncs nor reads them. Exit code 1 when a file is missing.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { type BenchServer, makeClientKey, startSshd } from "../bench/sftp/servers.ts";
import { type ForeignSealer, openSealers } from "./sealing/foreign-jose.ts";
import { brandIn, requestIdFor } from "./labelled-set.ts";
import { openSshSftp, sshOptions } from "./clients/open-ssh.ts";
import { onboardPartner, type Partner } from "./partner.ts";
import { prepareService } from "./service.ts";

const count = Number(process.argv[2] ?? 10_000);
/** Loading goes on while files come in; after the last one it has this long. */
const loadedWithinMs = 300_000;
const outputBytesMax = 64 * 1024 * 1024;

const service = await prepareService("many-files", ["--no-demo"]);
try {
  await service.start();
  const partner = await onboardPartner(service, "outside-bank", { ...brandIn("DK"), currency: "DKK" });
  await partner.call("POST", "/users", {
    body: { bankUserId: "customer-1", brand: partner.brand.id, locale: partner.brand.locale },
  });
  const [sealer, ...others] = await openSealers(await partner.batchKey());
  if (!sealer) throw new Error("there is no sealer");
  const folders = await Promise.all(["openssh", "lftp"].map((name) => fill(partner, sealer, name, count / 2)));
  for (const one of [sealer, ...others]) one.close();
  const [openSshFolder = "", lftpFolder = ""] = folders;
  const floor = await measureFloor(openSshFolder, lftpFolder);
  const memory = async () => `; memory ${Math.round((await service.memoryBytes()) / 1e6)} MB`;
  const one = await rate(() => openSshSftp(partner, [`put ${openSshFolder}/* inbox/`]));
  console.log(`OpenSSH sftp, one connection: ${describe(one, floor?.one)}${await memory()}`);
  const eight = await rate(() =>
    mirror(sshOptions(partner), `${partner.id},none`, partner.sftpPort, lftpFolder, "inbox/mirrored"),
  );
  console.log(`lftp mirror, eight connections: ${describe(eight, floor?.eight)}${await memory()}`);
  const seconds = await untilLoaded(count);
  console.log(`all ${count} files loaded ${seconds.toFixed(0)} s after the last upload`);
  await service.stop();
} finally {
  await service.remove();
}

async function fill(partner: Partner, sealer: ForeignSealer, name: string, files: number): Promise<string> {
  const folder = path.join(partner.folder, name);
  await mkdir(folder);
  for (let index = 0; index < files; index += 1) {
    const tx = {
      txid: `${name}-${index}`,
      description: "Coffee",
      txTime: "2026-01-15",
      type: "CARD_PURCHASE",
      amount: -32.5,
      currency: "DKK",
    };
    const plaintext = JSON.stringify([{ uid: "customer-1", type: "TX", tx }]);
    await writeFile(
      path.join(folder, `${name}-${index}.jsonl`),
      `${JSON.stringify({ reqId: requestIdFor(plaintext), txs: await sealer.seal(plaintext) })}\n`,
    );
  }
  return folder;
}

async function mirror(
  options: readonly string[],
  user: string,
  port: number,
  folder: string,
  to: string,
): Promise<void> {
  const connect = `set net:max-retries 1; set sftp:connect-program "ssh -a -x ${options.join(" ")}"; open -p ${port} -u ${user} sftp://127.0.0.1`;
  await promisify(execFile)("lftp", ["-c", `${connect}; mirror -R --parallel=8 --no-perms ${folder} ${to}`], {
    maxBuffer: outputBytesMax,
  });
}

type Floor = { one: number; eight: number };

/** Files a second to OpenSSH's server on the same disk; null where it is not installed. */
async function measureFloor(openSshFolder: string, lftpFolder: string): Promise<Floor | null> {
  await makeClientKey(service.folder);
  const sshd = await startSshd(service.folder);
  if (!sshd) {
    console.log("SKIPPED: the floor of OpenSSH's server, which is not installed");
    return null;
  }
  try {
    const one = await rate(() => putWithOpenSsh(sshd, openSshFolder));
    await sshd.empty();
    const eight = await rate(() =>
      mirror(floorOptions(), `${sshd.user},none`, sshd.port, lftpFolder, `${sshd.remoteFolder}mirrored`),
    );
    return { one, eight };
  } finally {
    await sshd.stop();
  }
}

async function putWithOpenSsh(sshd: BenchServer, folder: string): Promise<void> {
  const running = promisify(execFile)(
    "sftp",
    ["-q", "-b", "-", ...floorOptions(), "-P", String(sshd.port), `${sshd.user}@127.0.0.1`],
    { maxBuffer: outputBytesMax },
  );
  running.child.stdin?.end(`put ${folder}/* ${sshd.remoteFolder}\n`);
  await running;
}

function floorOptions(): string[] {
  const options = [
    "IdentitiesOnly=yes",
    "BatchMode=yes",
    "StrictHostKeyChecking=no",
    "UserKnownHostsFile=/dev/null",
    "LogLevel=ERROR",
  ];
  return [
    "-F",
    "/dev/null",
    "-i",
    path.join(service.folder, "partner"),
    ...options.flatMap((option) => ["-o", option]),
  ];
}

/** @returns files a second */
async function rate(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return count / 2 / ((performance.now() - startedAt) / 1000);
}

function describe(filesPerSecond: number, floor: number | undefined): string {
  const beside =
    floor === undefined ? "" : ` (floor ${floor.toFixed(0)} files/s, ${(filesPerSecond / floor).toFixed(2)} of it)`;
  return `${count / 2} files at ${filesPerSecond.toFixed(0)} files/s${beside}`;
}

/** @returns seconds that it took */
async function untilLoaded(expected: number): Promise<number> {
  const startedAt = performance.now();
  const database = new pg.Client({ connectionString: await service.databaseUrl() });
  await database.connect();
  try {
    for (;;) {
      const { rows } = await database.query<{ loaded: number; files: number }>(
        "select count(*) filter (where state = 'loaded')::int as loaded, count(*)::int as files from deliveries",
      );
      if (rows[0]?.loaded === expected) break;
      assert.ok(
        performance.now() - startedAt < loadedWithinMs,
        `${rows[0]?.loaded} of ${rows[0]?.files} files are loaded, ${expected} were sent`,
      );
      await wait(1000);
    }
    const { rows } = await database.query<{ count: number }>("select count(*)::int as count from transactions");
    assert.equal(rows[0]?.count, expected);
  } finally {
    await database.end();
  }
  return (performance.now() - startedAt) / 1000;
}
